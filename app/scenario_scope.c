/* Walks a variant's tree and its rows side by side, and remembers what was written in vain. */
#include "scenario_scope.h"

#include "diagnose.h"
#include "param_reader.h"
#include "scenario_schema.h"

#include <string.h>

/* An option as it was written, in one or more variants. */
typedef struct {
  YamlPlace place;
  char *path;      /* with numbers, for people */
  gboolean heeded; /* in some variant */
  /* Why it has no effect, of the first variant where its entry is the reason, and of the first
   * where only the transport is; NULL: there is none. */
  char *entry, *transport;
} Written;

struct ScenarioScope {
  GPtrArray *written;   /* Written *, in the order of the first sight */
  GHashTable *by_place; /* YamlPlace -> Written; looked up only */
  /* while it looks at a variant */
  const ScenarioModel *model;
  guint facts, message;
  GString *path, *pattern; /* "connects.2.qpn", "connects.*.qpn" */
  GError **error;
};

/* ----- places ----- */

static guint
place_hash (gconstpointer key)
{
  const YamlPlace *place = key;

  return place->line * 65599 + place->column + (place->setting ? g_str_hash (place->setting) : 0);
}

static gboolean
place_equal (gconstpointer a, gconstpointer b)
{
  const YamlPlace *x = a, *y = b;

  return x->line == y->line && x->column == y->column && g_strcmp0 (x->setting, y->setting) == 0 &&
         g_strcmp0 (x->file, y->file) == 0;
}

static void
written_free (gpointer data)
{
  Written *written = data;

  g_free (written->path);
  g_free (written->entry);
  g_free (written->transport);
  g_free (written);
}

ScenarioScope *
scenario_scope_new (void)
{
  ScenarioScope *scope = g_new0 (ScenarioScope, 1);

  scope->written = g_ptr_array_new_with_free_func (written_free);
  scope->by_place = g_hash_table_new (place_hash, place_equal);
  scope->path = g_string_new (NULL);
  scope->pattern = g_string_new (NULL);
  return scope;
}

void
scenario_scope_free (ScenarioScope *scope)
{
  if (!scope)
    return;
  g_hash_table_unref (scope->by_place);
  g_ptr_array_unref (scope->written);
  g_string_free (scope->path, TRUE);
  g_string_free (scope->pattern, TRUE);
  g_free (scope);
}

/* ----- words ----- */

static void
append_name (GString *text, const char *name)
{
  g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", name);
}

static const char *const *
transport_names (void)
{
  return param_find (fabric_params, "transport")->names;
}

char *
scenario_scope_transports (guint transports)
{
  const char *const *names = transport_names ();
  GString *text = g_string_new (NULL);

  for (guint i = 0; names[i]; i++)
    if (transports & 1u << i)
      append_name (text, names[i]);
  return g_string_free (text, FALSE);
}

char *
scenario_scope_messages (guint messages)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < IB_CM_ATTR_COUNT; i++)
    if (messages & 1u << i)
      append_name (text, ib_cm_attr_name (IB_CM_ATTR_FIRST + i));
  return g_string_free (text, FALSE);
}

static gboolean
follows_redirects (const UlpClass *ulp)
{
  for (const UlpReaction *row = ulp->reactions; row && row->errno_name; row++)
    if (row->action == ULP_REDIRECT)
      return TRUE;
  return FALSE;
}

static char *
those_that_follow (void)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; ulp_classes[i]; i++)
    if (follows_redirects ((const UlpClass *) ulp_classes[i]))
      append_name (text, ulp_classes[i]->name);
  return g_string_free (text, FALSE);
}

/* The keys of `handmade` that a message has. */
static char *
fields_of (guint message)
{
  GString *text = g_string_new (NULL);

  for (const SimParam *key = handmade_params; key->name; key++) {
    g_autofree char *path = g_strconcat ("handmade.*.", key->name, NULL);
    const ScopeRow *row = scenario_scope_rows;

    while (row->path && strcmp (row->path, path) != 0)
      row++;
    if (!row->path || row->messages == 0 || row->messages & message)
      append_name (text, key->name);
  }
  return g_string_free (text, FALSE);
}

/* Why the entry itself is in the way; NULL if it is not. (transfer full) */
static char *
wrong_entry (const ScenarioScope *scope, const ScopeRow *row)
{
  g_autofree char *names = NULL;
  guint lacks = row->needs & ~scope->facts, has = row->never & scope->facts;

  if (row->messages & ~scope->message && !(row->messages & scope->message)) {
    g_autofree char *message = scenario_scope_messages (scope->message);

    names = fields_of (scope->message);
    return g_strdup_printf ("a message %s made by hand has no such field; allowed: %s", message,
                            names);
  }
  if (has & SCOPE_UD)
    return g_strdup ("has no effect with ud: true, where nothing is connected; leave it out");
  if (has & (SCOPE_SCRIPT | SCOPE_ALONE))
    return g_strdup ("has no effect with a script, which makes the calls itself; leave it out");
  if (has & SCOPE_IPOIB)
    return g_strdup ("has no effect with by: ipoib, where the host's IPoIB joins, tries until it "
                     "is in and stays in; leave it out");
  if (has & SCOPE_GOES)
    return g_strdup ("has no effect after destroy_after, when the id is gone; leave one of the "
                     "two out");
  if (lacks & SCOPE_EVENTS)
    return g_strdup ("has no effect without channel_events: all; leave it out or set that");
  if (lacks & SCOPE_RETRIES)
    return g_strdup ("has no effect without retry_after; leave it out or set that");
  if (lacks & SCOPE_SCRIPT)
    return g_strdup ("a listener with this protocol needs accept.script, the steps it takes");
  if (lacks & SCOPE_RESOLVES)
    return g_strdup ("has no effect with resolve: false; leave one of the two out");
  if (lacks & SCOPE_FOLLOWS) {
    names = those_that_follow ();
    return g_strdup_printf ("the protocol goes nowhere else after a REJ; allowed with ulp: %s",
                            names);
  }
  return NULL;
}

/* The same of the transport. */
static char *
wrong_transport (const ScenarioScope *scope, const ScopeRow *row)
{
  guint transport = scope->model->fabric.transport;
  g_autofree char *heeding = NULL;

  if (row->transports == 0 || row->transports & 1u << transport)
    return NULL;
  heeding = scenario_scope_transports (row->transports);
  return g_strdup_printf (
      row->required ? "is not possible with fabric.transport: %s; allowed: %s"
                    : "note: has no effect with fabric.transport: %s; it has one with: %s",
      transport_names ()[transport], heeding);
}

/* ----- an option ----- */

static const ScopeRow *
find_row (const ScenarioScope *scope, const YamlNode *node)
{
  for (const ScopeRow *row = scenario_scope_rows; row->path; row++)
    if (strcmp (row->path, scope->pattern->str) == 0 &&
        (!row->value || (node->kind == YAML_TREE_SCALAR && strcmp (row->value, node->text) == 0)))
      return row;
  return NULL;
}

static Written *
written_at (ScenarioScope *scope, const YamlNode *node)
{
  Written *written = g_hash_table_lookup (scope->by_place, &node->place);

  if (written)
    return written;
  written = g_new0 (Written, 1);
  written->place = node->place;
  written->path = g_strdup (scope->path->str);
  g_ptr_array_add (scope->written, written);
  g_hash_table_insert (scope->by_place, &written->place, written);
  return written;
}

/* standard: what it is anyway, which harms nobody; NULL: none. */
static gboolean
look_at (ScenarioScope *scope, const YamlNode *node, const char *standard)
{
  const ScopeRow *row = find_row (scope, node);
  g_autofree char *entry = NULL, *transport = NULL;
  Written *written;

  if (!row || (standard && node->kind == YAML_TREE_SCALAR && strcmp (node->text, standard) == 0))
    return TRUE;
  entry = wrong_entry (scope, row);
  transport = wrong_transport (scope, row);
  if (transport && row->required) {
    diagnose_value (scope->error, &node->place, scope->path->str, transport);
    return FALSE;
  }
  written = written_at (scope, node);
  written->heeded |= !entry && !transport;
  if (entry && !written->entry)
    written->entry = g_steal_pointer (&entry);
  else if (!entry && !written->transport)
    written->transport = g_steal_pointer (&transport);
  return TRUE;
}

/* ----- the walk ----- */

static gboolean look_at_struct (ScenarioScope *scope, const YamlNode *node, const SimParam *rows,
                                const char *main_param);

typedef struct {
  gsize path, pattern;
} Level;

static Level
enter (ScenarioScope *scope, const char *name, const char *pattern)
{
  Level level = { scope->path->len, scope->pattern->len };

  g_string_append_printf (scope->path, "%s%s", level.path > 0 ? "." : "", name);
  g_string_append_printf (scope->pattern, "%s%s", level.pattern > 0 ? "." : "", pattern);
  return level;
}

static gboolean
leave (ScenarioScope *scope, Level level, gboolean good)
{
  g_string_truncate (scope->path, level.path);
  g_string_truncate (scope->pattern, level.pattern);
  return good;
}

static guint
facts_of_member (const MulticastParams *member)
{
  if (member->by == MULTICAST_BY_IPOIB)
    return SCOPE_IPOIB;
  return (member->retry_after != SIM_TIME_NEVER ? SCOPE_RETRIES : 0) |
         (member->leave_after > member->destroy_after ? SCOPE_GOES : 0);
}

/* What an entry of one of the lists is. */
static void
note_entry (ScenarioScope *scope, const SimParam *rows, guint i)
{
  const ScenarioModel *model = scope->model;

  if (rows == listener_params) {
    const ListenerParams *listener = &g_array_index (model->listeners, ListenerParams, i);

    gboolean script = listener->accept.script && listener->accept.script->len > 0;

    scope->facts = (listener->ud ? SCOPE_UD : 0) | (script ? SCOPE_SCRIPT : 0) |
                   (script && !*listener->channel ? SCOPE_ALONE : 0) |
                   (listener->channel_events == LISTENER_EVENTS_ALL ? SCOPE_EVENTS : 0);
  } else if (rows == connect_params) {
    const ConnectParams *connect = &g_array_index (model->connects, ConnectParams, i);
    const UlpClass *ulp = (const UlpClass *) connect->ulp.klass;

    scope->facts = (connect->ud ? SCOPE_UD : 0) | (ulp == &ulp_script ? SCOPE_SCRIPT : 0) |
                   (connect->resolve ? SCOPE_RESOLVES : 0) |
                   (follows_redirects (ulp) ? SCOPE_FOLLOWS : 0);
  } else if (rows == multicast_params) {
    scope->facts = facts_of_member (&g_array_index (model->multicast, MulticastParams, i));
  } else if (rows == handmade_params) {
    scope->message = 1u << g_array_index (model->handmade, HandmadeParams, i).message;
  }
}

static gboolean
look_at_list (ScenarioScope *scope, const YamlNode *node, const SimParam *row)
{
  gboolean good = TRUE;

  for (guint i = 0; good && i < node->n && node->kind != YAML_TREE_SCALAR; i++) {
    g_autofree char *number = g_strdup_printf ("%u", i);
    Level level =
        enter (scope, node->kind == YAML_TREE_MAPPING ? node->keys[i]->text : number, "*");

    note_entry (scope, row->rows, i);
    good = leave (scope, level, look_at_struct (scope, node->items[i], row->rows, row->main_param));
  }
  return good;
}

static gboolean
look_at_choice (ScenarioScope *scope, const YamlNode *node, const SimParam *row)
{
  gboolean mapping = node->kind == YAML_TREE_MAPPING && node->n == 1;
  const char *name = mapping ? node->keys[0]->text : node->text;
  const SimClassInfo *klass = name ? param_find_class (row->classes, name) : NULL;
  Level level;
  gboolean good;

  if (!klass)
    return TRUE;
  level = enter (scope, name, name);
  good = look_at (scope, mapping ? node->keys[0] : node, NULL);
  if (good && mapping && klass->params)
    good = look_at_struct (scope, node->items[0], klass->params, klass->main_param);
  return leave (scope, level, good);
}

static gboolean
look_at_row (ScenarioScope *scope, const YamlNode *node, const SimParam *row)
{
  Level level = enter (scope, row->name, row->name);
  gboolean good = look_at (scope, node, row->value);

  if (good && row->kind == SIM_PARAM_GROUP && row->rows)
    good = look_at_struct (scope, node, row->rows, row->main_param);
  else if (good && row->kind == SIM_PARAM_LIST)
    good = look_at_list (scope, node, row);
  else if (good && row->kind == SIM_PARAM_CHOICE)
    good = look_at_choice (scope, node, row);
  return leave (scope, level, good);
}

/* The tree was read before: whatever it holds is valid. */
static gboolean
look_at_struct (ScenarioScope *scope, const YamlNode *node, const SimParam *rows,
                const char *main_param)
{
  const SimParam *row;

  if (node->kind != YAML_TREE_MAPPING) {
    row = main_param ? param_find (rows, main_param) : NULL;
    return !row || row->kind != SIM_PARAM_LIST || look_at_row (scope, node, row);
  }
  for (guint i = 0; i < node->n; i++) {
    row = param_find (rows, node->keys[i]->text);
    if (row && !look_at_row (scope, node->items[i], row))
      return FALSE;
  }
  return TRUE;
}

/* ----- public ----- */

gboolean
scenario_scope_look (ScenarioScope *scope, const ScenarioModel *model, const YamlNode *root,
                     GError **error)
{
  scope->model = model;
  scope->error = error;
  return look_at_struct (scope, root, scenario_rows, NULL);
}

gboolean
scenario_scope_judge (const ScenarioScope *scope, Scenario *scenario, GError **error)
{
  for (guint i = 0; i < scope->written->len; i++) {
    const Written *written = g_ptr_array_index (scope->written, i);
    g_autoptr (GError) note = NULL;

    if (written->heeded)
      continue;
    if (!written->transport) {
      diagnose_value (error, &written->place, written->path, written->entry);
      return FALSE;
    }
    diagnose_value (&note, &written->place, written->path, written->transport);
    g_ptr_array_add (scenario->notes, arena_strdup (scenario->arena, note->message));
  }
  return TRUE;
}

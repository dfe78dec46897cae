#include "scenario_variant.h"

#include "scenario_matrix.h"
#include "suggest.h"

#include <string.h>

#define VARIANTS_MAX 256
#define OVERRIDES_MAX 1000
/* Nodes read over all variants: bounds memory and time whatever the file says. */
#define NODES_MAX 1000000
#define NAME_MAX_LENGTH 40

/* ----- one variant ----- */

static gboolean
unknown_profile (const YamlNode *node, GError **error)
{
  GPtrArray *names = g_ptr_array_new ();
  char *quoted = suggest_quote (node->text), *clause;

  for (guint i = 0; cm_profiles[i]; i++)
    g_ptr_array_add (names, (gpointer) cm_profiles[i]->name);
  g_ptr_array_add (names, NULL);
  clause = suggest_clause (node->text, (const char *const *) names->pdata);
  diagnose_refuse (error, &node->place, "profile: there is no profile %s%s", quoted, clause);
  g_free (quoted);
  g_free (clause);
  g_ptr_array_unref (names);
  return FALSE;
}

/* The base's values, then what the file says otherwise. */
static gboolean
read_profile (ScenarioReading *reading, const YamlNode *node, CmProfile *ret_profile,
              GError **error)
{
  const SimParam *rows = scenario_profile_rows (reading->arena);
  const YamlNode *base = node;
  const CmProfile *profile;

  if (node && node->kind == YAML_TREE_MAPPING)
    base = yaml_node_get (node, "base");
  if (base && (base->kind != YAML_TREE_SCALAR || yaml_node_is_null (base)))
    return diagnose_refuse (
        error, &base->place,
        "profile: expected the name of a profile, or a mapping with base; found %s",
        yaml_node_describe (base));
  profile = cm_profile_find (base ? base->text : rows[0].value);
  if (!profile)
    return unknown_profile (base, error);
  *ret_profile = *profile;
  return !node || node->kind != YAML_TREE_MAPPING
         || param_reader_fill (reading->reader, node, "profile", rows, TRUE, ret_profile, error);
}

static void
name_entries (Arena *arena, ScenarioModel *model)
{
  model->sm.name = "sm";
  for (guint i = 0; i < model->listeners->len; i++) {
    ListenerParams *listener = &g_array_index (model->listeners, ListenerParams, i);

    if (!*listener->name)
      listener->name = arena_printf (arena, "listeners.%u", i);
  }
  for (guint i = 0; i < model->multicast->len; i++) {
    MulticastParams *multicast = &g_array_index (model->multicast, MulticastParams, i);

    if (!*multicast->name)
      multicast->name = arena_printf (arena, "multicast.%u", i);
  }
  for (guint i = 0; i < model->connects->len; i++) {
    ConnectParams *connect = &g_array_index (model->connects, ConnectParams, i);

    if (!*connect->name)
      connect->name = arena_printf (arena, "connects.%u", i);
  }
}

static void
set_workers (const ScenarioModel *model, HostGroupParams *group)
{
  if (group->hca.cm_workers == 0)
    group->hca.cm_workers = scenario_host_profile (model, group)->cm_workers;
}

/* Values that stand for those of the profile; after the check, which knows its names. */
static void
apply_profiles (ScenarioModel *model)
{
  set_workers (model, &model->sm);
  for (guint i = 0; i < model->hosts->len; i++)
    set_workers (model, &g_array_index (model->hosts, HostGroupParams, i));
}

static gboolean
read_rows (ScenarioReading *reading, const YamlNode *root, ScenarioDocument *document,
           GError **error)
{
  const SimParam *version = &scenario_rows[0];

  /* The version first: another version has other keys. */
  if (yaml_node_get (root, version->name)
      && !param_reader_row (reading->reader, root, version, document, error))
    return FALSE;
  if (!param_reader_check_keys (reading->reader, root, "", scenario_rows, error))
    return FALSE;
  for (const SimParam *row = scenario_rows; row->name; row++) {
    gboolean good = TRUE;

    if (!strcmp (row->name, "profile"))
      good =
          read_profile (reading, yaml_node_get (root, row->name), &document->model.profile, error);
    else if (row->kind != SIM_PARAM_GROUP || row->rows)
      good = param_reader_row (reading->reader, root, row, document, error);
    if (!good)
      return FALSE;
  }
  return TRUE;
}

/* The question is a headline: one line. */
static gboolean
check_question (ScenarioReading *reading, const YamlNode *root, ScenarioDocument *document,
                GError **error)
{
  char *line = arena_strdup (reading->arena, document->question);

  document->question = g_strstrip (g_strdelimit (line, "\t\r\n", ' '));
  return *line ||
         diagnose_refuse (error, &yaml_node_get (root, "question")->place,
                          "question: is empty; write what the scenario asks, in a sentence");
}

/* Sockets have none: whatever they cost is not paid. */
static void
leave_out_qps (ScenarioModel *model)
{
  for (guint i = 0; i < model->listeners->len; i++)
    g_array_index (model->listeners, ListenerParams, i).accept.qp = FALSE;
  for (guint i = 0; i < model->connects->len; i++)
    g_array_index (model->connects, ConnectParams, i).qp = FALSE;
}

static gboolean
read_document (ScenarioReading *reading, const YamlNode *root, ScenarioDocument *document,
               GError **error)
{
  if (!read_rows (reading, root, document, error)
      || !check_question (reading, root, document, error))
    return FALSE;
  name_entries (reading->arena, &document->model);
  if (document->model.fabric.transport == FABRIC_TRANSPORT_TCP)
    leave_out_qps (&document->model);
  if (!scenario_check (&document->model, root, error) ||
      !scenario_scope_look (reading->scope, &document->model, root, error))
    return FALSE;
  apply_profiles (&document->model);
  return scenario_trace_load (reading, &document->model, root, error);
}

static gboolean
add_variant (ScenarioReading *reading, const YamlNode *root, const char *name, Scenario *scenario,
             GError **error)
{
  ScenarioDocument *document = arena_alloc (reading->arena, sizeof *document);
  ScenarioVariant *variant = arena_alloc (reading->arena, sizeof *variant);

  if (!read_document (reading, root, document, error))
    return FALSE;
  variant->name = name;
  variant->model = document->model;
  g_ptr_array_add (scenario->variants, variant);
  /* The head is the same in all of them. */
  scenario->question = document->question;
  scenario->seed = document->seed;
  scenario->replications = document->replications;
  return TRUE;
}

/* ----- compare ----- */

static gboolean
check_name (const YamlNode *key, GError **error)
{
  gsize length = strlen (key->text);
  char *quoted;

  /* Names become names of files and columns. */
  if (length > 0 && length <= NAME_MAX_LENGTH && g_ascii_isalnum (key->text[0])
      && strspn (key->text, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "-_.+") == length)
    return TRUE;
  quoted = suggest_quote (key->text);
  diagnose_refuse (
      error, &key->place,
      "compare: %s cannot name a variant; allowed: letters, digits and - _ . +, at most %d, the "
      "first a letter or a digit",
      quoted, NAME_MAX_LENGTH);
  g_free (quoted);
  return FALSE;
}

static gboolean
check_overrides (const YamlNode *key, const YamlNode *overrides, GError **error)
{
  if (overrides->kind != YAML_TREE_MAPPING && !yaml_node_is_null (overrides))
    return diagnose_refuse (error, &overrides->place,
                            "compare.%s: expected a mapping of paths to values, such as "
                            "{listeners.0.backlog.limit: 256}; found %s",
                            key->text, yaml_node_describe (overrides));
  if (overrides->n > OVERRIDES_MAX)
    return diagnose_refuse (error, &overrides->place, "compare.%s: %u overrides; at most %d",
                            key->text, overrides->n, OVERRIDES_MAX);
  return TRUE;
}

/* where: "compare", or "matrix.AXIS". */
static gboolean
check_path (const YamlNode *path, const char *where, const char *variant, GError **error)
{
  char **steps = g_strsplit (path->text, ".", 2);
  gboolean common = steps[0] && scenario_key_is_common (steps[0]);

  if (common)
    diagnose_refuse (error, &path->place,
                     "%s.%s: %s is common to all variants and cannot be changed by one", where,
                     variant, steps[0]);
  g_strfreev (steps);
  return !common;
}

static gboolean
apply_settings (ScenarioReading *reading, guint edition, const ScenarioOverride *settings,
                guint n_settings, YamlNode **root, GError **error)
{
  for (guint i = 0; i < n_settings; i++)
    if (!scenario_override_apply (reading->reader, reading->arena, edition, scenario_rows,
                                  &settings[i], root, error))
      return FALSE;
  return TRUE;
}

static gboolean
apply_overrides (ScenarioReading *reading, guint edition, const char *where, const YamlNode *key,
                 const YamlNode *overrides, YamlNode **root, GError **error)
{
  for (guint i = 0; i < overrides->n; i++) {
    ScenarioOverride override = { .path = overrides->keys[i]->text,
                                  .value = overrides->items[i],
                                  .place = &overrides->keys[i]->place };

    if (!check_path (overrides->keys[i], where, key->text, error) ||
        !scenario_override_apply (reading->reader, reading->arena, edition, scenario_rows,
                                  &override, root, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
check_compare (const YamlNode *root, const YamlNode *compare, GError **error)
{
  if (compare->kind != YAML_TREE_MAPPING)
    return diagnose_refuse (error, &compare->place,
                            "compare: expected a mapping of variant names; found %s",
                            yaml_node_describe (compare));
  if (compare->n == 0)
    return diagnose_refuse (error, &compare->place,
                            "compare: no variants; name some, or leave compare out");
  if (compare->n > VARIANTS_MAX)
    return diagnose_refuse (error, &compare->place, "compare: %u variants; at most %d", compare->n,
                            VARIANTS_MAX);
  if ((guint64) compare->n * root->nodes > NODES_MAX)
    return diagnose_refuse (
        error, &compare->place,
        "compare: %u variants of a scenario of %u values are too many; at most %d "
        "values in all",
        compare->n, root->nodes, NODES_MAX);
  for (guint i = 0; i < compare->n; i++)
    if (!check_name (compare->keys[i], error)
        || !check_overrides (compare->keys[i], compare->items[i], error))
      return FALSE;
  return TRUE;
}

/* ----- matrix ----- */

static gboolean
add_cell (ScenarioReading *reading, guint edition, const MatrixAxis *axes, const guint *at,
          const ScenarioOverride *settings, guint n_settings, YamlNode *tree, Scenario *scenario,
          GError **error)
{
  guint n = scenario->n_axes;
  guint *place = arena_alloc (reading->arena, n * sizeof *place);
  ScenarioVariant *variant;

  for (guint a = 0; a < n; a++) {
    const MatrixValue *value = &axes[a].values[at[a]];
    const char *where = arena_printf (reading->arena, "matrix.%s", axes[a].name);

    place[a] = at[a];
    if (!apply_overrides (reading, edition, where, value->key, value->overrides, &tree, error))
      return FALSE;
  }
  if (!apply_settings (reading, edition, settings, n_settings, &tree, error) ||
      !add_variant (reading, tree, scenario_matrix_name (reading->arena, axes, n, at), scenario,
                    error))
    return FALSE;
  variant = g_ptr_array_index (scenario->variants, scenario->variants->len - 1);
  variant->at = place;
  if (!scenario_matrix_gather (reading, edition, &variant->model, scenario, &tree, error))
    return FALSE;
  g_ptr_array_add (reading->trees, tree);
  return TRUE;
}

/* What a matrix prints is what becomes of connects. */
static gboolean
has_connects (const Scenario *scenario)
{
  for (guint v = 0; v < scenario->variants->len; v++) {
    const ScenarioVariant *variant = g_ptr_array_index (scenario->variants, v);

    if (variant->model.connects->len > 0)
      return TRUE;
  }
  return FALSE;
}

/* Later axes prevail over earlier ones, settings over all. */
static gboolean
read_matrix (ScenarioReading *reading, YamlNode *root, const ScenarioOverride *settings,
             guint n_settings, Scenario *scenario, GError **error)
{
  const YamlNode *matrix = yaml_node_get (root, "matrix");
  guint64 cells = 1;
  guint n, edition = 1;
  MatrixAxis *axes;
  guint *at;

  if (!scenario_matrix_read (reading, matrix, &axes, &n, scenario, error))
    return FALSE;
  for (guint a = 0; a < n; a++)
    cells *= axes[a].n;
  if (cells * root->nodes > NODES_MAX)
    return diagnose_refuse (
        error, &matrix->place,
        "matrix: %u cells of a scenario of %u values are too many; at most %d values "
        "in all",
        (guint) cells, root->nodes, NODES_MAX);
  at = arena_alloc (reading->arena, n * sizeof *at);
  do
    if (!add_cell (reading, ++edition, axes, at, settings, n_settings, root, scenario, error))
      return FALSE;
  while (scenario_matrix_next (axes, n, at));
  if (!has_connects (scenario))
    return diagnose_refuse (error, &matrix->place,
                            "matrix: its table shows what becomes of connects, and there are none; "
                            "compare shows other things too");
  return TRUE;
}

gboolean
scenario_variants_read (ScenarioReading *reading, YamlNode *root, const ScenarioOverride *settings,
                        guint n_settings, Scenario *scenario, GError **error)
{
  const YamlNode *compare = yaml_node_get (root, "compare");
  const YamlNode *matrix = yaml_node_key (root, "matrix");
  guint edition = 1;

  if (compare && matrix)
    return diagnose_refuse (error, &matrix->place,
                            "matrix and compare exclude each other; an axis of the "
                            "matrix can hold the variants");

  if (compare && !check_compare (root, compare, error))
    return FALSE;
  if (!apply_settings (reading, edition, settings, n_settings, &root, error))
    return FALSE;
  if (matrix)
    return read_matrix (reading, root, settings, n_settings, scenario, error);
  if (!compare)
    return add_variant (reading, root, scenario->name, scenario, error);
  for (guint i = 0; i < compare->n; i++) {
    YamlNode *tree = root;

    edition++;
    /* A setting holds in every variant, also in one that says otherwise. */
    if (!apply_overrides (reading, edition, "compare", compare->keys[i], compare->items[i], &tree,
                          error) ||
        !apply_settings (reading, edition, settings, n_settings, &tree, error) ||
        !add_variant (reading, tree, compare->keys[i]->text, scenario, error))
      return FALSE;
  }
  return TRUE;
}

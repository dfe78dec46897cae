/* What single values cannot show: names that must exist, sizes that contradict. */
#include "scenario_check_private.h"

#include "loss_rules.h"
#include "scenario_script.h"
#include "scenario_target.h"
#include "suggest.h"

#include <string.h>

#define HOSTS_MAX 16000000
#define CONNECTS_MAX 100000000
#define MESH_MAX 8192
#define NAME_MAX_LENGTH 64

/* The message begins with the path, as for single values. */
gboolean
scenario_check_refuse (Check *check, const char *path, const char *format, ...)
{
  va_list args;
  char *text;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  diagnose_value (check->error, &yaml_node_at (check->root, path)->place, path, text);
  g_free (text);
  return FALSE;
}

/* ----- run, hosts ----- */

static gboolean
check_run (Check *check)
{
  const ScenarioRun *run = &check->model->run;
  char until[32], warm_up[32];

  if (run->warm_up > 0 && run->warm_up >= run->until)
    return scenario_check_refuse (check, "run.warm_up", "%s is not before run.until, %s",
                                  sim_time_format (run->warm_up, warm_up, sizeof warm_up),
                                  sim_time_format (run->until, until, sizeof until));
  if (check->model->sm.count != 1)
    return scenario_check_refuse (check, "sm.count",
                                  "there is one subnet manager; leave count out");
  return TRUE;
}

#define NAME_CHARACTERS G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "-_"

static gboolean
name_is_good (const char *name, const char *characters)
{
  gsize length = strlen (name);

  return length > 0 && length <= NAME_MAX_LENGTH && g_ascii_isalnum (name[0]) &&
         strspn (name, characters) == length;
}

static gboolean
check_host_profile (Check *check, const char *path, const char *name)
{
  GPtrArray *names;
  char *quoted, *clause;

  if (!*name || cm_profile_find (name))
    return TRUE;
  names = g_ptr_array_new ();
  for (guint i = 0; cm_profiles[i]; i++)
    g_ptr_array_add (names, (gpointer) cm_profiles[i]->name);
  g_ptr_array_add (names, NULL);
  quoted = suggest_quote (name);
  clause = suggest_clause (name, (const char *const *) names->pdata);
  scenario_check_refuse (check, path, "there is no profile %s%s", quoted, clause);
  g_free (quoted);
  g_free (clause);
  g_ptr_array_unref (names);
  return FALSE;
}

static gboolean
check_hosts (Check *check)
{
  const GArray *hosts = check->model->hosts;
  guint64 total = 0;

  if (hosts->len == 0)
    return scenario_check_refuse (check, "hosts",
                                  "no host groups; write a name and a number, such as {server: 1, "
                                  "client: 16}");
  for (guint i = 0; i < hosts->len; i++) {
    HostGroupParams *group = &g_array_index (hosts, HostGroupParams, i);

    total += group->count;
    if (!strcmp (group->name, LOSS_ANY_HOST) || !strcmp (group->name, check->model->sm.name))
      return scenario_check_refuse (
          check, "hosts", "%s cannot name a group; it names %s in loss rules", group->name,
          !strcmp (group->name, LOSS_ANY_HOST) ? "all hosts" : "the subnet manager");
    if (!name_is_good (group->name, NAME_CHARACTERS)) {
      const YamlNode *node = yaml_node_get (check->root, "hosts");
      char *quoted = suggest_quote (group->name);

      diagnose (check->error, SCENARIO_ERROR_VALUE, &node->keys[i]->place,
                "hosts: %s cannot name a group; allowed: letters, digits, - and _, at most %d",
                quoted, NAME_MAX_LENGTH);
      g_free (quoted);
      return FALSE;
    }
    g_hash_table_insert (check->groups, (gpointer) group->name, group);
    char path[NAME_MAX_LENGTH + 32];
    g_snprintf (path, sizeof path, "hosts.%s.profile", group->name);
    if (!check_host_profile (check, path, group->profile))
      return FALSE;
  }
  if (!check_host_profile (check, "sm.profile", check->model->sm.profile))
    return FALSE;
  return total <= HOSTS_MAX ||
         scenario_check_refuse (check, "hosts", "%" G_GUINT64_FORMAT " hosts in all; at most %d",
                                total, HOSTS_MAX);
}

gboolean
scenario_check_unknown_group (Check *check, const char *path, const char *name)
{
  const GArray *hosts = check->model->hosts;
  GPtrArray *names = g_ptr_array_new ();
  char *quoted = suggest_quote (name), *clause;

  for (guint i = 0; i < hosts->len; i++)
    g_ptr_array_add (names, (gpointer) g_array_index (hosts, HostGroupParams, i).name);
  g_ptr_array_add (names, NULL);
  clause = suggest_clause (name, (const char *const *) names->pdata);
  scenario_check_refuse (check, path, "there is no host group %s%s", quoted, clause);
  g_free (quoted);
  g_free (clause);
  g_ptr_array_unref (names);
  return FALSE;
}

/* ----- listeners ----- */

gboolean
scenario_check_ulp (Check *check, const char *path, const char *name)
{
  GPtrArray *names;
  char *quoted, *clause;

  if (param_find_class (ulp_classes, name))
    return TRUE;
  names = g_ptr_array_new ();
  for (guint i = 0; ulp_classes[i]; i++)
    g_ptr_array_add (names, (gpointer) ulp_classes[i]->name);
  g_ptr_array_add (names, NULL);
  quoted = suggest_quote (name);
  clause = suggest_clause (name, (const char *const *) names->pdata);
  scenario_check_refuse (check, path, "unknown value %s%s", quoted, clause);
  g_free (quoted);
  g_free (clause);
  g_ptr_array_unref (names);
  return FALSE;
}

/* Results are told apart by an entry's name, and tables hold it as it is. */
gboolean
scenario_check_name (Check *check, GHashTable *names, const char *list, guint i, const char *name)
{
  gboolean good = name_is_good (name, NAME_CHARACTERS ".");
  char path[64], *quoted;

  if (good && g_hash_table_add (names, (gpointer) name))
    return TRUE;
  quoted = suggest_quote (name);
  ENTRY_PATH (path, list, i, "name");
  if (good)
    scenario_check_refuse (check, path, "another entry has the name %s", quoted);
  else
    scenario_check_refuse (
        check, path,
        "%s cannot be a name; allowed: letters, digits and - _ ., at most %d, the "
        "first a letter or a digit",
        quoted, NAME_MAX_LENGTH);
  g_free (quoted);
  return FALSE;
}

static gboolean
check_port (Check *check, GHashTable *services, guint i, guint port)
{
  const ListenerParams *listener = &g_array_index (check->model->listeners, ListenerParams, i);
  /* The port space belongs to the service id: SDP's port 80 is not the generic one. */
  guint64 space =
      ulp_space_chosen (ulp_find (listener->ulp), listener->ud, listener->port_space);
  char *service =
      g_strdup_printf ("%s:%u %" G_GUINT64_FORMAT, listener->on, port, space);
  char path[64];
  gpointer first;

  if (g_hash_table_lookup_extended (services, service, NULL, &first)) {
    g_free (service);
    return scenario_check_refuse (
        check, ENTRY_PATH (path, "listeners", i, "service"),
        "listeners.%u listens on port %u of the same hosts; use another port",
        GPOINTER_TO_UINT (first), port);
  }
  g_hash_table_insert (services, service, GUINT_TO_POINTER (i));
  return TRUE;
}

static gboolean
check_service (Check *check, GHashTable *services, guint i)
{
  const ListenerParams *listener = &g_array_index (check->model->listeners, ListenerParams, i);
  char path[64];
  gboolean good = TRUE;

  if (listener->service + listener->processes > 65536)
    return scenario_check_refuse (check, ENTRY_PATH (path, "listeners", i, "processes"),
                                  "%u processes from port %u on; ports end at 65535",
                                  listener->processes, listener->service);
  for (guint p = 0; good && p < listener->processes; p++)
    good = check_port (check, services, i, listener->service + p);
  return good;
}

/* UDP and IPoIB are the spaces of what is resolved by SIDR, and of nothing else. */
static gboolean
check_port_space (Check *check, const char *path, gboolean ud, guint space)
{
  gboolean is_ud = space == ULP_PORT_SPACE_UDP || space == ULP_PORT_SPACE_IPOIB;

  if (space == ULP_PORT_SPACE_OWN || is_ud == !!ud)
    return TRUE;
  return scenario_check_refuse (check, path, "port space %s %s", ulp_port_space_names[space],
                                ud ? "has no UD services; they are in udp and ipoib"
                                   : "needs ud: true");
}

static gboolean
check_script (Check *check, const char *list, const GArray *steps, gboolean active)
{
  guint step;
  char *wrong = scenario_script_check (steps, active, &step);
  char path[96];

  if (!wrong)
    return TRUE;
  g_snprintf (path, sizeof path, "%s.%u", list, step);
  scenario_check_refuse (check, path, "%s", wrong);
  g_free (wrong);
  return FALSE;
}

static gboolean
check_listener (Check *check, GHashTable *names, GHashTable *services, guint i)
{
  const ListenerParams *listener = &g_array_index (check->model->listeners, ListenerParams, i);
  char path[64];

  if (!g_hash_table_contains (check->groups, listener->on))
    return scenario_check_unknown_group (check, ENTRY_PATH (path, "listeners", i, "on"),
                                         listener->on);
  if (*listener->redirect_to && !scenario_check_host_is_known (check, listener->redirect_to))
    return scenario_check_unknown_host (check, ENTRY_PATH (path, "listeners", i, "redirect_to"),
                                        listener->redirect_to);
  return scenario_check_ulp (check, ENTRY_PATH (path, "listeners", i, "ulp"), listener->ulp) &&
         scenario_check_name (check, names, "listeners", i, listener->name) &&
         check_service (check, services, i) &&
         check_port_space (check, ENTRY_PATH (path, "listeners", i, "port_space"), listener->ud,
                           listener->port_space) &&
         check_script (check, ENTRY_PATH (path, "listeners", i, "accept.script"),
                       listener->accept.script, FALSE);
}

static gboolean
check_listeners (Check *check)
{
  GHashTable *names = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTable *services = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gboolean good = TRUE;

  for (guint i = 0; good && i < check->model->listeners->len; i++)
    good = check_listener (check, names, services, i);
  g_hash_table_unref (names);
  g_hash_table_unref (services);
  return good;
}

/* ----- connects ----- */

/* Nobody need listen there: a connect to nobody gets REJ 8. */
static gboolean
check_target (Check *check, guint i, const char *key, const char *to)
{
  const HostGroupParams *group;
  ScenarioTarget target;
  gboolean good = TRUE;
  char path[64], *quoted;

  ENTRY_PATH (path, "connects", i, key);
  if (!scenario_target_parse (to, &target)) {
    quoted = suggest_quote (to);
    scenario_check_refuse (
        check, path,
        "%s is not a target; write group:port or group.index:port, such as \"server:7471\" "
        "or \"server.0:7471\", with a port of 1 to 65535",
        quoted);
    g_free (quoted);
    return FALSE;
  }
  group = g_hash_table_lookup (check->groups, target.group);
  if (!group)
    good = scenario_check_unknown_group (check, path, target.group);
  else if (target.indexed && target.index >= group->count)
    good = scenario_check_refuse (check, path,
                                  "there is no host %u; group %s has %u, numbered from 0",
                                  target.index, target.group, group->count);
  scenario_target_clear (&target);
  return good;
}

static gboolean
check_profile_codes (Check *check, guint i, const ConnectParams *connect)
{
  char path[64];

  if (connect->path_lifetime > 31 && connect->path_lifetime != CONNECT_OF_PROFILE)
    return scenario_check_refuse (check, ENTRY_PATH (path, "connects", i, "path_lifetime"),
                                  "%u is out of range; allowed: 0 to 31, or %d for none",
                                  connect->path_lifetime, CONNECT_OF_PROFILE);
  if (connect->response_timeout > 31 && connect->response_timeout != CONNECT_OF_PROFILE)
    return scenario_check_refuse (check, ENTRY_PATH (path, "connects", i, "response_timeout"),
                                  "%u is out of range; allowed: 0 to 31, or %d for the profile's",
                                  connect->response_timeout, CONNECT_OF_PROFILE);
  return TRUE;
}

/* Processes that connect among themselves: to the whole group they are in. */
static gboolean
check_pattern (Check *check, guint i, const ConnectParams *connect, const HostGroupParams *group)
{
  guint64 processes = (guint64) group->count * connect->processes;
  char path[64], *to;
  gboolean good;

  if (connect->pattern == CONNECT_PATTERN_TURN)
    return connect->tie_break == CONNECT_TIE_BREAK_NONE ||
           scenario_check_refuse (check, ENTRY_PATH (path, "connects", i, "tie_break"),
                                  "only processes that connect to each other can tie; set pattern");
  to = g_strdup_printf ("%s:", group->name);
  good = g_str_has_prefix (connect->to, to);
  g_free (to);
  if (!good)
    return scenario_check_refuse (
        check, ENTRY_PATH (path, "connects", i, "to"),
        "with this pattern it must be all of the group that connects, \"%s:PORT\"", group->name);
  if (connect->arrivals.klass == &arrival_trace.info)
    return scenario_check_refuse (check, ENTRY_PATH (path, "connects", i, "pattern"),
                                  "the trace says who connects; leave pattern out");
  if (connect->number > 0 && connect->pattern != CONNECT_PATTERN_RANDOM)
    return scenario_check_refuse (check, ENTRY_PATH (path, "connects", i, "number"),
                                  "the pattern says how many connects there are; leave number out");
  if (processes < 2 || processes > MESH_MAX)
    return scenario_check_refuse (check, ENTRY_PATH (path, "connects", i, "processes"),
                                  "%" G_GUINT64_FORMAT " processes in all; allowed: 2 to %d",
                                  processes, MESH_MAX);
  return TRUE;
}

/* The file says it, be it only what is the default. */
static gboolean
is_written (const Check *check, const char *list, guint i, const char *key)
{
  char path[64];
  const YamlNode *entry;

  g_snprintf (path, sizeof path, "%s.%u", list, i);
  entry = yaml_node_at (check->root, path);
  return entry->kind == YAML_TREE_MAPPING && yaml_node_get (entry, key);
}

/* One source for how many there are. */
static gboolean
check_number (Check *check, guint i, const ConnectParams *connect)
{
  char path[64];

  return connect->number == 0 || !is_written (check, "connects", i, "per_host") ||
         scenario_check_refuse (
             check, ENTRY_PATH (path, "connects", i, "per_host"),
             "number says how many connects there are; leave one of the two out");
}

static gboolean
check_connect (Check *check, GHashTable *names, guint i, guint64 *total)
{
  const ConnectParams *connect = &g_array_index (check->model->connects, ConnectParams, i);
  const HostGroupParams *group = g_hash_table_lookup (check->groups, connect->from);
  char path[64];

  if (!group)
    return scenario_check_unknown_group (check, ENTRY_PATH (path, "connects", i, "from"),
                                         connect->from);
  if (!check_target (check, i, "to", connect->to) ||
      (*connect->redirect_to && !check_target (check, i, "redirect_to", connect->redirect_to)) ||
      !check_profile_codes (check, i, connect) ||
      !check_port_space (check, ENTRY_PATH (path, "connects", i, "port_space"), connect->ud,
                         connect->port_space) ||
      (connect->ulp.klass == &ulp_script.info &&
       !check_script (check, ENTRY_PATH (path, "connects", i, "ulp.script"),
                      ((const UlpScriptParams *) connect->ulp.params)->steps, TRUE)) ||
      !scenario_check_name (check, names, "connects", i, connect->name))
    return FALSE;
  if (!scenario_check_channel (check, "connects", i, connect->from, connect->channel))
    return FALSE;
  if (!check_pattern (check, i, connect, group) || !check_number (check, i, connect))
    return FALSE;
  *total += connect_count (connect, group->count);
  return *total <= CONNECTS_MAX ||
         scenario_check_refuse (
             check, ENTRY_PATH (path, "connects", i, connect->number > 0 ? "number" : "per_host"),
             "%" G_GUINT64_FORMAT " connects in all; at most %d", *total, CONNECTS_MAX);
}

static gboolean
check_connects (Check *check)
{
  GHashTable *names = g_hash_table_new (g_str_hash, g_str_equal);
  gboolean good = TRUE;
  guint64 total = 0;

  if (check->model->connects->len + check->model->handmade->len + check->model->multicast->len ==
      0)
    good = scenario_check_refuse (check, "connects", "nothing connects; write at least one entry");
  for (guint i = 0; good && i < check->model->connects->len; i++)
    good = check_connect (check, names, i, &total);
  good = good && scenario_check_multicast (check, names);
  g_hash_table_unref (names);
  return good;
}

gboolean
scenario_check (const ScenarioModel *model, const YamlNode *root, GError **error)
{
  Check check = { .model = model, .root = root, .error = error };
  gboolean good;

  check.groups = g_hash_table_new (g_str_hash, g_str_equal);
  good = check_run (&check) && check_hosts (&check) && scenario_check_loss (&check) &&
         check_listeners (&check) && check_connects (&check) && scenario_check_handmade (&check);
  g_hash_table_unref (check.groups);
  return good;
}

/* Loading: bytes to tree, tree to variants, lines of `expect:` to expectations. */
#include "expect_parse.h"
#include "scenario_matrix.h"
#include "scenario_variant.h"
#include "suggest.h"
#include "text_file.h"

#include <string.h>

#define FNV_OFFSET G_GUINT64_CONSTANT (0xcbf29ce484222325)
#define FNV_PRIME G_GUINT64_CONSTANT (0x100000001b3)

guint64
scenario_hash_add (guint64 hash, const char *data, gsize length)
{
  for (gsize i = 0; i < length; i++)
    hash = (hash ^ (guchar) data[i]) * FNV_PRIME;
  return hash;
}

/* ----- settings ----- */

static gboolean
check_setting (const YamlPlace *place, const char *path, GError **error)
{
  char **steps = g_strsplit (path, ".", 2);
  gboolean whole = steps[0] && (!strcmp (steps[0], "compare") || !strcmp (steps[0], "matrix") ||
                                !strcmp (steps[0], "expect"));

  if (whole)
    diagnose (error, SCENARIO_ERROR_VALUE, place, "%s can be changed in the file only", steps[0]);
  g_strfreev (steps);
  return !whole;
}

static gboolean
read_setting (ScenarioReading *reading, const ScenarioSetting *setting,
              ScenarioOverride *ret_override, GError **error)
{
  YamlPlace *place = arena_alloc (reading->arena, sizeof *place);
  char *shown = suggest_escape (setting->path);

  place->file = reading->display;
  place->setting = setting->option ? arena_strdup (reading->arena, setting->option)
                                   : arena_printf (reading->arena, "--set %s", shown);
  g_free (shown);
  if (!check_setting (place, setting->path, error))
    return FALSE;
  ret_override->path = setting->path;
  ret_override->place = place;
  ret_override->value =
      yaml_tree_parse (reading->arena, place, setting->value, strlen (setting->value), error);
  reading->hash = scenario_hash_add (reading->hash, setting->path, strlen (setting->path) + 1);
  reading->hash = scenario_hash_add (reading->hash, setting->value, strlen (setting->value) + 1);
  return ret_override->value != NULL;
}

/* ----- the scenario ----- */

void
scenario_note_option (Scenario *scenario, const char *option, const char *value)
{
  static const char plain[] = G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "-_.,:=/+%@";
  gboolean is_plain = *value && value[strspn (value, plain)] == '\0';
  char *quoted = is_plain ? NULL : g_shell_quote (value);
  char *shown = suggest_escape (is_plain ? value : quoted);

  g_ptr_array_add (scenario->options, arena_printf (scenario->arena, "%s %s", option, shown));
  g_free (quoted);
  g_free (shown);
}

static void
note_setting (Scenario *scenario, const ScenarioSetting *setting)
{
  char *both = g_strconcat (setting->path, "=", setting->value, NULL);

  if (setting->option)
    scenario_note_option (scenario, setting->option, setting->value);
  else
    scenario_note_option (scenario, "--set", both);
  g_free (both);
}

static char *
base_name (Arena *arena, const char *path)
{
  char *name = g_path_get_basename (path), *kept;

  if (g_str_has_suffix (name, ".yaml"))
    name[strlen (name) - 5] = '\0';
  else if (g_str_has_suffix (name, ".yml"))
    name[strlen (name) - 4] = '\0';
  kept = arena_strdup (arena, *name ? name : "scenario");
  g_free (name);
  return kept;
}

static gboolean
read_expects (ScenarioReading *reading, const YamlNode *root, Scenario *scenario, GError **error)
{
  const YamlNode *list = yaml_node_get (root, "expect");
  GPtrArray *names;
  gboolean good = TRUE;

  if (!list)
    return TRUE;
  if (list->kind != YAML_TREE_SEQUENCE) {
    diagnose (error, SCENARIO_ERROR_VALUE, &list->place,
              "expect: expected a list of lines, each behind a \"-\"; found %s",
              yaml_node_describe (list));
    return FALSE;
  }
  names = g_ptr_array_new ();
  for (guint i = 0; i < scenario->variants->len; i++)
    g_ptr_array_add (names, (gpointer) ((ScenarioVariant *) scenario->variants->pdata[i])->name);
  g_ptr_array_add (names, NULL);
  for (guint i = 0; good && i < list->n; i++) {
    Expect *expect = expect_parse (reading->arena, list->items[i],
                                   (const char *const *) names->pdata, scenario->axes,
                                   scenario->n_axes, error);

    good = expect != NULL;
    g_ptr_array_add (scenario->expects, expect);
  }
  g_ptr_array_unref (names);
  return good;
}

static gboolean
read_all (ScenarioReading *reading, Scenario *scenario, const char *data, gsize length,
          const ScenarioSetting *settings, guint n_settings, GError **error)
{
  YamlPlace place = { .file = reading->display, .line = 1, .column = 1 };
  ScenarioOverride *overrides = arena_alloc (reading->arena, n_settings * sizeof *overrides);
  YamlNode *root = yaml_tree_parse (reading->arena, &place, data, length, error);

  if (!root)
    return FALSE;
  if (root->kind != YAML_TREE_MAPPING) {
    diagnose (error, SCENARIO_ERROR_VALUE, &root->place,
              "a scenario is a mapping that starts with \"cmsim: 1\"; found %s",
              yaml_node_describe (root));
    return FALSE;
  }
  reading->hash = scenario_hash_add (FNV_OFFSET, data, length);
  for (guint i = 0; i < n_settings; i++) {
    if (!read_setting (reading, &settings[i], &overrides[i], error))
      return FALSE;
    note_setting (scenario, &settings[i]);
  }
  if (!scenario_variants_read (reading, root, overrides, n_settings, scenario, error) ||
      !scenario_scope_judge (reading->scope, scenario, error) ||
      !read_expects (reading, root, scenario, error))
    return FALSE;
  scenario_matrix_write (reading, reading->trees, scenario);
  return TRUE;
}

static void
free_pointers (gpointer array)
{
  g_ptr_array_unref (array);
}

static Scenario *
new_scenario (ScenarioReading *reading)
{
  Scenario *scenario = arena_alloc (reading->arena, sizeof *scenario);

  scenario->arena = reading->arena;
  scenario->path = arena_strdup (reading->arena, reading->path);
  scenario->name = base_name (reading->arena, reading->path);
  scenario->variants = g_ptr_array_new ();
  scenario->expects = g_ptr_array_new ();
  arena_own (reading->arena, scenario->variants, free_pointers);
  arena_own (reading->arena, scenario->expects, free_pointers);
  scenario->cell_files = g_ptr_array_new ();
  arena_own (reading->arena, scenario->cell_files, free_pointers);
  scenario->notes = g_ptr_array_new ();
  arena_own (reading->arena, scenario->notes, free_pointers);
  scenario->options = g_ptr_array_new ();
  arena_own (reading->arena, scenario->options, free_pointers);
  return scenario;
}

Scenario *
scenario_load_buffer (const char *path, const char *data, gsize length,
                      const ScenarioSetting *settings, guint n_settings, GError **error)
{
  Arena *arena = arena_new ();
  char *shown = suggest_escape (path);
  ScenarioReading reading = { .arena = arena, .path = path };
  Scenario *scenario;
  gboolean good;

  reading.reader = param_reader_new (arena);
  reading.display = arena_strdup (arena, shown);
  reading.trees = g_ptr_array_new ();
  reading.scope = scenario_scope_new ();
  reading.traces = g_hash_table_new (g_str_hash, g_str_equal);
  g_free (shown);
  scenario = new_scenario (&reading);
  good = read_all (&reading, scenario, data, length, settings, n_settings, error);
  g_snprintf (scenario->hash, sizeof scenario->hash, "%016" G_GINT64_MODIFIER "x", reading.hash);
  g_hash_table_unref (reading.traces);
  g_ptr_array_unref (reading.trees);
  scenario_scope_free (reading.scope);
  param_reader_free (reading.reader);
  if (!good) {
    arena_free (arena);
    return NULL;
  }
  return scenario;
}

Scenario *
scenario_load (const char *path, const ScenarioSetting *settings, guint n_settings, GError **error)
{
  gsize length;
  char *data = text_file_read (path, &length, error);
  Scenario *scenario;

  if (!data)
    return NULL;
  scenario = scenario_load_buffer (path, data, length, settings, n_settings, error);
  g_free (data);
  return scenario;
}

const CmProfile *
scenario_host_profile (const ScenarioModel *model, const HostGroupParams *group)
{
  return *group->profile ? cm_profile_find (group->profile) : &model->profile;
}

void
scenario_free (Scenario *scenario)
{
  if (scenario)
    arena_free (scenario->arena);
}

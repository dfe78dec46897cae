#include "cmd_scenario.h"

#include "expect_cell.h"
#include "suggest.h"

#include <stdio.h>
#include <string.h>

/* ----- settings ----- */

static gboolean
add_setting (const Command *command, GArray *settings, char *text)
{
  char *equals = strchr (text, '='), *quoted;
  ScenarioSetting setting;

  if (!equals) {
    quoted = suggest_quote (text);
    cmd_error (command, "--set %s has no value; write --set PATH=VALUE", quoted);
    g_free (quoted);
    return FALSE;
  }
  *equals = '\0';
  setting = (ScenarioSetting){ .path = text, .value = equals + 1 };
  g_array_append_val (settings, setting);
  return TRUE;
}

static void
add_option (GArray *settings, const char *path, const char *option, const char *value)
{
  ScenarioSetting setting = { .path = path, .value = value, .option = option };

  if (value)
    g_array_append_val (settings, setting);
}

/* ----- variants ----- */

static const char *
variant_name (const Scenario *scenario, guint i)
{
  return ((ScenarioVariant *) g_ptr_array_index (scenario->variants, i))->name;
}

static gboolean
check_cells (const Command *command, const Scenario *scenario, const char *pattern)
{
  gsize at;
  char *wrong = expect_cell_check (pattern, scenario->axes, scenario->n_axes, &at);

  if (wrong)
    cmd_error (command, "%s", wrong);
  g_free (wrong);
  return wrong == NULL;
}

static gboolean
check_variant (const Command *command, const Scenario *scenario, const char *name)
{
  GPtrArray *names = g_ptr_array_new ();
  char *quoted, *clause;
  gboolean known;

  for (guint i = 0; i < scenario->variants->len; i++)
    g_ptr_array_add (names, (gpointer) variant_name (scenario, i));
  g_ptr_array_add (names, NULL);
  known = g_strv_contains ((const char *const *) names->pdata, name);
  if (!known) {
    quoted = suggest_quote (name);
    clause = suggest_clause (name, (const char *const *) names->pdata);
    cmd_error (command, "there is no variant %s%s", quoted, clause);
    g_free (quoted);
    g_free (clause);
  }
  g_ptr_array_unref (names);
  return known;
}

static gboolean
keep_variants (const Command *command, Scenario *scenario, char **names)
{
  for (guint i = 0; names[i]; i++)
    if (scenario->n_axes > 0 ? !check_cells (command, scenario, names[i])
                             : !check_variant (command, scenario, names[i]))
      return FALSE;
  for (guint i = 0; names[i]; i++)
    scenario_note_option (scenario, "--variant", names[i]);
  for (guint i = scenario->variants->len; i > 0; i--) {
    gboolean wanted = FALSE;

    for (guint k = 0; names[k]; k++)
      wanted |= expect_cell_matches (names[k], variant_name (scenario, i - 1));
    if (!wanted)
      g_ptr_array_remove_index (scenario->variants, i - 1);
  }
  return TRUE;
}

const ScenarioVariant *
cmd_scenario_cell (const Command *command, const Scenario *scenario, const char *name)
{
  if (!check_cells (command, scenario, name))
    return NULL;
  for (guint i = 0; i < scenario->variants->len; i++)
    if (!strcmp (variant_name (scenario, i), name))
      return g_ptr_array_index (scenario->variants, i);
  cmd_error (command, "--cell takes one cell, without \"" SCENARIO_ANY_VALUE "\" and \"|\"");
  return NULL;
}

/* ----- loading ----- */

Scenario *
cmd_scenario_load (const Command *command, const char *path, const CmdScenario *options)
{
  GArray *settings = g_array_new (FALSE, FALSE, sizeof (ScenarioSetting));
  char **set = g_strdupv (options->set); /* cut at the equals signs */
  Scenario *scenario = NULL;
  GError *error = NULL;
  gboolean good = TRUE;

  for (guint i = 0; good && set && set[i]; i++)
    good = add_setting (command, settings, set[i]);
  add_option (settings, "replications", "--replications", options->replications);
  add_option (settings, "seed", "--seed", options->seed);
  if (good)
    scenario =
        scenario_load (path, (const ScenarioSetting *) settings->data, settings->len, &error);
  if (error)
    fprintf (stderr, "%s\n", error->message);
  g_clear_error (&error);
  if (scenario && options->variants && !keep_variants (command, scenario, options->variants))
    g_clear_pointer (&scenario, scenario_free);
  g_array_unref (settings);
  g_strfreev (set);
  return scenario;
}

void
cmd_scenario_notes (const Scenario *scenario)
{
  for (guint i = 0; i < scenario->notes->len; i++)
    fprintf (stderr, "%s\n", (const char *) g_ptr_array_index (scenario->notes, i));
}

void
cmd_scenario_clear (CmdScenario *options)
{
  g_clear_pointer (&options->set, g_strfreev);
  g_clear_pointer (&options->replications, g_free);
  g_clear_pointer (&options->seed, g_free);
  g_clear_pointer (&options->variants, g_strfreev);
}

/* cmsim check: reads scenarios and says whether they could run. */
#include "cmd_scenario.h"

#include "suggest.h"

#include <stdio.h>

static const char *
plural (guint n)
{
  return n == 1 ? "" : "s";
}

static gboolean
check (const char *path, const CmdScenario *options)
{
  Scenario *scenario = cmd_scenario_load (&cmd_check, path, options);
  guint variants, expects;
  char *shown;

  if (!scenario)
    return FALSE;
  cmd_scenario_notes (scenario);
  variants = scenario->variants->len;
  expects = scenario->expects->len;
  shown = suggest_escape (path);
  printf ("%s: ok, %u variant%s, %u replication%s, %u expectation%s\n", shown, variants,
          plural (variants), scenario->replications, plural (scenario->replications), expects,
          plural (expects));
  g_free (shown);
  scenario_free (scenario);
  return TRUE;
}

static CmdExit
run_check (char **arguments)
{
  CmdScenario options = { .set = NULL };
  const GOptionEntry entries[] = { CMD_SCENARIO_SET (&options), G_OPTION_ENTRY_NULL };
  CmdParse parse;
  CmdExit code = CMD_OK;
  char **paths;

  parse = cmd_parse (&cmd_check, arguments, entries, 1, G_MAXUINT, &paths);
  if (parse == CMD_PARSE_GO) {
    for (guint i = 0; paths[i]; i++)
      if (!check (paths[i], &options))
        code = CMD_BAD_INPUT;
    g_strfreev (paths);
  } else {
    code = cmd_parse_exit (parse);
  }
  cmd_scenario_clear (&options);
  return code;
}

const Command cmd_check = {
  .name = "check",
  .arguments = "SCENARIO...",
  .help = "Reads scenarios and checks them without running them.",
  .run = run_check,
};

/* cmsim verdicts: runs scenarios that make a claim and prints what came of each. */
#include "cmd_scenario.h"

#include <stdio.h>

#include "text_file.h"
#include "verdicts.h"

static const char head_text[] =
    "# Verdicts\n\n"
    "What was claimed when the backlog of the RDMA CM was discussed in 2006, and what comes of it "
    "when it is simulated. Printed by `cmsim verdicts scenarios/seeds/*.yaml`: a claim is the "
    "first comment of its scenario, a verdict stands as long as all that the scenario expects "
    "comes out. Figures show the share of all clients that were connected so long after they "
    "asked.\n";

/* A verdict is on a claim, and stands on what is expected. */
static gboolean
check_claim (const Scenario *scenario, const char *path, const char *yaml)
{
  g_autofree char *claim = verdicts_paragraph (yaml, "Claim:");

  if (!claim || !*claim)
    cmd_error (&cmd_verdicts, "%s: makes no claim; it needs a comment \"# Claim: ...\" at its top",
               path);
  else if (scenario->expects->len == 0)
    cmd_error (&cmd_verdicts,
               "%s: expects nothing; it needs `expect:`, which the verdict stands on", path);
  else
    return TRUE;
  return FALSE;
}

static CmdExit
print_verdict (GString *out, const char *path, const char *images)
{
  const CmdScenario none = { .set = NULL };
  Scenario *scenario = cmd_scenario_load (&cmd_verdicts, path, &none);
  RunnerOptions options = { .jobs = g_get_num_processors () };
  g_autofree char *yaml = NULL;
  RunnerResults *results;
  CmdExit code = CMD_LIMIT;
  gsize length;

  if (!scenario)
    return CMD_BAD_INPUT;
  yaml = text_file_read (path, &length, NULL);
  if (yaml && !check_claim (scenario, path, yaml)) {
    scenario_free (scenario);
    return CMD_BAD_INPUT;
  }
  results = runner_run (scenario, &options);
  if (results->end == RUNNER_COMPLETE && yaml) {
    Summary *summary = summary_new (results);
    g_autoptr (GPtrArray) verdicts = expect_judge (scenario, results);
    const OutputRun run = { scenario, results, summary, verdicts };

    verdicts_append (out, &run, yaml, images);
    code = CMD_OK;
    for (guint i = 0; i < verdicts->len; i++)
      if (!((const ExpectVerdict *) g_ptr_array_index (verdicts, i))->holds)
        code = CMD_EXPECT_FAILED;
    summary_free (summary);
  } else if (results->end == RUNNER_BROKEN) {
    cmd_error (&cmd_verdicts, "%s: error in cmsim: %s", path, results->broken);
    code = CMD_BROKEN;
  } else {
    cmd_error (&cmd_verdicts, "%s: not at its end after run.event_limit events", path);
  }
  runner_results_free (results);
  scenario_free (scenario);
  return code;
}

static CmdExit
run_verdicts (char **arguments)
{
  char *images = NULL;
  const GOptionEntry entries[] = {
    { "images", 0, 0, G_OPTION_ARG_FILENAME, &images,
      "folder of the figures, beside the page; default: images/verdicts", "DIR" },
    G_OPTION_ENTRY_NULL,
  };
  CmdExit code = CMD_OK;
  char **paths;
  CmdParse parse = cmd_parse (&cmd_verdicts, arguments, entries, 1, G_MAXUINT, &paths);

  if (parse == CMD_PARSE_GO) {
    GString *out = g_string_new (head_text);

    for (guint i = 0; paths[i] && code <= CMD_EXPECT_FAILED; i++) {
      CmdExit one = print_verdict (out, paths[i], images ? images : "images/verdicts");

      code = MAX (code, one);
    }
    if (code <= CMD_EXPECT_FAILED)
      fputs (out->str, stdout);
    g_string_free (out, TRUE);
    g_strfreev (paths);
  } else {
    code = cmd_parse_exit (parse);
  }
  g_free (images);
  return code;
}

const Command cmd_verdicts = {
  .name = "verdicts",
  .arguments = "SCENARIO...",
  .help = "Runs scenarios that make a claim and prints a page of verdicts.",
  .run = run_verdicts,
};

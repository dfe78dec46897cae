/* cmsim verdicts: runs scenarios that make a claim and prints what came of each. */
#include "cmd_scenario.h"

#include <stdio.h>

#include "cmd_memory.h"
#include "suggest.h"
#include "text_file.h"
#include "verdicts.h"

static const char head_text[] =
    "# Verdicts\n\n"
    "What was claimed when the backlog of the RDMA CM was discussed in 2006, and what comes of it "
    "when it is simulated. Printed by `cmsim verdicts scenarios/seeds/*.yaml`: a claim is the "
    "first comment of its scenario, a verdict stands as long as all that the scenario expects "
    "comes out. Figures show the share of all clients that were connected so long after they "
    "asked.\n";

static gboolean
refuse (const char *path, guint line, const char *text)
{
  g_autofree char *shown = suggest_escape (path);

  fprintf (stderr, "%s:%u:1: %s\n", shown, line, text);
  return FALSE;
}

/* A verdict is on a claim, and stands on what is expected. */
static gboolean
check_claim (const Scenario *scenario, const char *path, const char *yaml)
{
  g_autofree char *claim = verdicts_paragraph (yaml, "Claim:");
  g_autofree char *verdict = verdicts_paragraph (yaml, "Verdict:");

  if (!claim || !*claim)
    return refuse (path, 1, "makes no claim; it needs a comment \"# Claim: ...\" at its top");
  /* It belongs into the comments at the top, at their end at the latest. */
  if (!verdict || !*verdict)
    return refuse (path, verdicts_comment_lines (yaml) + 1,
                   "gives no verdict; it needs a comment \"# Verdict: ...\" at its top, below the "
                   "claim");
  if (scenario->expects->len == 0)
    return refuse (path, 1, "expects nothing; it needs `expect:`, which the verdict stands on");
  return TRUE;
}

static CmdExit
print_verdict (GString *out, const char *path, const char *images, guint64 memory)
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
  cmd_scenario_notes (scenario);
  yaml = text_file_read (path, &length, NULL);
  if (yaml && !check_claim (scenario, path, yaml)) {
    scenario_free (scenario);
    return CMD_BAD_INPUT;
  }
  options.jobs = cmd_memory_jobs (scenario, options.jobs, memory);
  if (!cmd_memory_check (&cmd_verdicts, scenario, options.jobs, memory)) {
    scenario_free (scenario);
    return CMD_LIMIT;
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
  char *images = NULL, *limit = NULL;
  guint64 memory;
  const GOptionEntry entries[] = {
    { "images", 0, 0, G_OPTION_ARG_FILENAME, &images,
      "folder of the figures, beside the page; default: images/verdicts", "DIR" },
    CMD_MEMORY_LIMIT (&limit),
    G_OPTION_ENTRY_NULL,
  };
  CmdExit code = CMD_OK;
  char **paths;
  CmdParse parse = cmd_parse (&cmd_verdicts, arguments, entries, 1, G_MAXUINT, &paths);

  if (parse == CMD_PARSE_GO && !cmd_memory_read (&cmd_verdicts, limit, &memory)) {
    code = CMD_BAD_INPUT;
    g_strfreev (paths);
  } else if (parse == CMD_PARSE_GO) {
    GString *out = g_string_new (head_text);

    for (guint i = 0; paths[i] && code <= CMD_EXPECT_FAILED; i++) {
      CmdExit one = print_verdict (out, paths[i], images ? images : "images/verdicts", memory);

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
  g_free (limit);
  return code;
}

const Command cmd_verdicts = {
  .name = "verdicts",
  .arguments = "SCENARIO...",
  .help = "Runs scenarios that make a claim and prints a page of verdicts.",
  .run = run_verdicts,
};

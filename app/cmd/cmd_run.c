/* cmsim run: runs a scenario, writes its results, prints what it came to. */
#include "cmd_memory.h"
#include "cmd_run.h"
#include "cmd_scenario.h"

#include "output.h"
#include "progress.h"
#include "rank.h"
#include "report.h"
#include "suggest.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define JOBS_MAX 1024

typedef struct {
  const Command *command; /* run, or matrix */
  CmdScenario scenario;
  int jobs; /* -1: one per processor */
  char *output;
  gboolean no_output, no_plots, quiet, fingerprint;
  char **rank;
  char *fel;
  char *memory_limit;
  guint64 memory;
  char *cell; /* matrix: only print it */
} Options;

/* ----- interrupts and progress ----- */

/* Interrupts are blocked in all threads and fetched between two pictures of the
 * progress line: no handler, no global flag, and none can hit a half-done write. */
typedef struct {
  sigset_t signals, before;
  gboolean interrupted;
  Progress progress;
} Watch;

static void
watch_init (Watch *watch, gboolean quiet)
{
  static const int wanted[] = { SIGINT, SIGTERM };

  sigemptyset (&watch->signals);
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++) {
    struct sigaction action;

    /* A blocked signal would arrive even where it is to be ignored (nohup). */
    if (sigaction (wanted[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
      sigaddset (&watch->signals, wanted[i]);
  }
  pthread_sigmask (SIG_BLOCK, &watch->signals, &watch->before);
  watch->interrupted = FALSE;
  progress_init (&watch->progress, quiet);
}

static gboolean
watch_look (Watch *watch)
{
  const struct timespec at_once = { 0, 0 };

  while (sigtimedwait (&watch->signals, NULL, &at_once) > 0)
    watch->interrupted = TRUE;
  return watch->interrupted;
}

static void
watch_clear (Watch *watch)
{
  watch_look (watch);
  pthread_sigmask (SIG_SETMASK, &watch->before, NULL);
}

static gboolean
tick (gpointer owner, const RunnerProgress *state)
{
  Watch *watch = owner;

  progress_show (&watch->progress, state);
  return !watch_look (watch);
}

/* ----- options ----- */

static gboolean
find_fel (const Command *command, const char *name, const SimFelClass **ret_fel)
{
  GPtrArray *names = g_ptr_array_new ();
  char *quoted, *clause;
  gboolean found = FALSE;

  for (guint i = 0; sim_fel_classes[i] && !found; i++) {
    g_ptr_array_add (names, (gpointer) sim_fel_classes[i]->name);
    found = !strcmp (sim_fel_classes[i]->name, name);
    if (found)
      *ret_fel = sim_fel_classes[i];
  }
  if (!found) {
    g_ptr_array_add (names, NULL);
    quoted = suggest_quote (name);
    clause = suggest_clause (name, (const char *const *) names->pdata);
    cmd_error (command, "--fel: there is no event list %s%s", quoted, clause);
    g_free (quoted);
    g_free (clause);
  }
  g_ptr_array_unref (names);
  return found;
}

/* The metrics of --rank, in order. */
static gboolean
read_rank (const Command *command, char **names, GArray *ret_metrics)
{
  const char *all[METRIC_N + 1] = { NULL };
  char *quoted, *clause;

  for (guint i = 0; names && names[i]; i++) {
    MetricId metric = metric_find (names[i]);

    if (metric == METRIC_N) {
      for (guint m = 0; m < METRIC_N; m++)
        all[m] = metric_infos[m].name;
      quoted = suggest_quote (names[i]);
      clause = suggest_clause (names[i], all);
      cmd_error (command, "--rank: there is no metric %s%s", quoted, clause);
      g_free (quoted);
      g_free (clause);
      return FALSE;
    }
    g_array_append_val (ret_metrics, metric);
  }
  return TRUE;
}

static gboolean
read_options (Options *options, RunnerOptions *runner)
{
  GArray *metrics = g_array_new (FALSE, FALSE, sizeof (MetricId));
  gboolean known = read_rank (options->command, options->rank, metrics);

  g_array_unref (metrics);
  if (!known)
    return FALSE;
  if (options->fel && !find_fel (options->command, options->fel, &runner->fel))
    return FALSE;
  if (!cmd_memory_read (options->command, options->memory_limit, &options->memory))
    return FALSE;
  if (options->jobs == -1)
    runner->jobs = g_get_num_processors ();
  else if (options->jobs >= 1 && options->jobs <= JOBS_MAX)
    runner->jobs = (guint) options->jobs;
  else {
    cmd_error (options->command, "--jobs is %d; write a number from 1 to %d", options->jobs,
               JOBS_MAX);
    return FALSE;
  }
  if (options->output && options->no_output) {
    cmd_error (options->command, "--output and --no-output exclude each other");
    return FALSE;
  }
  if (options->output && !*options->output) {
    cmd_error (options->command, "--output is empty; write a directory");
    return FALSE;
  }
  return TRUE;
}

/* ----- after the run ----- */

static CmdExit
output_failed (const Command *command, GError *error)
{
  CmdExit code
      = g_error_matches (error, OUTPUT_ERROR, OUTPUT_ERROR_FULL) ? CMD_LIMIT : CMD_BAD_INPUT;

  cmd_error (command, "%s", error->message);
  g_error_free (error);
  return code;
}

static const char *
variant_name (const Scenario *scenario, guint v)
{
  return ((const ScenarioVariant *) g_ptr_array_index (scenario->variants, v))->name;
}

/* Runs that leave nothing to report. */
static CmdExit
explain_end (const Command *command, const Scenario *scenario, const RunnerResults *results)
{
  const char *variant = variant_name (scenario, results->end_variant);
  const WorldResult *world
      = runner_cell (results, results->end_variant, results->end_replication)->world;
  char at[32];

  switch (results->end) {
  case RUNNER_BROKEN:
    cmd_error (command,
               "error in cmsim: variant %s, replication %u, seed %" G_GUINT64_FORMAT
               ": %s; nothing was written",
               variant, results->end_replication, scenario->seed, results->broken);
    return CMD_BROKEN;
  case RUNNER_EVENT_LIMIT:
    sim_time_format (llrint (1e9 * world->metrics[METRIC_END]), at, sizeof at);
    cmd_error (
        command,
        "run.event_limit: variant %s, replication %u is not at its end after %" G_GUINT64_FORMAT
        " events, at %s simulated; nothing was written; raise "
        "run.event_limit or set run.until",
        variant, results->end_replication, world->events, at);
    return CMD_LIMIT;
  case RUNNER_COMPLETE:
  case RUNNER_INTERRUPTED:
    break;
  }
  cmd_error (command, "interrupted before a replication was complete: nothing was kept");
  return CMD_LIMIT;
}

static void
print_fingerprints (const Scenario *scenario, const RunnerResults *results)
{
  for (guint v = 0; v < results->variants; v++)
    for (guint r = 0; r < results->complete; r++)
      printf ("fingerprint %s %u %016" G_GINT64_MODIFIER "x\n", variant_name (scenario, v), r,
              runner_cell (results, v, r)->world->fingerprint);
}

static CmdExit
judge (const Options *options, const GPtrArray *verdicts)
{
  CmdExit code = CMD_OK;

  for (guint i = 0; i < verdicts->len; i++) {
    const ExpectVerdict *verdict = g_ptr_array_index (verdicts, i);

    if (verdict->holds)
      continue;
    code = CMD_EXPECT_FAILED;
    if (options->quiet)
      cmd_error (options->command, "expectation failed: %s; found %s", verdict->text,
                 verdict->found);
  }
  return code;
}

static void
print_ranking (const Options *options, const OutputRun *run)
{
  GArray *metrics = g_array_new (FALSE, FALSE, sizeof (MetricId));
  char *text;

  read_rank (options->command, options->rank, metrics); /* the names were checked before the run */
  if (metrics->len > 0) {
    text = rank_text (run->scenario, run->summary, (const MetricId *) (void *) metrics->data,
                      metrics->len);
    printf ("\n%s", text);
    g_free (text);
  }
  g_array_unref (metrics);
}

/* Writes, prints, judges. */
static CmdExit
conclude (const Options *options, const OutputRun *run, const char *dir, Watch *watch)
{
  const RunnerResults *results = run->results;
  GError *error = NULL;
  char *warning = NULL, *report;
  gboolean written
      = dir && output_write (run, dir, !options->no_plots, &warning, &error);
  CmdExit code = judge (options, run->verdicts);

  if (!options->quiet) {
    report = report_text (run, written ? dir : NULL, !options->no_plots && !warning);
    fputs (report, stdout);
    g_free (report);
    print_ranking (options, run);
  }
  if (options->fingerprint)
    print_fingerprints (run->scenario, results);
  fflush (stdout); /* what follows on the other stream comes after it */
  if (warning)
    cmd_error (options->command, "%s", warning);
  if (watch_look (watch)) {
    if (results->complete < results->replications)
      cmd_error (options->command, "interrupted: kept the first %u of %u replications%s%s",
                 results->complete, results->replications, written ? " in " : "",
                 written ? dir : "");
    else
      cmd_error (options->command,
                 "interrupted: all %u replications were complete and are kept%s%s",
                 results->replications, written ? " in " : "", written ? dir : "");
    code = CMD_LIMIT;
  }
  if (error)
    code = output_failed (options->command, error);
  g_free (warning);
  return code;
}

/* ----- the run ----- */

static CmdExit
run_scenario (const Options *options, const Scenario *scenario, RunnerOptions *runner)
{
  g_autofree char *default_dir = g_build_filename ("results", scenario->name, NULL);
  const char *dir = options->no_output ? NULL : options->output ? options->output : default_dir;
  GError *error = NULL;
  RunnerResults *results;
  Watch watch;
  CmdExit code;

  if (!options->quiet)
    cmd_scenario_notes (scenario);
  /* Better now than after an hour. */
  if (!cmd_memory_check (options->command, scenario, runner->jobs, options->memory))
    return CMD_LIMIT;
  if (dir && !output_check (dir, &error))
    return output_failed (options->command, error);
  signal (SIGXFSZ, SIG_IGN); /* too large a file is an error like a full disk */
  watch_init (&watch, options->quiet);
  runner->tick = tick;
  runner->tick_owner = &watch;
  results = runner_run (scenario, runner);
  progress_clear (&watch.progress);

  if (results->end == RUNNER_COMPLETE
      || (results->end == RUNNER_INTERRUPTED && results->complete > 0)) {
    Summary *summary = summary_new (results);
    g_autoptr (GPtrArray) verdicts = expect_judge (scenario, results);
    const OutputRun run = { scenario, results, summary, verdicts };

    code = conclude (options, &run, dir, &watch);
    summary_free (summary);
  } else {
    code = explain_end (options->command, scenario, results);
  }
  runner_results_free (results);
  watch_clear (&watch);
  return code;
}

/* ----- the command ----- */

/* --cell: its scenario instead of a run. */
static CmdExit
print_cell (const Options *options, const Scenario *scenario)
{
  const ScenarioVariant *cell = cmd_scenario_cell (options->command, scenario, options->cell);

  if (!cell)
    return CMD_BAD_INPUT;
  fputs (cell->yaml, stdout);
  for (guint i = 0; i < scenario->cell_files->len; i++) {
    const ScenarioCellFile *file = g_ptr_array_index (scenario->cell_files, i);
    g_autofree char *from = suggest_quote (file->path);
    g_autofree char *line = g_strdup_printf ("file: \"%s\"\n", file->name);

    if (strstr (cell->yaml, line))
      cmd_error (options->command, "note: the cell reads %s, a copy of %s, beside it", file->name,
                 from);
  }
  return CMD_OK;
}

static CmdExit
run_loaded (const Options *options, const char *path, const Scenario *scenario, gboolean matrix,
            RunnerOptions *runner)
{
  char *quoted;

  if (matrix && scenario->n_axes == 0) {
    quoted = suggest_quote (path);
    cmd_error (options->command, "%s has no matrix; cmsim run runs it", quoted);
    g_free (quoted);
    return CMD_BAD_INPUT;
  }
  return options->cell ? print_cell (options, scenario) : run_scenario (options, scenario, runner);
}

CmdExit
cmd_run_as (const Command *command, char **arguments, gboolean matrix)
{
  Options options = { .command = command, .jobs = -1 };
  const GOptionEntry entries[] = {
    CMD_SCENARIO_SET (&options.scenario),
    CMD_SCENARIO_REPLICATIONS (&options.scenario),
    CMD_SCENARIO_SEED (&options.scenario),
    CMD_SCENARIO_VARIANT (&options.scenario,
                          "only this variant, or these cells; may be given several times"),
    { "jobs", 'j', 0, G_OPTION_ARG_INT, &options.jobs, "so many replications at once; default: "
      "one per processor", "N" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      "where the results go; default: results/NAME", "DIR" },
    { "no-output", 0, 0, G_OPTION_ARG_NONE, &options.no_output, "write no results", NULL },
    { "no-plots", 0, 0, G_OPTION_ARG_NONE, &options.no_plots, "do not run gnuplot", NULL },
    { "quiet", 0, 0, G_OPTION_ARG_NONE, &options.quiet, "print errors only", NULL },
    { "fel", 0, 0, G_OPTION_ARG_FILENAME, &options.fel, "this event list; changes no result",
      "NAME" },
    CMD_MEMORY_LIMIT (&options.memory_limit),
    { "fingerprint", 0, 0, G_OPTION_ARG_NONE, &options.fingerprint,
      "print a hash over the events of every replication", NULL },
    { "rank", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.rank,
      "print the variants in the order of this metric; given again, more columns", "METRIC" },
    /* The last one: only of `cmsim matrix`. */
    { matrix ? "cell" : NULL, 0, 0, G_OPTION_ARG_FILENAME, &options.cell,
      "print this cell as a scenario of its own and run nothing", "A,B,C" },
    G_OPTION_ENTRY_NULL,
  };
  RunnerOptions runner = { .fel = NULL };
  CmdExit code = CMD_BAD_INPUT;
  Scenario *scenario;
  char **rest;
  CmdParse parse = cmd_parse (command, arguments, entries, 1, 1, &rest);

  if (parse != CMD_PARSE_GO) {
    code = cmd_parse_exit (parse);
  } else {
    if (read_options (&options, &runner)) {
      scenario = cmd_scenario_load (command, rest[0], &options.scenario);
      if (scenario)
        code = run_loaded (&options, rest[0], scenario, matrix, &runner);
      scenario_free (scenario);
    }
    g_strfreev (rest);
  }
  cmd_scenario_clear (&options.scenario);
  g_free (options.output);
  g_free (options.fel);
  g_free (options.memory_limit);
  g_free (options.cell);
  g_strfreev (options.rank);
  return code;
}

static CmdExit
run_run (char **arguments)
{
  return cmd_run_as (&cmd_run, arguments, FALSE);
}

const Command cmd_run = {
  .name = "run",
  .arguments = "SCENARIO",
  .help = "Runs a scenario, writes its results and prints what it came to.",
  .run = run_run,
};

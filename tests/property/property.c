/* property: storms under many seeds and every profile.
 *
 * Each chunk of storms runs in a process of its own, so that a failed assertion of the model
 * is a finding like any other.  A storm that fails is shrunk: exchanges, then faults, are left
 * out one by one while it still fails; what remains is printed as one command. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cm_fsm.h"
#include "storm.h"

enum { TEXT = 512, FAULTS = 4096, ALL_EXCHANGES = (1 << STORM_EXCHANGES) - 1 };

/* What a child process leaves for its parent. */
typedef struct {
  guint64 seed; /* the one it is at */
  gboolean failed;
  char failure[TEXT];
  guint n_faults, faults[FAULTS];
  StormCoverage coverage; /* of all storms so far */
} Report;

typedef struct {
  guint64 first, count;     /* seeds */
  const CmProfile *profile; /* NULL: all */
  guint32 exchanges;
  GArray *faults; /* NULL: all */
  gboolean single, forget_slots;
  const char *program;
} Options;

/* ----- one storm, or a chunk of them, in a child process ----- */

static void
run_storms (StormPlan plan, guint64 count, Report *report)
{
  for (guint64 i = 0; i < count && !report->failed; i++, plan.seed++) {
    StormResult result;

    report->seed = plan.seed;
    storm_run (&plan, &result);
    report->n_faults = MIN (result.faults->len, FAULTS);
    if (report->n_faults)
      memcpy (report->faults, result.faults->data, report->n_faults * sizeof (guint));
    if (result.failure) {
      report->failed = TRUE;
      g_strlcpy (report->failure, result.failure, TEXT);
    }
    storm_result_clear (&result);
  }
}

/* Shared memory survives the child. */
static void
run_in_child (const StormPlan *plan, guint64 count, gboolean quiet, Report *report)
{
  pid_t child;
  int status = 0;

  *report = (Report){ .seed = plan->seed, .coverage = report->coverage };
  fflush (stdout);
  child = fork ();
  g_assert (child >= 0);
  if (child == 0) {
    const struct rlimit no_core = { 0, 0 };

    setrlimit (RLIMIT_CORE, &no_core);
    if (quiet && !freopen ("/dev/null", "w", stderr))
      _exit (3);
    setvbuf (stdout, NULL, _IOLBF, 0); /* a failed assertion loses nothing */
    run_storms (*plan, count, report);
    fflush (stdout);
    _exit (0);
  }
  g_assert (waitpid (child, &status, 0) == child);
  if (WIFSIGNALED (status)) {
    report->failed = TRUE;
    g_snprintf (report->failure, TEXT, "signal %d: a failed assertion", WTERMSIG (status));
  }
}

/* ----- shrinking ----- */

static gboolean
still_fails (const StormPlan *plan, Report *report)
{
  run_in_child (plan, 1, TRUE, report);
  return report->failed;
}

static void
shrink_exchanges (StormPlan *plan, Report *report)
{
  for (guint i = 0; i < STORM_EXCHANGES; i++) {
    StormPlan smaller = *plan;

    smaller.exchanges &= ~(1u << i);
    if (smaller.exchanges != plan->exchanges && still_fails (&smaller, report))
      plan->exchanges = smaller.exchanges;
  }
}

/* The faults that a storm has met; after a failed assertion, of which nothing is known, any
 * of the first ones. */
static GArray *
faults_of (const StormPlan *plan, Report *report)
{
  GArray *faults = g_array_new (FALSE, FALSE, sizeof (guint));

  still_fails (plan, report);
  if (report->n_faults)
    g_array_append_vals (faults, report->faults, report->n_faults);
  for (guint i = 0; report->n_faults == 0 && i < FAULTS / 4; i++)
    g_array_append_val (faults, i);
  return faults;
}

/* Leaves out halves, quarters, ... and at last single faults. */
static void
shrink_faults (StormPlan *plan, Report *report)
{
  GArray *faults = faults_of (plan, report);

  for (guint piece = MAX (faults->len / 2, 1); piece >= 1; piece /= 2)
    for (guint at = 0; at < faults->len;) {
      GArray *fewer = g_array_copy (faults);
      StormPlan smaller = *plan;

      g_array_remove_range (fewer, at, MIN (piece, fewer->len - at));
      smaller.faults = fewer;
      if (still_fails (&smaller, report)) {
        g_array_unref (faults);
        faults = fewer;
      } else {
        g_array_unref (fewer);
        at += piece;
      }
    }
  plan->faults = faults;
}

static void
print_command (const Options *options, const StormPlan *plan)
{
  const char *comma = "";

  printf ("%s --profile %s --seed %" G_GUINT64_FORMAT " --exchanges ", options->program,
          plan->profile->name, plan->seed);
  for (guint i = 0; i < STORM_EXCHANGES; i++)
    if (plan->exchanges >> i & 1) {
      printf ("%s%u", comma, i);
      comma = ",";
    }
  printf (" --faults ");
  if (plan->faults->len == 0)
    printf ("none");
  for (guint i = 0; i < plan->faults->len; i++)
    printf ("%s%u", i ? "," : "", g_array_index (plan->faults, guint, i));
  printf ("%s\n", options->forget_slots ? " --forget-slots" : "");
}

static void
report_failure (const Options *options, StormPlan *plan, Report *report)
{
  printf ("seed %" G_GUINT64_FORMAT ", profile %s: %s\n", report->seed, plan->profile->name,
          report->failure);
  plan->seed = report->seed;
  shrink_exchanges (plan, report);
  shrink_faults (plan, report);
  shrink_exchanges (plan, report);
  still_fails (plan, report);
  printf ("fewest messages: %s\nreplay: ", report->failure);
  print_command (options, plan);
  g_array_unref ((GArray *) plan->faults);
}

/* ----- the command line ----- */

/* PROTOCOL rows that no storm can use, each with its reason. */
static gboolean
is_unreachable (const CmMachine *machine, const CmFsmRow *row)
{
  /* An end in timewait has left the table that finds duplicates. */
  return machine == &cm_fsm && row->event == CM_EV_RX_REQ && row->states == CM_FSM_STATE (TIMEWAIT);
}

/* Storms that use each row show that the properties are not about calm weather only. */
static int
check_coverage (const StormCoverage *coverage)
{
  int code = 0;

  for (guint i = 0; cm_machines[i]; i++) {
    const CmMachine *machine = cm_machines[i];

    for (guint k = 0; k < machine->n_events * CM_FSM_EVENT_ROWS; k++) {
      const CmFsmRow *row = &machine->rows[k];

      if (row->states == 0 || row->kind != CM_ROW_PROTOCOL ||
          coverage->seen[i][k] != is_unreachable (machine, row))
        continue;
      printf ("machine %s: no storm came to %s, %s (states %#x)\n", machine->name,
              machine->events[row->event], row->handler_name, row->states);
      code = 1;
    }
  }
  return code;
}

static int
run_all (const Options *options, Report *report)
{
  for (guint i = 0; cm_profiles[i]; i++) {
    StormPlan plan = { .seed = options->first,
                       .profile = cm_profiles[i],
                       .exchanges = options->exchanges,
                       .coverage = &report->coverage,
                       .forget_slots = options->forget_slots };

    if (options->profile && options->profile != cm_profiles[i])
      continue;
    run_in_child (&plan, options->count, FALSE, report);
    if (report->failed) {
      report_failure (options, &plan, report);
      return 1;
    }
    printf ("%-20s %" G_GUINT64_FORMAT " storms hold\n", plan.profile->name, options->count);
  }
  return options->profile ? 0 : check_coverage (&report->coverage);
}

static int
replay (const Options *options, Report *report)
{
  StormPlan plan = { .seed = options->first,
                     .profile = options->profile ? options->profile : cm_profiles[0],
                     .exchanges = options->exchanges,
                     .faults = options->faults,
                     .forget_slots = options->forget_slots,
                     .print = TRUE };

  run_in_child (&plan, 1, FALSE, report);
  if (report->failed)
    printf ("%s\n", report->failure);
  return report->failed ? 1 : 0;
}

static GArray *
parse_numbers (const char *text)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  char **parts = g_strsplit (text, ",", -1);

  for (guint i = 0; parts[i] && strcmp (text, "none") != 0; i++) {
    guint number = (guint) strtoul (parts[i], NULL, 10);

    g_array_append_val (numbers, number);
  }
  g_strfreev (parts);
  return numbers;
}

static gboolean
take_option (Options *options, const char *name, const char *value)
{
  if (!strcmp (name, "--seed")) {
    options->first = strtoull (value, NULL, 10);
    options->single = TRUE;
  } else if (!strcmp (name, "--first")) {
    options->first = strtoull (value, NULL, 10);
  } else if (!strcmp (name, "--seeds")) {
    options->count = strtoull (value, NULL, 10);
  } else if (!strcmp (name, "--faults")) {
    options->faults = parse_numbers (value);
  } else if (!strcmp (name, "--profile")) {
    options->profile = cm_profile_find (value);
    return options->profile != NULL;
  } else if (!strcmp (name, "--exchanges")) {
    GArray *numbers = parse_numbers (value);

    options->exchanges = 0;
    for (guint i = 0; i < numbers->len; i++)
      options->exchanges |= 1u << (g_array_index (numbers, guint, i) % STORM_EXCHANGES);
    g_array_unref (numbers);
  } else {
    return FALSE;
  }
  return TRUE;
}

int
main (int argc, char **argv)
{
  Options options = { .count = 1200, .exchanges = ALL_EXCHANGES, .program = argv[0] };
  Report *report =
      mmap (NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int i = 1, code;

  g_assert (report != MAP_FAILED);
  while (i < argc) {
    if (!strcmp (argv[i], "--forget-slots")) {
      options.forget_slots = TRUE;
      i++;
    } else if (i + 1 < argc && take_option (&options, argv[i], argv[i + 1])) {
      i += 2;
    } else {
      fputs ("usage: property [--profile NAME] [--first SEED] [--seeds N] [--forget-slots]\n"
             "       property --seed N [--profile NAME] [--exchanges LIST] [--faults LIST|none]\n"
             "                [--forget-slots]\n",
             stderr);
      return 2;
    }
  }
  code = options.single ? replay (&options, report) : run_all (&options, report);
  if (options.faults)
    g_array_unref (options.faults);
  munmap (report, sizeof *report);
  return code;
}

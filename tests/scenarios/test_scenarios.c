/* Every published scenario keeps its expectations, and the queues among them agree
 * with exact results.
 *
 *   test_scenarios DIRECTORY...
 *
 * runs each *.yaml of the directories once.  For those in `queues` below, the mean of
 * a metric over the replications must not differ from the exact value by more than the
 * half-width of its 99 % confidence interval.  The exact values are computed here from
 * the textbook formulas. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "runner.h"
#include "sim_stats.h"

/* ----- formulas; the mean service time is 1 ----- */

typedef struct {
  double blocked, l, w;
} Queue;

static Queue
mmck (double a, guint c, guint k)
{
  double p = 1, sum = 0, weighted = 0, last = 0;

  for (guint n = 0; n <= k; n++) {
    if (n > 0)
      p *= a / MIN (n, c);
    sum += p;
    weighted += n * p;
    last = p;
  }
  double blocked = last / sum, l = weighted / sum;
  return (Queue){ .blocked = blocked, .l = l, .w = l / (a * (1 - blocked)) };
}

static double
erlang_b (guint c, double a)
{
  double b = 1;

  for (guint n = 1; n <= c; n++)
    b = a * b / (n + a * b);
  return b;
}

static double
erlang_c (guint c, double a)
{
  double b = erlang_b (c, a);

  return b / (1 - a / c * (1 - b));
}

/* Pollaczek-Khinchine: mean time in an M/G/1 queue. */
static double
mg1 (double lambda, double mean, double second_moment)
{
  return mean + lambda * second_moment / (2 * (1 - lambda * mean));
}

/* Mean time in an M/M/1 queue with classical retrials at rate theta. */
static double
retrials (double lambda, double theta)
{
  double rho = lambda, orbit = rho * (lambda + rho * theta) / (theta * (1 - rho));

  return orbit / lambda + 1;
}

typedef struct {
  const char *name;
  const char *what;
  double (*measure) (const double *metrics);
  double exact;
} Exact;

/* Of the requests that were decided: those still in the queue at the end are neither. */
static double
blocked (const double *m)
{
  return m[METRIC_REFUSED] / (m[METRIC_REFUSED] + m[METRIC_ESTABLISHED]);
}

static double
backlog_mean (const double *m)
{
  return m[METRIC_BACKLOG_MEAN];
}

static double
latency_mean (const double *m)
{
  return m[METRIC_LATENCY_MEAN];
}

enum { EXACT_MAX = 32 };

static guint
fill_exact (Exact *rows)
{
  static const struct {
    const char *name;
    double a;
    guint c, k;
  } finite[] = {
    { "mmck-08-1-10", 0.8, 1, 10 },
    { "mmck-12-1-10", 1.2, 1, 10 },
    { "mmck-20-1-128", 2.0, 1, 128 },
    { "mmck-4-4-16", 4.0, 4, 16 },
  };
  static const struct {
    const char *name;
    guint c;
    double a;
  } loss[] = { { "erlang-b-10-5", 10, 5 },
               { "erlang-b-10-8", 10, 8 },
               { "erlang-b-32-20", 32, 20 } };
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (finite); i++) {
    Queue queue = mmck (finite[i].a, finite[i].c, finite[i].k);
    rows[n++] = (Exact){ finite[i].name, "blocked", blocked, queue.blocked };
    rows[n++] = (Exact){ finite[i].name, "mean backlog", backlog_mean, queue.l };
    rows[n++] = (Exact){ finite[i].name, "mean latency", latency_mean, queue.w * 1e-3 };
  }
  for (guint i = 0; i < G_N_ELEMENTS (loss); i++)
    rows[n++] = (Exact){ loss[i].name, "blocked", blocked, erlang_b (loss[i].c, loss[i].a) };
  rows[n++] = (Exact){ "erlang-c-10-8", "mean latency", latency_mean,
                       (1 + erlang_c (10, 8) / (10 - 8)) * 1e-3 };
  rows[n++] = (Exact){ "md1-07", "mean latency", latency_mean, mg1 (0.7, 1, 1) * 1e-3 };
  /* Lognormal, median 1, sigma 0.5: E[S] = exp (s^2 / 2), E[S^2] = exp (2 s^2). */
  rows[n++] = (Exact){ "mg1-lognormal", "mean latency", latency_mean,
                       mg1 (0.6, exp (0.125), exp (0.5)) * 1e-3 };
  rows[n++] = (Exact){ "mm1-retrials", "mean latency", latency_mean, retrials (0.5, 0.5) * 1e-3 };
  g_assert (n <= EXACT_MAX);
  return n;
}

/* ----- running ----- */

static guint passed, failed;

static void
verdict (gboolean ok, const char *scenario, const char *what, const char *found)
{
  if (ok)
    passed++;
  else
    failed++;
  if (!ok)
    printf ("FAIL %s: %s: %s\n", scenario, what, found);
}

static void
check_exact (const Exact *row, const RunnerResults *results)
{
  SimTally tally;
  char found[128];

  sim_tally_init (&tally);
  for (guint r = 0; r < results->complete; r++)
    sim_tally_add (&tally, row->measure (runner_cell (results, 0, r)->world->metrics));
  double n = (double) tally.n;
  double half = gsl_cdf_tdist_Pinv (0.995, n - 1) * sqrt (sim_tally_variance (&tally) / n);
  g_snprintf (found, sizeof found, "%.6g +- %.2g, exact %.6g", tally.mean, half, row->exact);
  printf ("     %-16s %-14s %s\n", row->name, row->what, found);
  verdict (fabs (tally.mean - row->exact) <= half, row->name, row->what, found);
}

static void
run_scenario (const char *path, const Exact *exact, guint n_exact)
{
  GError *error = NULL;
  Scenario *scenario = scenario_load (path, NULL, 0, &error);
  RunnerOptions options = { .jobs = g_get_num_processors () };

  if (!scenario) {
    verdict (FALSE, path, "load", error->message);
    g_error_free (error);
    return;
  }
  RunnerResults *results = runner_run (scenario, &options);
  verdict (results->end == RUNNER_COMPLETE, path, "run",
           results->broken ? results->broken : "limit");
  if (results->end == RUNNER_COMPLETE) {
    GPtrArray *verdicts = expect_judge (scenario, results);
    verdict (verdicts->len > 0, path, "expect", "a published scenario must expect something");
    for (guint i = 0; i < verdicts->len; i++) {
      const ExpectVerdict *v = g_ptr_array_index (verdicts, i);
      verdict (v->holds, path, v->text, v->found);
    }
    g_ptr_array_unref (verdicts);
    for (guint i = 0; i < n_exact; i++)
      if (strcmp (exact[i].name, scenario->name) == 0)
        check_exact (&exact[i], results);
  }
  runner_results_free (results);
  scenario_free (scenario);
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static void
run_directory (const char *directory, const Exact *exact, guint n_exact)
{
  GDir *dir = g_dir_open (directory, 0, NULL);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir && (name = g_dir_read_name (dir)))
    if (g_str_has_suffix (name, ".yaml"))
      g_ptr_array_add (paths, g_build_filename (directory, name, NULL));
  if (dir)
    g_dir_close (dir);
  g_ptr_array_sort (paths, compare_names);
  verdict (paths->len > 0, directory, "directory", "no scenario in it");
  for (guint i = 0; i < paths->len; i++)
    run_scenario (g_ptr_array_index (paths, i), exact, n_exact);
  g_ptr_array_unref (paths);
}

int
main (int argc, char **argv)
{
  Exact exact[EXACT_MAX];
  guint n_exact = fill_exact (exact);

  for (int i = 1; i < argc; i++)
    run_directory (argv[i], exact, n_exact);
  printf ("%u passed, %u failed\n", passed, failed);
  return failed > 0 || passed == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

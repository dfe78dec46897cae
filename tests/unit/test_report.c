/* Texts for people: numbers, tables, the progress line. */
#include "report.h"

#include <string.h>

#include "estimate.h"
#include "fake_run.h"
#include "progress.h"
#include "text_wrap.h"

START_TEST (estimates)
{
  static const struct {
    MetricKind kind;
    EstimateStyle style;
    guint n;
    double mean, ci95;
    const char *text;
  } cases[] = {
    { METRIC_COUNT, ESTIMATE_VALUE, 20, 512, 0, "512" },
    { METRIC_COUNT, ESTIMATE_VALUE, 20, 12345678, 0, "12345678" },
    { METRIC_COUNT, ESTIMATE_VALUE, 1, 512, NAN, "512" },
    { METRIC_COUNT, ESTIMATE_VALUE, 20, 1259.8, 1.84, "1259.8 ± 1.8" },
    { METRIC_COUNT, ESTIMATE_VALUE, 20, 4032.4, 13.7, "4032 ± 14" },
    { METRIC_COUNT, ESTIMATE_VALUE, 20, 4032.4, 137, "4032 ± 137" },
    { METRIC_COUNT, ESTIMATE_VALUE, 17, 3, 0, "3 (n = 17)" },
    { METRIC_COUNT, ESTIMATE_VALUE, 0, NAN, NAN, "-" },
    { METRIC_COUNT, ESTIMATE_DIFFERENCE, 20, 383, 2.04, "+383.0 ± 2.0" },
    { METRIC_COUNT, ESTIMATE_DIFFERENCE, 20, -7, 0, "-7" },
    { METRIC_COUNT, ESTIMATE_DIFFERENCE, 20, 0, 0, "0" },
    { METRIC_REAL, ESTIMATE_VALUE, 1, 2.460938, NAN, "2.461" },
    { METRIC_REAL, ESTIMATE_VALUE, 1, 2.5, NAN, "2.5" },
    { METRIC_RATIO, ESTIMATE_VALUE, 20, 0.2579, 0.001, "25.79 ± 0.10 %" },
    { METRIC_RATIO, ESTIMATE_VALUE, 20, 1, 0, "100 %" },
    { METRIC_RATIO, ESTIMATE_VALUE, 1, 0.0001234, NAN, "0.01234 %" },
    { METRIC_RATIO, ESTIMATE_DIFFERENCE, 20, 0.7421, 0.001, "+74.21 ± 0.10 pp" },
    { METRIC_TIME, ESTIMATE_VALUE, 1, 64.552509, NAN, "64.55 s" },
    { METRIC_TIME, ESTIMATE_VALUE, 1, 6.4, NAN, "6.4 s" },
    { METRIC_TIME, ESTIMATE_VALUE, 1, 0, NAN, "0 s" },
    { METRIC_TIME, ESTIMATE_VALUE, 20, 0.1348, 0.00134, "134.8 ± 1.3 ms" },
    { METRIC_TIME, ESTIMATE_VALUE, 20, 0.000251, 0.000003, "251.0 ± 3.0 us" },
    { METRIC_TIME, ESTIMATE_VALUE, 1, 4.096e-7, NAN, "409.6 ns" },
    /* The larger of the two chooses the unit. */
    { METRIC_TIME, ESTIMATE_DIFFERENCE, 20, -0.000046, 0.001298, "-0.0 ± 1.3 ms" },
    { METRIC_TIME, ESTIMATE_DIFFERENCE, 20, 0, 0.0013, "0.0 ± 1.3 ms" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    SummaryStat stat = { .n = cases[i].n, .mean = cases[i].mean, .ci95 = cases[i].ci95 };
    g_autofree char *text = estimate_format (&stat, cases[i].kind, cases[i].style,
                                             MAX (cases[i].n, i == 6 ? 20 : 1));

    ck_assert_str_eq (text, cases[i].text);
  }
}
END_TEST

START_TEST (wrapping)
{
  g_autofree char *two = text_wrap ("one  two\nthree four", 9, 10);
  g_autofree char *cut = text_wrap ("one two three four", 7, 2);
  g_autofree char *wide = text_wrap ("µµµ µµµ unbreakable x", 7, 10);
  g_autofree char *none = text_wrap ("", 7, 2);

  ck_assert_str_eq (two, "one two\nthree\nfour");
  ck_assert_str_eq (cut, "one two\nthree ...");
  ck_assert_str_eq (wide, "µµµ µµµ\nunbreakable\nx");
  ck_assert_str_eq (none, "");
}
END_TEST

START_TEST (progress)
{
  RunnerProgress state = {
    .replications = 20,
    .replications_done = 6,
    .done = 0.3,
    .events = 6200000,
    .now = SIM_MS (12800),
    .seconds = 18,
  };
  g_autofree char *many = progress_line (&state);
  g_autofree char *one = NULL, *long_one = NULL;

  /* 70 % of the work at 18 s for 30 % */
  ck_assert_str_eq (many, "replication 7 of 20, 12.8 s simulated, 344 k events/s, 0:42 left");
  state = (RunnerProgress){ .replications = 1, .events = 9000000, .now = SIM_S (2), .seconds = 3 };
  one = progress_line (&state);
  ck_assert_str_eq (one, "2 s simulated, 3.0 M events/s");
  state.done = 0.0005;
  long_one = progress_line (&state);
  ck_assert_str_eq (long_one, "2 s simulated, 3.0 M events/s, 1:39:57 left");
}
END_TEST

/* Four variants of four connects: k established, the others refused. */
static WorldResult *
run_four (const ScenarioModel *model, guint64 seed G_GNUC_UNUSED, guint32 replication,
          const WorldOptions *options G_GNUC_UNUSED, char **ret_broken G_GNUC_UNUSED)
{
  guint established = g_array_index (model->connects, ConnectParams, 0).number;
  WorldResult *world = fake_world ();

  for (guint i = 0; i < 4; i++)
    fake_connect (world, i < established ? CONNECT_ESTABLISHED : CONNECT_REFUSED, 3, 0, SIM_S (1));
  world->metrics[METRIC_CONNECTS] = 4;
  world->metrics[METRIC_REQS] = 4 + replication;
  world->metrics[METRIC_FAILURE_MEAN] = NAN;
  world->metrics[METRIC_LATENCY_MAX] = 0.123 * (established + replication);
  return world;
}

typedef struct {
  Scenario scenario;
  RunnerResults *results;
  Summary *summary;
  GPtrArray *verdicts;
  char *text;
} Reported;

static Reported
report (guint variants)
{
  static const char *const names[] = { "reject-3", "drop", "a variant with a name", "defer" };
  Reported r = { .scenario = fake_scenario (3), .verdicts = g_ptr_array_new () };
  RunnerOptions options = { .jobs = 1, .run = run_four };
  ExpectVerdict good = { (char *) "drop: established == 2", TRUE, (char *) "2" };
  ExpectVerdict bad = { (char *) "drop: reqs < 6", FALSE, (char *) "replication 2: 6" };
  OutputRun run;

  for (guint v = 0; v < variants; v++)
    g_ptr_array_add (r.scenario.variants, fake_variant (names[v], v + 1));
  g_ptr_array_add (r.verdicts, &good);
  g_ptr_array_add (r.verdicts, &bad);
  r.results = runner_run (&r.scenario, &options);
  r.summary = summary_new (r.results);
  run = (OutputRun){ &r.scenario, r.results, r.summary, r.verdicts };
  r.text = report_text (&run, "results/fake", TRUE);
  return r;
}

static void
reported_free (Reported *r)
{
  g_free (r->text);
  g_ptr_array_unref (r->verdicts);
  summary_free (r->summary);
  runner_results_free (r->results);
  g_ptr_array_unref (r->scenario.variants);
  g_ptr_array_unref (r->scenario.options);
}

START_TEST (two_variants)
{
  Reported r = report (2);

  ck_assert_str_eq (
      r.text,
      "Is it, \"really\", so?\n"
      "fake, seed 42, 3 replications: mean ± 95 % interval; paired difference to reject-3\n"
      "\n"
      "share of connects       reject-3           drop   difference\n"
      "established                 25 %           50 %       +25 pp\n"
      "refused (REJ 3)             75 %           50 %       -25 pp\n"
      "sum                        100 %          100 %\n"
      "\n"
      "connects                       4              4            0\n"
      "latency.max         246 ± 306 ms   369 ± 306 ms      +123 ms\n"
      "reqs                   5.0 ± 2.5      5.0 ± 2.5            0\n"
      "\n"
      "1 of 2 expectations hold\n"
      "  ok      drop: established == 2\n"
      "  FAILED  drop: reqs < 6\n"
      "          found replication 2: 6\n"
      "\n"
      "figures in results/fake/: outcomes.png latency.png backlog.png reqs.png (and .svg)\n"
      "data beside them: summary.json connections.csv series.csv\n");
  reported_free (&r);
}
END_TEST

START_TEST (many_variants)
{
  Reported r = report (4);
  g_auto (GStrv) lines = g_strsplit (r.text, "\n", -1);
  guint tables = 0;

  for (guint i = 0; lines[i]; i++) {
    ck_assert_int_le (g_utf8_strlen (lines[i], -1), REPORT_COLUMNS);
    tables += g_str_has_prefix (lines[i], "sum ") ? 1 : 0;
  }
  ck_assert_uint_eq (tables, 2);
  for (guint v = 0; v < 4; v++)
    ck_assert_ptr_nonnull (
        strstr (r.text, ((ScenarioVariant *) r.scenario.variants->pdata[v])->name));
  reported_free (&r);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("report");
  TCase *tcase = tcase_create ("report");

  tcase_add_test (tcase, estimates);
  tcase_add_test (tcase, wrapping);
  tcase_add_test (tcase, progress);
  tcase_add_test (tcase, two_variants);
  tcase_add_test (tcase, many_variants);
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}

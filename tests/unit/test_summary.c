/* Statistics over replications against values worked out by hand (Student's t from
 * the printed tables: 12.706205, 4.302653, 2.776445 for 1, 2, 4 degrees of freedom). */
#include "summary.h"

#include "fake_run.h"

#define NEAR 1e-6

START_TEST (five_values)
{
  const double values[] = { 4, 1, 5, 3, 2 };
  double scratch[5];
  SummaryStat stat = summary_stat (values, 5, scratch);

  ck_assert_uint_eq (stat.n, 5);
  ck_assert_double_eq_tol (stat.mean, 3, NEAR);
  ck_assert_double_eq_tol (stat.sd, 1.5811388, NEAR); /* sqrt (10 / 4) */
  ck_assert_double_eq_tol (stat.ci95, 2.776445 * 1.5811388 / 2.2360680, 2 * NEAR);
  ck_assert (stat.min == 1 && stat.max == 5);
  ck_assert_double_eq_tol (stat.quantiles[SUMMARY_QUANTILE_Q05], 1.2, NEAR); /* 1 + 0.05 x 4 */
  ck_assert_double_eq_tol (stat.quantiles[SUMMARY_QUANTILE_Q25], 2, NEAR);
  ck_assert_double_eq_tol (stat.quantiles[SUMMARY_QUANTILE_Q50], 3, NEAR);
  ck_assert_double_eq_tol (stat.quantiles[SUMMARY_QUANTILE_Q75], 4, NEAR);
  ck_assert_double_eq_tol (stat.quantiles[SUMMARY_QUANTILE_Q95], 4.8, NEAR);
}
END_TEST

START_TEST (undefined_values)
{
  const double values[] = { NAN, 2, NAN, 4 };
  double scratch[4];
  SummaryStat stat = summary_stat (values, 4, scratch);

  ck_assert_uint_eq (stat.n, 2);
  ck_assert_double_eq_tol (stat.mean, 3, NEAR);
  ck_assert_double_eq_tol (stat.ci95, 12.706205, 2 * NEAR); /* sd sqrt 2, over sqrt 2 */

  stat = summary_stat (values, 1, scratch);
  ck_assert_uint_eq (stat.n, 0);
  ck_assert (isnan (stat.mean) && isnan (stat.ci95) && isnan (stat.sd) && isnan (stat.min)
             && isnan (stat.max) && isnan (stat.quantiles[SUMMARY_QUANTILE_Q50]));

  stat = summary_stat (values, 2, scratch);
  ck_assert_uint_eq (stat.n, 1);
  ck_assert (stat.mean == 2 && stat.min == 2 && stat.max == 2
             && stat.quantiles[SUMMARY_QUANTILE_Q95] == 2);
  ck_assert (isnan (stat.ci95) && isnan (stat.sd));
}
END_TEST

/* A value that has no finite binary fraction, always the same: no spread at all. */
START_TEST (constant)
{
  double values[20], scratch[20];
  SummaryStat stat;

  for (guint i = 0; i < 20; i++)
    values[i] = 64.552509;
  stat = summary_stat (values, 20, scratch);
  ck_assert (stat.mean == 64.552509 && stat.sd == 0 && stat.ci95 == 0);
}
END_TEST

/* latency.mean: a 1 2 3, b 2 4 6, c undefined in the second replication.
 * Causes: a always 1 established + 3 refused (REJ 3); b 2 + 2, 4 + 0, 3 + 1 (REJ 28). */
static WorldResult *
run_three (const ScenarioModel *model, guint64 seed G_GNUC_UNUSED, guint32 replication,
           const WorldOptions *options G_GNUC_UNUSED, char **ret_broken G_GNUC_UNUSED)
{
  static const guint established[3][3] = { { 1, 1, 1 }, { 2, 4, 3 }, { 0, 0, 0 } };
  static const double latency[3][3] = { { 1, 2, 3 }, { 2, 4, 6 }, { 7, NAN, 9 } };
  guint v = g_array_index (model->connects, ConnectParams, 0).number - 1;
  WorldResult *world = fake_world ();

  world->metrics[METRIC_LATENCY_MEAN] = latency[v][replication];
  world->fingerprint = 100 * v + replication;
  for (guint i = 0; i < 4 && v < 2; i++)
    if (i < established[v][replication])
      fake_connect (world, CONNECT_ESTABLISHED, 0, 0, SIM_S (1));
    else
      fake_connect (world, CONNECT_REFUSED, v == 0 ? 3 : 28, 0, SIM_S (1));
  return world;
}

static RunnerResults *
three_variants (Scenario *scenario)
{
  RunnerOptions options = { .jobs = 2, .run = run_three };

  *scenario = fake_scenario (3);
  g_ptr_array_add (scenario->variants, fake_variant ("a", 1));
  g_ptr_array_add (scenario->variants, fake_variant ("b", 2));
  g_ptr_array_add (scenario->variants, fake_variant ("c", 3));
  return runner_run (scenario, &options);
}

START_TEST (paired_differences)
{
  Scenario scenario;
  RunnerResults *results = three_variants (&scenario);
  Summary *summary = summary_new (results);
  const SummaryStat *b = &summary->by_variant[1].differences[METRIC_LATENCY_MEAN];
  const SummaryStat *c = &summary->by_variant[2].differences[METRIC_LATENCY_MEAN];

  ck_assert_uint_eq (summary->variants, 3);
  ck_assert_uint_eq (summary->replications, 3);
  /* Differences 1, 2, 3: mean 2, sd 1.  Unpaired, the interval would be 2.2 times as wide. */
  ck_assert_uint_eq (b->n, 3);
  ck_assert_double_eq_tol (b->mean, 2, NEAR);
  ck_assert_double_eq_tol (b->ci95, 4.302653 / 1.7320508, 2 * NEAR);
  /* 6 and 6; the second replication has no pair. */
  ck_assert_uint_eq (c->n, 2);
  ck_assert_double_eq_tol (c->mean, 6, NEAR);
  ck_assert (c->ci95 == 0);
  ck_assert (summary->by_variant[0].differences[METRIC_LATENCY_MEAN].max == 0);
  summary_free (summary);
  runner_results_free (results);
  g_ptr_array_unref (scenario.variants);
  g_ptr_array_unref (scenario.options);
}
END_TEST

START_TEST (outcomes)
{
  static const char *const labels[] = { "established", "refused (REJ 3)", "refused (REJ 28)" };
  Scenario scenario;
  RunnerResults *results = three_variants (&scenario);
  Summary *summary = summary_new (results);

  ck_assert_uint_eq (summary->outcomes->len, 3);
  for (guint k = 0; k < 3; k++)
    ck_assert_str_eq (g_array_index (summary->outcomes, SummaryOutcome, k).label, labels[k]);
  for (guint v = 0; v < 2; v++) {
    const SummaryStat *shares = summary->by_variant[v].shares;

    ck_assert_double_eq_tol (shares[0].mean + shares[1].mean + shares[2].mean, 1, 1e-12);
  }
  ck_assert (summary->by_variant[0].shares[0].mean == 0.25);
  ck_assert (summary->by_variant[0].shares[2].max == 0);
  ck_assert_double_eq_tol (summary->by_variant[1].shares[0].mean, 0.75, NEAR); /* 50, 100, 75 % */
  ck_assert_double_eq_tol (summary->by_variant[1].shares[0].sd, 0.25, NEAR);
  ck_assert_double_eq_tol (summary->by_variant[1].share_differences[0].mean, 0.5, NEAR);
  ck_assert_double_eq_tol (summary->by_variant[1].share_differences[1].mean, -0.75, NEAR);
  ck_assert_uint_eq (summary->by_variant[1].counts[0], 9);
  ck_assert_uint_eq (summary->by_variant[1].counts[2], 3);
  ck_assert_uint_eq (g_array_index (summary->outcomes, SummaryOutcome, 0).total.count, 12);
  /* No connects, no shares. */
  ck_assert_uint_eq (summary->by_variant[2].shares[0].n, 0);
  ck_assert_uint_eq (summary->by_variant[2].counts[0], 0);
  ck_assert_uint_ne (summary->by_variant[0].fingerprint, summary->by_variant[1].fingerprint);
  summary_free (summary);
  runner_results_free (results);
  g_ptr_array_unref (scenario.variants);
  g_ptr_array_unref (scenario.options);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("summary");
  TCase *tcase = tcase_create ("summary");

  tcase_add_test (tcase, five_values);
  tcase_add_test (tcase, undefined_values);
  tcase_add_test (tcase, constant);
  tcase_add_test (tcase, paired_differences);
  tcase_add_test (tcase, outcomes);
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}

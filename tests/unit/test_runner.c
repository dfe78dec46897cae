/* The runner with made-up replications: results by index, early ends, what is kept. */
#include "runner.h"

#include "fake_run.h"

static Scenario
two_variants (guint replications, guint connects)
{
  Scenario scenario = fake_scenario (replications);

  g_ptr_array_add (scenario.variants, fake_variant ("a", connects));
  g_ptr_array_add (scenario.variants, fake_variant ("b", connects));
  return scenario;
}

/* Slow first, so that the order of ending differs from the order of starting; the
 * fingerprint tells who it is. */
static WorldResult *
run_plain (const ScenarioModel *model, guint64 seed, guint32 replication,
           const WorldOptions *options, char **ret_broken G_GNUC_UNUSED)
{
  const ConnectParams *entry = &g_array_index (model->connects, ConnectParams, 0);
  WorldResult *world = fake_world ();

  if (replication % 4 == 0)
    g_usleep (3000);
  fake_connects (world, entry->number, CONNECT_ESTABLISHED, 0, SIM_MS (1), SIM_MS (2));
  world->fingerprint = seed * 1000 + replication;
  world->events = 10;
  if (options->series)
    world->series[WORLD_SERIES_REQS] = sim_series_new (1, 4, 0);
  return world;
}

START_TEST (by_index)
{
  static const guint jobs[] = { 1, 2, 5, 100 };
  Scenario scenario = two_variants (12, 3);

  for (guint j = 0; j < G_N_ELEMENTS (jobs); j++) {
    RunnerOptions options = { .jobs = jobs[j], .run = run_plain };
    RunnerResults *results = runner_run (&scenario, &options);

    ck_assert_int_eq (results->end, RUNNER_COMPLETE);
    ck_assert_uint_eq (results->complete, 12);
    ck_assert_uint_eq (results->recorded, 12);
    for (guint v = 0; v < 2; v++)
      for (guint r = 0; r < 12; r++) {
        const RunnerCell *cell = runner_cell (results, v, r);

        ck_assert_uint_eq (cell->world->fingerprint, 42000 + r);
        ck_assert_uint_eq (connect_records_count (cell->world->connects), 3);
        ck_assert ((cell->world->series[WORLD_SERIES_REQS] != NULL) == (r == 0));
        ck_assert_uint_eq (cell->outcomes->len, 1);
        ck_assert_uint_eq (g_array_index (cell->outcomes, RunnerOutcome, 0).count, 3);
      }
    runner_results_free (results);
  }
  g_ptr_array_unref (scenario.variants);
  g_ptr_array_unref (scenario.options);
}
END_TEST

/* 2 variants x 30 000 connects: three replications are 180 000 rows, four too many. */
START_TEST (records_kept)
{
  Scenario scenario = two_variants (5, 30000);
  RunnerOptions options = { .jobs = 2, .run = run_plain };
  RunnerResults *results = runner_run (&scenario, &options);

  ck_assert_uint_eq (results->recorded, 3);
  for (guint v = 0; v < 2; v++)
    for (guint r = 0; r < 5; r++) {
      const RunnerCell *cell = runner_cell (results, v, r);

      ck_assert ((cell->world->connects != NULL) == (r < 3));
      ck_assert_uint_eq (g_array_index (cell->outcomes, RunnerOutcome, 0).count, 30000);
    }
  runner_results_free (results);
  g_ptr_array_unref (scenario.variants);
  g_ptr_array_unref (scenario.options);
}
END_TEST

/* More than fit in one replication: that one is kept all the same. */
START_TEST (records_of_the_first)
{
  Scenario scenario = two_variants (2, 150000);
  RunnerOptions options = { .jobs = 1, .run = run_plain };
  RunnerResults *results = runner_run (&scenario, &options);

  ck_assert_uint_eq (results->recorded, 1);
  ck_assert_ptr_nonnull (runner_cell (results, 1, 0)->world->connects);
  ck_assert_ptr_null (runner_cell (results, 0, 1)->world->connects);
  runner_results_free (results);
  g_ptr_array_unref (scenario.variants);
  g_ptr_array_unref (scenario.options);
}
END_TEST

/* number 0: hosts x per_host, here 4 x 10 000 x 2 variants: two replications fit. */
START_TEST (records_per_host)
{
  Scenario scenario = two_variants (4, 0);
  RunnerOptions options = { .jobs = 1, .run = run_plain };
  RunnerResults *results;

  for (guint v = 0; v < 2; v++) {
    ScenarioVariant *variant = g_ptr_array_index (scenario.variants, v);

    g_array_index (variant->model.connects, ConnectParams, 0).per_host = 10000;
  }
  results = runner_run (&scenario, &options);
  ck_assert_uint_eq (results->recorded, 2);
  runner_results_free (results);
  g_ptr_array_unref (scenario.variants);
  g_ptr_array_unref (scenario.options);
}
END_TEST

static WorldResult *
run_outcomes (const ScenarioModel *model G_GNUC_UNUSED, guint64 seed G_GNUC_UNUSED,
              guint32 replication G_GNUC_UNUSED, const WorldOptions *options G_GNUC_UNUSED,
              char **ret_broken G_GNUC_UNUSED)
{
  WorldResult *world = fake_world ();

  fake_connect (world, CONNECT_PENDING, 0, SIM_S (9), SIM_TIME_NEVER);
  fake_connect (world, CONNECT_REFUSED, 28, SIM_S (1), SIM_S (2));
  fake_connect (world, CONNECT_REFUSED, 3, SIM_S (1), SIM_S (2));
  fake_connect (world, CONNECT_UNREACHABLE, 3, SIM_S (1), SIM_S (2)); /* reason without meaning */
  fake_connect (world, CONNECT_UNREACHABLE, 0, SIM_S (1), SIM_S (2));
  fake_connect (world, CONNECT_ESTABLISHED, 0, SIM_S (1), SIM_S (2));
  fake_connect (world, CONNECT_REFUSED, 3, SIM_S (1), SIM_S (2));
  fake_connect (world, CONNECT_ESTABLISHED, 0, SIM_MS (999), SIM_S (2)); /* in the warm-up */
  fake_connect (world, CONNECT_PENDING, 0, SIM_TIME_NEVER, SIM_TIME_NEVER); /* never started */
  return world;
}

START_TEST (outcomes)
{
  static const RunnerOutcome wanted[] = {
    { CONNECT_ESTABLISHED, 0, 1 }, { CONNECT_REFUSED, 3, 2 }, { CONNECT_REFUSED, 28, 1 },
    { CONNECT_UNREACHABLE, 0, 2 }, { CONNECT_PENDING, 0, 1 },
  };
  Scenario scenario = two_variants (1, 9);
  RunnerOptions options = { .jobs = 1, .run = run_outcomes };
  RunnerResults *results;

  for (guint v = 0; v < 2; v++)
    ((ScenarioVariant *) g_ptr_array_index (scenario.variants, v))->model.run.warm_up = SIM_S (1);
  results = runner_run (&scenario, &options);
  for (guint v = 0; v < 2; v++) {
    const GArray *seen = runner_cell (results, v, 0)->outcomes;

    ck_assert_uint_eq (seen->len, G_N_ELEMENTS (wanted));
    for (guint i = 0; i < seen->len; i++) {
      const RunnerOutcome *outcome = &g_array_index (seen, RunnerOutcome, i);

      ck_assert_int_eq (outcome->cause, wanted[i].cause);
      ck_assert_uint_eq (outcome->reason, wanted[i].reason);
      ck_assert_uint_eq (outcome->count, wanted[i].count);
    }
  }
  runner_results_free (results);
  g_ptr_array_unref (scenario.variants);
  g_ptr_array_unref (scenario.options);
}
END_TEST

/* Variant b meets the event limit in the replications 3 and 7; 7 ends first. */
static WorldResult *
run_limit (const ScenarioModel *model, guint64 seed, guint32 replication,
           const WorldOptions *options, char **ret_broken)
{
  WorldResult *world = run_plain (model, seed, replication, options, ret_broken);
  gboolean second = g_array_index (model->connects, ConnectParams, 0).number == 2;

  if (second && (replication == 3 || replication == 7)) {
    g_usleep (replication == 3 ? 20000 : 0);
    world->stop = SIM_STOP_EVENT_LIMIT;
  }
  return world;
}

START_TEST (event_limit)
{
  static const guint jobs[] = { 1, 2, 16 };
  Scenario scenario = fake_scenario (12);

  g_ptr_array_add (scenario.variants, fake_variant ("a", 1));
  g_ptr_array_add (scenario.variants, fake_variant ("b", 2));
  for (guint j = 0; j < G_N_ELEMENTS (jobs); j++) {
    RunnerOptions options = { .jobs = jobs[j], .run = run_limit };
    RunnerResults *results = runner_run (&scenario, &options);

    ck_assert_int_eq (results->end, RUNNER_EVENT_LIMIT);
    ck_assert_uint_eq (results->end_variant, 1);
    ck_assert_uint_eq (results->end_replication, 3);
    ck_assert_uint_eq (results->complete, 3);
    ck_assert_uint_eq (results->recorded, 3);
    ck_assert_ptr_null (results->broken);
    if (jobs[j] == 1) /* else it depends on the threads what was begun */
      ck_assert_ptr_null (runner_cell (results, 0, 4)->world);
    runner_results_free (results);
  }
  g_ptr_array_unref (scenario.variants);
  g_ptr_array_unref (scenario.options);
}
END_TEST

static WorldResult *
run_broken (const ScenarioModel *model, guint64 seed, guint32 replication,
            const WorldOptions *options, char **ret_broken)
{
  if (replication >= 2)
    *ret_broken = g_strdup_printf ("broken in %u", replication);
  return run_plain (model, seed, replication, options, ret_broken);
}

START_TEST (broken_invariant)
{
  Scenario scenario = two_variants (40, 1);
  RunnerOptions options = { .jobs = 4, .run = run_broken };
  RunnerResults *results = runner_run (&scenario, &options);

  ck_assert_int_eq (results->end, RUNNER_BROKEN);
  ck_assert_uint_eq (results->end_variant, 0);
  ck_assert_uint_eq (results->end_replication, 2);
  ck_assert_uint_eq (results->complete, 2);
  ck_assert_str_eq (results->broken, "broken in 2");
  runner_results_free (results);
  g_ptr_array_unref (scenario.variants);
  g_ptr_array_unref (scenario.options);
}
END_TEST

/* Runs until told to stop, from replication 2 on. */
static WorldResult *
run_endless (const ScenarioModel *model, guint64 seed, guint32 replication,
             const WorldOptions *options, char **ret_broken)
{
  WorldResult *world = run_plain (model, seed, replication, options, ret_broken);

  if (replication < 2)
    return world;
  __atomic_store_n (&options->progress->events, 7, __ATOMIC_RELAXED);
  __atomic_store_n (&options->progress->now, SIM_S (3), __ATOMIC_RELAXED);
  while (!*options->stop_flag)
    g_usleep (1000);
  world->stop = SIM_STOP_REQUESTED;
  return world;
}

static gboolean
stop_at_once (gpointer owner, const RunnerProgress *progress)
{
  *(RunnerProgress *) owner = *progress;
  return FALSE;
}

START_TEST (interrupted)
{
  Scenario scenario = two_variants (10, 1);
  RunnerProgress seen = { .events = 0 };
  RunnerOptions options
    = { .jobs = 1, .run = run_endless, .tick = stop_at_once, .tick_owner = &seen };
  RunnerResults *results;

  for (guint v = 0; v < 2; v++)
    ((ScenarioVariant *) g_ptr_array_index (scenario.variants, v))->model.run.until = SIM_S (6);
  results = runner_run (&scenario, &options);
  ck_assert_int_eq (results->end, RUNNER_INTERRUPTED);
  ck_assert_uint_eq (results->complete, 2);
  ck_assert_uint_eq (seen.replications, 10);
  ck_assert_uint_eq (seen.replications_done, 2);
  ck_assert_uint_eq (seen.events, 4 * 10 + 7);
  ck_assert_int_eq (seen.now, SIM_S (3));
  ck_assert_double_eq_tol (seen.done, 4.5 / 20, 1e-12); /* the fifth of 20 jobs is half done */
  ck_assert_double_ge (seen.seconds, 0.05);
  runner_results_free (results);
  g_ptr_array_unref (scenario.variants);
  g_ptr_array_unref (scenario.options);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("runner");
  TCase *tcase = tcase_create ("runner");

  tcase_add_test (tcase, by_index);
  tcase_add_test (tcase, records_kept);
  tcase_add_test (tcase, records_of_the_first);
  tcase_add_test (tcase, records_per_host);
  tcase_add_test (tcase, outcomes);
  tcase_add_test (tcase, event_limit);
  tcase_add_test (tcase, broken_invariant);
  tcase_add_test (tcase, interrupted);
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}

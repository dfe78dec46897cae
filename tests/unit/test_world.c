/* A world as a whole: what must not change its results, what the warm-up and the
 * limits do, and the built-in invariants under random scenarios. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "world.h"

static Scenario *
load (const char *text)
{
  GError *error = NULL;
  Scenario *scenario = scenario_load_buffer ("test.yaml", text, strlen (text), NULL, 0, &error);

  if (!scenario)
    ck_abort_msg ("%s", error->message);
  return scenario;
}

static const ScenarioModel *
model_of (const Scenario *scenario, guint variant)
{
  const ScenarioVariant *v = g_ptr_array_index (scenario->variants, variant);

  return &v->model;
}

static WorldResult *
run (const Scenario *scenario, guint variant, guint64 seed, const WorldOptions *options)
{
  char *broken = NULL;
  WorldResult *result = world_run (model_of (scenario, variant), seed, 0, options, &broken);

  ck_assert_msg (broken == NULL, "%s", broken);
  return result;
}

static ConnectRecord
record (const WorldResult *result, guint index)
{
  ck_assert_uint_lt (index, connect_records_count (result->connects));
  return connect_records_get (result->connects, index);
}

#define STORM \
  "cmsim: 1\n" \
  "question: test\n" \
  "hosts: {server: 1, client: 40}\n" \
  "listeners:\n" \
  "  - {on: server, service: 7471, ulp: sdp, backlog: {limit: 8, counts: unaccepted},\n" \
  "     accept: {service: {lognormal: {median: 2ms, sigma: 0.5}}}}\n" \
  "connects:\n" \
  "  - {from: client, to: 'server:7471', ulp: sdp, hold: 1s}\n"

/* ----- what must not matter ----- */

typedef struct {
  guint wires, events;
} Seen;

static void
on_wire (gpointer owner, SimTime now G_GNUC_UNUSED, const IbMad *mad G_GNUC_UNUSED,
         FabricFate fate G_GNUC_UNUSED)
{
  ((Seen *) owner)->wires++;
}

static void
on_app (gpointer owner, SimTime now G_GNUC_UNUSED, const WorldAppEvent *event G_GNUC_UNUSED)
{
  ((Seen *) owner)->events++;
}

START_TEST (watching_changes_nothing)
{
  static const WorldObserverOps observer = { .wire = on_wire, .app_event = on_app };
  Seen seen = { 0, 0 };
  Scenario *scenario = load (STORM);
  WorldOptions plain = { .series = FALSE };
  WorldOptions watched = { .series = TRUE, .observer = &observer, .observer_owner = &seen };
  WorldResult *a = run (scenario, 0, 5, &plain), *b = run (scenario, 0, 5, &watched);

  ck_assert_uint_eq (a->fingerprint, b->fingerprint);
  ck_assert_mem_eq (a->metrics, b->metrics, sizeof a->metrics);
  ck_assert_uint_gt (seen.wires, 40 * 5);
  ck_assert_uint_gt (seen.events, 40 * 4);
  world_result_free (a);
  world_result_free (b);
  scenario_free (scenario);
}
END_TEST

START_TEST (every_event_list_gives_the_same_run)
{
  Scenario *scenario = load (STORM);
  WorldOptions options = { .fel = &sim_fel_heap };
  WorldResult *a = run (scenario, 0, 5, &options);

  for (guint i = 0; sim_fel_classes[i]; i++) {
    options.fel = sim_fel_classes[i];
    WorldResult *b = run (scenario, 0, 5, &options);
    ck_assert_uint_eq (a->fingerprint, b->fingerprint);
    world_result_free (b);
  }
  world_result_free (a);
  scenario_free (scenario);
}
END_TEST

/* One more group of hosts, and one more of connects to another server, leave the draws
 * of the first ones alone. */
START_TEST (one_more_entity_shifts_nothing)
{
  static const char *const base =
      "cmsim: 1\n"
      "question: test\n"
      "fabric: {transport: roce}\n"
      "hosts: {server: 1, client: 20%s}\n"
      "listeners:\n"
      "  - {on: server, service: 1, backlog: {limit: 4, counts: unaccepted},\n"
      "     accept: {service: {exponential: 2ms}}}\n"
      "%s"
      "connects:\n"
      "  - {from: client, to: 'server:1', arrivals: {poisson: 2k/s}, ulp: {generic: {delay:\n"
      "       {exponential: 1s}, retry_unreachable: true}}}\n"
      "%s";
  char *small = g_strdup_printf (base, "", "", "");
  char *large =
      g_strdup_printf (base, ", other: 7, more: 3",
                       "  - {on: more, service: 2, accept: {service: {exponential: 5ms}}}\n",
                       "  - {from: other, to: 'more:2', per_host: 5, arrivals: {poisson: 1k/s}}\n");
  Scenario *a = load (small), *b = load (large);
  WorldOptions options = { .series = FALSE };
  WorldResult *x = run (a, 0, 9, &options), *y = run (b, 0, 9, &options);

  ck_assert_uint_eq (connect_records_count (x->connects), 20);
  ck_assert_uint_eq (connect_records_count (y->connects), 20 + 35);
  for (guint i = 0; i < 20; i++) {
    ConnectRecord of_x = record (x, i), of_y = record (y, i);
    ck_assert_mem_eq (of_x.steps, of_y.steps, sizeof of_x.steps);
  }
  world_result_free (x);
  world_result_free (y);
  scenario_free (a);
  scenario_free (b);
  g_free (small);
  g_free (large);
}
END_TEST

/* Variants share arrivals and service times: whoever finds a slot in the first round is
 * served at the same nanosecond whatever the others are told. */
START_TEST (variants_share_their_draws)
{
  Scenario *scenario = load (STORM "compare:\n"
                                   "  reject: {listeners.0.backlog.full: {reject: 3}}\n"
                                   "  drop: {}\n");
  WorldOptions options = { .series = FALSE };
  WorldResult *reject = run (scenario, 0, 7, &options), *drop = run (scenario, 1, 7, &options);
  guint same = 0;

  for (guint i = 0; i < 40; i++) {
    ck_assert_int_eq (record (reject, i).steps[CONNECT_STEP_CONNECT],
                      record (drop, i).steps[CONNECT_STEP_CONNECT]);
    if (record (reject, i).cause == CONNECT_ESTABLISHED) {
      ck_assert_int_eq (record (reject, i).end, record (drop, i).end);
      same++;
    }
  }
  ck_assert_uint_ge (same, 8);
  ck_assert_uint_lt (same, 40);
  ck_assert_double_eq (drop->metrics[METRIC_ESTABLISHED], 40);
  world_result_free (reject);
  world_result_free (drop);
  scenario_free (scenario);
}
END_TEST

/* ----- warm-up and limits ----- */

/* Ten connects a second apart, each established at once: with a warm-up of 4.5 s the
 * five from 5 s on count. */
START_TEST (warm_up)
{
  Scenario *scenario = load ("cmsim: 1\n"
                             "question: test\n"
                             "run: {warm_up: 4.5s}\n"
                             "fabric: {transport: roce}\n"
                             "hosts: {server: 1, client: 10}\n"
                             "listeners: [{on: server, service: 1, backlog: {counts: half-open}}]\n"
                             "connects:\n"
                             "  - {from: client, to: 'server:1', rtu_delay: 250ms, qp: false,\n"
                             "     arrivals: {burst: {spacing: 1s}}}\n");
  WorldOptions options = { .series = FALSE };
  WorldResult *result = run (scenario, 0, 1, &options);
  const double *m = result->metrics;

  ck_assert_double_eq (m[METRIC_CONNECTS], 5);
  ck_assert_double_eq (m[METRIC_ESTABLISHED], 5);
  ck_assert_double_eq (m[METRIC_REQS], 5);
  ck_assert_double_eq (m[METRIC_ACCEPTS], 5);
  ck_assert_double_gt (m[METRIC_FIRST_ESTABLISHED], 5.25);
  ck_assert_double_lt (m[METRIC_FIRST_ESTABLISHED], 5.26);
  /* A slot is held for a little over 250 ms five times in the 4.75 s that count. */
  ck_assert_double_gt (m[METRIC_BACKLOG_MEAN], 5 * 0.25 / (m[METRIC_END] - 4.5));
  ck_assert_double_lt (m[METRIC_BACKLOG_MEAN], 5 * 0.252 / (m[METRIC_END] - 4.5));
  world_result_free (result);
  scenario_free (scenario);
}
END_TEST

/* Eight queries and REQs at once, then after the warm-up one: the maxima are of that one. */
START_TEST (warm_up_maxima)
{
  Scenario *scenario = load ("cmsim: 1\n"
                             "question: test\n"
                             "run: {warm_up: 5s}\n"
                             "sa: {service: 1ms}\n"
                             "hosts: {server: 1, client: 8}\n"
                             "listeners: [{on: server, service: 1}]\n"
                             "connects:\n"
                             "  - {from: client, to: 'server:1'}\n"
                             "  - {from: client, to: 'server:1', number: 1,\n"
                             "     arrivals: {burst: {at: 10s}}}\n");
  WorldOptions options = { .series = FALSE };
  WorldResult *result = run (scenario, 0, 1, &options);
  const double *m = result->metrics;

  ck_assert_double_eq (m[METRIC_CONNECTS], 1);
  ck_assert_double_eq (m[METRIC_SA_QUERIES], 1);
  ck_assert_double_eq (m[METRIC_SA_QUEUE_MAX], 1);
  ck_assert_double_eq (m[METRIC_QP1_RECV_MAX], 1);
  ck_assert_double_eq (m[METRIC_QP1_SEND_MAX], 1);
  world_result_free (result);
  scenario_free (scenario);
}
END_TEST

/* Four REQs at once, 10 ms of the server's CM each: one after the other, or side by side where
 * the kernel had a thread per CPU (four).  The host's own value goes before the profile's. */
static double
spread (const char *profile, const char *workers)
{
  g_autofree char *text = g_strdup_printf (
      "cmsim: 1\n"
      "question: test\n"
      "profile: %s\n"
      "fabric: {transport: roce}\n"
      "hosts:\n"
      "  server: {hca: {cm_service: 10ms, mad_service: 0s%s}}\n"
      "  client: {count: 4, hca: {cm_service: 0s, mad_service: 0s}}\n"
      "listeners: [{on: server, service: 1, accept: {qp: false}}]\n"
      "connects: [{from: client, to: 'server:1', qp: false}]\n", profile, workers);
  Scenario *scenario = load (text);
  WorldOptions options = { .series = FALSE };
  WorldResult *result = run (scenario, 0, 1, &options);
  double spread = result->metrics[METRIC_LAST_ESTABLISHED] -
                  result->metrics[METRIC_FIRST_ESTABLISHED];

  ck_assert_double_eq (result->metrics[METRIC_ESTABLISHED], 4);
  world_result_free (result);
  scenario_free (scenario);
  return spread;
}

START_TEST (workers_of_the_era)
{
  ck_assert_double_eq_tol (spread ("linux-6.1", ""), 0.030, 0.001);
  ck_assert_double_eq_tol (spread ("linux-2.6.17", ""), 0, 0.001);
  ck_assert_double_eq_tol (spread ("linux-2.6.17", ", cm_workers: 2"), 0.010, 0.001);
  ck_assert_double_eq_tol (spread ("linux-6.1", ", cm_workers: 4"), 0, 0.001);
}
END_TEST

START_TEST (limits)
{
  Scenario *scenario = load (STORM "run: {event_limit: 100}\n");
  Scenario *until = load (STORM "run: {until: 5ms}\n");
  WorldOptions options = { .series = FALSE };
  WorldResult *a = run (scenario, 0, 1, &options), *b = run (until, 0, 1, &options);

  ck_assert_int_eq (a->stop, SIM_STOP_EVENT_LIMIT);
  ck_assert_uint_eq (a->events, 100);
  ck_assert_int_eq (b->stop, SIM_STOP_UNTIL);
  ck_assert_double_eq (b->metrics[METRIC_END], 0.005);
  ck_assert_double_gt (b->metrics[METRIC_PENDING], 0);
  ck_assert_double_eq (b->metrics[METRIC_PENDING] + b->metrics[METRIC_FAILED] +
                           b->metrics[METRIC_ESTABLISHED],
                       b->metrics[METRIC_CONNECTS]);
  world_result_free (a);
  world_result_free (b);
  scenario_free (scenario);
  scenario_free (until);
}
END_TEST

/* ----- random scenarios keep the invariants ----- */

static const char *
pick (SimStream *stream, const char *const *options, guint n)
{
  return options[sim_stream_below (stream, n)];
}
#define PICK(...) \
  pick (stream, (const char *const[]){ __VA_ARGS__ }, \
        G_N_ELEMENTS (((const char *const[]){ __VA_ARGS__ })))

static char *
random_scenario (SimStream *stream)
{
  GString *text = g_string_new ("cmsim: 1\nquestion: random\n");

  g_string_append_printf (text, "profile: {base: %s, max_retries: %s}\n",
                          PICK ("linux-6.1", "linux-6.12", "linux-6.17", "spec", "linux-2.6.17",
                                "ofed-1.1", "ofed-1.2", "linux-2.6.24", "ofed-1.4", "mlnx-4.6",
                                "retry-proposal-2024"),
                          PICK ("0", "1", "3"));
  g_string_append_printf (text, "fabric: {transport: %s, latency: %s, loss: %s}\n",
                          PICK ("ib", "roce"), PICK ("0s", "1.5us", "{exponential: 1s}", "3s"),
                          PICK ("none", "{bernoulli: 10%}", "{bernoulli: 50%}",
                                "{rules: [{message: any, action: duplicate, delay: 1ms}]}",
                                "{rules: [{message: rep, last: 2, action: delay, delay: 9s}, "
                                "{message: rtu, last: 3, action: drop}]}",
                                "{rules: [{message: req, action: duplicate, delay: 12s}]}"));
  g_string_append_printf (text, "hosts: {server: %s, client: %s}\n", PICK ("1", "3"),
                          PICK ("1", "5", "{count: 3, address: {unanswered: 20%}}"));
  g_string_append_printf (
      text,
      "listeners:\n  - {on: server, service: 5, ud: %s,\n"
      "     backlog: {limit: %s, counts: %s, full: %s},\n"
      "     accept: {workers: %s, service: %s, read: %s, answer: %s, qp: %s, hold: %s,\n"
      "       starts_after: %s, answer_disconnect: %s, wake: %s, exit_after: %s}}\n",
      PICK ("false", "false", "false", "true"), PICK ("1", "2", "0"),
      PICK ("unread", "unaccepted", "half-open"),
      PICK ("drop", "unlimited", "reject", "{reject: 28}", "defer",
            "{defer: {service_timeout: 15, wait: 1s, then: reject}}", "ulp-counted",
            "{ulp-counted: {added_after: 3ms, removed_after: 1s, answer: reject}}"),
      PICK ("1", "2", "0"), PICK ("0s", "1ms", "{exponential: 2s}", "20s"),
      PICK ("serial", "at-once"), PICK ("accept", "accept", "accept", "reject", "never"),
      PICK ("true", "false"), PICK ("never", "0s", "2s"), PICK ("0s", "7s"), PICK ("true", "false"),
      PICK ("0s", "2ms"), PICK ("never", "never", "3s", "15s"));
  g_string_append_printf (
      text,
      "connects:\n  - {from: client, to: 'server:%s', per_host: %s, ulp: %s, arrivals: %s,\n"
      "     qp: %s, resolve: %s, rtu_delay: %s, hold: %s, give_up_after: %s, retry: %s,\n"
      "     answer_disconnect: %s, exit_after: %s, crash_after: %s, qpn: %s, ud: %s,\n"
      "     data_after: %s}\n"
      "compare: {here: , heeds: {connects.0.ud: false, listeners.0.ud: false}}\n",
      PICK ("5", "5", "5", "6"), PICK ("1", "4"),
      PICK ("generic", "{generic: {retry_any_reject: true, retry_unreachable: true, delay: 1s, "
                       "attempts: 3, jitter: full}}"),
      PICK ("burst", "{poisson: 2/s}", "{burst: {spacing: 3ms}}"), PICK ("true", "false"),
      PICK ("true", "false"), PICK ("0s", "10s"), PICK ("never", "0s", "500ms"),
      PICK ("never", "1ms", "5s", "30s"), PICK ("fixed", "jitter"), PICK ("true", "false"),
      PICK ("never", "never", "11s"), PICK ("never", "never", "3s"), PICK ("0", "0", "9"),
      PICK ("false", "false", "true"), PICK ("never", "0s", "1s"));
  return g_string_free (text, FALSE);
}

START_TEST (random_scenarios)
{
  WorldOptions options = { .series = FALSE };

  for (guint i = 0; i < 1500; i++) {
    SimStream stream;
    char *broken = NULL;

    sim_stream_init (&stream, sim_stream_key (1, 0, "random", "scenario"), i);
    g_autofree char *text = random_scenario (&stream);
    Scenario *scenario = load (text);
    WorldResult *result = world_run (model_of (scenario, 0), i, 0, &options, &broken);
    ck_assert_msg (broken == NULL, "scenario %u: %s\n%s", i, broken, text);
    ck_assert_int_eq (result->stop, SIM_STOP_IDLE);
    world_result_free (result);
    scenario_free (scenario);
  }
}
END_TEST

/* ----- listeners at the edges ----- */

#define EDGE(backlog, accept, connects) \
  "cmsim: 1\nquestion: edge\nprofile: spec\n" \
  "fabric: {transport: roce, latency: 0s, rate: 0bps}\n" \
  "hosts:\n" \
  "  server: {hca: {recv_ring: 100000, mad_service: 0s, cm_service: 0s}}\n" \
  "  client: {hca: {mad_service: 0s, cm_service: 0s}, create_id: 0s}\n" \
  "listeners:\n" \
  "  - {on: server, service: 1, backlog: " backlog ", accept: " accept "}\n" \
  "connects:\n" \
  "  - {from: client, to: 'server:1', qp: false, resolve: false, " connects "}\n"

static WorldResult *
run_text (const char *text)
{
  WorldOptions options = { .series = FALSE };
  Scenario *scenario = load (text);
  WorldResult *result = run (scenario, 0, 1, &options);

  scenario_free (scenario);
  return result;
}

/* The process ends before it has read a request: the kernel rejects them, and the time
 * at which reading would have begun brings nothing back. */
START_TEST (exit_before_reading)
{
  WorldResult *result = run_text (
      EDGE ("{limit: 10}", "{starts_after: 10s, exit_after: 5s, qp: false}", "per_host: 4"));

  ck_assert_double_eq (result->metrics[METRIC_REFUSED], 4);
  ck_assert_double_eq (result->metrics[METRIC_FAILURE_MAX], 5);
  world_result_free (result);
}
END_TEST

/* Two listeners on one channel, one worker.  The second's process ends after 50 ms of the 100 ms
 * that its request takes: the worker turns to the three that wait for the first at once. */
START_TEST (exit_frees_the_worker_of_its_channel)
{
  Scenario *scenario = load ("cmsim: 1\n"
                             "question: test\n"
                             "hosts: {server: 1, client: 4}\n"
                             "listeners:\n"
                             "  - {on: server, service: 1, channel: x, accept: {service: 1ms}}\n"
                             "  - {on: server, service: 2, channel: x,\n"
                             "     accept: {service: 100ms, exit_after: 50ms}}\n"
                             "connects:\n"
                             "  - {from: client, to: 'server:2', number: 1}\n"
                             "  - {from: client, to: 'server:1', number: 3,\n"
                             "     arrivals: {burst: 10ms}}\n");
  WorldOptions options = { .series = FALSE };
  WorldResult *result = run (scenario, 0, 1, &options);

  ck_assert_uint_eq (record (result, 0).cause, CONNECT_REFUSED);
  for (guint i = 1; i <= 3; i++) {
    ck_assert_uint_eq (record (result, i).cause, CONNECT_ESTABLISHED);
    ck_assert_int_gt (record (result, i).end, SIM_MS (50));
    ck_assert_int_lt (record (result, i).end, SIM_MS (60));
  }
  world_result_free (result);
  scenario_free (scenario);
}
END_TEST

/* Removed is said before added: the count is below zero, not enormous. */
START_TEST (removed_before_added)
{
  WorldResult *result =
      run_text (EDGE ("{limit: 100, counts: unread, full: {ulp-counted: {added_after: 10ms}}}",
                      "{unlimited: true, service: 1ms, qp: false}",
                      "per_host: 2, arrivals: {burst: {spacing: 5ms}}"));

  ck_assert_double_eq (result->metrics[METRIC_DROPS], 0);
  ck_assert_double_eq (result->metrics[METRIC_LATENCY_MAX], 0.001);
  world_result_free (result);
}
END_TEST

/* Each request taken frees the slot for the next of 30 000 deferred ones at once: all are
 * served 1 ms after reading begins, on a flat stack. */
START_TEST (long_chain_of_deferred)
{
  WorldResult *result = run_text (
      EDGE ("{limit: 1, counts: unread, full: {defer: {limit: 65536}}}",
            "{unlimited: true, service: 1ms, starts_after: 1s, qp: false}", "per_host: 30000"));

  ck_assert_double_eq (result->metrics[METRIC_ESTABLISHED], 30000);
  ck_assert_double_eq (result->metrics[METRIC_LATENCY_MAX], 1.001);
  world_result_free (result);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("world");
  TCase *tc = tcase_create ("world");

  tcase_set_timeout (tc, 120);
  tcase_add_test (tc, watching_changes_nothing);
  tcase_add_test (tc, every_event_list_gives_the_same_run);
  tcase_add_test (tc, one_more_entity_shifts_nothing);
  tcase_add_test (tc, variants_share_their_draws);
  tcase_add_test (tc, warm_up);
  tcase_add_test (tc, warm_up_maxima);
  tcase_add_test (tc, workers_of_the_era);
  tcase_add_test (tc, limits);
  tcase_add_test (tc, random_scenarios);
  tcase_add_test (tc, exit_before_reading);
  tcase_add_test (tc, exit_frees_the_worker_of_its_channel);
  tcase_add_test (tc, removed_before_added);
  tcase_add_test (tc, long_chain_of_deferred);
  suite_add_tcase (suite, tc);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_NORMAL);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed != 0;
}

/* CM retry policies, each against its own definition: intervals, limits, what they learn. */
#include "retry.h"
#include "scenario.h"
#include "test_sim.h"

#define T G_GINT64_CONSTANT (4294967296) /* 4.096 us x 2^20 */

static Scenario *scenario;

/* The policy a scenario gets for `text`, with its parameters. */
static const SimChoice *
choose (const char *text)
{
  g_autofree char *yaml = g_strdup_printf (
      "cmsim: 1\nquestion: q\nhosts: {a: 1, b: 1}\n"
      "connects: [{from: a, to: \"b:1\", retry: %s}]\n", text);
  GError *error = NULL;

  g_clear_pointer (&scenario, scenario_free);
  scenario = scenario_load_buffer ("test.yaml", yaml, strlen (yaml), NULL, 0, &error);
  ck_assert_msg (scenario != NULL, "%s", error ? error->message : "");
  const ScenarioVariant *variant = g_ptr_array_index (scenario->variants, 0);
  return &g_array_index (variant->model.connects, ConnectParams, 0).retry;
}

static void
teardown (void)
{
  g_clear_pointer (&scenario, scenario_free);
}

/* An exchange nobody answers: each interval asked for and waited for. */
typedef struct {
  const SimChoice *choice;
  const RetryPolicy *policy;
  gpointer state;
  SimStream stream;
  RetryView view;
} Exchange;

static Exchange
begin (const SimChoice *choice, gpointer state)
{
  Exchange x = { .choice = choice, .policy = (const RetryPolicy *) choice->klass, .state = state,
                 .stream = test_stream (choice->klass->name),
                 .view = { .nominal = T, .lifetime = SIM_MS (1024) } };

  return x;
}

static SimTime
next_interval (Exchange *x)
{
  x->view.sends++;
  x->view.round++;
  if (x->view.sends == 1 && x->policy->observe)
    x->policy->observe (x->choice->params, x->state,
                        &(RetryNews){ .type = RETRY_NEWS_BEGUN, .now = x->view.now, .sends = 1 });
  x->view.previous = x->policy->interval (x->choice->params, x->state, &x->view, &x->stream);
  return x->view.previous;
}

static RetryVerdict
expire (Exchange *x)
{
  x->view.now += x->view.previous;
  x->view.elapsed += x->view.previous;
  if (!x->policy->expired)
    return (RetryVerdict){ .answer = RETRY_SEND };
  return x->policy->expired (x->choice->params, x->state, &x->view, &x->stream);
}

static void
answered (Exchange *x, SimTime after)
{
  x->policy->observe (x->choice->params, x->state,
                      &(RetryNews){ .type = RETRY_NEWS_ANSWERED, .now = x->view.now + after,
                                    .after = x->view.elapsed + after, .sends = x->view.sends });
}

static void
check_intervals (const char *text, const gint64 *ms, guint n)
{
  Exchange x = begin (choose (text), NULL);

  for (guint i = 0; i < n; i++) {
    SimTime interval = next_interval (&x);
    ck_assert_msg (interval == SIM_MS (ms[i]), "%s, interval %u: %" G_GINT64_FORMAT " ns", text,
                   i + 1, interval);
    ck_assert_int_eq (expire (&x).answer, RETRY_SEND);
  }
}

START_TEST (fixed_is_nominal)
{
  Exchange x = begin (choose ("fixed"), NULL);

  for (guint i = 0; i < 16; i++)
    ck_assert_int_eq (next_interval (&x), T);
}
END_TEST

START_TEST (exponential_doubles_to_the_cap)
{
  static const gint64 plain[] = { 500, 1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000 };
  static const gint64 triple[] = { 1000, 3000, 9000, 10000, 10000 };

  check_intervals ("{exponential: 500ms}", plain, G_N_ELEMENTS (plain));
  check_intervals ("{exponential: {first: 1s, factor: 3, cap: 10s}}", triple,
                   G_N_ELEMENTS (triple));

  Exchange x = begin (choose ("exponential"), NULL); /* starts at the nominal interval */
  ck_assert_int_eq (next_interval (&x), T);
  ck_assert_int_eq (next_interval (&x), 2 * T);
}
END_TEST

/* Full jitter: uniform in [0, w], mean w / 2; equal: in [w/2, w], mean 3 w / 4.  The mean
 * of n draws lies within 4 standard errors, w / sqrt (12 n) and half of it. */
static void
check_jitter (const char *text, SimTime low, SimTime high)
{
  const SimChoice *choice = choose (text);
  Exchange x = begin (choice, NULL);
  enum { N = 20000 };
  double sum = 0, width = (double) (high - low);

  for (guint i = 0; i < N; i++) {
    x.view.sends = x.view.round = 2; /* the third interval: 4 s */
    SimTime interval = next_interval (&x);
    ck_assert_int_ge (interval, low);
    ck_assert_int_le (interval, high);
    sum += (double) interval;
  }
  ck_assert_double_eq_tol (sum / N, (double) (low + high) / 2, 4 * width / sqrt (12.0 * N));
}

START_TEST (exponential_jitter)
{
  check_jitter ("{exponential: {first: 1s, jitter: full}}", 0, SIM_S (4));
  check_jitter ("{exponential: {first: 1s, jitter: equal}}", SIM_S (2), SIM_S (4));
}
END_TEST

/* min (cap, uniform (base, 3 x last)). */
START_TEST (decorrelated_follows_the_last)
{
  Exchange x = begin (choose ("{decorrelated: {base: 1s, cap: 20s}}"), NULL);
  SimTime last = SIM_S (1), longest = 0;

  for (guint i = 0; i < 2000; i++) {
    SimTime interval = next_interval (&x);
    ck_assert_int_ge (interval, SIM_S (1));
    ck_assert_int_le (interval, MIN (3 * last, SIM_S (20)));
    longest = MAX (longest, interval);
    last = interval;
  }
  ck_assert_int_gt (longest, SIM_S (19)); /* it gets to the cap */
}
END_TEST

/* 4 x 4.096, 8.192, 16.384, 32.768, 60, 60, 60 add up to 253.728 s: 46.272 s are left of
 * the 5 minutes.  10 sends and one short wait. */
START_TEST (linear_exponential_keeps_its_deadline)
{
  static const gint64 expected[] = { 4096,  4096,  4096,  4096,  8192, 16384,
                                     32768, 60000, 60000, 60000, 46272 };
  Exchange x = begin (choose ("{linear-exponential: {first: 4096ms}}"), NULL);

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    ck_assert_int_eq (next_interval (&x), SIM_MS (expected[i]));
    ck_assert_int_eq (expire (&x).answer,
                      i + 1 < G_N_ELEMENTS (expected) ? RETRY_SEND : RETRY_GIVE_UP);
  }
  ck_assert_int_eq (x.view.elapsed, SIM_S (300));
}
END_TEST

START_TEST (path_record_adds_up_the_path)
{
  static const gint64 lifetime[] = { 2548, 2548 };  /* 2 x 1024 + 500 */
  static const gint64 hops[] = { 110, 220, 440 };   /* 2 x 5 x 1 + 100, doubling */

  check_intervals ("path-record", lifetime, G_N_ELEMENTS (lifetime));
  check_intervals ("{path-record: {answer: 100ms, hops: 5, hop_time: 1ms, factor: 2}}", hops,
                   G_N_ELEMENTS (hops));
}
END_TEST

/* RFC 6298 by hand: after 100 ms S = 100, D = 50, timeout S + 4 D = 300; after 200 ms
 * D = 3/4 50 + 1/4 100 = 62.5, S = 7/8 100 + 1/8 200 = 112.5, timeout 362.5. */
START_TEST (adaptive_is_rfc_6298)
{
  const SimChoice *choice = choose ("{adaptive: {least: 1ms}}");
  gint64 state[8] = { 0 };
  Exchange x;

  ck_assert_uint_le (((const RetryPolicy *) choice->klass)->state_size, sizeof state);
  x = begin (choice, state);
  ck_assert_int_eq (next_interval (&x), T); /* nothing known */
  answered (&x, SIM_MS (100));
  x = begin (choice, state);
  ck_assert_int_eq (next_interval (&x), SIM_MS (300));
  answered (&x, SIM_MS (200));
  x = begin (choice, state);
  ck_assert_int_eq (next_interval (&x), SIM_US (362500));

  /* Two repeats: 725 and 1450 ms; the answer after them is no sample (Karn), and the
   * next exchange starts where this one had got to. */
  ck_assert_int_eq (expire (&x).answer, RETRY_SEND);
  ck_assert_int_eq (next_interval (&x), SIM_US (725000));
  ck_assert_int_eq (expire (&x).answer, RETRY_SEND);
  ck_assert_int_eq (next_interval (&x), SIM_US (1450000));
  answered (&x, SIM_MS (1));
  x = begin (choice, state);
  ck_assert_int_eq (next_interval (&x), SIM_US (1450000));

  /* Many exchanges that time out together double it once. */
  Exchange y = x;
  ck_assert_int_eq (expire (&x).answer, RETRY_SEND);
  ck_assert_int_eq (expire (&y).answer, RETRY_SEND);
  x = begin (choice, state);
  ck_assert_int_eq (next_interval (&x), SIM_MS (2900));

  /* The peer said how long it needs. */
  x.policy->observe (choice->params, state,
                     &(RetryNews){ .type = RETRY_NEWS_MRA, .after = SIM_S (8), .sends = 1 });
  x = begin (choice, state);
  ck_assert_int_eq (next_interval (&x), SIM_S (8));
}
END_TEST

/* 20 % of 10 exchanges, and 3 in reserve: 5 repeats. */
START_TEST (budget_is_a_share)
{
  const SimChoice *choice = choose ("{budget: {share: 20%, reserve: 3}}");
  gint64 state[8] = { 0 };
  Exchange x = begin (choice, state);
  guint sent = 0;

  for (guint i = 0; i < 10; i++) {
    x = begin (choice, state);
    ck_assert_int_eq (next_interval (&x), T);
  }
  while (sent < 100 && expire (&x).answer == RETRY_SEND)
    sent++;
  ck_assert_uint_eq (sent, 5);
  ck_assert_int_eq (expire (&x).answer, RETRY_GIVE_UP);
  for (guint i = 0; i < 5; i++) { /* five more earn one */
    x = begin (choice, state);
    next_interval (&x);
  }
  ck_assert_int_eq (expire (&x).answer, RETRY_SEND);
  ck_assert_int_eq (expire (&x).answer, RETRY_GIVE_UP);
}
END_TEST

START_TEST (budget_saves_up_to_a_limit)
{
  const SimChoice *choice = choose ("{budget: {share: 100%, reserve: 0, most: 4, empty: wait}}");
  gint64 state[8] = { 0 };
  Exchange x = begin (choice, state);

  for (guint i = 0; i < 50; i++) {
    x = begin (choice, state);
    next_interval (&x);
  }
  for (guint i = 0; i < 4; i++)
    ck_assert_int_eq (expire (&x).answer, RETRY_SEND);
  RetryVerdict verdict = expire (&x);
  ck_assert_int_eq (verdict.answer, RETRY_WAIT);
  ck_assert_int_eq (verdict.wait, T);
}
END_TEST

/* 10 a second, 3 at once: the fourth waits 100 ms, and so does each after it. */
START_TEST (token_bucket_has_a_rate)
{
  const SimChoice *choice = choose ("{token-bucket: {rate: 10/s, burst: 3}}");
  gint64 state[8] = { 0 };
  Exchange x = begin (choice, state);

  x.view.now = SIM_S (1000);
  x.view.previous = 0;
  for (guint i = 0; i < 3; i++)
    ck_assert_int_eq (expire (&x).answer, RETRY_SEND);
  for (guint i = 0; i < 5; i++) {
    RetryVerdict verdict = expire (&x);
    ck_assert_int_eq (verdict.answer, RETRY_WAIT);
    ck_assert_int_eq (verdict.wait, SIM_MS (100));
    x.view.now += verdict.wait;
    ck_assert_int_eq (expire (&x).answer, RETRY_SEND);
  }
  x.view.now += SIM_S (10); /* a pause fills the bucket, not more */
  for (guint i = 0; i < 3; i++)
    ck_assert_int_eq (expire (&x).answer, RETRY_SEND);
  ck_assert_int_eq (expire (&x).answer, RETRY_WAIT);
}
END_TEST

/* 100 sends and 10 answers: held back with probability (100 - 2 x 10) / 101, growing with
 * each repeat wished for; the mean of 200 lies where the sum of the formula does. */
START_TEST (throttle_holds_back)
{
  const SimChoice *choice = choose ("{throttle: {k: 2, half_life: 1h}}");
  gint64 state[8] = { 0 };
  Exchange x = begin (choice, state);
  enum { N = 200 };
  double expected = 0, variance = 0;
  guint held = 0;

  for (guint i = 0; i < 100; i++) {
    x = begin (choice, state);
    next_interval (&x);
    if (i < 10)
      answered (&x, 0);
  }
  x.view.previous = 0;
  for (guint i = 0; i < N; i++) {
    double p = (80.0 + i) / (101.0 + i);
    expected += p;
    variance += p * (1 - p);
    RetryVerdict verdict = expire (&x);
    if (verdict.answer == RETRY_WAIT) {
      held++;
      ck_assert_int_eq (verdict.wait, T);
    }
  }
  ck_assert_double_eq_tol (held, expected, 4 * sqrt (variance));
}
END_TEST

START_TEST (throttle_forgets)
{
  const SimChoice *choice = choose ("{throttle: {k: 2, half_life: 1s}}");
  gint64 state[8] = { 0 };
  Exchange x = begin (choice, state);

  for (guint i = 0; i < 100; i++) {
    x = begin (choice, state);
    next_interval (&x);
  }
  x.view.now = SIM_S (100); /* 100 halvings: nothing is left of it */
  x.view.previous = 0;
  ck_assert_int_eq (expire (&x).answer, RETRY_SEND);
}
END_TEST

/* After an MRA no policy may ask again before the peer's time is up. */
START_TEST (all_respect_an_mra)
{
  for (guint i = 0; retry_classes[i]; i++) {
    const SimChoice *choice = choose (retry_classes[i]->name);
    gint64 state[8] = { 0 };
    Exchange x = begin (choice, state);

    x.view.mra = TRUE;
    x.view.nominal = SIM_S (300);
    x.view.previous = SIM_S (300);
    x.view.sends = 3;
    SimTime interval = next_interval (&x);
    if (choice->klass == &retry_jitter.info)
      ck_assert_int_ge (interval, SIM_S (150));
    else
      ck_assert_int_ge (interval, SIM_S (300));
  }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("retry");
  TCase *tcase = tcase_create ("retry");

  tcase_add_checked_fixture (tcase, NULL, teardown);
  tcase_add_test (tcase, fixed_is_nominal);
  tcase_add_test (tcase, exponential_doubles_to_the_cap);
  tcase_add_test (tcase, exponential_jitter);
  tcase_add_test (tcase, decorrelated_follows_the_last);
  tcase_add_test (tcase, linear_exponential_keeps_its_deadline);
  tcase_add_test (tcase, path_record_adds_up_the_path);
  tcase_add_test (tcase, adaptive_is_rfc_6298);
  tcase_add_test (tcase, budget_is_a_share);
  tcase_add_test (tcase, budget_saves_up_to_a_limit);
  tcase_add_test (tcase, token_bucket_has_a_rate);
  tcase_add_test (tcase, throttle_holds_back);
  tcase_add_test (tcase, throttle_forgets);
  tcase_add_test (tcase, all_respect_an_mra);
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}

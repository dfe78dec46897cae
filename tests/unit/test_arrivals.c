/* Arrival processes: exact where they are deterministic, within 99 % intervals where
 * they are drawn. */
#include <check.h>
#include <math.h>

#include "arrivals.h"

enum { N = 40000 };

static SimTime *
times_of (const ArrivalClass *klass, gconstpointer params, guint n, guint64 seed)
{
  SimTime *times = g_new (SimTime, n);
  ArrivalCursor cursor = { .now = 0, .index = 0 };
  SimStream stream;

  sim_stream_init (&stream, sim_stream_key (seed, 0, "connects", "arrivals"), 0);
  for (guint i = 0; i < n; i++) {
    cursor.index = i;
    times[i] = klass->next (params, &cursor, &stream);
    ck_assert_int_ge (times[i], cursor.now);
    cursor.now = times[i];
  }
  return times;
}

static guint
count_before (const SimTime *times, guint n, SimTime limit)
{
  guint count = 0;

  while (count < n && times[count] < limit)
    count++;
  return count;
}

/* A Poisson count of mean m lies within 2.576 sqrt (m) of m with probability 99 %. */
static void
check_poisson_count (guint count, double mean)
{
  ck_assert_double_le (fabs (count - mean), 2.576 * sqrt (mean));
}

START_TEST (burst)
{
  ArrivalBurstParams params = { .at = SIM_S (2), .spacing = SIM_MS (10) };
  SimTime *times = times_of (&arrival_burst, &params, 5, 1);

  for (guint i = 0; i < 5; i++)
    ck_assert_int_eq (times[i], SIM_S (2) + SIM_MS (10 * i));
  g_free (times);
}
END_TEST

START_TEST (poisson)
{
  ArrivalPoissonParams params = { .rate = 1000, .start = SIM_S (3) };
  SimTime *times = times_of (&arrival_poisson, &params, N, 2);
  double sum = 0, squares = 0;

  ck_assert_int_ge (times[0], SIM_S (3));
  for (guint i = 1; i < N; i++) {
    double gap = sim_time_to_seconds (times[i] - times[i - 1]);
    sum += gap;
    squares += gap * gap;
  }
  double mean = sum / (N - 1), variance = squares / (N - 1) - mean * mean;
  /* Exponential gaps: standard deviation = mean; of the variance: sqrt (8 / n) variance. */
  ck_assert_double_le (fabs (mean - 1e-3), 2.576 * 1e-3 / sqrt (N));
  ck_assert_double_le (fabs (variance - 1e-6), 2.576 * 1e-6 * sqrt (8.0 / N));
  g_free (times);
}
END_TEST

/* From 100/s to 900/s in 10 s: 100 t + 40 t^2 up to t, then 900/s. */
START_TEST (ramp)
{
  ArrivalRampParams params = { .from = 100, .to = 900, .over = SIM_S (10), .start = SIM_S (1) };
  SimTime *times = times_of (&arrival_ramp, &params, N, 3);

  check_poisson_count (count_before (times, N, SIM_S (6)), 100 * 5 + 40 * 25);
  check_poisson_count (count_before (times, N, SIM_S (11)), 5000);
  check_poisson_count (count_before (times, N, SIM_S (21)), 5000 + 9000);
  ck_assert_int_ge (times[0], SIM_S (1));
  g_free (times);

  /* Falling, and starting from nothing. */
  ArrivalRampParams falling = { .from = 900, .to = 100, .over = SIM_S (10) };
  times = times_of (&arrival_ramp, &falling, N, 4);
  check_poisson_count (count_before (times, N, SIM_S (5)), 900 * 5 - 40 * 25);
  check_poisson_count (count_before (times, N, SIM_S (20)), 5000 + 1000);
  g_free (times);

  ArrivalRampParams rising = { .from = 0, .to = 1000, .over = SIM_S (10) };
  times = times_of (&arrival_ramp, &rising, N, 5);
  check_poisson_count (count_before (times, N, SIM_S (10)), 5000);
  g_free (times);
}
END_TEST

/* 100/s to 900/s in 10 s, 5 s at 900/s, back in 20 s, then 100/s: by the areas 1500 in the
 * first 5 s, 5000, 9500, 19500 at the end of each stretch, then 100 a second. */
START_TEST (swing)
{
  ArrivalSwingParams params = { .low = 100, .high = 900, .up = SIM_S (10), .hold = SIM_S (5),
                                .down = SIM_S (20), .start = SIM_S (2) };
  SimTime *times = times_of (&arrival_swing, &params, 22000, 6);

  check_poisson_count (count_before (times, 22000, SIM_S (2 + 5)), 100 * 5 + 40 * 25);
  check_poisson_count (count_before (times, 22000, SIM_S (2 + 10)), 5000);
  check_poisson_count (count_before (times, 22000, SIM_S (2 + 15)), 9500);
  check_poisson_count (count_before (times, 22000, SIM_S (2 + 25)), 9500 + 900 * 10 - 20 * 100);
  check_poisson_count (count_before (times, 22000, SIM_S (2 + 35)), 19500);
  check_poisson_count (count_before (times, 22000, SIM_S (2 + 45)), 20500);
  g_free (times);

  /* Down to nothing: it ends. */
  ArrivalSwingParams hill = { .low = 0, .high = 100, .up = SIM_S (1), .down = SIM_S (1) };
  ArrivalCursor cursor = { .now = 0 };
  SimStream stream;
  guint n = 0;

  sim_stream_init (&stream, sim_stream_key (7, 0, "connects", "arrivals"), 0);
  while ((cursor.now = arrival_swing.next (&hill, &cursor, &stream)) != SIM_TIME_NEVER) {
    ck_assert_int_le (cursor.now, SIM_S (2));
    cursor.index = ++n;
  }
  check_poisson_count (n, 100);
}
END_TEST

START_TEST (on_off)
{
  ArrivalOnOffParams params
      = { .rate = 1000, .on = SIM_MS (300), .off = SIM_MS (700), .start = SIM_S (1) };
  SimTime *times = times_of (&arrival_on_off, &params, N, 6);

  for (guint i = 0; i < N; i++) {
    ck_assert_int_ge (times[i], SIM_S (1));
    ck_assert_int_lt ((times[i] - SIM_S (1)) % SIM_S (1), SIM_MS (300));
  }
  check_poisson_count (count_before (times, N, SIM_S (51)), 50 * 300);
  g_free (times);
}
END_TEST

START_TEST (trace)
{
  const ArrivalTraceRow rows[] = { { SIM_MS (5), 0 }, { SIM_MS (5), 2 }, { SIM_S (1), 1 } };
  GArray *array = g_array_new (FALSE, FALSE, sizeof (ArrivalTraceRow));
  ArrivalTraceParams params = { .rows = array };

  g_array_append_vals (array, rows, 3);
  SimTime *times = times_of (&arrival_trace, &params, 3, 7);
  for (guint i = 0; i < 3; i++)
    ck_assert_int_eq (times[i], rows[i].at);
  ArrivalCursor past = { .now = SIM_S (1), .index = 3 };
  ck_assert_int_eq (arrival_trace.next (&params, &past, NULL), SIM_TIME_NEVER);
  g_free (times);
  g_array_free (array, TRUE);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("arrivals");
  TCase *tc = tcase_create ("processes");

  tcase_add_test (tc, burst);
  tcase_add_test (tc, poisson);
  tcase_add_test (tc, ramp);
  tcase_add_test (tc, swing);
  tcase_add_test (tc, on_off);
  tcase_add_test (tc, trace);
  suite_add_tcase (suite, tc);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_NORMAL);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed != 0;
}

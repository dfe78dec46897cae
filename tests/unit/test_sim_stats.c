/* Tally, time-weighted average and histogram. */
#include "sim_select.h"
#include "sim_stats.h"

#include "test_sim.h"

/* ----- tally ----- */

START_TEST (tally_small)
{
  SimTally t;

  sim_tally_init (&t);
  ck_assert (sim_tally_variance (&t) == 0 && t.n == 0 && t.sum == 0);
  sim_tally_add (&t, -4);
  ck_assert (t.mean == -4 && t.min == -4 && t.max == -4 && sim_tally_variance (&t) == 0);
  sim_tally_add (&t, 2);
  sim_tally_add (&t, 8);
  ck_assert_uint_eq (t.n, 3);
  ck_assert_double_le (fabs (t.mean - 2), 1e-15);
  ck_assert (t.min == -4 && t.max == 8 && t.sum == 6);
  ck_assert_double_le (fabs (sim_tally_variance (&t) - 36), 1e-13);
  ck_assert_double_le (fabs (sim_tally_stddev (&t) - 6), 1e-14);
}
END_TEST

/* Where sums of squares would lose all digits. */
START_TEST (tally_with_an_offset)
{
  SimStream stream = test_stream ("tally");
  SimTally t;
  long double sum = 0, squares = 0;
  enum { N = 10000 };

  sim_tally_init (&t);
  for (int i = 0; i < N; i++) {
    double x = (double) sim_stream_below (&stream, 1000); /* exact in the sums */
    sim_tally_add (&t, 1e12 + x);
    sum += x;
    squares += (long double) x * x;
  }
  double variance = (double) ((squares - sum * sum / N) / (N - 1));
  ck_assert_double_le (fabs (t.mean - 1e12 - (double) (sum / N)), 1e-2);
  ck_assert_double_le (fabs (sim_tally_variance (&t) - variance), 1e-6 * variance);
}
END_TEST

/* ----- time average ----- */

START_TEST (time_average_small)
{
  SimTimeAvg a;

  sim_time_avg_init (&a, 100, 3);
  ck_assert (sim_time_avg_mean (&a, 100) == 3);
  ck_assert (sim_time_avg_mean (&a, 110) == 3);
  sim_time_avg_set (&a, 110, 5);
  sim_time_avg_step (&a, 120, -4);
  sim_time_avg_step (&a, 120, 9); /* for no time, but seen */
  sim_time_avg_set (&a, 120, 0);
  ck_assert_int_eq (a.max, 10);
  ck_assert_int_eq (a.min, 0);
  ck_assert (sim_time_avg_mean (&a, 120) == 4);
  ck_assert (sim_time_avg_mean (&a, 140) == 2); /* (30 + 50) / 40 */
  sim_time_avg_set (&a, 140, 7);
  sim_time_avg_reset (&a, 150);
  ck_assert_int_eq (a.value, 7);
  ck_assert (a.max == 7 && a.min == 7);
  ck_assert (sim_time_avg_mean (&a, 150) == 7);
  sim_time_avg_set (&a, 160, 1);
  ck_assert (sim_time_avg_mean (&a, 170) == 4);
}
END_TEST

START_TEST (time_average_against_sum)
{
  SimStream stream = test_stream ("time average");
  SimTimeAvg a;
  SimTime now = 0;
  gint64 level = 0;
  gint64 area = 0; /* exact */
  gint64 min = 0, max = 0;

  sim_time_avg_init (&a, 0, 0);
  for (int i = 0; i < 100000; i++) {
    SimTime dt = (SimTime) sim_stream_below (&stream, 100);
    gint64 delta = (gint64) sim_stream_below (&stream, 11) - 5;
    area += level * dt;
    now += dt;
    level += delta;
    sim_time_avg_step (&a, now, delta);
    min = MIN (min, level);
    max = MAX (max, level);
    if (i % 1000 == 999) {
      double mean = (double) area / (double) now;
      ck_assert_double_le (fabs (sim_time_avg_mean (&a, now) - mean), 1e-12 * (1 + fabs (mean)));
    }
  }
  ck_assert_int_eq (a.min, min);
  ck_assert_int_eq (a.max, max);
}
END_TEST

START_TEST (time_average_backwards_aborts)
{
  SimTimeAvg a;

  sim_time_avg_init (&a, 100, 3);
  sim_time_avg_set (&a, 99, 3);
}
END_TEST

/* ----- histogram ----- */

/* What one value is taken for. */
static guint64
taken_for (SimHistogram *histogram, guint64 value)
{
  sim_histogram_reset (histogram);
  sim_histogram_add (histogram, value);
  return sim_histogram_quantile (histogram, 1);
}

static void
assert_bound (SimHistogram *histogram, guint64 value)
{
  guint64 bound = taken_for (histogram, value);

  ck_assert_uint_ge (bound, value);
  ck_assert_uint_le (bound - value, value >> SIM_HISTOGRAM_BITS); /* below 128: exact */
}

START_TEST (histogram_error)
{
  SimHistogram *h = sim_histogram_new ();
  SimStream stream = test_stream ("histogram");

  for (guint64 v = 0; v < 5000; v++)
    assert_bound (h, v);
  for (guint bit = 1; bit < 64; bit++) {
    for (int d = -2; d <= 2; d++)
      assert_bound (h, ((guint64) 1 << bit) + (guint64) d);
  }
  for (int i = 0; i < 2000; i++)
    assert_bound (h, sim_stream_next (&stream) >> sim_stream_below (&stream, 64));
  ck_assert_uint_eq (taken_for (h, G_MAXUINT64), G_MAXUINT64);
  sim_histogram_free (h);
}
END_TEST

/* Bounds tile the numbers: just above a bound begins the next bucket. */
START_TEST (histogram_buckets_tile)
{
  SimHistogram *h = sim_histogram_new ();
  guint64 value = 0;
  guint buckets = 0;
  gboolean end = FALSE;

  while (!end) {
    guint64 bound = taken_for (h, value);
    ck_assert_uint_ge (bound, value);
    ck_assert_uint_eq (taken_for (h, bound), bound);
    ck_assert_uint_eq (taken_for (h, value + (bound - value) / 2), bound);
    end = bound == G_MAXUINT64;
    value = bound + 1;
    buckets++;
  }
  ck_assert_uint_eq (buckets, 128 * (64 - 7 + 1));
  sim_histogram_free (h);
}
END_TEST

static int
compare_values (gconstpointer a, gconstpointer b)
{
  const guint64 *x = a;
  const guint64 *y = b;

  return (*x > *y) - (*x < *y);
}

static void
assert_quantiles (const SimHistogram *h, guint64 *values, guint n)
{
  qsort (values, n, sizeof *values, compare_values);
  ck_assert_uint_eq (sim_histogram_count (h), n);
  for (guint percent = 0; percent <= 1000; percent++) {
    guint rank = (percent * n + 999) / 1000; /* ceil, in integers */
    guint64 exact = values[MAX (rank, 1) - 1];
    guint64 quantile = sim_histogram_quantile (h, percent / 1000.0);
    ck_assert_uint_ge (quantile, exact);
    ck_assert_uint_le (quantile - exact, exact >> SIM_HISTOGRAM_BITS);
  }
}

START_TEST (histogram_quantiles)
{
  static const guint sizes[] = { 1, 2, 3, 10, 100, 1000, 4321, 20000 };
  enum { MOST = 20000 };
  guint64 *values = g_new (guint64, MOST);
  SimStream stream = test_stream ("quantiles");

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
    SimHistogram *whole = sim_histogram_new ();
    SimHistogram *parts[2] = { sim_histogram_new (), sim_histogram_new () };
    for (guint i = 0; i < sizes[s]; i++) {
      values[i] = sim_stream_next (&stream) >> (4 + sim_stream_below (&stream, 60));
      sim_histogram_add (whole, values[i]);
      sim_histogram_add (parts[i % 3 == 0], values[i]);
    }
    assert_quantiles (whole, values, sizes[s]);
    sim_histogram_merge (parts[0], parts[1]);
    assert_quantiles (parts[0], values, sizes[s]);
    ck_assert_uint_eq (sim_histogram_count (parts[1]), (sizes[s] + 2) / 3);
    sim_histogram_free (parts[0]);
    sim_histogram_free (parts[1]);
    sim_histogram_free (whole);
  }
  g_free (values);
}
END_TEST

START_TEST (histogram_empty)
{
  SimHistogram *h = sim_histogram_new ();

  ck_assert_uint_eq (sim_histogram_count (h), 0);
  ck_assert_uint_eq (sim_histogram_quantile (h, 0.5), 0);
  sim_histogram_add (h, 9);
  ck_assert_uint_eq (sim_histogram_quantile (h, 0), 9);
  sim_histogram_reset (h);
  ck_assert_uint_eq (sim_histogram_count (h), 0);
  ck_assert_uint_eq (sim_histogram_quantile (h, 1), 0);
  sim_histogram_free (h);
}
END_TEST

/* ----- selection ----- */

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  SimTime x = *(const SimTime *) a, y = *(const SimTime *) b;

  return (x > y) - (x < y);
}

/* Against a sorted copy, with many ties and with none: the value, and both sides of its place. */
START_TEST (selection)
{
  enum { N = 257 };
  SimStream stream = test_stream ("select");
  SimTime values[N], sorted[N];

  for (guint round = 0; round < 600; round++) {
    gsize n = 1 + sim_stream_below (&stream, N), k = sim_stream_below (&stream, n);
    guint64 range = round % 3 == 0 ? 4 : 1 << 30;

    for (gsize i = 0; i < n; i++)
      sorted[i] = values[i] = (SimTime) sim_stream_below (&stream, range);
    qsort (sorted, n, sizeof *sorted, compare_times);
    ck_assert_int_eq (sim_select (values, n, k), sorted[k]);
    ck_assert_int_eq (values[k], sorted[k]);
    for (gsize i = 0; i < n; i++)
      ck_assert (i < k ? values[i] <= sorted[k] : values[i] >= sorted[k]);
  }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim_stats");
  TCase *tc = tcase_create ("stats");

  tcase_set_timeout (tc, 60);
  tcase_add_test (tc, tally_small);
  tcase_add_test (tc, tally_with_an_offset);
  tcase_add_test (tc, time_average_small);
  tcase_add_test (tc, time_average_against_sum);
  tcase_add_test_raise_signal (tc, time_average_backwards_aborts, SIGABRT);
  tcase_add_test (tc, histogram_error);
  tcase_add_test (tc, histogram_buckets_tile);
  tcase_add_test (tc, histogram_quantiles);
  tcase_add_test (tc, histogram_empty);
  tcase_add_test (tc, selection);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}

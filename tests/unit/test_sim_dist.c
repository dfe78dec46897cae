/* Distributions: moments, shape, inversion and edges.
 *
 * Statistical checks run at fixed seeds with the tolerance of a 99.9 % interval (3.29
 * standard errors), Kolmogorov-Smirnov at 1 % (1.628 / sqrt n).  Exact values come from
 * libm. */
#include "sim_dist.h"

#include "test_sim.h"

#define N 100000
#define MEAN SIM_S (1) /* so long that rounding to nanoseconds does not show */

typedef struct {
  const char *name;
  SimDist (*make) (void);
  double mean, variance;       /* exact */
  double (*cdf) (double x);    /* NULL: not continuous */
} Case;

static SimDist
make_uniform (void)
{
  return sim_dist_uniform (MEAN, 3 * MEAN);
}

static double
uniform_cdf (double x)
{
  return (x - 1e9) / 2e9;
}

static SimDist
make_exponential (void)
{
  return sim_dist_exponential (MEAN);
}

static double
exponential_cdf (double x)
{
  return 1 - exp (-x / 1e9);
}

static SimDist
make_lognormal (void)
{
  return sim_dist_lognormal (MEAN, 0.5);
}

static double
lognormal_cdf (double x)
{
  return erfc (-log (x / 1e9) / 0.5 / sqrt (2)) / 2;
}

static SimDist
make_erlang (void)
{
  return sim_dist_erlang (MEAN, 3);
}

static double
erlang_cdf (double x)
{
  double y = 3 * x / 1e9;

  return 1 - exp (-y) * (1 + y + y * y / 2);
}

static SimDist
make_weibull (void)
{
  return sim_dist_weibull (MEAN, 2);
}

static double
weibull_cdf (double x)
{
  return 1 - exp (-x / 1e9 * (x / 1e9));
}

static SimDist
make_heavy_weibull (void)
{
  return sim_dist_weibull (MEAN, 0.7);
}

static double
heavy_weibull_cdf (double x)
{
  return 1 - exp (-pow (x / 1e9, 0.7));
}

static SimDist
make_constant (void)
{
  return sim_dist_constant (MEAN);
}

#define CASES 7
static Case
case_at (int i)
{
  double s2 = 0.25; /* sigma^2 of the lognormal */
  double g1 = tgamma (1 + 1 / 0.7), g2 = tgamma (1 + 2 / 0.7);
  const Case cases[CASES] = {
    { "constant", make_constant, 1e9, 0, NULL },
    { "uniform", make_uniform, 2e9, 4e18 / 12, uniform_cdf },
    { "exponential", make_exponential, 1e9, 1e18, exponential_cdf },
    { "lognormal", make_lognormal, 1e9 * exp (s2 / 2), 1e18 * expm1 (s2) * exp (s2),
      lognormal_cdf },
    { "erlang", make_erlang, 1e9, 1e18 / 3, erlang_cdf },
    { "weibull", make_weibull, 1e9 * sqrt (G_PI) / 2, 1e18 * (1 - G_PI / 4), weibull_cdf },
    { "heavy weibull", make_heavy_weibull, 1e9 * g1, 1e18 * (g2 - g1 * g1), heavy_weibull_cdf },
  };

  return cases[i];
}

START_TEST (stated_moments)
{
  Case c = case_at (_i);
  SimDist dist = c.make ();

  ck_assert_double_le (fabs (sim_dist_mean (&dist) - c.mean), 1e-12 * c.mean);
  ck_assert_double_le (fabs (sim_dist_variance (&dist) - c.variance), 1e-12 * c.variance);
}
END_TEST

START_TEST (sampled_moments)
{
  Case c = case_at (_i);
  SimDist dist = c.make ();
  SimStream stream = test_stream (c.name);
  double sum = 0, m2 = 0, m4 = 0;

  for (int i = 0; i < N; i++) {
    double d = (double) sim_dist_sample (&dist, &stream) - c.mean;
    sum += d;
    m2 += d * d;
    m4 += d * d * d * d;
  }
  ck_assert_double_le (fabs (sum / N), 3.29 * sqrt (c.variance / N));
  ck_assert_double_le (fabs (m2 / N - c.variance),
                       3.29 * sqrt ((m4 / N - c.variance * c.variance) / N));
}
END_TEST

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const SimTime *x = a;
  const SimTime *y = b;

  return (*x > *y) - (*x < *y);
}

/* Kolmogorov-Smirnov, and the quantiles at 1, 50 and 99 % by the share below them. */
START_TEST (shape)
{
  Case c = case_at (_i);
  SimDist dist = c.make ();
  SimStream stream = test_stream (c.name);
  SimTime *x = g_new (SimTime, N);
  double distance = 0;
  guint below[3] = { 0 };
  static const double levels[3] = { 0.01, 0.5, 0.99 };

  for (int i = 0; i < N; i++)
    x[i] = sim_dist_sample (&dist, &stream);
  qsort (x, N, sizeof *x, compare_times);
  for (int i = 0; i < N; i++) {
    double p = c.cdf ((double) x[i]);
    distance = MAX (distance, MAX (p - (double) i / N, (double) (i + 1) / N - p));
    for (guint k = 0; k < 3; k++)
      below[k] += p <= levels[k];
  }
  ck_assert_msg (distance < 1.628 / sqrt (N), "%s: D sqrt n = %g", c.name, distance * sqrt (N));
  for (guint k = 0; k < 3; k++)
    ck_assert_double_le (fabs (below[k] - N * levels[k]),
                         3.29 * sqrt (N * levels[k] * (1 - levels[k])));
  g_free (x);
}
END_TEST

/* One draw a sample, and the sample is the quantile of that draw (or of 1 - draw). */
START_TEST (by_inversion)
{
  Case c = case_at (_i);
  SimDist dist = c.make ();
  SimStream stream = test_stream (c.name);
  gboolean upper = dist.kind == SIM_DIST_EXPONENTIAL || dist.kind == SIM_DIST_WEIBULL;

  if (dist.kind == SIM_DIST_ERLANG)
    return;
  for (int i = 0; i < 10000; i++) {
    SimStream copy = stream;
    double u = sim_stream_unit_open (&copy);
    double p = c.cdf ((double) sim_dist_sample (&dist, &stream));
    ck_assert_uint_eq (stream.state, copy.state);
    ck_assert_double_le (fabs (p - (upper ? 1 - u : u)), 1e-8); /* 1e-9 of rounding in x */
  }
}
END_TEST

START_TEST (erlang_is_a_sum)
{
  SimDist erlang = sim_dist_erlang (4 * MEAN, 4);
  SimDist one = sim_dist_erlang (MEAN, 1);
  SimDist exponential = sim_dist_exponential (MEAN);
  SimStream stream = test_stream ("sum");

  for (int i = 0; i < 1000; i++) {
    SimStream copy = stream;
    SimTime sum = 0;
    for (int k = 0; k < 4; k++) {
      SimStream single = copy;
      SimTime phase = sim_dist_sample (&exponential, &copy);
      ck_assert_int_eq (sim_dist_sample (&one, &single), phase);
      sum += phase;
    }
    SimTime difference = sim_dist_sample (&erlang, &stream) - sum;
    ck_assert (difference >= -3 && difference <= 3); /* the sum was rounded 4 times */
    ck_assert_uint_eq (stream.state, copy.state);
  }
}
END_TEST

START_TEST (constant_draws_nothing)
{
  SimDist dist = sim_dist_constant (1234567);
  SimStream stream = test_stream ("constant");
  SimStream copy = stream;

  ck_assert_int_eq (sim_dist_sample (&dist, &stream), 1234567);
  ck_assert_uint_eq (stream.state, copy.state);
}
END_TEST

/* Uniform over [0, 3] ns, rounded: the ends get half as much as the middle. */
START_TEST (rounds_to_the_nearest)
{
  static const double share[4] = { 1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0 };
  SimDist dist = sim_dist_uniform (0, 3);
  SimStream stream = test_stream ("round");
  double counts[4] = { 0 };

  for (int i = 0; i < N; i++) {
    SimTime x = sim_dist_sample (&dist, &stream);
    ck_assert (x >= 0 && x <= 3);
    counts[x]++;
  }
  for (int i = 0; i < 4; i++)
    ck_assert_double_le (fabs (counts[i] - N * share[i]),
                         3.29 * sqrt (N * share[i] * (1 - share[i])));
}
END_TEST

START_TEST (edges)
{
  SimDist dist;
  SimStream stream = test_stream ("edges");

  for (int i = 0; i < 1000; i++) {
    dist = sim_dist_exponential (0);
    ck_assert_int_eq (sim_dist_sample (&dist, &stream), 0);
    dist = sim_dist_uniform (5, 5);
    ck_assert_int_eq (sim_dist_sample (&dist, &stream), 5);
    dist = sim_dist_lognormal (SIM_MS (3), 0);
    ck_assert_int_eq (sim_dist_sample (&dist, &stream), SIM_MS (3));
    dist = sim_dist_lognormal (0, 1000);
    ck_assert_int_eq (sim_dist_sample (&dist, &stream), 0);
    dist = sim_dist_constant (SIM_TIME_NEVER);
    ck_assert_int_eq (sim_dist_sample (&dist, &stream), SIM_TIME_NEVER);
    dist = sim_dist_exponential (SIM_TIME_NEVER / 2);
    SimTime x = sim_dist_sample (&dist, &stream);
    ck_assert_int_ge (x, 0);
    dist = sim_dist_lognormal (SIM_S (1), 1e6); /* either next to nothing or for ever */
    x = sim_dist_sample (&dist, &stream);
    ck_assert (x < SIM_MS (1) || x == SIM_TIME_NEVER);
  }
}
END_TEST

/* ----- empirical ----- */

START_TEST (empirical_table)
{
  static const SimTime values[] = { 50, 10, 30, 10, 20 };
  static const double weights[] = { 1, 2, 0.5, 1, 0.5 };
  SimEmpirical *table = sim_empirical_new (values, weights, 5);
  SimDist dist = sim_dist_empirical (table);
  SimStream stream = test_stream ("empirical");
  static const SimTime sorted[] = { 10, 20, 30, 50 };
  static const double share[] = { 0.6, 0.1, 0.1, 0.2 };
  double counts[4] = { 0 };
  double sum = 0;

  ck_assert_uint_eq (table->n, 4);
  for (guint i = 0; i < 4; i++) {
    sum += share[i];
    ck_assert_int_eq (table->values[i], sorted[i]);
    ck_assert_double_le (fabs (table->cumulative[i] - sum), 1e-15);
  }
  ck_assert (table->cumulative[3] == 1);
  ck_assert_double_le (fabs (sim_dist_mean (&dist) - 21), 1e-12);
  ck_assert_double_le (fabs (sim_dist_variance (&dist) - (690 - 441)), 1e-11);

  for (int i = 0; i < N; i++) {
    SimStream copy = stream;
    double u = sim_stream_unit (&copy);
    SimTime x = sim_dist_sample (&dist, &stream);
    ck_assert_uint_eq (stream.state, copy.state);
    guint k = 0; /* the first value whose cumulative weight exceeds u */
    while (table->cumulative[k] <= u)
      k++;
    ck_assert_int_eq (x, sorted[k]);
    counts[k]++;
  }
  for (guint k = 0; k < 4; k++)
    ck_assert_double_le (fabs (counts[k] - N * share[k]),
                         3.29 * sqrt (N * share[k] * (1 - share[k])));
  sim_empirical_free (table);
}
END_TEST

/* The same table whatever the order, to the last bit; one value is a constant. */
START_TEST (empirical_order)
{
  SimTime values[200];
  double weights[200];
  SimStream stream = test_stream ("order");

  for (guint i = 0; i < 200; i++) {
    values[i] = (SimTime) sim_stream_below (&stream, 50);
    weights[i] = sim_stream_unit_open (&stream);
  }
  SimEmpirical *table = sim_empirical_new (values, weights, 200);
  for (guint i = 199; i > 0; i--) {
    guint k = (guint) sim_stream_below (&stream, i + 1);
    SimTime value = values[i];
    double weight = weights[i];
    values[i] = values[k], values[k] = value;
    weights[i] = weights[k], weights[k] = weight;
  }
  SimEmpirical *shuffled = sim_empirical_new (values, weights, 200);
  ck_assert_uint_eq (table->n, shuffled->n);
  for (guint i = 0; i < table->n; i++) {
    ck_assert_int_eq (table->values[i], shuffled->values[i]);
    ck_assert (table->cumulative[i] == shuffled->cumulative[i]);
  }
  sim_empirical_free (shuffled);
  sim_empirical_free (table);

  table = sim_empirical_new (&(SimTime) { 7 }, &(double) { 0.1 }, 1);
  SimDist dist = sim_dist_empirical (table);
  for (int i = 0; i < 100; i++)
    ck_assert_int_eq (sim_dist_sample (&dist, &stream), 7);
  ck_assert_double_le (sim_dist_variance (&dist), 0);
  sim_empirical_free (table);
}
END_TEST

/* A draw of exactly one half, where the first of two equal weights ends. */
START_TEST (empirical_boundary)
{
  static const SimTime values[] = { 1, 2 };
  static const double weights[] = { 1, 1 };
  SimEmpirical *table = sim_empirical_new (values, weights, 2);
  SimDist dist = sim_dist_empirical (table);
  SimStream stream = { .state = G_GUINT64_CONSTANT (0xce256ba94d67d159), .gamma = 1 };
  SimStream copy = stream;

  ck_assert (sim_stream_unit (&copy) == 0.5);
  ck_assert_int_eq (sim_dist_sample (&dist, &stream), 2);
  sim_empirical_free (table);
}
END_TEST

START_TEST (bad_parameters_abort)
{
  const SimTime value = 1;
  const double weight = 0;

  switch (_i) {
  case 0: sim_dist_constant (-1); break;
  case 1: sim_dist_uniform (2, 1); break;
  case 2: sim_dist_uniform (-1, 1); break;
  case 3: sim_dist_exponential (-1); break;
  case 4: sim_dist_lognormal (1, -1); break;
  case 5: sim_dist_lognormal (1, NAN); break;
  case 6: sim_dist_erlang (1, 0); break;
  case 7: sim_dist_weibull (1, 0); break;
  case 8: sim_empirical_new (&value, &weight, 1); break;
  case 9: sim_empirical_new (&value, &weight, 0); break;
  }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim_dist");
  TCase *tc = tcase_create ("dist");

  tcase_set_timeout (tc, 60);
  tcase_add_loop_test (tc, stated_moments, 0, CASES);
  tcase_add_loop_test (tc, sampled_moments, 0, CASES);
  tcase_add_loop_test (tc, shape, 1, CASES);
  tcase_add_loop_test (tc, by_inversion, 1, CASES);
  tcase_add_test (tc, erlang_is_a_sum);
  tcase_add_test (tc, constant_draws_nothing);
  tcase_add_test (tc, rounds_to_the_nearest);
  tcase_add_test (tc, edges);
  tcase_add_test (tc, empirical_table);
  tcase_add_test (tc, empirical_order);
  tcase_add_test (tc, empirical_boundary);
  tcase_add_loop_test_raise_signal (tc, bad_parameters_abort, SIGABRT, 0, 10);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}

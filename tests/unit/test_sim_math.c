/* Elementary functions against libm, and bit for bit against known answers. */
#include "sim_math.h"

#include <float.h>
#include <string.h>

#include "test_sim.h"

#define TOLERANCE 1e-14L

static double
double_from_bits (guint64 bits)
{
  double x;

  memcpy (&x, &bits, sizeof x);
  return x;
}

static guint64
bits_of (double x)
{
  guint64 bits;

  memcpy (&bits, &x, sizeof bits);
  return bits;
}

static void
assert_close (double x, long double exact, const char *what, double argument)
{
  long double error = x == exact ? 0 : fabsl ((x - exact) / exact);

  ck_assert_msg (error < TOLERANCE, "%s (%a): %a, error %Lg", what, argument, x, error);
}

/* Any positive normal or subnormal number, all exponents alike. */
static double
any_positive (SimStream *stream)
{
  for (;;) {
    double x = double_from_bits (sim_stream_next (stream) >> 1);
    if (x > 0 && x <= DBL_MAX)
      return x;
  }
}

/* In (-1, 1), mostly near 0: sizes from 2^-60 to 1. */
static double
any_small (SimStream *stream)
{
  double x = ldexp (sim_stream_unit_open (stream), -(int) sim_stream_below (stream, 60));

  return sim_stream_chance (stream, 0.5) ? x : -x;
}

/* ----- log ----- */

START_TEST (log_against_libm)
{
  SimStream stream = test_stream ("log");

  for (int i = 0; i < 300000; i++) {
    double x = any_positive (&stream);
    assert_close (sim_log (x), logl (x), "log", x);
    x = 1 + any_small (&stream);
    assert_close (sim_log (x), logl (x), "log", x);
    x = sim_stream_unit_open (&stream);
    assert_close (sim_log (x), logl (x), "log", x);
  }
  for (int e = -1074; e <= 1023; e++) { /* both sides of each power of two and of its root */
    double points[] = { ldexp (1, e), nextafter (ldexp (1, e), 0),
                        nextafter (ldexp (G_SQRT2, e), 0), ldexp (G_SQRT2, e) };
    for (guint i = 0; i < G_N_ELEMENTS (points); i++) {
      if (points[i] > 0)
        assert_close (sim_log (points[i]), logl (points[i]), "log", points[i]);
    }
  }
}
END_TEST

START_TEST (log_edges)
{
  ck_assert (sim_log (1) == 0);
  assert_close (sim_log (DBL_MAX), logl (DBL_MAX), "log", DBL_MAX);
  assert_close (sim_log (DBL_MIN), logl (DBL_MIN), "log", DBL_MIN);
  assert_close (sim_log (0x1p-1074), logl (0x1p-1074), "log", 0x1p-1074);
  assert_close (sim_log (1 + DBL_EPSILON), logl (1 + DBL_EPSILON), "log", 1 + DBL_EPSILON);
  assert_close (sim_log (1 - DBL_EPSILON / 2), logl (1 - DBL_EPSILON / 2), "log", 1);
}
END_TEST

START_TEST (outside_the_domain_aborts)
{
  switch (_i) {
  case 0: sim_log (0); break;
  case 1: sim_log (-1); break;
  case 2: sim_log (NAN); break;
  case 3: sim_log (HUGE_VAL); break;
  case 4: sim_exp (NAN); break;
  case 5: sim_pow (0, 2); break;
  case 6: sim_pow (2, NAN); break;
  case 7: sim_gamma (0); break;
  case 8: sim_normal_quantile (0); break;
  case 9: sim_normal_quantile (1); break;
  case 10: sim_normal_quantile (NAN); break;
  }
}
END_TEST

/* ----- exp ----- */

START_TEST (exp_against_libm)
{
  SimStream stream = test_stream ("exp");

  for (int i = 0; i < 300000; i++) {
    double x = -708.3 + (708.3 + 709.78) * sim_stream_unit (&stream);
    assert_close (sim_exp (x), expl (x), "exp", x);
    x = any_small (&stream);
    assert_close (sim_exp (x), expl (x), "exp", x);
  }
  for (int n = -1021; n < 1024; n++) { /* the reduced argument changes sign of its error */
    double x = (n + 0.5) * G_LN2;
    assert_close (sim_exp (x), expl (x), "exp", x);
    assert_close (sim_exp (nextafter (x, 0)), expl (nextafter (x, 0)), "exp", x);
  }
}
END_TEST

/* Below the normal numbers the last unit is all there is. */
START_TEST (exp_subnormal)
{
  SimStream stream = test_stream ("subnormal");

  for (int i = 0; i < 20000; i++) {
    double x = -708.3 - 38 * sim_stream_unit (&stream);
    ck_assert_double_le (fabs (sim_exp (x) - exp (x)), 0x1p-1074 + exp (x) * 1e-14);
  }
}
END_TEST

START_TEST (exp_edges)
{
  ck_assert (sim_exp (0) == 1);
  ck_assert (sim_exp (-0.0) == 1);
  ck_assert (sim_exp (DBL_MIN) == 1);
  ck_assert (sim_exp (HUGE_VAL) == HUGE_VAL);
  ck_assert (sim_exp (DBL_MAX) == HUGE_VAL);
  ck_assert (sim_exp (709.79) == HUGE_VAL);
  ck_assert (sim_exp (711) == HUGE_VAL);
  assert_close (sim_exp (709.782712893383), expl (709.782712893383), "exp", 709.782712893383);
  ck_assert (sim_exp (-HUGE_VAL) == 0);
  ck_assert (sim_exp (-DBL_MAX) == 0);
  ck_assert (sim_exp (-745.2) == 0);
  ck_assert (sim_exp (-745.1) == 0x1p-1074);
}
END_TEST

/* ----- pow ----- */

START_TEST (pow_against_libm)
{
  SimStream stream = test_stream ("pow");

  for (int i = 0; i < 300000; i++) {
    double x = i % 2 == 0 ? any_positive (&stream) : 1 + any_small (&stream);
    if (x == 1)
      continue;
    double y = (-708 + 1417 * sim_stream_unit (&stream)) / log (x); /* the result is normal */
    assert_close (sim_pow (x, y), powl (x, y), "pow", x);
    y = 20 * any_small (&stream);
    if (fabs (y * log (x)) < 700)
      assert_close (sim_pow (x, y), powl (x, y), "pow", x);
  }
}
END_TEST

START_TEST (pow_edges)
{
  ck_assert (sim_pow (1, 1e300) == 1);
  ck_assert (sim_pow (1, HUGE_VAL) == 1);
  ck_assert (sim_pow (5, 0) == 1);
  ck_assert (sim_pow (2, 1024) == HUGE_VAL);
  ck_assert (sim_pow (0.5, 1e300) == 0);
  ck_assert (sim_pow (0.5, -1e300) == HUGE_VAL);
  ck_assert (sim_pow (0.5, HUGE_VAL) == 0);
  ck_assert (sim_pow (DBL_MAX, 1e300) == HUGE_VAL);
  ck_assert (sim_pow (0x1p-1074, 1e-300) == 1);
  ck_assert (fabs (sim_pow (1 + DBL_EPSILON, 0x1p52) - G_E) < 1e-14);
  for (int n = -1000; n <= 1000; n++) /* as doubling intervals use it */
    assert_close (sim_pow (2, n), ldexpl (1, n), "pow", n);
}
END_TEST

/* ----- gamma and the normal quantile ----- */

START_TEST (gamma_against_libm)
{
  SimStream stream = test_stream ("gamma");
  long double factorial = 1;

  for (int n = 1; n <= 170; n++) {
    assert_close (sim_gamma (n), factorial, "gamma", n);
    factorial *= n;
  }
  ck_assert (sim_gamma (172) == HUGE_VAL);
  ck_assert (sim_gamma (1e300) == HUGE_VAL);
  assert_close (sim_gamma (0.5), sqrtl (acosl (-1)), "gamma", 0.5);
  for (int i = 0; i < 50000; i++) {
    double x = 171.6 * sim_stream_unit_open (&stream);
    assert_close (sim_gamma (x), tgammal (x), "gamma", x);
    x = fabs (any_small (&stream));
    assert_close (sim_gamma (x), tgammal (x), "gamma", x);
  }
}
END_TEST

/* By the residual: x is off by (Phi (x) - p) / phi (x). */
static void
assert_quantile (double p)
{
  double x = sim_normal_quantile (p);
  long double density = expl (-(long double) x * x / 2) / sqrtl (2 * acosl (-1));
  long double residual;

  if (fabs (p - 0.5) < 0.25)
    residual = erfl (x / sqrtl (2)) / 2 - (p - 0.5L);
  else if (p < 0.5)
    residual = erfcl (-x / sqrtl (2)) / 2 - p;
  else
    residual = (1 - (long double) p) - erfcl (x / sqrtl (2)) / 2;
  long double error = residual == 0 ? 0 : fabsl (residual / density / x);
  ck_assert_msg (error < TOLERANCE, "quantile (%a): %a, error %Lg", p, x, error);
}

START_TEST (normal_quantile)
{
  SimStream stream = test_stream ("quantile");

  ck_assert (sim_normal_quantile (0.5) == 0);
  for (int i = 0; i < 100000; i++) {
    double p = sim_stream_unit_open (&stream);
    assert_quantile (p);
    assert_quantile (ldexp (p, -(int) sim_stream_below (&stream, 1020)));
    assert_quantile (0.5 + any_small (&stream) / 2);
    ck_assert (sim_normal_quantile (1 - p) == -sim_normal_quantile (1 - (1 - p)));
  }
  static const double points[] = { 0x1p-1074, DBL_MIN, 0x1p-53, 1.3887943864964021e-11, 0.075,
                                   0.925, 1 - 0x1p-53 };
  for (guint i = 0; i < G_N_ELEMENTS (points); i++) {
    assert_quantile (points[i]);
    assert_quantile (nextafter (points[i], 0.5));
  }
  /* Tables: 97.5 % and 99.5 %. */
  ck_assert (fabs (sim_normal_quantile (0.975) - 1.959963984540054) < 1e-14);
  ck_assert (fabs (sim_normal_quantile (0.995) - 2.575829303548901) < 1e-14);
}
END_TEST

/* ----- the same bits with every compiler ----- */

/* The expected hashes come from a transcription of the functions into another language
 * with IEEE doubles, run over the same grid. */
typedef struct {
  const char *name;
  double (*value) (double u, int e);
  guint64 hash;
} KnownHash;

static double
log_value (double u, int e)
{
  return sim_log (ldexp (1 + u, e));
}

static double
exp_value (double u, int e)
{
  return sim_exp (u * e);
}

static double
pow_value (double u, int e)
{
  return sim_pow (1 + u, e * 0.7);
}

static double
gamma_value (double u, int e)
{
  return sim_gamma ((e + 701) * 0.12 + u);
}

static double
quantile_value (double u, int e)
{
  return sim_normal_quantile (e < 0 ? ldexp (0.5 + u / 2, e) : u / 2 + 0x1p-30 + e / 2048.0);
}

static const KnownHash known_hashes[] = {
  { "log", log_value, 0x086433948eb42da4 },
  { "exp", exp_value, 0x48916e7dd53c0ceb },
  { "pow", pow_value, 0x08ef76efcc8d489b },
  { "gamma", gamma_value, 0x55ae79eb6301ad65 },
  { "quantile", quantile_value, 0xcf4b2d58df64ac8c },
};

START_TEST (known_bits)
{
  const KnownHash *known = &known_hashes[_i];
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);

  for (int e = -700; e <= 700; e += 7) {
    for (int k = 0; k < 101; k++) {
      double u = k * (1.0 / 101);
      hash = (hash ^ bits_of (known->value (u, e))) * G_GUINT64_CONSTANT (0x100000001b3);
      hash ^= hash >> 29;
    }
  }
  ck_assert_msg (hash == known->hash, "%s: 0x%016" G_GINT64_MODIFIER "x", known->name, hash);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim_math");
  TCase *tc = tcase_create ("math");

  tcase_set_timeout (tc, 120);
  tcase_add_test (tc, log_against_libm);
  tcase_add_test (tc, log_edges);
  tcase_add_test (tc, exp_against_libm);
  tcase_add_test (tc, exp_subnormal);
  tcase_add_test (tc, exp_edges);
  tcase_add_test (tc, pow_against_libm);
  tcase_add_test (tc, pow_edges);
  tcase_add_test (tc, gamma_against_libm);
  tcase_add_test (tc, normal_quantile);
  tcase_add_loop_test (tc, known_bits, 0, G_N_ELEMENTS (known_hashes));
  tcase_add_loop_test_raise_signal (tc, outside_the_domain_aborts, SIGABRT, 0, 11);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}

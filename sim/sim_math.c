/* Elementary functions in plain IEEE arithmetic.
 *
 * log: x = 2^k m with m in [sqrt(1/2), sqrt(2)), and with s = (m - 1) / (m + 1)
 * log m = 2 atanh s = 2 s + s^3 (2/3 + 2/5 s^2 + ...).
 * exp: x = k log 2 + r with |r| <= log(2) / 2, and Taylor's series of r.
 * pow: the logarithm in two doubles, because the error of y log x is an absolute one
 * and becomes the relative one of the result. */
#include "sim_math.h"

#include <math.h>
#include <string.h>

#include <glib.h>

/* log 2 in two parts: the first has 42 bits, so its product with an exponent is exact. */
#define LN2_HIGH 0x1.62e42fefa3800p-1
#define LN2_LOW 0x1.ef35793c76730p-45
#define INVERSE_LN2 0x1.71547652b82fep+0

/* Adding this leaves no bits for a fraction: the sum is rounded to an integer. */
#define TO_INTEGER 0x1.8p52

#define EXPONENT_BIAS 1023
#define MANTISSA_BITS 52
#define SQRT_HALF_BITS G_GUINT64_CONSTANT (0x3fe6a09e667f3bcd)

/* 2^n for a normal result. */
static inline double
power_of_two (int n)
{
  guint64 bits = (guint64) (n + EXPONENT_BIAS) << MANTISSA_BITS;
  double x;

  memcpy (&x, &bits, sizeof x);
  return x;
}

/* Splits x = 2^k m with m in [sqrt(1/2), sqrt(2)); returns m.  Counted from the bits of
 * sqrt(1/2), the exponent field says k: no branch on the mantissa, which is as good as
 * random. */
static inline double
split (double x, int *ret_k)
{
  guint64 bits, above;
  int shift = 0;

  g_assert (x > 0 && x <= G_MAXDOUBLE);
  if (G_UNLIKELY (x < G_MINDOUBLE)) { /* subnormal */
    x *= 0x1p54;
    shift = 54;
  }
  memcpy (&bits, &x, sizeof bits);
  above = bits - SQRT_HALF_BITS;
  *ret_k = (int) ((gint64) above >> MANTISSA_BITS) - shift;
  bits -= above >> MANTISSA_BITS << MANTISSA_BITS;
  memcpy (&x, &bits, sizeof x);
  return x;
}

/* 2 atanh s - 2 s for |s| <= 0.1716; the first term left out is below 1e-18 of the
 * sum.  Two chains, which the processor works on at once. */
static inline double
log_tail (double s)
{
  double z = s * s;
  double w = z * z;
  double even = 2.0 / 3 + w * (2.0 / 7 + w * (2.0 / 11 + w * (2.0 / 15 + w * (2.0 / 19))));
  double odd = 2.0 / 5 + w * (2.0 / 9 + w * (2.0 / 13 + w * (2.0 / 17 + w * (2.0 / 21))));

  return s * z * (even + z * odd);
}

double
sim_log (double x)
{
  int k;
  double m = split (x, &k);
  double s = (m - 1) / (m + 1);

  return k * LN2_HIGH + (2 * s + (k * LN2_LOW + log_tail (s)));
}

/* exp (x + tail) for a tail that is small against 1. */
static inline double
exp_sum (double x, double tail)
{
  if (x > 710)
    return HUGE_VAL;
  if (x < -746)
    return 0;
  g_assert (x == x);

  double whole = (x * INVERSE_LN2 + TO_INTEGER) - TO_INTEGER;
  int k = (int) whole;
  double r = ((x - whole * LN2_HIGH) - whole * LN2_LOW) + tail;
  double z = r * r;
  /* (e^r - 1 - r) / r^2, Taylor's terms up to r^13: the next one is below 1e-17. */
  double even = 1.0 / 2 + z * (1.0 / 24 + z * (1.0 / 720 + z * (1.0 / 40320 +
                z * (1.0 / 3628800 + z * (1.0 / 479001600)))));
  double odd = 1.0 / 6 + z * (1.0 / 120 + z * (1.0 / 5040 + z * (1.0 / 362880 +
               z * (1.0 / 39916800 + z * (1.0 / 6227020800)))));
  double value = 1 + (r + z * (even + r * odd));

  /* In two steps: 2^k itself may be beyond the normal numbers, where only the last
   * multiplication may round. */
  return value * power_of_two (k / 2) * power_of_two (k - k / 2);
}

double
sim_exp (double x)
{
  return exp_sum (x, 0);
}

/* The rounding error of the product a b, exactly (Dekker 1971; Veltkamp's splitting). */
static double
product_error (double a, double b, double product)
{
  double a_scaled = a * 0x1.0000002p27;
  double a_high = a_scaled - (a_scaled - a);
  double a_low = a - a_high;
  double b_scaled = b * 0x1.0000002p27;
  double b_high = b_scaled - (b_scaled - b);
  double b_low = b - b_high;

  return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
}

/* log x as high + low, with about 60 bits. */
static double
log_two_parts (double x, double *ret_low)
{
  int k;
  double m = split (x, &k);
  double f = m - 1; /* exact */
  double d = m + 1;
  double d_low = m < 1 ? m - (d - 1) : 1 - (d - m); /* d + d_low = m + 1 */
  double s = f / d;
  double product = s * d;
  double s_low = ((f - product) - product_error (s, d, product) - s * d_low) / d;
  double a = k * LN2_HIGH; /* exact */
  double b = 2 * s;
  double high = a + b;
  double rest = k != 0 ? b - (high - a) : 0; /* |a| > |b| unless k is 0 */
  double low = rest + (2 * s_low + (k * LN2_LOW + log_tail (s)));

  *ret_low = low - ((high + low) - high);
  return high + low;
}

double
sim_pow (double x, double y)
{
  double low;
  double high = log_two_parts (x, &low);
  double product = y * high;

  if (high == 0)
    return 1; /* x is 1, whatever y is */
  if (!(product > -800 && product < 800))
    return sim_exp (product);
  return exp_sum (product, product_error (y, high, product) + y * low);
}

/* Stirling's series from 16 on; the recurrence takes smaller arguments there. */
double
sim_gamma (double x)
{
  double shifted = x;
  double divisor = 1;

  g_assert (x > 0);
  if (x > 172) /* gamma (171.63) is the greatest double */
    return HUGE_VAL;
  for (; shifted < 16; shifted += 1)
    divisor *= shifted;

  double v = 1 / shifted;
  double z = v * v;
  double series = v * (1.0 / 12 + z * (-1.0 / 360 + z * (1.0 / 1260 + z * (-1.0 / 1680 +
                  z * (1.0 / 1188 + z * (-691.0 / 360360))))));
  double root = sim_pow (shifted, (shifted - 0.5) / 2); /* the power itself may overflow */
  return sqrt (2 * G_PI) * (root * exp_sum (-shifted, series) * root) / divisor;
}

/* (n[0] + n[1] r + ... + n[7] r^7) / (d[0] + ... + d[7] r^7) */
static double
ratio (const double n[8], const double d[8], double r)
{
  double numerator = n[7];
  double denominator = d[7];

  for (int i = 6; i >= 0; i--) {
    numerator = numerator * r + n[i];
    denominator = denominator * r + d[i];
  }
  return numerator / denominator;
}

/* Algorithm AS 241, routine PPND16: three rational approximations, for the middle, for
 * the tails, and for the far tails beyond exp (-25).  The numbers are the published
 * ones. */
double
sim_normal_quantile (double p)
{
  static const double middle[2][8] = {
    { 3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
      1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
      3.3430575583588128105e4, 2.5090809287301226727e3 },
    { 1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247510770e3,
      2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
      5.2264952788528545610e3 },
  };
  static const double tail[2][8] = {
    { 1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
      3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
      2.27238449892691845833e-2, 7.74545014278341407640e-4 },
    { 1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
      1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
      1.05075007164441684324e-9 },
  };
  static const double far_tail[2][8] = {
    { 6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
      2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
      2.71155556874348757815e-5, 2.01033439929228813265e-7 },
    { 1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
      7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
      2.04426310338993978564e-15 },
  };
  double q = p - 0.5;

  g_assert (p > 0 && p < 1);
  if (q > -0.425 && q < 0.425)
    return q * ratio (middle[0], middle[1], 0.180625 - q * q);

  double r = sqrt (-sim_log (q < 0 ? p : 1 - p));
  double x = r <= 5 ? ratio (tail[0], tail[1], r - 1.6) : ratio (far_tail[0], far_tail[1], r - 5);
  return q < 0 ? -x : x;
}

/* Histogram with constant relative error.
 *
 * Buckets are numbered so that each power of two 2^e with e >= SIM_HISTOGRAM_BITS takes
 * SPLIT of them, 2^(e - SIM_HISTOGRAM_BITS) wide; the numbers below SPLIT have one
 * each and come first, and bucket numbers grow with the values. */
#include "sim_stats.h"

#include <string.h>

#define SPLIT (1u << SIM_HISTOGRAM_BITS)
#define BUCKETS ((64 - SIM_HISTOGRAM_BITS + 1) * SPLIT)

struct SimHistogram {
  guint64 n;
  guint64 counts[BUCKETS];
};

static guint
bucket_of (guint64 value)
{
  if (value < SPLIT)
    return (guint) value;
  guint shift = 63u - (guint) __builtin_clzll (value) - SIM_HISTOGRAM_BITS;
  return shift * SPLIT + (guint) (value >> shift);
}

/* The greatest value of a bucket. */
static guint64
bucket_bound (guint bucket)
{
  if (bucket < SPLIT)
    return bucket;
  guint shift = bucket / SPLIT - 1;
  guint64 mantissa = bucket % SPLIT + SPLIT;
  return ((mantissa + 1) << shift) - 1; /* of the last bucket 2^64 - 1, by wrapping */
}

SimHistogram *
sim_histogram_new (void)
{
  return g_new0 (SimHistogram, 1);
}

void
sim_histogram_free (SimHistogram *histogram)
{
  g_free (histogram);
}

void
sim_histogram_reset (SimHistogram *histogram)
{
  memset (histogram, 0, sizeof *histogram);
}

void
sim_histogram_add (SimHistogram *histogram, guint64 value)
{
  histogram->counts[bucket_of (value)]++;
  histogram->n++;
}

void
sim_histogram_merge (SimHistogram *histogram, const SimHistogram *other)
{
  for (guint i = 0; i < BUCKETS; i++)
    histogram->counts[i] += other->counts[i];
  histogram->n += other->n;
}

guint64
sim_histogram_count (const SimHistogram *histogram)
{
  return histogram->n;
}

/* ceil (q n), at least 1.  A product within rounding error of a whole number is that
 * number: 0.07 times 100 is 7, not 8. */
static guint64
rank_of (double q, guint64 n)
{
  double product = q * (double) n;
  guint64 rank = (guint64) product;

  if (product - (double) rank > product * 1e-15)
    rank++;
  return CLAMP (rank, 1, n);
}

guint64
sim_histogram_quantile (const SimHistogram *histogram, double q)
{
  g_assert (q >= 0 && q <= 1);
  if (histogram->n == 0)
    return 0;

  guint64 rank = rank_of (q, histogram->n);
  guint64 below = 0;
  guint bucket = 0;
  while ((below += histogram->counts[bucket]) < rank)
    bucket++;
  return bucket_bound (bucket);
}

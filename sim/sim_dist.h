/* Distributions of non-negative durations, in nanoseconds.
 *
 * Every sample is drawn by inversion of one uniform number (constant: none; Erlang:
 * k of them), through sim_math.h, and rounded to the nearest nanosecond; a sample
 * beyond SIM_TIME_NEVER saturates.  Parameters are doubles: times above 2^53 ns (104
 * days) lose their last digits. */
#pragma once

#include "sim_rng.h"
#include "sim_time.h"

typedef enum {
  SIM_DIST_CONSTANT,    /* value */
  SIM_DIST_UNIFORM,     /* low, high */
  SIM_DIST_EXPONENTIAL, /* mean */
  SIM_DIST_LOGNORMAL,   /* median, sigma (of the logarithm) */
  SIM_DIST_ERLANG,      /* mean of the sum, k phases */
  SIM_DIST_WEIBULL,     /* scale, shape */
  SIM_DIST_EMPIRICAL,   /* table of (value, weight): piecewise constant */
} SimDistKind;

typedef struct {
  SimTime *values;    /* n, strictly increasing */
  double *cumulative; /* n, ends with exactly 1.0 */
  guint n;
} SimEmpirical;

typedef struct {
  SimDistKind kind;
  double a;            /* first parameter of the list above; times in ns */
  double b;            /* second parameter, or 0 */
  const SimEmpirical *table; /* borrowed; EMPIRICAL only */
} SimDist;

/* Times >= 0, low <= high, sigma >= 0, k >= 1, shape > 0. */
SimDist sim_dist_constant (SimTime value);
SimDist sim_dist_uniform (SimTime low, SimTime high);
SimDist sim_dist_exponential (SimTime mean);
SimDist sim_dist_lognormal (SimTime median, double sigma);
SimDist sim_dist_erlang (SimTime mean, guint k);
SimDist sim_dist_weibull (SimTime scale, double shape);
SimDist sim_dist_empirical (const SimEmpirical *table);

/* values need not be sorted; equal values are merged.  weights > 0, n > 0. */
SimEmpirical *sim_empirical_new (const SimTime *values, const double *weights, guint n);
void sim_empirical_free (SimEmpirical *table);

SimTime sim_dist_sample (const SimDist *dist, SimStream *stream);
SimTime sim_dist_draw_resting (const SimDist *dist, SimStreamKey key, guint64 index,
                               guint64 *rest); /* private */

/* The same from a stream that rests, see sim_stream_wake().  What is constant draws nothing. */
static inline SimTime
sim_dist_sample_resting (const SimDist *dist, SimStreamKey key, guint64 index, guint64 *rest)
{
  if (dist->kind == SIM_DIST_CONSTANT && dist->a < 0x1p63)
    return (SimTime) dist->a;
  return sim_dist_draw_resting (dist, key, index, rest);
}

/* Of the distribution before rounding to nanoseconds. */
double sim_dist_mean (const SimDist *dist);     /* ns */
double sim_dist_variance (const SimDist *dist); /* ns^2 */

/* Statistics kept in their owner: tally, time-weighted average, histogram.
 * A plain counter is a guint64.  None of them allocates after init. */
#pragma once

#include "sim_time.h"

/* Independent observations; mean and variance by Welford's recurrence. */
typedef struct {
  guint64 n;
  double mean, m2, min, max, sum;
} SimTally;

void sim_tally_init (SimTally *tally);
void sim_tally_add (SimTally *tally, double x);
double sim_tally_variance (const SimTally *tally); /* n - 1; 0 below two observations */
double sim_tally_stddev (const SimTally *tally);

/* A level that changes at instants; average weighted by time. */
typedef struct {
  gint64 value, max, min; /* max and min count levels held for no time as well */
  SimTime since; /* start of averaging */
  SimTime last;  /* time of the last change */
  double area;   /* sum of value x ns from since to last */
} SimTimeAvg;

void sim_time_avg_init (SimTimeAvg *avg, SimTime now, gint64 value);
void sim_time_avg_set (SimTimeAvg *avg, SimTime now, gint64 value);
void sim_time_avg_step (SimTimeAvg *avg, SimTime now, gint64 delta);
/* Forgets what was before now, keeps the level (end of the warm-up). */
void sim_time_avg_reset (SimTimeAvg *avg, SimTime now);
/* From since to now; the level itself when no time has passed. */
double sim_time_avg_mean (const SimTimeAvg *avg, SimTime now);

/* Histogram of non-negative integers with constant relative error: each power of
 * two is split in 2^SIM_HISTOGRAM_BITS equal buckets, so a quantile is off by at
 * most 2^-SIM_HISTOGRAM_BITS (0.78 %) relative, and values below
 * 2^SIM_HISTOGRAM_BITS are exact. */
#define SIM_HISTOGRAM_BITS 7
typedef struct SimHistogram SimHistogram;

SimHistogram *sim_histogram_new (void);
void sim_histogram_free (SimHistogram *histogram);
void sim_histogram_reset (SimHistogram *histogram);
void sim_histogram_add (SimHistogram *histogram, guint64 value);
/* Adds all of other to histogram. */
void sim_histogram_merge (SimHistogram *histogram, const SimHistogram *other);
guint64 sim_histogram_count (const SimHistogram *histogram);
/* The smallest bucket bound with at least ceil (q n) observations, and one at least,
 * at or below it; 0 <= q <= 1; 0 when empty. */
guint64 sim_histogram_quantile (const SimHistogram *histogram, double q);

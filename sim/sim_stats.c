/* Tally and time-weighted average. */
#include "sim_stats.h"

#include <math.h>

/* ----- tally ----- */

void
sim_tally_init (SimTally *tally)
{
  *tally = (SimTally){ 0 };
}

void
sim_tally_add (SimTally *tally, double x)
{
  if (tally->n == 0 || x < tally->min)
    tally->min = x;
  if (tally->n == 0 || x > tally->max)
    tally->max = x;
  tally->n++;
  tally->sum += x;

  double d = x - tally->mean;
  tally->mean += d / (double) tally->n;
  tally->m2 += d * (x - tally->mean);
}

double
sim_tally_variance (const SimTally *tally)
{
  return tally->n < 2 ? 0 : tally->m2 / (double) (tally->n - 1);
}

double
sim_tally_stddev (const SimTally *tally)
{
  return sqrt (sim_tally_variance (tally));
}

/* ----- time-weighted average ----- */

void
sim_time_avg_init (SimTimeAvg *avg, SimTime now, gint64 value)
{
  *avg = (SimTimeAvg){ .value = value, .max = value, .min = value, .since = now, .last = now };
}

void
sim_time_avg_set (SimTimeAvg *avg, SimTime now, gint64 value)
{
  g_assert (now >= avg->last);
  avg->area += (double) avg->value * (double) (now - avg->last);
  avg->last = now;
  avg->value = value;
  avg->max = MAX (avg->max, value);
  avg->min = MIN (avg->min, value);
}

void
sim_time_avg_step (SimTimeAvg *avg, SimTime now, gint64 delta)
{
  sim_time_avg_set (avg, now, avg->value + delta);
}

void
sim_time_avg_reset (SimTimeAvg *avg, SimTime now)
{
  g_assert (now >= avg->last);
  sim_time_avg_init (avg, now, avg->value);
}

double
sim_time_avg_mean (const SimTimeAvg *avg, SimTime now)
{
  g_assert (now >= avg->last);
  if (now == avg->since)
    return (double) avg->value;
  double area = avg->area + (double) avg->value * (double) (now - avg->last);
  return area / (double) (now - avg->since);
}

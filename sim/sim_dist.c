/* Distributions of durations: one row per kind. */
#include "sim_dist.h"

#include <math.h>

#include "sim_math.h"

typedef struct {
  double (*sample) (const SimDist *dist, SimStream *stream);
  double (*mean) (const SimDist *dist);
  double (*variance) (const SimDist *dist);
} DistRow;

/* ----- constant ----- */

static double
constant_sample (const SimDist *dist, SimStream *stream G_GNUC_UNUSED)
{
  return dist->a;
}

static double
constant_mean (const SimDist *dist)
{
  return dist->a;
}

static double
constant_variance (const SimDist *dist G_GNUC_UNUSED)
{
  return 0;
}

/* ----- uniform ----- */

static double
uniform_sample (const SimDist *dist, SimStream *stream)
{
  return dist->a + (dist->b - dist->a) * sim_stream_unit_open (stream);
}

static double
uniform_mean (const SimDist *dist)
{
  return dist->a + (dist->b - dist->a) / 2;
}

static double
uniform_variance (const SimDist *dist)
{
  return (dist->b - dist->a) * (dist->b - dist->a) / 12;
}

/* ----- exponential ----- */

static double
exponential_sample (const SimDist *dist, SimStream *stream)
{
  return -dist->a * sim_log (sim_stream_unit_open (stream));
}

static double
exponential_mean (const SimDist *dist)
{
  return dist->a;
}

static double
exponential_variance (const SimDist *dist)
{
  return dist->a * dist->a;
}

/* ----- lognormal ----- */

static double
lognormal_sample (const SimDist *dist, SimStream *stream)
{
  return dist->a * sim_exp (dist->b * sim_normal_quantile (sim_stream_unit_open (stream)));
}

static double
lognormal_mean (const SimDist *dist)
{
  return dist->a * sim_exp (dist->b * dist->b / 2);
}

static double
lognormal_variance (const SimDist *dist)
{
  double mean = lognormal_mean (dist);

  return mean * mean * (sim_exp (dist->b * dist->b) - 1);
}

/* ----- Erlang ----- */

static double
erlang_sample (const SimDist *dist, SimStream *stream)
{
  guint k = (guint) dist->b;
  double sum = 0;

  for (guint i = 0; i < k; i++)
    sum -= sim_log (sim_stream_unit_open (stream));
  return dist->a / dist->b * sum;
}

static double
erlang_mean (const SimDist *dist)
{
  return dist->a;
}

static double
erlang_variance (const SimDist *dist)
{
  return dist->a * dist->a / dist->b;
}

/* ----- Weibull ----- */

static double
weibull_sample (const SimDist *dist, SimStream *stream)
{
  return dist->a * sim_pow (-sim_log (sim_stream_unit_open (stream)), 1 / dist->b);
}

static double
weibull_mean (const SimDist *dist)
{
  return dist->a * sim_gamma (1 + 1 / dist->b);
}

static double
weibull_variance (const SimDist *dist)
{
  double mean = weibull_mean (dist);

  return dist->a * dist->a * sim_gamma (1 + 2 / dist->b) - mean * mean;
}

/* ----- empirical ----- */

/* The first value whose cumulative weight is above the uniform number. */
static double
empirical_sample (const SimDist *dist, SimStream *stream)
{
  const SimEmpirical *table = dist->table;
  double u = sim_stream_unit (stream); /* below 1, where the table ends */
  guint low = 0;
  guint high = table->n - 1;

  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (table->cumulative[middle] > u)
      high = middle;
    else
      low = middle + 1;
  }
  return (double) table->values[low];
}

static double
empirical_weight (const SimEmpirical *table, guint i)
{
  return table->cumulative[i] - (i > 0 ? table->cumulative[i - 1] : 0);
}

static double
empirical_mean (const SimDist *dist)
{
  double sum = 0;

  for (guint i = 0; i < dist->table->n; i++)
    sum += empirical_weight (dist->table, i) * (double) dist->table->values[i];
  return sum;
}

static double
empirical_variance (const SimDist *dist)
{
  double mean = empirical_mean (dist);
  double sum = 0;

  for (guint i = 0; i < dist->table->n; i++) {
    double d = (double) dist->table->values[i] - mean;
    sum += empirical_weight (dist->table, i) * d * d;
  }
  return sum;
}

/* ----- the rows ----- */

static const DistRow rows[] = {
  [SIM_DIST_CONSTANT] = { constant_sample, constant_mean, constant_variance },
  [SIM_DIST_UNIFORM] = { uniform_sample, uniform_mean, uniform_variance },
  [SIM_DIST_EXPONENTIAL] = { exponential_sample, exponential_mean, exponential_variance },
  [SIM_DIST_LOGNORMAL] = { lognormal_sample, lognormal_mean, lognormal_variance },
  [SIM_DIST_ERLANG] = { erlang_sample, erlang_mean, erlang_variance },
  [SIM_DIST_WEIBULL] = { weibull_sample, weibull_mean, weibull_variance },
  [SIM_DIST_EMPIRICAL] = { empirical_sample, empirical_mean, empirical_variance },
};

SimTime
sim_dist_sample (const SimDist *dist, SimStream *stream)
{
  double ns = rows[dist->kind].sample (dist, stream);

  if (ns >= 0x1p63)
    return SIM_TIME_NEVER;
  if (!(ns > 0))
    return 0; /* also a scale of 0 times an infinite factor */
  SimTime whole = (SimTime) ns;
  return whole + (ns - (double) whole >= 0.5 ? 1 : 0);
}

SimTime
sim_dist_draw_resting (const SimDist *dist, SimStreamKey key, guint64 index, guint64 *rest)
{
  SimStream stream;
  SimTime time;
  guint64 awake;

  sim_stream_wake (&stream, key, index, *rest);
  awake = stream.state;
  time = sim_dist_sample (dist, &stream);
  *rest += stream.state - awake;
  return time;
}

double
sim_dist_mean (const SimDist *dist)
{
  return rows[dist->kind].mean (dist);
}

double
sim_dist_variance (const SimDist *dist)
{
  return rows[dist->kind].variance (dist);
}

/* ----- constructors ----- */

SimDist
sim_dist_constant (SimTime value)
{
  g_assert (value >= 0);
  return (SimDist){ .kind = SIM_DIST_CONSTANT, .a = (double) value };
}

SimDist
sim_dist_uniform (SimTime low, SimTime high)
{
  g_assert (low >= 0 && low <= high);
  return (SimDist){ .kind = SIM_DIST_UNIFORM, .a = (double) low, .b = (double) high };
}

SimDist
sim_dist_exponential (SimTime mean)
{
  g_assert (mean >= 0);
  return (SimDist){ .kind = SIM_DIST_EXPONENTIAL, .a = (double) mean };
}

SimDist
sim_dist_lognormal (SimTime median, double sigma)
{
  g_assert (median >= 0 && sigma >= 0 && sigma <= G_MAXDOUBLE);
  return (SimDist){ .kind = SIM_DIST_LOGNORMAL, .a = (double) median, .b = sigma };
}

SimDist
sim_dist_erlang (SimTime mean, guint k)
{
  g_assert (mean >= 0 && k >= 1);
  return (SimDist){ .kind = SIM_DIST_ERLANG, .a = (double) mean, .b = k };
}

SimDist
sim_dist_weibull (SimTime scale, double shape)
{
  g_assert (scale >= 0 && shape > 0 && shape <= G_MAXDOUBLE);
  return (SimDist){ .kind = SIM_DIST_WEIBULL, .a = (double) scale, .b = shape };
}

SimDist
sim_dist_empirical (const SimEmpirical *table)
{
  return (SimDist){ .kind = SIM_DIST_EMPIRICAL, .table = table };
}

/* ----- the empirical table ----- */

typedef struct {
  SimTime value;
  double weight;
} WeightedValue;

/* By weight within a value, so that the sums do not depend on the order given. */
static int
compare_weighted (gconstpointer a, gconstpointer b)
{
  const WeightedValue *x = a;
  const WeightedValue *y = b;

  if (x->value != y->value)
    return x->value < y->value ? -1 : 1;
  return (x->weight > y->weight) - (x->weight < y->weight);
}

SimEmpirical *
sim_empirical_new (const SimTime *values, const double *weights, guint n)
{
  g_assert (n > 0);
  WeightedValue *sorted = g_new (WeightedValue, n);
  for (guint i = 0; i < n; i++) {
    g_assert (values[i] >= 0 && weights[i] > 0 && weights[i] <= G_MAXDOUBLE);
    sorted[i] = (WeightedValue){ .value = values[i], .weight = weights[i] };
  }
  qsort (sorted, n, sizeof *sorted, compare_weighted);

  SimEmpirical *table = g_new (SimEmpirical, 1);
  table->values = g_new (SimTime, n);
  table->cumulative = g_new (double, n);
  table->n = 0;
  double sum = 0;
  for (guint i = 0; i < n; i++) {
    if (table->n == 0 || table->values[table->n - 1] != sorted[i].value)
      table->values[table->n++] = sorted[i].value;
    sum += sorted[i].weight;
    table->cumulative[table->n - 1] = sum;
  }
  for (guint i = 0; i < table->n; i++)
    table->cumulative[i] /= sum; /* the last one becomes exactly 1 */
  g_free (sorted);
  return table;
}

void
sim_empirical_free (SimEmpirical *table)
{
  if (table == NULL)
    return;
  g_free (table->values);
  g_free (table->cumulative);
  g_free (table);
}

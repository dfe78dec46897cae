/* A Poisson process whose rate goes up, stays, and comes down again: what shows whether an
 * overload ends with its cause. */
#include "arrivals.h"

#include "sim_math.h"

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (ArrivalSwingParams, field)
static const SimParam swing_params[] = {
  { ROW (low), .kind = SIM_PARAM_RATE, .min = 0, .max = 1e9,
    .help = "Connects per second at the start and at the end." },
  { ROW (high), .kind = SIM_PARAM_RATE, .min = 1e-9, .max = 1e9,
    .help = "Connects per second at the top." },
  { ROW (up), .kind = SIM_PARAM_TIME, .help = "How long the way up takes." },
  { ROW (hold), .kind = SIM_PARAM_TIME, .value = "0s", .help = "How long it stays at the top." },
  { ROW (down), .kind = SIM_PARAM_TIME, .help = "How long the way down takes." },
  { ROW (start), .kind = SIM_PARAM_TIME, .value = "0s", .help = "When the process starts." },
  { .name = NULL },
};
#undef ROW

/* Where in a stretch of length d, whose rate goes linearly from a to b, the expected number of
 * arrivals since x has grown by gap: a y + (b - a) y^2 / 2d = e has the root
 * y = 2 e / (a + sqrt (a^2 + 2 (b - a) e / d)). */
static double
stretch_inverse (double a, double b, double d, double x, double gap)
{
  double slope = (b - a) / d;
  double e = a * x + slope * x * x / 2 + gap;
  double root = a * a + 2 * slope * e;

  return 2 * e / (a + __builtin_sqrt (MAX (root, 0)));
}

static double
stretch_expected (double a, double b, double d, double x)
{
  return a * (d - x) + (b - a) * (d * d - x * x) / (2 * d);
}

static SimTime
swing_next (gconstpointer params, const ArrivalCursor *cursor, SimStream *stream)
{
  const ArrivalSwingParams *p = params;
  const double rates[] = { p->low, p->high, p->high, p->low };
  const double lengths[] = { (double) p->up / 1e9, (double) p->hold / 1e9,
                             (double) p->down / 1e9 };
  double t = cursor->index == 0 ? 0 : (double) (cursor->now - p->start) / 1e9;
  double gap = -sim_log (sim_stream_unit_open (stream));
  double begin = 0, at = -1;

  for (guint i = 0; i < G_N_ELEMENTS (lengths) && at < 0; i++) {
    double x = MAX (t - begin, 0);
    if (x < lengths[i]) {
      double expected = stretch_expected (rates[i], rates[i + 1], lengths[i], x);
      if (gap <= expected)
        at = begin + stretch_inverse (rates[i], rates[i + 1], lengths[i], x, gap);
      else
        gap -= expected;
    }
    begin += lengths[i];
  }
  if (at < 0 && p->low <= 0)
    return SIM_TIME_NEVER;
  if (at < 0)
    at = MAX (t, begin) + gap / p->low;
  if (at * 1e9 >= 9.2e18)
    return SIM_TIME_NEVER;
  return MAX (sim_time_add (p->start, (SimTime) (at * 1e9 + 0.5)), cursor->now);
}

const ArrivalClass arrival_swing = {
  .info = {
    .name = "swing",
    .help = "A Poisson process whose rate goes up linearly, stays, and comes down again.",
    .params = swing_params,
    .params_size = sizeof (ArrivalSwingParams),
  },
  .next = swing_next,
};

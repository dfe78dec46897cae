/* The arrival processes: one row each. */
#include "arrivals.h"

#include "sim_math.h"

/* ----- burst: all at once, or evenly spaced ----- */

static const SimParam burst_params[] = {
  { .name = "at", .kind = SIM_PARAM_TIME, .offset = G_STRUCT_OFFSET (ArrivalBurstParams, at),
    .value = "0s", .help = "When the first connect starts." },
  { .name = "spacing", .kind = SIM_PARAM_TIME,
    .offset = G_STRUCT_OFFSET (ArrivalBurstParams, spacing), .value = "0s",
    .help = "Time between connects; 0: all at the same instant." },
  { .name = NULL },
};

static SimTime
burst_next (gconstpointer params, const ArrivalCursor *cursor, SimStream *stream G_GNUC_UNUSED)
{
  const ArrivalBurstParams *p = params;

  if (cursor->index == 0)
    return p->at;
  return sim_time_add (cursor->now, p->spacing);
}

const ArrivalClass arrival_burst = {
  .info = {
    .name = "burst",
    .help = "All connects at one instant, or at a constant spacing.",
    .params = burst_params,
    .params_size = sizeof (ArrivalBurstParams),
    .main_param = "at",
  },
  .next = burst_next,
};

/* ----- Poisson ----- */

static const SimParam poisson_params[] = {
  { .name = "rate", .kind = SIM_PARAM_RATE, .offset = G_STRUCT_OFFSET (ArrivalPoissonParams, rate),
    .min = 1e-9, .max = 1e9, .help = "Connects per second." },
  { .name = "start", .kind = SIM_PARAM_TIME,
    .offset = G_STRUCT_OFFSET (ArrivalPoissonParams, start), .value = "0s",
    .help = "When the process starts." },
  { .name = NULL },
};

static SimTime
exponential_gap (double rate, SimStream *stream)
{
  double gap = -sim_log (sim_stream_unit_open (stream)) / rate * 1e9;

  return gap >= 9.2e18 ? SIM_TIME_NEVER : (SimTime) (gap + 0.5);
}

static SimTime
poisson_next (gconstpointer params, const ArrivalCursor *cursor, SimStream *stream)
{
  const ArrivalPoissonParams *p = params;
  SimTime from = cursor->index == 0 ? p->start : cursor->now;

  return sim_time_add (from, exponential_gap (p->rate, stream));
}

const ArrivalClass arrival_poisson = {
  .info = {
    .name = "poisson",
    .help = "Independent connects at a constant mean rate.",
    .params = poisson_params,
    .params_size = sizeof (ArrivalPoissonParams),
    .main_param = "rate",
  },
  .next = poisson_next,
};

/* ----- ramp: a Poisson process whose rate changes linearly ----- */

static const SimParam ramp_params[] = {
  { .name = "from", .kind = SIM_PARAM_RATE, .offset = G_STRUCT_OFFSET (ArrivalRampParams, from),
    .min = 0, .max = 1e9, .help = "Connects per second at the start." },
  { .name = "to", .kind = SIM_PARAM_RATE, .offset = G_STRUCT_OFFSET (ArrivalRampParams, to),
    .min = 1e-9, .max = 1e9, .help = "Connects per second after `over`; stays there." },
  { .name = "over", .kind = SIM_PARAM_TIME, .offset = G_STRUCT_OFFSET (ArrivalRampParams, over),
    .help = "How long the change takes." },
  { .name = "start", .kind = SIM_PARAM_TIME, .offset = G_STRUCT_OFFSET (ArrivalRampParams, start),
    .value = "0s", .help = "When the process starts." },
  { .name = NULL },
};

/* The expected number of arrivals up to t seconds after the start is
 * L(t) = from t + (to - from) t^2 / (2 over), then linear.  Arrival k of the
 * process stands where L has grown by a unit exponential since arrival k - 1. */
static double
ramp_expected (const ArrivalRampParams *p, double t)
{
  double over = (double) p->over / 1e9;

  if (t <= over)
    return p->from * t + (over > 0 ? (p->to - p->from) * t * t / (2 * over) : 0);
  return (p->from + p->to) / 2 * over + p->to * (t - over);
}

static double
ramp_inverse (const ArrivalRampParams *p, double expected)
{
  double over = (double) p->over / 1e9;
  double at_end = (p->from + p->to) / 2 * over;

  if (expected >= at_end || over <= 0)
    return over + (expected - at_end) / p->to;
  if (p->to == p->from)
    return expected / p->from;
  /* t = 2 e / (from + sqrt (from^2 + 4 a e)), a = (to - from) / (2 over): the
   * stable form of the root. */
  double a = (p->to - p->from) / (2 * over);
  double root = p->from * p->from + 4 * a * expected;
  return 2 * expected / (p->from + __builtin_sqrt (MAX (root, 0)));
}

static SimTime
ramp_next (gconstpointer params, const ArrivalCursor *cursor, SimStream *stream)
{
  const ArrivalRampParams *p = params;
  double t = cursor->index == 0 ? 0 : (double) (cursor->now - p->start) / 1e9;
  double gap = -sim_log (sim_stream_unit_open (stream));
  double at = ramp_inverse (p, ramp_expected (p, t) + gap) * 1e9;

  if (at >= 9.2e18)
    return SIM_TIME_NEVER;
  return MAX (sim_time_add (p->start, (SimTime) (at + 0.5)), cursor->now);
}

const ArrivalClass arrival_ramp = {
  .info = {
    .name = "ramp",
    .help = "A Poisson process whose rate changes linearly, then stays.",
    .params = ramp_params,
    .params_size = sizeof (ArrivalRampParams),
  },
  .next = ramp_next,
};

/* ----- on/off: a Poisson process that pauses ----- */

static const SimParam on_off_params[] = {
  { .name = "rate", .kind = SIM_PARAM_RATE, .offset = G_STRUCT_OFFSET (ArrivalOnOffParams, rate),
    .min = 1e-9, .max = 1e9, .help = "Connects per second while on." },
  { .name = "on", .kind = SIM_PARAM_TIME, .offset = G_STRUCT_OFFSET (ArrivalOnOffParams, on),
    .min = 1, .max = 9.2e18, .help = "Length of each on period." },
  { .name = "off", .kind = SIM_PARAM_TIME, .offset = G_STRUCT_OFFSET (ArrivalOnOffParams, off),
    .help = "Length of each pause." },
  { .name = "start", .kind = SIM_PARAM_TIME, .offset = G_STRUCT_OFFSET (ArrivalOnOffParams, start),
    .value = "0s", .help = "When the first on period starts." },
  { .name = NULL },
};

static SimTime
on_off_next (gconstpointer params, const ArrivalCursor *cursor, SimStream *stream)
{
  const ArrivalOnOffParams *p = params;
  SimTime now = cursor->index == 0 ? p->start : cursor->now;
  SimTime gap = exponential_gap (p->rate, stream);

  if (gap == SIM_TIME_NEVER || p->off > SIM_TIME_NEVER - p->on)
    return SIM_TIME_NEVER;
  /* The process runs in "on time": cut the pauses out, add the gap, put them back. */
  SimTime period = p->on + p->off;
  SimTime phase = (now - p->start) % period;
  SimTime base = now - phase;
  SimTime into = MIN (phase, p->on) + gap % p->on;
  guint64 periods = (guint64) (gap / p->on);
  if (into >= p->on) {
    into -= p->on;
    periods++;
  }
  if (periods > (guint64) (SIM_TIME_NEVER - base - into) / (guint64) period)
    return SIM_TIME_NEVER;
  return base + (SimTime) periods * period + into;
}

const ArrivalClass arrival_on_off = {
  .info = {
    .name = "on-off",
    .help = "A Poisson process that runs and pauses in turn.",
    .params = on_off_params,
    .params_size = sizeof (ArrivalOnOffParams),
  },
  .next = on_off_next,
};

/* ----- trace: times from a file ----- */

static const SimParam trace_params[] = {
  { .name = "file", .kind = SIM_PARAM_STRING, .offset = G_STRUCT_OFFSET (ArrivalTraceParams, file),
    .help = "CSV file, relative to the scenario.  Its first line is the header `at_s` or "
            "`at_s,host`; then a line for each connect: when it starts, a number of seconds, "
            "never less than the line above, and which host of `from` it is, counted from 0 "
            "(without that column the hosts take turns).  Empty lines and lines that begin with "
            "# are skipped." },
  { .name = NULL },
};

static SimTime
trace_next (gconstpointer params, const ArrivalCursor *cursor, SimStream *stream G_GNUC_UNUSED)
{
  const ArrivalTraceParams *p = params;

  if (cursor->index >= p->rows->len)
    return SIM_TIME_NEVER;
  return g_array_index (p->rows, ArrivalTraceRow, cursor->index).at;
}

const ArrivalClass arrival_trace = {
  .info = {
    .name = "trace",
    .help = "Connects at the times a CSV file lists.",
    .params = trace_params,
    .params_size = sizeof (ArrivalTraceParams),
    .main_param = "file",
  },
  .next = trace_next,
};

const SimClassInfo *const arrival_classes[] = {
  &arrival_burst.info,  &arrival_poisson.info, &arrival_ramp.info,  &arrival_swing.info,
  &arrival_on_off.info, &arrival_trace.info,   NULL,
};

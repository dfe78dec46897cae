/* Decorrelated jitter: the next interval is drawn between the base and a multiple of
 * the last one, so it grows with what was waited and not with the number of sends. */
#include "retry.h"

typedef struct {
  SimTime base;
  double factor;
  SimTime cap;
} DecorrelatedParams;

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (DecorrelatedParams, field)
static const SimParam decorrelated_params[] = {
  { ROW (base), .kind = SIM_PARAM_TIME, .value = "0s",
    .help = "Shortest interval; 0: the nominal one." },
  { ROW (factor), .kind = SIM_PARAM_DOUBLE, .value = "3", .min = 1, .max = 100,
    .help = "An interval is at most so many times the one before." },
  { ROW (cap), .kind = SIM_PARAM_TIME, .value = "60s", .min = 1, .max = 9.2e18,
    .help = "No interval is longer." },
  { .name = NULL },
};
#undef ROW

static SimTime
decorrelated_interval (gconstpointer params, gpointer state G_GNUC_UNUSED, const RetryView *view,
                       SimStream *stream)
{
  const DecorrelatedParams *p = params;
  SimTime base = MIN (p->base > 0 ? p->base : view->nominal, p->cap);
  double longest = p->factor * (double) (view->previous > 0 ? view->previous : base);
  SimTime high = longest < (double) p->cap ? (SimTime) longest : p->cap;
  SimTime spread = MAX (high, base) - base;
  SimTime interval = base + (SimTime) sim_stream_below (stream, (guint64) spread + 1);

  return view->mra ? MAX (interval, view->nominal) : interval;
}

const RetryPolicy retry_decorrelated = {
  .info = {
    .name = "decorrelated",
    .help = "Each interval is uniform between the base and a multiple of the one before.",
    .source = "AWS architecture blog, 2015: decorrelated jitter, min (cap, uniform (base, 3 x "
              "last))",
    .params = decorrelated_params,
    .params_size = sizeof (DecorrelatedParams),
    .main_param = "base",
  },
  .interval = decorrelated_interval,
};

/* Exponential back-off: each interval is a factor longer than the one before. */
#include "retry.h"

typedef struct {
  SimTime first;
  double factor;
  SimTime cap;
  guint jitter;
} ExponentialParams;

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (ExponentialParams, field)
static const SimParam exponential_params[] = {
  { ROW (first), .kind = SIM_PARAM_TIME, .value = "0s",
    .help = "First interval; 0: the nominal one." },
  { ROW (factor), .kind = SIM_PARAM_DOUBLE, .value = "2", .min = 1, .max = 100,
    .help = "Each interval is so many times the one before." },
  { ROW (cap), .kind = SIM_PARAM_TIME, .value = "60s", .min = 1, .max = 9.2e18,
    .help = "No interval is longer." },
  { ROW (jitter), .kind = SIM_PARAM_ENUM, .value = "none", .names = retry_jitter_names,
    .help = RETRY_JITTER_HELP },
  { .name = NULL },
};
#undef ROW

static SimTime
exponential_interval (gconstpointer params, gpointer state G_GNUC_UNUSED, const RetryView *view,
                      SimStream *stream)
{
  const ExponentialParams *p = params;
  SimTime first = p->first > 0 ? p->first : view->nominal;
  SimTime interval = retry_grow (first, p->factor, view->round, p->cap);

  interval = retry_jitter_apply (p->jitter, interval, stream);
  return view->mra ? MAX (interval, view->nominal) : interval;
}

const RetryPolicy retry_exponential = {
  .info = {
    .name = "exponential",
    .help = "Each interval is a factor longer than the one before, up to a cap; with or without "
            "jitter.",
    .source = "truncated binary exponential back-off; jitter as named by AWS in 2015",
    .params = exponential_params,
    .params_size = sizeof (ExponentialParams),
    .main_param = "first",
  },
  .interval = exponential_interval,
};

/* The back-off proposed for Linux in December 2024: some equal intervals, then each
 * twice the one before, within a deadline for the whole exchange. */
#include "retry.h"

typedef struct {
  SimTime first;
  guint linear;
  double factor;
  SimTime cap;
  SimTime deadline;
} LinearParams;

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (LinearParams, field)
static const SimParam linear_params[] = {
  { ROW (first), .kind = SIM_PARAM_TIME, .value = "0s",
    .help = "The equal intervals at the start; 0: the nominal one." },
  { ROW (linear), .kind = SIM_PARAM_UINT, .value = "4", .min = 1, .max = 16,
    .help = "Number of equal intervals." },
  { ROW (factor), .kind = SIM_PARAM_DOUBLE, .value = "2", .min = 1, .max = 100,
    .help = "After them, each interval is so many times the one before." },
  { ROW (cap), .kind = SIM_PARAM_TIME, .value = "60s", .min = 1, .max = 9.2e18,
    .help = "No interval is longer." },
  { ROW (deadline), .kind = SIM_PARAM_TIME, .value = "5min", .min = 1, .max = 9.3e18,
    .help = "So long after the first send it gives up; never: when the retries are used up." },
  { .name = NULL },
};
#undef ROW

static SimTime
linear_interval (gconstpointer params, gpointer state G_GNUC_UNUSED, const RetryView *view,
                 SimStream *stream G_GNUC_UNUSED)
{
  const LinearParams *p = params;
  SimTime first = p->first > 0 ? p->first : view->nominal;
  guint doublings = view->round > p->linear ? view->round - p->linear : 0;
  SimTime interval = retry_grow (first, p->factor, doublings + 1, MAX (p->cap, first));

  if (p->deadline != SIM_TIME_NEVER)
    interval = MIN (interval, MAX (p->deadline - view->elapsed, 0));
  return interval;
}

static RetryVerdict
linear_expired (gconstpointer params, gpointer state G_GNUC_UNUSED, const RetryView *view,
                SimStream *stream G_GNUC_UNUSED)
{
  const LinearParams *p = params;

  return (RetryVerdict){ .answer = view->elapsed >= p->deadline ? RETRY_GIVE_UP : RETRY_SEND };
}

const RetryPolicy retry_linear_exponential = {
  .info = {
    .name = "linear-exponential",
    .help = "Some equal intervals, then doubling up to a cap, within a deadline; an MRA starts it "
            "anew.",
    .source = "linux-rdma, December 2024 (Dumitrescu, Hefty): 4 linear timeouts, cap 60 s, "
              "deadline 5 min; not merged",
    .params = linear_params,
    .params_size = sizeof (LinearParams),
  },
  .interval = linear_interval,
  .expired = linear_expired,
};

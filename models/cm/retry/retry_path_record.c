/* The interval that the path explains: there and back, and the peer's own time.  The
 * packet lifetime of a path record is an upper bound that many fabrics leave at its
 * default of 1 s; the number of hops says more. */
#include "retry.h"

typedef struct {
  SimTime answer;
  guint hops;
  SimTime hop_time;
  double factor;
  SimTime cap;
} PathParams;

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (PathParams, field)
static const SimParam path_params[] = {
  { ROW (answer), .kind = SIM_PARAM_TIME, .value = "500ms",
    .help = "Time the peer may need for its answer." },
  { ROW (hops), .kind = SIM_PARAM_UINT, .value = "0", .max = 64,
    .help = "Links on the path; 0: the path record's packet lifetime is believed instead." },
  { ROW (hop_time), .kind = SIM_PARAM_TIME, .value = "1ms",
    .help = "Longest time a packet may take for a hop, queues included." },
  { ROW (factor), .kind = SIM_PARAM_DOUBLE, .value = "1", .min = 1, .max = 100,
    .help = "Each interval is so many times the one before." },
  { ROW (cap), .kind = SIM_PARAM_TIME, .value = "60s", .min = 1, .max = 9.2e18,
    .help = "No interval is longer." },
  { .name = NULL },
};
#undef ROW

static SimTime
path_interval (gconstpointer params, gpointer state G_GNUC_UNUSED, const RetryView *view,
               SimStream *stream G_GNUC_UNUSED)
{
  const PathParams *p = params;
  SimTime one_way = p->hops > 0 ? (SimTime) p->hops * p->hop_time : view->lifetime;
  SimTime interval = retry_grow (2 * one_way + p->answer, p->factor, view->round, p->cap);

  return view->mra ? MAX (interval, view->nominal) : interval;
}

const RetryPolicy retry_path_record = {
  .info = {
    .name = "path-record",
    .help = "Twice the time of the path, by its record's packet lifetime or its hops, and the "
            "peer's own time.",
    .source = "openib-general, 2006: timeouts from the path record",
    .params = path_params,
    .params_size = sizeof (PathParams),
    .main_param = "answer",
  },
  .interval = path_interval,
};

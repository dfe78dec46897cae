/* Each interval is drawn uniformly between a share of the nominal one and all of
 * it, which takes clients that started together apart. */
#include "retry.h"

typedef struct {
  double least;
} JitterParams;

static const SimParam jitter_params[] = {
  { .name = "least", .kind = SIM_PARAM_PROBABILITY, .offset = G_STRUCT_OFFSET (JitterParams, least),
    .value = "0.5", .help = "Least interval as a share of the nominal one; 0.5: in [T/2, T]." },
  { .name = NULL },
};

static SimTime
jitter_interval (gconstpointer params, gpointer state G_GNUC_UNUSED, const RetryView *view,
                 SimStream *stream)
{
  const JitterParams *p = params;
  SimTime least = (SimTime) ((double) view->nominal * p->least);

  return least + (SimTime) sim_stream_below (stream, (guint64) (view->nominal - least) + 1);
}

const RetryPolicy retry_jitter = {
  .info = {
    .name = "jitter",
    .help = "Each interval is uniform between a share of the nominal one and all of it.",
    .source = "at its default, equal jitter as named by AWS in 2015",
    .params = jitter_params,
    .params_size = sizeof (JitterParams),
    .main_param = "least",
  },
  .interval = jitter_interval,
};

/* A token bucket: a host's repeats have a rate.  One that finds no token asks again when
 * the next is due. */
#include "retry.h"

typedef struct {
  double rate;
  guint burst;
} BucketParams;

/* The bucket as a schedule (the generic cell rate algorithm): `next` is when it will be
 * full again, on the scale of repeats spaced at the rate. */
typedef struct {
  SimTime next;
} BucketState;

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (BucketParams, field)
static const SimParam bucket_params[] = {
  { ROW (rate), .kind = SIM_PARAM_RATE, .value = "10/s", .min = 1e-6, .max = 1e9,
    .help = "Repeats per second that a host may send." },
  { ROW (burst), .kind = SIM_PARAM_UINT, .value = "10", .min = 1, .max = 1e6,
    .help = "Repeats that it may send at once after a pause." },
  { .name = NULL },
};
#undef ROW

static SimTime
bucket_interval (gconstpointer params G_GNUC_UNUSED, gpointer state G_GNUC_UNUSED,
                 const RetryView *view, SimStream *stream G_GNUC_UNUSED)
{
  return view->nominal;
}

static RetryVerdict
bucket_expired (gconstpointer params, gpointer state, const RetryView *view,
                SimStream *stream G_GNUC_UNUSED)
{
  const BucketParams *p = params;
  BucketState *s = state;
  SimTime spacing = (SimTime) (1e9 / p->rate + 0.5);
  SimTime next = MAX (s->next, view->now);

  if (next - view->now <= (SimTime) (p->burst - 1) * spacing) {
    s->next = next + spacing;
    return (RetryVerdict){ .answer = RETRY_SEND };
  }
  return (RetryVerdict){ .answer = RETRY_WAIT,
                         .wait = next - view->now - (SimTime) (p->burst - 1) * spacing };
}

const RetryPolicy retry_token_bucket = {
  .info = {
    .name = "token-bucket",
    .help = "Nominal intervals; a host's repeats are limited to a rate and wait for a token.",
    .source = "the generic cell rate algorithm (ITU-T I.371)",
    .params = bucket_params,
    .params_size = sizeof (BucketParams),
    .main_param = "rate",
  },
  .scope = RETRY_SCOPE_HOST,
  .state_size = sizeof (BucketState),
  .interval = bucket_interval,
  .expired = bucket_expired,
};

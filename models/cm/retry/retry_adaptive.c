/* Estimates how long the peer takes to answer, as TCP estimates its retransmission
 * timeout (RFC 6298): smoothed time and deviation over past exchanges with this peer.
 * Karn's rule: an exchange with repeats gives no sample, and the doubled timeout stays
 * until one does.  An MRA says how long the peer needs; the next exchanges start there. */
#include "retry.h"

typedef struct {
  SimTime first, least, cap;
  double factor;
  guint jitter;
} AdaptiveParams;

typedef struct {
  SimTime smoothed, deviation; /* of the time to an answer */
  SimTime timeout;             /* 0: nothing known yet */
} AdaptiveState;

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (AdaptiveParams, field)
static const SimParam adaptive_params[] = {
  { ROW (first), .kind = SIM_PARAM_TIME, .value = "0s",
    .help = "Interval while nothing is known of the peer; 0: the nominal one." },
  { ROW (least), .kind = SIM_PARAM_TIME, .value = "200ms", .min = 1, .max = 9.2e18,
    .help = "No interval is shorter.", .source = "Linux TCP_RTO_MIN" },
  { ROW (cap), .kind = SIM_PARAM_TIME, .value = "60s", .min = 1, .max = 9.2e18,
    .help = "No interval is longer.", .source = "RFC 6298, 2.5" },
  { ROW (factor), .kind = SIM_PARAM_DOUBLE, .value = "2", .min = 1, .max = 100,
    .help = "Each repeat waits so many times as long as the send before it.",
    .source = "RFC 6298, 5.5" },
  { ROW (jitter), .kind = SIM_PARAM_ENUM, .value = "none", .names = retry_jitter_names,
    .help = RETRY_JITTER_HELP },
  { .name = NULL },
};
#undef ROW

static SimTime
adaptive_interval (gconstpointer params, gpointer state, const RetryView *view, SimStream *stream)
{
  const AdaptiveParams *p = params;
  const AdaptiveState *s = state;
  SimTime interval = s->timeout > 0 ? s->timeout : p->first > 0 ? p->first : view->nominal;

  if (view->mra)
    return view->nominal;
  interval = CLAMP (interval, MIN (p->least, p->cap), p->cap);
  if (view->round > 1)
    interval = retry_grow (view->previous, p->factor, 2, p->cap);
  return retry_jitter_apply (p->jitter, interval, stream);
}

/* RFC 6298, 5.5 and Karn: what went unanswered was too short for the exchanges to come
 * too.  Many that run at the same time say so once. */
static RetryVerdict
adaptive_expired (gconstpointer params, gpointer state, const RetryView *view,
                  SimStream *stream G_GNUC_UNUSED)
{
  const AdaptiveParams *p = params;
  AdaptiveState *s = state;

  s->timeout = MAX (s->timeout, retry_grow (view->previous, p->factor, 2, p->cap));
  return (RetryVerdict){ .answer = RETRY_SEND };
}

static void
adaptive_sample (AdaptiveState *s, SimTime after)
{
  if (s->smoothed == 0) {
    s->smoothed = after;
    s->deviation = after / 2;
  } else {
    SimTime error = after > s->smoothed ? after - s->smoothed : s->smoothed - after;
    s->deviation += (error - s->deviation) / 4;
    s->smoothed += (after - s->smoothed) / 8;
  }
  s->timeout = MAX (s->smoothed + 4 * s->deviation, 1);
}

static void
adaptive_observe (gconstpointer params G_GNUC_UNUSED, gpointer state, const RetryNews *news)
{
  AdaptiveState *s = state;

  if (news->type == RETRY_NEWS_ANSWERED && news->sends == 1)
    adaptive_sample (s, news->after);
  else if (news->type == RETRY_NEWS_MRA)
    s->timeout = MAX (s->timeout, news->after);
}

const RetryPolicy retry_adaptive = {
  .info = {
    .name = "adaptive",
    .help = "The interval follows the peer's response time, estimated from past exchanges and its "
            "MRAs as TCP estimates its timeout; doubles with each repeat.",
    .source = "RFC 6298; Karn and Partridge, SIGCOMM 1987",
    .params = adaptive_params,
    .params_size = sizeof (AdaptiveParams),
    .main_param = "first",
  },
  .scope = RETRY_SCOPE_PEER,
  .state_size = sizeof (AdaptiveState),
  .interval = adaptive_interval,
  .expired = adaptive_expired,
  .observe = adaptive_observe,
};

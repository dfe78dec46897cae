/* Adaptive throttling on the client: when a peer leaves more and more unanswered, sends
 * are held back with a growing probability, before they cost the peer anything. */
#include "retry.h"

/* Both counts are halved once per half-life: the recent past counts. */
enum { UNIT = 1 << 20 };

typedef struct {
  double k;
  SimTime half_life;
} ThrottleParams;

typedef struct {
  guint64 sends, answers; /* in units of 1 / UNIT */
  SimTime halved_at;
} ThrottleState;

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (ThrottleParams, field)
static const SimParam throttle_params[] = {
  { ROW (k), .kind = SIM_PARAM_DOUBLE, .value = "2", .min = 1, .max = 100,
    .help = "Sends per answer that are still believed to be fine." },
  { ROW (half_life), .kind = SIM_PARAM_TIME, .value = "60s", .min = 1, .max = 9.2e18,
    .help = "After this time a send or an answer counts half." },
  { .name = NULL },
};
#undef ROW

static SimTime
throttle_interval (gconstpointer params G_GNUC_UNUSED, gpointer state G_GNUC_UNUSED,
                   const RetryView *view, SimStream *stream G_GNUC_UNUSED)
{
  return view->nominal;
}

static void
throttle_age (const ThrottleParams *p, ThrottleState *s, SimTime now)
{
  SimTime halvings = (now - s->halved_at) / p->half_life;

  if (halvings == 0)
    return;
  s->halved_at += halvings * p->half_life;
  s->sends = halvings < 64 ? s->sends >> halvings : 0;
  s->answers = halvings < 64 ? s->answers >> halvings : 0;
}

/* The repeat counts as wished for whether it goes out or not, as in the formula. */
static RetryVerdict
throttle_expired (gconstpointer params, gpointer state, const RetryView *view, SimStream *stream)
{
  const ThrottleParams *p = params;
  ThrottleState *s = state;
  double excess;

  throttle_age (p, s, view->now);
  excess = (double) s->sends - p->k * (double) s->answers;
  s->sends += UNIT;
  if (sim_stream_chance (stream, CLAMP (excess / (double) s->sends, 0, 1)))
    return (RetryVerdict){ .answer = RETRY_WAIT, .wait = view->nominal };
  return (RetryVerdict){ .answer = RETRY_SEND };
}

static void
throttle_observe (gconstpointer params, gpointer state, const RetryNews *news)
{
  ThrottleState *s = state;

  throttle_age (params, s, news->now);
  if (news->type == RETRY_NEWS_BEGUN)
    s->sends += UNIT;
  else if (news->type == RETRY_NEWS_ANSWERED)
    s->answers += UNIT;
}

const RetryPolicy retry_throttle = {
  .info = {
    .name = "throttle",
    .help = "Nominal intervals; a repeat is held back with probability (sends - k x answers) / "
            "(sends + 1), over a host's recent past with the peer.",
    .source = "Site Reliability Engineering (2016), chapter 21: adaptive throttling",
    .params = throttle_params,
    .params_size = sizeof (ThrottleParams),
    .main_param = "k",
  },
  .scope = RETRY_SCOPE_PEER,
  .state_size = sizeof (ThrottleState),
  .interval = throttle_interval,
  .expired = throttle_expired,
  .observe = throttle_observe,
};

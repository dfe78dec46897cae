/* A configurable application: it may try again after a REJ or another failure,
 * after a delay with back-off and jitter, within a budget. */
#include "ulp.h"

enum { JITTER_NONE, JITTER_FULL, JITTER_EQUAL };

typedef struct {
  const GArray *retry_on;     /* guint: REJ reasons */
  gboolean retry_any_reject;
  gboolean busy_hint;
  gboolean retry_unreachable;
  gboolean retry_resolve;
  gboolean retry_watchdog;
  SimDist delay;
  double backoff;
  SimTime delay_max;
  guint jitter;
  guint attempts;
  SimTime budget;
} GenericParams;

static const char *const jitter_names[] = { "none", "full", "equal", NULL };

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (GenericParams, field)
static const SimParam generic_params[] = {
  { ROW (retry_on), .kind = SIM_PARAM_UINT_LIST, .value = "[]", .max = 65535,
    .help = "REJ reasons after which it connects again." },
  { ROW (retry_any_reject), .kind = SIM_PARAM_BOOL, .value = "false",
    .help = "Connects again after any REJ." },
  { ROW (busy_hint), .kind = SIM_PARAM_BOOL, .value = "false",
    .help = "Knows the busy hint: connects again after the time that a REJ says, whatever its "
            "reason." },
  { ROW (retry_unreachable), .kind = SIM_PARAM_BOOL, .value = "false",
    .help = "Connects again after exhausted REQ retries." },
  { ROW (retry_resolve), .kind = SIM_PARAM_BOOL, .value = "false",
    .help = "Connects again after an address or path query timed out." },
  { ROW (retry_watchdog), .kind = SIM_PARAM_BOOL, .value = "false",
    .help = "Connects again when the peer's answer took longer than `answer_within`." },
  { ROW (delay), .kind = SIM_PARAM_DIST, .value = "1s",
    .help = "Wait before the first new attempt." },
  { ROW (backoff), .kind = SIM_PARAM_DOUBLE, .value = "1", .min = 1, .max = 100,
    .help = "The wait is multiplied by this after each attempt; 2 doubles it." },
  { ROW (delay_max), .kind = SIM_PARAM_TIME, .value = "1h",
    .help = "The wait never grows beyond this." },
  { ROW (jitter), .kind = SIM_PARAM_ENUM, .value = "none", .names = jitter_names,
    .help = "none; full: uniform in [0, wait]; equal: uniform in [wait/2, wait]." },
  { ROW (attempts), .kind = SIM_PARAM_UINT, .value = "1000", .min = 1, .max = 65535,
    .help = "Attempts at most, the first included." },
  { ROW (budget), .kind = SIM_PARAM_TIME, .value = "never",
    .help = "No new attempt starts later than this after the first." },
  { .name = NULL },
};
#undef ROW

static gboolean
generic_wants (const GenericParams *p, const UlpOutcome *outcome)
{
  switch (outcome->end) {
  case ULP_END_REJECTED:
    if (p->retry_any_reject || (p->busy_hint && outcome->retry_after > 0))
      return TRUE;
    for (guint i = 0; i < p->retry_on->len; i++)
      if (g_array_index (p->retry_on, guint, i) == outcome->reason)
        return TRUE;
    return FALSE;
  case ULP_END_UNREACHABLE:
    return p->retry_unreachable;
  case ULP_END_WATCHDOG:
    return p->retry_watchdog;
  case ULP_END_ADDRESS_ERROR:
  case ULP_END_ROUTE_ERROR:
    return p->retry_resolve;
  case ULP_END_ESTABLISHED:
  case ULP_END_CONNECT_ERROR:
    return FALSE;
  }
  g_assert_not_reached ();
}

static UlpDecision
generic_decide (gconstpointer params, const UlpOutcome *outcome, SimStream *stream)
{
  const GenericParams *p = params;
  double wait, limit = (double) p->delay_max;

  /* Both draws are made whatever the answer, so that a draw never depends on an
   * earlier outcome. */
  wait = (double) sim_dist_sample (&p->delay, stream);
  double u = sim_stream_unit (stream);

  if (!generic_wants (p, outcome) || outcome->attempts >= p->attempts)
    return (UlpDecision){ .retry = FALSE };

  for (guint i = 1; i < outcome->attempts && wait < limit && p->backoff > 1; i++)
    wait *= p->backoff;
  wait = MIN (wait, limit);
  if (p->jitter == JITTER_FULL)
    wait *= u;
  else if (p->jitter == JITTER_EQUAL)
    wait *= 0.5 + 0.5 * u;

  SimTime delay = p->busy_hint && outcome->retry_after > 0 ? outcome->retry_after : (SimTime) wait;
  if (p->budget != SIM_TIME_NEVER && outcome->since_start + delay > p->budget)
    return (UlpDecision){ .retry = FALSE };
  return (UlpDecision){ .retry = TRUE, .delay = delay };
}

/* For the errno names; what it does is the parameters' doing. */
static const UlpReaction reactions[] = {
  ULP_REJECTED (ULP_ANY_REASON, ULP_RETRY, "ECONNREFUSED"),
  ULP_ON (UNREACHABLE, ULP_RETRY, "ETIMEDOUT"),
  ULP_ON (ADDRESS_ERROR, ULP_RETRY, "ETIMEDOUT"),
  ULP_ON (ROUTE_ERROR, ULP_RETRY, "ETIMEDOUT"),
  ULP_ON (CONNECT_ERROR, ULP_FAIL, "ETIMEDOUT"),
  ULP_ON (WATCHDOG, ULP_RETRY, "ETIMEDOUT"),
  ULP_REACTIONS_END,
};

const UlpClass ulp_generic = {
  .info = {
    .name = "generic",
    .help = "A configurable application: retries after chosen failures, with delay, back-off, "
            "jitter and budget.",
    .source = "none: for experiments",
    .params = generic_params,
    .params_size = sizeof (GenericParams),
  },
  .space = CMA_PORT_SPACE_TCP,
  .address_timeout = SIM_MS (2000),
  .route_timeout = SIM_MS (2000),
  .reactions = reactions,
  .decide = generic_decide,
  .listen = {
    .full = { .answer = BACKLOG_DROP },
    .counts = BACKLOG_COUNTS_UNREAD,
    .source = "Linux ucma.c: a full backlog returns -ENOMEM",
  },
};

/* A full backlog asks for patience: an MRA stretches the client's timer, the
 * request waits outside the backlog, and is taken when a slot comes free. */
#include "backlog.h"

#include "ib_time.h"

enum { DEFER_THEN_DROP, DEFER_THEN_REJECT };

typedef struct {
  guint service_timeout;
  SimTime wait;
  guint limit;
  guint then;
  guint reason;
} DeferParams;

static const char *const defer_then_names[] = { "drop", "reject", NULL };

static const SimParam defer_params[] = {
  { .name = "service_timeout", .kind = SIM_PARAM_UINT,
    .offset = G_STRUCT_OFFSET (DeferParams, service_timeout), .value = "21", .min = 0, .max = 31,
    .help = "Time code in the MRA: 4.096 us x 2^n; 21 is 8.59 s.", .source = "IBTA 12.6.6" },
  { .name = "wait", .kind = SIM_PARAM_TIME, .offset = G_STRUCT_OFFSET (DeferParams, wait),
    .value = "0s",
    .help = "How long a request may wait for a slot; 0: the time the MRA asked for." },
  { .name = "limit", .kind = SIM_PARAM_UINT, .offset = G_STRUCT_OFFSET (DeferParams, limit),
    .value = "65536", .help = "Most requests deferred at once; beyond it `then` applies at once." },
  { .name = "then", .kind = SIM_PARAM_ENUM, .offset = G_STRUCT_OFFSET (DeferParams, then),
    .value = "drop", .names = defer_then_names,
    .help = "What a request gets when its wait is over." },
  { .name = "reason", .kind = SIM_PARAM_UINT, .offset = G_STRUCT_OFFSET (DeferParams, reason),
    .value = "3", .min = 1, .max = 65535, .help = "REJ reason for `then: reject`.",
    .source = "IBTA 12.6.7.2" },
  { .name = NULL },
};

static BacklogVerdict
defer_expired (gconstpointer params, const BacklogView *view G_GNUC_UNUSED)
{
  const DeferParams *p = params;

  if (p->then == DEFER_THEN_REJECT)
    return (BacklogVerdict){ .answer = BACKLOG_REJECT, .reason = p->reason };
  return (BacklogVerdict){ .answer = BACKLOG_DROP };
}

static BacklogVerdict
defer_admit (gconstpointer params, const BacklogView *view)
{
  const DeferParams *p = params;

  if (view->used < view->limit)
    return (BacklogVerdict){ .answer = BACKLOG_ADMIT };
  if (view->deferred >= p->limit)
    return defer_expired (params, view);
  return (BacklogVerdict){
    .answer = BACKLOG_DEFER,
    .service_timeout = p->service_timeout,
    .wait = p->wait > 0 ? p->wait : ib_time_spec (p->service_timeout),
  };
}

const BacklogPolicy backlog_defer = {
  .info = {
    .name = "defer",
    .help = "Full: MRA, and the request waits for a slot; then it is dropped or rejected.",
    .source = "IBTA 12.9.8.4 (use of MRA)",
    .params = defer_params,
    .params_size = sizeof (DeferParams),
    .main_param = "then",
  },
  .admit = defer_admit,
  .expired = defer_expired,
};

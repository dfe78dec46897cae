/* A full backlog answers REJ: the request ends at once, the client's ULP decides
 * what next. */
#include "backlog.h"

typedef struct {
  guint reason;
  SimTime retry_after, spacing;
} RejectParams;

/* The hints are appointments: clients turned away together come back one by one. */
typedef struct {
  SimTime next; /* earliest time to give to the next one */
} RejectState;

static const SimParam reject_params[] = {
  { .name = "reason", .kind = SIM_PARAM_UINT, .offset = G_STRUCT_OFFSET (RejectParams, reason),
    .value = "3", .min = 1, .max = 65535,
    .help = "REJ reason code: 3 no resources, 28 consumer reject, ...",
    .source = "IBTA 12.6.7.2" },
  { .name = "retry_after", .kind = SIM_PARAM_TIME,
    .offset = G_STRUCT_OFFSET (RejectParams, retry_after), .value = "0s", .max = 4.2e12,
    .help = "Busy hint in the REJ's private data, for upper-layer protocols that know it: the "
            "earliest time to try again; 0: no hint.",
    .source = "openib-general, 2006" },
  { .name = "spacing", .kind = SIM_PARAM_TIME, .offset = G_STRUCT_OFFSET (RejectParams, spacing),
    .value = "0s", .max = 4.2e12,
    .help = "Clients turned away in a row are told times that lie so far apart; the server's time "
            "for a request, for instance." },
  { .name = NULL },
};

static BacklogVerdict
reject_admit (gconstpointer params, const BacklogView *view)
{
  const RejectParams *p = params;
  RejectState *s = view->state;
  SimTime at = MAX (sim_time_add (view->now, p->retry_after), s->next);

  if (view->used < view->limit)
    return (BacklogVerdict){ .answer = BACKLOG_ADMIT };
  if (p->retry_after == 0)
    return (BacklogVerdict){ .answer = BACKLOG_REJECT, .reason = p->reason };
  s->next = sim_time_add (at, p->spacing);
  return (BacklogVerdict){ .answer = BACKLOG_REJECT, .reason = p->reason,
                           .retry_after = at - view->now };
}

const BacklogPolicy backlog_reject = {
  .info = {
    .name = "reject",
    .help = "Full: REJ with a reason; nothing is retried by the CM.",
    .source = "proposed in 2006 with reason 3; Windows WSD and FreeBSD SDP send 28",
    .params = reject_params,
    .params_size = sizeof (RejectParams),
    .main_param = "reason",
  },
  .state_size = sizeof (RejectState),
  .admit = reject_admit,
};

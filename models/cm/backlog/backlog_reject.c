/* A full backlog answers REJ: the request ends at once, the client's ULP decides
 * what next. */
#include "backlog.h"

typedef struct {
  guint reason;
} RejectParams;

static const SimParam reject_params[] = {
  { .name = "reason", .kind = SIM_PARAM_UINT, .offset = G_STRUCT_OFFSET (RejectParams, reason),
    .value = "3", .min = 1, .max = 65535,
    .help = "REJ reason code: 3 no resources, 28 consumer reject, ...",
    .source = "IBTA 12.6.7.2" },
  { .name = NULL },
};

static BacklogVerdict
reject_admit (gconstpointer params, const BacklogView *view)
{
  const RejectParams *p = params;

  if (view->used < view->limit)
    return (BacklogVerdict){ .answer = BACKLOG_ADMIT };
  return (BacklogVerdict){ .answer = BACKLOG_REJECT, .reason = p->reason };
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
  .admit = reject_admit,
};

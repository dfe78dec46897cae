#include "handmade.h"

#include "ulp.h"

static const char *const message_names[] = {
#define X(name, id, offset, size) #name,
  IB_CM_ATTR_LIST (X)
#undef X
      NULL,
};
static const char *const about_names[] = { "REQ", "REP", "other", NULL };
static const char *const wrong_names[] = {
#define X(name, text, reason) text,
  IB_CM_WRONG_LIST (X)
#undef X
      NULL,
};

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (HandmadeParams, field)
const SimParam handmade_params[] = {
  { ROW (from), .kind = SIM_PARAM_STRING,
    .help = "Host that sends it: a group, for its first host, or group.index." },
  { ROW (to), .kind = SIM_PARAM_STRING, .help = "Host that gets it, likewise." },
  { ROW (at), .kind = SIM_PARAM_TIME, .value = "0s", .help = "When it is sent." },
  { ROW (message), .kind = SIM_PARAM_ENUM, .names = message_names, .help = "Which message." },
  { ROW (local_id), .kind = SIM_PARAM_UINT, .value = "0", .max = G_MAXUINT32,
    .help = "Communication id of the sender (SIDR_REQ: request id)." },
  { ROW (remote_id), .kind = SIM_PARAM_UINT, .value = "0", .max = G_MAXUINT32,
    .help = "Communication id of the receiver (SIDR_REP: request id)." },
  { ROW (qpn), .kind = SIM_PARAM_UINT, .value = "1", .max = 0xffffff,
    .help = "REQ, REP, SIDR_REP: QPN of the sender; DREQ, LAP: of the receiver." },
  { ROW (service), .kind = SIM_PARAM_UINT, .value = "0", .max = 65535,
    .help = "REQ, SIDR_REQ: port of the service." },
  { ROW (ulp), .kind = SIM_PARAM_STRING, .value = "generic",
    .help = "REQ: upper-layer protocol that gives the port space of the service." },
  { ROW (response_timeout), .kind = SIM_PARAM_UINT, .value = "20", .max = 31,
    .help = "REQ: time code of the local CM response timeout, which times the REP." },
  { ROW (max_retries), .kind = SIM_PARAM_UINT, .value = "15", .max = 15,
    .help = "REQ: max CM retries, which the receiver makes of its REP." },
  { ROW (ack_timeout), .kind = SIM_PARAM_UINT, .value = "19", .max = 31,
    .help = "REQ: time code of the local ACK timeout." },
  { ROW (wrong), .kind = SIM_PARAM_ENUM, .value = "nothing", .names = wrong_names,
    .help = "REQ: a field that its receiver cannot go along with, as `connects.wrong`." },
  { ROW (reason), .kind = SIM_PARAM_UINT, .value = "28", .max = 65535,
    .help = "REJ: reason; SIDR_REP, APR: status." },
  { ROW (about), .kind = SIM_PARAM_ENUM, .value = "REQ", .names = about_names,
    .help = "MRA, REJ: the message it answers." },
  { ROW (service_timeout), .kind = SIM_PARAM_UINT, .value = "24", .max = 31,
    .help = "MRA: time code." },
  { .name = NULL },
};
#undef ROW

/* Anything no CM here hands out. */
#define TID_AGENT G_GUINT64_CONSTANT (0x4d414445) /* "MADE" */
#define TARGET_ACK_DELAY 15

static IbCmMsg
make (const HandmadeParams *params, const Hca *hca)
{
  guint attr = IB_CM_ATTR_FIRST + params->message;
  gboolean service = attr == IB_CM_REQ || attr == IB_CM_SIDR_REQ;
  IbCmMsg msg = { .attr = (guint16) attr,
                  .sends = 1,
                  .local_id = params->local_id,
                  .remote_id = params->remote_id,
                  .qpn = params->qpn,
                  .tid = TID_AGENT << 32 | params->local_id };

  if (service)
    msg.service_id = cma_service_id (ulp_space (ulp_find (params->ulp), attr == IB_CM_SIDR_REQ),
                                     params->service);
  if (attr == IB_CM_REQ) {
    msg.wrong = (guint8) params->wrong;
    msg.local_response_timeout = (guint8) params->response_timeout;
    msg.remote_response_timeout = (guint8) params->response_timeout;
    msg.max_cm_retries = (guint8) params->max_retries;
    msg.local_ack_timeout = (guint8) params->ack_timeout;
  }
  if (attr == IB_CM_REP)
    msg.target_ack_delay = TARGET_ACK_DELAY;
  if (attr == IB_CM_REQ || attr == IB_CM_REP)
    msg.ca_guid = hca_guid (hca);
  if (attr == IB_CM_REJ || attr == IB_CM_SIDR_REP || attr == IB_CM_APR)
    msg.reason = (guint16) params->reason;
  if (attr == IB_CM_REJ && params->reason == IB_CM_REJ_TIMEOUT)
    msg.ca_guid = hca_guid (hca);
  if (attr == IB_CM_REJ || attr == IB_CM_MRA)
    msg.message = (guint8) params->about;
  if (attr == IB_CM_MRA)
    msg.service_timeout = (guint8) params->service_timeout;
  return msg;
}

struct Handmade {
  const HandmadeParams *params;
  Hca *hca;
  IbLid to;
};

static void
send_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  const Handmade *handmade = owner;
  IbMad mad = { .destination = handmade->to,
                .mgmt_class = IB_MGMT_CLASS_CM,
                .cm = make (handmade->params, handmade->hca) };

  hca_gsi_send (handmade->hca, &mad);
}

static const SimEventClass send_event = { .name = "handmade", .code = 0x80d, .fire = send_fire };

Handmade *
handmade_new (SimEngine *engine, const HandmadeParams *params, Hca *from, IbLid to)
{
  Handmade *handmade = g_new (Handmade, 1);

  *handmade = (Handmade){ .params = params, .hca = from, .to = to };
  sim_engine_schedule_at (engine, params->at, &send_event, handmade, 0);
  return handmade;
}

void
handmade_free (Handmade *handmade)
{
  g_free (handmade);
}

/* Fills the messages of a connection as Linux does (cm.c cm_format_*). */
#include "cm_build.h"

#include "ib_time.h"

/* Number of the MAD agent: the high half of a transaction id (cm.c cm_form_tid).  A
 * host has one CM agent here. */
#define TID_AGENT G_GUINT64_CONSTANT (2)

/* What the consumers here ask for: retry counts of librdmacm, one RDMA read at a time. */
#define QP_RETRY_COUNT 7
#define QP_RNR_RETRY_COUNT 7
#define QP_RESPONDER_RESOURCES 1
#define QP_INITIATOR_DEPTH 1

#define CODE_MAX 31

/* The low half is the local id, byte for byte reversed: Linux takes the big-endian id
 * for a number of its own byte order. */
guint64
cm_build_tid (guint32 local_id)
{
  return TID_AGENT << 32 | GUINT32_SWAP_LE_BE (local_id);
}

void
cm_build_sign (IbCmMsg *msg, guint64 ca_guid)
{
  if (msg->attr == IB_CM_REQ || msg->attr == IB_CM_REP ||
      (msg->attr == IB_CM_REJ && msg->reason == IB_CM_REJ_TIMEOUT))
    msg->ca_guid = ca_guid;
}

static IbCmMsg
message (const CmConn *conn, IbCmAttr attr, guint64 tid)
{
  return (IbCmMsg){ .attr = (guint16) attr,
                    .sends = 1,
                    .local_id = conn->local_id,
                    .remote_id = conn->remote_id,
                    .tid = tid };
}

IbCmMsg
cm_build_req (const CmConn *conn, const CmProfile *profile)
{
  IbCmMsg msg = message (conn, IB_CM_REQ, conn->tid);

  msg.wrong = conn->wrong;
  msg.service_id = conn->service_id;
  msg.qpn = conn->local_qpn;
  msg.starting_psn = conn->local_psn;
  msg.responder_resources = QP_RESPONDER_RESOURCES;
  msg.initiator_depth = QP_INITIATOR_DEPTH;
  msg.remote_response_timeout = conn->remote_response_timeout;
  msg.local_response_timeout = conn->local_response_timeout;
  msg.retry_count = QP_RETRY_COUNT;
  msg.rnr_retry_count = QP_RNR_RETRY_COUNT;
  msg.max_cm_retries = conn->max_cm_retries;
  msg.local_ack_timeout =
      profile->ack_delay_in_timeouts
          ? (guint8) ib_ack_timeout_linux (profile->ca_ack_delay, conn->packet_lifetime)
          : (guint8) MIN (conn->packet_lifetime + 1, CODE_MAX);
  return msg;
}

IbCmMsg
cm_build_rep (const CmConn *conn, const CmProfile *profile)
{
  IbCmMsg msg = message (conn, IB_CM_REP, conn->tid);

  msg.qpn = conn->local_qpn;
  msg.starting_psn = conn->local_psn;
  msg.responder_resources = QP_RESPONDER_RESOURCES;
  msg.initiator_depth = QP_INITIATOR_DEPTH;
  msg.target_ack_delay = (guint8) profile->target_ack_delay;
  msg.rnr_retry_count = QP_RNR_RETRY_COUNT;
  return msg;
}

IbCmMsg
cm_build_rtu (const CmConn *conn)
{
  return message (conn, IB_CM_RTU, conn->tid);
}

IbCmMsg
cm_build_mra (const CmConn *conn, IbCmMessage mraed)
{
  IbCmMsg msg = message (conn, IB_CM_MRA, conn->tid);

  msg.message = (guint8) mraed;
  msg.service_timeout = conn->mra_service_timeout;
  return msg;
}

/* cm_format_rej: what is rejected and whether the own id is told follow from the
 * state.  An end that admitted a REQ and said nothing yet has told its id to nobody. */
IbCmMsg
cm_build_rej (const CmConn *conn, guint reason)
{
  IbCmMsg msg = message (conn, IB_CM_REJ, conn->tid);

  msg.reason = (guint16) reason;
  switch ((CmState) conn->state) {
  case CM_STATE_IDLE: /* a REQ refused on arrival */
  case CM_STATE_REQ_RCVD:
    msg.local_id = 0;
    msg.message = IB_CM_MESSAGE_REQ;
    break;
  case CM_STATE_MRA_REQ_SENT:
    msg.message = IB_CM_MESSAGE_REQ;
    break;
  case CM_STATE_REP_RCVD:
  case CM_STATE_MRA_REP_SENT:
    msg.message = IB_CM_MESSAGE_REP;
    break;
  case CM_STATE_REQ_SENT:
  case CM_STATE_MRA_REQ_RCVD:
  case CM_STATE_REP_SENT:
  case CM_STATE_MRA_REP_RCVD:
  case CM_STATE_ESTABLISHED:
  case CM_STATE_DREQ_SENT:
  case CM_STATE_DREQ_RCVD:
  case CM_STATE_TIMEWAIT:
    msg.message = IB_CM_MESSAGE_OTHER;
    break;
  case CM_STATE_COUNT:
    g_assert_not_reached ();
  }
  return msg;
}

IbCmMsg
cm_build_dreq (const CmConn *conn)
{
  IbCmMsg msg = message (conn, IB_CM_DREQ, cm_build_tid (conn->local_id));

  msg.qpn = conn->remote_qpn;
  return msg;
}

IbCmMsg
cm_build_drep (const CmConn *conn)
{
  return message (conn, IB_CM_DREP, conn->tid);
}

/* cm_format_lap: the peer is given all the time there is ("todo: need remote CM response
 * timeout"). */
IbCmMsg
cm_build_lap (const CmConn *conn)
{
  IbCmMsg msg = message (conn, IB_CM_LAP, cm_build_tid (conn->local_id));

  msg.qpn = conn->remote_qpn;
  msg.remote_response_timeout = CODE_MAX;
  msg.local_ack_timeout = (guint8) MIN (conn->packet_lifetime + 1, CODE_MAX);
  return msg;
}

IbCmMsg
cm_build_apr (const CmConn *conn, guint status)
{
  IbCmMsg msg = message (conn, IB_CM_APR, conn->tid);

  msg.reason = (guint16) status;
  return msg;
}

/* The request id is the local id of the asking side. */
IbCmMsg
cm_build_sidr_req (const CmConn *conn)
{
  IbCmMsg msg = message (conn, IB_CM_SIDR_REQ, conn->tid);

  msg.service_id = conn->service_id;
  return msg;
}

IbCmMsg
cm_build_sidr_rep (const CmConn *conn, guint status)
{
  IbCmMsg msg = message (conn, IB_CM_SIDR_REP, conn->tid);

  msg.local_id = 0;
  msg.reason = (guint16) status;
  msg.service_id = conn->service_id;
  if (status == IB_CM_SIDR_SUCCESS)
    msg.qpn = conn->local_qpn;
  return msg;
}

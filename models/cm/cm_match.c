/* Matching on a plain connection, where there is no table to look into. */
#include "cm_match.h"

/* By its CA GUID. */
static gboolean
knows_peer (const CmConn *conn)
{
  return conn->state != CM_STATE_IDLE && conn->state != CM_STATE_REQ_SENT &&
         conn->state != CM_STATE_MRA_REQ_RCVD;
}

/* cm_acquire_rejected_id: "timeout" names its sender by GUID and id, a rejected REQ
 * only its receiver. */
static gboolean
match_rej (const CmConn *conn, const IbCmMsg *rej)
{
  if (rej->reason == IB_CM_REJ_TIMEOUT)
    return rej->ca_guid != 0 && knows_peer (conn) && rej->ca_guid == conn->remote_ca_guid &&
           rej->local_id == conn->remote_id;
  if (rej->remote_id != conn->local_id)
    return FALSE;
  if (rej->message == IB_CM_MESSAGE_REQ)
    return conn->remote_id == 0;
  return conn->remote_id == rej->local_id;
}

gboolean
cm_match (const CmConn *conn, const IbCmMsg *msg)
{
  gboolean ours = msg->remote_id == conn->local_id, theirs = msg->local_id == conn->remote_id;

  switch ((IbCmAttr) msg->attr) {
  case IB_CM_REQ: /* a duplicate */
    return theirs;
  case IB_CM_REP:
    return ours && (theirs || conn->state == CM_STATE_REQ_SENT ||
                    conn->state == CM_STATE_MRA_REQ_RCVD);
  case IB_CM_MRA: /* cm_acquire_mraed_id: of a REQ before its sender's id is known */
    return ours && (theirs || msg->message == IB_CM_MESSAGE_REQ);
  case IB_CM_REJ:
    return match_rej (conn, msg);
  case IB_CM_DREQ:
    /* An observer who came late does not know the queue pair. */
    return ours && theirs && (msg->qpn == conn->local_qpn || conn->local_qpn == 0);
  case IB_CM_RTU:
  case IB_CM_DREP:
  case IB_CM_LAP:
  case IB_CM_APR:
    return ours && theirs;
  case IB_CM_SIDR_REQ: /* a duplicate */
    return theirs;
  case IB_CM_SIDR_REP: /* by the request's number alone */
    return ours;
  }
  return FALSE;
}

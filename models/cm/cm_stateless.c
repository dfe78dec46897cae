/* Answers made from the received message alone: its ids change places. */
#include "cm_stateless.h"

static IbCmMsg
answer (const IbCmMsg *msg, IbCmAttr attr)
{
  return (IbCmMsg){ .attr = (guint16) attr,
                    .sends = 1,
                    .local_id = msg->remote_id,
                    .remote_id = msg->local_id,
                    .tid = msg->tid };
}

void
cm_stateless_rej (const IbCmMsg *rejected, guint reason, IbCmMsg *ret_rej)
{
  g_assert (rejected->attr == IB_CM_REQ || rejected->attr == IB_CM_REP);
  *ret_rej = answer (rejected, IB_CM_REJ);
  ret_rej->reason = (guint16) reason;
  ret_rej->message = rejected->attr == IB_CM_REQ ? IB_CM_MESSAGE_REQ : IB_CM_MESSAGE_REP;
}

void
cm_stateless_mra (const IbCmMsg *req, guint32 local_id, guint service_timeout, IbCmMsg *ret_mra)
{
  g_assert (req->attr == IB_CM_REQ);
  *ret_mra = answer (req, IB_CM_MRA);
  ret_mra->local_id = local_id;
  ret_mra->message = IB_CM_MESSAGE_REQ;
  ret_mra->service_timeout = (guint8) service_timeout;
}

void
cm_stateless_drep (const IbCmMsg *dreq, IbCmMsg *ret_drep)
{
  g_assert (dreq->attr == IB_CM_DREQ);
  *ret_drep = answer (dreq, IB_CM_DREP);
}

void
cm_stateless_sidr_rep (const IbCmMsg *req, guint status, IbCmMsg *ret_rep)
{
  g_assert (req->attr == IB_CM_SIDR_REQ);
  *ret_rep = answer (req, IB_CM_SIDR_REP);
  ret_rep->reason = (guint16) status;
  ret_rep->service_id = req->service_id;
}

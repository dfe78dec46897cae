/* From a received CM MAD to the connection it belongs to. */
#include "cm_shared.h"
#include "cm_stateless.h"

static void
reply (CmAgent *agent, IbLid destination, const IbCmMsg *msg)
{
  IbMad mad = { .destination = destination, .mgmt_class = IB_MGMT_CLASS_CM, .cm = *msg };

  cm_agent_send (agent, &mad);
}

static void
count_duplicate (CmAgent *agent, const IbCmMsg *msg)
{
  agent->shared->counters.duplicates[msg->attr - IB_CM_ATTR_FIRST]++;
}

/* cm_req_handler, cm_match_req: duplicate, stale, nobody listens, or new. */
static void
receive_req (CmAgent *agent, const IbMad *mad)
{
  CmShared *shared = agent->shared;
  const IbCmMsg *req = &mad->cm;
  CmId *id = cm_shared_find_remote_id (shared, agent, req->ca_guid, req->local_id);
  gpointer listener;
  gint64 service_id = (gint64) req->service_id;
  IbCmMsg answer;

  if (id) {
    count_duplicate (agent, req);
    cm_agent_feed_message (id, CM_EV_RX_REQ, req);
    return;
  }
  id = cm_shared_find_remote_qpn (shared, agent, req->ca_guid, req->qpn);
  if (id) {
    cm_stateless_rej (req, IB_CM_REJ_STALE_CONNECTION, &answer);
    reply (agent, mad->source, &answer);
    if (shared->profile->dreq_on_stale && id->conn.state == CM_STATE_ESTABLISHED)
      cm_agent_feed_disconnect (id);
    return;
  }
  listener = agent->listeners ? g_hash_table_lookup (agent->listeners, &service_id) : NULL;
  if (!listener) {
    cm_stateless_rej (req, IB_CM_REJ_INVALID_SERVICE_ID, &answer);
    reply (agent, mad->source, &answer);
    return;
  }
  cm_agent_new_request (agent, mad, listener);
}

/* cm_rep_handler. */
static void
receive_rep (CmAgent *agent, const IbCmMsg *rep)
{
  CmShared *shared = agent->shared;
  CmId *id = cm_shared_find (shared, agent, rep->remote_id);

  if (!id)
    return;
  if (id->conn.state != CM_STATE_REQ_SENT && id->conn.state != CM_STATE_MRA_REQ_RCVD) {
    if (id->conn.remote_id != rep->local_id)
      return;
    count_duplicate (agent, rep);
    cm_agent_feed_message (id, CM_EV_RX_REP, rep);
    return;
  }
  if (cm_shared_find_remote_id (shared, agent, rep->ca_guid, rep->local_id))
    return;
  CmId *old = cm_shared_find_remote_qpn (shared, agent, rep->ca_guid, rep->qpn);
  if (!old) {
    cm_agent_feed_message (id, CM_EV_RX_REP, rep);
    return;
  }
  cm_agent_feed_message (id, CM_EV_RX_REP_STALE, rep);
  if (shared->profile->dreq_on_stale && old->conn.state == CM_STATE_ESTABLISHED)
    cm_agent_feed_disconnect (old);
}

/* cm_acquire_rejected_id. */
static CmId *
find_rejected (CmAgent *agent, const IbCmMsg *rej)
{
  CmId *id;

  if (rej->reason == IB_CM_REJ_TIMEOUT)
    return cm_shared_find_remote_id (agent->shared, agent, rej->ca_guid, rej->local_id);
  id = cm_shared_find (agent->shared, agent, rej->remote_id);
  if (!id)
    return NULL;
  if (rej->message == IB_CM_MESSAGE_REQ)
    return id->conn.remote_id == 0 ? id : NULL;
  return id->conn.remote_id == rej->local_id ? id : NULL;
}

/* MRA: an MRA of a REQ comes before the sender's id is known (cm_acquire_mraed_id). */
static CmId *
find_mraed (CmAgent *agent, const IbCmMsg *mra)
{
  CmId *id = cm_shared_find (agent->shared, agent, mra->remote_id);

  if (id && mra->message != IB_CM_MESSAGE_REQ && id->conn.remote_id != mra->local_id)
    return NULL;
  return id;
}

static CmId *
find_by_both (CmAgent *agent, const IbCmMsg *msg)
{
  CmId *id = cm_shared_find (agent->shared, agent, msg->remote_id);

  return id && id->conn.remote_id == msg->local_id ? id : NULL;
}

/* cm_dreq_handler: an unknown connection is answered all the same. */
static void
receive_dreq (CmAgent *agent, const IbMad *mad)
{
  CmId *id = find_by_both (agent, &mad->cm);
  IbCmMsg answer;

  if (id) {
    if (mad->cm.qpn == id->conn.local_qpn)
      cm_agent_feed_message (id, CM_EV_RX_DREQ, &mad->cm);
  } else if (agent->shared->profile->drep_for_unknown) {
    cm_stateless_drep (&mad->cm, &answer);
    reply (agent, mad->source, &answer);
  }
}

static void
feed_if (CmId *id, CmEventType type, const IbCmMsg *msg)
{
  if (id)
    cm_agent_feed_message (id, type, msg);
}

static void
receive (gpointer owner, const IbMad *mad)
{
  CmAgent *agent = owner;
  const IbCmMsg *msg = &mad->cm;

  agent->shared->counters.received[msg->attr - IB_CM_ATTR_FIRST]++;
  switch ((IbCmAttr) msg->attr) {
  case IB_CM_REQ:
    receive_req (agent, mad);
    break;
  case IB_CM_REP:
    receive_rep (agent, msg);
    break;
  case IB_CM_MRA:
    feed_if (find_mraed (agent, msg), CM_EV_RX_MRA, msg);
    break;
  case IB_CM_REJ:
    feed_if (find_rejected (agent, msg), CM_EV_RX_REJ, msg);
    break;
  case IB_CM_RTU:
    feed_if (find_by_both (agent, msg), CM_EV_RX_RTU, msg);
    break;
  case IB_CM_DREQ:
    receive_dreq (agent, mad);
    break;
  case IB_CM_DREP:
    feed_if (find_by_both (agent, msg), CM_EV_RX_DREP, msg);
    break;
  case IB_CM_SIDR_REQ:
  case IB_CM_SIDR_REP:
  case IB_CM_LAP:
  case IB_CM_APR:
    break; /* no service of these kinds is registered: ignored, as for an unknown id */
  }
}

const HcaGsiOps cm_receive_ops = { .receive = receive };

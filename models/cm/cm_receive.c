/* From a received CM MAD to the connection it belongs to. */
#include "cm_lap.h"
#include "cm_shared.h"
#include "cm_sidr.h"
#include "cm_stateless.h"

static void
feed (CmId *id, CmEventType type, const IbCmMsg *msg)
{
  cm_agent_feed (id, &(CmEvent){ .type = type, .msg = msg });
}

static void
reply (CmAgent *agent, IbLid destination, const IbCmMsg *msg)
{
  IbMad mad = { .destination = destination, .mgmt_class = IB_MGMT_CLASS_CM, .cm = *msg };

  cm_agent_answer (agent, &mad);
}

static void
count_duplicate (CmAgent *agent, const IbCmMsg *msg)
{
  agent->shared->counters.duplicates[msg->attr - IB_CM_ATTR_FIRST]++;
}

static void
disconnect_stale (CmId *old)
{
  if (cm_id_agent (old)->profile->dreq_on_stale && old->conn.state == CM_STATE_ESTABLISHED)
    cm_agent_feed (old, &(CmEvent){ .type = CM_EV_ULP_DISCONNECT });
}

static gpointer
find_listener (const CmAgent *agent, const IbCmMsg *req)
{
  gint64 service_id = (gint64) req->service_id;

  if (!agent->extra || !agent->extra->listeners)
    return NULL;
  return g_hash_table_lookup (agent->extra->listeners, &service_id);
}

static void
refuse (CmAgent *agent, const IbMad *mad, guint reason)
{
  IbCmMsg rej;

  cm_stateless_rej (&mad->cm, reason, &rej);
  reply (agent, mad->source, &rej);
}

/* Whether the CM looks at the field, and what it says: TRUE if there is nothing more to do. */
static gboolean
refuse_path (CmAgent *agent, const IbMad *mad)
{
  const CmProfile *profile = agent->profile;
  IbCmWrong wrong = mad->cm.wrong;
  gboolean gid = wrong == IB_CM_WRONG_PRIMARY_GID || wrong == IB_CM_WRONG_ALTERNATE_GID;

  if (wrong < IB_CM_WRONG_MTU || (!gid && profile->path_check != CM_PATH_CHECK_ALL))
    return FALSE;
  if (profile->path_check != CM_PATH_CHECK_SILENT)
    refuse (agent, mad, ib_cm_wrong_reason (wrong));
  return TRUE;
}

/* cm_req_handler, cm_match_req: duplicate, crossing, stale, nobody listens, or new. */
static void
receive_req (CmAgent *agent, const IbMad *mad)
{
  CmShared *shared = agent->shared;
  const IbCmMsg *req = &mad->cm;
  CmId *id = cm_shared_find_remote_id (shared, agent, req->ca_guid, req->local_id);
  CmId *peer = NULL, *old = NULL;
  gpointer listener;

  /* The first thing is a new id and its timewait record, also for what will turn out to be a
   * duplicate. */
  if (cm_agent_no_memory (agent)) {
    shared->counters.reqs_without_memory++;
    return;
  }
  if (!id) {
    peer = cm_agent_find_peer (agent, req->service_id, mad->source);
    old = cm_shared_find_remote_qpn (shared, agent, req->ca_guid, req->qpn);
    if (!peer && agent->profile->duplicate_by_qpn)
      id = old;
  }
  if (id) {
    count_duplicate (agent, req);
    feed (id, CM_EV_RX_REQ, req);
    return;
  }
  if (peer) {
    cm_agent_feed (peer, &(CmEvent){ .type = CM_EV_RX_REQ_PEER,
                                     .msg = req,
                                     .ca_guid = hca_guid (agent->hca) });
    return;
  }
  if (old) {
    refuse (agent, mad, IB_CM_REJ_STALE_CONNECTION);
    disconnect_stale (old);
    return;
  }
  listener = find_listener (agent, req);
  if (!listener) {
    refuse (agent, mad, IB_CM_REJ_INVALID_SERVICE_ID);
    return;
  }
  if (refuse_path (agent, mad))
    return;
  cm_agent_new_request (agent, mad, listener);
}

/* cm_acquire_id: the id of an RC connection, whatever the other side's. */
static CmId *
find_own (CmAgent *agent, guint32 local_id)
{
  CmId *id = cm_shared_find (agent->shared, agent, local_id);

  return id && !id->sidr ? id : NULL;
}

/* cm_rep_handler. */
static void
receive_rep (CmAgent *agent, const IbCmMsg *rep)
{
  CmShared *shared = agent->shared;
  CmId *id = find_own (agent, rep->remote_id);

  if (!id)
    return;
  if (id->conn.state != CM_STATE_REQ_SENT && id->conn.state != CM_STATE_MRA_REQ_RCVD) {
    if (id->conn.remote_id != rep->local_id)
      return;
    count_duplicate (agent, rep);
    feed (id, CM_EV_RX_REP, rep);
    return;
  }
  if (cm_shared_find_remote_id (shared, agent, rep->ca_guid, rep->local_id))
    return;
  CmId *old = cm_shared_find_remote_qpn (shared, agent, rep->ca_guid, rep->qpn);
  if (!old) {
    feed (id, CM_EV_RX_REP, rep);
    return;
  }
  feed (id, CM_EV_RX_REP_STALE, rep);
  disconnect_stale (old);
}

/* cm_acquire_rejected_id. */
static CmId *
find_rejected (CmAgent *agent, const IbCmMsg *rej)
{
  CmId *id;

  if (rej->reason == IB_CM_REJ_TIMEOUT)
    return cm_shared_find_remote_id (agent->shared, agent, rej->ca_guid, rej->local_id);
  id = find_own (agent, rej->remote_id);
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
  CmId *id = find_own (agent, mra->remote_id);

  if (id && mra->message != IB_CM_MESSAGE_REQ && id->conn.remote_id != mra->local_id)
    return NULL;
  return id;
}

static CmId *
find_by_both (CmAgent *agent, const IbCmMsg *msg)
{
  CmId *id = find_own (agent, msg->remote_id);

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
      feed (id, CM_EV_RX_DREQ, &mad->cm);
  } else if (agent->profile->drep_for_unknown) {
    cm_stateless_drep (&mad->cm, &answer);
    reply (agent, mad->source, &answer);
  }
}

static void
feed_if (CmId *id, CmEventType type, const IbCmMsg *msg)
{
  if (id)
    feed (id, type, msg);
}

static void
receive_rej (CmAgent *agent, const IbCmMsg *rej)
{
  CmId *id = find_rejected (agent, rej);

  if (id)
    feed (id, CM_EV_RX_REJ, rej);
  else
    agent->shared->counters.rejs_unmatched++;
}

/* cm_mra_handler: in an established connection it can only be about a LAP. */
static void
receive_mra (CmAgent *agent, const IbCmMsg *mra)
{
  CmId *id = find_mraed (agent, mra);

  if (id && id->conn.state == CM_STATE_ESTABLISHED && mra->message == IB_CM_MESSAGE_OTHER)
    cm_agent_feed_lap (id, &(CmEvent){ .type = CM_LAP_EV_RX_MRA, .msg = mra });
  else
    feed_if (id, CM_EV_RX_MRA, mra);
}

/* cm_lap_handler, cm_apr_handler: RoCE has no alternate paths. */
static void
receive_lap (CmAgent *agent, CmLapEventType type, const IbCmMsg *msg)
{
  CmId *id = find_by_both (agent, msg);

  if (id && !hca_is_roce (agent->hca))
    cm_agent_feed_lap (id, &(CmEvent){ .type = type, .msg = msg });
}

/* cm_sidr_req_handler. */
static void
receive_sidr_req (CmAgent *agent, const IbMad *mad)
{
  const IbCmMsg *req = &mad->cm;
  CmId *id = cm_shared_find_request (agent->shared, agent, mad->source, req->local_id);
  gpointer listener = find_listener (agent, req);
  IbCmMsg answer;

  if (id) {
    count_duplicate (agent, req);
    cm_agent_feed_sidr (id, &(CmEvent){ .type = CM_SIDR_EV_RX_SIDR_REQ, .msg = req });
  } else if (listener) {
    cm_agent_new_request (agent, mad, listener);
  } else if (agent->profile->sidr_unknown_answered) {
    cm_stateless_sidr_rep (req, IB_CM_SIDR_UNSUPPORTED, &answer);
    reply (agent, mad->source, &answer);
  }
}

static void
receive_sidr_rep (CmAgent *agent, const IbCmMsg *rep)
{
  CmId *id = cm_shared_find (agent->shared, agent, rep->remote_id);

  if (id && id->sidr)
    cm_agent_feed_sidr (id, &(CmEvent){ .type = CM_SIDR_EV_RX_SIDR_REP, .msg = rep });
}

static void
receive (gpointer owner, const IbMad *mad)
{
  CmAgent *agent = owner;
  const IbCmMsg *msg = &mad->cm;

  if (msg->attr == IB_CM_REQ && msg->wrong == IB_CM_WRONG_CLASS_VERSION) {
    /* It does not get as far as the CM. */
    if (agent->profile->class_version_rej)
      refuse (agent, mad, IB_CM_REJ_CLASS_VERSION);
    return;
  }
  agent->shared->counters.received[msg->attr - IB_CM_ATTR_FIRST]++;
  switch ((IbCmAttr) msg->attr) {
  case IB_CM_REQ:
    receive_req (agent, mad);
    break;
  case IB_CM_REP:
    receive_rep (agent, msg);
    break;
  case IB_CM_MRA:
    receive_mra (agent, msg);
    break;
  case IB_CM_REJ:
    receive_rej (agent, msg);
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
    receive_sidr_req (agent, mad);
    break;
  case IB_CM_SIDR_REP:
    receive_sidr_rep (agent, msg);
    break;
  case IB_CM_LAP:
    receive_lap (agent, CM_LAP_EV_RX_LAP, msg);
    break;
  case IB_CM_APR:
    receive_lap (agent, CM_LAP_EV_RX_APR, msg);
    break;
  }
}

void
cm_agent_data_arrived (CmAgent *agent, guint32 local_id, guint32 qpn)
{
  CmId *id = find_own (agent, local_id);

  if (id && id->conn.local_qpn == qpn)
    cm_agent_feed (id, &(CmEvent){ .type = CM_EV_COMM_EST });
}

/* Of a REQ and a REP the search tables, which are too large for a cache; of what answers, the
 * id. */
static void
expect (gpointer owner, const IbMad *mad)
{
  CmAgent *agent = owner;
  const IbCmMsg *msg = &mad->cm;

  if (msg->attr == IB_CM_REQ || msg->attr == IB_CM_REP)
    cm_shared_expect_remote (agent->shared, agent, msg);
  if (msg->attr != IB_CM_REQ)
    cm_shared_expect_own (agent->shared, agent, msg->remote_id);
}

const HcaGsiOps cm_receive_ops = { .receive = receive, .expect = expect };

/* RDMA CM over the IB CM: InfiniBand and RoCE. */
#include "cma_private.h"

#include <errno.h>

/* ----- connections ----- */

static guint32
new_qpn (Cma *cma)
{
  return cma_qpns_take (&cma->qpns, &cma->config->host->hca,
                        sim_engine_now (cma->config->engine));
}

/* cma_resolve_ib_udp: the timer counts no path. */
static void
resolve_service (CmaId *id, const CmaConnectParams *params)
{
  CmServiceRequest request = { .destination = id->destination,
                               .service_id = params->service_id,
                               .response_timeout = params->response_timeout,
                               .max_retries = params->max_retries };

  id->ud = TRUE;
  cma_id_connected (id, cm_resolve_service (id->cma->agent, &request, id));
}

static void
send_req (CmaId *id, const CmaConnectParams *params)
{
  Cma *cma = id->cma;
  CmConnectRequest request = {
    .destination = id->destination,
    .service_id = params->service_id,
    .qpn = params->qpn ? params->qpn : new_qpn (cma),
    .starting_psn = cma_new_psn (cma),
    .packet_lifetime = id->packet_lifetime,
    .response_timeout = params->response_timeout,
    .max_retries = params->max_retries,
    .wrong = params->wrong,
    .retry = params->retry,
    .retry_stream = params->retry_stream,
  };

  cma_id_connected (id, cm_connect (cma->agent, &request, cma->config->keys.retry, id));
}

static void
ib_connect (CmaId *id, const CmaConnectParams *params)
{
  if (cma_service_is_ud (params->service_id))
    resolve_service (id, params);
  else
    send_req (id, params);
}

static gint
ib_establish (CmaId *id)
{
  return cm_establish (id->cm);
}

static gint
ib_accept (CmaId *id)
{
  Cma *cma = id->cma;

  if (id->ud)
    return cm_reply_service (id->cm, IB_CM_SIDR_SUCCESS, new_qpn (cma));
  return cm_accept (id->cm, new_qpn (cma), cma_new_psn (cma));
}

static gint
ib_reject (CmaId *id, guint reason, IbLid redirect)
{
  if (id->ud)
    return cm_reply_service (id->cm, IB_CM_SIDR_REJECT, 0);
  return cm_reject (id->cm, reason, redirect);
}

static void
ib_resolve_deferred (CmaId *id, CmVerdict verdict)
{
  CmId *cm = id->cm;

  if (verdict.event != CM_EV_REQ_ADMITTED)
    id->phase = CMA_ID_IDLE; /* the IB CM forgets the request */
  cm_resolve_deferred (cm, verdict);
}

static gint
ib_disconnect (CmaId *id)
{
  return cm_disconnect (id->cm);
}

/* The consumer destroys the QP with the id. */
static void
ib_release (CmaId *id, gboolean lost)
{
  Cma *cma = id->cma;
  guint32 qpn = cm_id_conn (id->cm)->local_qpn;

  if (!id->ud && qpn > 0)
    cma_qpns_give (&cma->qpns, &cma->config->host->hca, qpn,
                   sim_engine_now (cma->config->engine));
  if (lost)
    cm_abandon (id->cm);
  else
    cm_destroy (id->cm);
}

/* ----- what is known of a connection ----- */

static guint32
ib_qpn (const CmaId *id)
{
  return cm_id_conn (id->cm)->remote_qpn;
}

static CmaPeer
ib_data_peer (const CmaId *id)
{
  const CmConn *conn = cm_id_conn (id->cm);

  return (CmaPeer){ .lid = id->destination, .cm_id = conn->remote_id, .qpn = conn->remote_qpn };
}

static void
ib_data_arrived (Cma *cma, guint32 cm_id, guint32 qpn)
{
  cm_agent_data_arrived (cma->agent, cm_id, qpn);
}

static guint32
ib_comm_id (const CmaId *id)
{
  return cm_id_conn (id->cm)->local_id;
}

static guint
ib_reqs (const CmaId *id)
{
  return cm_id_conn (id->cm)->sends_total;
}

static SimTime
ib_retry_after (const CmaId *id)
{
  const CmConn *conn = cm_id_conn (id->cm);

  return conn->redirected ? 0 : SIM_US ((SimTime) conn->retry_after_us);
}

static gint
ib_load_alternate (CmaId *id)
{
  return cm_load_alternate (id->cm);
}

static gint
ib_answer_alternate (CmaId *id, guint status)
{
  return cm_answer_alternate (id->cm, status);
}

static gint
ib_delay_alternate (CmaId *id, guint service_timeout)
{
  return cm_delay_alternate (id->cm, service_timeout);
}

static IbLid
ib_redirect (const CmaId *id)
{
  const CmConn *conn = cm_id_conn (id->cm);

  return conn->redirected ? conn->redirect : 0;
}

/* ----- news from the IB CM ----- */

static void
cm_news (gpointer owner, CmId *cm, CmNotify notify, gint status)
{
  CmaId *id = owner;
  const CmProfile *profile = id->cma->config->profile;

  id->depth++;
  switch (notify) {
  case CM_NOTIFY_REQ_RECEIVED:
    cma_deliver (id, CMA_CONNECT_REQUEST, 0);
    /* cma.c: the MRA is prepared when the consumer's handler has taken the request
     * and not answered it already. */
    if (!id->destroyed && profile->mra_for_duplicates &&
        cm_id_conn (cm)->state == CM_STATE_REQ_RCVD)
      cm_prepare_mra (cm);
    break;
  case CM_NOTIFY_REP_RECEIVED:
    if (profile->mra_for_duplicates)
      cm_prepare_mra (cm);
    cma_deliver (id, CMA_CONNECT_RESPONSE, 0);
    break;
  case CM_NOTIFY_RTU_RECEIVED:
  case CM_NOTIFY_USER_ESTABLISHED:
    cma_deliver (id, CMA_ESTABLISHED, 0);
    break;
  case CM_NOTIFY_REJ_RECEIVED:
    cma_deliver (id, CMA_REJECTED, status);
    break;
  case CM_NOTIFY_REQ_ERROR:
  case CM_NOTIFY_REP_ERROR:
    cma_deliver (id, CMA_UNREACHABLE, -ETIMEDOUT);
    break;
  case CM_NOTIFY_DREQ_RECEIVED:
  case CM_NOTIFY_DREP_RECEIVED:
    cma_deliver_disconnected (id, 0);
    break;
  case CM_NOTIFY_DREQ_ERROR:
    cma_deliver_disconnected (id, -ETIMEDOUT);
    break;
  case CM_NOTIFY_TIMEWAIT_EXIT:
    cma_deliver (id, CMA_TIMEWAIT_EXIT, 0);
    break;
  case CM_NOTIFY_MRA_RECEIVED: /* no event: Linux cma_ib_handler */
    break;
  case CM_NOTIFY_LAP_RECEIVED:
    cma_deliver (id, CMA_PATH_OFFERED, 0);
    break;
  case CM_NOTIFY_APR_RECEIVED:
    cma_deliver (id, CMA_PATH_ANSWERED, status);
    break;
  case CM_NOTIFY_SIDR_REQ_RECEIVED:
    cma_deliver (id, CMA_CONNECT_REQUEST, 0);
    break;
  case CM_NOTIFY_SIDR_REP_RECEIVED: /* cma_sidr_rep_handler */
    cma_deliver (id, status == IB_CM_SIDR_SUCCESS ? CMA_ESTABLISHED : CMA_UNREACHABLE, status);
    break;
  case CM_NOTIFY_SIDR_REQ_ERROR:
    cma_deliver (id, CMA_UNREACHABLE, -ETIMEDOUT);
    break;
  case CM_NOTIFY_COUNT:
    g_assert_not_reached ();
  }
  id->depth--;
  cma_release_if_destroyed (id);
}

static CmVerdict
cm_request (gpointer owner, const IbCmMsg *req, IbLid source)
{
  CmaListen *listen = owner;
  gboolean refused = listen->cma->config->profile->ip_cm_version_rej;

  /* cma_ib_req_handler: the header of the private data is read before anybody is asked. */
  if (req->attr == IB_CM_REQ && req->wrong == IB_CM_WRONG_IP_CM_VERSION)
    return (CmVerdict){ .event = refused ? CM_EV_REQ_REJECTED : CM_EV_REQ_DROPPED,
                        .reason = ib_cm_wrong_reason (req->wrong) };
  return listen->ops->request (listen->listener, req, source);
}

static gpointer
cm_child (gpointer owner, CmId *cm, const IbCmMsg *req, CmEventType verdict)
{
  CmaListen *listen = owner;
  CmaId *id = cma_id_new (listen->cma, &listen->ops->id_ops, NULL);

  cma_id_connected (id, cm);
  id->ud = req->attr == IB_CM_SIDR_REQ;
  id->destination = cm_id_remote (cm);
  id->owner = listen->ops->child (listen->listener, id, req, verdict == CM_EV_REQ_DEFERRED);
  return id;
}

static const CmConsumerOps ib_ops = { .request = cm_request, .child = cm_child, .notify = cm_news };

/* ----- life ----- */

static void
ib_start (Cma *cma, SimTime phase)
{
  cma->agent =
      cm_agent_new (cma->config->cm, cma->config->profile, cma->hca, cma->index, phase, &ib_ops);
  cm_agent_limit_memory (cma->agent, &cma->config->host->memory, cma->config->keys.memory);
  cma_qpns_init (&cma->qpns);
  if (cma->config->host->comm_ids > 0)
    cm_agent_limit_ids (cma->agent, cma->config->host->comm_ids);
}

static void
ib_stop (Cma *cma)
{
  cma_qpns_clear (&cma->qpns);
  cm_agent_free (cma->agent);
}

static void
ib_listen (Cma *cma, guint64 service_id, CmaListen *listen)
{
  cm_agent_listen (cma->agent, service_id, listen);
}

static void
ib_unlisten (Cma *cma, guint64 service_id)
{
  cm_agent_unlisten (cma->agent, service_id);
}

const CmaTransport cma_ib = {
  .start = ib_start,
  .stop = ib_stop,
  .listen = ib_listen,
  .unlisten = ib_unlisten,
  .connect = ib_connect,
  .establish = ib_establish,
  .accept = ib_accept,
  .reject = ib_reject,
  .resolve_deferred = ib_resolve_deferred,
  .disconnect = ib_disconnect,
  .release = ib_release,
  .qpn = ib_qpn,
  .data_peer = ib_data_peer,
  .data_arrived = ib_data_arrived,
  .comm_id = ib_comm_id,
  .reqs = ib_reqs,
  .retry_after = ib_retry_after,
  .redirect = ib_redirect,
  .load_alternate = ib_load_alternate,
  .answer_alternate = ib_answer_alternate,
  .delay_alternate = ib_delay_alternate,
};

/* RDMA CM of a host. */
#include "cma_private.h"

#include <errno.h>

/* A listener registered with the CM agent. */
typedef struct {
  Cma *cma;
  const CmaListenOps *ops;
  gpointer listener;
} CmaListen;

enum { QPN_FIRST = 0x1000, QPN_MASK = 0xffffff };

const char *
cma_event_name (CmaEventType type)
{
  static const char *const names[] = {
#define X(name) [CMA_##name] = #name,
    CMA_EVENT_LIST (X)
#undef X
  };

  g_assert (type < G_N_ELEMENTS (names));
  return names[type];
}

/* ----- ids ----- */

void
cma_deliver (CmaId *id, CmaEventType type, gint status)
{
  if (id->destroyed)
    return;
  id->depth++;
  id->ops->event (id->owner, id, type, status);
  id->depth--;
}

void
cma_release_if_destroyed (CmaId *id)
{
  if (id->destroyed && id->depth == 0)
    g_free (id);
}

CmaId *
cma_id_new (Cma *cma, const CmaIdOps *ops, gpointer owner)
{
  CmaId *id = g_new0 (CmaId, 1);

  id->cma = cma;
  id->ops = ops;
  id->owner = owner;
  id->packet_lifetime = (guint8) cma->config->profile->packet_lifetime;
  return id;
}

static void
cancel_resolving (CmaId *id)
{
  if (id->event != SIM_EVENT_NONE)
    sim_engine_cancel (id->cma->config->engine, id->event);
  if (id->query)
    sa_client_cancel (id->cma->sa, id->query);
}

void
cma_destroy (CmaId *id)
{
  g_assert (!id->destroyed);
  id->destroyed = TRUE;
  cancel_resolving (id);
  if (id->cm)
    cm_destroy (id->cm);
  cma_release_if_destroyed (id);
}

void
cma_lose (CmaId *id)
{
  g_assert (id->depth == 0);
  cancel_resolving (id);
  if (id->cm)
    cm_abandon (id->cm);
  g_free (id);
}

void
cma_abandon (CmaId *id)
{
  g_free (id);
}

/* ----- connections ----- */

static guint32
new_qpn (Cma *cma)
{
  guint32 qpn = cma->next_qpn;

  cma->next_qpn = qpn == QPN_MASK ? QPN_FIRST : qpn + 1;
  return qpn;
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
  id->cm = cm_resolve_service (id->cma->agent, &request, id);
}

static void
send_req (CmaId *id, const CmaConnectParams *params)
{
  Cma *cma = id->cma;
  CmConnectRequest request = {
    .destination = id->destination,
    .service_id = params->service_id,
    .qpn = params->qpn ? params->qpn : new_qpn (cma),
    .starting_psn = (guint32) sim_stream_below (&cma->psn, 1 << 24),
    .packet_lifetime = id->packet_lifetime,
    .response_timeout = params->response_timeout,
    .max_retries = params->max_retries,
    .retry = params->retry,
    .retry_stream = params->retry_stream,
  };

  id->cm = cm_connect (cma->agent, &request, cma->config->keys.retry, id);
}

void
cma_connect (CmaId *id, IbLid destination, const CmaConnectParams *params)
{
  id->destination = destination;
  if (cma_service_is_ud (params->service_id))
    resolve_service (id, params);
  else
    send_req (id, params);
}

gint
cma_establish (CmaId *id)
{
  return cm_establish (id->cm);
}

gint
cma_accept (CmaId *id)
{
  Cma *cma = id->cma;

  if (id->ud)
    return cm_reply_service (id->cm, IB_CM_SIDR_SUCCESS, new_qpn (cma));
  return cm_accept (id->cm, new_qpn (cma), (guint32) sim_stream_below (&cma->psn, 1 << 24));
}

gint
cma_reject (CmaId *id, guint reason)
{
  if (id->ud)
    return cm_reply_service (id->cm, IB_CM_SIDR_REJECT, 0);
  return cm_reject (id->cm, reason);
}

void
cma_resolve_deferred (CmaId *id, CmVerdict verdict)
{
  CmId *cm = id->cm;

  if (verdict.event != CM_EV_REQ_ADMITTED) {
    /* The IB CM forgets the request; so does the id. */
    id->cm = NULL;
    id->destroyed = TRUE;
  }
  cm_resolve_deferred (cm, verdict);
  cma_release_if_destroyed (id);
}

gint
cma_disconnect (CmaId *id)
{
  return id->cm ? cm_disconnect (id->cm) : -EINVAL;
}

guint32
cma_id_qpn (const CmaId *id)
{
  return cm_id_conn (id->cm)->remote_qpn;
}

CmaPeer
cma_id_data_peer (const CmaId *id)
{
  const CmConn *conn = cm_id_conn (id->cm);

  return (CmaPeer){ .lid = id->destination, .cm_id = conn->remote_id, .qpn = conn->remote_qpn };
}

void
cma_data_arrived (Cma *cma, guint32 cm_id, guint32 qpn)
{
  if (cma->config->host->hca.comm_est)
    cm_agent_data_arrived (cma->agent, cm_id, qpn);
}

IbLid
cma_id_peer (const CmaId *id)
{
  return id->destination;
}

guint
cma_id_reqs (const CmaId *id)
{
  return id->cm ? cm_id_conn (id->cm)->sends_total : 0;
}

guint32
cma_id_comm_id (const CmaId *id)
{
  return cm_id_conn (id->cm)->local_id;
}

SimTime
cma_id_retry_after (const CmaId *id)
{
  return SIM_US ((SimTime) cm_id_conn (id->cm)->retry_after_us);
}

gboolean
cma_id_has_cm (const CmaId *id)
{
  return id->cm != NULL;
}

/* ----- news from the IB CM ----- */

/* Once, though the DREP follows a DREQ that crossed ours (cma_comp_exch in
 * cma_ib_handler). */
static void
deliver_disconnected (CmaId *id, gint status)
{
  if (id->disconnected)
    return;
  id->disconnected = TRUE;
  cma_deliver (id, CMA_DISCONNECTED, status);
}

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
    deliver_disconnected (id, 0);
    break;
  case CM_NOTIFY_DREQ_ERROR:
    deliver_disconnected (id, -ETIMEDOUT);
    break;
  case CM_NOTIFY_TIMEWAIT_EXIT:
    cma_deliver (id, CMA_TIMEWAIT_EXIT, 0);
    break;
  case CM_NOTIFY_MRA_RECEIVED: /* no event: Linux cma_ib_handler */
  case CM_NOTIFY_LAP_RECEIVED:
  case CM_NOTIFY_APR_RECEIVED:
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

  return listen->ops->request (listen->listener, req, source);
}

static gpointer
cm_child (gpointer owner, CmId *cm, const IbCmMsg *req, CmEventType verdict)
{
  CmaListen *listen = owner;
  CmaId *id = cma_id_new (listen->cma, &listen->ops->id_ops, NULL);

  id->cm = cm;
  id->ud = req->attr == IB_CM_SIDR_REQ;
  id->destination = cm_id_remote (cm);
  id->owner = listen->ops->child (listen->listener, id, req, verdict == CM_EV_REQ_DEFERRED);
  return id;
}

static const CmConsumerOps cm_ops = { .request = cm_request, .child = cm_child, .notify = cm_news };

void
cma_listen (Cma *cma, guint64 service_id, const CmaListenOps *ops, gpointer listener)
{
  CmaListen *listen = g_new (CmaListen, 1);

  *listen = (CmaListen){ .cma = cma, .ops = ops, .listener = listener };
  cm_agent_listen (cma->agent, service_id, listen); /* owns it */
}

void
cma_unlisten (Cma *cma, guint64 service_id)
{
  cm_agent_unlisten (cma->agent, service_id);
}

/* ----- life ----- */

/* A kernel's uptime at the start is unknown: any phase of the wheel is as likely.
 * 2^24 jiffies cover the period of every level that a CM timer can use. */
static SimTime
draw_phase (const CmaConfig *config, guint index)
{
  SimStream stream;
  guint64 tick = (guint64) SIM_S (1) / config->profile->hz;

  if (config->host->timer_phase != SIM_TIME_NEVER)
    return config->host->timer_phase;
  sim_stream_init (&stream, config->keys.phase, index);
  return (SimTime) sim_stream_below (&stream, tick << 24);
}

void
cma_config_init (CmaConfig *config, guint64 seed, guint32 replication)
{
  config->keys.create = sim_stream_key (seed, replication, "host", "create-id");
  config->keys.address = sim_stream_key (seed, replication, "host", "address");
  config->keys.psn = sim_stream_key (seed, replication, "host", "psn");
  config->keys.phase = sim_stream_key (seed, replication, "host", "timer-phase");
  config->keys.retry = sim_stream_key (seed, replication, "connect", "cm-retry");
}

Cma *
cma_new (const CmaConfig *config, guint index)
{
  Cma *cma = g_new0 (Cma, 1);
  SimTime phase = draw_phase (config, index);

  cma->config = config;
  cma->index = index;
  cma->hca = hca_new (config->hca_group, index);
  cma->agent = cm_agent_new (config->cm, cma->hca, index, phase, &cm_ops);
  if (config->sm_lid)
    cma->sa = sa_client_new (config->engine, cma->hca, config->sm_lid, config->profile, phase,
                             &cma_sa_ops, cma);
  sim_stream_init (&cma->create, config->keys.create, index);
  sim_stream_init (&cma->address, config->keys.address, index);
  sim_stream_init (&cma->psn, config->keys.psn, index);
  cma->next_qpn = QPN_FIRST;
  return cma;
}

void
cma_free (Cma *cma)
{
  if (!cma)
    return;
  sa_client_free (cma->sa);
  cm_agent_free (cma->agent);
  hca_free (cma->hca);
  g_free (cma);
}

guint
cma_index (const Cma *cma)
{
  return cma->index;
}

Hca *
cma_hca (const Cma *cma)
{
  return cma->hca;
}

SaClient *
cma_sa_client (const Cma *cma)
{
  return cma->sa;
}

SimTime
cma_create_cost (Cma *cma)
{
  return sim_dist_sample (&cma->config->host->create_id, &cma->create);
}

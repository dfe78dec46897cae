/* RDMA CM of a host. */
#include "cma.h"

#include <errno.h>

struct Cma {
  const CmaConfig *config;
  Hca *hca;
  CmAgent *agent;
  SaClient *sa;
  SimStream create, address, psn;
  guint index;
  guint32 next_qpn;
};

struct CmaId {
  Cma *cma;
  const CmaIdOps *ops;
  gpointer owner;
  CmId *cm;
  SaQuery *query;
  SimEventId event; /* address resolution, or a route found without the SA */
  gint event_status;
  IbLid destination;
  guint8 packet_lifetime;
  guint8 depth; /* events being delivered */
  gboolean destroyed;
  gboolean disconnected; /* told so */
};

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

static void
deliver (CmaId *id, CmaEventType type, gint status)
{
  if (id->destroyed)
    return;
  id->depth++;
  id->ops->event (id->owner, id, type, status);
  id->depth--;
}

static void
release_if_destroyed (CmaId *id)
{
  if (id->destroyed && id->depth == 0)
    g_free (id);
}

static void
deliver_last (CmaId *id, CmaEventType type, gint status)
{
  deliver (id, type, status);
  release_if_destroyed (id);
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
  release_if_destroyed (id);
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

/* ----- address and route ----- */

static void
address_fire (gpointer owner, guint64 arg)
{
  CmaId *id = owner;

  id->event = SIM_EVENT_NONE;
  if (arg)
    deliver_last (id, CMA_ADDR_ERROR, -ETIMEDOUT);
  else
    deliver_last (id, CMA_ADDR_RESOLVED, 0);
}

static const SimEventClass address_event = { .name = "cma-address",
                                             .code = 0x601,
                                             .fire = address_fire };

static void
route_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  CmaId *id = owner;

  id->event = SIM_EVENT_NONE;
  deliver_last (id, CMA_ROUTE_RESOLVED, 0);
}

static const SimEventClass route_event = { .name = "cma-route", .code = 0x602, .fire = route_fire };

void
cma_resolve_addr (CmaId *id, IbLid destination, SimTime timeout)
{
  Cma *cma = id->cma;
  const HostAddressParams *address = &cma->config->host->address;
  SimTime wait = SIM_TIME_NEVER;
  gboolean answered = FALSE;

  id->destination = destination;
  /* Neighbour discovery repeats by itself; rdma_cm only waits for its timeout. */
  for (guint probe = 0; probe < address->probes; probe++) {
    gboolean lost = sim_stream_chance (&cma->address, address->unanswered);
    SimTime delay = sim_dist_sample (&address->delay, &cma->address);
    if (!lost && !answered) {
      answered = TRUE;
      wait = sim_time_add (probe * address->interval, delay);
    }
  }
  if (wait > timeout)
    id->event = sim_engine_schedule_after (cma->config->engine, timeout, &address_event, id, 1);
  else
    id->event = sim_engine_schedule_after (cma->config->engine, wait, &address_event, id, 0);
}

static void
path_done (gpointer owner G_GNUC_UNUSED, guint64 arg, gint status, const IbSaMsg *resp)
{
  CmaId *id = (CmaId *) (gsize) arg;

  id->query = NULL;
  if (status) {
    deliver_last (id, CMA_ROUTE_ERROR, status);
    return;
  }
  id->packet_lifetime = resp->packet_lifetime;
  deliver_last (id, CMA_ROUTE_RESOLVED, 0);
}

static const SaClientOps sa_ops = { .done = path_done };

void
cma_resolve_route (CmaId *id, SimTime timeout)
{
  Cma *cma = id->cma;

  if (cma->sa)
    id->query = sa_client_query (cma->sa, id->destination, timeout, (guint64) (gsize) id);
  else
    id->event = sim_engine_schedule_after (cma->config->engine, 0, &route_event, id, 0);
}

/* ----- connections ----- */

static guint32
new_qpn (Cma *cma)
{
  guint32 qpn = cma->next_qpn;

  cma->next_qpn = qpn == QPN_MASK ? QPN_FIRST : qpn + 1;
  return qpn;
}

void
cma_connect (CmaId *id, IbLid destination, const CmaConnectParams *params)
{
  Cma *cma = id->cma;
  CmConnectRequest request = {
    .destination = destination,
    .service_id = params->service_id,
    .qpn = params->qpn ? params->qpn : new_qpn (cma),
    .starting_psn = (guint32) sim_stream_below (&cma->psn, 1 << 24),
    .packet_lifetime = id->packet_lifetime,
    .response_timeout = params->response_timeout,
    .max_retries = params->max_retries,
    .retry = params->retry,
    .retry_stream = params->retry_stream,
  };

  id->destination = destination;
  id->cm = cm_connect (cma->agent, &request, cma->config->keys.retry, id);
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

  return cm_accept (id->cm, new_qpn (cma), (guint32) sim_stream_below (&cma->psn, 1 << 24));
}

gint
cma_reject (CmaId *id, guint reason)
{
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
  release_if_destroyed (id);
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
  deliver (id, CMA_DISCONNECTED, status);
}

static void
cm_news (gpointer owner, CmId *cm, CmNotify notify, gint status)
{
  CmaId *id = owner;
  const CmProfile *profile = id->cma->config->profile;

  id->depth++;
  switch (notify) {
  case CM_NOTIFY_REQ_RECEIVED:
    deliver (id, CMA_CONNECT_REQUEST, 0);
    /* cma.c: the MRA is prepared when the consumer's handler has taken the request
     * and not answered it already. */
    if (!id->destroyed && profile->mra_for_duplicates &&
        cm_id_conn (cm)->state == CM_STATE_REQ_RCVD)
      cm_prepare_mra (cm);
    break;
  case CM_NOTIFY_REP_RECEIVED:
    if (profile->mra_for_duplicates)
      cm_prepare_mra (cm);
    deliver (id, CMA_CONNECT_RESPONSE, 0);
    break;
  case CM_NOTIFY_RTU_RECEIVED:
  case CM_NOTIFY_USER_ESTABLISHED:
    deliver (id, CMA_ESTABLISHED, 0);
    break;
  case CM_NOTIFY_REJ_RECEIVED:
    deliver (id, CMA_REJECTED, status);
    break;
  case CM_NOTIFY_REQ_ERROR:
  case CM_NOTIFY_REP_ERROR:
    deliver (id, CMA_UNREACHABLE, -ETIMEDOUT);
    break;
  case CM_NOTIFY_DREQ_RECEIVED:
  case CM_NOTIFY_DREP_RECEIVED:
    deliver_disconnected (id, 0);
    break;
  case CM_NOTIFY_DREQ_ERROR:
    deliver_disconnected (id, -ETIMEDOUT);
    break;
  case CM_NOTIFY_TIMEWAIT_EXIT:
    deliver (id, CMA_TIMEWAIT_EXIT, 0);
    break;
  case CM_NOTIFY_MRA_RECEIVED: /* no event: Linux cma_ib_handler */
  case CM_NOTIFY_LAP_RECEIVED:
  case CM_NOTIFY_APR_RECEIVED:
  case CM_NOTIFY_SIDR_REQ_RECEIVED:
  case CM_NOTIFY_SIDR_REP_RECEIVED:
  case CM_NOTIFY_SIDR_REQ_ERROR:
    break;
  case CM_NOTIFY_COUNT:
    g_assert_not_reached ();
  }
  id->depth--;
  release_if_destroyed (id);
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
                             &sa_ops, cma);
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

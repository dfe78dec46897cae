/* RDMA CM of a host: what does not depend on the transport. */
#include "cma_private.h"

#include <errno.h>
#include <string.h>

#include "footprint.h"

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

/* Few kinds of owners have millions of ids, which name theirs by its number. */
static guint
number_of (CmaConfig *config, const CmaIdOps *ops)
{
  guint i = 0;

  while (config->id_ops[i] && config->id_ops[i] != ops) {
    i++;
    g_assert (i < CMA_ID_OPS_MAX);
  }
  config->id_ops[i] = ops;
  return i;
}

static const CmaIdOps *
ops_of (const CmaId *id)
{
  return id->cma->config->id_ops[id->ops];
}

static CmaChannel *
channel_of (const CmaId *id, CmaEventType type)
{
  const CmaIdOps *ops = ops_of (id);

  return ops->channel && type != CMA_CONNECT_REQUEST ? ops->channel (id->owner, type) : NULL;
}

/* A channel that nobody is busy with is read inside. */
void
cma_deliver (CmaId *id, CmaEventType type, gint status)
{
  CmaChannel *channel;

  if (id->destroyed)
    return;
  channel = channel_of (id, type);
  id->depth++;
  if (channel)
    cma_channel_put (channel, id, type, status, cma_multicast_current (id->cma));
  else
    ops_of (id)->event (id->owner, id, type, status);
  id->depth--;
}

void
cma_deliver_read (CmaId *id, CmaEventType type, gint status, const CmaGroup *group)
{
  Cma *cma = id->cma;
  const CmaGroup *before = cma_multicast_tell (cma, group);

  id->depth++;
  ops_of (id)->event (id->owner, id, type, status);
  id->depth--;
  cma_multicast_tell (cma, before);
  cma_release_if_destroyed (id);
}

void
cma_release_if_destroyed (CmaId *id)
{
  if (id->destroyed && id->depth == 0)
    sim_slab_put (&id->cma->config->ids, id);
}

CmaId *
cma_id_new (Cma *cma, const CmaIdOps *ops, gpointer owner)
{
  CmaId *id = sim_slab_take (&cma->config->ids);

  *id = (CmaId){ .cma = cma,
                 .ops = number_of (cma->config, ops) & (CMA_ID_OPS_MAX - 1),
                 .owner = owner,
                 .packet_lifetime = (guint8) cma->config->profile->packet_lifetime };
  return id;
}

/* lost: the host crashed. */
static void
let_go (CmaId *id, gboolean lost)
{
  if (id->queued)
    cma_channel_forget (id);
  if (id->joins)
    cma_multicast_drop (id, lost);
  switch ((CmaIdPhase) id->phase) {
  case CMA_ID_IDLE:
    break;
  case CMA_ID_EVENT:
    sim_engine_cancel (id->cma->config->engine, id->event);
    break;
  case CMA_ID_QUERY:
    sa_client_cancel (id->cma->sa, id->query);
    break;
  case CMA_ID_CONNECTION:
    id->cma->config->transport->release (id, lost);
    break;
  }
}

void
cma_destroy (CmaId *id)
{
  g_assert (!id->destroyed);
  id->destroyed = TRUE;
  let_go (id, FALSE);
  cma_release_if_destroyed (id);
}

void
cma_lose (CmaId *id)
{
  g_assert (id->depth == 0);
  let_go (id, TRUE);
  sim_slab_put (&id->cma->config->ids, id);
}

/* ----- connections ----- */

void
cma_connect (CmaId *id, IbLid destination, const CmaConnectParams *params)
{
  CmaConnectParams capped = *params;

  capped.max_retries = MIN (params->max_retries, CMA_MAX_CM_RETRIES);
  id->destination = destination;
  id->bound = FALSE;
  id->cma->config->transport->connect (id, &capped);
}

gint
cma_establish (CmaId *id)
{
  return cma_id_has_cm (id) ? id->cma->config->transport->establish (id) : -EINVAL;
}

gint
cma_accept (CmaId *id)
{
  return cma_id_has_cm (id) ? id->cma->config->transport->accept (id) : -EINVAL;
}

gint
cma_reject (CmaId *id, guint reason, IbLid redirect)
{
  return cma_id_has_cm (id) ? id->cma->config->transport->reject (id, reason, redirect) : -EINVAL;
}

void
cma_resolve_deferred (CmaId *id, CmVerdict verdict)
{
  if (verdict.event != CM_EV_REQ_ADMITTED)
    id->destroyed = TRUE;
  id->cma->config->transport->resolve_deferred (id, verdict);
  cma_release_if_destroyed (id);
}

gint
cma_disconnect (CmaId *id)
{
  return cma_id_has_cm (id) ? id->cma->config->transport->disconnect (id) : -EINVAL;
}

guint32
cma_id_qpn (const CmaId *id)
{
  return cma_id_has_cm (id) ? id->cma->config->transport->qpn (id) : 0;
}

CmaPeer
cma_id_data_peer (const CmaId *id)
{
  return id->cma->config->transport->data_peer (id);
}

void
cma_data_arrived (Cma *cma, guint32 cm_id, guint32 qpn)
{
  if (cma->config->host->hca.comm_est)
    cma->config->transport->data_arrived (cma, cm_id, qpn);
}

IbLid
cma_id_peer (const CmaId *id)
{
  return id->destination;
}

guint
cma_id_reqs (const CmaId *id)
{
  return cma_id_has_cm (id) ? id->cma->config->transport->reqs (id) : 0;
}

guint32
cma_id_comm_id (const CmaId *id)
{
  return id->cma->config->transport->comm_id (id);
}

IbLid
cma_id_redirect (const CmaId *id)
{
  return id->cma->config->transport->redirect (id);
}

gint
cma_load_alternate (CmaId *id)
{
  return cma_id_has_cm (id) ? id->cma->config->transport->load_alternate (id) : -EINVAL;
}

gint
cma_answer_alternate (CmaId *id, guint status)
{
  return cma_id_has_cm (id) ? id->cma->config->transport->answer_alternate (id, status) : -EINVAL;
}

gint
cma_delay_alternate (CmaId *id, guint service_timeout)
{
  if (!cma_id_has_cm (id))
    return -EINVAL;
  return id->cma->config->transport->delay_alternate (id, service_timeout);
}

SimTime
cma_id_retry_after (const CmaId *id)
{
  return id->cma->config->transport->retry_after (id);
}

gboolean
cma_id_has_cm (const CmaId *id)
{
  return id->phase == CMA_ID_CONNECTION;
}

/* Once, though the DREP follows a DREQ that crossed ours (cma_comp_exch in
 * cma_ib_handler). */
void
cma_deliver_disconnected (CmaId *id, gint status)
{
  if (id->disconnected)
    return;
  id->disconnected = TRUE;
  cma_deliver (id, CMA_DISCONNECTED, status);
}

void
cma_listen (Cma *cma, guint64 service_id, const CmaListenOps *ops, gpointer listener)
{
  CmaListen *listen = g_new (CmaListen, 1);

  *listen = (CmaListen){ .cma = cma, .ops = ops, .listener = listener };
  cma->config->transport->listen (cma, service_id, listen); /* owns it */
}

void
cma_unlisten (Cma *cma, guint64 service_id)
{
  cma->config->transport->unlisten (cma, service_id);
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
  config->transport = config->tcp ? &cma_stream : &cma_ib;
  config->keys.create = sim_stream_key (seed, replication, "host", "create-id");
  config->keys.address = sim_stream_key (seed, replication, "host", "address");
  config->keys.psn = sim_stream_key (seed, replication, "host", "psn");
  config->keys.phase = sim_stream_key (seed, replication, "host", "timer-phase");
  config->keys.memory = sim_stream_key (seed, replication, "host", "memory");
  config->keys.retry = sim_stream_key (seed, replication, "connect", "cm-retry");
  sim_slab_init (&config->hosts, sim_engine_arena (config->engine), sizeof (Cma));
  sim_slab_init (&config->ids, sim_engine_arena (config->engine), sizeof (CmaId));
  config->sa = NULL;
  config->queued = NULL;
  memset (config->id_ops, 0, sizeof config->id_ops);
  if (config->sm_lid)
    config->sa =
        sa_client_group_new (config->engine, config->sm_lid, config->profile, &cma_sa_ops, config);
}

void
cma_config_clear (CmaConfig *config)
{
  sim_slab_clear (&config->hosts);
  sim_slab_clear (&config->ids);
  g_clear_pointer (&config->queued, g_hash_table_unref);
  sa_client_group_free (config->sa);
}

Cma *
cma_new (CmaConfig *config, guint index)
{
  Cma *cma = sim_slab_take (&config->hosts);
  SimTime phase = draw_phase (config, index);

  *cma = (Cma){ .config = config, .index = index };
  cma->hca = hca_new (config->hca_group, index);
  config->transport->start (cma, phase);
  if (config->sa)
    cma->sa = sa_client_new (config->sa, cma->hca, phase);
  return cma;
}

void
cma_free (Cma *cma)
{
  if (!cma)
    return;
  cma_multicast_free (cma->multicast);
  sa_client_free (cma->sa);
  cma->config->transport->stop (cma);
  hca_free (cma->hca);
  sim_slab_put (&cma->config->hosts, cma);
}

guint
cma_index (const Cma *cma)
{
  return cma->index;
}

gboolean
cma_is_plain (const Cma *cma)
{
  return cma->config->tcp && tcp_shared_mode (cma->config->tcp) == TCP_PLAIN;
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
  return sim_dist_sample_resting (&cma->config->host->create_id, cma->config->keys.create,
                                  cma->index, &cma->create);
}

guint32
cma_new_psn (Cma *cma)
{
  SimStream stream;
  guint64 awake;
  guint32 psn;

  sim_stream_wake (&stream, cma->config->keys.psn, cma->index, cma->psn);
  awake = stream.state;
  psn = (guint32) sim_stream_below (&stream, 1 << 24);
  cma->psn += stream.state - awake;
  return psn;
}

/* ----- memory ----- */

static gboolean
is_stream (FabricTransport transport)
{
  return transport == FABRIC_TRANSPORT_IWARP || transport == FABRIC_TRANSPORT_TCP;
}

gsize
cma_host_footprint (FabricTransport transport)
{
  gsize common = sizeof (Cma) + hca_footprint () + fabric_port_footprint ();

  if (is_stream (transport))
    return common + tcp_stack_footprint ();
  return common + cm_agent_footprint () + sa_client_footprint ();
}

/* The listen's block, its key's and its place in a table that may have just doubled. */
gsize
cma_listen_footprint (void)
{
  enum { BLOCK = 16, PLACES = 3 };

  return sizeof (CmaListen) + sizeof (gint64) + 2 * BLOCK +
         PLACES * (2 * sizeof (gpointer) + sizeof (guint));
}

gsize
cma_id_footprint (FabricTransport transport)
{
  return sizeof (CmaId) + (is_stream (transport) ? tcp_socket_footprint () : cm_id_footprint ());
}

/* Addresses and routes: what comes before a connect. */
#include "cma_private.h"

#include <errno.h>

static void
deliver_last (CmaId *id, CmaEventType type, gint status)
{
  cma_deliver (id, type, status);
  cma_release_if_destroyed (id);
}

static void
address_fire (gpointer owner, guint64 arg)
{
  CmaId *id = owner;

  id->phase = CMA_ID_IDLE;
  if (arg) {
    deliver_last (id, CMA_ADDR_ERROR, -ETIMEDOUT);
  } else {
    id->bound = TRUE;
    deliver_last (id, CMA_ADDR_RESOLVED, 0);
  }
}

static const SimEventClass address_event = { .name = "cma-address",
                                             .code = 0x601,
                                             .fire = address_fire };

static void
route_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  CmaId *id = owner;

  id->phase = CMA_ID_IDLE;
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
  SimStream stream;
  guint64 awake;

  id->destination = destination;
  id->phase = CMA_ID_EVENT;
  sim_stream_wake (&stream, cma->config->keys.address, cma->index, cma->address);
  awake = stream.state;
  /* Neighbour discovery repeats by itself; rdma_cm only waits for its timeout. */
  for (guint probe = 0; probe < address->probes; probe++) {
    gboolean lost = sim_stream_chance (&stream, address->unanswered);
    SimTime delay = sim_dist_sample (&address->delay, &stream);
    if (!lost && !answered) {
      answered = TRUE;
      wait = sim_time_add (probe * address->interval, delay);
    }
  }
  cma->address += stream.state - awake;
  if (wait > timeout)
    id->event = sim_engine_schedule_after (cma->config->engine, timeout, &address_event, id, 1);
  else
    id->event = sim_engine_schedule_after (cma->config->engine, wait, &address_event, id, 0);
}

/* A multicast address has a neighbour entry without ARP: NUD_NOARP. */
void
cma_resolve_group (CmaId *id)
{
  id->phase = CMA_ID_EVENT;
  id->event = sim_engine_schedule_after (id->cma->config->engine, 0, &address_event, id, 0);
}

void
cma_bind (CmaId *id)
{
  id->bound = TRUE;
}

static void
path_done (gpointer owner G_GNUC_UNUSED, guint64 arg, gint status, const IbSaMsg *resp)
{
  CmaId *id = (CmaId *) (gsize) arg;

  id->phase = CMA_ID_IDLE;
  if (status) {
    id->bound = TRUE; /* back in ADDR_RESOLVED */
    deliver_last (id, CMA_ROUTE_ERROR, status);
    return;
  }
  id->packet_lifetime = resp->packet_lifetime;
  deliver_last (id, CMA_ROUTE_RESOLVED, 0);
}

const SaClientOps cma_sa_ops = { .done = path_done };

guint
cma_id_path_lifetime (const CmaId *id)
{
  return id->packet_lifetime;
}

void
cma_set_path (CmaId *id, guint packet_lifetime)
{
  id->packet_lifetime = (guint8) packet_lifetime;
}

void
cma_resolve_route (CmaId *id, SimTime timeout)
{
  Cma *cma = id->cma;

  id->bound = FALSE;
  if (cma->sa) {
    id->phase = CMA_ID_QUERY;
    id->query = sa_client_query (cma->sa, id->destination, timeout, (guint64) (gsize) id);
  } else {
    id->phase = CMA_ID_EVENT;
    id->event = sim_engine_schedule_after (cma->config->engine, 0, &route_event, id, 0);
  }
}

/* The SA: a queue of path queries in front of `workers` threads.  The record it
 * answers with is the same for all pairs of ports, as on a fabric with one kind of
 * link. */
#include "sa_service.h"

#include "sim_fifo.h"

struct SaService {
  SimEngine *engine;
  Hca *hca;
  const SaParams *params;
  SimFifo *queue;
  MadPool *pool; /* queries waiting or in service */
  SimStream service;
  SaCounters counters;
  const SaObserverOps *observer;
  gpointer observer_owner;
};

#define ROW(row, field) .name = row, .offset = G_STRUCT_OFFSET (SaParams, field)
const SimParam sa_params[] = {
  { ROW ("workers", workers), .kind = SIM_PARAM_UINT, .value = "1", .min = 1, .max = 4096,
    .help = "Threads that answer path queries.",
    .source = "OpenSM osm_opensm.c has one per CPU; 1 is the cautious choice" },
  { ROW ("service", service), .kind = SIM_PARAM_DIST, .value = "{exponential: 20us}",
    .help = "Time one thread needs for a path query.",
    .source = "assumption: 50 000 path queries/s, as the Mellanox SSA document assumes" },
  { ROW ("queue_limit", queue_limit), .kind = SIM_PARAM_UINT, .value = "0", .max = G_MAXUINT32,
    .help = "Most queries waiting or in service; a further one is dropped; 0: no limit.",
    .source = "OpenSM has none" },
  { ROW ("wait_limit", wait_limit), .kind = SIM_PARAM_TIME, .value = "10s",
    .max = (double) SIM_TIME_NEVER,
    .help = "A query that would wait longer is dropped silently; never: no such rule.",
    .source = "OpenSM max_msg_fifo_timeout: 50 x transaction timeout 200 ms" },
  { ROW ("packet_lifetime", packet_lifetime), .kind = SIM_PARAM_UINT, .value = "18", .max = 31,
    .help = "Packet lifetime in the path record, a time code.",
    .source = "OpenSM osm_subnet.c: packet_life_time 18" },
  { ROW ("mtu", mtu), .kind = SIM_PARAM_UINT, .value = "4", .min = 1, .max = 5,
    .help = "MTU in the path record, a code: 1 is 256 bytes, 5 is 4096.",
    .source = "assumption: 2048 bytes" },
  { ROW ("rate", rate), .kind = SIM_PARAM_UINT, .value = "16", .min = 2, .max = 63,
    .help = "Rate in the path record, a code: 16 is 100 Gb/s.", .source = "the default link rate" },
  { ROW ("sl", sl), .kind = SIM_PARAM_UINT, .value = "0", .max = 15,
    .help = "Service level in the path record.", .source = "OpenSM without QoS" },
  { .name = NULL },
};
#undef ROW

static void
sa_report (SaService *sa, SimTime now)
{
  if (sa->observer != NULL)
    sa->observer->queue (sa->observer_owner, now, sim_fifo_present (sa->queue, now));
}

static void
sa_answer (gpointer owner, guint64 arg)
{
  SaService *sa = owner;
  const SaParams *params = sa->params;
  IbMad mad;
  IbMad response = { .mgmt_class = IB_MGMT_CLASS_SUBN_ADM };

  mad_pool_take (sa->pool, (guint32) arg, &mad);
  response.destination = mad.source;
  response.sa = (IbSaMsg){
    .method = IB_SA_GET_PATH_RESP,
    /* OpenSM: 0 for the path of a port to itself. */
    .packet_lifetime = mad.sa.dlid == mad.sa.slid ? 0 : (guint8) params->packet_lifetime,
    .mtu = (guint8) params->mtu,
    .rate = (guint8) params->rate,
    .sl = (guint8) params->sl,
    .dlid = mad.sa.dlid,
    .slid = mad.sa.slid,
    .tid = mad.sa.tid,
  };
  sa->counters.answered++;
  hca_gsi_send (sa->hca, &response);
  sa_report (sa, sim_engine_now (sa->engine));
}

static const SimEventClass sa_answer_event = {
  .name = "sa-answer",
  .code = 0x53410001, /* "SA" 1 */
  .fire = sa_answer,
};

/* osm_sa_mad_ctrl.c looks at the waiting time of the query served last; here the
 * query's own waiting time is known. */
static gboolean
sa_admit (SaService *sa, SimTime now, SimTime service, SimFifoSlot *ret_slot)
{
  SimTime wait = sim_fifo_next_start (sa->queue, now) - now;

  return wait <= sa->params->wait_limit && sim_fifo_offer (sa->queue, now, service, ret_slot);
}

static void
sa_receive (gpointer owner, const IbMad *mad)
{
  SaService *sa = owner;
  SimTime now = sim_engine_now (sa->engine);
  SimTime service;
  SimFifoSlot slot;

  if (mad->sa.method != IB_SA_GET_PATH)
    return;
  sa->counters.queries++;
  /* Drawn also for a query that is then dropped, so that the draws follow the order
   * of arrival whatever the limits are. */
  service = sim_dist_sample (&sa->params->service, &sa->service);
  if (!sa_admit (sa, now, service, &slot)) {
    sa->counters.dropped++;
    return;
  }
  sa->counters.queue_max =
      MAX (sa->counters.queue_max, sim_fifo_present (sa->queue, now));
  sa->counters.busy = sim_fifo_busy_time (sa->queue);
  sim_engine_schedule_at (sa->engine, slot.end, &sa_answer_event, sa, mad_pool_put (sa->pool, mad));
  sa_report (sa, now);
}

static const HcaGsiOps sa_gsi_ops = {
  .receive = sa_receive,
};

SaService *
sa_service_new (SimEngine *engine, Hca *hca, const SaParams *params, guint64 seed,
                guint32 replication)
{
  SaService *sa = g_new0 (SaService, 1);

  sa->engine = engine;
  sa->hca = hca;
  sa->params = params;
  sa->queue = sim_fifo_new (params->workers, params->queue_limit);
  sa->pool = mad_pool_new ();
  sim_stream_init (&sa->service, sim_stream_key (seed, replication, "sa", "service"), 0);
  hca_gsi_register (hca, IB_MGMT_CLASS_SUBN_ADM, &sa_gsi_ops, sa);
  return sa;
}

void
sa_service_free (SaService *sa)
{
  if (!sa)
    return;
  sim_fifo_free (sa->queue);
  mad_pool_free (sa->pool);
  g_free (sa);
}

void
sa_service_observe (SaService *sa, const SaObserverOps *ops, gpointer owner)
{
  sa->observer = ops;
  sa->observer_owner = owner;
}

void
sa_service_restart_max (SaService *sa)
{
  sa->counters.queue_max = sim_fifo_present (sa->queue, sim_engine_now (sa->engine));
}

const SaCounters *
sa_service_counters (const SaService *sa)
{
  return &sa->counters;
}

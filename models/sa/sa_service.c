/* The SA: a queue of path queries in front of `workers` threads, and one of joins and leaves
 * before `set_workers`.  The path record is the same for all pairs of ports, as on a fabric
 * with one kind of link. */
#include "sa_service.h"

#include "sim_fifo.h"

static const char *const overload_names[] = { "drop", "busy", NULL };

struct SaService {
  SimEngine *engine;
  Hca *hca;
  const SaParams *params;
  SimFifo *queue;
  SimFifo *set_queue; /* the same one without set_workers */
  MadPool *pool; /* queries waiting or in service */
  SimStream service, set_service;
  SaGroups *groups;
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
  { ROW ("overload", overload), .kind = SIM_PARAM_ENUM, .value = "drop", .names = overload_names,
    .help = "What a query beyond the limits gets: nothing, or the status busy at once.",
    .source = "OpenSM osm_sa_mad_ctrl.c drops; busy: IBTA 13.4.7" },
  { ROW ("set_workers", set_workers), .kind = SIM_PARAM_UINT, .value = "1", .max = 4096,
    .help = "Threads that handle joins and leaves of multicast groups, apart from path queries; "
            "0: those of the path queries.",
    .source = "OpenSM: one since 2014 (commit 948e2b1b), together before" },
  { ROW ("set_service", set_service), .kind = SIM_PARAM_DIST, .value = "{exponential: 25us}",
    .help = "Time one thread needs for a join or leave.",
    .source = "OpenSM commit 948e2b1b: 200 000 Sets of another record in 5.1 s" },
  { ROW ("groups", groups.limit), .kind = SIM_PARAM_UINT, .value = "16382", .min = 1, .max = 16382,
    .help = "Multicast groups at once, IPoIB's broadcast group included; a join that needs a "
            "further one gets the status \"no resources\".",
    .source = "IBTA 4.1.3: multicast LIDs 0xC000 to 0xFFFE" },
  { ROW ("send_only_full", groups.send_only_full), .kind = SIM_PARAM_BOOL, .value = "true",
    .help = "Knows send-only full members.", .source = "OpenSM 3.3.20" },
  { ROW ("broadcast_qkey", groups.broadcast_qkey), .kind = SIM_PARAM_UINT, .value = "2843",
    .max = G_MAXUINT32, .help = "Q_Key of IPoIB's broadcast group.",
    .source = "OpenSM: 0x0b1b" },
  { ROW ("reregister_at", reregister_at), .kind = SIM_PARAM_TIME, .value = "never",
    .help = "Another subnet manager takes over: it knows no multicast group but the broadcast one "
            "and asks all ports to register again.",
    .source = "IBTA 14.4.11; Linux multicast.c mcast_event_handler" },
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
fill_path (const SaParams *params, const IbSaMsg *query, IbSaMsg *ret_response)
{
  *ret_response = (IbSaMsg){
    .method = IB_SA_GET_PATH_RESP,
    /* OpenSM: 0 for the path of a port to itself. */
    .packet_lifetime = query->dlid == query->slid ? 0 : (guint8) params->packet_lifetime,
    .mtu = (guint8) params->mtu,
    .rate = (guint8) params->rate,
    .sl = (guint8) params->sl,
    .dlid = query->dlid,
    .slid = query->slid,
    .tid = query->tid,
  };
}

static void
fill_member (SaService *sa, const IbSaMsg *query, IbSaMsg *ret_response)
{
  sa_groups_answer (sa->groups, query, ret_response);
  ret_response->slid = query->slid;
  ret_response->tid = query->tid;
  sa->counters.sets_refused += ret_response->status != IB_SA_STATUS_OK;
  sa->counters.groups_max = MAX (sa->counters.groups_max, sa_groups_count (sa->groups));
}

static void
sa_answer (gpointer owner, guint64 arg)
{
  SaService *sa = owner;
  const IbMad *mad = mad_pool_at (sa->pool, (guint32) arg);
  IbMad response = { .mgmt_class = IB_MGMT_CLASS_SUBN_ADM };

  response.destination = mad->source;
  if (mad->sa.method == IB_SA_GET_PATH)
    fill_path (sa->params, &mad->sa, &response.sa);
  else
    fill_member (sa, &mad->sa, &response.sa);
  mad_pool_drop (sa->pool, (guint32) arg);
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
sa_admit (SaService *sa, SimFifo *queue, SimTime now, SimTime service, SimFifoSlot *ret_slot)
{
  SimTime wait = sim_fifo_next_start (queue, now) - now;

  return wait <= sa->params->wait_limit && sim_fifo_offer (queue, now, service, ret_slot);
}

static void
sa_refuse (SaService *sa, const IbMad *mad)
{
  IbMad response = { .destination = mad->source, .mgmt_class = IB_MGMT_CLASS_SUBN_ADM };

  if (sa->params->overload != SA_OVERLOAD_BUSY)
    return;
  response.sa = mad->sa;
  response.sa.method++;
  response.sa.status = IB_SA_STATUS_BUSY;
  hca_gsi_send (sa->hca, &response);
}

static gboolean
is_set (const IbMad *mad)
{
  return mad->sa.method == IB_SA_JOIN || mad->sa.method == IB_SA_LEAVE;
}

static void
count_query (SaService *sa, const IbMad *mad)
{
  sa->counters.queries += !is_set (mad);
  sa->counters.joins += mad->sa.method == IB_SA_JOIN;
  sa->counters.leaves += mad->sa.method == IB_SA_LEAVE;
}

static void
sa_receive (gpointer owner, const IbMad *mad)
{
  SaService *sa = owner;
  gboolean set = is_set (mad);
  SimFifo *queue = set ? sa->set_queue : sa->queue;
  guint *most = set ? &sa->counters.set_queue_max : &sa->counters.queue_max;
  SimTime now = sim_engine_now (sa->engine);
  SimTime service;
  SimFifoSlot slot;

  if (!set && mad->sa.method != IB_SA_GET_PATH)
    return;
  count_query (sa, mad);
  /* Drawn also for a query that is then dropped, so that the draws follow the order
   * of arrival whatever the limits are. */
  service = set ? sim_dist_sample (&sa->params->set_service, &sa->set_service)
                : sim_dist_sample (&sa->params->service, &sa->service);
  if (!sa_admit (sa, queue, now, service, &slot)) {
    sa->counters.dropped += !set;
    sa->counters.sets_dropped += set;
    sa_refuse (sa, mad);
    return;
  }
  *most = MAX (*most, sim_fifo_present (queue, now));
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
  sa->set_queue = params->set_workers > 0 ? sim_fifo_new (params->set_workers, params->queue_limit)
                                          : sa->queue;
  sa->groups = sa_groups_new (&params->groups);
  sa->counters.groups_max = sa_groups_count (sa->groups);
  sa->pool = mad_pool_new ();
  sim_stream_init (&sa->service, sim_stream_key (seed, replication, "sa", "service"), 0);
  sim_stream_init (&sa->set_service, sim_stream_key (seed, replication, "sa", "set-service"), 0);
  hca_gsi_register (hca, IB_MGMT_CLASS_SUBN_ADM, &sa_gsi_ops, sa);
  return sa;
}

void
sa_service_free (SaService *sa)
{
  if (!sa)
    return;
  if (sa->set_queue != sa->queue)
    sim_fifo_free (sa->set_queue);
  sim_fifo_free (sa->queue);
  sa_groups_free (sa->groups);
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
  SimTime now = sim_engine_now (sa->engine);

  sa->counters.queue_max = sim_fifo_present (sa->queue, now);
  sa->counters.set_queue_max = sim_fifo_present (sa->set_queue, now);
  sa->counters.groups_max = sa_groups_count (sa->groups);
}

void
sa_service_forget_groups (SaService *sa)
{
  sa_groups_forget (sa->groups);
}

const SaCounters *
sa_service_counters (const SaService *sa)
{
  return &sa->counters;
}

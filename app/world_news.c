/* News from the entities of a world: what becomes of it in the result and for the observer. */
#include "world_private.h"

static void
series_step (World *world, WorldSeriesId id, gint64 delta)
{
  SimSeries *series = world->result->series[id];

  if (series)
    sim_series_step (series, sim_engine_now (world->engine), delta);
}

static void
note_idle (World *world)
{
  SimTime now = sim_engine_now (world->engine);

  sim_time_avg_set (&world->idle, now, world->busy == 0);
  sim_time_avg_set (&world->idle_waiting, now, world->busy == 0 && world->pending > 0);
}

static void
listener_levels (gpointer owner, Listener *listener G_GNUC_UNUSED, guint backlog, guint busy)
{
  WorldListener *wl = owner;
  World *world = wl->world;
  SimTime now = sim_engine_now (world->engine);

  if (backlog != wl->backlog) {
    sim_time_avg_step (&world->backlog, now, (gint64) backlog - wl->backlog);
    series_step (world, WORLD_SERIES_BACKLOG, (gint64) backlog - wl->backlog);
    wl->backlog = backlog;
    world->backlog_max = MAX (world->backlog_max, backlog);
  }
  if (busy != wl->busy) {
    world->busy += busy - wl->busy;
    wl->busy = busy;
    note_idle (world);
  }
}

static const WorldGroup *
group_of_lid (const World *world, IbLid lid)
{
  for (guint i = 0; i < world->groups->len; i++) {
    const WorldGroup *group = &g_array_index (world->groups, WorldGroup, i);
    if (lid >= group->first_lid && lid - group->first_lid < group->count)
      return group;
  }
  return NULL;
}

/* The connect a server-side event belongs to is named by the peer's host and QPN;
 * hosts hand out QPNs in the order of their attempts, so the observer can tell. */
static void
listener_app_event (gpointer owner, Listener *listener G_GNUC_UNUSED, IbLid peer, guint32 peer_qpn,
                    const char *event, gint status)
{
  WorldListener *wl = owner;
  World *world = wl->world;
  const WorldGroup *group = group_of_lid (world, peer);
  WorldAppEvent news = {
    .server = TRUE,
    .host = group ? group->first_host + (peer - group->first_lid) : 0,
    .qpn = peer_qpn,
    .connect = WORLD_NO_CONNECT,
    .event = event,
    .status = status,
  };

  world->options->observer->app_event (world->options->observer_owner,
                                       sim_engine_now (world->engine), &news);
}

static void
connect_started (gpointer owner, guint record G_GNUC_UNUSED)
{
  World *world = owner;

  world->pending++;
  note_idle (world);
  series_step (world, WORLD_SERIES_PENDING, 1);
  series_step (world, WORLD_SERIES_STARTED, 1);
}

static void
connect_decided (gpointer owner, guint number)
{
  World *world = owner;
  const ConnectRecords *connects = world->result->connects;
  ConnectCause cause = connect_records_cause (connects, number);
  SimTime now = sim_engine_now (world->engine);

  world->pending--;
  note_idle (world);
  series_step (world, WORLD_SERIES_PENDING, -1);
  if (cause == CONNECT_ESTABLISHED)
    series_step (world, WORLD_SERIES_ESTABLISHED, 1);
  if (connect_records_started (connects, number) < world->model->run.warm_up)
    return;
  world->last_decided = now;
  world->idle_at_decided = sim_time_avg_mean (&world->idle, now);
  if (cause != CONNECT_ESTABLISHED)
    return;
  world->first_established = MIN (world->first_established, now);
  world->last_established = now;
}

static void
connect_data (gpointer owner, const CmaPeer *peer)
{
  World *world = owner;
  const WorldGroup *group = group_of_lid (world, peer->lid);
  guint host = group->first_host + (peer->lid - group->first_lid);

  cma_data_arrived (world->hosts[host], peer->cm_id, peer->qpn);
}

static void
connect_app_event (gpointer owner, guint record, const char *event, gint status)
{
  World *world = owner;
  WorldAppEvent news = {
    .server = FALSE,
    .host = connect_records_host (world->result->connects, record),
    .connect = record,
    .event = event,
    .status = status,
  };

  world->options->observer->app_event (world->options->observer_owner,
                                       sim_engine_now (world->engine), &news);
}

static void
wire_sent (gpointer owner, SimTime now, const IbMad *mad, FabricFate fate)
{
  World *world = owner;
  const WorldObserverOps *observer = world->options->observer;

  if ((mad->mgmt_class == IB_MGMT_CLASS_CM &&
       (mad->cm.attr == IB_CM_REQ || mad->cm.attr == IB_CM_SIDR_REQ)) ||
      (mad->mgmt_class == IB_MGMT_CLASS_TCP && mad->tcp.kind == IB_TCP_SYN))
    series_step (world, WORLD_SERIES_REQS, 1);
  if (observer && observer->wire)
    observer->wire (world->options->observer_owner, now, mad, fate);
}

static void
meter_receive (gpointer owner, SimTime at, guint in_use)
{
  World *world = owner;

  sim_series_set (world->result->series[WORLD_SERIES_QP1_RECV], at, in_use);
}

static void
meter_send (gpointer owner, SimTime at, guint in_use)
{
  World *world = owner;

  sim_series_set (world->result->series[WORLD_SERIES_QP1_SEND], at, in_use);
}

static void
sa_queue (gpointer owner, SimTime now, guint present)
{
  World *world = owner;

  sim_series_set (world->result->series[WORLD_SERIES_SA_QUEUE], now, present);
}

/* ----- whom they tell ----- */

const ListenerOps world_listener_ops[2] = {
  { .levels = listener_levels },
  { .levels = listener_levels, .app_event = listener_app_event },
};

const ConnectorOps world_connector_ops[2] = {
  { .started = connect_started, .decided = connect_decided, .data = connect_data },
  { .started = connect_started,
    .decided = connect_decided,
    .app_event = connect_app_event,
    .data = connect_data },
};

const FabricObserverOps world_wire_ops = { .sent = wire_sent };
const HcaMeterOps world_meter_ops[2] = { { .changed = meter_receive }, { .changed = meter_send } };
const SaObserverOps world_sa_ops = { .queue = sa_queue };

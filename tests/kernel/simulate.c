/* The simulated side of the comparison: a scenario run in this process, watched on
 * the wire and in its applications. */
#include "simulate.h"

#include "world.h"

/* Host groups of the scenarios in scenarios/kernel: as the captures call them. */
static const char *const host_names[KERNEL_SIDES] = { "A", "B" };

typedef struct {
  KernelLog *log;
  const ScenarioModel *model;
  GArray *qpns; /* guint32: of the connects' first REQs, in order */
  SimTime start;
} Watcher;

/* The group's name is the side's. */
static KernelSide
side_of (const ScenarioModel *model, IbLid lid)
{
  g_autofree char *name = world_host_name (model, lid);

  return g_str_has_prefix (name, host_names[KERNEL_SIDE_A]) ? KERNEL_SIDE_A : KERNEL_SIDE_B;
}

static KernelSide
client_of (const ScenarioModel *model)
{
  const char *name = model->connects->len > 0
                         ? g_array_index (model->connects, ConnectParams, 0).from
                         : g_array_index (model->handmade, HandmadeParams, 0).from;

  return g_str_equal (name, host_names[KERNEL_SIDE_A]) ? KERNEL_SIDE_A : KERNEL_SIDE_B;
}

static void
watch_wire (gpointer owner, SimTime now, const IbMad *mad, FabricFate fate)
{
  Watcher *watcher = owner;

  if (mad->mgmt_class != IB_MGMT_CLASS_CM)
    return;
  if (watcher->log->mads->len == 0)
    watcher->start = now;
  if (mad->cm.attr == IB_CM_REQ && mad->cm.sends == 1)
    g_array_append_val (watcher->qpns, mad->cm.qpn);
  KernelMad seen = {
    .at = now,
    .side = side_of (watcher->model, mad->source),
    .attr = mad->cm.attr,
    .code = mad->cm.attr == IB_CM_REJ   ? mad->cm.reason
            : mad->cm.attr == IB_CM_MRA ? mad->cm.service_timeout
                                        : 0,
    .message = mad->cm.attr == IB_CM_REJ || mad->cm.attr == IB_CM_MRA ? mad->cm.message : 0,
    .response_timeout = mad->cm.local_response_timeout,
    .max_retries = mad->cm.max_cm_retries,
    .lost = fate == FABRIC_FATE_DROPPED,
    .local_id = mad->cm.local_id,
    .remote_id = mad->cm.remote_id,
  };
  g_array_append_val (watcher->log->mads, seen);
}

/* The server knows a connect by the QPN in its REQ. */
static guint
connect_of (const Watcher *watcher, const WorldAppEvent *event)
{
  guint i = 0;

  if (!event->server)
    return event->connect;
  while (i < watcher->qpns->len && g_array_index (watcher->qpns, guint32, i) != event->qpn)
    i++;
  return i;
}

static void
watch_event (gpointer owner, SimTime now, const WorldAppEvent *event)
{
  Watcher *watcher = owner;
  KernelEvent seen = {
    .at = now,
    .side = event->server ? (KernelSide) !watcher->log->client : watcher->log->client,
    .conn = connect_of (watcher, event),
    .type = kernel_event_find (event->event),
    .status = event->status,
  };

  if (g_str_equal (event->event, "ACCEPT_FAIL"))
    watcher->log->accepts_failed++;
  if (seen.type == KERNEL_EVENT_N)
    return; /* a call, or news of address and route */
  if (!event->server && seen.type == KERNEL_EVENT_ESTABLISHED)
    seen.type = KERNEL_EVENT_CONNECT_RESPONSE; /* librdmacm's name for it with a QP */
  g_array_append_val (watcher->log->events, seen);
}

static void
add_given_up (KernelLog *log, const ConnectRecords *connects)
{
  for (guint i = 0; i < connect_records_count (connects); i++) {
    ConnectRecord whole = connect_records_get (connects, i), *record = &whole;
    KernelEvent event = { .at = record->end, .side = log->client, .conn = i,
                          .type = KERNEL_EVENT_GAVE_UP };
    if (record->cause == CONNECT_GAVE_UP)
      g_array_append_val (log->events, event);
  }
}

/* (transfer full) copy of the scenario's hosts with other phases; *own: those it had. */
static GArray *
hosts_with_phases (const GArray *hosts, const KernelPhases *phases, KernelPhases *own)
{
  GArray *copy = g_array_sized_new (FALSE, FALSE, sizeof (HostGroupParams), hosts->len);

  g_array_append_vals (copy, hosts->data, hosts->len);
  for (guint i = 0; i < copy->len; i++) {
    HostGroupParams *host = &g_array_index (copy, HostGroupParams, i);
    for (guint side = 0; side < KERNEL_SIDES; side++) {
      if (!g_str_equal (host->name, host_names[side]))
        continue;
      own->phase[side] = host->timer_phase;
      if (phases && phases->phase[side] != SIM_TIME_NEVER)
        host->timer_phase = phases->phase[side];
    }
  }
  return copy;
}

KernelLog *
kernel_simulate (const char *path, const KernelPhases *phases,
                 const gboolean sees_timewait[KERNEL_SIDES], KernelRun *ret_run, GError **error)
{
  static const WorldObserverOps observer = { .wire = watch_wire, .app_event = watch_event };
  g_autoptr (KernelLog) log = kernel_log_new ();
  g_autoptr (GArray) qpns = g_array_new (FALSE, FALSE, sizeof (guint32));
  Watcher watcher = { .log = log, .qpns = qpns };
  KernelRun run = { .phases.phase = { SIM_TIME_NEVER, SIM_TIME_NEVER } };
  g_autofree char *broken = NULL;
  Scenario *scenario = scenario_load (path, NULL, 0, error);

  if (!scenario)
    return NULL;
  const ScenarioVariant *variant = g_ptr_array_index (scenario->variants, 0);
  ScenarioModel model = variant->model;
  model.hosts = hosts_with_phases (variant->model.hosts, phases, &run.phases);
  watcher.model = &model;
  log->client = client_of (&model);
  log->handmade[log->client] = model.connects->len == 0;
  WorldOptions options = { .observer = &observer, .observer_owner = &watcher };
  WorldResult *result = world_run (&model, scenario->seed, 0, &options, &broken);
  add_given_up (log, result->connects);
  world_result_free (result);
  g_array_unref (model.hosts);
  scenario_free (scenario);

  for (guint side = 0; side < KERNEL_SIDES; side++)
    log->sees_timewait[side] = sees_timewait[side];
  if (broken || !kernel_log_finish (log)) {
    g_set_error (error, SCENARIO_ERROR, SCENARIO_ERROR_VALUE, "%s: %s", path,
                 broken ? broken : "no CM message, or one of no connect");
    return NULL;
  }
  run.start = watcher.start;
  if (ret_run)
    *ret_run = run;
  return g_steal_pointer (&log);
}

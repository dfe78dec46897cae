/* Running one replication: build, run, check the invariants, read out. */
#include "world_private.h"

const char *const world_series_names[WORLD_SERIES_N] = {
#define X(id, name, help) [WORLD_SERIES_##id] = name,
  WORLD_SERIES_LIST (X)
#undef X
};

const char *const world_series_help[WORLD_SERIES_N] = {
#define X(id, name, help) [WORLD_SERIES_##id] = help,
  WORLD_SERIES_LIST (X)
#undef X
};

/* ----- running ----- */

static void
warm_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  World *world = owner;
  SimTime now = sim_engine_now (world->engine);

  sim_time_avg_reset (&world->backlog, now);
  sim_time_avg_reset (&world->idle, now);
  sim_time_avg_reset (&world->idle_waiting, now);
  world->backlog_max = 0;
  for (guint i = 0; i < world->n_listeners; i++)
    world->backlog_max = MAX (world->backlog_max, world->listeners[i].backlog);
  if (world->sa)
    sa_service_restart_max (world->sa);
  if (world->sm_hca)
    hca_group_restart_maxima (world->sm_hca_group);
  for (guint i = 0; i < world->groups->len; i++)
    hca_group_restart_maxima (g_array_index (world->groups, WorldGroup, i).hca_group);
  for (guint i = 0; i < world->n_listeners; i++)
    listener_restart_max (world->listeners[i].listener);
  world_counters (world, &world->at_warm);
}

static const SimEventClass warm_event = { .name = "warm-up-over",
                                          .code = 0x901,
                                          .fire = warm_fire };

/* Connections that exist on either side. */
static guint
ids_of (const World *world)
{
  return world->tcp ? tcp_shared_sockets (world->tcp) : cm_shared_ids (world->cm);
}

/* An application may have lost the event that decides, or reads none. */
static gboolean
may_never_be_read (const World *world)
{
  WorldCounters counters = { .lost = 0 };

  world_count_channels (world, &counters);
  for (guint i = 0; i < world->n_listeners; i++) {
    const CmaChannel *channel = listener_channel (world->listeners[i].listener);

    if (channel && cma_channel_length (channel) > 0)
      return TRUE;
  }
  return counters.channels.lost > 0;
}

/* The rules every run must keep; the first one broken, or NULL. */
static char *
check_invariants (const World *world)
{
  const ConnectRecords *connects = world->result->connects;
  guint live = 0, undecided = 0;

  if (cm_shared_counters (world->cm)->misuse > 0)
    return g_strdup ("the CM state machine was misused by a message or a timer");
  for (guint i = 0; i < world->n_listeners; i++) {
    if (!listener_slots_agree (world->listeners[i].listener))
      return g_strdup_printf ("listener %u: backlog slots taken and held differ", i);
    live += listener_live (world->listeners[i].listener);
  }
  for (guint i = 0; i < world->model->connects->len; i++)
    live += connector_live (world->connectors[i]);
  for (guint i = 0; i < connect_records_count (connects); i++) {
    gboolean started = connect_records_started (connects, i) != SIM_TIME_NEVER;
    gboolean decided = connect_records_decided (connects, i);

    if (decided != (connect_records_cause (connects, i) != CONNECT_PENDING) ||
        (decided && !started))
      return g_strdup_printf ("connect %u: outcome and cause disagree", i);
    undecided += started && !decided;
  }
  if (undecided != world->pending)
    return g_strdup_printf ("%u connects are undecided, %u are counted as pending", undecided,
                            world->pending);
  if (world->result->stop != SIM_STOP_IDLE)
    return NULL;
  /* Nothing bounds how long a stream's client waits for the answer; the IB CM's REQs run out. */
  if (undecided > 0 && !world->tcp && !may_never_be_read (world))
    return g_strdup_printf ("nothing is left to do and %u connects are undecided", undecided);
  if (ids_of (world) != live)
    return g_strdup_printf ("nothing is left to do, %u CM ids exist and applications hold %u",
                            ids_of (world), live);
  return NULL;
}

static void
world_free (World *world)
{
  for (guint i = 0; i < world->model->connects->len; i++)
    connector_free (world->connectors[i]);
  g_free (world->connectors);
  for (guint i = 0; i < world->model->handmade->len; i++)
    handmade_free (world->handmade[i]);
  g_free (world->handmade);
  for (guint i = 0; i < world->model->multicast->len; i++)
    multicast_free (world->multicast[i]);
  g_free (world->multicast);
  for (guint i = 0; i < world->model->connects->len; i++)
    mesh_free (world->meshes[i]);
  g_free (world->meshes);
  for (guint i = 0; i < world->n_listeners; i++)
    listener_free (world->listeners[i].listener);
  g_free (world->listeners);
  for (guint i = 0; i < world->n_hosts; i++)
    cma_free (world->hosts[i]);
  g_free (world->hosts);
  sa_service_free (world->sa);
  if (world->sm_hca)
    hca_free (world->sm_hca);
  hca_group_free (world->sm_hca_group);
  for (guint i = 0; i < world->groups->len; i++) {
    const WorldGroup *group = &g_array_index (world->groups, WorldGroup, i);
    hca_group_free (group->hca_group);
    cma_config_clear (group->config);
    g_free (group->config);
  }
  cm_shared_free (world->cm);
  tcp_shared_free (world->tcp);
  for (guint i = 0; i < G_N_ELEMENTS (world->meters); i++)
    if (world->meters[i])
      hca_meter_free (world->meters[i]);
  fabric_free (world->fabric);
  g_array_free (world->groups, TRUE);
  sim_engine_free (world->engine);
}

WorldResult *
world_run (const ScenarioModel *model, guint64 seed, guint32 replication,
           const WorldOptions *options, char **ret_broken)
{
  WorldResult *result = g_new0 (WorldResult, 1);
  World world = {
    .model = model, .options = options, .result = result, .seed = seed, .replication = replication
  };

  world_build (&world);
  if (model->run.warm_up > 0)
    sim_engine_schedule_at (world.engine, model->run.warm_up, &warm_event, &world, 0);
  for (guint i = 0; i < model->connects->len; i++)
    connector_start (world.connectors[i]);
  for (guint i = 0; i < model->multicast->len; i++)
    multicast_start (world.multicast[i]);

  result->stop = sim_engine_run (world.engine, model->run.until);
  world.end = sim_engine_now (world.engine);
  for (guint i = 0; i < model->connects->len; i++)
    connector_finish (world.connectors[i]);
  for (guint i = 0; i < G_N_ELEMENTS (world.meters); i++)
    if (world.meters[i])
      hca_meter_flush (world.meters[i], sim_engine_now (world.engine));
  result->events = sim_engine_events (world.engine);
  result->fingerprint = sim_engine_fingerprint (world.engine);
  world_read_metrics (&world);
  *ret_broken = check_invariants (&world);
  world_free (&world);
  world_read_outcomes (&world);
  return result;
}

void
world_result_free (WorldResult *result)
{
  if (!result)
    return;
  connect_records_free (result->connects);
  for (guint i = 0; i < WORLD_SERIES_N; i++)
    if (result->series[i])
      sim_series_free (result->series[i]);
  g_free (result);
}

/* Connects of one entry: when they start, and the record of how each ended. */
#include "connector_private.h"

#include "footprint.h"

/* ----- bookkeeping ----- */

void
connect_step_done (Connect *connect, ConnectStep step)
{
  connect_records_step (connect_records (connect), connect_number (connect), step,
                        connect_now (connect));
}

void
connect_trace (Connect *connect, const char *event, gint status)
{
  Connector *connector = connect_connector (connect);

  if (connector->ops->app_event)
    connector->ops->app_event (connector->owner, connect_number (connect), event, status);
}

CmaChannel *
connect_channel_of (gpointer owner, CmaEventType type G_GNUC_UNUSED)
{
  const Connect *connect = owner;

  return connect_connector (connect)->config.channels[connect_host_index (connect)];
}

void
connect_cancel (Connect *connect, SimEventId *event)
{
  if (*event != SIM_EVENT_NONE)
    sim_engine_cancel (connect_connector (connect)->config.engine, *event);
  *event = SIM_EVENT_NONE;
}

void
connect_cancel_alarm (Connect *connect)
{
  SimEventId *alarms = connect_connector (connect)->alarms;

  if (alarms)
    connect_cancel (connect, &alarms[connect_index (connect)]);
}

void
connect_decide (Connect *connect, ConnectCause cause, guint reason)
{
  guint number = connect_number (connect);

  connect_cancel_alarm (connect); /* the watchdog */
  connect_records_decide (connect_records (connect), number, cause, reason, connect_now (connect));
  connect_gate_drop (connect);
  connect_connector (connect)->ops->decided (connect_connector (connect)->owner, number);
}

/* Its application does nothing more with the id. */
static void
connect_stop (Connect *connect)
{
  connect_cancel (connect, &connect->step);
  connect_cancel (connect, &connect->hang_up);
  connect_script_stop (connect);
}

void
connect_drop_id (Connect *connect)
{
  CmaId *id = connect->id;

  connect_stop (connect);
  connect_window_leave (connect);
  if (connect_decided (connect))
    connect_cancel_alarm (connect); /* the data */
  connect_path_cancel (connect);
  connect->id = NULL;
  if (!id)
    return;
  connect_records_add_reqs (connect_records (connect), connect_number (connect), cma_id_reqs (id));
  cma_destroy (id);
}

/* ----- limits of the application, and arrivals ----- */

static void
watchdog_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Connect *connect = owner;

  connect_connector (connect)->alarms[connect_index (connect)] = SIM_EVENT_NONE;
  connect_trace (connect, "CANCEL", 0);
  connect_decide (connect, CONNECT_GAVE_UP, 0);
  connect_drop_id (connect);
}

static const SimEventClass watchdog_event = { .name = "connect-watchdog",
                                              .code = 0x708,
                                              .fire = watchdog_fire };

/* The process ends: the kernel destroys the id, connected or not. */
static void
exit_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Connect *connect = owner;

  if (!connect_decided (connect))
    connect_decide (connect, CONNECT_GAVE_UP, 0);
  connect_drop_id (connect);
}

static const SimEventClass exit_event = { .name = "connect-exit",
                                          .code = 0x70a,
                                          .fire = exit_fire };

/* The host is gone: nobody is told, nothing is sent. */
static void
crash_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Connect *connect = owner;
  CmaId *id = connect->id;

  connect_trace (connect, "CRASH", 0);
  if (!connect_decided (connect))
    connect_decide (connect, CONNECT_GAVE_UP, 0);
  connect_stop (connect);
  connect_cancel_alarm (connect);
  connect_path_cancel (connect);
  connect->id = NULL;
  if (!id)
    return;
  connect_records_add_reqs (connect_records (connect), connect_number (connect), cma_id_reqs (id));
  cma_lose (id);
}

static const SimEventClass crash_event = { .name = "connect-crash",
                                           .code = 0x70b,
                                           .fire = crash_fire };

static void schedule_arrival (Connector *connector);

static void
arrival_fire (gpointer owner, guint64 arg)
{
  Connector *connector = owner;
  const ConnectorConfig *config = &connector->config;
  Connect *connect = connector_connect (connector, (guint) arg);
  guint number = config->first_index + (guint) arg;

  connector->cursor.now = sim_engine_now (config->engine);
  connector->cursor.index = arg + 1;
  schedule_arrival (connector);

  connect->index = (guint32) arg;
  connect_records_start (config->records, number, connector_host_of (config, (guint) arg),
                         connector->cursor.now);
  connector->ops->started (connector->owner, number);
  if (config->params->give_up_after != SIM_TIME_NEVER)
    connector->alarms[arg] = sim_engine_schedule_after (
        config->engine, config->params->give_up_after, &watchdog_event, connect, 0);
  if (config->params->exit_after != SIM_TIME_NEVER)
    sim_engine_schedule_after (config->engine, config->params->exit_after, &exit_event, connect, 0);
  if (config->params->crash_after != SIM_TIME_NEVER)
    sim_engine_schedule_after (config->engine, config->params->crash_after, &crash_event, connect,
                               0);
  connect_attempt_start (connect);
}

static const SimEventClass arrival_event = { .name = "connect-arrival",
                                             .code = 0x709,
                                             .fire = arrival_fire };

static void
schedule_arrival (Connector *connector)
{
  const ConnectorConfig *config = &connector->config;
  SimTime at;

  if (connector->cursor.index >= config->n_records)
    return;
  at = connector->arrivals->next (config->params->arrivals.params, &connector->cursor,
                                  &connector->arrival_stream);
  if (at != SIM_TIME_NEVER)
    sim_engine_schedule_at (config->engine, at, &arrival_event, connector, connector->cursor.index);
}

/* ----- life ----- */

static gsize
block_bytes (const ConnectorConfig *config)
{
  return sizeof (ConnectBlock) + (gsize) config->n_records * sizeof (Connect);
}

static gboolean
has_alarms (const ConnectParams *params)
{
  return params->give_up_after != SIM_TIME_NEVER || params->data_after != SIM_TIME_NEVER;
}

static gsize
alarm_bytes (const ConnectorConfig *config)
{
  return (gsize) config->n_records * sizeof (SimEventId);
}

static SimArena *
arena_of (const ConnectorConfig *config)
{
  return sim_engine_arena (config->engine);
}

Connector *
connector_new (const ConnectorConfig *config, const ConnectorOps *ops, gpointer owner)
{
  Connector *connector = g_new0 (Connector, 1);

  connector->config = *config;
  connector->ops = ops;
  connector->owner = owner;
  connector->ulp = (const UlpClass *) config->params->ulp.klass;
  connector->arrivals = (const ArrivalClass *) config->params->arrivals.klass;
  sim_stream_init (&connector->arrival_stream,
                   sim_stream_key (config->seed, config->replication, "connects", "arrivals"),
                   config->entry);
  g_queue_init (&connector->queue);
  if (connector->ulp == &ulp_script)
    connector->scripts = g_new0 (ScriptRun, MAX (config->n_records, 1));
  connector->ulp_key = sim_stream_key (config->seed, config->replication, "connect", "ulp");
  connector->block = sim_block_new (arena_of (config), block_bytes (config));
  connector->block->connector = connector;
  if (has_alarms (config->params))
    connector->alarms = sim_block_new (arena_of (config), alarm_bytes (config));
  connect_records_begin_entry (config->records, config->first_index, config->entry);
  return connector;
}

void
connector_start (Connector *connector)
{
  schedule_arrival (connector);
}

void
connector_finish (Connector *connector)
{
  const ConnectorConfig *config = &connector->config;

  for (guint i = 0; i < config->n_records; i++) {
    const CmaId *id = connector_connect (connector, i)->id;

    if (id)
      connect_records_add_reqs (config->records, config->first_index + i, cma_id_reqs (id));
  }
}

const ConnectPathCounters *
connector_paths (const Connector *connector)
{
  return &connector->paths;
}

guint
connector_scripts_failed (const Connector *connector)
{
  return connector->scripts_failed;
}

guint
connector_live (const Connector *connector)
{
  guint live = 0;

  for (guint i = 0; i < connector->config.n_records; i++) {
    const CmaId *id = connector_connect (connector, i)->id;

    live += id && cma_id_has_cm (id);
  }
  return live;
}

void
connector_free (Connector *connector)
{
  if (!connector)
    return;
  for (guint i = 0; connector->scripts && i < connector->config.n_records; i++)
    script_run_clear (&connector->scripts[i]);
  g_free (connector->scripts);
  g_queue_clear (&connector->queue);
  g_free (connector->config.target.hosts);
  g_free (connector->config.redirect.hosts);
  g_free (connector->config.channels);
  g_free (connector->path_states);
  sim_block_free (arena_of (&connector->config), connector->block,
                  block_bytes (&connector->config));
  sim_block_free (arena_of (&connector->config), connector->alarms,
                  alarm_bytes (&connector->config));
  g_free (connector->redirects);
  g_free (connector);
}

/* ----- memory ----- */

gsize
connector_connect_footprint (void)
{
  return sizeof (Connect) + sizeof (SimEventId) + connect_record_footprint ();
}

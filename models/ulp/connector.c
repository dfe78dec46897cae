/* Connects of one entry.  Each connect is a small state: the rdma_cm id of the
 * attempt in progress and one pending event. */
#include "connector.h"

typedef struct {
  Connector *connector;
  CmaId *id;             /* of the attempt in progress, NULL between attempts */
  SimEventId step;       /* the next thing this application does */
  SimEventId watchdog;
  SimEventId hang_up;    /* disconnect after `hold` */
} Connect;

struct Connector {
  ConnectorConfig config;
  const ConnectorOps *ops;
  gpointer owner;
  const UlpClass *ulp;
  const ArrivalClass *arrivals;
  ArrivalCursor cursor;
  SimStream arrival_stream;
  SimStreamKey ulp_key;
  Connect *connects;
};

/* ----- bookkeeping ----- */

static guint
index_of (const Connect *connect)
{
  return (guint) (connect - connect->connector->connects);
}

static ConnectRecord *
record_of (const Connect *connect)
{
  return &connect->connector->config.records[index_of (connect)];
}

static SimTime
now_of (const Connect *connect)
{
  return sim_engine_now (connect->connector->config.engine);
}

static void
step_done (Connect *connect, ConnectStep step)
{
  record_of (connect)->steps[step] = now_of (connect);
}

static void
trace (Connect *connect, const char *event, gint status)
{
  Connector *connector = connect->connector;

  if (connector->ops->app_event)
    connector->ops->app_event (connector->owner, record_of (connect), event, status);
}

static void
cancel (Connect *connect, SimEventId *event)
{
  if (*event != SIM_EVENT_NONE)
    sim_engine_cancel (connect->connector->config.engine, *event);
  *event = SIM_EVENT_NONE;
}

static void
decide (Connect *connect, ConnectCause cause, guint reason)
{
  ConnectRecord *record = record_of (connect);

  g_assert (!record->decided);
  cancel (connect, &connect->watchdog);
  record->decided = TRUE;
  record->cause = (guint8) cause;
  record->reason = (guint16) reason;
  record->end = now_of (connect);
  connect->connector->ops->decided (connect->connector->owner, record);
}

static void
drop_id (Connect *connect)
{
  CmaId *id = connect->id;

  cancel (connect, &connect->step);
  cancel (connect, &connect->hang_up);
  connect->id = NULL;
  if (id)
    cma_destroy (id);
}

/* ----- the end of an attempt ----- */

static const SimEventClass attempt_event;

static ConnectCause
cause_of (UlpEnd end)
{
  switch (end) {
  case ULP_END_ESTABLISHED:
    return CONNECT_ESTABLISHED;
  case ULP_END_REJECTED:
  case ULP_END_CONNECT_ERROR:
    return CONNECT_REFUSED;
  case ULP_END_UNREACHABLE:
    return CONNECT_UNREACHABLE;
  case ULP_END_ADDRESS_ERROR:
    return CONNECT_ADDRESS_TIMEOUT;
  case ULP_END_ROUTE_ERROR:
    return CONNECT_SA_TIMEOUT;
  }
  g_assert_not_reached ();
}

static void
attempt_failed (Connect *connect, UlpEnd end, guint reason)
{
  Connector *connector = connect->connector;
  ConnectRecord *record = record_of (connect);
  UlpOutcome outcome = {
    .end = end,
    .reason = reason,
    .attempts = record->attempts,
    .since_start = now_of (connect) - record->steps[CONNECT_STEP_START],
  };
  SimStream stream;

  drop_id (connect);
  /* One stream per connect and attempt: a decision never shifts another's draws. */
  sim_stream_init (&stream, connector->ulp_key,
                   (connector->config.first_index + index_of (connect)) << 16 | record->attempts);
  UlpDecision decision = connector->ulp->decide (connector->config.params->ulp.params, &outcome,
                                                 &stream);
  if (decision.retry && record->attempts < G_MAXUINT16)
    connect->step = sim_engine_schedule_after (connector->config.engine, decision.delay,
                                               &attempt_event, connect, record->attempts);
  else
    decide (connect, cause_of (end), reason);
}

/* ----- the steps of an attempt ----- */

static void
send_req (Connect *connect)
{
  Connector *connector = connect->connector;
  const ConnectParams *params = connector->config.params;
  const CmProfile *profile = connector->config.profile;
  ConnectRecord *record = record_of (connect);
  guint64 number = connector->config.first_index + index_of (connect);
  CmaConnectParams request = {
    .service_id = cma_service_id (connector->config.space, connector->config.port),
    .max_retries = params->max_retries == CONNECT_OF_PROFILE ? profile->max_retries
                                                             : params->max_retries,
    .response_timeout = params->response_timeout == CONNECT_OF_PROFILE ? profile->response_timeout
                                                                       : params->response_timeout,
    .retry = &params->retry,
    .retry_stream = number << 16 | record->attempts,
  };

  trace (connect, "CONNECT", 0);
  step_done (connect, CONNECT_STEP_CONNECT);
  cma_connect (connect->id, connector->config.targets[index_of (connect) % connector->config.n_targets],
               &request);
}

static void
qp_ready_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Connect *connect = owner;

  connect->step = SIM_EVENT_NONE;
  step_done (connect, CONNECT_STEP_CREATE_QP);
  send_req (connect);
}

static const SimEventClass qp_ready_event = {
  .name = "connect-qp-ready", .code = 0x701, .fire = qp_ready_fire
};

static void
qp_created_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Connect *connect = owner;
  Connector *connector = connect->connector;
  Cma *host = connector->config.hosts[record_of (connect)->host];

  connect->step = hca_command (cma_hca (host), HCA_COMMAND_QP_MODIFY, 1, &qp_ready_event, connect, 0);
}

static const SimEventClass qp_created_event = {
  .name = "connect-qp-created", .code = 0x702, .fire = qp_created_fire
};

/* Create a QP and move it to INIT, then connect. */
static void
create_qp (Connect *connect)
{
  Connector *connector = connect->connector;
  Cma *host = connector->config.hosts[record_of (connect)->host];

  if (connector->config.params->qp)
    connect->step = hca_command (cma_hca (host), HCA_COMMAND_QP_CREATE, 1, &qp_created_event,
                                 connect, 0);
  else
    send_req (connect);
}

static void
id_created_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Connect *connect = owner;
  Connector *connector = connect->connector;

  connect->step = SIM_EVENT_NONE;
  step_done (connect, CONNECT_STEP_CREATE_ID);
  if (connector->config.params->resolve)
    cma_resolve_addr (connect->id,
                      connector->config.targets[index_of (connect) % connector->config.n_targets],
                      connector->ulp->address_timeout);
  else
    create_qp (connect);
}

static const SimEventClass id_created_event = {
  .name = "connect-id-created", .code = 0x703, .fire = id_created_fire
};

/* ----- established, and the way down ----- */

static void
hang_up_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Connect *connect = owner;

  connect->hang_up = SIM_EVENT_NONE;
  trace (connect, "DISCONNECT_CALL", 0);
  cma_disconnect (connect->id);
}

static const SimEventClass hang_up_event = {
  .name = "connect-hang-up", .code = 0x705, .fire = hang_up_fire
};

/* The QP is in RTS: the RTU may go. */
static void
rtu_ready_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Connect *connect = owner;
  Connector *connector = connect->connector;
  const ConnectParams *params = connector->config.params;

  connect->step = SIM_EVENT_NONE;
  if (cma_establish (connect->id) != 0)
    return; /* the connection has gone meanwhile: its own event decides */
  step_done (connect, CONNECT_STEP_ESTABLISHED);
  if (params->qp)
    trace (connect, "ESTABLISHED", 0);
  decide (connect, CONNECT_ESTABLISHED, 0);
  if (params->hold != SIM_TIME_NEVER)
    connect->hang_up = sim_engine_schedule_after (connector->config.engine, params->hold,
                                                  &hang_up_event, connect, 0);
}

static const SimEventClass rtu_ready_event = {
  .name = "connect-rtu-ready", .code = 0x704, .fire = rtu_ready_fire
};

static void
rtu_begin_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Connect *connect = owner;
  Connector *connector = connect->connector;
  Cma *host = connector->config.hosts[record_of (connect)->host];

  /* RTR and RTS. */
  connect->step = hca_command (cma_hca (host), HCA_COMMAND_QP_MODIFY, 2, &rtu_ready_event, connect, 0);
}

static const SimEventClass rtu_begin_event = {
  .name = "connect-rtu-begin", .code = 0x706, .fire = rtu_begin_fire
};

static void
rep_received (Connect *connect)
{
  Connector *connector = connect->connector;
  const ConnectParams *params = connector->config.params;

  step_done (connect, CONNECT_STEP_REP);
  if (!params->qp)
    trace (connect, "CONNECT_RESPONSE", 0);
  connect->step = sim_engine_schedule_after (connector->config.engine, params->rtu_delay,
                                             params->qp ? &rtu_begin_event : &rtu_ready_event,
                                             connect, 0);
}

static void
disconnected (Connect *connect, gint status)
{
  ConnectRecord *record = record_of (connect);

  cancel (connect, &connect->hang_up);
  trace (connect, "DISCONNECTED", status);
  step_done (connect, CONNECT_STEP_DISCONNECT);
  if (!record->decided) { /* before the RTU went out: the server was faster */
    attempt_failed (connect, ULP_END_CONNECT_ERROR, 0);
    return;
  }
  if (connect->connector->config.params->answer_disconnect)
    cma_disconnect (connect->id); /* -EINVAL when this side asked: nothing to answer */
}

/* ----- events of the RDMA CM ----- */

static void
cma_event (gpointer owner, CmaId *id, CmaEventType type, gint status)
{
  Connect *connect = owner;

  g_assert (id == connect->id);
  switch (type) {
  case CMA_ADDR_RESOLVED:
    step_done (connect, CONNECT_STEP_RESOLVE_ADDR);
    cma_resolve_route (id, connect->connector->ulp->route_timeout);
    break;
  case CMA_ROUTE_RESOLVED:
    step_done (connect, CONNECT_STEP_RESOLVE_ROUTE);
    create_qp (connect);
    break;
  case CMA_ADDR_ERROR:
    trace (connect, cma_event_name (type), status);
    attempt_failed (connect, ULP_END_ADDRESS_ERROR, 0);
    break;
  case CMA_ROUTE_ERROR:
    trace (connect, cma_event_name (type), status);
    attempt_failed (connect, ULP_END_ROUTE_ERROR, 0);
    break;
  case CMA_CONNECT_RESPONSE:
    rep_received (connect);
    break;
  case CMA_UNREACHABLE:
    trace (connect, cma_event_name (type), status);
    attempt_failed (connect, ULP_END_UNREACHABLE, 0);
    break;
  case CMA_REJECTED:
    trace (connect, cma_event_name (type), status);
    if (record_of (connect)->decided) /* a REJ on an established connection */
      drop_id (connect);
    else
      attempt_failed (connect, ULP_END_REJECTED, (guint) status);
    break;
  case CMA_DISCONNECTED:
    disconnected (connect, status);
    break;
  case CMA_TIMEWAIT_EXIT:
    trace (connect, cma_event_name (type), status);
    step_done (connect, CONNECT_STEP_DESTROY);
    drop_id (connect);
    break;
  case CMA_CONNECT_REQUEST:
  case CMA_ESTABLISHED:
    g_assert_not_reached (); /* passive side only */
  }
}

static const CmaIdOps id_ops = { .event = cma_event };

/* ----- attempts and arrivals ----- */

static void
attempt_start (Connect *connect)
{
  Connector *connector = connect->connector;
  ConnectRecord *record = record_of (connect);
  Cma *host = connector->config.hosts[record->host];

  for (guint step = CONNECT_STEP_CREATE_ID; step < CONNECT_STEP_COUNT; step++)
    record->steps[step] = SIM_TIME_NEVER;
  record->attempts++;
  connect->id = cma_id_new (host, &id_ops, connect);
  connect->step = sim_engine_schedule_after (connector->config.engine, cma_create_cost (host),
                                             &id_created_event, connect, 0);
}

static void
attempt_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  attempt_start (owner);
}

static const SimEventClass attempt_event = {
  .name = "connect-attempt", .code = 0x707, .fire = attempt_fire
};

static void
watchdog_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Connect *connect = owner;

  connect->watchdog = SIM_EVENT_NONE;
  trace (connect, "CANCEL", 0);
  decide (connect, CONNECT_GAVE_UP, 0);
  drop_id (connect);
}

static const SimEventClass watchdog_event = {
  .name = "connect-watchdog", .code = 0x708, .fire = watchdog_fire
};

/* The process ends: the kernel destroys the id, connected or not. */
static void
exit_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Connect *connect = owner;

  if (!record_of (connect)->decided)
    decide (connect, CONNECT_GAVE_UP, 0);
  drop_id (connect);
}

static const SimEventClass exit_event = { .name = "connect-exit", .code = 0x70a, .fire = exit_fire };

static void schedule_arrival (Connector *connector);

static void
arrival_fire (gpointer owner, guint64 arg)
{
  Connector *connector = owner;
  const ConnectorConfig *config = &connector->config;
  Connect *connect = &connector->connects[arg];
  ConnectRecord *record = record_of (connect);

  connector->cursor.now = sim_engine_now (config->engine);
  connector->cursor.index = arg + 1;
  schedule_arrival (connector);

  step_done (connect, CONNECT_STEP_START);
  connector->ops->started (connector->owner, record);
  if (config->params->give_up_after != SIM_TIME_NEVER)
    connect->watchdog = sim_engine_schedule_after (config->engine, config->params->give_up_after,
                                                   &watchdog_event, connect, 0);
  if (config->params->exit_after != SIM_TIME_NEVER)
    sim_engine_schedule_after (config->engine, config->params->exit_after, &exit_event, connect, 0);
  attempt_start (connect);
}

static const SimEventClass arrival_event = {
  .name = "connect-arrival", .code = 0x709, .fire = arrival_fire
};

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

/* Hosts in turn, unless a trace names them. */
static guint32
host_of (const ConnectorConfig *config, guint index)
{
  if (config->params->arrivals.klass == &arrival_trace.info) {
    const ArrivalTraceParams *trace_params = config->params->arrivals.params;
    return g_array_index (trace_params->rows, ArrivalTraceRow, index).host;
  }
  return index % config->n_hosts;
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
  connector->ulp_key = sim_stream_key (config->seed, config->replication, "connect", "ulp");
  connector->connects = g_new0 (Connect, MAX (config->n_records, 1));
  for (guint i = 0; i < config->n_records; i++) {
    ConnectRecord *record = &config->records[i];
    connector->connects[i].connector = connector;
    *record = (ConnectRecord){
      .entry = config->entry, .index = i, .host = host_of (config, i),
      .cause = CONNECT_PENDING, .end = SIM_TIME_NEVER,
    };
    for (guint step = 0; step < CONNECT_STEP_COUNT; step++)
      record->steps[step] = SIM_TIME_NEVER;
  }
  return connector;
}

void
connector_start (Connector *connector)
{
  schedule_arrival (connector);
}

void
connector_free (Connector *connector)
{
  if (!connector)
    return;
  for (guint i = 0; i < connector->config.n_records; i++)
    if (connector->connects[i].id)
      cma_abandon (connector->connects[i].id);
  g_free (connector->connects);
  g_free (connector);
}

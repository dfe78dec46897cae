/* One attempt of a connect: the steps from a new rdma_cm id to the connection and
 * down again, and what the upper-layer protocol makes of a failure. */
#include "connector_private.h"

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
  case ULP_END_WATCHDOG:
    return CONNECT_GAVE_UP;
  }
  g_assert_not_reached ();
}

/* The peer refused it because its own connect to here stays. */
static gboolean
connect_superseded (const Connect *connect, UlpEnd end)
{
  Mesh *mesh = connect_connector (connect)->config.mesh;
  guint from, to;

  if (!mesh)
    return FALSE;
  from = connect_process (connect);
  to = connect_peer_process (connect);
  mesh_end (mesh, from, to);
  return end == ULP_END_REJECTED && mesh_lost (mesh, from, to);
}

/* Few are ever sent elsewhere. */
static void
note_redirect (Connect *connect)
{
  Connector *connector = connect_connector (connect);
  IbLid redirect = cma_id_redirect (connect->id);

  if (!connector->redirects && redirect != 0)
    connector->redirects = g_new0 (IbLid, connector->config.n_records);
  if (connector->redirects)
    connector->redirects[connect_index (connect)] = redirect;
}

static void
attempt_failed (Connect *connect, UlpEnd end, guint reason)
{
  Connector *connector = connect_connector (connect);
  guint number = connect_number (connect), attempts = connect_attempts (connect);
  UlpOutcome outcome = {
    .end = end,
    .reason = reason,
    .retry_after = end == ULP_END_REJECTED ? cma_id_retry_after (connect->id) : 0,
    .attempts = attempts,
    .since_start = connect_now (connect) -
                   connect_records_started (connect_records (connect), number),
  };
  SimStream stream;

  if (end == ULP_END_REJECTED && !connect->redirected)
    note_redirect (connect);
  connect_drop_id (connect);
  if (connect_superseded (connect, end)) {
    connect_decide (connect, CONNECT_SUPERSEDED, 0);
    return;
  }
  /* One stream per connect and attempt: a decision never shifts another's draws. */
  sim_stream_init (&stream, connector->ulp_key, (guint64) number << 16 | attempts);
  UlpDecision decision =
      ulp_decide (connector->ulp, connector->config.params->ulp.params, &outcome, &stream);
  /* The place it is sent to can only send it back. */
  if (decision.redirect && (connect->redirected ||
                            (connect_redirect (connect) == 0 && connector->config.redirect.n == 0)))
    decision.retry = FALSE;
  if (decision.redirect)
    connect->redirected = TRUE;
  if (decision.retry && attempts < G_MAXUINT16)
    connect->step = sim_engine_schedule_after (connector->config.engine, decision.delay,
                                               &attempt_event, connect, attempts);
  else
    connect_decide (connect, cause_of (end), reason);
}

/* ----- the steps of an attempt ----- */

/* The protocol's own limit. */
static void
answer_late_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Connect *connect = owner;

  connect->step = SIM_EVENT_NONE;
  connect_trace (connect, "WATCHDOG", 0);
  attempt_failed (connect, ULP_END_WATCHDOG, 0);
}

static const SimEventClass answer_late_event = { .name = "connect-answer-late",
                                                 .code = 0x70b,
                                                 .fire = answer_late_fire };

/* What the scenario says, or the protocol asks for, or the profile has. */
static guint
choose (guint scenario, guint ulp, guint profile)
{
  return scenario != CONNECT_OF_PROFILE ? scenario : ulp > 0 ? ulp : profile;
}

/* What the protocol asks for on this path; 0: nothing. */
static guint
ulp_response_timeout (const UlpClass *ulp, const CmaId *id)
{
  guint over_path = cma_id_path_lifetime (id) + ulp->response_over_path;

  if (ulp->response_over_path == 0)
    return ulp->response_timeout;
  return MIN (MAX (ulp->response_timeout, over_path), 31); /* a field of five bits */
}

void
connect_send_req (Connect *connect)
{
  Connector *connector = connect_connector (connect);
  const ConnectParams *params = connector->config.params;
  const CmProfile *profile = connector->config.profile;
  const UlpClass *ulp = connector->ulp;
  guint64 number = connect_number (connect);
  SimTime limit = params->answer_within > 0 ? params->answer_within : ulp->watchdog;
  ConnectPlace place = connect_place (connect);
  CmaConnectParams request = {
    .service_id =
        cma_service_id (ulp_space_chosen (ulp, params->ud, params->port_space), place.port),
    .qpn = params->qpn,
    .wrong = params->wrong,
    .max_retries = choose (params->max_retries, ulp->max_retries, profile->max_retries),
    .response_timeout = choose (params->response_timeout, ulp_response_timeout (ulp, connect->id),
                                profile->response_timeout),
    .retry = &params->retry,
    .retry_stream = number << 16 | connect_attempts (connect),
  };

  connect_trace (connect, "CONNECT", 0);
  connect_step_done (connect, CONNECT_STEP_CONNECT);
  cma_connect (connect->id, place.host, &request);
  if (connector->config.mesh)
    mesh_begin (connector->config.mesh, connect_process (connect), connect_peer_process (connect),
                cma_id_comm_id (connect->id));
  if (limit > 0 && !connector->scripts) /* a script has limits of its own */
    connect->step =
        sim_engine_schedule_after (connector->config.engine, limit, &answer_late_event, connect, 0);
}

static void
enter_window (Connect *connect)
{
  connect_window_enter (connect, connect_send_req);
}

static void
qp_ready_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Connect *connect = owner;

  connect->step = SIM_EVENT_NONE;
  connect_step_done (connect, CONNECT_STEP_CREATE_QP);
  connect_gate (connect, CONNECT_GATE_CONNECT, enter_window);
}

static const SimEventClass qp_ready_event = { .name = "connect-qp-ready",
                                              .code = 0x701,
                                              .fire = qp_ready_fire };

static void
qp_created_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Connect *connect = owner;

  connect->step = hca_command (cma_hca (connect_host (connect)), HCA_COMMAND_QP_MODIFY, 1,
                               &qp_ready_event, connect, 0);
}

static const SimEventClass qp_created_event = { .name = "connect-qp-created",
                                                .code = 0x702,
                                                .fire = qp_created_fire };

/* Create a QP and move it to INIT, then connect. */
static void
create_qp (Connect *connect)
{
  if (connect_connector (connect)->config.params->qp)
    connect->step = hca_command (cma_hca (connect_host (connect)), HCA_COMMAND_QP_CREATE, 1,
                                 &qp_created_event, connect, 0);
  else
    connect_gate (connect, CONNECT_GATE_CONNECT, enter_window);
}

static void
resolve_addr (Connect *connect)
{
  cma_resolve_addr (connect->id, connect_place (connect).host,
                    connect_connector (connect)->ulp->address_timeout);
}

static void
resolve_route (Connect *connect)
{
  guint lifetime = connect_connector (connect)->config.params->path_lifetime;

  if (lifetime == CONNECT_OF_PROFILE) {
    cma_resolve_route (connect->id, connect_connector (connect)->ulp->route_timeout);
    return;
  }
  cma_set_path (connect->id, lifetime);
  connect_step_done (connect, CONNECT_STEP_RESOLVE_ROUTE);
  connect_gate (connect, CONNECT_GATE_QP, create_qp);
}

static void
id_created_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Connect *connect = owner;
  Connector *connector = connect_connector (connect);

  connect->step = SIM_EVENT_NONE;
  connect_step_done (connect, CONNECT_STEP_CREATE_ID);
  if (connector->config.params->resolve)
    connect_gate (connect, CONNECT_GATE_ADDRESS, resolve_addr);
  else
    connect_gate (connect, CONNECT_GATE_QP, create_qp);
}

static const SimEventClass id_created_event = { .name = "connect-id-created",
                                                .code = 0x703,
                                                .fire = id_created_fire };

/* ----- established, and the way down ----- */

static void
hang_up_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Connect *connect = owner;

  connect->hang_up = SIM_EVENT_NONE;
  connect_trace (connect, "DISCONNECT_CALL", 0);
  cma_disconnect (connect->id);
}

static const SimEventClass hang_up_event = { .name = "connect-hang-up",
                                             .code = 0x705,
                                             .fire = hang_up_fire };

static void
data_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Connect *connect = owner;
  Connector *connector = connect_connector (connect);
  CmaPeer peer = cma_id_data_peer (connect->id);

  connector->alarms[connect_index (connect)] = SIM_EVENT_NONE;
  connector->ops->data (connector->owner, &peer);
}

static const SimEventClass data_event = { .name = "connect-data",
                                          .code = 0x70c,
                                          .fire = data_fire };

/* The QP is in RTS: the RTU may go. */
static void
rtu_ready_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Connect *connect = owner;
  Connector *connector = connect_connector (connect);
  const ConnectParams *params = connector->config.params;

  connect->step = SIM_EVENT_NONE;
  if (cma_establish (connect->id) != 0)
    return; /* the connection has gone meanwhile: its own event decides */
  connect_step_done (connect, CONNECT_STEP_ESTABLISHED);
  if (params->qp)
    connect_trace (connect, "ESTABLISHED", 0);
  connect_decide (connect, CONNECT_ESTABLISHED, 0);
  if (params->data_after != SIM_TIME_NEVER)
    connector->alarms[connect_index (connect)] = sim_engine_schedule_after (
        connector->config.engine, params->data_after, &data_event, connect, 0);
  connect_path_begin (connect);
  if (params->hold != SIM_TIME_NEVER)
    connect->hang_up = sim_engine_schedule_after (connector->config.engine, params->hold,
                                                  &hang_up_event, connect, 0);
}

static const SimEventClass rtu_ready_event = { .name = "connect-rtu-ready",
                                               .code = 0x704,
                                               .fire = rtu_ready_fire };

static void
rtu_begin_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Connect *connect = owner;

  /* RTR and RTS. */
  connect->step = hca_command (cma_hca (connect_host (connect)), HCA_COMMAND_QP_MODIFY, 2,
                               &rtu_ready_event, connect, 0);
}

static const SimEventClass rtu_begin_event = { .name = "connect-rtu-begin",
                                               .code = 0x706,
                                               .fire = rtu_begin_fire };

/* UD: nothing to confirm, nothing to take down. */
static void
service_resolved (Connect *connect)
{
  connect_cancel (connect, &connect->step); /* the watchdog */
  connect_window_leave (connect);
  connect_trace (connect, "ESTABLISHED", 0);
  connect_step_done (connect, CONNECT_STEP_REP);
  connect_step_done (connect, CONNECT_STEP_ESTABLISHED);
  connect_decide (connect, CONNECT_ESTABLISHED, 0);
}

static void
rep_received (Connect *connect)
{
  Connector *connector = connect_connector (connect);
  const ConnectParams *params = connector->config.params;

  connect_cancel (connect, &connect->step); /* the watchdog */
  connect_window_leave (connect);
  connect_step_done (connect, CONNECT_STEP_REP);
  if (!params->qp)
    connect_trace (connect, "CONNECT_RESPONSE", 0);
  connect->step = sim_engine_schedule_after (connector->config.engine, params->rtu_delay,
                                             params->qp ? &rtu_begin_event : &rtu_ready_event,
                                             connect, 0);
}

static void
disconnected (Connect *connect, gint status)
{
  gboolean decided = connect_decided (connect);

  if (decided)
    connect_cancel (connect, &connect->hang_up);
  connect_trace (connect, "DISCONNECTED", status);
  connect_step_done (connect, CONNECT_STEP_DISCONNECT);
  if (!decided) { /* before the RTU went out: the server was faster */
    attempt_failed (connect, ULP_END_CONNECT_ERROR, 0);
    return;
  }
  if (connect_connector (connect)->config.params->answer_disconnect)
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
    connect_step_done (connect, CONNECT_STEP_RESOLVE_ADDR);
    connect_gate (connect, CONNECT_GATE_ROUTE, resolve_route);
    break;
  case CMA_ROUTE_RESOLVED:
    connect_step_done (connect, CONNECT_STEP_RESOLVE_ROUTE);
    connect_gate (connect, CONNECT_GATE_QP, create_qp);
    break;
  case CMA_ADDR_ERROR:
    connect_trace (connect, cma_event_name (type), status);
    attempt_failed (connect, ULP_END_ADDRESS_ERROR, 0);
    break;
  case CMA_ROUTE_ERROR:
    connect_trace (connect, cma_event_name (type), status);
    attempt_failed (connect, ULP_END_ROUTE_ERROR, 0);
    break;
  case CMA_CONNECT_RESPONSE:
    rep_received (connect);
    break;
  case CMA_UNREACHABLE:
    connect_trace (connect, cma_event_name (type), status);
    attempt_failed (connect, ULP_END_UNREACHABLE, 0);
    break;
  case CMA_REJECTED:
    connect_trace (connect, cma_event_name (type), status);
    if (connect_decided (connect)) /* a REJ on an established connection */
      connect_drop_id (connect);
    else
      attempt_failed (connect, ULP_END_REJECTED, status > 0 ? (guint) status : 0);
    break;
  case CMA_DISCONNECTED:
    disconnected (connect, status);
    break;
  case CMA_TIMEWAIT_EXIT:
    connect_trace (connect, cma_event_name (type), status);
    connect_step_done (connect, CONNECT_STEP_DESTROY);
    connect_drop_id (connect);
    break;
  case CMA_ESTABLISHED:
    service_resolved (connect);
    break;
  case CMA_PATH_ANSWERED:
    connect_path_answered (connect, status);
    break;
  case CMA_PATH_OFFERED: /* the passive side offers none */
    break;
  case CMA_MULTICAST_JOIN:
  case CMA_MULTICAST_ERROR:
  case CMA_CONNECT_REQUEST:
    g_assert_not_reached (); /* it joins nothing; passive side only */
  }
}

static const CmaIdOps id_ops = { .event = cma_event };
static const CmaIdOps channel_ops = { .event = cma_event, .channel = connect_channel_of };

/* ----- attempts ----- */

void
connect_attempt_start (Connect *connect)
{
  Connector *connector = connect_connector (connect);
  Cma *host = connect_host (connect);
  Mesh *mesh = connector->config.mesh;

  if (mesh && !mesh_wants (mesh, connect_process (connect), connect_peer_process (connect))) {
    connect_decide (connect, CONNECT_SUPERSEDED, 0);
    return;
  }
  connect_records_attempt (connect_records (connect), connect_number (connect));
  if (connector->scripts) {
    connect_script_start (connect);
    return;
  }
  connect->id = cma_id_new (host, connector->config.channels ? &channel_ops : &id_ops, connect);
  connect->step = sim_engine_schedule_after (connector->config.engine, cma_create_cost (host),
                                             &id_created_event, connect, 0);
}

static void
attempt_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  connect_attempt_start (owner);
}

static const SimEventClass attempt_event = { .name = "connect-attempt",
                                             .code = 0x707,
                                             .fire = attempt_fire };

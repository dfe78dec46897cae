/* Connects whose application is a script. */
#include "connector_private.h"

#include <errno.h>

static ScriptRun *
run_of (Connect *connect)
{
  return &connect_connector (connect)->scripts[connect_index (connect)];
}

static void
decide_once (Connect *connect, ConnectCause cause, guint reason)
{
  if (!connect_decided (connect))
    connect_decide (connect, cause, reason);
}

/* ----- calls ----- */

static gint
establish (Connect *connect)
{
  gint rc = cma_establish (connect->id);

  if (rc == 0) {
    connect_step_done (connect, CONNECT_STEP_ESTABLISHED);
    decide_once (connect, CONNECT_ESTABLISHED, 0);
  }
  return rc;
}

static gint
join (Connect *connect, const ScriptStep *step)
{
  const ConnectParams *params = connect_connector (connect)->config.params;
  CmaJoinParams join = { .space = ulp_space_chosen (connect_connector (connect)->ulp, params->ud,
                                                    params->port_space),
                         .join_state = step->send_only ? IB_JOIN_SEND_ONLY_FULL : IB_JOIN_FULL };
  gint rc;

  ib_group_parse (step->group, &join.address); /* checked with the scenario */
  rc = cma_join_multicast (connect->id, &join);
  connect_trace (connect, "JOIN_MULTICAST", rc);
  return rc;
}

static gint
leave (Connect *connect, const ScriptStep *step)
{
  IbGroupAddress address;
  gint rc;

  ib_group_parse (step->group, &address);
  rc = cma_leave_multicast (connect->id, &address);
  connect_trace (connect, "LEAVE_MULTICAST", rc);
  return rc;
}

static guint
reject_reason (const ScriptStep *step)
{
  return step->reason > 0 ? step->reason : IB_CM_REJ_CONSUMER;
}

static gint
script_call (gpointer owner, const ScriptStep *step)
{
  Connect *connect = owner;
  gboolean connected = cma_id_has_cm (connect->id);
  gint rc;

  switch ((ScriptCall) step->call) {
  case SCRIPT_CALL_BIND:
    cma_bind (connect->id);
    return 0;
  case SCRIPT_CALL_JOIN:
    return join (connect, step);
  case SCRIPT_CALL_LEAVE:
    return leave (connect, step);
  case SCRIPT_CALL_RESOLVE_ADDR:
    cma_resolve_addr (connect->id, connect_place (connect).host,
                      connect_connector (connect)->ulp->address_timeout);
    return 0;
  case SCRIPT_CALL_RESOLVE_ROUTE:
    cma_resolve_route (connect->id, connect_connector (connect)->ulp->route_timeout);
    return 0;
  case SCRIPT_CALL_CONNECT:
    if (connected)
      return -EINVAL;
    connect_send_req (connect);
    return 0;
  case SCRIPT_CALL_ESTABLISH:
    return connected ? establish (connect) : -EINVAL;
  case SCRIPT_CALL_REJECT:
    rc = connected ? cma_reject (connect->id, reject_reason (step), 0) : -EINVAL;
    if (rc == 0)
      decide_once (connect, CONNECT_GAVE_UP, 0);
    return rc;
  case SCRIPT_CALL_DISCONNECT:
    return cma_disconnect (connect->id);
  case SCRIPT_CALL_DESTROY:
    decide_once (connect, CONNECT_GAVE_UP, 0);
    connect_drop_id (connect);
    return 0;
  case SCRIPT_CALL_NONE:
  case SCRIPT_CALL_READ:
  case SCRIPT_CALL_ACCEPT:
    break;
  }
  g_assert_not_reached (); /* checked with the scenario */
}

/* A connect that its script leaves undecided is given up. */
static void
script_over (gpointer owner, gint failed)
{
  Connect *connect = owner;

  if (failed >= 0) {
    connect_connector (connect)->scripts_failed++;
    connect_trace (connect, "SCRIPT_FAILED", failed);
  }
  if (connect_decided (connect))
    return;
  connect_decide (connect, CONNECT_GAVE_UP, 0);
  connect_drop_id (connect);
}

static const ScriptOps script_ops = { .call = script_call, .over = script_over };

/* ----- events ----- */

static void
note (Connect *connect, CmaEventType type, gint status)
{
  switch (type) {
  case CMA_ADDR_RESOLVED:
    connect_step_done (connect, CONNECT_STEP_RESOLVE_ADDR);
    break;
  case CMA_ROUTE_RESOLVED:
    connect_step_done (connect, CONNECT_STEP_RESOLVE_ROUTE);
    break;
  case CMA_CONNECT_RESPONSE:
    connect_step_done (connect, CONNECT_STEP_REP);
    break;
  case CMA_ADDR_ERROR:
    decide_once (connect, CONNECT_ADDRESS_TIMEOUT, 0);
    break;
  case CMA_ROUTE_ERROR:
    decide_once (connect, CONNECT_SA_TIMEOUT, 0);
    break;
  case CMA_UNREACHABLE:
    decide_once (connect, CONNECT_UNREACHABLE, 0);
    break;
  case CMA_REJECTED:
    decide_once (connect, CONNECT_REFUSED, status > 0 ? (guint) status : 0);
    break;
  case CMA_DISCONNECTED:
    connect_step_done (connect, CONNECT_STEP_DISCONNECT);
    break;
  case CMA_TIMEWAIT_EXIT:
    connect_step_done (connect, CONNECT_STEP_DESTROY);
    break;
  case CMA_ESTABLISHED: /* UD */
    connect_step_done (connect, CONNECT_STEP_ESTABLISHED);
    decide_once (connect, CONNECT_ESTABLISHED, 0);
    break;
  case CMA_MULTICAST_JOIN:
  case CMA_MULTICAST_ERROR:
  case CMA_PATH_OFFERED:
  case CMA_PATH_ANSWERED:
    break;
  case CMA_CONNECT_REQUEST:
    g_assert_not_reached (); /* passive side only */
  }
}

static void
script_event (gpointer owner, CmaId *id G_GNUC_UNUSED, CmaEventType type, gint status)
{
  Connect *connect = owner;

  connect_trace (connect, cma_event_name (type), status);
  note (connect, type, status);
  script_run_event (run_of (connect), type, status);
}

static const CmaIdOps id_ops = { .event = script_event };
static const CmaIdOps channel_ops = { .event = script_event, .channel = connect_channel_of };

void
connect_script_start (Connect *connect)
{
  Connector *connector = connect_connector (connect);
  const UlpScriptParams *params = connector->config.params->ulp.params;

  connect->id = cma_id_new (connect_host (connect),
                            connector->config.channels ? &channel_ops : &id_ops, connect);
  script_run_start (run_of (connect), connector->config.engine, params->steps, &script_ops,
                    connect);
}

void
connect_script_stop (Connect *connect)
{
  if (connect_connector (connect)->scripts)
    script_run_clear (run_of (connect));
}

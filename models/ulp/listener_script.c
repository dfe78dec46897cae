/* A listener whose application is a script: one run for each request. */
#include "listener_private.h"

#include <errno.h>

static void
run_free (gpointer run)
{
  script_run_clear (run);
  g_free (run);
}

void
listener_script_init (Listener *listener)
{
  const GArray *steps = listener_accept (listener)->script;

  if (steps && steps->len > 0)
    listener->scripts = g_hash_table_new_full (NULL, NULL, NULL, run_free);
}

static gint
accept_call (Request *request)
{
  Listener *listener = request->listener;
  gint rc = request->state == REQUEST_HELD ? cma_accept (request->id) : -EINVAL;

  listener_trace (request, rc == 0 ? "ACCEPT_CALL" : "ACCEPT_FAIL", rc);
  if (rc != 0) {
    listener->counters.accepts_failed++;
    return rc;
  }
  request->state = REQUEST_ANSWERED;
  listener->counters.accepts++;
  listener_free_slot_if (request, BACKLOG_COUNTS_UNREAD);
  listener_free_slot_if (request, BACKLOG_COUNTS_UNACCEPTED);
  return 0;
}

static gint
script_call (gpointer owner, const ScriptStep *step)
{
  Request *request = owner;
  ScriptCall call = (ScriptCall) step->call;
  guint reason = step->reason;

  /* A stream that was refused is not the id's any more. */
  if (call != SCRIPT_CALL_DESTROY && !cma_id_has_cm (request->id))
    return -EINVAL;
  switch (call) {
  case SCRIPT_CALL_READ:
    listener_trace (request, "CONNECT_REQUEST", 0);
    listener_free_slot_if (request, BACKLOG_COUNTS_UNREAD);
    return 0;
  case SCRIPT_CALL_ACCEPT:
    return accept_call (request);
  case SCRIPT_CALL_REJECT:
    listener_trace (request, "REJECT_CALL", 0);
    listener_free_slot_if (request, BACKLOG_COUNTS_UNREAD);
    listener_free_slot_if (request, BACKLOG_COUNTS_UNACCEPTED);
    return cma_reject (request->id, reason > 0 ? reason : IB_CM_REJ_CONSUMER, 0);
  case SCRIPT_CALL_DISCONNECT:
    listener_trace (request, "DISCONNECT_CALL", 0);
    return cma_disconnect (request->id);
  case SCRIPT_CALL_DESTROY:
    listener_request_destroy (request);
    return 0;
  case SCRIPT_CALL_NONE:
  case SCRIPT_CALL_BIND:
  case SCRIPT_CALL_JOIN:
  case SCRIPT_CALL_LEAVE:
  case SCRIPT_CALL_RESOLVE_ADDR:
  case SCRIPT_CALL_RESOLVE_ROUTE:
  case SCRIPT_CALL_CONNECT:
  case SCRIPT_CALL_ESTABLISH:
    break;
  }
  g_assert_not_reached (); /* checked with the scenario */
}

static void
script_over (gpointer owner, gint failed)
{
  Request *request = owner;

  if (failed < 0)
    return;
  request->listener->counters.scripts_failed++;
  if (cma_id_has_cm (request->id))
    listener_trace (request, "SCRIPT_FAILED", failed);
}

static const ScriptOps script_ops = { .call = script_call, .over = script_over };

gboolean
listener_script_event (Request *request, CmaEventType type, gint status)
{
  Listener *listener = request->listener;
  ScriptRun *run;

  if (!listener->scripts)
    return FALSE;
  if (request->state == REQUEST_DOOMED) /* by a full backlog */
    return FALSE;
  if (type == CMA_CONNECT_REQUEST) {
    if (request->state == REQUEST_HELD) /* kept by a full backlog: nobody hears of it */
      return TRUE;
    request->state = REQUEST_HELD;
    run = g_new0 (ScriptRun, 1);
    g_hash_table_insert (listener->scripts, request, run);
    script_run_start (run, listener->config.engine, listener_accept (listener)->script, &script_ops,
                      request);
    return TRUE;
  }
  if (request->state == REQUEST_DEFERRED) /* not the application's yet */
    return FALSE;
  listener_trace (request, cma_event_name (type), status);
  if (type == CMA_ESTABLISHED)
    listener_free_slot_if (request, BACKLOG_COUNTS_HALF_OPEN);
  run = g_hash_table_lookup (listener->scripts, request);
  if (run)
    script_run_event (run, type, status);
  return TRUE;
}

/* How a listener ends: with its process, or by itself. */
#include "listener_private.h"

static void
stop_listening (Listener *listener)
{
  if (!listener->closed)
    cma_unlisten (listener->config.host, listener->service_id);
  listener->closed = TRUE;
  listener->limit = 0; /* nothing takes a deferred request any more */
}

/* The process ends: the kernel destroys the listening id and every id left. */
static void
exit_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Listener *listener = owner;
  g_autoptr (GPtrArray) requests = NULL;

  stop_listening (listener);
  listener->exited = TRUE;
  listener->reading = FALSE;
  requests = listener_requests (listener);
  for (guint i = 0; i < requests->len; i++) {
    Request *request = g_ptr_array_index (requests, i);

    listener->app->busy -= request->state == REQUEST_WORKING;
    listener_request_destroy (request);
  }
  listener_report (listener->app);
  listener_app_worker_back (listener->app); /* other listeners of its channel go on */
}

/* rdma_destroy_id of the listener: requests that nobody has read go with it, children that
 * were read live on.  A protocol that accepts by itself has them in its accept queue. */
static void
close_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Listener *listener = owner;
  g_autoptr (GPtrArray) requests = NULL;

  if (listener->exited)
    return;
  stop_listening (listener);
  requests = listener_requests (listener);
  for (guint i = 0; i < requests->len; i++) {
    Request *request = g_ptr_array_index (requests, i);

    if (request->state == REQUEST_DEFERRED || request->state == REQUEST_UNREAD)
      listener_request_destroy (request);
  }
}

static const SimEventClass close_event = { .name = "listener-close",
                                           .code = 0x80c,
                                           .fire = close_fire };

static const SimEventClass exit_event = { .name = "listener-exit",
                                          .code = 0x809,
                                          .fire = exit_fire };

void
listener_end_begin (Listener *listener)
{
  const ListenerAcceptParams *accept = listener_accept (listener);

  if (accept->exit_after != SIM_TIME_NEVER)
    sim_engine_schedule_after (listener->config.engine, accept->exit_after, &exit_event, listener,
                               0);
  if (accept->close_after != SIM_TIME_NEVER)
    sim_engine_schedule_after (listener->config.engine, accept->close_after, &close_event, listener,
                               0);
}

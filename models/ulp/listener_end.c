/* How a listener ends: with its process, or by itself. */
#include "listener_private.h"

/* The process ends: the kernel destroys the listening id and every id left. */
static void
exit_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Listener *listener = owner;

  cma_unlisten (listener->config.host, listener->service_id);
  listener->exited = TRUE;
  listener->reading = FALSE;
  /* Nothing takes a deferred request any more. */
  listener->limit = 0;
  while (listener->requests.head)
    listener_request_destroy (listener->requests.head);
  listener->busy = 0;
  listener_report (listener);
}

/* rdma_destroy_id of the listener: requests that nobody has read go with it, children that
 * were read live on.  A protocol that accepts by itself has them in its accept queue. */
static void
close_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Listener *listener = owner;

  if (listener->exited)
    return;
  cma_unlisten (listener->config.host, listener->service_id);
  listener->limit = 0; /* nothing takes a deferred request any more */
  while (listener->deferred.head)
    listener_request_destroy (listener->deferred.head);
  while (listener->channel.head)
    listener_request_destroy (listener->channel.head);
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

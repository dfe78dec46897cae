/* A listener's event channel where all events wait in it: requests and what becomes of connections,
 * read in the order in which they came. */
#include "listener_private.h"

/* The first one may be of a connection that the application itself has asked for. */
static void
event_arrived (gpointer consumer)
{
  listener_app_begin (consumer);
  listener_app_arrived (consumer);
}

void
listener_channel_init (Listener *listener)
{
  static const CmaChannelOps ops = { .arrived = event_arrived };
  const ListenerConfig *config = &listener->config;

  if (listener->app != listener || config->params->channel_events != LISTENER_EVENTS_ALL)
    return;
  listener->events =
      cma_channel_new (config->engine, config->params->channel_limit, &ops, listener);
  sim_stream_init (&listener->event_stream,
                   sim_stream_key (config->seed, config->replication, "listener", "event"),
                   cma_index (config->host));
}

CmaChannel *
listener_channel (const Listener *listener)
{
  return listener->events;
}

/* Before the application has answered, user space is not told of the id (see
 * listener_app_rejected()); of what a protocol accepts in its callback it is told in another way,
 * and a script has no channel. */
CmaChannel *
listener_channel_of (gpointer owner, CmaEventType type G_GNUC_UNUSED)
{
  const Request *request = owner;
  const Listener *listener = request->listener;

  if (listener->early || listener->scripts || request->state != REQUEST_ANSWERED)
    return NULL;
  return listener->app->events;
}

void
listener_channel_request (Request *request)
{
  Listener *app = request->listener->app;

  if (app->events)
    cma_channel_put_request (app->events, request->id);
  else
    listener_app_arrived (app);
}

/* ----- reading ----- */

static void
event_done_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Listener *app = owner;

  if (listener_accept (app)->read == LISTENER_READ_AT_ONCE) {
    app->reader_busy = FALSE;
    listener_app_arrived (app);
  } else {
    listener_app_worker_done (app);
  }
}

static const SimEventClass event_done_event = { .name = "listener-event-done",
                                                .code = 0x80e,
                                                .fire = event_done_fire };

/* The reader is a worker, or, where events are read at once, by itself. */
static void
read_event (Listener *app)
{
  const ListenerAcceptParams *accept = listener_accept (app);
  SimTime service = sim_dist_sample (&accept->event_service, &app->event_stream);

  if (service > 0) {
    if (accept->read == LISTENER_READ_AT_ONCE)
      app->reader_busy = TRUE;
    else
      app->busy++;
    listener_report (app);
    sim_engine_schedule_after (app->config.engine, service, &event_done_event, app, 0);
  }
  cma_channel_read (app->events);
}

static gboolean
reader_is_free (const Listener *app)
{
  const ListenerAcceptParams *accept = listener_accept (app);

  if (accept->read == LISTENER_READ_AT_ONCE)
    return !app->reader_busy;
  return accept->unlimited || app->busy < accept->workers;
}

gboolean
listener_channel_next (Listener *app)
{
  while (cma_channel_length (app->events) > 0 && reader_is_free (app)) {
    if (cma_channel_next_is_request (app->events))
      return TRUE;
    read_event (app);
  }
  return FALSE;
}

/* Requests stand in both queues in the same order. */
void
listener_channel_read_request (const Request *request)
{
  Listener *app = request->listener->app;
  CmaId *id = app->events ? cma_channel_read (app->events) : request->id;

  g_assert (id == request->id);
}

/* The application behind a listener: reads requests, works, answers, hangs up. */
#include "listener_private.h"

static void work_on_next (Listener *listener);

/* ----- the application's answer ----- */

void
listener_app_worker_done (Listener *app)
{
  app->busy--;
  listener_report (app);
  work_on_next (app);
}

static void
worker_done (Listener *listener)
{
  listener_app_worker_done (listener->app);
}

static void
answer_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Request *request = owner;
  Listener *listener = request->listener;
  const ListenerAcceptParams *accept = listener_accept (listener);
  gint rc;

  request_set_event (request, SIM_EVENT_NONE);
  request->state = REQUEST_ANSWERED;
  listener_trace (request, accept->answer == LISTENER_ANSWER_REJECT ? "REJECT_CALL" : "ACCEPT_CALL",
                  0);
  if (accept->answer == LISTENER_ANSWER_REJECT)
    rc = cma_reject (request->id, accept->reject_reason, listener->config.redirect);
  else
    rc = cma_accept (request->id);

  if (rc != 0) { /* the client had given up; the application learns it here */
    listener->counters.accepts_failed++;
    listener_trace (request, "ACCEPT_FAIL", rc);
    listener_request_destroy (request);
  } else if (accept->answer == LISTENER_ANSWER_REJECT) {
    listener_request_destroy (request);
  } else if (listener->config.params->ud) { /* nothing follows */
    listener->counters.accepts++;
    listener_request_destroy (request);
  } else {
    listener->counters.accepts++;
    listener_work_done (request);
    listener_free_slot_if (request, BACKLOG_COUNTS_UNACCEPTED);
  }
  worker_done (listener);
}

static void start_to_hold (Request *request);

/* early: the worker is done with a connection that it took. */
static void
taken (Request *request)
{
  Listener *listener = request->listener;

  request_set_event (request, SIM_EVENT_NONE);
  request->state = REQUEST_ANSWERED;
  if (request->gone) { /* the peer has left meanwhile */
    listener->counters.ghosts++;
    listener_request_destroy (request);
  } else if (listener_accept (listener)->answer == LISTENER_ANSWER_REJECT) {
    listener_work_done (request);
    cma_disconnect (request->id);
  } else {
    listener_work_done (request);
    start_to_hold (request);
  }
  worker_done (listener);
}

static const SimEventClass answer_event = { .name = "listener-answer",
                                            .code = 0x802,
                                            .fire = answer_fire };

static void
qp_created_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Request *request = owner;

  /* INIT, RTR, RTS. */
  request_set_event (request, hca_command (cma_hca (request->listener->config.host),
                                           HCA_COMMAND_QP_MODIFY, 3, &answer_event, request, 0));
}

static const SimEventClass qp_created_event = { .name = "listener-qp-created",
                                                .code = 0x803,
                                                .fire = qp_created_fire };

static void
served_fire (gpointer owner, guint64 arg)
{
  Request *request = owner;
  const ListenerAcceptParams *accept = listener_accept (request->listener);

  if (request->listener->early)
    taken (request);
  else if (accept->qp && accept->answer == LISTENER_ANSWER_ACCEPT)
    request_set_event (request,
                       hca_command (cma_hca (request->listener->config.host), HCA_COMMAND_QP_CREATE,
                                    1, &qp_created_event, request, 0));
  else
    answer_fire (request, arg);
}

static const SimEventClass served_event = { .name = "listener-served",
                                            .code = 0x804,
                                            .fire = served_fire };

/* ----- the protocol's own answer, in its callback ----- */

static void
early_answer_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Request *request = owner;
  Listener *listener = request->listener;
  gint rc;

  request_set_event (request, SIM_EVENT_NONE);
  request->state = REQUEST_ANSWERED;
  listener_trace (request, "ACCEPT_CALL", 0);
  rc = cma_accept (request->id);
  if (rc != 0) {
    listener->counters.accepts_failed++;
    listener_trace (request, "ACCEPT_FAIL", rc);
    listener_request_destroy (request);
    return;
  }
  listener->counters.accepts++;
  listener_free_slot_if (request, BACKLOG_COUNTS_UNACCEPTED);
}

static const SimEventClass early_answer_event = { .name = "listener-early-answer",
                                                  .code = 0x80a,
                                                  .fire = early_answer_fire };

static void
early_qp_created_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Request *request = owner;

  /* INIT, RTR, RTS. */
  request_set_event (request,
                     hca_command (cma_hca (request->listener->config.host), HCA_COMMAND_QP_MODIFY,
                                  3, &early_answer_event, request, 0));
}

static const SimEventClass early_qp_created_event = { .name = "listener-early-qp-created",
                                                      .code = 0x80b,
                                                      .fire = early_qp_created_fire };

void
listener_app_accept_early (Request *request)
{
  Listener *listener = request->listener;

  listener_trace (request, "CONNECT_REQUEST", 0);
  request->state = REQUEST_EARLY;
  if (listener_accept (listener)->qp)
    request_set_event (request, hca_command (cma_hca (listener->config.host), HCA_COMMAND_QP_CREATE,
                                             1, &early_qp_created_event, request, 0));
  else
    early_answer_fire (request, 0);
}

/* ----- the application's reading ----- */

/* rdma_get_cm_event: the application has the request; Linux frees the slot here.
 * early: accept(2). */
static void
read_request (Request *request)
{
  Listener *listener = request->listener;
  ListenerCounters *counters = &listener->counters;

  if (!listener->early) {
    listener_trace (request, "CONNECT_REQUEST", 0);
    listener_free_slot_if (request, BACKLOG_COUNTS_UNREAD);
    return;
  }
  SimTime waited = sim_engine_now (listener->config.engine) - request->work->since;
  listener_trace (request, "ACCEPT_RETURN", 0);
  counters->taken++;
  counters->take_wait += waited;
  counters->take_wait_max = MAX (counters->take_wait_max, waited);
  listener_free_slot_if (request, BACKLOG_COUNTS_UNREAD);
  listener_free_slot_if (request, BACKLOG_COUNTS_UNTAKEN);
}

static void
start_work (Request *request)
{
  Listener *listener = request->listener;
  SimStream stream;

  request->state = REQUEST_WORKING;
  listener->app->busy++;
  listener_report (listener->app);
  sim_stream_init (&stream, listener->service_key, request->work->stream);
  request_set_event (request, sim_engine_schedule_after (
                                  listener->config.engine,
                                  sim_dist_sample (&listener_accept (listener)->service, &stream),
                                  &served_event, request, 0));
}

/* workers: 0, nobody ever reads. */
static gboolean
accept_nobody (const Listener *listener)
{
  const ListenerAcceptParams *accept = listener_accept (listener);

  return accept->workers == 0 && !accept->unlimited;
}

static gboolean
worker_is_free (const Listener *listener)
{
  const ListenerAcceptParams *accept = listener_accept (listener);

  return accept->unlimited || listener->busy < accept->workers;
}

/* There is a request for a worker to take. */
static gboolean
request_is_next (Listener *listener, const RequestQueue *queue)
{
  if (!listener->reading)
    return FALSE;
  if (listener->events && queue == &listener->channel)
    return listener_channel_next (listener);
  return queue->length > 0 && worker_is_free (listener);
}

/* Gives requests to free workers, first come first served. */
static void
work_on_next (Listener *listener)
{
  gboolean at_once = listener_accept (listener)->read == LISTENER_READ_AT_ONCE;
  RequestQueue *queue = at_once ? &listener->ready : &listener->channel;

  while (request_is_next (listener, queue)) {
    Request *request = request_queue_pop (queue);

    if (!at_once)
      listener_channel_read_request (request);

    /* Working before reading: the slot this frees may bring in the next request. */
    request->state = REQUEST_WORKING;
    if (listener_accept (request->listener)->answer == LISTENER_ANSWER_NEVER) {
      request->state = REQUEST_HELD;
      if (!at_once)
        read_request (request);
      continue;
    }
    start_work (request);
    if (!at_once)
      read_request (request);
  }
}

void
listener_app_worker_back (Listener *listener)
{
  work_on_next (listener);
}

/* Reads what may be read now. */
static void
read_channel (Listener *listener)
{
  if (!listener->reading)
    return;
  if (listener_accept (listener)->read == LISTENER_READ_AT_ONCE) {
    while (listener->events ? listener_channel_next (listener) : listener->channel.length > 0) {
      Request *request = request_queue_pop (&listener->channel);

      listener_channel_read_request (request);
      request->state = REQUEST_WAITING;
      request_queue_push (&listener->ready, request);
      read_request (request);
    }
  }
  work_on_next (listener);
}

static void
awake_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Listener *listener = owner;

  listener->waking--;
  read_channel (listener);
}

static const SimEventClass awake_event = { .name = "listener-awake",
                                           .code = 0x808,
                                           .fire = awake_fire };

/* A worker that sleeps in rdma_get_cm_event takes a while to wake up; one that is
 * busy finds the request when it comes back. */
void
listener_app_arrived (Listener *listener)
{
  const ListenerAcceptParams *accept = listener_accept (listener);
  SimTime wake;

  if (!listener->reading || accept_nobody (listener))
    return;
  if (accept->read == LISTENER_READ_AT_ONCE
          ? listener->waking > 0
          : listener->busy + listener->waking >= accept->workers && !accept->unlimited)
    return;
  wake = sim_dist_sample (&accept->wake, &listener->wake_stream);
  if (wake == 0) {
    read_channel (listener);
    return;
  }
  listener->waking++;
  sim_engine_schedule_after (listener->config.engine, wake, &awake_event, listener, 0);
}

static void
start_reading_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Listener *listener = owner;

  if (listener->exited || accept_nobody (listener))
    return;
  listener->reading = TRUE;
  read_channel (listener);
}

static const SimEventClass start_reading_event = { .name = "listener-start-reading",
                                                   .code = 0x805,
                                                   .fire = start_reading_fire };

void
listener_app_begin (Listener *listener)
{
  SimTime starts_after = listener_accept (listener)->starts_after;

  if (listener->begun) /* by another listener of its channel */
    return;
  listener->begun = TRUE;
  if (starts_after == 0)
    listener->reading = TRUE;
  else if (starts_after != SIM_TIME_NEVER)
    sim_engine_schedule_after (listener->config.engine, starts_after, &start_reading_event,
                               listener, 0);
}

/* ----- established, and the way down ----- */

static void
hang_up_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Request *request = owner;

  request_set_event (request, SIM_EVENT_NONE);
  listener_trace (request, "DISCONNECT_CALL", 0);
  cma_disconnect (request->id);
}

static const SimEventClass hang_up_event = { .name = "listener-hang-up",
                                             .code = 0x807,
                                             .fire = hang_up_fire };

static void
start_to_hold (Request *request)
{
  SimTime hold = listener_accept (request->listener)->hold;

  if (hold != SIM_TIME_NEVER)
    request_set_event (request, sim_engine_schedule_after (request->listener->config.engine, hold,
                                                           &hang_up_event, request, 0));
}

void
listener_app_established (Request *request)
{
  Listener *listener = request->listener;

  listener_trace (request, "ESTABLISHED", 0);
  listener_free_slot_if (request, BACKLOG_COUNTS_HALF_OPEN);
  if (listener->early) {
    request->state = REQUEST_UNREAD;
    request->work->since = sim_engine_now (listener->config.engine);
    request_queue_push (&listener->app->channel, request);
    listener_app_arrived (listener->app);
  } else {
    start_to_hold (request);
  }
}

/* early: it waits in the accept queue, or a worker has it. */
static gboolean
is_untaken (const Request *request)
{
  return request->listener->early &&
         (request->state == REQUEST_UNREAD || request->state == REQUEST_WAITING ||
          request->state == REQUEST_WORKING);
}

gboolean
listener_app_peer_left (Request *request)
{
  if (!is_untaken (request))
    return FALSE;
  request->gone = TRUE;
  return TRUE;
}

void
listener_app_disconnected (Request *request, gint status)
{
  listener_trace (request, "DISCONNECTED", status);
  if (!is_untaken (request)) {
    listener_cancel_event (request);
    listener_free_slot (request); /* half-open, and the RTU never came */
  }
  if (listener_accept (request->listener)->answer_disconnect)
    cma_disconnect (request->id); /* -EINVAL when this side asked: nothing to answer */
}

/* Before the application has answered, user space never hears of the peer's REJ:
 * ucma drops events of an id whose context is not set, and the accept fails later.
 * A deferred request is not the application's yet. */
void
listener_app_rejected (Request *request, gint status)
{
  switch ((RequestState) request->state) {
  case REQUEST_DEFERRED:
    listener_request_destroy (request);
    break;
  case REQUEST_UNREAD:
  case REQUEST_WAITING:
  case REQUEST_WORKING:
    listener_app_peer_left (request);
    break;
  case REQUEST_HELD:
  case REQUEST_DOOMED:
    break;
  case REQUEST_EARLY:
    request->listener->counters.accepts_failed++;
    listener_request_destroy (request);
    break;
  case REQUEST_ANSWERED:
    listener_trace (request, "REJECTED", status);
    listener_request_destroy (request);
    break;
  }
}

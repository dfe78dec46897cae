/* A listener at work: asks the backlog policy, keeps the requests, and plays the
 * application that reads them, works and answers.
 *
 * A request's life: (deferred ->) unread -> being worked on -> answered ->
 * established -> disconnected.  Where it gives its slot back depends on what a
 * slot counts. */
#include "listener.h"

#include <errno.h>

typedef enum {
  REQUEST_DEFERRED, /* in `deferred` */
  REQUEST_UNREAD,   /* in `channel` */
  REQUEST_WAITING,  /* read, in `ready`: waits for a worker (read: at-once) */
  REQUEST_WORKING,  /* a worker has it */
  REQUEST_HELD,     /* read and never answered */
  REQUEST_ANSWERED, /* REP sent, or further */
} RequestState;

typedef struct {
  Listener *listener;
  CmaId *id;
  GList link;        /* in one of the listener's queues; data: itself */
  GList alive;       /* in `requests` */
  SimEventId event;  /* work in progress, end of deferral, or hang-up */
  guint64 stream;    /* number of the stream its service time is drawn from */
  RequestState state;
  gboolean slot;     /* holds a backlog slot */
} Request;

struct Listener {
  ListenerConfig config;
  const ListenerOps *ops;
  gpointer owner;
  const BacklogPolicy *policy;
  SimStreamKey service_key;
  GQueue channel, ready, deferred, requests;
  SimTime added_after, removed_after; /* ulp_counts */
  SimTime defer_wait; /* of the verdict just given */
  guint limit, used, counted, busy;
  gboolean reading;  /* `starts_after` is over */
  gboolean seen;     /* the first request has come */
  ListenerCounters counters;
};

static void work_on_next (Listener *listener);

static const ListenerAcceptParams *
accept_of (const Listener *listener)
{
  return &listener->config.params->accept;
}

static void
trace (Request *request, const char *event, gint status)
{
  Listener *listener = request->listener;

  if (listener->ops->app_event)
    listener->ops->app_event (listener->owner, listener, cma_id_peer (request->id),
                              cma_id_qpn (request->id), event, status);
}

static void
report (Listener *listener)
{
  listener->ops->levels (listener->owner, listener, listener->used, listener->busy);
}

/* ----- slots ----- */

static void
counted_fire (gpointer owner, guint64 arg)
{
  Listener *listener = owner;

  listener->counted += arg ? 1 : (guint) -1;
}

static const SimEventClass counted_event = {
  .name = "listener-counted", .code = 0x801, .fire = counted_fire
};

/* The ULP's added or removed call. */
static void
count (Listener *listener, gboolean added)
{
  SimTime after = added ? listener->added_after : listener->removed_after;

  if (after > 0)
    sim_engine_schedule_after (listener->config.engine, after, &counted_event, listener, added);
  else
    counted_fire (listener, added);
}

static void
take_slot (Request *request)
{
  Listener *listener = request->listener;

  request->slot = TRUE;
  listener->used++;
  listener->counters.backlog_max = MAX (listener->counters.backlog_max, listener->used);
  if (listener->policy->ulp_counts)
    count (listener, TRUE);
  report (listener);
}

static void
cancel_event (Request *request)
{
  if (request->event != SIM_EVENT_NONE)
    sim_engine_cancel (request->listener->config.engine, request->event);
  request->event = SIM_EVENT_NONE;
}

static void
admit_deferred (Listener *listener)
{
  while (listener->used < listener->limit && listener->deferred.length > 0) {
    Request *request = listener->deferred.head->data;

    g_queue_unlink (&listener->deferred, &request->link);
    cancel_event (request);
    request->state = REQUEST_UNREAD;
    listener->counters.deferred_admitted++;
    take_slot (request);
    cma_resolve_deferred (request->id, (CmVerdict){ .event = CM_EV_REQ_ADMITTED });
  }
}

static void
free_slot (Request *request)
{
  Listener *listener = request->listener;

  if (!request->slot)
    return;
  request->slot = FALSE;
  listener->used--;
  if (listener->policy->ulp_counts)
    count (listener, FALSE);
  report (listener);
  admit_deferred (listener);
}

static void
free_slot_if (Request *request, BacklogCounts counts)
{
  if (request->listener->config.params->backlog.counts == counts)
    free_slot (request);
}

/* ----- the end of a request ----- */

static void
request_forget (Request *request)
{
  Listener *listener = request->listener;

  cancel_event (request);
  g_queue_unlink (&listener->requests, &request->alive);
  free_slot (request);
  g_free (request);
}

static void
request_destroy (Request *request)
{
  CmaId *id = request->id;

  request_forget (request);
  cma_destroy (id);
}

/* ----- the application's answer ----- */

static void
worker_done (Listener *listener)
{
  listener->busy--;
  report (listener);
  work_on_next (listener);
}

static void
answer_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Request *request = owner;
  Listener *listener = request->listener;
  const ListenerAcceptParams *accept = accept_of (listener);
  gint rc;

  request->event = SIM_EVENT_NONE;
  request->state = REQUEST_ANSWERED;
  trace (request, accept->answer == LISTENER_ANSWER_REJECT ? "REJECT_CALL" : "ACCEPT_CALL", 0);
  if (accept->answer == LISTENER_ANSWER_REJECT)
    rc = cma_reject (request->id, accept->reject_reason);
  else
    rc = cma_accept (request->id);

  if (rc != 0) { /* the client had given up; the application learns it here */
    listener->counters.accepts_failed++;
    request_destroy (request);
  } else if (accept->answer == LISTENER_ANSWER_REJECT) {
    request_destroy (request);
  } else {
    listener->counters.accepts++;
    free_slot_if (request, BACKLOG_COUNTS_UNACCEPTED);
  }
  worker_done (listener);
}

static const SimEventClass answer_event = {
  .name = "listener-answer", .code = 0x802, .fire = answer_fire
};

static void
qp_created_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Request *request = owner;

  /* INIT, RTR, RTS. */
  request->event = hca_command (cma_hca (request->listener->config.host), HCA_COMMAND_QP_MODIFY, 3,
                                &answer_event, request, 0);
}

static const SimEventClass qp_created_event = {
  .name = "listener-qp-created", .code = 0x803, .fire = qp_created_fire
};

static void
served_fire (gpointer owner, guint64 arg)
{
  Request *request = owner;
  const ListenerAcceptParams *accept = accept_of (request->listener);

  if (accept->qp && accept->answer == LISTENER_ANSWER_ACCEPT)
    request->event = hca_command (cma_hca (request->listener->config.host), HCA_COMMAND_QP_CREATE,
                                  1, &qp_created_event, request, 0);
  else
    answer_fire (request, arg);
}

static const SimEventClass served_event = {
  .name = "listener-served", .code = 0x804, .fire = served_fire
};

/* ----- the application's reading ----- */

/* rdma_get_cm_event: the application has the request; Linux frees the slot here. */
static void
read_request (Request *request)
{
  trace (request, "CONNECT_REQUEST", 0);
  free_slot_if (request, BACKLOG_COUNTS_UNREAD);
}

static void
start_work (Request *request)
{
  Listener *listener = request->listener;
  SimStream stream;

  request->state = REQUEST_WORKING;
  listener->busy++;
  report (listener);
  sim_stream_init (&stream, listener->service_key, request->stream);
  request->event = sim_engine_schedule_after (
      listener->config.engine, sim_dist_sample (&accept_of (listener)->service, &stream),
      &served_event, request, 0);
}

static gboolean
worker_is_free (const Listener *listener)
{
  const ListenerAcceptParams *accept = accept_of (listener);

  return accept->unlimited || listener->busy < accept->workers;
}

static Request *
pop_request (GQueue *queue)
{
  return g_queue_pop_head_link (queue)->data;
}

/* Gives requests to free workers, first come first served. */
static void
work_on_next (Listener *listener)
{
  gboolean at_once = accept_of (listener)->read == LISTENER_READ_AT_ONCE;
  GQueue *queue = at_once ? &listener->ready : &listener->channel;

  while (listener->reading && queue->length > 0 && worker_is_free (listener)) {
    Request *request = pop_request (queue);

    /* Working before reading: the slot this frees may bring in the next request. */
    request->state = REQUEST_WORKING;
    if (accept_of (listener)->answer == LISTENER_ANSWER_NEVER) {
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

static void
read_channel (Listener *listener)
{
  const ListenerAcceptParams *accept = accept_of (listener);

  if (!listener->reading || (accept->workers == 0 && !accept->unlimited))
    return;
  if (accept->read == LISTENER_READ_AT_ONCE) {
    while (listener->channel.length > 0) {
      Request *request = pop_request (&listener->channel);
      request->state = REQUEST_WAITING;
      g_queue_push_tail_link (&listener->ready, &request->link);
      read_request (request);
    }
  }
  work_on_next (listener);
}

static void
start_reading_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Listener *listener = owner;

  listener->reading = TRUE;
  read_channel (listener);
}

static const SimEventClass start_reading_event = {
  .name = "listener-start-reading", .code = 0x805, .fire = start_reading_fire
};

/* ----- new requests ----- */

static BacklogView
view_of (const Listener *listener)
{
  return (BacklogView){
    .used = listener->used,
    .limit = listener->limit,
    .deferred = listener->deferred.length,
    .counted = listener->counted,
    .now = sim_engine_now (listener->config.engine),
  };
}

static CmVerdict
verdict_of (BacklogVerdict verdict)
{
  switch (verdict.answer) {
  case BACKLOG_ADMIT:
    return (CmVerdict){ .event = CM_EV_REQ_ADMITTED };
  case BACKLOG_DROP:
    return (CmVerdict){ .event = CM_EV_REQ_DROPPED };
  case BACKLOG_REJECT:
    return (CmVerdict){ .event = CM_EV_REQ_REJECTED, .reason = verdict.reason };
  case BACKLOG_DEFER:
    return (CmVerdict){ .event = CM_EV_REQ_DEFERRED, .service_timeout = verdict.service_timeout };
  }
  g_assert_not_reached ();
}

static CmVerdict
on_request (gpointer owner, const IbCmMsg *req G_GNUC_UNUSED, IbLid source G_GNUC_UNUSED)
{
  Listener *listener = owner;
  BacklogView view = view_of (listener);
  BacklogVerdict verdict
      = listener->policy->admit (listener->config.params->backlog.full.params, &view);

  listener->counters.requests++;
  switch (verdict.answer) {
  case BACKLOG_ADMIT:
    listener->counters.admitted++;
    break;
  case BACKLOG_DROP:
    listener->counters.dropped++;
    break;
  case BACKLOG_REJECT:
    listener->counters.rejected++;
    break;
  case BACKLOG_DEFER:
    listener->counters.deferred++;
    listener->defer_wait = verdict.wait;
    break;
  }
  return verdict_of (verdict);
}

static void
deferral_over_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Request *request = owner;
  Listener *listener = request->listener;
  CmaId *id = request->id;
  BacklogView view = view_of (listener);
  BacklogVerdict verdict
      = listener->policy->expired (listener->config.params->backlog.full.params, &view);

  g_assert (verdict.answer == BACKLOG_DROP || verdict.answer == BACKLOG_REJECT);
  if (verdict.answer == BACKLOG_REJECT)
    listener->counters.deferred_rejected++;
  else
    listener->counters.deferred_dropped++;
  request->event = SIM_EVENT_NONE;
  g_queue_unlink (&listener->deferred, &request->link);
  request_forget (request);
  cma_resolve_deferred (id, verdict_of (verdict));
}

static const SimEventClass deferral_over_event = {
  .name = "listener-deferral-over", .code = 0x806, .fire = deferral_over_fire
};

static gpointer
on_child (gpointer owner, CmaId *id, const IbCmMsg *req, gboolean deferred)
{
  Listener *listener = owner;
  Request *request = g_new0 (Request, 1);
  SimTime starts_after = accept_of (listener)->starts_after;

  request->listener = listener;
  request->id = id;
  request->link.data = request->alive.data = request;
  /* The same client request draws the same service time under every policy. */
  request->stream = req->ca_guid << 32 ^ req->local_id;
  g_queue_push_tail_link (&listener->requests, &request->alive);
  if (!listener->seen) {
    listener->seen = TRUE;
    if (starts_after > 0)
      sim_engine_schedule_after (listener->config.engine, starts_after, &start_reading_event,
                                 listener, 0);
    else
      listener->reading = TRUE;
  }
  if (deferred) {
    request->state = REQUEST_DEFERRED;
    g_queue_push_tail_link (&listener->deferred, &request->link);
    request->event = sim_engine_schedule_after (listener->config.engine, listener->defer_wait,
                                                &deferral_over_event, request, 0);
  } else {
    request->state = REQUEST_UNREAD;
    take_slot (request);
  }
  return request;
}

/* ----- events of a child ----- */

static void
hang_up_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Request *request = owner;

  request->event = SIM_EVENT_NONE;
  trace (request, "DISCONNECT_CALL", 0);
  cma_disconnect (request->id);
}

static const SimEventClass hang_up_event = {
  .name = "listener-hang-up", .code = 0x807, .fire = hang_up_fire
};

static void
established (Request *request)
{
  Listener *listener = request->listener;
  SimTime hold = accept_of (listener)->hold;

  trace (request, "ESTABLISHED", 0);
  free_slot_if (request, BACKLOG_COUNTS_HALF_OPEN);
  if (hold != SIM_TIME_NEVER)
    request->event = sim_engine_schedule_after (listener->config.engine, hold, &hang_up_event,
                                                request, 0);
}

static void
disconnected (Request *request, gint status)
{
  trace (request, "DISCONNECTED", status);
  cancel_event (request);
  free_slot (request); /* half-open, and the RTU never came */
  if (accept_of (request->listener)->answer_disconnect)
    cma_disconnect (request->id); /* -EINVAL when this side asked: nothing to answer */
}

/* Before the application has answered, user space never hears of the peer's REJ:
 * ucma drops events of an id whose context is not set, and the accept fails later.
 * A deferred request is not the application's yet. */
static void
rejected (Request *request, gint status)
{
  switch (request->state) {
  case REQUEST_DEFERRED:
    g_queue_unlink (&request->listener->deferred, &request->link);
    request_destroy (request);
    break;
  case REQUEST_UNREAD:
  case REQUEST_WAITING:
  case REQUEST_WORKING:
  case REQUEST_HELD:
    break;
  case REQUEST_ANSWERED:
    trace (request, "REJECTED", status);
    request_destroy (request);
    break;
  }
}

static void
on_event (gpointer owner, CmaId *id G_GNUC_UNUSED, CmaEventType type, gint status)
{
  Request *request = owner;
  Listener *listener = request->listener;

  switch (type) {
  case CMA_CONNECT_REQUEST:
    g_queue_push_tail_link (&listener->channel, &request->link);
    read_channel (listener);
    break;
  case CMA_ESTABLISHED:
    established (request);
    break;
  case CMA_UNREACHABLE: /* the REP was never answered */
    trace (request, cma_event_name (type), status);
    listener->counters.ghosts++;
    request_destroy (request);
    break;
  case CMA_REJECTED:
    rejected (request, status);
    break;
  case CMA_DISCONNECTED:
    disconnected (request, status);
    break;
  case CMA_TIMEWAIT_EXIT:
    trace (request, cma_event_name (type), status);
    request_destroy (request);
    break;
  case CMA_ADDR_RESOLVED:
  case CMA_ADDR_ERROR:
  case CMA_ROUTE_RESOLVED:
  case CMA_ROUTE_ERROR:
  case CMA_CONNECT_RESPONSE:
    g_assert_not_reached (); /* active side only */
  }
}

static const CmaListenOps listen_ops = {
  .request = on_request, .child = on_child, .id_ops = { .event = on_event }
};

/* ----- life ----- */

/* ucma_listen: a backlog of 0, or above the maximum, is the maximum. */
static guint
backlog_limit (const ListenerConfig *config)
{
  guint limit = config->params->backlog.limit, max = config->profile->ucma_backlog_max;

  if (config->params->backlog.full.klass == &backlog_unlimited.info)
    return G_MAXUINT;
  if (config->params->backlog.counts != BACKLOG_COUNTS_UNREAD)
    return limit > 0 ? limit : max; /* a kernel ULP's own limit: nothing clips it */
  return limit > 0 && limit <= max ? limit : max;
}

Listener *
listener_new (const ListenerConfig *config, const ListenerOps *ops, gpointer owner)
{
  Listener *listener = g_new0 (Listener, 1);
  const ListenerParams *params = config->params;
  CmaPortSpace space
      = g_strcmp0 (params->ulp, "sdp") == 0 ? CMA_PORT_SPACE_SDP : CMA_PORT_SPACE_TCP;

  listener->config = *config;
  listener->ops = ops;
  listener->owner = owner;
  listener->policy = (const BacklogPolicy *) params->backlog.full.klass;
  listener->service_key
      = sim_stream_key (config->seed, config->replication, "request", "accept-service");
  listener->limit = backlog_limit (config);
  if (listener->policy->ulp_counts)
    listener->policy->ulp_counts (params->backlog.full.params, &listener->added_after,
                                  &listener->removed_after);
  cma_listen (config->host, cma_service_id (space, params->service), &listen_ops, listener);
  return listener;
}

void
listener_free (Listener *listener)
{
  if (!listener)
    return;
  while (listener->requests.head) {
    Request *request = g_queue_pop_head_link (&listener->requests)->data;
    cma_abandon (request->id);
    g_free (request);
  }
  g_free (listener);
}

const ListenerCounters *
listener_counters (const Listener *listener)
{
  return &listener->counters;
}

gboolean
listener_slots_agree (const Listener *listener)
{
  guint held = 0;

  for (const GList *l = listener->requests.head; l; l = l->next)
    held += ((const Request *) l->data)->slot;
  return held == listener->used;
}

/* A listener's backlog: asks the policy, keeps the requests, and gives slots back.
 *
 * A request's life: (deferred ->) unread -> being worked on -> answered ->
 * established -> disconnected.  Where it gives its slot back depends on what a
 * slot counts. */
#include "listener_private.h"

#include <string.h>

#include "footprint.h"

void
listener_trace (Request *request, const char *event, gint status)
{
  Listener *listener = request->listener;

  if (listener->ops->app_event)
    listener->ops->app_event (listener->owner, listener, cma_id_peer (request->id),
                              cma_id_qpn (request->id), event, status);
}

void
listener_report (Listener *listener)
{
  listener->ops->levels (listener->owner, listener, listener->used, listener->busy);
}

/* ----- slots ----- */

static void
counted_fire (gpointer owner, guint64 arg)
{
  Listener *listener = owner;

  listener->counted += arg ? 1 : -1;
}

static const SimEventClass counted_event = { .name = "listener-counted",
                                             .code = 0x801,
                                             .fire = counted_fire };

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
  listener_report (listener);
}

void
listener_cancel_event (Request *request)
{
  if (request->event != SIM_EVENT_NONE)
    sim_engine_cancel (request->listener->config.engine, request->event);
  request->event = SIM_EVENT_NONE;
}

static void
admit_deferred (Listener *listener)
{
  /* A request taken may be read at once and free a slot again: the loop sees it, and the
   * stack stays flat. */
  if (listener->admitting)
    return;
  listener->admitting = TRUE;
  while (listener->used < listener->limit && listener->deferred.length > 0) {
    Request *request = request_queue_pop (&listener->deferred, REQUEST_QUEUE_WORK);

    listener_cancel_event (request);
    request->state = REQUEST_UNREAD;
    listener->counters.deferred_admitted++;
    take_slot (request);
    cma_resolve_deferred (request->id, (CmVerdict){ .event = CM_EV_REQ_ADMITTED });
  }
  listener->admitting = FALSE;
}

void
listener_free_slot (Request *request)
{
  Listener *listener = request->listener;

  if (!request->slot)
    return;
  request->slot = FALSE;
  listener->used--;
  if (listener->policy->ulp_counts)
    count (listener, FALSE);
  listener_report (listener);
  admit_deferred (listener);
}

void
listener_free_slot_if (Request *request, BacklogCounts counts)
{
  if (request->listener->counts == counts)
    listener_free_slot (request);
}

/* ----- the end of a request ----- */

void
listener_work_done (Request *request)
{
  if (request->work)
    sim_slab_put (&request->listener->work, request->work);
  request->work = NULL;
}

/* The queue that a request in this state stands in, or NULL. */
static RequestQueue *
queue_of (Request *request)
{
  switch ((RequestState) request->state) {
  case REQUEST_DEFERRED:
    return &request->listener->deferred;
  case REQUEST_UNREAD:
    return &request->listener->app->channel;
  case REQUEST_WAITING:
    return &request->listener->app->ready;
  case REQUEST_WORKING:
  case REQUEST_HELD:
  case REQUEST_EARLY:
  case REQUEST_ANSWERED:
    return NULL;
  }
  g_assert_not_reached ();
}

static void
request_forget (Request *request)
{
  Listener *listener = request->listener;
  RequestQueue *queue = queue_of (request);

  if (queue)
    request_queue_remove (queue, REQUEST_QUEUE_WORK, request);
  listener_cancel_event (request);
  listener_path_cancel (request);
  request_queue_remove (&listener->requests, REQUEST_QUEUE_ALIVE, request);
  listener_free_slot (request);
  listener_work_done (request);
  if (listener->scripts)
    g_hash_table_remove (listener->scripts, request);
  sim_slab_put (&listener->slab, request);
}

void
listener_request_destroy (Request *request)
{
  CmaId *id = request->id;

  request_forget (request);
  cma_destroy (id);
}

/* ----- new requests ----- */

static BacklogView
view_of (const Listener *listener, guint reqs)
{
  return (BacklogView){
    .used = listener->used,
    .limit = listener->limit,
    .deferred = listener->deferred.length,
    .counted = (guint) MAX (listener->counted, 0),
    .now = sim_engine_now (listener->config.engine),
    .ulp_full = listener->ulp->listen.full,
    .reqs = reqs,
    .state = listener->policy_state,
  };
}

static CmVerdict
verdict_of (const Listener *listener, BacklogVerdict verdict)
{
  switch (verdict.answer) {
  case BACKLOG_ADMIT:
  case BACKLOG_KEEP:
    return (CmVerdict){ .event = CM_EV_REQ_ADMITTED };
  case BACKLOG_DROP:
    return (CmVerdict){ .event = CM_EV_REQ_DROPPED, .mra = verdict.service_timeout };
  case BACKLOG_REJECT:
    return (CmVerdict){ .event = CM_EV_REQ_REJECTED,
                        .reason = verdict.reason,
                        .redirect = listener->config.redirect,
                        .retry_after_us = (guint32) (verdict.retry_after / SIM_US (1)) };
  case BACKLOG_DEFER:
    return (CmVerdict){ .event = CM_EV_REQ_DEFERRED, .service_timeout = verdict.service_timeout };
  }
  g_assert_not_reached ();
}

/* What the kernel makes of a full backlog.  In ucma.c, its side of user-space listeners, it
 * was not always "no memory": -EDQUOT destroys the id with a REJ.  To UD every "no" is
 * status 2. */
static BacklogVerdict
through_kernel (const Listener *listener, BacklogVerdict verdict)
{
  gboolean user = listener->service_id >> 16 == CMA_PORT_SPACE_TCP ||
                  listener->service_id >> 16 == CMA_PORT_SPACE_IB;

  if (cma_service_is_ud (listener->service_id) && verdict.answer != BACKLOG_ADMIT)
    return (BacklogVerdict){ .answer = BACKLOG_REJECT, .reason = IB_CM_SIDR_REJECT };
  if (verdict.answer == BACKLOG_DROP && user && !listener->config.profile->ucma_full_no_memory)
    return (BacklogVerdict){ .answer = BACKLOG_REJECT, .reason = IB_CM_REJ_CONSUMER };
  return verdict;
}

static gboolean
is_full (gpointer owner)
{
  const Listener *listener = owner;

  return listener->used >= listener->limit;
}

/* There is no room for the event: no memory, as a full backlog. */
static gboolean
channel_is_full (const Listener *listener)
{
  guint limit = listener->app->config.params->channel_limit;

  return limit > 0 && listener->app->channel.length >= limit;
}

static CmVerdict
on_request (gpointer owner, const IbCmMsg *req, IbLid source)
{
  Listener *listener = owner;
  Mesh *mesh = listener->config.mesh;

  if (mesh && !mesh_admit (mesh, listener->config.mesh_process, source, req->local_id))
    return (CmVerdict){ .event = CM_EV_REQ_REJECTED, .reason = IB_CM_REJ_CONSUMER };
  BacklogView view = view_of (listener, req->sends);
  BacklogVerdict verdict =
      channel_is_full (listener)
          ? (BacklogVerdict){ .answer = BACKLOG_DROP }
          : listener->policy->admit (listener->config.params->backlog.full.params, &view);

  verdict = through_kernel (listener, verdict);

  listener->counters.requests++;
  listener->keep = verdict.answer == BACKLOG_KEEP;
  switch (verdict.answer) {
  case BACKLOG_ADMIT:
    listener->counters.admitted++;
    break;
  case BACKLOG_DROP:
    listener->counters.dropped++;
    break;
  case BACKLOG_KEEP:
    listener->counters.kept++;
    break;
  case BACKLOG_REJECT:
    listener->counters.rejected++;
    break;
  case BACKLOG_DEFER:
    listener->counters.deferred++;
    listener->defer_wait = verdict.wait;
    break;
  }
  return verdict_of (listener, verdict);
}

static void
deferral_over_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Request *request = owner;
  Listener *listener = request->listener;
  CmaId *id = request->id;
  BacklogView view = view_of (listener, 0);
  BacklogVerdict verdict =
      listener->policy->expired (listener->config.params->backlog.full.params, &view);

  g_assert (verdict.answer == BACKLOG_DROP || verdict.answer == BACKLOG_REJECT);
  if (verdict.answer == BACKLOG_REJECT)
    listener->counters.deferred_rejected++;
  else
    listener->counters.deferred_dropped++;
  request->event = SIM_EVENT_NONE;
  request_forget (request);
  cma_resolve_deferred (id, verdict_of (listener, verdict));
}

static const SimEventClass deferral_over_event = { .name = "listener-deferral-over",
                                                   .code = 0x806,
                                                   .fire = deferral_over_fire };

static gpointer
on_child (gpointer owner, CmaId *id, const IbCmMsg *req, gboolean deferred)
{
  Listener *listener = owner;
  Request *request = sim_slab_take (&listener->slab);

  /* The same client request draws the same service time under every policy, and whatever
   * other hosts do: a host hands out its QPNs in the order of its own attempts. */
  *request =
      (Request){ .listener = listener, .id = id, .work = sim_slab_take (&listener->work) };
  *request->work = (RequestWork){ .stream = req->ca_guid << 32 ^ req->qpn };
  request_queue_push (&listener->requests, REQUEST_QUEUE_ALIVE, request);
  if (!listener->seen) {
    listener->seen = TRUE;
    listener_app_begin (listener->app);
    listener_end_begin (listener);
  }
  if (listener->keep) {
    request->state = REQUEST_HELD;
  } else if (deferred) {
    request->state = REQUEST_DEFERRED;
    request_queue_push (&listener->deferred, REQUEST_QUEUE_WORK, request);
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
on_event (gpointer owner, CmaId *id G_GNUC_UNUSED, CmaEventType type, gint status)
{
  Request *request = owner;
  Listener *listener = request->listener;

  if (listener_script_event (request, type, status))
    return;
  switch (type) {
  case CMA_CONNECT_REQUEST:
    if (request->state == REQUEST_HELD) /* kept by a full backlog: nobody hears of it */
      break;
    if (listener->early) {
      listener_app_accept_early (request);
      break;
    }
    request_queue_push (&listener->app->channel, REQUEST_QUEUE_WORK, request);
    listener_app_arrived (listener->app);
    break;
  case CMA_ESTABLISHED:
    listener_app_established (request);
    break;
  case CMA_UNREACHABLE: /* the REP was never answered */
    listener_trace (request, cma_event_name (type), status);
    listener->counters.ghosts++;
    listener_request_destroy (request);
    break;
  case CMA_REJECTED:
    listener_app_rejected (request, status);
    break;
  case CMA_PATH_OFFERED:
    listener_path_offered (request);
    break;
  case CMA_PATH_ANSWERED: /* it offers none */
    break;
  case CMA_DISCONNECTED:
    listener_app_disconnected (request, status);
    break;
  case CMA_TIMEWAIT_EXIT:
    listener_trace (request, cma_event_name (type), status);
    if (!listener_app_peer_left (request))
      listener_request_destroy (request);
    break;
  case CMA_ADDR_RESOLVED:
  case CMA_ADDR_ERROR:
  case CMA_ROUTE_RESOLVED:
  case CMA_ROUTE_ERROR:
  case CMA_CONNECT_RESPONSE:
    g_assert_not_reached (); /* active side only */
  }
}

/* ----- life ----- */

gboolean
listener_has_channel (const Listener *listener, const char *channel, const Cma *host,
                      guint process)
{
  const ListenerConfig *config = &listener->config;

  return listener->app == listener && config->host == host && config->process == process &&
         strcmp (config->params->channel, channel) == 0;
}

Listener *
listener_new (const ListenerConfig *config, const ListenerOps *ops, gpointer owner)
{
  Listener *listener = g_new0 (Listener, 1);
  const ListenerParams *params = config->params;
  static const CmaListenOps listen_ops = { .full = is_full,
                                           .request = on_request,
                                           .child = on_child,
                                           .id_ops = { .event = on_event } };

  listener->config = *config;
  listener->ops = ops;
  listener->owner = owner;
  sim_slab_init (&listener->slab, sizeof (Request));
  sim_slab_init (&listener->work, sizeof (RequestWork));
  listener->app = config->channel_of ? config->channel_of : listener;
  listener->ulp = ulp_find (params->ulp);
  listener->policy = (const BacklogPolicy *) params->backlog.full.klass;
  /* SIDR has no connection to accept. */
  listener->early = !params->ud && (params->accept.early == LISTENER_EARLY_YES ||
                                    (params->accept.early == LISTENER_EARLY_ULP &&
                                     listener->ulp->listen.accept_early));
  if (listener->policy->state_size > 0)
    listener->policy_state = g_malloc0 (listener->policy->state_size);
  listener_script_init (listener);
  listener->service_key =
      sim_stream_key (config->seed, config->replication, "request", "accept-service");
  listener->limit = listener_limit (params, config->profile);
  listener->counts = listener_counts (listener);
  if (listener->policy->ulp_counts)
    listener->policy->ulp_counts (params->backlog.full.params, &listener->added_after,
                                  &listener->removed_after);
  listener->service_id =
      cma_service_id (ulp_space_chosen (listener->ulp, params->ud, params->port_space),
                      params->service + config->process);
  sim_stream_init (&listener->wake_stream,
                   sim_stream_key (config->seed, config->replication, "listener", "wake"),
                   cma_index (config->host));
  sim_stream_init (&listener->path_stream,
                   sim_stream_key (config->seed, config->replication, "listener", "path"),
                   cma_index (config->host));
  cma_listen (config->host, listener->service_id, &listen_ops, listener);
  return listener;
}

void
listener_free (Listener *listener)
{
  if (!listener)
    return;
  if (listener->scripts)
    g_hash_table_unref (listener->scripts);
  sim_slab_clear (&listener->slab);
  sim_slab_clear (&listener->work);
  if (listener->paths)
    g_hash_table_unref (listener->paths);
  g_free (listener->policy_state);
  g_free (listener);
}

const ListenerCounters *
listener_counters (const Listener *listener)
{
  return &listener->counters;
}

void
listener_restart_max (Listener *listener)
{
  listener->counters.take_wait_max = 0;
}

gboolean
listener_slots_agree (const Listener *listener)
{
  guint held = 0;

  for (const Request *r = listener->requests.head; r; r = r->alive.next)
    held += r->slot;
  return held == listener->used;
}

guint
listener_live (const Listener *listener)
{
  guint live = 0; /* a refused stream is not its request's any more */

  for (const Request *r = listener->requests.head; r; r = r->alive.next)
    live += cma_id_has_cm (r->id);
  return live;
}

gsize
listener_request_footprint (void)
{
  return sizeof (Request) + sizeof (RequestWork);
}

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

void
listener_take_slot (Request *request)
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
  SimEventId *event = request_event (request);

  if (*event != SIM_EVENT_NONE)
    sim_engine_cancel (request->listener->config.engine, *event);
  *event = SIM_EVENT_NONE;
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
    Request *request = request_queue_pop (&listener->deferred);

    listener_cancel_event (request);
    request->state = REQUEST_UNREAD;
    listener->counters.deferred_admitted++;
    listener_take_slot (request);
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
  RequestWork *work = request->work;

  if (!request->has_work)
    return;
  request->has_work = FALSE;
  request->event = work->event;
  sim_slab_put (&request->listener->work, work);
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
  case REQUEST_DOOMED:
  case REQUEST_EARLY:
  case REQUEST_ANSWERED:
    return NULL;
  }
  g_assert_not_reached ();
}

void
listener_forget (Request *request)
{
  Listener *listener = request->listener;
  RequestQueue *queue = queue_of (request);

  if (queue)
    request_queue_remove (queue, request);
  listener_cancel_event (request);
  listener_path_cancel (request);
  listener_free_slot (request);
  listener_work_done (request);
  if (listener->scripts)
    g_hash_table_remove (listener->scripts, request);
  request->id = NULL;
  sim_slab_put (&listener->slab, request);
}

void
listener_request_destroy (Request *request)
{
  CmaId *id = request->id;

  listener_forget (request);
  cma_destroy (id);
}

static gboolean
is_full (gpointer owner)
{
  const Listener *listener = owner;

  return listener->used >= listener->limit;
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
    if (request->state == REQUEST_DOOMED) {
      listener_trace (request, "DESTROY", 0);
      listener_request_destroy (request);
      break;
    }
    if (listener->early) {
      listener_app_accept_early (request);
      break;
    }
    request_queue_push (&listener->app->channel, request);
    listener_channel_request (request);
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
  case CMA_MULTICAST_JOIN:
  case CMA_MULTICAST_ERROR:
    g_assert_not_reached (); /* active side only */
  }
}

/* ----- life ----- */

gboolean
listener_has_channel (const Listener *listener, const char *channel, const Cma *host, guint process)
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
                                           .request = listener_request,
                                           .child = listener_child,
                                           .id_ops = { .event = on_event } };
  static const CmaListenOps channel_ops = { .full = is_full,
                                            .request = listener_request,
                                            .child = listener_child,
                                            .id_ops = { .event = on_event,
                                                        .channel = listener_channel_of } };

  listener->config = *config;
  listener->ops = ops;
  listener->owner = owner;
  sim_slab_init (&listener->slab, sim_engine_arena (config->engine), sizeof (Request));
  sim_slab_init (&listener->work, sim_engine_arena (config->engine), sizeof (RequestWork));
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
  listener_channel_init (listener);
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
  cma_listen (config->host, listener->service_id,
              listener->app->events ? &channel_ops : &listen_ops, listener);
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
  cma_channel_free (listener->events);
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
  if (listener->events)
    cma_channel_restart_max (listener->events);
}

/* ----- all requests ----- */

static void
add_live (gpointer item, gpointer requests)
{
  const Request *request = item;

  if (request->id)
    g_ptr_array_add (requests, item);
}

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  const Request *x = *(Request *const *) a, *y = *(Request *const *) b;

  return x->number < y->number ? -1 : x->number > y->number;
}

/* Rarely asked for: a list would cost each request its links. */
GPtrArray *
listener_requests (const Listener *listener)
{
  GPtrArray *requests = g_ptr_array_new ();

  sim_slab_each (&listener->slab, add_live, requests);
  g_ptr_array_sort (requests, compare_numbers);
  return requests;
}

static void
count_slot (gpointer item, gpointer held)
{
  const Request *request = item;

  *(guint *) held += request->id && request->slot;
}

gboolean
listener_slots_agree (const Listener *listener)
{
  guint held = 0;

  sim_slab_each (&listener->slab, count_slot, &held);
  return held == listener->used;
}

static void
count_live (gpointer item, gpointer live)
{
  const Request *request = item;

  *(guint *) live += request->id && cma_id_has_cm (request->id);
}

guint
listener_live (const Listener *listener)
{
  guint live = 0; /* a refused stream is not its request's any more */

  sim_slab_each (&listener->slab, count_live, &live);
  return live;
}

gsize
listener_request_footprint (void)
{
  return sizeof (Request) + sizeof (RequestWork);
}

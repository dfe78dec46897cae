/* New requests of a listener: what the policy says of each, and what the kernel makes of it. */
#include "listener_private.h"

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
  case BACKLOG_DESTROY:
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
  gboolean user = !cma_is_plain (listener->config.host) &&
                  (listener->service_id >> 16 == CMA_PORT_SPACE_TCP ||
                   listener->service_id >> 16 == CMA_PORT_SPACE_IB);

  if (cma_service_is_ud (listener->service_id) && verdict.answer != BACKLOG_ADMIT)
    return (BacklogVerdict){ .answer = BACKLOG_REJECT, .reason = IB_CM_SIDR_REJECT };
  if (verdict.answer == BACKLOG_DROP && user && !listener->config.profile->ucma_full_no_memory)
    return (BacklogVerdict){ .answer = BACKLOG_REJECT, .reason = IB_CM_REJ_CONSUMER };
  return verdict;
}

/* There is no room for the event: no memory, as a full backlog. */
static gboolean
channel_is_full (const Listener *listener)
{
  guint limit = listener->app->config.params->channel_limit;

  if (listener->app->events)
    return cma_channel_is_full (listener->app->events);
  return limit > 0 && listener->app->channel.length >= limit;
}

CmVerdict
listener_request (gpointer owner, const IbCmMsg *req, IbLid source)
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
  listener->destroy = verdict.answer == BACKLOG_DESTROY;
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
  case BACKLOG_DESTROY:
    listener->counters.destroyed++;
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
  request_set_event (request, SIM_EVENT_NONE);
  listener_forget (request);
  cma_resolve_deferred (id, verdict_of (listener, verdict));
}

static const SimEventClass deferral_over_event = { .name = "listener-deferral-over",
                                                   .code = 0x806,
                                                   .fire = deferral_over_fire };

gpointer
listener_child (gpointer owner, CmaId *id, const IbCmMsg *req, gboolean deferred)
{
  Listener *listener = owner;
  Request *request = sim_slab_take (&listener->slab);

  /* The same client request draws the same service time under every policy, and whatever
   * other hosts do: a host hands out its QPNs in the order of its own attempts. */
  *request = (Request){ .listener = listener,
                        .id = id,
                        .work = sim_slab_take (&listener->work),
                        .has_work = TRUE,
                        .number = listener->n_requests++ & REQUEST_NUMBER_MAX };
  *request->work = (RequestWork){ .stream = req->ca_guid << 32 ^ req->qpn };
  if (!listener->seen) {
    listener->seen = TRUE;
    listener_app_begin (listener->app);
    listener_end_begin (listener);
  }
  if (listener->keep) {
    request->state = REQUEST_HELD;
  } else if (listener->destroy) {
    request->state = REQUEST_DOOMED;
  } else if (deferred) {
    request->state = REQUEST_DEFERRED;
    request_queue_push (&listener->deferred, request);
    request_set_event (request,
                       sim_engine_schedule_after (listener->config.engine, listener->defer_wait,
                                                  &deferral_over_event, request, 0));
  } else {
    request->state = REQUEST_UNREAD;
    listener_take_slot (request);
  }
  return request;
}

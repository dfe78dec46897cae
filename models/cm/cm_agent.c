/* The CM agent: the single door into the state machine (cm_feed) and the one
 * place where effects happen (cm_apply). */
#include "cm_agent.h"

#include <errno.h>

#include "cm_shared.h"

static const SimEventClass timewait_event;

/* ----- effects ----- */

static void
cm_send (CmId *id, const IbCmMsg *msg)
{
  IbMad mad = { .destination = id->remote, .mgmt_class = IB_MGMT_CLASS_CM, .cm = *msg };

  id->sent_at = cm_agent_send (id->agent, &mad);
}

static void
cm_apply (CmId *id, const CmEffects *effects)
{
  CmAgent *agent = id->agent;
  SimTime now = sim_engine_now (agent->shared->engine);

  for (guint i = 0; i < effects->n; i++) {
    const CmEffect *effect = &effects->list[i];
    switch (effect->type) {
    case CM_EFFECT_SEND:
      cm_send (id, &effect->msg);
      break;
    case CM_EFFECT_START_RESPONSE:
      mad_timers_start (agent->timers, &id->wait, MAX (id->sent_at, now),
                        cm_retry_interval (id->retry, &id->conn, agent->shared->profile, now,
                                           effect->time));
      break;
    case CM_EFFECT_MODIFY_RESPONSE:
      mad_timers_start (agent->timers, &id->wait, now, effect->time);
      break;
    case CM_EFFECT_STOP_RESPONSE:
      mad_timers_stop (agent->timers, &id->wait);
      break;
    case CM_EFFECT_START_TIMEWAIT:
      id->timewait = sim_engine_schedule_at (agent->shared->engine,
                                             mad_timers_single (agent->timers, now, effect->time),
                                             &timewait_event, id, 0);
      break;
    case CM_EFFECT_INDEX:
      cm_shared_index (agent->shared, id);
      break;
    case CM_EFFECT_UNINDEX:
      cm_shared_unindex (agent->shared, id);
      break;
    case CM_EFFECT_NOTIFY:
      if (id->owner)
        agent->ops->notify (id->owner, id, effect->notify, effect->status);
      break;
    }
  }
}

/* ----- the door ----- */

/* Feeds one event; the id may be gone afterwards.  -EINVAL for a misuse. */
static gint
cm_feed (CmId *id, const CmEvent *event)
{
  CmShared *shared = id->agent->shared;
  CmEffects effects;
  CmState from = id->conn.state;
  const CmFsmRow *row = cm_fsm_step (&id->conn, event, shared->profile, &effects);
  gboolean misuse = row->kind == CM_ROW_MISUSE;

  sim_engine_mix (shared->engine, (guint64) id->agent->index << 32 | (guint64) event->type << 16 |
                                      (guint64) from << 8 | id->conn.state);
  if (shared->observer)
    shared->observer->transition (shared->observer_owner, sim_engine_now (shared->engine),
                                  id->agent->index, &id->conn, row, from);
  if (misuse && (event->msg || event->type == CM_EV_RESPONSE_TIMEOUT ||
                 event->type == CM_EV_TIMEWAIT_EXIT))
    shared->counters.misuse++;
  cm_retry_observe (id->retry, from, &id->conn, event->type, sim_engine_now (shared->engine));

  /* The consumer may destroy the id while it is told something. */
  id->depth++;
  cm_apply (id, &effects);
  id->depth--;
  if (id->depth == 0 && !id->held && id->conn.state == CM_STATE_IDLE)
    cm_shared_release (shared, id);
  return misuse ? -EINVAL : 0;
}

static gint
cm_feed_type (CmId *id, CmEventType type)
{
  return cm_feed (id, &(CmEvent){ .type = type });
}

static void
timewait_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  CmId *id = owner;

  id->timewait = SIM_EVENT_NONE;
  cm_feed_type (id, CM_EV_TIMEWAIT_EXIT);
}

static const SimEventClass timewait_event = {
  .name = "cm-timewait-exit", .code = 0x501, .fire = timewait_fire
};

static void
response_expired (gpointer owner G_GNUC_UNUSED, MadWait *wait)
{
  CmId *id = (CmId *) ((char *) wait - G_STRUCT_OFFSET (CmId, wait));
  CmAgent *agent = id->agent;
  SimTime now = sim_engine_now (agent->shared->engine);
  RetryVerdict verdict = cm_retry_expired (id->retry, &id->conn, agent->shared->profile, now);

  if (verdict.answer == RETRY_WAIT) {
    mad_timers_start (agent->timers, &id->wait, now, verdict.wait);
    return;
  }
  if (verdict.answer == RETRY_GIVE_UP)
    id->conn.retries_left = 0;
  cm_feed_type (id, CM_EV_RESPONSE_TIMEOUT);
}

const MadTimerOps cm_agent_timer_ops = { .expired = response_expired };

/* ----- for cm_receive.c ----- */

void
cm_agent_feed_message (CmId *id, CmEventType type, const IbCmMsg *msg)
{
  cm_feed (id, &(CmEvent){ .type = type, .msg = msg });
}

void
cm_agent_feed_disconnect (CmId *id)
{
  cm_feed_type (id, CM_EV_ULP_DISCONNECT);
}

void
cm_agent_new_request (CmAgent *agent, const IbMad *mad, gpointer listener)
{
  CmVerdict verdict = agent->ops->request (listener, &mad->cm, mad->source);
  CmEvent event = { .type = verdict.event,
                    .msg = &mad->cm,
                    .reason = verdict.reason,
                    .retry_after_us = verdict.retry_after_us,
                    .service_timeout = verdict.service_timeout };
  CmId *id = cm_shared_alloc (agent->shared, agent, mad->source);

  if (verdict.event == CM_EV_REQ_ADMITTED || verdict.event == CM_EV_REQ_DEFERRED) {
    id->held = TRUE;
    id->owner = agent->ops->child (listener, id, &mad->cm, verdict.event);
  }
  cm_feed (id, &event);
}

/* ----- consumer calls ----- */

CmId *
cm_connect (CmAgent *agent, const CmConnectRequest *request, SimStreamKey retry_key,
            gpointer owner)
{
  CmId *id = cm_shared_alloc (agent->shared, agent, request->destination);
  CmConn *conn = &id->conn;

  id->owner = owner;
  id->held = TRUE;
  id->retry = cm_retry_new (&agent->retry_states, request->retry, request->destination, retry_key,
                            request->retry_stream);
  conn->active = TRUE;
  conn->service_id = request->service_id;
  conn->local_qpn = request->qpn;
  conn->local_psn = request->starting_psn;
  conn->packet_lifetime = (guint8) request->packet_lifetime;
  conn->remote_response_timeout = (guint8) request->response_timeout;
  conn->local_response_timeout = (guint8) request->response_timeout;
  conn->max_cm_retries = (guint8) request->max_retries;
  cm_feed_type (id, CM_EV_ULP_CONNECT);
  return id;
}

gint
cm_accept (CmId *id, guint32 qpn, guint32 starting_psn)
{
  id->conn.local_qpn = qpn;
  id->conn.local_psn = starting_psn;
  return cm_feed_type (id, CM_EV_ULP_ACCEPT);
}

gint
cm_reject (CmId *id, guint reason)
{
  return cm_feed (id, &(CmEvent){ .type = CM_EV_ULP_REJECT, .reason = reason });
}

gint
cm_establish (CmId *id)
{
  return cm_feed_type (id, CM_EV_ULP_ESTABLISH);
}

gint
cm_prepare_mra (CmId *id)
{
  return cm_feed_type (id, CM_EV_ULP_PREPARE_MRA);
}

gint
cm_disconnect (CmId *id)
{
  return cm_feed_type (id, CM_EV_ULP_DISCONNECT);
}

void
cm_resolve_deferred (CmId *id, CmVerdict verdict)
{
  if (verdict.event != CM_EV_REQ_ADMITTED) {
    id->owner = NULL;
    id->held = FALSE;
  }
  cm_feed (id, &(CmEvent){ .type = verdict.event, .reason = verdict.reason });
}

void
cm_destroy (CmId *id)
{
  id->owner = NULL;
  id->held = FALSE;
  cm_feed_type (id, CM_EV_ULP_DESTROY);
}

const CmConn *
cm_id_conn (const CmId *id)
{
  return &id->conn;
}

IbLid
cm_id_remote (const CmId *id)
{
  return id->remote;
}

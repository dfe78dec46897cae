/* The CM agent: the single door into the state machines (feed) and the one place where
 * effects happen (apply).  The consumer's calls are in cm_calls.c, the way from a message
 * to its connection in cm_receive.c. */
#include "cm_agent.h"

#include <errno.h>

#include "cm_build.h"
#include "cm_lap.h"
#include "cm_shared.h"
#include "cm_sidr.h"
#include "cm_stateless.h"

static const SimEventClass timewait_event;

/* ----- effects ----- */

/* A message without a timer of its own. */
static void
send_once (CmId *id, const IbCmMsg *msg)
{
  IbMad mad = { .destination = id->remote, .mgmt_class = IB_MGMT_CLASS_CM, .cm = *msg };

  cm_build_sign (&mad.cm, hca_guid (cm_id_agent (id)->hca));
  /* A DREQ sent once, by an id that goes away, is the owner's own. */
  if (msg->attr == IB_CM_DREQ)
    cm_agent_send (cm_id_agent (id), &mad);
  else
    cm_agent_answer (cm_id_agent (id), &mad);
}

static void
start_timewait (CmId *id, SimTime time)
{
  CmAgent *agent = cm_id_agent (id);
  SimTime at = mad_timers_single (&agent->timers, sim_engine_now (agent->shared->engine), time);

  g_assert (!id->waits_by);
  id->in_timewait = TRUE;
  id->waits_by = sim_numbered_take (&agent->shared->timewaits);
  *(SimEventId *) sim_numbered_at (&agent->shared->timewaits, id->waits_by) =
      sim_engine_schedule_at (agent->shared->engine, at, &timewait_event, id, 0);
}

static void
apply (CmId *id, const CmEffects *effects)
{
  CmAgent *agent = cm_id_agent (id);

  for (guint i = 0; i < effects->n; i++) {
    const CmEffect *effect = &effects->list[i];

    switch (effect->type) {
    case CM_EFFECT_SEND:
      /* A send that wants an answer is followed by the start of its timer. */
      if (i + 1 == effects->n || effects->list[i + 1].type != CM_EFFECT_START_RESPONSE)
        send_once (id, &effect->msg);
      break;
    case CM_EFFECT_START_RESPONSE:
      g_assert (i > 0 && effects->list[i - 1].type == CM_EFFECT_SEND);
      cm_pending_send (id, &effects->list[i - 1].msg, effect->time);
      break;
    case CM_EFFECT_MODIFY_RESPONSE:
      cm_pending_stretch (id, effect->time);
      break;
    case CM_EFFECT_STOP_RESPONSE:
      cm_pending_stop (id);
      break;
    case CM_EFFECT_START_TIMEWAIT:
      start_timewait (id, effect->time);
      break;
    case CM_EFFECT_INDEX:
      cm_shared_index (agent->shared, id);
      break;
    case CM_EFFECT_UNINDEX:
      cm_shared_unindex (agent->shared, id);
      break;
    case CM_EFFECT_NOTIFY:
      if (id->owner)
        agent->shared->ops->notify (id->owner, id, effect->notify, effect->status);
      break;
    }
  }
}

/* ----- the door ----- */

typedef const CmFsmRow *(*Step) (CmConn *conn, const CmEvent *event, const CmProfile *profile,
                                 CmEffects *effects);

/* Feeds one event; the id may be gone afterwards.  -EINVAL for a misuse.  number: of the
 * machine, in the fingerprint. */
static gint
feed (CmId *id, const CmMachine *machine, guint number, Step step, const CmEvent *event)
{
  CmAgent *agent = cm_id_agent (id);
  CmShared *shared = agent->shared;
  CmEffects effects;
  CmState from = id->conn.state;
  const CmFsmRow *row = step (&id->conn, event, agent->profile, &effects);
  gboolean misuse = row->kind == CM_ROW_MISUSE;

  sim_engine_mix (shared->engine, (guint64) agent->index << 32 | (guint64) number << 24 |
                                      (guint64) event->type << 16 | (guint64) from << 8 |
                                      id->conn.state);
  if (shared->observer)
    shared->observer->transition (shared->observer_owner, sim_engine_now (shared->engine),
                                  agent->index, &id->conn, row, from);
  if (misuse && machine->by_itself >> event->type & 1)
    shared->counters.misuse++;
  if (machine == &cm_fsm)
    cm_retry_observe (cm_shared_retry (id), from, &id->conn, event->type, agent->profile,
                      sim_engine_now (shared->engine));

  /* The consumer may destroy the id while it is told something. */
  id->depth++;
  apply (id, &effects);
  id->depth--;
  if (id->depth == 0 && !id->held && id->conn.state == CM_STATE_IDLE)
    cm_shared_release (shared, id);
  if (cm_agent_queues (agent))
    cm_pending_pump (agent);
  return misuse ? -EINVAL : 0;
}

G_STATIC_ASSERT ((guint) CM_STATE_IDLE == (guint) CM_SIDR_STATE_IDLE);

gint
cm_agent_feed (CmId *id, const CmEvent *event)
{
  return feed (id, &cm_fsm, 0, cm_fsm_step, event);
}

gint
cm_agent_feed_sidr (CmId *id, const CmEvent *event)
{
  g_assert (id->sidr);
  return feed (id, &cm_sidr_fsm, 1, cm_sidr_step, event);
}

/* Alternate paths belong to connections that are established; elsewhere their messages are
 * ignored and the consumer's calls are errors. */
gint
cm_agent_feed_lap (CmId *id, const CmEvent *event)
{
  if (id->sidr || id->conn.state != CM_STATE_ESTABLISHED)
    return -EINVAL;
  return feed (id, &cm_lap_fsm, 2, cm_lap_step, event);
}

void
cm_agent_feed_timeout (CmId *id, gboolean last)
{
  CmEvent event = { .type = CM_EV_RESPONSE_TIMEOUT, .last = last };

  if (id->sidr) {
    event.type = CM_SIDR_EV_RESPONSE_TIMEOUT;
    cm_agent_feed_sidr (id, &event);
  } else if (id->conn.state == CM_STATE_ESTABLISHED) {
    event.type = CM_LAP_EV_RESPONSE_TIMEOUT;
    cm_agent_feed_lap (id, &event);
  } else {
    cm_agent_feed (id, &event);
  }
}

static void
timewait_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  CmId *id = owner;

  cm_shared_leave_timewait (cm_id_shared (id), id);
  cm_agent_feed (id, &(CmEvent){ .type = CM_EV_TIMEWAIT_EXIT });
}

static const SimEventClass timewait_event = { .name = "cm-timewait-exit",
                                              .code = 0x501,
                                              .fire = timewait_fire };

/* ----- new requests ----- */

/* Whatever a consumer says but yes, the asking side hears status 2 at once. */
static void
feed_verdict_sidr (CmId *id, const CmVerdict *verdict, const IbCmMsg *msg)
{
  CmEvent event = { .type = CM_SIDR_EV_REQ_REFUSED, .msg = msg, .reason = IB_CM_SIDR_REJECT };

  if (verdict->event == CM_EV_REQ_ADMITTED)
    event.type = CM_SIDR_EV_REQ_ADMITTED;
  cm_agent_feed_sidr (id, &event);
}

/* An MRA whose sender does not keep the request, and sends no other. */
static void
promise_and_forget (CmId *id, const IbCmMsg *req, guint service_timeout)
{
  IbCmMsg mra;

  cm_stateless_mra (req, id->conn.local_id, service_timeout, &mra);
  send_once (id, &mra);
}

void
cm_agent_new_request (CmAgent *agent, const IbMad *mad, gpointer listener)
{
  gboolean sidr = mad->cm.attr == IB_CM_SIDR_REQ;
  CmVerdict verdict = agent->shared->ops->request (listener, &mad->cm, mad->source);
  gboolean mra = verdict.event == CM_EV_REQ_DROPPED && verdict.mra > 0 && !sidr;
  CmEvent event = { .type = verdict.event,
                    .msg = &mad->cm,
                    .reason = verdict.reason,
                    .retry_after_us = verdict.retry_after_us,
                    .redirect = verdict.redirect,
                    .service_timeout = verdict.service_timeout };
  CmId *id = cm_shared_alloc (agent->shared, agent, mad->source);

  id->sidr = sidr != 0;
  if (verdict.event == CM_EV_REQ_ADMITTED || (verdict.event == CM_EV_REQ_DEFERRED && !sidr)) {
    id->held = TRUE;
    id->owner = agent->shared->ops->child (listener, id, &mad->cm, verdict.event);
  }
  if (mra)
    promise_and_forget (id, &mad->cm, verdict.mra);
  if (sidr)
    feed_verdict_sidr (id, &verdict, &mad->cm);
  else
    cm_agent_feed (id, &event);
}

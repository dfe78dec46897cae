/* What the handlers share: waiting for an answer with retries, and leaving the live
 * states. */
#include "cm_handlers.h"

#define S CM_FSM_STATE

static gboolean
in_states (const CmConn *conn, guint32 states)
{
  return (1u << conn->state & states) != 0;
}

static void
forget_wait (CmConn *conn)
{
  conn->interval = 0;
  conn->retries_left = 0;
  conn->sends = 0;
}

void
cm_wait_begin (CmConn *conn, IbCmMsg msg, SimTime interval, CmEffects *effects)
{
  conn->interval = interval;
  conn->retries_left = conn->max_cm_retries;
  conn->sends = 1;
  cm_effects_send (effects, &msg);
  cm_effects_time (effects, CM_EFFECT_START_RESPONSE, interval);
}

/* mad.c retry_send: the interval neither grows nor shrinks by itself. */
gboolean
cm_wait_again (CmConn *conn, IbCmMsg msg, CmEffects *effects)
{
  if (conn->retries_left == 0) {
    forget_wait (conn);
    return FALSE;
  }
  conn->retries_left--;
  msg.sends = ++conn->sends;
  cm_effects_send (effects, &msg);
  cm_effects_time (effects, CM_EFFECT_START_RESPONSE, conn->interval);
  return TRUE;
}

void
cm_wait_end (CmConn *conn, CmEffects *effects)
{
  if (!in_states (conn, S (REQ_SENT) | S (MRA_REQ_RCVD) | S (REP_SENT) | S (MRA_REP_RCVD) |
                            S (DREQ_SENT)))
    return;
  cm_effects_add (effects, CM_EFFECT_STOP_RESPONSE);
  forget_wait (conn);
}

void
cm_number_repeat (CmConn *conn, IbCmMsg *msg)
{
  if (conn->sends < G_MAXUINT8)
    conn->sends++;
  msg->sends = conn->sends;
}

/* In the tables from taking the REQ or REP to timewait (cm_cleanup_timewait). */
static void
leave_tables (const CmConn *conn, CmEffects *effects)
{
  if (!in_states (conn, S (IDLE) | S (REQ_SENT) | S (MRA_REQ_RCVD) | S (TIMEWAIT)))
    cm_effects_add (effects, CM_EFFECT_UNINDEX);
}

CmState
cm_enter_idle (CmConn *conn, CmEffects *effects)
{
  leave_tables (conn, effects);
  conn->deferred = FALSE;
  return CM_STATE_IDLE;
}

CmState
cm_enter_timewait (CmConn *conn, const CmProfile *profile, CmEffects *effects)
{
  leave_tables (conn, effects);
  conn->deferred = FALSE;
  conn->sends = 0;
  cm_effects_time (effects, CM_EFFECT_START_TIMEWAIT,
                   cm_time_timewait (profile, conn->ack_timeout));
  return CM_STATE_TIMEWAIT;
}

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
  conn->wait = CM_WAIT_NONE;
  conn->retries_left = 0;
  conn->sends = 0;
  conn->waits = 0;
}

void
cm_wait_begin (CmConn *conn, IbCmMsg msg, CmWaitKind wait, const CmProfile *profile,
               CmEffects *effects)
{
  conn->wait = wait & 3u;
  conn->retries_left = conn->max_cm_retries;
  conn->sends = 1;
  conn->waits = 0;
  cm_effects_send (effects, &msg);
  cm_effects_time (effects, CM_EFFECT_START_RESPONSE, cm_time_nominal (conn, profile));
}

/* mad.c retry_send. */
gboolean
cm_wait_again (CmConn *conn, IbCmMsg msg, const CmEvent *timeout, const CmProfile *profile,
               CmEffects *effects)
{
  if (conn->retries_left == 0 || timeout->last) {
    forget_wait (conn);
    return FALSE;
  }
  conn->retries_left--;
  conn->waits++;
  msg.sends = ++conn->sends;
  cm_effects_send (effects, &msg);
  cm_effects_time (effects, CM_EFFECT_START_RESPONSE,
                   cm_time_wait (profile, cm_time_nominal (conn, profile), conn->waits));
  return TRUE;
}

/* mad.c ib_modify_mad: the new interval is for the wait in progress and all later ones,
 * shorter or longer; the retries left stay.  The proposed one takes an MRA for this wait
 * alone, ignores a shorter one and begins the back-off anew. */
void
cm_wait_stretch (CmConn *conn, const IbCmMsg *mra, const CmProfile *profile, CmEffects *effects)
{
  SimTime interval = cm_time_mra (profile, mra->service_timeout, conn->ack_timeout);

  if (!profile->mra_once) {
    conn->wait = CM_WAIT_MRA;
    conn->mra_received = CM_CODE (mra->service_timeout);
  } else if (interval < cm_time_wait (profile, cm_time_nominal (conn, profile), conn->waits)) {
    return;
  }
  conn->waits = 0;
  cm_effects_time (effects, CM_EFFECT_MODIFY_RESPONSE, interval);
}

void
cm_wait_over (CmConn *conn, CmEffects *effects)
{
  cm_effects_add (effects, CM_EFFECT_STOP_RESPONSE);
  forget_wait (conn);
}

static gboolean
is_waiting (const CmConn *conn)
{
  if (conn->state == CM_STATE_ESTABLISHED)
    return conn->wait != CM_WAIT_NONE; /* for an APR */
  return in_states (conn, S (REQ_SENT) | S (MRA_REQ_RCVD) | S (REP_SENT) | S (MRA_REP_RCVD) |
                              S (DREQ_SENT));
}

void
cm_wait_end (CmConn *conn, CmEffects *effects)
{
  if (is_waiting (conn))
    cm_wait_over (conn, effects);
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
  conn->lap_state = CM_LAP_STATE_UNINIT;
  return CM_STATE_IDLE;
}

CmState
cm_enter_timewait (CmConn *conn, const CmProfile *profile, CmEffects *effects)
{
  leave_tables (conn, effects);
  conn->deferred = FALSE;
  conn->lap_state = CM_LAP_STATE_UNINIT;
  conn->sends = 0;
  cm_effects_time (effects, CM_EFFECT_START_TIMEWAIT,
                   cm_time_timewait (profile, conn->ack_timeout));
  return CM_STATE_TIMEWAIT;
}

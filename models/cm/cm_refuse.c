/* Refusal: REJ sent and received, and requests given up without a word. */
#include "cm_handlers.h"
#include "cm_stateless.h"

static gboolean
is_redirect (guint reason)
{
  return reason == IB_CM_REJ_PORT_CM_REDIRECT || reason == IB_CM_REJ_PORT_REDIRECT;
}

static void
send_rej (const CmConn *conn, guint reason, guint32 redirect, CmEffects *effects)
{
  IbCmMsg rej = cm_build_rej (conn, reason);

  if (is_redirect (reason))
    rej.redirect = redirect;
  cm_effects_send (effects, &rej);
}

/* ----- a REQ that never becomes a connection ----- */

/* The REJ of a REQ that this end does not keep.  A profile that prepares the MRA before
 * it asks the consumer has used its id by then. */
static void
send_rej_unborn (const CmConn *conn, const CmEvent *event, guint reason,
                 const CmProfile *profile, CmEffects *effects)
{
  const IbCmMsg *req = event->msg;
  CmConn unborn = *conn;
  IbCmMsg rej;

  unborn.tid = req->tid;
  unborn.remote_id = req->local_id;
  unborn.state = profile->mra_before_callback ? CM_STATE_MRA_REQ_SENT : CM_STATE_REQ_RCVD;
  rej = cm_build_rej (&unborn, reason);
  rej.retry_after_us = event->retry_after_us;
  if (is_redirect (reason))
    rej.redirect = event->redirect;
  cm_effects_send (effects, &rej);
}

/* cm_destroy_id with -ENOMEM: silent, so that the peer's next try is a new REQ; but only
 * from REQ_RCVD, and old kernels not even then. */
CM_HANDLER (cm_drop_req)
{
  if (profile->mra_before_callback || !profile->drop_on_no_memory)
    send_rej_unborn (conn, event, IB_CM_REJ_CONSUMER, profile, effects);
  return CM_STATE_IDLE;
}

CM_HANDLER (cm_refuse_req)
{
  send_rej_unborn (conn, event, event->reason, profile, effects);
  return CM_STATE_IDLE;
}

/* The policy that held the REQ gives up and lets the peer try again. */
CM_HANDLER (cm_drop_deferred)
{
  g_assert (conn->deferred);
  return cm_enter_idle (conn, effects);
}

/* ----- REJ by the consumer ----- */

/* cm_send_rej_locked: an end that sent a REP may be established at the peer, so it goes
 * through timewait. */
static CmState
let_go (CmConn *conn, const CmProfile *profile, CmEffects *effects)
{
  gboolean rep_sent = conn->state == CM_STATE_REP_SENT || conn->state == CM_STATE_MRA_REP_RCVD;

  cm_wait_end (conn, effects);
  return rep_sent ? cm_enter_timewait (conn, profile, effects) : cm_enter_idle (conn, effects);
}

static CmState
refuse (CmConn *conn, guint reason, guint32 redirect, const CmProfile *profile, CmEffects *effects)
{
  send_rej (conn, reason, redirect, effects);
  return let_go (conn, profile, effects);
}

CM_HANDLER (cm_send_rej)
{
  return refuse (conn, event->reason, event->redirect, profile, effects);
}

/* cm_destroy_id: "timeout" from an end that waits for a REP, else "consumer reject". */
CM_HANDLER (cm_send_rej_by_destroy)
{
  guint reason = IB_CM_REJ_CONSUMER;

  if (!profile->destroy_rejects)
    return let_go (conn, profile, effects);
  if (conn->state == CM_STATE_REQ_SENT)
    reason = IB_CM_REJ_TIMEOUT;
  else if (conn->state == CM_STATE_MRA_REQ_RCVD)
    reason = profile->destroy_mra_received_rej;
  return refuse (conn, reason, 0, profile, effects);
}

/* ----- stale connections ----- */

/* cm_rep_handler: the REP is refused, the REQ goes on. */
CM_HANDLER (cm_send_rej_stale_rep)
{
  IbCmMsg rej;

  cm_stateless_rej (event->msg, IB_CM_REJ_STALE_CONNECTION, &rej);
  cm_effects_send (effects, &rej);
  return conn->state;
}

/* cm_dup_req_handler: the connection this REQ asked for is over. */
CM_HANDLER (cm_send_rej_stale_req)
{
  send_rej (conn, IB_CM_REJ_STALE_CONNECTION, 0, effects);
  return conn->state;
}

/* ----- REJ received ----- */

/* cm_rej_handler: timewait if the connection may have been known to the peer as live.  One
 * that is established takes a REJ as long as no alternate path has been agreed on. */
CM_HANDLER (cm_take_rej)
{
  gboolean timewait = event->msg->reason == IB_CM_REJ_STALE_CONNECTION;
  CmState next;

  if (conn->state == CM_STATE_ESTABLISHED && conn->lap_state != CM_LAP_STATE_UNINIT &&
      conn->lap_state != CM_LAP_STATE_SENT)
    return conn->state;
  if (conn->state == CM_STATE_REP_RCVD || conn->state == CM_STATE_MRA_REP_SENT ||
      conn->state == CM_STATE_ESTABLISHED || conn->state == CM_STATE_DREQ_SENT)
    timewait = TRUE;
  cm_wait_end (conn, effects);
  conn->redirected = is_redirect (event->msg->reason) != 0;
  if (conn->redirected)
    conn->redirect = (guint32) event->msg->redirect;
  else
    conn->retry_after_us = event->msg->retry_after_us;
  next = timewait ? cm_enter_timewait (conn, profile, effects) : cm_enter_idle (conn, effects);
  cm_effects_notify (effects, CM_NOTIFY_REJ_RECEIVED, event->msg->reason);
  return next;
}

/* Establishment: REQ, REP and RTU of both sides. */
#include "cm_handlers.h"
#include "ib_time.h"

#define CODE_MAX 31
#define RETRIES_MAX 15

/* ----- active side ----- */

/* ib_send_cm_req.  The ACK timeout is a guess from the path until the REP brings the
 * peer's delay (cm_init_av_by_path). */
CM_HANDLER (cm_send_req)
{
  g_assert (conn->local_id != 0 && conn->max_cm_retries <= RETRIES_MAX);
  conn->active = TRUE;
  conn->tid = cm_build_tid (conn->local_id);
  conn->ack_timeout = CM_CODE (MIN (conn->packet_lifetime + 1u, CODE_MAX));
  conn->remote_response_timeout =
      CM_CODE (MIN (conn->remote_response_timeout, profile->max_timeout));
  conn->local_response_timeout = CM_CODE (MIN (conn->local_response_timeout, profile->max_timeout));
  conn->sends_total = 1;
  cm_wait_begin (conn, cm_build_req (conn, profile), CM_WAIT_REQUEST, profile, effects);
  return CM_STATE_REQ_SENT;
}

CM_HANDLER (cm_retry_req)
{
  CmState next;

  if (cm_wait_again (conn, cm_build_req (conn, profile), event, profile, effects)) {
    conn->sends_total++;
    return conn->state;
  }
  next = cm_enter_idle (conn, effects);
  cm_effects_notify (effects, CM_NOTIFY_REQ_ERROR, 0);
  return next;
}

/* cm_rep_handler: the peer's ids are learned here and not from an MRA before. */
CM_HANDLER (cm_take_rep)
{
  const IbCmMsg *rep = event->msg;

  cm_wait_end (conn, effects);
  conn->remote_id = rep->local_id;
  conn->remote_qpn = CM_24_BITS (rep->qpn);
  conn->remote_ca_guid = rep->ca_guid;
  if (profile->ack_delay_in_timeouts)
    conn->ack_timeout =
        CM_CODE (ib_ack_timeout_linux (rep->target_ack_delay, conn->packet_lifetime));
  cm_effects_add (effects, CM_EFFECT_INDEX);
  cm_effects_notify (effects, CM_NOTIFY_REP_RECEIVED, 0);
  return CM_STATE_REP_RCVD;
}

CM_HANDLER (cm_send_rtu)
{
  IbCmMsg rtu = cm_build_rtu (conn);

  conn->sends = 1;
  cm_effects_send (effects, &rtu);
  return CM_STATE_ESTABLISHED;
}

/* cm_dup_rep_handler: the RTU was lost. */
CM_HANDLER (cm_repeat_rtu)
{
  IbCmMsg rtu = cm_build_rtu (conn);

  cm_number_repeat (conn, &rtu);
  cm_effects_send (effects, &rtu);
  return CM_STATE_ESTABLISHED;
}

/* ----- passive side ----- */

/* cm_req_handler: what this end keeps of a REQ.  The packet lifetime is recovered from
 * the ACK timeout, which is one more (cm_format_paths_from_req). */
static void
take_req (CmConn *conn, const IbCmMsg *req, CmEffects *effects)
{
  conn->active = FALSE;
  conn->tid = req->tid;
  conn->remote_id = req->local_id;
  conn->remote_qpn = CM_24_BITS (req->qpn);
  conn->remote_ca_guid = req->ca_guid;
  conn->remote_response_timeout = CM_CODE (req->remote_response_timeout);
  conn->local_response_timeout = CM_CODE (req->local_response_timeout);
  conn->max_cm_retries = CM_RETRIES (req->max_cm_retries);
  conn->packet_lifetime = CM_CODE (req->local_ack_timeout > 0 ? req->local_ack_timeout - 1u : 0);
  conn->ack_timeout = CM_CODE (MIN (conn->packet_lifetime + 1u, CODE_MAX));
  cm_effects_add (effects, CM_EFFECT_INDEX);
}

CM_HANDLER (cm_admit_req)
{
  take_req (conn, event->msg, effects);
  cm_effects_notify (effects, CM_NOTIFY_REQ_RECEIVED, 0);
  if (!profile->mra_before_callback)
    return CM_STATE_REQ_RCVD;
  conn->mra_service_timeout = (guint8) profile->mra_service_timeout;
  return CM_STATE_MRA_REQ_SENT;
}

/* The consumer wants time before it decides: an MRA goes out at once
 * (ib_send_cm_mra without the delay flag) and the consumer hears nothing yet. */
CM_HANDLER (cm_defer_req)
{
  guint service_timeout =
      event->service_timeout ? event->service_timeout : profile->mra_service_timeout;
  IbCmMsg mra;

  take_req (conn, event->msg, effects);
  conn->deferred = TRUE;
  conn->mra_service_timeout = (guint8) service_timeout;
  mra = cm_build_mra (conn, IB_CM_MESSAGE_REQ);
  cm_number_repeat (conn, &mra);
  cm_effects_send (effects, &mra);
  return CM_STATE_MRA_REQ_SENT;
}

CM_HANDLER (cm_admit_deferred)
{
  g_assert (conn->deferred);
  conn->deferred = FALSE;
  cm_effects_notify (effects, CM_NOTIFY_REQ_RECEIVED, 0);
  return CM_STATE_MRA_REQ_SENT;
}

/* Peer to peer: of two REQs that cross, that of the side with the greater CA GUID, then
 * QPN, counts; the other side answers it as if it had listened.  The rule is that of Linux's
 * cm_is_active_peer, which nothing called. */
CM_HANDLER (cm_take_peer_req)
{
  const IbCmMsg *req = event->msg;
  gboolean ours = event->ca_guid > req->ca_guid ||
                  (event->ca_guid == req->ca_guid && conn->local_qpn > req->qpn);

  g_assert (conn->peer);
  if (ours)
    return conn->state;
  cm_wait_end (conn, effects);
  take_req (conn, req, effects);
  cm_effects_notify (effects, CM_NOTIFY_REQ_RECEIVED, 0);
  return CM_STATE_REQ_RCVD;
}

/* ib_send_cm_rep: timer and retries are those the REQ asked for. */
CM_HANDLER (cm_send_rep)
{
  g_assert (!conn->deferred);
  cm_wait_begin (conn, cm_build_rep (conn, profile), CM_WAIT_RESPONSE, profile, effects);
  return CM_STATE_REP_SENT;
}

CM_HANDLER (cm_retry_rep)
{
  CmState next;

  if (cm_wait_again (conn, cm_build_rep (conn, profile), event, profile, effects))
    return conn->state;
  next = cm_enter_idle (conn, effects);
  cm_effects_notify (effects, CM_NOTIFY_REP_ERROR, 0);
  return next;
}

CM_HANDLER (cm_take_rtu)
{
  cm_wait_end (conn, effects);
  cm_effects_notify (effects, CM_NOTIFY_RTU_RECEIVED, 0);
  return CM_STATE_ESTABLISHED;
}

/* cm_establish: data on the QP proves that the peer has the REP. */
CM_HANDLER (cm_take_comm_est)
{
  cm_wait_end (conn, effects);
  cm_effects_notify (effects, CM_NOTIFY_USER_ESTABLISHED, 0);
  return CM_STATE_ESTABLISHED;
}

/* Release: DREQ, DREP and timewait. */
#include "cm_handlers.h"

/* ib_send_cm_dreq. */
CM_HANDLER (cm_send_dreq)
{
  cm_wait_end (conn, effects); /* a pending LAP */
  conn->lap_state = CM_LAP_STATE_UNINIT;
  cm_wait_begin (conn, cm_build_dreq (conn), cm_wait_of_side (conn), profile, effects);
  return CM_STATE_DREQ_SENT;
}

CM_HANDLER (cm_retry_dreq)
{
  CmState next;

  if (cm_wait_again (conn, cm_build_dreq (conn), event, profile, effects))
    return conn->state;
  next = cm_enter_timewait (conn, profile, effects);
  cm_effects_notify (effects, CM_NOTIFY_DREQ_ERROR, 0);
  return next;
}

/* A DREQ names the QPN of its receiver; another one is meant for an earlier owner of
 * the communication id. */
static gboolean
is_for_us (const CmConn *conn, const IbCmMsg *dreq)
{
  return dreq->qpn == conn->local_qpn;
}

/* cm_dreq_handler: also when the own DREQ is under way or the RTU was lost. */
CM_HANDLER (cm_take_dreq)
{
  if (!is_for_us (conn, event->msg))
    return conn->state;
  cm_wait_end (conn, effects);
  conn->lap_state = CM_LAP_STATE_UNINIT;
  conn->tid = event->msg->tid; /* the DREP repeats it */
  cm_effects_notify (effects, CM_NOTIFY_DREQ_RECEIVED, 0);
  return CM_STATE_DREQ_RCVD;
}

CM_HANDLER (cm_send_drep)
{
  IbCmMsg drep = cm_build_drep (conn);
  CmState next;

  cm_effects_send (effects, &drep);
  next = cm_enter_timewait (conn, profile, effects);
  conn->sends = 1;
  return next;
}

/* cm_dreq_handler in timewait: the DREP was lost. */
CM_HANDLER (cm_repeat_drep)
{
  IbCmMsg drep;

  if (!is_for_us (conn, event->msg))
    return conn->state;
  drep = cm_build_drep (conn);
  cm_number_repeat (conn, &drep);
  cm_effects_send (effects, &drep);
  return conn->state;
}

/* cm_drep_handler: also when the peer's DREQ has crossed ours and waits for the
 * consumer; one DREP is enough for both. */
CM_HANDLER (cm_take_drep)
{
  CmState next;

  cm_wait_end (conn, effects);
  next = cm_enter_timewait (conn, profile, effects);
  cm_effects_notify (effects, CM_NOTIFY_DREP_RECEIVED, 0);
  return next;
}

/* cm_destroy_id: the DREQ is sent once; nobody is left to wait for its answer. */
CM_HANDLER (cm_send_dreq_by_destroy)
{
  IbCmMsg dreq = cm_build_dreq (conn);

  cm_wait_end (conn, effects); /* a pending LAP */
  cm_effects_send (effects, &dreq);
  return cm_enter_timewait (conn, profile, effects);
}

CM_HANDLER (cm_abandon_dreq)
{
  cm_wait_end (conn, effects);
  return cm_enter_timewait (conn, profile, effects);
}

CM_HANDLER (cm_leave_timewait)
{
  cm_effects_notify (effects, CM_NOTIFY_TIMEWAIT_EXIT, 0);
  return cm_enter_idle (conn, effects);
}

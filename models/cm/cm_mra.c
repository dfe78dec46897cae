/* MRA: "I have it, wait longer". */
#include "cm_handlers.h"

/* ib_send_cm_mra with the delay flag: nothing is sent until a duplicate of the REQ or
 * REP shows that the peer has begun to worry. */
CM_HANDLER (cm_note_mra)
{
  guint service_timeout =
      event->service_timeout ? event->service_timeout : profile->mra_service_timeout;

  conn->mra_service_timeout = (guint8) service_timeout;
  return conn->state == CM_STATE_REQ_RCVD ? CM_STATE_MRA_REQ_SENT : CM_STATE_MRA_REP_SENT;
}

/* cm_dup_req_handler, cm_dup_rep_handler. */
CM_HANDLER (cm_repeat_mra)
{
  IbCmMessage mraed =
      conn->state == CM_STATE_MRA_REQ_SENT ? IB_CM_MESSAGE_REQ : IB_CM_MESSAGE_REP;
  IbCmMsg mra = cm_build_mra (conn, mraed);

  cm_number_repeat (conn, &mra);
  cm_effects_send (effects, &mra);
  return conn->state;
}

/* cm_mra_handler: what becomes of the wait is another matter. */
CM_HANDLER (cm_take_mra)
{
  gboolean of_req = conn->state == CM_STATE_REQ_SENT;
  IbCmMessage expected = of_req ? IB_CM_MESSAGE_REQ : IB_CM_MESSAGE_REP;

  if (event->msg->message != expected)
    return conn->state;
  cm_wait_stretch (conn, event->msg, profile, effects);
  cm_effects_notify (effects, CM_NOTIFY_MRA_RECEIVED, 0);
  return of_req ? CM_STATE_MRA_REQ_RCVD : CM_STATE_MRA_REP_RCVD;
}

/* Names and steps of the three machines behind one face. */
#include "cm_cause.h"

static const CmMachine *const machines[CM_MACHINE_COUNT] = {
  [CM_MACHINE_CONNECTION] = &cm_fsm,
  [CM_MACHINE_LAP] = &cm_lap_fsm,
  [CM_MACHINE_SIDR] = &cm_sidr_fsm,
};

const char *
cm_cause_name (CmCause cause)
{
  return cm_cause_is_known (cause) ? machines[cause.machine]->events[cause.event] : "";
}

gboolean
cm_cause_is_timeout (CmCause cause)
{
  static const guint timeouts[CM_MACHINE_COUNT] = {
    [CM_MACHINE_CONNECTION] = CM_EV_RESPONSE_TIMEOUT,
    [CM_MACHINE_LAP] = CM_LAP_EV_RESPONSE_TIMEOUT,
    [CM_MACHINE_SIDR] = CM_SIDR_EV_RESPONSE_TIMEOUT,
  };

  return cm_cause_is_known (cause) && cause.event == timeouts[cause.machine];
}

gboolean
cm_cause_is_protocol (const CmConn *conn, CmCause cause)
{
  guint state = conn->state;

  if (!cm_cause_is_known (cause))
    return FALSE;
  if (cause.machine == CM_MACHINE_LAP) {
    if (conn->state != CM_STATE_ESTABLISHED)
      return FALSE;
    state = conn->lap_state;
  }
  return cm_machine_lookup (machines[cause.machine], state, cause.event)->kind == CM_ROW_PROTOCOL;
}

void
cm_cause_step (CmConn *conn, CmCause cause, CmEvent *event, const CmProfile *profile,
               CmEffects *effects)
{
  event->type = cause.event;
  switch ((CmMachineKind) cause.machine) {
  case CM_MACHINE_CONNECTION:
    cm_fsm_step (conn, event, profile, effects);
    return;
  case CM_MACHINE_LAP:
    cm_lap_step (conn, event, profile, effects);
    return;
  case CM_MACHINE_SIDR:
    cm_sidr_step (conn, event, profile, effects);
    return;
  case CM_MACHINE_COUNT:
    break;
  }
  g_assert_not_reached ();
}

CmCause
cm_cause_of_message (const CmConn *conn, const IbCmMsg *msg)
{
  switch ((IbCmAttr) msg->attr) {
  case IB_CM_REQ:
  case IB_CM_SIDR_REQ:
    break;
  case IB_CM_MRA: /* cm_mra_handler: in an established connection it can only be about a LAP */
    return conn->state == CM_STATE_ESTABLISHED && msg->message == IB_CM_MESSAGE_OTHER
               ? CM_CAUSE (LAP, CM_LAP_EV_RX_MRA)
               : CM_CAUSE (CONNECTION, CM_EV_RX_MRA);
  case IB_CM_REJ:
    return CM_CAUSE (CONNECTION, CM_EV_RX_REJ);
  case IB_CM_REP:
    return CM_CAUSE (CONNECTION, CM_EV_RX_REP);
  case IB_CM_RTU:
    return CM_CAUSE (CONNECTION, CM_EV_RX_RTU);
  case IB_CM_DREQ:
    return CM_CAUSE (CONNECTION, CM_EV_RX_DREQ);
  case IB_CM_DREP:
    return CM_CAUSE (CONNECTION, CM_EV_RX_DREP);
  case IB_CM_LAP:
    return CM_CAUSE (LAP, CM_LAP_EV_RX_LAP);
  case IB_CM_APR:
    return CM_CAUSE (LAP, CM_LAP_EV_RX_APR);
  case IB_CM_SIDR_REP:
    return CM_CAUSE (SIDR, CM_SIDR_EV_RX_SIDR_REP);
  }
  return CM_CAUSE_NONE;
}

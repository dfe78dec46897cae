/* The one step of the state machine of a connection. */
#include "cm_fsm.h"

#include "cm_lap.h"
#include "cm_sidr.h"

const CmMachine *const cm_machines[] = { &cm_fsm, &cm_sidr_fsm, &cm_lap_fsm, NULL };

const CmFsmRow *
cm_fsm_lookup (CmState state, CmEventType event)
{
  return cm_machine_lookup (&cm_fsm, state, event);
}

const CmFsmRow *
cm_fsm_step (CmConn *conn, const CmEvent *event, const CmProfile *profile, CmEffects *effects)
{
  CmState state = conn->state;
  const CmFsmRow *row = cm_machine_lookup (&cm_fsm, state, event->type);

  effects->n = 0;
  if (row->handler) {
    CmState next = ((CmHandler) row->handler) (conn, event, profile, effects);

    g_assert (conn->state == state);
    g_assert (cm_fsm_row_allows (row, state, next));
    conn->state = CM_STATE_BITS (next);
  }
  return row;
}

/* The one step of the state machine. */
#include "cm_fsm.h"

/* The blocks are short, so looking through one beats building a matrix somewhere. */
const CmFsmRow *
cm_fsm_lookup (CmState state, CmEventType event)
{
  const CmFsmRow *row;

  g_assert (state < CM_STATE_COUNT && event < CM_EV_COUNT);
  row = cm_fsm_rows[event];
  while (!(row->states & 1u << state)) {
    row++;
    g_assert (row < cm_fsm_rows[event] + CM_FSM_EVENT_ROWS);
  }
  return row;
}

gboolean
cm_fsm_row_allows (const CmFsmRow *row, CmState state, CmState next)
{
  return (row->next & 1u << next) != 0 || (next == state && (row->next & CM_FSM_STAY));
}

const CmFsmRow *
cm_fsm_step (CmConn *conn, const CmEvent *event, const CmProfile *profile, CmEffects *effects)
{
  CmState state = conn->state;
  const CmFsmRow *row = cm_fsm_lookup (state, event->type);

  effects->n = 0;
  if (row->handler) {
    CmState next = row->handler (conn, event, profile, effects);

    g_assert (conn->state == state);
    g_assert (cm_fsm_row_allows (row, state, next));
    conn->state = (guint8) next;
  }
  return row;
}

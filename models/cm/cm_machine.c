/* Looking up a cell of a machine. */
#include "cm_machine.h"

/* The blocks are short, so looking through one beats building a matrix somewhere. */
const CmFsmRow *
cm_machine_lookup (const CmMachine *machine, guint state, guint event)
{
  const CmFsmRow *row = machine->rows + event * CM_FSM_EVENT_ROWS, *end = row + CM_FSM_EVENT_ROWS;

  g_assert (state < machine->n_states && event < machine->n_events);
  while (!(row->states & 1u << state)) {
    row++;
    g_assert (row < end);
  }
  return row;
}

gboolean
cm_fsm_row_allows (const CmFsmRow *row, guint state, guint next)
{
  return (row->next & 1u << next) != 0 || (next == state && (row->next & CM_FSM_STAY));
}

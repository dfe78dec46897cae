/* Proves that a table is sound: expands it, then tries every handler. */
#include "cm_machine.h"

/* The dense matrix: a row per cell, event by event. */
typedef struct {
  const CmMachine *machine;
  const CmFsmRow **rows;
  GString *report;
} Matrix;

static const CmFsmRow **
cell (const Matrix *matrix, guint state, guint event)
{
  return &matrix->rows[event * matrix->machine->n_states + state];
}

/* ----- expansion ----- */

static void
check_shape (const Matrix *matrix, const CmFsmRow *row)
{
  const char *event = matrix->machine->events[row->event];
  GString *report = matrix->report;

  switch (row->kind) {
  case CM_ROW_PROTOCOL:
    if (!row->handler || !row->handler_name || !row->next)
      g_string_append_printf (report, "shape: %s: PROTOCOL row without handler or next\n", event);
    if (!row->clause || !*row->clause)
      g_string_append_printf (report, "clause: %s: PROTOCOL row without clause\n", event);
    return;
  case CM_ROW_MISUSE:
    if (matrix->machine->by_itself >> row->event & 1)
      g_string_append_printf (report, "shape: %s: MISUSE by a message or timer\n", event);
    break;
  case CM_ROW_IGNORE:
    break;
  }
  if (row->handler || row->next != CM_FSM_STAY)
    g_string_append_printf (report, "shape: %s: a row without handler stays\n", event);
}

static void
expand (const Matrix *matrix, const CmFsmRow *rows, guint n)
{
  const CmMachine *machine = matrix->machine;

  for (guint i = 0; i < n; i++) {
    if (!rows[i].states)
      continue;
    g_assert (rows[i].event < machine->n_events);
    check_shape (matrix, &rows[i]);
    for (guint state = 0; state < machine->n_states; state++) {
      const CmFsmRow **here = cell (matrix, state, rows[i].event);

      if (!(rows[i].states & 1u << state))
        continue;
      if (*here)
        g_string_append_printf (matrix->report, "overlap: %s, %s\n", machine->states[state],
                                machine->events[rows[i].event]);
      *here = &rows[i];
    }
  }
  for (guint event = 0; event < machine->n_events; event++)
    for (guint state = 0; state < machine->n_states; state++)
      if (!*cell (matrix, state, event))
        g_string_append_printf (matrix->report, "gap: %s, %s\n", machine->states[state],
                                machine->events[event]);
}

/* ----- trying the handlers ----- */

/* A timer that is started must mean something where the handler leads. */
static void
check_timers (const Matrix *matrix, const CmFsmRow *row, guint next, guint64 needed)
{
  const CmMachine *machine = matrix->machine;

  for (guint event = 0; event < machine->n_events; event++)
    if (needed >> event & 1 && (*cell (matrix, next, event))->kind != CM_ROW_PROTOCOL)
      g_string_append_printf (matrix->report,
                              "timer: %s starts one, but %s, %s is no PROTOCOL row\n",
                              row->handler_name, machine->states[next], machine->events[event]);
}

static void
try_cell (const Matrix *matrix, guint state, const CmFsmRow *row)
{
  const CmMachine *machine = matrix->machine;
  guint64 needed[32] = { 0 };
  guint32 reached = 0;

  for (guint trial = 0; trial < machine->n_trials; trial++) {
    guint64 timers = 0;
    guint next = machine->try_row (row, state, trial, &timers);

    needed[next] |= timers;
    reached |= 1u << next;
  }
  for (guint next = 0; next < machine->n_states; next++) {
    gboolean allowed = cm_fsm_row_allows (row, state, next);

    check_timers (matrix, row, next, needed[next]);
    if (allowed != ((reached & 1u << next) != 0))
      g_string_append_printf (matrix->report, "next: %s, %s: %s %s %s\n", machine->states[state],
                              machine->events[row->event], row->handler_name,
                              allowed ? "never gives" : "gives", machine->states[next]);
  }
}

/* ----- the whole ----- */

char *
cm_machine_check_rows (const CmMachine *machine, const CmFsmRow *rows, guint n)
{
  Matrix matrix = { .machine = machine, .report = g_string_new (NULL) };

  matrix.rows = g_new0 (const CmFsmRow *, machine->n_states * machine->n_events);
  expand (&matrix, rows, n);
  if (matrix.report->len == 0)
    for (guint state = 0; state < machine->n_states; state++)
      for (guint event = 0; event < machine->n_events; event++) {
        const CmFsmRow *row = *cell (&matrix, state, event);

        if (row->kind == CM_ROW_PROTOCOL)
          try_cell (&matrix, state, row);
      }
  g_free (matrix.rows);
  return g_string_free (matrix.report, FALSE);
}

char *
cm_machine_check (const CmMachine *machine)
{
  g_autoptr (GString) report = g_string_new (NULL);

  /* cm_machine_lookup() finds a row by the place of its block. */
  for (guint event = 0; event < machine->n_events; event++)
    for (guint i = 0; i < CM_FSM_EVENT_ROWS; i++) {
      const CmFsmRow *row = &machine->rows[event * CM_FSM_EVENT_ROWS + i];

      if (row->states && row->event != event)
        g_string_append_printf (report, "block: a row of %s stands in the block of %s\n",
                                machine->events[row->event], machine->events[event]);
    }
  g_autofree char *rest
      = cm_machine_check_rows (machine, machine->rows, machine->n_events * CM_FSM_EVENT_ROWS);
  return g_strconcat (report->str, rest, NULL);
}

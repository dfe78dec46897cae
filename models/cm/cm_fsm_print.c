/* A machine as Markdown, Graphviz and CSV. */
#include "cm_fsm_print.h"

/* ----- Markdown ----- */

/* The states that may follow, "the same" first. */
static void
print_next (const CmMachine *machine, GString *out, const CmFsmRow *row, guint state)
{
  const char *separator = "";

  if (cm_fsm_row_allows (row, state, state)) {
    g_string_append (out, "stays");
    separator = ", ";
  }
  for (guint next = 0; next < machine->n_states; next++)
    if (next != state && cm_fsm_row_allows (row, state, next)) {
      g_string_append_printf (out, "%s%s", separator, machine->states[next]);
      separator = ", ";
    }
}

static void
print_matrix_cell (const CmMachine *machine, GString *out, guint state, guint event)
{
  const CmFsmRow *row = cm_machine_lookup (machine, state, event);

  switch (row->kind) {
  case CM_ROW_PROTOCOL:
    g_string_append (out, cm_fsm_row_allows (row, state, state) ? " | =" : " |");
    for (guint next = 0; next < machine->n_states; next++)
      if (next != state && cm_fsm_row_allows (row, state, next))
        g_string_append_printf (out, " %u", next);
    break;
  case CM_ROW_IGNORE:
    g_string_append (out, " | .");
    break;
  case CM_ROW_MISUSE:
    g_string_append (out, " | !");
    break;
  }
}

static void
print_matrix (const CmMachine *machine, GString *out)
{
  g_string_append (out, "| Event ");
  for (guint state = 0; state < machine->n_states; state++)
    g_string_append_printf (out, "| %u ", state);
  g_string_append (out, "|\n|---");
  for (guint state = 0; state < machine->n_states; state++)
    g_string_append (out, "|---");
  g_string_append (out, "|\n");
  for (guint event = 0; event < machine->n_events; event++) {
    g_string_append_printf (out, "| %s", machine->events[event]);
    for (guint state = 0; state < machine->n_states; state++)
      print_matrix_cell (machine, out, state, event);
    g_string_append (out, " |\n");
  }
}

/* One line of the events that have rows of a kind without handler in a state. */
static void
print_others (const CmMachine *machine, GString *out, guint state, CmRowKind kind,
              const char *title)
{
  gboolean any = FALSE;

  for (guint event = 0; event < machine->n_events; event++) {
    if (cm_machine_lookup (machine, state, event)->kind != kind)
      continue;
    g_string_append_printf (out, "%s%s", any ? ", " : title, machine->events[event]);
    any = TRUE;
  }
  if (any)
    g_string_append (out, ".\n\n");
}

static void
print_state (const CmMachine *machine, GString *out, guint state)
{
  g_string_append_printf (out, "## %u %s\n\n", state, machine->states[state]);
  g_string_append (out, "| Event | What | Handler | State afterwards | Clause or function |\n"
                        "|---|---|---|---|---|\n");
  for (guint event = 0; event < machine->n_events; event++) {
    const CmFsmRow *row = cm_machine_lookup (machine, state, event);

    if (row->kind != CM_ROW_PROTOCOL)
      continue;
    g_string_append_printf (out, "| %s | %s | `%s` | ", machine->events[event],
                            machine->texts[event], row->handler_name);
    print_next (machine, out, row, state);
    g_string_append_printf (out, " | %s |\n", row->clause);
  }
  g_string_append (out, "\n");
  print_others (machine, out, state, CM_ROW_IGNORE, "Ignored: ");
  print_others (machine, out, state, CM_ROW_MISUSE, "Error of the consumer (-EINVAL): ");
}

void
cm_fsm_print_markdown (const CmMachine *machine, GString *out)
{
  g_string_append_printf (out, "# %s\n\n%s\n\n", machine->title, machine->about);
  g_string_append (
      out,
      "Overview: states by number, in a cell the states that may follow; `=` the state stays,\n"
      "`.` ignored, `!` a call at the wrong time.\n\n"
      "| Number | State |\n|---|---|\n");
  for (guint state = 0; state < machine->n_states; state++)
    g_string_append_printf (out, "| %u | %s |\n", state, machine->states[state]);
  g_string_append (out, "\n");
  print_matrix (machine, out);
  g_string_append (out, "\n");
  for (guint state = 0; state < machine->n_states; state++)
    print_state (machine, out, state);
  g_string_truncate (out, out->len - 1); /* one newline at the end */
}

/* ----- Graphviz ----- */

static void
print_edge (const CmMachine *machine, GString *out, guint from, guint to)
{
  gboolean any = FALSE;

  for (guint event = 0; event < machine->n_events; event++) {
    const CmFsmRow *row = cm_machine_lookup (machine, from, event);

    if (row->kind != CM_ROW_PROTOCOL || !cm_fsm_row_allows (row, from, to))
      continue;
    if (any)
      g_string_append (out, "\\n");
    else
      g_string_append_printf (out, "  %s -> %s [label=\"", machine->states[from],
                              machine->states[to]);
    g_string_append (out, machine->events[event]);
    any = TRUE;
  }
  if (any)
    g_string_append (out, "\"];\n");
}

void
cm_fsm_print_dot (const CmMachine *machine, GString *out)
{
  g_string_append_printf (out, "digraph %s {\n"
                               "  node [shape=box, style=rounded];\n"
                               "  edge [fontsize=9];\n", machine->name);
  for (guint from = 0; from < machine->n_states; from++)
    for (guint to = 0; to < machine->n_states; to++)
      if (from != to)
        print_edge (machine, out, from, to);
  g_string_append (out, "}\n");
}

/* ----- CSV ----- */

static const char *
kind_name (CmRowKind kind)
{
  switch (kind) {
  case CM_ROW_PROTOCOL:
    return "protocol";
  case CM_ROW_IGNORE:
    return "ignore";
  case CM_ROW_MISUSE:
    return "misuse";
  }
  g_assert_not_reached ();
}

/* The clause is the one field with commas; no clause has a quotation mark (tested). */
void
cm_fsm_print_csv (const CmMachine *machine, GString *out)
{
  g_string_append (out, "state,event,kind,handler,next,clause\n");
  for (guint state = 0; state < machine->n_states; state++)
    for (guint event = 0; event < machine->n_events; event++) {
      const CmFsmRow *row = cm_machine_lookup (machine, state, event);
      const char *separator = "";

      g_string_append_printf (out, "%s,%s,%s,%s,", machine->states[state], machine->events[event],
                              kind_name (row->kind), row->handler ? row->handler_name : "");
      for (guint next = 0; next < machine->n_states; next++)
        if (cm_fsm_row_allows (row, state, next)) {
          g_string_append_printf (out, "%s%s", separator, machine->states[next]);
          separator = " ";
        }
      g_string_append_printf (out, ",\"%s\"\n", row->clause ? row->clause : "");
    }
}

/* The table as Markdown, Graphviz and CSV. */
#include "cm_fsm_print.h"

/* ----- Markdown ----- */

/* The states that may follow, "the same" first. */
static void
print_next (GString *out, const CmFsmRow *row, CmState state)
{
  const char *separator = "";

  if (cm_fsm_row_allows (row, state, state)) {
    g_string_append (out, "stays");
    separator = ", ";
  }
  for (guint next = 0; next < CM_STATE_COUNT; next++)
    if (next != state && cm_fsm_row_allows (row, state, next)) {
      g_string_append_printf (out, "%s%s", separator, cm_state_name (next));
      separator = ", ";
    }
}

static void
print_matrix_cell (GString *out, CmState state, CmEventType event)
{
  const CmFsmRow *row = cm_fsm_lookup (state, event);

  switch (row->kind) {
  case CM_ROW_PROTOCOL:
    g_string_append (out, cm_fsm_row_allows (row, state, state) ? " | =" : " |");
    for (guint next = 0; next < CM_STATE_COUNT; next++)
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
print_matrix (GString *out)
{
  g_string_append (out, "| Event ");
  for (guint state = 0; state < CM_STATE_COUNT; state++)
    g_string_append_printf (out, "| %u ", state);
  g_string_append (out, "|\n|---");
  for (guint state = 0; state < CM_STATE_COUNT; state++)
    g_string_append (out, "|---");
  g_string_append (out, "|\n");
  for (guint event = 0; event < CM_EV_COUNT; event++) {
    g_string_append_printf (out, "| %s", cm_event_name (event));
    for (guint state = 0; state < CM_STATE_COUNT; state++)
      print_matrix_cell (out, state, event);
    g_string_append (out, " |\n");
  }
}

/* One line of the events that have rows of a kind without handler in a state. */
static void
print_others (GString *out, CmState state, CmRowKind kind, const char *title)
{
  gboolean any = FALSE;

  for (guint event = 0; event < CM_EV_COUNT; event++) {
    if (cm_fsm_lookup (state, event)->kind != kind)
      continue;
    g_string_append_printf (out, "%s%s", any ? ", " : title, cm_event_name (event));
    any = TRUE;
  }
  if (any)
    g_string_append (out, ".\n\n");
}

static void
print_state (GString *out, CmState state)
{
  g_string_append_printf (out, "## %u %s\n\n", state, cm_state_name (state));
  g_string_append (out, "| Event | What | Handler | State afterwards | Clause or function |\n"
                        "|---|---|---|---|---|\n");
  for (guint event = 0; event < CM_EV_COUNT; event++) {
    const CmFsmRow *row = cm_fsm_lookup (state, event);

    if (row->kind != CM_ROW_PROTOCOL)
      continue;
    g_string_append_printf (out, "| %s | %s | `%s` | ", cm_event_name (event),
                            cm_event_text (event), row->handler_name);
    print_next (out, row, state);
    g_string_append_printf (out, " | %s |\n", row->clause);
  }
  g_string_append (out, "\n");
  print_others (out, state, CM_ROW_IGNORE, "Ignored: ");
  print_others (out, state, CM_ROW_MISUSE, "Error of the consumer (-EINVAL): ");
}

void
cm_fsm_print_markdown (GString *out)
{
  g_string_append (
      out,
      "# The state machine of the IB CM\n\n"
      "Printed from the table in `models/cm/cm_fsm_table.c` by `cmsim fsm --markdown`; change\n"
      "the table, not this file.  Functions without a file name are those of Linux 6.1\n"
      "`drivers/infiniband/core/cm.c`.  What differs between kernels is in the profile, not in\n"
      "the table.\n\n"
      "Overview: states by number, in a cell the states that may follow; `=` the state stays,\n"
      "`.` ignored, `!` a call at the wrong time.\n\n"
      "| Number | State |\n|---|---|\n");
  for (guint state = 0; state < CM_STATE_COUNT; state++)
    g_string_append_printf (out, "| %u | %s |\n", state, cm_state_name (state));
  g_string_append (out, "\n");
  print_matrix (out);
  g_string_append (out, "\n");
  for (guint state = 0; state < CM_STATE_COUNT; state++)
    print_state (out, state);
  g_string_truncate (out, out->len - 1); /* one newline at the end */
}

/* ----- Graphviz ----- */

static void
print_edge (GString *out, CmState from, CmState to)
{
  gboolean any = FALSE;

  for (guint event = 0; event < CM_EV_COUNT; event++) {
    const CmFsmRow *row = cm_fsm_lookup (from, event);

    if (row->kind != CM_ROW_PROTOCOL || !cm_fsm_row_allows (row, from, to))
      continue;
    if (any)
      g_string_append (out, "\\n");
    else
      g_string_append_printf (out, "  %s -> %s [label=\"", cm_state_name (from),
                              cm_state_name (to));
    g_string_append (out, cm_event_name (event));
    any = TRUE;
  }
  if (any)
    g_string_append (out, "\"];\n");
}

void
cm_fsm_print_dot (GString *out)
{
  g_string_append (out, "digraph cm {\n"
                        "  node [shape=box, style=rounded];\n"
                        "  edge [fontsize=9];\n");
  for (guint from = 0; from < CM_STATE_COUNT; from++)
    for (guint to = 0; to < CM_STATE_COUNT; to++)
      if (from != to)
        print_edge (out, from, to);
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
cm_fsm_print_csv (GString *out)
{
  g_string_append (out, "state,event,kind,handler,next,clause\n");
  for (guint state = 0; state < CM_STATE_COUNT; state++)
    for (guint event = 0; event < CM_EV_COUNT; event++) {
      const CmFsmRow *row = cm_fsm_lookup (state, event);
      const char *separator = "";

      g_string_append_printf (out, "%s,%s,%s,%s,", cm_state_name (state), cm_event_name (event),
                              kind_name (row->kind), row->handler ? row->handler_name : "");
      for (guint next = 0; next < CM_STATE_COUNT; next++)
        if (cm_fsm_row_allows (row, state, next)) {
          g_string_append_printf (out, "%s%s", separator, cm_state_name (next));
          separator = " ";
        }
      g_string_append_printf (out, ",\"%s\"\n", row->clause ? row->clause : "");
    }
}

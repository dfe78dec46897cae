/* The tables of the state machines: sound, and each way of breaking them is noticed; the
 * printed forms; names.  The tests of the tables run once per machine. */
#include "cm_fsm_print.h"
#include "cm_lap.h"
#include "cm_sidr.h"
#include "test_cm.h"

#define MACHINES 3
#define ROWS_MAX (CM_EV_COUNT * CM_FSM_EVENT_ROWS)

/* A copy of a machine's table to break. */
typedef struct {
  const CmMachine *machine;
  guint n;
  CmFsmRow rows[ROWS_MAX];
} Table;

static Table
table (const CmMachine *machine)
{
  Table copy = { .machine = machine, .n = machine->n_events * CM_FSM_EVENT_ROWS };

  ck_assert_uint_le (copy.n, ROWS_MAX);
  memcpy (copy.rows, machine->rows, copy.n * sizeof *copy.rows);
  return copy;
}

static gboolean
comes_by_itself (const Table *table, const CmFsmRow *row)
{
  return (table->machine->by_itself >> row->event & 1) != 0;
}

/* The report names the row's event and the kind of fault. */
static void
check_reported (const Table *broken, const CmFsmRow *row, const char *fault)
{
  g_autofree char *report = cm_machine_check_rows (broken->machine, broken->rows, broken->n);
  g_auto (GStrv) lines = g_strsplit (report, "\n", -1);
  gboolean found = FALSE;

  for (guint i = 0; lines[i]; i++)
    found |= g_str_has_prefix (lines[i], fault) &&
             strstr (lines[i], broken->machine->events[row->event]);
  ck_assert_msg (found, "%s: no \"%s\" of %s in:\n%s", broken->machine->name, fault,
                 broken->machine->events[row->event], report);
}

START_TEST (table_is_sound)
{
  g_autofree char *report = cm_machine_check (cm_machines[_i]);

  ck_assert_str_eq (report, "");
}
END_TEST

START_TEST (every_cell_has_its_row)
{
  const CmMachine *machine = cm_machines[_i];

  for (guint state = 0; state < machine->n_states; state++)
    for (guint event = 0; event < machine->n_events; event++) {
      const CmFsmRow *row = cm_machine_lookup (machine, state, event);

      ck_assert_uint_eq (row->event, event);
      ck_assert_uint_ne (row->states & 1u << state, 0);
    }
}
END_TEST

START_TEST (removed_row_is_noticed)
{
  Table whole = table (cm_machines[_i]);

  for (guint i = 0; i < whole.n; i++) {
    Table broken = whole;
    CmFsmRow row = broken.rows[i];

    if (!row.states)
      continue;
    broken.rows[i].states = 0;
    check_reported (&broken, &row, "gap:");
  }
}
END_TEST

START_TEST (widened_row_is_noticed)
{
  Table whole = table (cm_machines[_i]);

  for (guint i = 0; i < whole.n; i++)
    for (guint state = 0; state < whole.machine->n_states; state++) {
      Table broken = whole;
      CmFsmRow *row = &broken.rows[i];

      if (!row->states || row->states & 1u << state)
        continue;
      row->states |= 1u << state;
      check_reported (&broken, row, "overlap:");
    }
}
END_TEST

START_TEST (missing_clause_is_noticed)
{
  Table whole = table (cm_machines[_i]);

  for (guint i = 0; i < whole.n; i++) {
    Table broken = whole;

    if (!broken.rows[i].states || broken.rows[i].kind != CM_ROW_PROTOCOL)
      continue;
    broken.rows[i].clause = NULL;
    check_reported (&broken, &broken.rows[i], "clause:");
    broken.rows[i].clause = "";
    check_reported (&broken, &broken.rows[i], "clause:");
  }
}
END_TEST

/* Taking away any allowed next state, and allowing any other. */
START_TEST (wrong_next_state_is_noticed)
{
  Table whole = table (cm_machines[_i]);
  guint tried = 0;

  for (guint i = 0; i < whole.n; i++)
    for (guint bit = 0; bit < 32; bit++) {
      Table broken = whole;
      CmFsmRow *row = &broken.rows[i];

      if (!row->states || row->kind != CM_ROW_PROTOCOL ||
          (bit >= whole.machine->n_states && 1u << bit != CM_FSM_STAY))
        continue;
      /* "Stay" and the only state of the row are the same thing. */
      if (row->next & CM_FSM_STAY && row->states == 1u << bit)
        continue;
      if (1u << bit == CM_FSM_STAY && (row->states & ~row->next) == 0)
        continue;
      row->next ^= 1u << bit;
      check_reported (&broken, row, row->next ? "next:" : "shape:");
      tried++;
    }
  ck_assert_uint_gt (tried, whole.machine == &cm_fsm ? 500 : 20);
}
END_TEST

/* A wait that nothing ends. */
START_TEST (timer_without_timeout_is_noticed)
{
  Table whole = table (cm_machines[_i]);
  guint tried = 0;

  for (guint i = 0; i < whole.n; i++) {
    Table broken = whole;
    CmFsmRow *row = &broken.rows[i];
    const char *event = whole.machine->events[row->event];

    if (!row->states || row->kind != CM_ROW_PROTOCOL ||
        (strcmp (event, "RESPONSE_TIMEOUT") != 0 && strcmp (event, "TIMEWAIT_EXIT") != 0))
      continue;
    row->kind = CM_ROW_IGNORE;
    row->handler = NULL;
    row->next = CM_FSM_STAY;
    check_reported (&broken, row, "timer:");
    tried++;
  }
  ck_assert_uint_ge (tried, 1);
}
END_TEST

START_TEST (wrong_kind_is_noticed)
{
  Table whole = table (cm_machines[_i]);

  for (guint i = 0; i < whole.n; i++) {
    Table broken = whole;
    CmFsmRow *row = &broken.rows[i];

    if (!row->states)
      continue;
    if (row->kind == CM_ROW_PROTOCOL) {
      row->handler = NULL;
      check_reported (&broken, row, "shape:");
      continue;
    }
    row->next = 1;
    check_reported (&broken, row, "shape:");
    if (!comes_by_itself (&broken, row) || row->kind == CM_ROW_MISUSE)
      continue;
    row->next = CM_FSM_STAY;
    row->kind = CM_ROW_MISUSE;
    check_reported (&broken, row, "shape:");
  }
}
END_TEST

/* A row that stands in another event's block would never be found. */
START_TEST (misplaced_row_is_noticed)
{
  Table whole = table (cm_machines[_i]);
  CmMachine moved = *whole.machine;

  moved.rows = whole.rows;
  whole.rows[0].event = 1;
  g_autofree char *report = cm_machine_check (&moved);
  ck_assert_ptr_nonnull (strstr (report, "block:"));
}
END_TEST

static const CmFsmRow *
step (const CmMachine *machine, CmConn *conn, guint event, CmEffects *effects)
{
  CmEvent fed = { .type = event };

  if (machine == &cm_fsm)
    return cm_fsm_step (conn, &fed, linux_6_1 (), effects);
  if (machine == &cm_sidr_fsm)
    return cm_sidr_step (conn, &fed, linux_6_1 (), effects);
  ck_assert_ptr_eq (machine, &cm_lap_fsm);
  return cm_lap_step (conn, &fed, linux_6_1 (), effects);
}

/* Rows without a handler touch nothing. */
START_TEST (ignored_and_misused_do_nothing)
{
  const CmMachine *machine = cm_machines[_i];

  for (guint state = 0; state < machine->n_states; state++)
    for (guint event = 0; event < machine->n_events; event++) {
      CmConn conn = { .state = CM_STATE_BITS (state) }, before;
      CmEffects effects = { .n = 1 };

      if (machine == &cm_lap_fsm)
        conn = (CmConn){ .state = CM_STATE_ESTABLISHED, .lap_state = state & 7 };
      before = conn;
      if (cm_machine_lookup (machine, state, event)->kind == CM_ROW_PROTOCOL)
        continue;
      ck_assert_ptr_eq (step (machine, &conn, event, &effects),
                        cm_machine_lookup (machine, state, event));
      ck_assert_uint_eq (effects.n, 0);
      ck_assert_mem_eq (&conn, &before, sizeof conn);
    }
}
END_TEST

START_TEST (conn_is_small)
{
  ck_assert_uint_eq (sizeof (CmConn), 44);
}
END_TEST

/* ----- printed forms ----- */

START_TEST (document_is_the_table)
{
  const CmMachine *machine = cm_machines[_i];
  g_autoptr (GString) printed = g_string_new (NULL);
  g_autofree char *path = g_strdup_printf (SOURCE_ROOT "/docs/%s-fsm.md", machine->name);
  g_autofree char *document = NULL;

  cm_fsm_print_markdown (machine, printed);
  ck_assert (g_file_get_contents (path, &document, NULL, NULL));
  g_auto (GStrv) is = g_strsplit (document, "\n", -1), should = g_strsplit (printed->str, "\n", -1);
  for (guint i = 0; is[i] && should[i]; i++)
    ck_assert_msg (strcmp (is[i], should[i]) == 0, "%s:%u is not what the table says:\n  %s", path,
                   i + 1, should[i]);
  ck_assert_uint_eq (g_strv_length (is), g_strv_length (should));
}
END_TEST

START_TEST (csv_has_every_cell)
{
  /* States and events: of connections, SIDR, alternate paths. */
  static const guint cells[MACHINES] = { 13 * 23, 3 * 8, 6 * 7 };
  g_autoptr (GString) printed = g_string_new (NULL);

  cm_fsm_print_csv (cm_machines[_i], printed);
  g_auto (GStrv) lines = g_strsplit (printed->str, "\n", -1);
  ck_assert_uint_eq (g_strv_length (lines), 1 + cells[_i] + 1);
  ck_assert_str_eq (lines[0], "state,event,kind,handler,next,clause");
  for (guint i = 1; i <= cells[_i]; i++) {
    guint quotes = 0, commas = 0;

    for (const char *c = lines[i]; *c; c++) {
      quotes += *c == '"';
      commas += *c == ',' && quotes == 0;
    }
    ck_assert_uint_eq (quotes, 2);
    ck_assert_uint_eq (commas, 5);
  }
}
END_TEST

START_TEST (csv_has_the_rows)
{
  g_autoptr (GString) printed = g_string_new (NULL);

  cm_fsm_print_csv (&cm_fsm, printed);
  ck_assert_ptr_nonnull (strstr (
      printed->str,
      "\nIDLE,ULP_CONNECT,protocol,cm_send_req,REQ_SENT,\"ib_send_cm_req\"\n"));
  ck_assert_ptr_nonnull (strstr (
      printed->str, "\nREQ_SENT,RX_REJ,protocol,cm_take_rej,IDLE TIMEWAIT,\"cm_rej_handler\"\n"));
  ck_assert_ptr_nonnull (strstr (printed->str, "\nDREQ_SENT,ULP_CONNECT,misuse,,DREQ_SENT,"));
}
END_TEST

START_TEST (dot_has_the_edges)
{
  g_autoptr (GString) printed = g_string_new (NULL);

  cm_fsm_print_dot (&cm_fsm, printed);
  ck_assert (g_str_has_prefix (printed->str, "digraph cm {\n"));
  ck_assert (g_str_has_suffix (printed->str, "}\n"));
  ck_assert_ptr_nonnull (strstr (printed->str, "  REQ_SENT -> REP_RCVD [label=\"RX_REP\"];\n"));
  ck_assert_ptr_nonnull (
      strstr (printed->str, "  DREQ_RCVD -> TIMEWAIT "
                            "[label=\"ULP_DISCONNECT\\nULP_DESTROY\\nRX_DREP\"];\n"));
  ck_assert_ptr_null (strstr (printed->str, "REQ_SENT -> REQ_SENT"));
  ck_assert_ptr_null (strstr (printed->str, "IDLE -> TIMEWAIT"));
}
END_TEST

START_TEST (names)
{
  ck_assert_str_eq (cm_state_name (CM_STATE_IDLE), "IDLE");
  ck_assert_str_eq (cm_state_name (CM_STATE_TIMEWAIT), "TIMEWAIT");
  ck_assert_str_eq (cm_event_name (CM_EV_RX_REQ), "RX_REQ");
  ck_assert_str_eq (cm_event_text (CM_EV_RX_REQ), "duplicate REQ received");
  ck_assert_str_eq (cm_event_name (CM_EV_TIMEWAIT_EXIT), "TIMEWAIT_EXIT");
  ck_assert_str_eq (cm_notify_name (CM_NOTIFY_REQ_RECEIVED), "REQ_RECEIVED");
  ck_assert_str_eq (cm_notify_name (CM_NOTIFY_USER_ESTABLISHED), "USER_ESTABLISHED");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cm state machine");
  TCase *rows = tcase_create ("rows"), *printed = tcase_create ("printed");

  tcase_set_timeout (rows, 120);
  tcase_add_loop_test (rows, table_is_sound, 0, MACHINES);
  tcase_add_loop_test (rows, every_cell_has_its_row, 0, MACHINES);
  tcase_add_loop_test (rows, removed_row_is_noticed, 0, MACHINES);
  tcase_add_loop_test (rows, widened_row_is_noticed, 0, MACHINES);
  tcase_add_loop_test (rows, missing_clause_is_noticed, 0, MACHINES);
  tcase_add_loop_test (rows, wrong_next_state_is_noticed, 0, MACHINES);
  tcase_add_loop_test (rows, timer_without_timeout_is_noticed, 0, MACHINES);
  tcase_add_loop_test (rows, wrong_kind_is_noticed, 0, MACHINES);
  tcase_add_loop_test (rows, misplaced_row_is_noticed, 0, MACHINES);
  tcase_add_loop_test (rows, ignored_and_misused_do_nothing, 0, MACHINES);
  tcase_add_test (rows, conn_is_small);
  suite_add_tcase (suite, rows);
  tcase_add_loop_test (printed, document_is_the_table, 0, MACHINES);
  tcase_add_loop_test (printed, csv_has_every_cell, 0, MACHINES);
  tcase_add_test (printed, csv_has_the_rows);
  tcase_add_test (printed, dot_has_the_edges);
  tcase_add_test (printed, names);
  suite_add_tcase (suite, printed);
  return test_run (suite);
}

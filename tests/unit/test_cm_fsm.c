/* The table of the state machine: sound, and each way of breaking it is noticed; the
 * printed forms; names. */
#include "cm_fsm_print.h"
#include "test_cm.h"

#define ROWS (CM_EV_COUNT * CM_FSM_EVENT_ROWS)

/* A copy of the table to break. */
typedef struct {
  CmFsmRow rows[ROWS];
} Table;

static Table
table (void)
{
  Table copy;

  memcpy (copy.rows, cm_fsm_rows, sizeof copy.rows);
  return copy;
}

/* The report names the row's event and the kind of fault. */
static void
check_reported (const Table *broken, const CmFsmRow *row, const char *fault)
{
  g_autofree char *report = cm_fsm_check_rows (broken->rows, ROWS);
  g_auto (GStrv) lines = g_strsplit (report, "\n", -1);
  gboolean found = FALSE;

  for (guint i = 0; lines[i]; i++)
    found |= g_str_has_prefix (lines[i], fault) && strstr (lines[i], cm_event_name (row->event));
  ck_assert_msg (found, "no \"%s\" of %s in:\n%s", fault, cm_event_name (row->event), report);
}

START_TEST (table_is_sound)
{
  g_autofree char *report = cm_fsm_check ();

  ck_assert_str_eq (report, "");
}
END_TEST

START_TEST (every_cell_has_its_row)
{
  for (guint state = 0; state < CM_STATE_COUNT; state++)
    for (guint event = 0; event < CM_EV_COUNT; event++) {
      const CmFsmRow *row = cm_fsm_lookup (state, event);

      ck_assert_uint_eq (row->event, event);
      ck_assert_uint_ne (row->states & 1u << state, 0);
    }
}
END_TEST

START_TEST (removed_row_is_noticed)
{
  for (guint i = 0; i < ROWS; i++) {
    Table broken = table ();
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
  for (guint i = 0; i < ROWS; i++)
    for (guint state = 0; state < CM_STATE_COUNT; state++) {
      Table broken = table ();
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
  for (guint i = 0; i < ROWS; i++) {
    Table broken = table ();

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
  guint tried = 0;

  for (guint i = 0; i < ROWS; i++)
    for (guint bit = 0; bit < 32; bit++) {
      Table broken = table ();
      CmFsmRow *row = &broken.rows[i];

      if (!row->states || row->kind != CM_ROW_PROTOCOL ||
          (bit >= CM_STATE_COUNT && 1u << bit != CM_FSM_STAY))
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
  ck_assert_uint_gt (tried, 500);
}
END_TEST

/* A wait that nothing ends. */
START_TEST (timer_without_timeout_is_noticed)
{
  static const CmEventType timeouts[] = { CM_EV_RESPONSE_TIMEOUT, CM_EV_TIMEWAIT_EXIT };

  for (guint i = 0; i < G_N_ELEMENTS (timeouts); i++)
    for (guint j = 0; j < CM_FSM_EVENT_ROWS; j++) {
      Table broken = table ();
      CmFsmRow *row = &broken.rows[timeouts[i] * CM_FSM_EVENT_ROWS + j];

      if (!row->states || row->kind != CM_ROW_PROTOCOL)
        continue;
      row->kind = CM_ROW_IGNORE;
      row->handler = NULL;
      row->next = CM_FSM_STAY;
      check_reported (&broken, row, "timer:");
    }
}
END_TEST

START_TEST (wrong_kind_is_noticed)
{
  for (guint i = 0; i < ROWS; i++) {
    Table broken = table ();
    CmFsmRow *row = &broken.rows[i];

    if (!row->states)
      continue;
    if (row->kind == CM_ROW_PROTOCOL) {
      row->handler = NULL;
      check_reported (&broken, row, "shape:");
      continue;
    }
    row->next = CM_FSM_STATE (IDLE);
    check_reported (&broken, row, "shape:");
    if (row->event < CM_EV_COMM_EST || row->kind == CM_ROW_MISUSE)
      continue;
    row->next = CM_FSM_STAY;
    row->kind = CM_ROW_MISUSE;
    check_reported (&broken, row, "shape:");
  }
}
END_TEST

/* Rows without a handler touch nothing. */
START_TEST (ignored_and_misused_do_nothing)
{
  for (guint state = 0; state < CM_STATE_COUNT; state++)
    for (guint event = 0; event < CM_EV_COUNT; event++) {
      CmConn conn = { .state = (guint8) state }, before = conn;
      CmEffects effects = { .n = 1 };

      if (cm_fsm_lookup (state, event)->kind == CM_ROW_PROTOCOL)
        continue;
      const CmFsmRow *row =
          cm_fsm_step (&conn, &(CmEvent){ .type = event }, linux_6_1 (), &effects);
      ck_assert_ptr_eq (row, cm_fsm_lookup (state, event));
      ck_assert_uint_eq (effects.n, 0);
      ck_assert_mem_eq (&conn, &before, sizeof conn);
    }
}
END_TEST

START_TEST (conn_is_small)
{
  ck_assert_uint_le (sizeof (CmConn), 96);
}
END_TEST

/* ----- printed forms ----- */

START_TEST (document_is_the_table)
{
  g_autoptr (GString) printed = g_string_new (NULL);
  g_autofree char *document = NULL;

  cm_fsm_print_markdown (printed);
  ck_assert (g_file_get_contents (SOURCE_ROOT "/docs/cm-fsm.md", &document, NULL, NULL));
  g_auto (GStrv) is = g_strsplit (document, "\n", -1), should = g_strsplit (printed->str, "\n", -1);
  for (guint i = 0; is[i] && should[i]; i++)
    ck_assert_msg (strcmp (is[i], should[i]) == 0,
                   "docs/cm-fsm.md:%u is not what the table says:\n  %s", i + 1, should[i]);
  ck_assert_uint_eq (g_strv_length (is), g_strv_length (should));
}
END_TEST

START_TEST (csv_has_every_cell)
{
  g_autoptr (GString) printed = g_string_new (NULL);

  cm_fsm_print_csv (printed);
  g_auto (GStrv) lines = g_strsplit (printed->str, "\n", -1);
  ck_assert_uint_eq (g_strv_length (lines), 1 + 13 * 22 + 1);
  ck_assert_str_eq (lines[0], "state,event,kind,handler,next,clause");
  ck_assert_str_eq (lines[1], "IDLE,ULP_CONNECT,protocol,cm_send_req,REQ_SENT,\"ib_send_cm_req\"");
  for (guint i = 1; i <= 13 * 22; i++) {
    guint quotes = 0, commas = 0;

    for (const char *c = lines[i]; *c; c++) {
      quotes += *c == '"';
      commas += *c == ',' && quotes == 0;
    }
    ck_assert_uint_eq (quotes, 2);
    ck_assert_uint_eq (commas, 5);
  }
  ck_assert_ptr_nonnull (strstr (
      printed->str, "\nREQ_SENT,RX_REJ,protocol,cm_take_rej,IDLE TIMEWAIT,\"cm_rej_handler\"\n"));
  ck_assert_ptr_nonnull (strstr (printed->str, "\nDREQ_SENT,ULP_CONNECT,misuse,,DREQ_SENT,"));
}
END_TEST

START_TEST (dot_has_the_edges)
{
  g_autoptr (GString) printed = g_string_new (NULL);

  cm_fsm_print_dot (printed);
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
  tcase_add_test (rows, table_is_sound);
  tcase_add_test (rows, every_cell_has_its_row);
  tcase_add_test (rows, removed_row_is_noticed);
  tcase_add_test (rows, widened_row_is_noticed);
  tcase_add_test (rows, missing_clause_is_noticed);
  tcase_add_test (rows, wrong_next_state_is_noticed);
  tcase_add_test (rows, timer_without_timeout_is_noticed);
  tcase_add_test (rows, wrong_kind_is_noticed);
  tcase_add_test (rows, ignored_and_misused_do_nothing);
  tcase_add_test (rows, conn_is_small);
  suite_add_tcase (suite, rows);
  tcase_add_test (printed, document_is_the_table);
  tcase_add_test (printed, csv_has_every_cell);
  tcase_add_test (printed, dot_has_the_edges);
  tcase_add_test (printed, names);
  suite_add_tcase (suite, printed);
  return test_run (suite);
}

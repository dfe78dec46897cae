/* Proves that a table is sound: expands it, then tries every handler. */
#include "cm_fsm.h"

typedef const CmFsmRow *Cells[CM_STATE_COUNT][CM_EV_COUNT];

/* ----- expansion ----- */

/* Events that come by themselves: for them no state is a wrong one. */
static gboolean
is_message_or_timer (CmEventType event)
{
  return event == CM_EV_COMM_EST || (event >= CM_EV_RX_REQ && event <= CM_EV_TIMEWAIT_EXIT);
}

static void
check_shape (const CmFsmRow *row, GString *report)
{
  const char *event = cm_event_name (row->event);

  switch (row->kind) {
  case CM_ROW_PROTOCOL:
    if (!row->handler || !row->handler_name || !row->next)
      g_string_append_printf (report, "shape: %s: PROTOCOL row without handler or next\n", event);
    if (!row->clause || !*row->clause)
      g_string_append_printf (report, "clause: %s: PROTOCOL row without clause\n", event);
    return;
  case CM_ROW_MISUSE:
    if (is_message_or_timer (row->event))
      g_string_append_printf (report, "shape: %s: MISUSE by a message or timer\n", event);
    break;
  case CM_ROW_IGNORE:
    break;
  }
  if (row->handler || row->next != CM_FSM_STAY)
    g_string_append_printf (report, "shape: %s: a row without handler stays\n", event);
}

static void
expand (const CmFsmRow *rows, guint n, Cells cells, GString *report)
{
  for (guint i = 0; i < n; i++) {
    if (!rows[i].states)
      continue;
    g_assert (rows[i].event < CM_EV_COUNT);
    check_shape (&rows[i], report);
    for (guint state = 0; state < CM_STATE_COUNT; state++) {
      if (!(rows[i].states & 1u << state))
        continue;
      if (cells[state][rows[i].event])
        g_string_append_printf (report, "overlap: %s, %s\n", cm_state_name (state),
                                cm_event_name (rows[i].event));
      cells[state][rows[i].event] = &rows[i];
    }
  }
  for (guint event = 0; event < CM_EV_COUNT; event++)
    for (guint state = 0; state < CM_STATE_COUNT; state++)
      if (!cells[state][event])
        g_string_append_printf (report, "gap: %s, %s\n", cm_state_name (state),
                                cm_event_name (event));
}

/* ----- trying the handlers ----- */

/* What handlers look at when they choose a next state. */
typedef struct {
  gboolean last_try;
  gboolean stale;
  gboolean other_qpn;
  IbCmMessage message;
} Choice;

#define CHOICES 24

static Choice
choice (guint i)
{
  return (Choice){ .last_try = i & 1,
                   .stale = i >> 1 & 1,
                   .other_qpn = i >> 2 & 1,
                   .message = (IbCmMessage) (i >> 3) };
}

/* A verdict on a REQ that was deferred comes without the REQ. */
static gboolean
is_verdict (CmEventType event)
{
  return event >= CM_EV_REQ_ADMITTED && event <= CM_EV_REQ_DEFERRED;
}

static CmState
try_handler (const CmFsmRow *row, CmState state, const Choice *chosen, const CmProfile *profile,
             CmEffects *effects)
{
  CmConn conn = { .state = (guint8) state,
                  .local_id = 1,
                  .local_qpn = 2,
                  .retries_left = chosen->last_try ? 0 : 1,
                  .deferred = is_verdict (row->event) && state != CM_STATE_IDLE };
  IbCmMsg msg = { .local_id = 3,
                  .qpn = chosen->other_qpn ? 4 : 2,
                  .message = (guint8) chosen->message,
                  .reason = chosen->stale ? IB_CM_REJ_STALE_CONNECTION : IB_CM_REJ_CONSUMER,
                  .attr = row->event == CM_EV_RX_REP_STALE ? IB_CM_REP : IB_CM_REQ };
  CmEvent event = { .type = row->event, .reason = IB_CM_REJ_CONSUMER };

  if ((is_message_or_timer (row->event) || is_verdict (row->event)) && !conn.deferred)
    event.msg = &msg;
  effects->n = 0;
  return row->handler (&conn, &event, profile, effects);
}

/* A timer that is started must mean something where the handler leads. */
static void
check_timers (Cells cells, const CmFsmRow *row, CmState next, const CmEffects *effects,
              GString *report)
{
  for (guint i = 0; i < effects->n; i++) {
    CmEffectType type = effects->list[i].type;
    CmEventType needed = CM_EV_COUNT;

    if (type == CM_EFFECT_START_RESPONSE || type == CM_EFFECT_MODIFY_RESPONSE)
      needed = CM_EV_RESPONSE_TIMEOUT;
    else if (type == CM_EFFECT_START_TIMEWAIT)
      needed = CM_EV_TIMEWAIT_EXIT;
    if (needed != CM_EV_COUNT && cells[next][needed]->kind != CM_ROW_PROTOCOL)
      g_string_append_printf (report, "timer: %s starts one, but %s, %s is no PROTOCOL row\n",
                              row->handler_name, cm_state_name (next), cm_event_name (needed));
  }
}

static void
try_cell (Cells cells, CmState state, const CmFsmRow *row, const CmProfile *profiles, guint n,
          GString *report)
{
  guint32 reached = 0;

  for (guint i = 0; i < CHOICES * n; i++) {
    Choice chosen = choice (i % CHOICES);
    CmEffects effects;
    CmState next = try_handler (row, state, &chosen, &profiles[i / CHOICES], &effects);

    if (!(reached & 1u << next))
      check_timers (cells, row, next, &effects, report);
    reached |= 1u << next;
  }
  for (guint next = 0; next < CM_STATE_COUNT; next++) {
    gboolean allowed = cm_fsm_row_allows (row, state, next);

    if (allowed != ((reached & 1u << next) != 0))
      g_string_append_printf (report, "next: %s, %s: %s %s %s\n", cm_state_name (state),
                              cm_event_name (row->event), row->handler_name,
                              allowed ? "never gives" : "gives", cm_state_name (next));
  }
}

static void
try_cells (Cells cells, GString *report)
{
  g_autoptr (GArray) profiles = g_array_new (FALSE, FALSE, sizeof (CmProfile));

  for (guint i = 0; cm_profiles[i]; i++) {
    CmProfile early = *cm_profiles[i];

    early.mra_before_callback = TRUE;
    g_array_append_val (profiles, *cm_profiles[i]);
    g_array_append_val (profiles, early);
  }
  for (guint state = 0; state < CM_STATE_COUNT; state++)
    for (guint event = 0; event < CM_EV_COUNT; event++)
      if (cells[state][event]->kind == CM_ROW_PROTOCOL)
        try_cell (cells, state, cells[state][event], (const CmProfile *) profiles->data,
                  profiles->len, report);
}

char *
cm_fsm_check_rows (const CmFsmRow *rows, guint n)
{
  GString *report = g_string_new (NULL);
  Cells cells = { { NULL } };

  expand (rows, n, cells, report);
  if (report->len == 0)
    try_cells (cells, report);
  return g_string_free (report, FALSE);
}

char *
cm_fsm_check (void)
{
  g_autoptr (GString) report = g_string_new (NULL);

  /* cm_fsm_lookup() finds a row by the place of its block. */
  for (guint event = 0; event < CM_EV_COUNT; event++)
    for (guint i = 0; i < CM_FSM_EVENT_ROWS; i++)
      if (cm_fsm_rows[event][i].states && cm_fsm_rows[event][i].event != event)
        g_string_append_printf (report, "block: a row of %s stands in the block of %s\n",
                                cm_event_name (cm_fsm_rows[event][i].event),
                                cm_event_name (event));
  g_autofree char *rest = cm_fsm_check_rows (&cm_fsm_rows[0][0], CM_EV_COUNT * CM_FSM_EVENT_ROWS);
  return g_strconcat (report->str, rest, NULL);
}

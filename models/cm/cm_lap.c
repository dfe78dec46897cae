/* The machine of alternate paths: table and handlers.  Functions without a file name are
 * those of Linux cm.c; ib_send_cm_lap was last in 5.x. */
#include "cm_lap.h"

#include "cm_handlers.h"

typedef CmLapState (*CmLapHandler) (CmConn *conn, const CmEvent *event, const CmProfile *profile,
                                    CmEffects *effects);

#define LAP_HANDLER(name) \
  static CmLapState name (G_GNUC_UNUSED CmConn *conn, G_GNUC_UNUSED const CmEvent *event, \
                          G_GNUC_UNUSED const CmProfile *profile, \
                          G_GNUC_UNUSED CmEffects *effects)

/* ----- the side that offers a path ----- */

LAP_HANDLER (lap_send)
{
  cm_wait_begin (conn, cm_build_lap (conn), cm_wait_of_side (conn), profile, effects);
  return CM_LAP_STATE_SENT;
}

/* cm_process_send_error has no case for it: nobody is told, and the state stays. */
LAP_HANDLER (lap_retry)
{
  cm_wait_again (conn, cm_build_lap (conn), event, profile, effects);
  return conn->lap_state;
}

/* One that comes when the tries are over finds nothing to lengthen (ib_modify_mad fails). */
LAP_HANDLER (lap_take_mra)
{
  if (event->msg->message != IB_CM_MESSAGE_OTHER || conn->wait == CM_WAIT_NONE)
    return conn->lap_state;
  cm_wait_stretch (conn, event->msg, profile, effects);
  cm_effects_notify (effects, CM_NOTIFY_MRA_RECEIVED, 0);
  return CM_LAP_STATE_MRA_LAP_RCVD;
}

LAP_HANDLER (lap_take_apr)
{
  cm_wait_end (conn, effects);
  cm_effects_notify (effects, CM_NOTIFY_APR_RECEIVED, event->msg->reason);
  return CM_LAP_STATE_IDLE;
}

/* ----- the side that is offered one ----- */

LAP_HANDLER (lap_take)
{
  conn->tid = event->msg->tid; /* MRA and APR repeat it */
  cm_effects_notify (effects, CM_NOTIFY_LAP_RECEIVED, 0);
  return CM_LAP_STATE_RCVD;
}

LAP_HANDLER (lap_send_mra)
{
  IbCmMsg mra;

  conn->mra_service_timeout =
      (guint8) (event->service_timeout ? event->service_timeout : profile->mra_service_timeout);
  mra = cm_build_mra (conn, IB_CM_MESSAGE_OTHER);
  conn->sends = 1;
  cm_effects_send (effects, &mra);
  return CM_LAP_STATE_MRA_LAP_SENT;
}

LAP_HANDLER (lap_repeat_mra)
{
  IbCmMsg mra = cm_build_mra (conn, IB_CM_MESSAGE_OTHER);

  cm_number_repeat (conn, &mra);
  cm_effects_send (effects, &mra);
  return conn->lap_state;
}

LAP_HANDLER (lap_answer)
{
  IbCmMsg apr = cm_build_apr (conn, event->reason);

  cm_effects_send (effects, &apr);
  return CM_LAP_STATE_IDLE;
}

/* ----- the table ----- */

#define IN(name) CM_LAP_STATE (name)
#define ALL_BUT(states) (((1u << CM_LAP_STATE_COUNT) - 1) & ~(states))
#define TO(name) CM_LAP_STATE (name)
#define STAY CM_FSM_STAY
#define NOTHING_PENDING (IN (UNINIT) | IN (IDLE))
#define AWAITING_APR (IN (SENT) | IN (MRA_LAP_RCVD))

#define PROTOCOL(states_, event_, handler_, next_, clause_) \
  CM_ROW_PROTOCOL_ (CmLapHandler, states_, CM_LAP_EV_##event_, handler_, next_, clause_)
#define IGNORE(states_, event_, clause_) CM_ROW_IGNORE_ (states_, CM_LAP_EV_##event_, clause_)
#define MISUSE(states_, event_, clause_) CM_ROW_MISUSE_ (states_, CM_LAP_EV_##event_, clause_)

/* clang-format off */
static const CmFsmRow lap_rows[CM_LAP_EV_COUNT][CM_FSM_EVENT_ROWS] = {
[CM_LAP_EV_ULP_LOAD] = {
  PROTOCOL (NOTHING_PENDING, ULP_LOAD, lap_send, TO (SENT), "ib_send_cm_lap"),
  MISUSE (ALL_BUT (NOTHING_PENDING), ULP_LOAD, "ib_send_cm_lap: -EINVAL"),
},
[CM_LAP_EV_ULP_ANSWER] = {
  PROTOCOL (IN (RCVD) | IN (MRA_LAP_SENT), ULP_ANSWER, lap_answer, TO (IDLE), "ib_send_cm_apr"),
  MISUSE (ALL_BUT (IN (RCVD) | IN (MRA_LAP_SENT)), ULP_ANSWER, "ib_send_cm_apr: -EINVAL"),
},
[CM_LAP_EV_ULP_DELAY] = {
  PROTOCOL (IN (RCVD), ULP_DELAY, lap_send_mra, TO (MRA_LAP_SENT), "ib_send_cm_mra"),
  MISUSE (ALL_BUT (IN (RCVD)), ULP_DELAY, "ib_send_cm_mra: -EINVAL"),
},
[CM_LAP_EV_RX_LAP] = {
  PROTOCOL (NOTHING_PENDING, RX_LAP, lap_take, TO (RCVD), "cm_lap_handler"),
  PROTOCOL (IN (MRA_LAP_SENT), RX_LAP, lap_repeat_mra, STAY, "cm_lap_handler"),
  IGNORE (IN (RCVD), RX_LAP, "cm_lap_handler: duplicate"),
  IGNORE (AWAITING_APR, RX_LAP, "cm_lap_handler: LAPs that cross; only the active side sends one"),
},
[CM_LAP_EV_RX_APR] = {
  PROTOCOL (AWAITING_APR, RX_APR, lap_take_apr, TO (IDLE), "cm_apr_handler"),
  IGNORE (ALL_BUT (AWAITING_APR), RX_APR, "cm_apr_handler: duplicate or late"),
},
[CM_LAP_EV_RX_MRA] = {
  PROTOCOL (IN (SENT), RX_MRA, lap_take_mra, STAY | TO (MRA_LAP_RCVD), "cm_mra_handler"),
  IGNORE (IN (MRA_LAP_RCVD), RX_MRA, "cm_mra_handler: a second MRA extends nothing"),
  IGNORE (ALL_BUT (AWAITING_APR), RX_MRA, "cm_mra_handler"),
},
[CM_LAP_EV_RESPONSE_TIMEOUT] = {
  PROTOCOL (AWAITING_APR, RESPONSE_TIMEOUT, lap_retry, STAY,
            "mad.c retry_send; cm_process_send_error: no case"),
  IGNORE (ALL_BUT (AWAITING_APR), RESPONSE_TIMEOUT,
          "cm_process_send_error: of a LAP that has been answered"),
},
};
/* clang-format on */

/* ----- the machine ----- */

static const char *const event_names[CM_LAP_EV_COUNT] = {
#define X(name, text) [CM_LAP_EV_##name] = #name,
  CM_LAP_EVENT_LIST (X)
#undef X
};

static const char *const event_texts[CM_LAP_EV_COUNT] = {
#define X(name, text) [CM_LAP_EV_##name] = text,
  CM_LAP_EVENT_LIST (X)
#undef X
};

/* Whether it is the last try, and what the message is about. */
static guint
try_row (const CmFsmRow *row, guint state, guint trial, guint64 *ret_needed)
{
  CmConn conn = { .state = CM_STATE_ESTABLISHED,
                  .lap_state = state & 7,
                  .local_id = 1,
                  .wait = CM_WAIT_REQUEST,
                  .retries_left = trial & 1 };
  IbCmMsg msg = { .local_id = 3, .message = trial >> 1 & 1 ? IB_CM_MESSAGE_OTHER : 0 };
  CmEvent event = { .type = row->event, .msg = &msg };
  CmEffects effects = { .n = 0 };
  CmLapState next =
      ((CmLapHandler) row->handler) (&conn, &event, cm_profile_find ("spec"), &effects);

  if (cm_effects_start_response (&effects))
    *ret_needed = 1u << CM_LAP_EV_RESPONSE_TIMEOUT;
  return next;
}

const CmMachine cm_lap_fsm = {
  .name = "lap",
  .title = "The state machine of alternate paths",
  .about = "Printed from the table in `models/cm/cm_lap.c` by `cmsim fsm --machine lap`.  It runs\n"
           "inside an ESTABLISHED connection; in other states LAP and APR are ignored and the\n"
           "consumer's calls are errors.  Functions without a file name are those of Linux\n"
           "`drivers/infiniband/core/cm.c`; `ib_send_cm_lap` was last in Linux 5.",
  .n_states = CM_LAP_STATE_COUNT,
  .n_events = CM_LAP_EV_COUNT,
  .rows = &lap_rows[0][0],
  .states = cm_lap_state_names,
  .events = event_names,
  .texts = event_texts,
  .by_itself = 1u << CM_LAP_EV_RX_LAP | 1u << CM_LAP_EV_RX_APR | 1u << CM_LAP_EV_RX_MRA |
               1u << CM_LAP_EV_RESPONSE_TIMEOUT,
  .n_trials = 4,
  .try_row = try_row,
};

const CmFsmRow *
cm_lap_step (CmConn *conn, const CmEvent *event, const CmProfile *profile, CmEffects *effects)
{
  CmLapState state = conn->lap_state;
  const CmFsmRow *row = cm_machine_lookup (&cm_lap_fsm, state, event->type);

  g_assert (conn->state == CM_STATE_ESTABLISHED);
  effects->n = 0;
  if (row->handler) {
    CmLapState next = ((CmLapHandler) row->handler) (conn, event, profile, effects);

    g_assert (conn->state == CM_STATE_ESTABLISHED && conn->lap_state == state);
    g_assert (cm_fsm_row_allows (row, state, next));
    conn->lap_state = next & 7u;
  }
  return row;
}

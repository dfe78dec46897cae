/* The machine of service ID resolution: table and handlers.  Functions without a file name
 * are those of Linux 6.1 cm.c. */
#include "cm_sidr.h"

#include "cm_handlers.h"

typedef CmSidrState (*CmSidrHandler) (CmConn *conn, const CmEvent *event,
                                      const CmProfile *profile, CmEffects *effects);

#define SIDR_HANDLER(name) \
  static CmSidrState name (G_GNUC_UNUSED CmConn *conn, G_GNUC_UNUSED const CmEvent *event, \
                           G_GNUC_UNUSED const CmProfile *profile, \
                           G_GNUC_UNUSED CmEffects *effects)

/* ----- active side ----- */

/* The caller gives the timer: rdma_cm takes its response timeout and adds no path. */
SIDR_HANDLER (sidr_send_req)
{
  conn->active = TRUE;
  conn->tid = cm_build_tid (conn->local_id);
  conn->sends_total = 1;
  cm_wait_begin (conn, cm_build_sidr_req (conn), CM_WAIT_RESPONSE, profile, effects);
  return CM_SIDR_STATE_SIDR_REQ_SENT;
}

SIDR_HANDLER (sidr_retry_req)
{
  if (cm_wait_again (conn, cm_build_sidr_req (conn), event, profile, effects)) {
    conn->sends_total++;
    return conn->state;
  }
  cm_effects_notify (effects, CM_NOTIFY_SIDR_REQ_ERROR, 0);
  return CM_SIDR_STATE_IDLE;
}

SIDR_HANDLER (sidr_take_rep)
{
  cm_wait_over (conn, effects);
  conn->remote_qpn = CM_24_BITS (event->msg->qpn);
  cm_effects_notify (effects, CM_NOTIFY_SIDR_REP_RECEIVED, event->msg->reason);
  return CM_SIDR_STATE_IDLE;
}

SIDR_HANDLER (sidr_cancel)
{
  cm_wait_over (conn, effects);
  return CM_SIDR_STATE_IDLE;
}

/* ----- passive side ----- */

SIDR_HANDLER (sidr_admit)
{
  conn->active = FALSE;
  conn->tid = event->msg->tid;
  conn->service_id = event->msg->service_id;
  conn->remote_id = event->msg->local_id;
  cm_effects_add (effects, CM_EFFECT_INDEX);
  cm_effects_notify (effects, CM_NOTIFY_SIDR_REQ_RECEIVED, 0);
  return CM_SIDR_STATE_SIDR_REQ_RCVD;
}

/* A REQ that is refused leaves no trace: its repetition is a new one. */
SIDR_HANDLER (sidr_refuse)
{
  CmConn unborn = *conn;
  IbCmMsg rep;

  unborn.tid = event->msg->tid;
  unborn.service_id = event->msg->service_id;
  unborn.remote_id = event->msg->local_id;
  rep = cm_build_sidr_rep (&unborn, event->reason);
  cm_effects_send (effects, &rep);
  return CM_SIDR_STATE_IDLE;
}

static void
reply (const CmConn *conn, guint status, CmEffects *effects)
{
  IbCmMsg rep = cm_build_sidr_rep (conn, status);

  cm_effects_send (effects, &rep);
  cm_effects_add (effects, CM_EFFECT_UNINDEX);
}

SIDR_HANDLER (sidr_reply)
{
  reply (conn, event->reason, effects);
  return CM_SIDR_STATE_IDLE;
}

/* cm_destroy_id: also when the consumer has no memory. */
SIDR_HANDLER (sidr_reply_by_destroy)
{
  reply (conn, IB_CM_SIDR_REJECT, effects);
  return CM_SIDR_STATE_IDLE;
}

/* ----- the table ----- */

#define IN(name) (1u << CM_SIDR_STATE_##name)
#define ALL_BUT(states) (((1u << CM_SIDR_STATE_COUNT) - 1) & ~(states))
#define TO(name) (1u << CM_SIDR_STATE_##name)
#define STAY CM_FSM_STAY

#define PROTOCOL(states_, event_, handler_, next_, clause_) \
  CM_ROW_PROTOCOL_ (CmSidrHandler, states_, CM_SIDR_EV_##event_, handler_, next_, clause_)
#define IGNORE(states_, event_, clause_) CM_ROW_IGNORE_ (states_, CM_SIDR_EV_##event_, clause_)
#define MISUSE(states_, event_, clause_) CM_ROW_MISUSE_ (states_, CM_SIDR_EV_##event_, clause_)

/* clang-format off */
static const CmFsmRow sidr_rows[CM_SIDR_EV_COUNT][CM_FSM_EVENT_ROWS] = {
[CM_SIDR_EV_ULP_RESOLVE] = {
  PROTOCOL (IN (IDLE), ULP_RESOLVE, sidr_send_req, TO (SIDR_REQ_SENT), "ib_send_cm_sidr_req"),
  MISUSE (ALL_BUT (IN (IDLE)), ULP_RESOLVE, "ib_send_cm_sidr_req: -EINVAL"),
},
[CM_SIDR_EV_ULP_REPLY] = {
  PROTOCOL (IN (SIDR_REQ_RCVD), ULP_REPLY, sidr_reply, TO (IDLE), "ib_send_cm_sidr_rep"),
  MISUSE (ALL_BUT (IN (SIDR_REQ_RCVD)), ULP_REPLY, "ib_send_cm_sidr_rep: -EINVAL"),
},
[CM_SIDR_EV_ULP_DESTROY] = {
  PROTOCOL (IN (SIDR_REQ_SENT), ULP_DESTROY, sidr_cancel, TO (IDLE), "cm_destroy_id"),
  PROTOCOL (IN (SIDR_REQ_RCVD), ULP_DESTROY, sidr_reply_by_destroy, TO (IDLE), "cm_destroy_id"),
  IGNORE (IN (IDLE), ULP_DESTROY, "cm_destroy_id: nothing on the wire"),
},
[CM_SIDR_EV_REQ_ADMITTED] = {
  PROTOCOL (IN (IDLE), REQ_ADMITTED, sidr_admit, TO (SIDR_REQ_RCVD), "cm_sidr_req_handler"),
  MISUSE (ALL_BUT (IN (IDLE)), REQ_ADMITTED, "a SIDR_REQ is judged once"),
},
[CM_SIDR_EV_REQ_REFUSED] = {
  PROTOCOL (IN (IDLE), REQ_REFUSED, sidr_refuse, STAY, "cm_destroy_id: status 2, also for -ENOMEM"),
  MISUSE (ALL_BUT (IN (IDLE)), REQ_REFUSED, "a SIDR_REQ is judged once"),
},
[CM_SIDR_EV_RX_SIDR_REQ] = {
  IGNORE (IN (SIDR_REQ_RCVD), RX_SIDR_REQ, "cm_sidr_req_handler: duplicate, the first is pending"),
  IGNORE (ALL_BUT (IN (SIDR_REQ_RCVD)), RX_SIDR_REQ, "not in the table of pending requests"),
},
[CM_SIDR_EV_RX_SIDR_REP] = {
  PROTOCOL (IN (SIDR_REQ_SENT), RX_SIDR_REP, sidr_take_rep, TO (IDLE), "cm_sidr_rep_handler"),
  IGNORE (ALL_BUT (IN (SIDR_REQ_SENT)), RX_SIDR_REP, "cm_sidr_rep_handler: duplicate or late"),
},
[CM_SIDR_EV_RESPONSE_TIMEOUT] = {
  PROTOCOL (IN (SIDR_REQ_SENT), RESPONSE_TIMEOUT, sidr_retry_req, STAY | TO (IDLE),
            "mad.c retry_send, cm_process_send_error"),
  IGNORE (ALL_BUT (IN (SIDR_REQ_SENT)), RESPONSE_TIMEOUT,
          "cm_process_send_error: of a request that has been answered"),
},
};
/* clang-format on */

/* ----- the machine ----- */

static const char *const state_names[CM_SIDR_STATE_COUNT] = {
#define X(name) [CM_SIDR_STATE_##name] = #name,
  CM_SIDR_STATE_LIST (X)
#undef X
};

static const char *const event_names[CM_SIDR_EV_COUNT] = {
#define X(name, text) [CM_SIDR_EV_##name] = #name,
  CM_SIDR_EVENT_LIST (X)
#undef X
};

static const char *const event_texts[CM_SIDR_EV_COUNT] = {
#define X(name, text) [CM_SIDR_EV_##name] = text,
  CM_SIDR_EVENT_LIST (X)
#undef X
};

static guint
try_row (const CmFsmRow *row, guint state, guint trial, guint64 *ret_needed)
{
  CmConn conn = { .state = CM_STATE_BITS (state),
                  .local_id = 1,
                  .wait = CM_WAIT_RESPONSE,
                  .retries_left = trial & 1 };
  IbCmMsg msg = { .local_id = 3 };
  CmEvent event = { .type = row->event, .msg = &msg };
  CmEffects effects = { .n = 0 };
  CmSidrState next
      = ((CmSidrHandler) row->handler) (&conn, &event, cm_profile_find ("spec"), &effects);

  if (cm_effects_start_response (&effects))
    *ret_needed = 1u << CM_SIDR_EV_RESPONSE_TIMEOUT;
  return next;
}

const CmMachine cm_sidr_fsm = {
  .name = "sidr",
  .title = "The state machine of service ID resolution",
  .about = "Printed from the table in `models/cm/cm_sidr.c` by `cmsim fsm --machine sidr`.  One\n"
           "exchange gives the QPN and Q_Key of a UD service.  Functions without a file name are\n"
           "those of Linux 6.1 `drivers/infiniband/core/cm.c`.",
  .n_states = CM_SIDR_STATE_COUNT,
  .n_events = CM_SIDR_EV_COUNT,
  .rows = &sidr_rows[0][0],
  .states = state_names,
  .events = event_names,
  .texts = event_texts,
  .by_itself = 1u << CM_SIDR_EV_RX_SIDR_REQ | 1u << CM_SIDR_EV_RX_SIDR_REP |
               1u << CM_SIDR_EV_RESPONSE_TIMEOUT,
  .n_trials = 2,
  .try_row = try_row,
};

const CmFsmRow *
cm_sidr_step (CmConn *conn, const CmEvent *event, const CmProfile *profile, CmEffects *effects)
{
  CmSidrState state = conn->state;
  const CmFsmRow *row = cm_machine_lookup (&cm_sidr_fsm, state, event->type);

  effects->n = 0;
  if (row->handler) {
    CmSidrState next = ((CmSidrHandler) row->handler) (conn, event, profile, effects);

    g_assert (conn->state == state);
    g_assert (cm_fsm_row_allows (row, state, next));
    conn->state = CM_STATE_BITS (next);
  }
  return row;
}

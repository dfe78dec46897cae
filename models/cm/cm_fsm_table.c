/* The state machine of an RC connection, active, passive and peer to peer.
 *
 * One block per event; the rows of a block cover each state exactly once, which
 * cm_machine_check() proves.  Read a row as "in these states, on this event, the handler
 * decides; the state afterwards is one of these".  Functions without a file name are
 * those of Linux 6.1 drivers/infiniband/core/cm.c. */
#include "cm_handlers.h"

#define IN(name) CM_FSM_STATE (name)
#define ALL_BUT(states) (((1u << CM_STATE_COUNT) - 1) & ~(states))
#define TO(name) CM_FSM_STATE (name)
#define STAY CM_FSM_STAY

/* Pairs that an MRA turns into each other. */
#define AWAITING_REP (IN (REQ_SENT) | IN (MRA_REQ_RCVD))
#define AWAITING_RTU (IN (REP_SENT) | IN (MRA_REP_RCVD))
#define HOLDING_REQ (IN (REQ_RCVD) | IN (MRA_REQ_SENT))
#define HOLDING_REP (IN (REP_RCVD) | IN (MRA_REP_SENT))

#define PROTOCOL(states_, event_, handler_, next_, clause_) \
  CM_ROW_PROTOCOL_ (CmHandler, states_, CM_EV_##event_, handler_, next_, clause_)
#define IGNORE(states_, event_, clause_) CM_ROW_IGNORE_ (states_, CM_EV_##event_, clause_)
#define MISUSE(states_, event_, clause_) CM_ROW_MISUSE_ (states_, CM_EV_##event_, clause_)

/* clang-format off */
const CmFsmRow cm_fsm_rows[CM_EV_COUNT][CM_FSM_EVENT_ROWS] = {

/* ===== The consumer ===== */

[CM_EV_ULP_CONNECT] = {
  PROTOCOL (IN (IDLE), ULP_CONNECT, cm_send_req, TO (REQ_SENT), "ib_send_cm_req"),
  MISUSE (ALL_BUT (IN (IDLE)), ULP_CONNECT, "ib_send_cm_req: -EINVAL"),
},
[CM_EV_ULP_ACCEPT] = {
  PROTOCOL (HOLDING_REQ, ULP_ACCEPT, cm_send_rep, TO (REP_SENT), "ib_send_cm_rep"),
  MISUSE (ALL_BUT (HOLDING_REQ), ULP_ACCEPT, "ib_send_cm_rep: -EINVAL"),
},
[CM_EV_ULP_REJECT] = {
  PROTOCOL (HOLDING_REQ, ULP_REJECT, cm_send_rej, TO (IDLE), "cm_send_rej_locked"),
  PROTOCOL (HOLDING_REP, ULP_REJECT, cm_send_rej, TO (IDLE), "cm_send_rej_locked"),
  PROTOCOL (AWAITING_REP, ULP_REJECT, cm_send_rej, TO (IDLE), "cm_send_rej_locked"),
  PROTOCOL (AWAITING_RTU, ULP_REJECT, cm_send_rej, TO (TIMEWAIT), "cm_send_rej_locked"),
  MISUSE (ALL_BUT (HOLDING_REQ | HOLDING_REP | AWAITING_REP | AWAITING_RTU), ULP_REJECT,
          "cm_send_rej_locked: -EINVAL"),
},
[CM_EV_ULP_ESTABLISH] = {
  PROTOCOL (HOLDING_REP, ULP_ESTABLISH, cm_send_rtu, TO (ESTABLISHED), "ib_send_cm_rtu"),
  MISUSE (ALL_BUT (HOLDING_REP), ULP_ESTABLISH, "ib_send_cm_rtu: -EINVAL"),
},
[CM_EV_ULP_PREPARE_MRA] = {
  PROTOCOL (IN (REQ_RCVD), ULP_PREPARE_MRA, cm_note_mra, TO (MRA_REQ_SENT),
            "ib_send_cm_mra with IB_CM_MRA_FLAG_DELAY"),
  PROTOCOL (IN (REP_RCVD), ULP_PREPARE_MRA, cm_note_mra, TO (MRA_REP_SENT),
            "ib_send_cm_mra with IB_CM_MRA_FLAG_DELAY"),
  IGNORE (ALL_BUT (IN (REQ_RCVD) | IN (REP_RCVD)), ULP_PREPARE_MRA,
          "cma.c does not look at the -EINVAL: its consumer has answered already"),
},
[CM_EV_ULP_DISCONNECT] = {
  PROTOCOL (IN (ESTABLISHED), ULP_DISCONNECT, cm_send_dreq, TO (DREQ_SENT), "ib_send_cm_dreq"),
  PROTOCOL (IN (DREQ_RCVD), ULP_DISCONNECT, cm_send_drep, TO (TIMEWAIT), "ib_send_cm_drep"),
  IGNORE (IN (IDLE) | IN (DREQ_SENT) | IN (TIMEWAIT), ULP_DISCONNECT,
          "cma.c rdma_disconnect: succeeds, the release is under way or over"),
  MISUSE (HOLDING_REQ | HOLDING_REP | AWAITING_REP | AWAITING_RTU, ULP_DISCONNECT,
          "ib_send_cm_dreq, ib_send_cm_drep: -EINVAL"),
},
[CM_EV_ULP_DESTROY] = {
  PROTOCOL (AWAITING_REP, ULP_DESTROY, cm_send_rej_by_destroy, TO (IDLE), "cm_destroy_id"),
  PROTOCOL (HOLDING_REQ | HOLDING_REP, ULP_DESTROY, cm_send_rej_by_destroy, TO (IDLE),
            "cm_destroy_id"),
  PROTOCOL (AWAITING_RTU, ULP_DESTROY, cm_send_rej_by_destroy, TO (TIMEWAIT), "cm_destroy_id"),
  PROTOCOL (IN (ESTABLISHED), ULP_DESTROY, cm_send_dreq_by_destroy, TO (TIMEWAIT),
            "cm_destroy_id"),
  PROTOCOL (IN (DREQ_SENT), ULP_DESTROY, cm_abandon_dreq, TO (TIMEWAIT), "cm_destroy_id"),
  PROTOCOL (IN (DREQ_RCVD), ULP_DESTROY, cm_send_drep, TO (TIMEWAIT), "cm_destroy_id"),
  IGNORE (IN (IDLE) | IN (TIMEWAIT), ULP_DESTROY, "cm_destroy_id: nothing on the wire"),
},
[CM_EV_COMM_EST] = {
  PROTOCOL (AWAITING_RTU, COMM_EST, cm_take_comm_est, TO (ESTABLISHED), "cm_establish"),
  IGNORE (ALL_BUT (AWAITING_RTU), COMM_EST, "cm_establish: the RTU came first, or too late"),
},

/* ===== What the listener makes of a new REQ, or of one it deferred ===== */

[CM_EV_REQ_ADMITTED] = {
  PROTOCOL (IN (IDLE), REQ_ADMITTED, cm_admit_req, TO (REQ_RCVD) | TO (MRA_REQ_SENT),
            "cm_req_handler"),
  PROTOCOL (IN (MRA_REQ_SENT), REQ_ADMITTED, cm_admit_deferred, STAY, "12.6.6: after the MRA"),
  MISUSE (ALL_BUT (IN (IDLE) | IN (MRA_REQ_SENT)), REQ_ADMITTED, "a REQ is judged once"),
},
[CM_EV_REQ_DROPPED] = {
  PROTOCOL (IN (IDLE), REQ_DROPPED, cm_drop_req, STAY, "cm_destroy_id with -ENOMEM"),
  PROTOCOL (IN (MRA_REQ_SENT), REQ_DROPPED, cm_drop_deferred, TO (IDLE),
            "12.6.6: the service timeout passes without an answer"),
  MISUSE (ALL_BUT (IN (IDLE) | IN (MRA_REQ_SENT)), REQ_DROPPED, "a REQ is judged once"),
},
[CM_EV_REQ_REJECTED] = {
  PROTOCOL (IN (IDLE), REQ_REJECTED, cm_refuse_req, STAY, "cm_destroy_id, cm_format_rej"),
  PROTOCOL (IN (MRA_REQ_SENT), REQ_REJECTED, cm_send_rej, TO (IDLE), "cm_send_rej_locked"),
  MISUSE (ALL_BUT (IN (IDLE) | IN (MRA_REQ_SENT)), REQ_REJECTED, "a REQ is judged once"),
},
[CM_EV_REQ_DEFERRED] = {
  PROTOCOL (IN (IDLE), REQ_DEFERRED, cm_defer_req, TO (MRA_REQ_SENT), "ib_send_cm_mra"),
  MISUSE (ALL_BUT (IN (IDLE)), REQ_DEFERRED, "a REQ is judged once"),
},

/* ===== Messages ===== */

[CM_EV_RX_REQ] = {
  PROTOCOL (IN (MRA_REQ_SENT), RX_REQ, cm_repeat_mra, STAY, "cm_dup_req_handler"),
  PROTOCOL (IN (TIMEWAIT), RX_REQ, cm_send_rej_stale_req, STAY, "cm_dup_req_handler"),
  IGNORE (ALL_BUT (IN (MRA_REQ_SENT) | IN (TIMEWAIT)), RX_REQ,
          "cm_dup_req_handler: the REP has its own timer"),
},
[CM_EV_RX_MRA] = {
  PROTOCOL (IN (REQ_SENT), RX_MRA, cm_take_mra, STAY | TO (MRA_REQ_RCVD), "cm_mra_handler"),
  PROTOCOL (IN (REP_SENT), RX_MRA, cm_take_mra, STAY | TO (MRA_REP_RCVD), "cm_mra_handler"),
  IGNORE (IN (MRA_REQ_RCVD) | IN (MRA_REP_RCVD), RX_MRA,
          "cm_mra_handler: a second MRA extends nothing"),
  IGNORE (ALL_BUT (AWAITING_REP | AWAITING_RTU), RX_MRA, "cm_mra_handler"),
},
[CM_EV_RX_REJ] = {
  PROTOCOL (AWAITING_REP | AWAITING_RTU | HOLDING_REQ, RX_REJ, cm_take_rej,
            TO (IDLE) | TO (TIMEWAIT), "cm_rej_handler"),
  PROTOCOL (HOLDING_REP | IN (DREQ_SENT), RX_REJ, cm_take_rej, TO (TIMEWAIT),
            "cm_rej_handler"),
  PROTOCOL (IN (ESTABLISHED), RX_REJ, cm_take_rej, STAY | TO (TIMEWAIT), "cm_rej_handler"),
  IGNORE (IN (IDLE) | IN (DREQ_RCVD) | IN (TIMEWAIT), RX_REJ, "cm_rej_handler"),
},
[CM_EV_RX_REP] = {
  PROTOCOL (AWAITING_REP, RX_REP, cm_take_rep, TO (REP_RCVD), "cm_rep_handler"),
  PROTOCOL (IN (MRA_REP_SENT), RX_REP, cm_repeat_mra, STAY, "cm_dup_rep_handler"),
  PROTOCOL (IN (ESTABLISHED), RX_REP, cm_repeat_rtu, STAY, "cm_dup_rep_handler"),
  IGNORE (ALL_BUT (AWAITING_REP | IN (MRA_REP_SENT) | IN (ESTABLISHED)), RX_REP,
          "cm_dup_rep_handler"),
},
[CM_EV_RX_REP_STALE] = {
  PROTOCOL (AWAITING_REP, RX_REP_STALE, cm_send_rej_stale_rep, STAY, "cm_rep_handler"),
  IGNORE (ALL_BUT (AWAITING_REP), RX_REP_STALE, "cm_rep_handler"),
},
[CM_EV_RX_RTU] = {
  PROTOCOL (AWAITING_RTU, RX_RTU, cm_take_rtu, TO (ESTABLISHED), "cm_rtu_handler"),
  IGNORE (ALL_BUT (AWAITING_RTU), RX_RTU, "cm_rtu_handler: duplicate or late"),
},
[CM_EV_RX_DREQ] = {
  PROTOCOL (AWAITING_RTU | IN (ESTABLISHED) | IN (DREQ_SENT), RX_DREQ, cm_take_dreq,
            STAY | TO (DREQ_RCVD), "cm_dreq_handler"),
  PROTOCOL (IN (TIMEWAIT), RX_DREQ, cm_repeat_drep, STAY, "cm_dreq_handler"),
  IGNORE (IN (DREQ_RCVD), RX_DREQ, "cm_dreq_handler: the consumer has not answered yet"),
  IGNORE (AWAITING_REP | HOLDING_REQ | HOLDING_REP | IN (IDLE), RX_DREQ, "cm_dreq_handler"),
},
[CM_EV_RX_DREP] = {
  PROTOCOL (IN (DREQ_SENT) | IN (DREQ_RCVD), RX_DREP, cm_take_drep, TO (TIMEWAIT),
            "cm_drep_handler"),
  IGNORE (ALL_BUT (IN (DREQ_SENT) | IN (DREQ_RCVD)), RX_DREP, "cm_drep_handler"),
},

[CM_EV_RX_REQ_PEER] = {
  PROTOCOL (AWAITING_REP, RX_REQ_PEER, cm_take_peer_req, STAY | TO (REQ_RCVD),
            "12.9.7, 12.10.4: peer compare; cm_is_active_peer"),
  IGNORE (ALL_BUT (AWAITING_REP), RX_REQ_PEER, "only an end that waits for a REP is asked"),
},

/* ===== Timers ===== */

[CM_EV_RESPONSE_TIMEOUT] = {
  PROTOCOL (AWAITING_REP, RESPONSE_TIMEOUT, cm_retry_req, STAY | TO (IDLE),
            "mad.c retry_send, cm_process_send_error"),
  PROTOCOL (AWAITING_RTU, RESPONSE_TIMEOUT, cm_retry_rep, STAY | TO (IDLE),
            "mad.c retry_send, cm_process_send_error"),
  PROTOCOL (IN (DREQ_SENT), RESPONSE_TIMEOUT, cm_retry_dreq, STAY | TO (TIMEWAIT),
            "mad.c retry_send, cm_process_send_error"),
  IGNORE (ALL_BUT (AWAITING_REP | AWAITING_RTU | IN (DREQ_SENT)), RESPONSE_TIMEOUT,
          "cm_process_send_error: of a message that has been answered"),
},
[CM_EV_TIMEWAIT_EXIT] = {
  PROTOCOL (IN (TIMEWAIT), TIMEWAIT_EXIT, cm_leave_timewait, TO (IDLE), "cm_timewait_handler"),
  IGNORE (ALL_BUT (IN (TIMEWAIT)), TIMEWAIT_EXIT, "cm_timewait_handler"),
},
};
/* clang-format on */

const CmMachine cm_fsm = {
  .name = "cm",
  .title = "The state machine of the IB CM",
  .about = "Printed from the table in `models/cm/cm_fsm_table.c` by `cmsim fsm --markdown`;\n"
           "change the table, not this file.  Functions without a file name are those of Linux\n"
           "6.1 `drivers/infiniband/core/cm.c`.  What differs between kernels is in the\n"
           "profile, not in the table.",
  .n_states = CM_STATE_COUNT,
  .n_events = CM_EV_COUNT,
  .rows = &cm_fsm_rows[0][0],
  .states = cm_state_names,
  .events = cm_event_names,
  .texts = cm_event_texts,
  .by_itself = ((1u << CM_EV_COUNT) - (1u << CM_EV_RX_REQ)) | 1u << CM_EV_COMM_EST,
  .n_trials = 32,
  .try_row = cm_fsm_try_row,
};

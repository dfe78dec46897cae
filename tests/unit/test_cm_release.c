/* Refusal, destruction, release and timewait: every effect derived by hand from the
 * kernel's tables and the captures; profile linux-6.1 unless said. */
#include "cm_stateless.h"
#include "test_cm.h"

/* ----- REJ sent ----- */

typedef struct {
  gboolean active;
  CmState state;
  CmState next;
  const char *effects;
  guint32 local_id, remote_id; /* of the message sent */
} Row;

static void
check_rows (const Row *rows, guint n, CmEvent event)
{
  for (guint i = 0; i < n; i++) {
    CmConn conn = rows[i].active ? a_in (rows[i].state) : b_in (rows[i].state);
    CmEffects effects =
        step_at ((int) i, &conn, linux_6_1 (), event, rows[i].next, rows[i].effects);

    if (effects.n == 0 || effects.list[0].type != CM_EFFECT_SEND)
      continue;
    ck_assert_uint_eq (effects.list[0].msg.local_id, rows[i].local_id);
    ck_assert_uint_eq (effects.list[0].msg.remote_id, rows[i].remote_id);
  }
}

/* The consumer may refuse in every state up to MRA_REP_RCVD, with any reason; which
 * message is meant and whether the own id is told follow from the state. */
START_TEST (reject_by_the_consumer)
{
  static const Row rows[] = {
    { TRUE, CM_STATE_REQ_SENT, CM_STATE_IDLE, "send REJ(3, other) #1; stop", A_ID, 0 },
    { TRUE, CM_STATE_MRA_REQ_RCVD, CM_STATE_IDLE, "send REJ(3, other) #1; stop", A_ID, 0 },
    { TRUE, CM_STATE_REP_RCVD, CM_STATE_IDLE, "send REJ(3, REP) #1; unindex", A_ID, B_ID },
    { TRUE, CM_STATE_MRA_REP_SENT, CM_STATE_IDLE, "send REJ(3, REP) #1; unindex", A_ID, B_ID },
    { FALSE, CM_STATE_REQ_RCVD, CM_STATE_IDLE, "send REJ(3, REQ) #1; unindex", 0, A_ID },
    { FALSE, CM_STATE_MRA_REQ_SENT, CM_STATE_IDLE, "send REJ(3, REQ) #1; unindex", B_ID, A_ID },
    { FALSE, CM_STATE_REP_SENT, CM_STATE_TIMEWAIT,
      "send REJ(3, other) #1; stop; unindex; timewait 2048", B_ID, A_ID },
    { FALSE, CM_STATE_MRA_REP_RCVD, CM_STATE_TIMEWAIT,
      "send REJ(3, other) #1; stop; unindex; timewait 2048", B_ID, A_ID },
    { TRUE, CM_STATE_ESTABLISHED, CM_STATE_ESTABLISHED, "", 0, 0 },
  };

  check_rows (rows, G_N_ELEMENTS (rows),
              (CmEvent){ .type = CM_EV_ULP_REJECT, .reason = IB_CM_REJ_NO_RESOURCES });
}
END_TEST

START_TEST (destroy_in_every_state)
{
  static const Row rows[] = {
    { TRUE, CM_STATE_IDLE, CM_STATE_IDLE, "", 0, 0 },
    { TRUE, CM_STATE_REQ_SENT, CM_STATE_IDLE, "send REJ(4, other) #1; stop", A_ID, 0 },
    { TRUE, CM_STATE_MRA_REQ_RCVD, CM_STATE_IDLE, "send REJ(4, other) #1; stop", A_ID, 0 },
    { TRUE, CM_STATE_REP_RCVD, CM_STATE_IDLE, "send REJ(28, REP) #1; unindex", A_ID, B_ID },
    { TRUE, CM_STATE_MRA_REP_SENT, CM_STATE_IDLE, "send REJ(28, REP) #1; unindex", A_ID, B_ID },
    { FALSE, CM_STATE_REQ_RCVD, CM_STATE_IDLE, "send REJ(28, REQ) #1; unindex", 0, A_ID },
    { FALSE, CM_STATE_MRA_REQ_SENT, CM_STATE_IDLE, "send REJ(28, REQ) #1; unindex", B_ID, A_ID },
    { FALSE, CM_STATE_REP_SENT, CM_STATE_TIMEWAIT,
      "send REJ(28, other) #1; stop; unindex; timewait 2048", B_ID, A_ID },
    { FALSE, CM_STATE_MRA_REP_RCVD, CM_STATE_TIMEWAIT,
      "send REJ(28, other) #1; stop; unindex; timewait 2048", B_ID, A_ID },
    { TRUE, CM_STATE_ESTABLISHED, CM_STATE_TIMEWAIT, "send DREQ #1; unindex; timewait 2048", A_ID,
      B_ID },
    { FALSE, CM_STATE_ESTABLISHED, CM_STATE_TIMEWAIT, "send DREQ #1; unindex; timewait 2048", B_ID,
      A_ID },
    { TRUE, CM_STATE_DREQ_SENT, CM_STATE_TIMEWAIT, "stop; unindex; timewait 2048", 0, 0 },
    { FALSE, CM_STATE_DREQ_RCVD, CM_STATE_TIMEWAIT, "send DREP #1; unindex; timewait 2048", B_ID,
      A_ID },
    { TRUE, CM_STATE_TIMEWAIT, CM_STATE_TIMEWAIT, "", 0, 0 },
  };

  check_rows (rows, G_N_ELEMENTS (rows), (CmEvent){ .type = CM_EV_ULP_DESTROY });
}
END_TEST

/* The captured REJ of a client that gave up: its GUID tells the server who it was. */
START_TEST (rej_timeout_names_its_sender)
{
  CmConn a = a_in (CM_STATE_REQ_SENT), told = a_in (CM_STATE_MRA_REQ_RCVD), old = told;
  CmProfile el5 = *linux_6_1 ();
  CmEffects effects = STEP (&a, IDLE, "send REJ(4, other) #1; stop", .type = CM_EV_ULP_DESTROY);

  ck_assert_uint_eq (guid_sent (effects.list[0].msg, A_GUID), A_GUID);
  ck_assert_uint_eq (effects.list[0].msg.tid, A_TID);
  effects = STEP (&told, IDLE, "send REJ(4, other) #1; stop", .type = CM_EV_ULP_DESTROY);
  ck_assert_uint_eq (guid_sent (effects.list[0].msg, A_GUID), A_GUID);
  el5.destroy_mra_received_rej = IB_CM_REJ_CONSUMER;
  effects =
      STEP_IN (&el5, &old, IDLE, "send REJ(28, other) #1; stop", .type = CM_EV_ULP_DESTROY);
  ck_assert_uint_eq (guid_sent (effects.list[0].msg, A_GUID), 0);
}
END_TEST

/* ----- REJ received ----- */

static void
check_rej (const Row *rows, guint n, IbCmRejReason reason)
{
  for (guint i = 0; i < n; i++) {
    CmConn conn = rows[i].active ? a_in (rows[i].state) : b_in (rows[i].state);
    IbCmMsg rej = rows[i].active ? msg_from_b (IB_CM_REJ) : msg_from_a (IB_CM_REJ);

    rej.reason = (guint16) reason;
    step_at ((int) i, &conn, linux_6_1 (), (CmEvent){ .type = CM_EV_RX_REJ, .msg = &rej },
             rows[i].next, rows[i].effects);
  }
}

START_TEST (rej_received)
{
  static const Row rows[] = {
    { TRUE, CM_STATE_IDLE, CM_STATE_IDLE, "", 0, 0 },
    { TRUE, CM_STATE_REQ_SENT, CM_STATE_IDLE, "stop; REJ_RECEIVED(28)", 0, 0 },
    { TRUE, CM_STATE_MRA_REQ_RCVD, CM_STATE_IDLE, "stop; REJ_RECEIVED(28)", 0, 0 },
    { FALSE, CM_STATE_REQ_RCVD, CM_STATE_IDLE, "unindex; REJ_RECEIVED(28)", 0, 0 },
    { FALSE, CM_STATE_MRA_REQ_SENT, CM_STATE_IDLE, "unindex; REJ_RECEIVED(28)", 0, 0 },
    { FALSE, CM_STATE_REP_SENT, CM_STATE_IDLE, "stop; unindex; REJ_RECEIVED(28)", 0, 0 },
    { FALSE, CM_STATE_MRA_REP_RCVD, CM_STATE_IDLE, "stop; unindex; REJ_RECEIVED(28)", 0, 0 },
    { TRUE, CM_STATE_REP_RCVD, CM_STATE_TIMEWAIT, "unindex; timewait 2048; REJ_RECEIVED(28)", 0,
      0 },
    { TRUE, CM_STATE_MRA_REP_SENT, CM_STATE_TIMEWAIT, "unindex; timewait 2048; REJ_RECEIVED(28)",
      0, 0 },
    { FALSE, CM_STATE_ESTABLISHED, CM_STATE_TIMEWAIT, "unindex; timewait 2048; REJ_RECEIVED(28)",
      0, 0 },
    { TRUE, CM_STATE_DREQ_SENT, CM_STATE_TIMEWAIT,
      "stop; unindex; timewait 2048; REJ_RECEIVED(28)", 0, 0 },
    { TRUE, CM_STATE_DREQ_RCVD, CM_STATE_DREQ_RCVD, "", 0, 0 },
    { TRUE, CM_STATE_TIMEWAIT, CM_STATE_TIMEWAIT, "", 0, 0 },
  };

  check_rej (rows, G_N_ELEMENTS (rows), IB_CM_REJ_CONSUMER);
}
END_TEST

/* "Stale connection" alone leads through timewait. */
START_TEST (rej_stale_received)
{
  static const Row rows[] = {
    { TRUE, CM_STATE_REQ_SENT, CM_STATE_TIMEWAIT, "stop; timewait 2048; REJ_RECEIVED(10)", 0, 0 },
    { TRUE, CM_STATE_MRA_REQ_RCVD, CM_STATE_TIMEWAIT, "stop; timewait 2048; REJ_RECEIVED(10)", 0,
      0 },
    { FALSE, CM_STATE_REQ_RCVD, CM_STATE_TIMEWAIT, "unindex; timewait 2048; REJ_RECEIVED(10)", 0,
      0 },
    { FALSE, CM_STATE_REP_SENT, CM_STATE_TIMEWAIT,
      "stop; unindex; timewait 2048; REJ_RECEIVED(10)", 0, 0 },
  };

  check_rej (rows, G_N_ELEMENTS (rows), IB_CM_REJ_STALE_CONNECTION);
}
END_TEST

/* ----- release ----- */

START_TEST (release_by_the_active_side)
{
  CmConn a = a_in (CM_STATE_ESTABLISHED), b = b_in (CM_STATE_ESTABLISHED);
  IbCmMsg drep = msg_from_b (IB_CM_DREP);
  CmEffects effects =
      STEP (&a, DREQ_SENT, "send DREQ #1; start 6144", .type = CM_EV_ULP_DISCONNECT);
  IbCmMsg dreq = effects.list[0].msg;

  ck_assert_uint_eq (dreq.tid, A_TID);
  ck_assert_uint_eq (dreq.local_id, A_ID);
  ck_assert_uint_eq (dreq.remote_id, B_ID);
  ck_assert_uint_eq (dreq.qpn, B_QPN);
  STEP (&b, DREQ_RCVD, "DREQ_RECEIVED", .type = CM_EV_RX_DREQ, .msg = &dreq);
  STEP (&b, DREQ_RCVD, "", .type = CM_EV_RX_DREQ, .msg = &dreq);
  effects = STEP (&b, TIMEWAIT, "send DREP #1; unindex; timewait 2048",
                  .type = CM_EV_ULP_DISCONNECT);
  ck_assert_uint_eq (effects.list[0].msg.tid, A_TID);
  ck_assert_uint_eq (effects.list[0].msg.local_id, B_ID);
  ck_assert_uint_eq (effects.list[0].msg.remote_id, A_ID);
  STEP (&b, TIMEWAIT, "send DREP #2", .type = CM_EV_RX_DREQ, .msg = &dreq);
  STEP (&a, TIMEWAIT, "stop; unindex; timewait 2048; DREP_RECEIVED", .type = CM_EV_RX_DREP,
        .msg = &drep);
  STEP (&a, TIMEWAIT, "", .type = CM_EV_RX_DREP, .msg = &drep);
  STEP (&a, TIMEWAIT, "", .type = CM_EV_ULP_DISCONNECT);
  STEP (&a, IDLE, "TIMEWAIT_EXIT", .type = CM_EV_TIMEWAIT_EXIT);
}
END_TEST

/* The captured DREQ of a server has its own transaction, and the server's timer. */
START_TEST (release_by_the_passive_side)
{
  CmConn a = a_in (CM_STATE_ESTABLISHED), b = b_in (CM_STATE_ESTABLISHED);
  CmEffects effects =
      STEP (&b, DREQ_SENT, "send DREQ #1; start 4096", .type = CM_EV_ULP_DISCONNECT);
  IbCmMsg dreq = effects.list[0].msg;

  ck_assert_uint_eq (dreq.tid, B_TID);
  ck_assert_uint_eq (dreq.qpn, A_QPN);
  STEP (&a, DREQ_RCVD, "DREQ_RECEIVED", .type = CM_EV_RX_DREQ, .msg = &dreq);
  effects = STEP (&a, TIMEWAIT, "send DREP #1; unindex; timewait 2048",
                  .type = CM_EV_ULP_DISCONNECT);
  ck_assert_uint_eq (effects.list[0].msg.tid, B_TID);
  effects = STEP (&a, TIMEWAIT, "send DREP #2", .type = CM_EV_RX_DREQ, .msg = &dreq);
  ck_assert_uint_eq (effects.list[0].msg.tid, B_TID);
}
END_TEST

START_TEST (lost_dreq)
{
  CmConn b = b_in (CM_STATE_DREQ_SENT);

  for (guint i = 2; i <= 16; i++) {
    g_autofree char *expected = g_strdup_printf ("send DREQ #%u; start 4096", i);
    STEP (&b, DREQ_SENT, expected, .type = CM_EV_RESPONSE_TIMEOUT);
  }
  STEP (&b, TIMEWAIT, "unindex; timewait 2048; DREQ_ERROR", .type = CM_EV_RESPONSE_TIMEOUT);
  STEP (&b, IDLE, "TIMEWAIT_EXIT", .type = CM_EV_TIMEWAIT_EXIT);
}
END_TEST

/* Each side takes the other's DREQ; the one DREP of whoever answers ends both. */
START_TEST (crossing_dreqs)
{
  CmConn a = a_in (CM_STATE_DREQ_SENT), b = b_in (CM_STATE_DREQ_SENT);
  IbCmMsg from_a = msg_from_a (IB_CM_DREQ), from_b = msg_from_b (IB_CM_DREQ),
          drep = msg_from_b (IB_CM_DREP);

  STEP (&a, DREQ_RCVD, "stop; DREQ_RECEIVED", .type = CM_EV_RX_DREQ, .msg = &from_b);
  STEP (&b, DREQ_RCVD, "stop; DREQ_RECEIVED", .type = CM_EV_RX_DREQ, .msg = &from_a);
  STEP (&b, TIMEWAIT, "send DREP #1; unindex; timewait 2048", .type = CM_EV_ULP_DISCONNECT);
  STEP (&a, TIMEWAIT, "unindex; timewait 2048; DREP_RECEIVED", .type = CM_EV_RX_DREP,
        .msg = &drep);
}
END_TEST

/* The RTU was lost and the client has disconnected: captured as DISCONNECTED without
 * ESTABLISHED. */
START_TEST (dreq_instead_of_the_rtu)
{
  CmConn b = b_in (CM_STATE_REP_SENT), told = b_in (CM_STATE_MRA_REP_RCVD);
  IbCmMsg dreq = msg_from_a (IB_CM_DREQ), rtu = msg_from_a (IB_CM_RTU);

  STEP (&b, DREQ_RCVD, "stop; DREQ_RECEIVED", .type = CM_EV_RX_DREQ, .msg = &dreq);
  STEP (&b, DREQ_RCVD, "", .type = CM_EV_RX_RTU, .msg = &rtu);
  STEP (&told, DREQ_RCVD, "stop; DREQ_RECEIVED", .type = CM_EV_RX_DREQ, .msg = &dreq);
}
END_TEST

START_TEST (dreq_for_another_qpn)
{
  CmConn b = b_in (CM_STATE_ESTABLISHED), over = b_in (CM_STATE_TIMEWAIT);
  IbCmMsg dreq = msg_from_a (IB_CM_DREQ);

  dreq.qpn = B_QPN + 1;
  STEP (&b, ESTABLISHED, "", .type = CM_EV_RX_DREQ, .msg = &dreq);
  STEP (&over, TIMEWAIT, "", .type = CM_EV_RX_DREQ, .msg = &dreq);
}
END_TEST

START_TEST (dreq_too_early)
{
  CmConn a = a_in (CM_STATE_REP_RCVD), b = b_in (CM_STATE_REQ_RCVD);
  IbCmMsg from_a = msg_from_a (IB_CM_DREQ), from_b = msg_from_b (IB_CM_DREQ);

  STEP (&a, REP_RCVD, "", .type = CM_EV_RX_DREQ, .msg = &from_b);
  STEP (&b, REQ_RCVD, "", .type = CM_EV_RX_DREQ, .msg = &from_a);
}
END_TEST

START_TEST (req_in_timewait_is_stale)
{
  CmConn b = b_in (CM_STATE_TIMEWAIT);
  IbCmMsg req = msg_from_a (IB_CM_REQ);
  CmEffects effects =
      STEP (&b, TIMEWAIT, "send REJ(10, other) #1", .type = CM_EV_RX_REQ, .msg = &req);

  ck_assert_uint_eq (effects.list[0].msg.local_id, B_ID);
  ck_assert_uint_eq (effects.list[0].msg.remote_id, A_ID);
}
END_TEST

/* ----- answers without a connection, as captured ----- */

START_TEST (stateless_answers)
{
  IbCmMsg req = { .attr = IB_CM_REQ, .local_id = 0x18, .tid = 0x1008 };
  IbCmMsg rep = { .attr = IB_CM_REP, .local_id = 0x77, .remote_id = 0x12345, .tid = 0x2003 };
  IbCmMsg dreq = { .attr = IB_CM_DREQ, .local_id = 0x77, .remote_id = 0x12345, .tid = 0x2001 };
  IbCmMsg answer;

  cm_stateless_rej (&req, IB_CM_REJ_STALE_CONNECTION, &answer);
  ck_assert_uint_eq (answer.attr, IB_CM_REJ);
  ck_assert_uint_eq (answer.reason, 10);
  ck_assert_uint_eq (answer.message, IB_CM_MESSAGE_REQ);
  ck_assert_uint_eq (answer.local_id, 0);
  ck_assert_uint_eq (answer.remote_id, 0x18);
  ck_assert_uint_eq (answer.tid, 0x1008);
  ck_assert_uint_eq (answer.sends, 1);
  cm_stateless_rej (&rep, IB_CM_REJ_STALE_CONNECTION, &answer);
  ck_assert_uint_eq (answer.message, IB_CM_MESSAGE_REP);
  ck_assert_uint_eq (answer.local_id, 0x12345);
  ck_assert_uint_eq (answer.remote_id, 0x77);
  cm_stateless_drep (&dreq, &answer);
  ck_assert_uint_eq (answer.attr, IB_CM_DREP);
  ck_assert_uint_eq (answer.local_id, 0x12345);
  ck_assert_uint_eq (answer.remote_id, 0x77);
  ck_assert_uint_eq (answer.tid, 0x2001);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cm release");
  TCase *refuse = tcase_create ("refuse"), *release = tcase_create ("release");

  tcase_add_test (refuse, reject_by_the_consumer);
  tcase_add_test (refuse, destroy_in_every_state);
  tcase_add_test (refuse, rej_timeout_names_its_sender);
  tcase_add_test (refuse, rej_received);
  tcase_add_test (refuse, rej_stale_received);
  tcase_add_test (refuse, stateless_answers);
  suite_add_tcase (suite, refuse);
  tcase_add_test (release, release_by_the_active_side);
  tcase_add_test (release, release_by_the_passive_side);
  tcase_add_test (release, lost_dreq);
  tcase_add_test (release, crossing_dreqs);
  tcase_add_test (release, dreq_instead_of_the_rtu);
  tcase_add_test (release, dreq_for_another_qpn);
  tcase_add_test (release, dreq_too_early);
  tcase_add_test (release, req_in_timewait_is_stale);
  suite_add_tcase (suite, release);
  return test_run (suite);
}

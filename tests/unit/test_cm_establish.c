/* Establishment and MRA: every effect derived by hand from the message formats, the
 * captures and the rules of the kernel; profile linux-6.1 unless said. */
#include "test_cm.h"

/* ----- active side ----- */

/* The REQ of a captured plain connect, field by field. */
START_TEST (req_is_the_captured_one)
{
  CmConn a = end_a ();
  CmEffects effects = STEP (&a, REQ_SENT, "send REQ #1; start 6144", .type = CM_EV_ULP_CONNECT);
  const IbCmMsg *req = &effects.list[0].msg;

  ck_assert_uint_eq (req->tid, A_TID);
  ck_assert_uint_eq (req->local_id, A_ID);
  ck_assert_uint_eq (req->remote_id, 0);
  ck_assert_uint_eq (req->service_id, SERVICE);
  ck_assert_uint_eq (guid_sent (*req, A_GUID), A_GUID);
  ck_assert_uint_eq (req->qpn, A_QPN);
  ck_assert_uint_eq (req->starting_psn, A_PSN);
  ck_assert_uint_eq (req->remote_response_timeout, 20);
  ck_assert_uint_eq (req->local_response_timeout, 20);
  ck_assert_uint_eq (req->max_cm_retries, 15);
  ck_assert_uint_eq (req->local_ack_timeout, 19);
  ck_assert_uint_eq (req->retry_count, 7);
  ck_assert_uint_eq (req->rnr_retry_count, 7);
  ck_assert_uint_eq (req->responder_resources, 1);
  ck_assert_uint_eq (req->initiator_depth, 1);
  ck_assert_uint_eq (a.active, TRUE);
}
END_TEST

START_TEST (connect_of_the_active_side)
{
  CmConn a = a_in (CM_STATE_REQ_SENT);
  IbCmMsg rep = msg_from_b (IB_CM_REP);

  STEP (&a, REP_RCVD, "stop; index; REP_RECEIVED", .type = CM_EV_RX_REP, .msg = &rep);
  ck_assert_uint_eq (a.remote_id, B_ID);
  ck_assert_uint_eq (a.remote_qpn, B_QPN);
  ck_assert_uint_eq (a.remote_ca_guid, B_GUID);
  ck_assert_uint_eq (a.ack_timeout, 19);
  CmEffects effects = STEP (&a, ESTABLISHED, "send RTU #1", .type = CM_EV_ULP_ESTABLISH);
  const IbCmMsg *rtu = &effects.list[0].msg;
  ck_assert_uint_eq (rtu->tid, A_TID);
  ck_assert_uint_eq (rtu->local_id, A_ID);
  ck_assert_uint_eq (rtu->remote_id, B_ID);
}
END_TEST

/* An old peer puts code 20 in the REP's ACK delay: timewait is then code 21, 8192 ms. */
START_TEST (rep_sets_the_ack_timeout)
{
  CmConn a = a_in (CM_STATE_REQ_SENT);
  IbCmMsg rep = msg_from_b (IB_CM_REP), drep = msg_from_b (IB_CM_DREP);

  ck_assert_uint_eq (a.ack_timeout, 19);
  rep.target_ack_delay = 20;
  feed (&a, CM_EV_RX_REP, &rep);
  ck_assert_uint_eq (a.ack_timeout, 21);
  feed (&a, CM_EV_ULP_ESTABLISH, NULL);
  feed (&a, CM_EV_ULP_DISCONNECT, NULL);
  STEP (&a, TIMEWAIT, "stop; unindex; timewait 8192; DREP_RECEIVED", .type = CM_EV_RX_DREP,
        .msg = &drep);
}
END_TEST

/* 16 sends 6144 ms apart, then the error. */
START_TEST (lost_req)
{
  CmConn a = a_in (CM_STATE_REQ_SENT);

  for (guint i = 2; i <= 16; i++) {
    g_autofree char *expected = g_strdup_printf ("send REQ #%u; start 6144", i);
    CmEffects effects = STEP (&a, REQ_SENT, expected, .type = CM_EV_RESPONSE_TIMEOUT);
    ck_assert_uint_eq (effects.list[0].msg.tid, A_TID);
    ck_assert_uint_eq (effects.list[0].msg.qpn, A_QPN);
    ck_assert_uint_eq (a.sends_total, i);
  }
  STEP (&a, IDLE, "REQ_ERROR", .type = CM_EV_RESPONSE_TIMEOUT);
  ck_assert_uint_eq (a.sends_total, 16);
}
END_TEST

START_TEST (no_retries_means_one_send)
{
  CmConn a = end_a ();

  a.max_cm_retries = 0;
  STEP (&a, REQ_SENT, "send REQ #1; start 6144", .type = CM_EV_ULP_CONNECT);
  STEP (&a, IDLE, "REQ_ERROR", .type = CM_EV_RESPONSE_TIMEOUT);
}
END_TEST

START_TEST (lost_rtu)
{
  CmConn a = a_in (CM_STATE_ESTABLISHED);
  IbCmMsg rep = msg_from_b (IB_CM_REP);

  STEP (&a, ESTABLISHED, "send RTU #2", .type = CM_EV_RX_REP, .msg = &rep);
  CmEffects effects = STEP (&a, ESTABLISHED, "send RTU #3", .type = CM_EV_RX_REP, .msg = &rep);
  ck_assert_uint_eq (effects.list[0].msg.tid, A_TID);
  ck_assert_uint_eq (effects.list[0].msg.remote_id, B_ID);
}
END_TEST

/* The REQ goes on by its own timer. */
START_TEST (stale_rep)
{
  CmConn a = a_in (CM_STATE_REQ_SENT);
  IbCmMsg rep = msg_from_b (IB_CM_REP);
  CmEffects effects =
      STEP (&a, REQ_SENT, "send REJ(10, REP) #1", .type = CM_EV_RX_REP_STALE, .msg = &rep);

  ck_assert_uint_eq (effects.list[0].msg.local_id, A_ID);
  ck_assert_uint_eq (effects.list[0].msg.remote_id, B_ID);
  ck_assert_uint_eq (a.remote_id, 0);
  STEP (&a, REQ_SENT, "send REQ #2; start 6144", .type = CM_EV_RESPONSE_TIMEOUT);
}
END_TEST

/* ----- passive side ----- */

START_TEST (connect_of_the_passive_side)
{
  CmConn b = end_b ();
  IbCmMsg req = msg_from_a (IB_CM_REQ), rtu = msg_from_a (IB_CM_RTU);

  STEP (&b, REQ_RCVD, "index; REQ_RECEIVED", .type = CM_EV_REQ_ADMITTED, .msg = &req);
  ck_assert_uint_eq (b.active, FALSE);
  ck_assert_uint_eq (b.packet_lifetime, 18);
  ck_assert_uint_eq (b.ack_timeout, 19);
  STEP (&b, REQ_RCVD, "", .type = CM_EV_RX_REQ, .msg = &req);
  CmEffects effects = STEP (&b, REP_SENT, "send REP #1; start 4096", .type = CM_EV_ULP_ACCEPT);
  const IbCmMsg *rep = &effects.list[0].msg;
  ck_assert_uint_eq (rep->tid, A_TID);
  ck_assert_uint_eq (rep->local_id, B_ID);
  ck_assert_uint_eq (rep->remote_id, A_ID);
  ck_assert_uint_eq (rep->qpn, B_QPN);
  ck_assert_uint_eq (rep->starting_psn, B_PSN);
  ck_assert_uint_eq (guid_sent (*rep, B_GUID), B_GUID);
  ck_assert_uint_eq (rep->target_ack_delay, 15);
  ck_assert_uint_eq (rep->rnr_retry_count, 7);
  ck_assert_uint_eq (rep->responder_resources, 1);
  ck_assert_uint_eq (rep->initiator_depth, 1);
  STEP (&b, REP_SENT, "", .type = CM_EV_RX_REQ, .msg = &req);
  STEP (&b, ESTABLISHED, "stop; RTU_RECEIVED", .type = CM_EV_RX_RTU, .msg = &rtu);
  STEP (&b, ESTABLISHED, "", .type = CM_EV_RX_RTU, .msg = &rtu);
}
END_TEST

/* The captured peer asked for 3 retries and code 18: 4 REPs 1024 ms apart. */
START_TEST (lost_rep)
{
  CmConn b = end_b ();
  IbCmMsg req = msg_from_a (IB_CM_REQ);

  req.max_cm_retries = 3;
  req.local_response_timeout = 18;
  feed (&b, CM_EV_REQ_ADMITTED, &req);
  STEP (&b, REP_SENT, "send REP #1; start 1024", .type = CM_EV_ULP_ACCEPT);
  STEP (&b, REP_SENT, "send REP #2; start 1024", .type = CM_EV_RESPONSE_TIMEOUT);
  STEP (&b, REP_SENT, "send REP #3; start 1024", .type = CM_EV_RESPONSE_TIMEOUT);
  STEP (&b, REP_SENT, "send REP #4; start 1024", .type = CM_EV_RESPONSE_TIMEOUT);
  STEP (&b, IDLE, "unindex; REP_ERROR", .type = CM_EV_RESPONSE_TIMEOUT);
}
END_TEST

START_TEST (data_instead_of_the_rtu)
{
  CmConn b = b_in (CM_STATE_REP_SENT);

  STEP (&b, ESTABLISHED, "stop; USER_ESTABLISHED", .type = CM_EV_COMM_EST);
  STEP (&b, ESTABLISHED, "", .type = CM_EV_COMM_EST);
  b = b_in (CM_STATE_MRA_REP_RCVD);
  STEP (&b, ESTABLISHED, "stop; USER_ESTABLISHED", .type = CM_EV_COMM_EST);
}
END_TEST

/* A REQ that says nothing about its path: lifetime 0, ACK timeout 1. */
START_TEST (path_recovered_from_the_req)
{
  CmConn b = end_b ();
  IbCmMsg req = msg_from_a (IB_CM_REQ);

  req.local_ack_timeout = 0;
  feed (&b, CM_EV_REQ_ADMITTED, &req);
  ck_assert_uint_eq (b.packet_lifetime, 0);
  ck_assert_uint_eq (b.ack_timeout, 1);
}
END_TEST

/* ----- MRA ----- */

/* Service timeout and ACK timeout: 65536 + 2048 ms, now and ever after, with the
 * retries that were left. */
START_TEST (mra_for_a_req)
{
  CmConn a = a_in (CM_STATE_REQ_SENT);
  IbCmMsg mra = msg_from_b (IB_CM_MRA), rep = msg_from_b (IB_CM_REP);

  STEP (&a, REQ_SENT, "send REQ #2; start 6144", .type = CM_EV_RESPONSE_TIMEOUT);
  STEP (&a, MRA_REQ_RCVD, "modify 67584; MRA_RECEIVED", .type = CM_EV_RX_MRA, .msg = &mra);
  ck_assert_uint_eq (a.remote_id, 0);
  mra.service_timeout = 30;
  STEP (&a, MRA_REQ_RCVD, "", .type = CM_EV_RX_MRA, .msg = &mra);
  for (guint i = 3; i <= 16; i++) {
    g_autofree char *expected = g_strdup_printf ("send REQ #%u; start 67584", i);
    STEP (&a, MRA_REQ_RCVD, expected, .type = CM_EV_RESPONSE_TIMEOUT);
  }
  CmConn late = a;
  STEP (&a, IDLE, "REQ_ERROR", .type = CM_EV_RESPONSE_TIMEOUT);
  STEP (&late, REP_RCVD, "stop; index; REP_RECEIVED", .type = CM_EV_RX_REP, .msg = &rep);
}
END_TEST

/* As captured: an MRA with code 10 shortens the wait to 4 + 2048 ms; 18 gives 1024 +
 * 2048, 21 8192 + 2048. */
START_TEST (mra_may_shorten)
{
  CmConn a = a_in (CM_STATE_REQ_SENT), a18 = a, a21 = a;
  IbCmMsg mra = msg_from_b (IB_CM_MRA);

  mra.service_timeout = 10;
  STEP (&a, MRA_REQ_RCVD, "modify 2052; MRA_RECEIVED", .type = CM_EV_RX_MRA, .msg = &mra);
  STEP (&a, MRA_REQ_RCVD, "send REQ #2; start 2052", .type = CM_EV_RESPONSE_TIMEOUT);
  mra.service_timeout = 18;
  STEP (&a18, MRA_REQ_RCVD, "modify 3072; MRA_RECEIVED", .type = CM_EV_RX_MRA, .msg = &mra);
  mra.service_timeout = 21;
  STEP (&a21, MRA_REQ_RCVD, "modify 10240; MRA_RECEIVED", .type = CM_EV_RX_MRA, .msg = &mra);
}
END_TEST

START_TEST (mra_for_a_rep)
{
  CmConn b = b_in (CM_STATE_REP_SENT);
  IbCmMsg mra = msg_from_a (IB_CM_MRA), rtu = msg_from_a (IB_CM_RTU);

  mra.message = IB_CM_MESSAGE_REP;
  STEP (&b, MRA_REP_RCVD, "modify 67584; MRA_RECEIVED", .type = CM_EV_RX_MRA, .msg = &mra);
  STEP (&b, MRA_REP_RCVD, "", .type = CM_EV_RX_MRA, .msg = &mra);
  STEP (&b, MRA_REP_RCVD, "send REP #2; start 67584", .type = CM_EV_RESPONSE_TIMEOUT);
  STEP (&b, ESTABLISHED, "stop; RTU_RECEIVED", .type = CM_EV_RX_RTU, .msg = &rtu);
}
END_TEST

START_TEST (mra_for_another_message)
{
  CmConn a = a_in (CM_STATE_REQ_SENT), b = b_in (CM_STATE_REP_SENT);
  IbCmMsg mra = msg_from_b (IB_CM_MRA);

  STEP (&b, REP_SENT, "", .type = CM_EV_RX_MRA, .msg = &mra);
  mra.message = IB_CM_MESSAGE_REP;
  STEP (&a, REQ_SENT, "", .type = CM_EV_RX_MRA, .msg = &mra);
  mra.message = IB_CM_MESSAGE_OTHER;
  STEP (&a, REQ_SENT, "", .type = CM_EV_RX_MRA, .msg = &mra);
  STEP (&b, REP_SENT, "", .type = CM_EV_RX_MRA, .msg = &mra);
}
END_TEST

/* Nothing is sent until a duplicate comes; then the captured MRA, once for each. */
START_TEST (prepared_mra_answers_duplicates)
{
  CmConn a = a_in (CM_STATE_REP_RCVD), b = b_in (CM_STATE_REQ_RCVD);
  IbCmMsg req = msg_from_a (IB_CM_REQ), rep = msg_from_b (IB_CM_REP);
  CmEffects effects;

  STEP (&b, MRA_REQ_SENT, "", .type = CM_EV_ULP_PREPARE_MRA);
  STEP (&b, MRA_REQ_SENT, "", .type = CM_EV_ULP_PREPARE_MRA);
  STEP (&b, MRA_REQ_SENT, "send MRA(24, REQ) #1", .type = CM_EV_RX_REQ, .msg = &req);
  effects = STEP (&b, MRA_REQ_SENT, "send MRA(24, REQ) #2", .type = CM_EV_RX_REQ, .msg = &req);
  ck_assert_uint_eq (effects.list[0].msg.tid, A_TID);
  ck_assert_uint_eq (effects.list[0].msg.local_id, B_ID);
  ck_assert_uint_eq (effects.list[0].msg.remote_id, A_ID);
  STEP (&b, REP_SENT, "send REP #1; start 4096", .type = CM_EV_ULP_ACCEPT);

  STEP (&a, REP_RCVD, "", .type = CM_EV_RX_REP, .msg = &rep);
  STEP (&a, MRA_REP_SENT, "", .type = CM_EV_ULP_PREPARE_MRA, .service_timeout = 22);
  effects = STEP (&a, MRA_REP_SENT, "send MRA(22, REP) #1", .type = CM_EV_RX_REP, .msg = &rep);
  ck_assert_uint_eq (effects.list[0].msg.tid, A_TID);
  ck_assert_uint_eq (effects.list[0].msg.local_id, A_ID);
  ck_assert_uint_eq (effects.list[0].msg.remote_id, B_ID);
  STEP (&a, ESTABLISHED, "send RTU #1", .type = CM_EV_ULP_ESTABLISH);
}
END_TEST

/* ----- verdicts ----- */

START_TEST (deferred_then_admitted)
{
  CmConn b = end_b ();
  IbCmMsg req = msg_from_a (IB_CM_REQ);
  CmEffects effects = STEP (&b, MRA_REQ_SENT, "index; send MRA(19, REQ) #1",
                            .type = CM_EV_REQ_DEFERRED, .msg = &req, .service_timeout = 19);

  ck_assert_uint_eq (effects.list[1].msg.remote_id, A_ID);
  ck_assert_uint_eq (effects.list[1].msg.local_id, B_ID);
  ck_assert_uint_eq (b.deferred, TRUE);
  STEP (&b, MRA_REQ_SENT, "send MRA(19, REQ) #2", .type = CM_EV_RX_REQ, .msg = &req);
  STEP (&b, MRA_REQ_SENT, "REQ_RECEIVED", .type = CM_EV_REQ_ADMITTED);
  ck_assert_uint_eq (b.deferred, FALSE);
  STEP (&b, REP_SENT, "send REP #1; start 4096", .type = CM_EV_ULP_ACCEPT);
}
END_TEST

START_TEST (deferred_then_given_up)
{
  CmConn b = end_b ();
  IbCmMsg req = msg_from_a (IB_CM_REQ), rej = msg_from_a (IB_CM_REJ);

  STEP (&b, MRA_REQ_SENT, "index; send MRA(24, REQ) #1", .type = CM_EV_REQ_DEFERRED, .msg = &req);
  CmConn refused = b, cancelled = b;
  STEP (&b, IDLE, "unindex", .type = CM_EV_REQ_DROPPED);
  ck_assert_uint_eq (b.deferred, FALSE);
  CmEffects effects = STEP (&refused, IDLE, "send REJ(3, REQ) #1; unindex",
                            .type = CM_EV_REQ_REJECTED, .reason = IB_CM_REJ_NO_RESOURCES);
  ck_assert_uint_eq (effects.list[0].msg.local_id, B_ID);
  rej.reason = IB_CM_REJ_TIMEOUT;
  STEP (&cancelled, IDLE, "unindex; REJ_RECEIVED(4)", .type = CM_EV_RX_REJ, .msg = &rej);
}
END_TEST

static void
check_rej_of_req (const IbCmMsg *rej, guint32 local_id)
{
  ck_assert_uint_eq (rej->local_id, local_id);
  ck_assert_uint_eq (rej->remote_id, A_ID);
  ck_assert_uint_eq (rej->tid, A_TID);
}

/* A full backlog: silent, and no trace is left. */
START_TEST (dropped_and_refused)
{
  CmConn b = end_b (), refused = end_b ();
  IbCmMsg req = msg_from_a (IB_CM_REQ);

  STEP (&b, IDLE, "", .type = CM_EV_REQ_DROPPED, .msg = &req);
  CmEffects effects = STEP (&refused, IDLE, "send REJ(3, REQ) #1", .type = CM_EV_REQ_REJECTED,
                            .msg = &req, .reason = IB_CM_REJ_NO_RESOURCES);
  check_rej_of_req (&effects.list[0].msg, 0);
}
END_TEST

/* Kernels that turned "no memory" into a REJ, and those that had prepared the MRA
 * before they asked. */
START_TEST (eras_without_silent_drop)
{
  CmProfile always_rej = *linux_6_1 (), early_mra = *linux_6_1 ();
  CmConn b = end_b ();
  IbCmMsg req = msg_from_a (IB_CM_REQ);
  CmEffects effects;

  always_rej.drop_on_no_memory = FALSE;
  effects = STEP_IN (&always_rej, &b, IDLE, "send REJ(28, REQ) #1", .type = CM_EV_REQ_DROPPED,
                     .msg = &req);
  check_rej_of_req (&effects.list[0].msg, 0);
  early_mra.mra_before_callback = TRUE;
  effects = STEP_IN (&early_mra, &b, IDLE, "send REJ(28, REQ) #1", .type = CM_EV_REQ_DROPPED,
                     .msg = &req);
  check_rej_of_req (&effects.list[0].msg, B_ID);
  STEP_IN (&early_mra, &b, MRA_REQ_SENT, "index; REQ_RECEIVED", .type = CM_EV_REQ_ADMITTED,
           .msg = &req);
  STEP_IN (&early_mra, &b, MRA_REQ_SENT, "send MRA(24, REQ) #1", .type = CM_EV_RX_REQ, .msg = &req);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cm establishment");
  TCase *active = tcase_create ("active"), *passive = tcase_create ("passive");
  TCase *mra = tcase_create ("mra"), *verdicts = tcase_create ("verdicts");

  tcase_add_test (active, req_is_the_captured_one);
  tcase_add_test (active, connect_of_the_active_side);
  tcase_add_test (active, rep_sets_the_ack_timeout);
  tcase_add_test (active, lost_req);
  tcase_add_test (active, no_retries_means_one_send);
  tcase_add_test (active, lost_rtu);
  tcase_add_test (active, stale_rep);
  suite_add_tcase (suite, active);
  tcase_add_test (passive, connect_of_the_passive_side);
  tcase_add_test (passive, lost_rep);
  tcase_add_test (passive, data_instead_of_the_rtu);
  tcase_add_test (passive, path_recovered_from_the_req);
  suite_add_tcase (suite, passive);
  tcase_add_test (mra, mra_for_a_req);
  tcase_add_test (mra, mra_may_shorten);
  tcase_add_test (mra, mra_for_a_rep);
  tcase_add_test (mra, mra_for_another_message);
  tcase_add_test (mra, prepared_mra_answers_duplicates);
  suite_add_tcase (suite, mra);
  tcase_add_test (verdicts, deferred_then_admitted);
  tcase_add_test (verdicts, deferred_then_given_up);
  tcase_add_test (verdicts, dropped_and_refused);
  tcase_add_test (verdicts, eras_without_silent_drop);
  suite_add_tcase (suite, verdicts);
  return test_run (suite);
}

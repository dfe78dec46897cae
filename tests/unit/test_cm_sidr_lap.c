/* Service ID resolution, alternate paths, and REQs that cross: every effect derived by hand
 * from the kernel's rules; profile linux-6.1 unless said. */
#include "cm_lap.h"
#include "cm_sidr.h"
#include "test_cm.h"

typedef const CmFsmRow *(*Step) (CmConn *conn, const CmEvent *event, const CmProfile *profile,
                                 CmEffects *effects);

static CmEffects
check_step (int line, Step step, CmConn *conn, CmEvent event, const char *expected)
{
  CmEffects effects;

  step (conn, &event, linux_6_1 (), &effects);
  g_autofree char *text = effects_text (&effects);
  ck_assert_msg (strcmp (text, expected) == 0, "line %d: \"%s\", expected \"%s\"", line, text,
                 expected);
  return effects;
}

#define SIDR(conn, to, expected, ...) \
  check_step (__LINE__, cm_sidr_step, conn, (CmEvent){ __VA_ARGS__ }, expected); \
  ck_assert_uint_eq ((conn)->state, CM_SIDR_STATE_##to)
#define LAP(conn, to, expected, ...) \
  check_step (__LINE__, cm_lap_step, conn, (CmEvent){ __VA_ARGS__ }, expected); \
  ck_assert_uint_eq ((conn)->lap_state, CM_LAP_STATE_##to); \
  ck_assert_uint_eq ((conn)->state, CM_STATE_ESTABLISHED)

/* ----- SIDR ----- */

static CmConn
asking (void)
{
  CmConn a = end_a ();

  SIDR (&a, SIDR_REQ_SENT, "send SIDR_REQ #1; start 4096", .type = CM_SIDR_EV_ULP_RESOLVE);
  return a;
}

/* 2^(20-8) ms, no path counted; 16 sends; then the error. */
START_TEST (sidr_unanswered)
{
  CmConn a = asking ();

  for (guint i = 2; i <= 16; i++) {
    g_autofree char *expected = g_strdup_printf ("send SIDR_REQ #%u; start 4096", i);
    SIDR (&a, SIDR_REQ_SENT, expected, .type = CM_SIDR_EV_RESPONSE_TIMEOUT);
    ck_assert_uint_eq (a.sends_total, i);
  }
  SIDR (&a, IDLE, "SIDR_REQ_ERROR", .type = CM_SIDR_EV_RESPONSE_TIMEOUT);
}
END_TEST

START_TEST (sidr_answered)
{
  CmConn a = asking (), b = asking ();
  IbCmMsg rep = { .attr = IB_CM_SIDR_REP, .remote_id = A_ID, .qpn = B_QPN },
          no = { .attr = IB_CM_SIDR_REP, .remote_id = A_ID, .reason = IB_CM_SIDR_REJECT };

  SIDR (&a, IDLE, "stop; SIDR_REP_RECEIVED", .type = CM_SIDR_EV_RX_SIDR_REP, .msg = &rep);
  ck_assert_uint_eq (a.remote_qpn, B_QPN);
  SIDR (&a, IDLE, "", .type = CM_SIDR_EV_RX_SIDR_REP, .msg = &rep);
  SIDR (&b, IDLE, "stop; SIDR_REP_RECEIVED(2)", .type = CM_SIDR_EV_RX_SIDR_REP, .msg = &no);
}
END_TEST

START_TEST (sidr_given_up)
{
  CmConn a = asking ();

  SIDR (&a, IDLE, "stop", .type = CM_SIDR_EV_ULP_DESTROY);
}
END_TEST

/* The REP carries the request's id and transaction; a duplicate meanwhile is dropped. */
START_TEST (sidr_served)
{
  CmConn b = end_b ();
  IbCmMsg req = { .attr = IB_CM_SIDR_REQ, .local_id = A_ID, .tid = A_TID, .service_id = SERVICE };

  SIDR (&b, SIDR_REQ_RCVD, "index; SIDR_REQ_RECEIVED", .type = CM_SIDR_EV_REQ_ADMITTED,
        .msg = &req);
  SIDR (&b, SIDR_REQ_RCVD, "", .type = CM_SIDR_EV_RX_SIDR_REQ, .msg = &req);
  CmEffects effects = SIDR (&b, IDLE, "send SIDR_REP #1; unindex", .type = CM_SIDR_EV_ULP_REPLY,
                            .reason = IB_CM_SIDR_SUCCESS);
  ck_assert_uint_eq (effects.list[0].msg.remote_id, A_ID);
  ck_assert_uint_eq (effects.list[0].msg.tid, A_TID);
  ck_assert_uint_eq (effects.list[0].msg.qpn, B_QPN);
  ck_assert_uint_eq (effects.list[0].msg.reason, 0);
}
END_TEST

/* Refusing and destroying both say status 2, and no QPN. */
START_TEST (sidr_refused)
{
  CmConn b = end_b (), c = end_b ();
  IbCmMsg req = { .attr = IB_CM_SIDR_REQ, .local_id = A_ID, .tid = A_TID, .service_id = SERVICE };
  CmEffects effects = SIDR (&b, IDLE, "send SIDR_REP #1", .type = CM_SIDR_EV_REQ_REFUSED,
                            .msg = &req, .reason = IB_CM_SIDR_REJECT);

  ck_assert_uint_eq (effects.list[0].msg.reason, 2);
  ck_assert_uint_eq (effects.list[0].msg.qpn, 0);
  cm_sidr_step (&c, &(CmEvent){ .type = CM_SIDR_EV_REQ_ADMITTED, .msg = &req }, linux_6_1 (),
                &effects);
  effects = SIDR (&c, IDLE, "send SIDR_REP #1; unindex", .type = CM_SIDR_EV_ULP_DESTROY);
  ck_assert_uint_eq (effects.list[0].msg.reason, 2);
  ck_assert_uint_eq (effects.list[0].msg.qpn, 0);
}
END_TEST

/* ----- alternate paths ----- */

/* As a REQ's: 2 x 1024 + 4096 ms.  An MRA of code 24: 65536 + 2^(19-8) ms. */
START_TEST (lap_offered)
{
  CmConn a = a_in (CM_STATE_ESTABLISHED);
  IbCmMsg mra = msg_from_b (IB_CM_MRA), apr = msg_from_b (IB_CM_APR);

  mra.message = IB_CM_MESSAGE_OTHER;
  apr.reason = IB_CM_APR_REJECT;
  LAP (&a, SENT, "send LAP #1; start 6144", .type = CM_LAP_EV_ULP_LOAD);
  LAP (&a, SENT, "send LAP #2; start 6144", .type = CM_LAP_EV_RESPONSE_TIMEOUT);
  LAP (&a, MRA_LAP_RCVD, "modify 67584; MRA_RECEIVED", .type = CM_LAP_EV_RX_MRA, .msg = &mra);
  LAP (&a, MRA_LAP_RCVD, "", .type = CM_LAP_EV_RX_MRA, .msg = &mra);
  LAP (&a, IDLE, "stop; APR_RECEIVED(3)", .type = CM_LAP_EV_RX_APR, .msg = &apr);
  LAP (&a, IDLE, "", .type = CM_LAP_EV_RX_APR, .msg = &apr);
  LAP (&a, SENT, "send LAP #1; start 6144", .type = CM_LAP_EV_ULP_LOAD);
}
END_TEST

/* The 16th wait ends in silence; an MRA that comes after it lengthens nothing, an APR is
 * still news. */
START_TEST (lap_unanswered)
{
  CmConn a = a_in (CM_STATE_ESTABLISHED);
  IbCmMsg mra = msg_from_b (IB_CM_MRA), apr = msg_from_b (IB_CM_APR);

  mra.message = IB_CM_MESSAGE_OTHER;
  LAP (&a, SENT, "send LAP #1; start 6144", .type = CM_LAP_EV_ULP_LOAD);
  for (guint i = 2; i <= 16; i++) {
    g_autofree char *expected = g_strdup_printf ("send LAP #%u; start 6144", i);
    LAP (&a, SENT, expected, .type = CM_LAP_EV_RESPONSE_TIMEOUT);
  }
  LAP (&a, SENT, "", .type = CM_LAP_EV_RESPONSE_TIMEOUT);
  LAP (&a, SENT, "", .type = CM_LAP_EV_RX_MRA, .msg = &mra);
  LAP (&a, IDLE, "APR_RECEIVED", .type = CM_LAP_EV_RX_APR, .msg = &apr);
}
END_TEST

START_TEST (lap_taken)
{
  CmConn b = b_in (CM_STATE_ESTABLISHED);
  IbCmMsg lap = msg_from_a (IB_CM_LAP);

  lap.tid = 77;
  LAP (&b, RCVD, "LAP_RECEIVED", .type = CM_LAP_EV_RX_LAP, .msg = &lap);
  LAP (&b, RCVD, "", .type = CM_LAP_EV_RX_LAP, .msg = &lap);
  LAP (&b, MRA_LAP_SENT, "send MRA(16, other) #1", .type = CM_LAP_EV_ULP_DELAY,
       .service_timeout = 16);
  LAP (&b, MRA_LAP_SENT, "send MRA(16, other) #2", .type = CM_LAP_EV_RX_LAP, .msg = &lap);
  CmEffects effects =
      LAP (&b, IDLE, "send APR #1", .type = CM_LAP_EV_ULP_ANSWER, .reason = IB_CM_APR_LID);
  ck_assert_uint_eq (effects.list[0].msg.tid, 77);
  ck_assert_uint_eq (effects.list[0].msg.reason, 7);
}
END_TEST

/* A disconnect cancels a LAP under way, and answers late change nothing. */
START_TEST (lap_and_disconnect)
{
  CmConn a = a_in (CM_STATE_ESTABLISHED);

  LAP (&a, SENT, "send LAP #1; start 6144", .type = CM_LAP_EV_ULP_LOAD);
  STEP (&a, DREQ_SENT, "stop; send DREQ #1; start 6144", .type = CM_EV_ULP_DISCONNECT);
}
END_TEST

/* cm_rej_handler: a REJ ends an established connection in LAP states UNINIT and SENT only. */
START_TEST (lap_and_rej)
{
  CmConn uninit = a_in (CM_STATE_ESTABLISHED), sent = uninit, idle = uninit;
  IbCmMsg rej = msg_from_b (IB_CM_REJ), apr = msg_from_b (IB_CM_APR);

  rej.reason = IB_CM_REJ_CONSUMER;
  LAP (&sent, SENT, "send LAP #1; start 6144", .type = CM_LAP_EV_ULP_LOAD);
  LAP (&idle, SENT, "send LAP #1; start 6144", .type = CM_LAP_EV_ULP_LOAD);
  LAP (&idle, IDLE, "stop; APR_RECEIVED", .type = CM_LAP_EV_RX_APR, .msg = &apr);
  STEP (&uninit, TIMEWAIT, "unindex; timewait 2048; REJ_RECEIVED(28)", .type = CM_EV_RX_REJ,
        .msg = &rej);
  STEP (&sent, TIMEWAIT, "stop; unindex; timewait 2048; REJ_RECEIVED(28)", .type = CM_EV_RX_REJ,
        .msg = &rej);
  STEP (&idle, ESTABLISHED, "", .type = CM_EV_RX_REJ, .msg = &rej);
}
END_TEST

/* ----- peer to peer ----- */

/* Of two REQs that cross, that of the greater CA GUID counts: B's. */
START_TEST (crossing)
{
  CmConn a = end_a (), b = end_b ();
  IbCmMsg from_a = msg_from_a (IB_CM_REQ), from_b = msg_from_a (IB_CM_REQ);

  from_b.local_id = B_ID;
  from_b.ca_guid = B_GUID;
  from_b.qpn = B_QPN;
  from_b.tid = B_TID;
  b.max_cm_retries = 15;
  b.packet_lifetime = 18;
  b.remote_response_timeout = b.local_response_timeout = 20;
  a.peer = b.peer = TRUE;
  STEP (&a, REQ_SENT, "send REQ #1; start 6144", .type = CM_EV_ULP_CONNECT);
  STEP (&b, REQ_SENT, "send REQ #1; start 6144", .type = CM_EV_ULP_CONNECT);
  STEP (&b, REQ_SENT, "", .type = CM_EV_RX_REQ_PEER, .msg = &from_a,
        .ca_guid = B_GUID);
  STEP (&a, REQ_RCVD, "stop; index; REQ_RECEIVED", .type = CM_EV_RX_REQ_PEER, .msg = &from_b,
        .ca_guid = A_GUID);
  CmEffects effects = STEP (&a, REP_SENT, "send REP #1; start 4096", .type = CM_EV_ULP_ACCEPT);
  ck_assert_uint_eq (effects.list[0].msg.remote_id, B_ID);
  ck_assert_uint_eq (effects.list[0].msg.tid, B_TID);
  ck_assert_uint_eq (a.active, FALSE);
}
END_TEST

/* Two ends of one adapter: the greater QPN counts. */
START_TEST (crossing_in_one_adapter)
{
  CmConn smaller = end_a (), greater = end_a ();
  IbCmMsg req = msg_from_a (IB_CM_REQ);

  smaller.peer = greater.peer = TRUE;
  feed (&smaller, CM_EV_ULP_CONNECT, NULL);
  feed (&greater, CM_EV_ULP_CONNECT, NULL);
  req.local_id = B_ID;
  req.qpn = A_QPN + 1;
  STEP (&smaller, REQ_RCVD, "stop; index; REQ_RECEIVED", .type = CM_EV_RX_REQ_PEER, .msg = &req,
        .ca_guid = A_GUID);
  req.qpn = A_QPN - 1;
  STEP (&greater, REQ_SENT, "", .type = CM_EV_RX_REQ_PEER, .msg = &req,
        .ca_guid = A_GUID);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cm_sidr_lap");
  TCase *tc = tcase_create ("sidr, lap, peers");

  tcase_add_test (tc, sidr_unanswered);
  tcase_add_test (tc, sidr_answered);
  tcase_add_test (tc, sidr_given_up);
  tcase_add_test (tc, sidr_served);
  tcase_add_test (tc, sidr_refused);
  tcase_add_test (tc, lap_offered);
  tcase_add_test (tc, lap_unanswered);
  tcase_add_test (tc, lap_taken);
  tcase_add_test (tc, lap_and_disconnect);
  tcase_add_test (tc, lap_and_rej);
  tcase_add_test (tc, crossing);
  tcase_add_test (tc, crossing_in_one_adapter);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}

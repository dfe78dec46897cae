/* The observer: SIDR, alternate paths, requests that cross; and what it keeps. */
#include "test_cm_watch.h"

/* ----- SIDR, alternate paths, crossing requests ----- */

static IbCmMsg
sidr_req (void)
{
  return (IbCmMsg){ .attr = IB_CM_SIDR_REQ, .local_id = A_ID, .tid = 0x20a0a0a0a,
                    .service_id = 0x01111d2f };
}

static IbCmMsg
sidr_rep (guint status)
{
  return (IbCmMsg){ .attr = IB_CM_SIDR_REP, .remote_id = A_ID, .tid = 0x20a0a0a0a,
                    .service_id = 0x01111d2f, .reason = (guint16) status,
                    .qpn = status ? 0 : B_QPN };
}

START_TEST (sidr_exchanges)
{
  const CmConversation *conversation;

  from_a (0, sidr_req ());
  from_a (SIM_MS (4352), sidr_req ());
  from_b (SIM_MS (4360), sidr_rep (0));
  conversation = end_at (SIM_S (5));
  VERDICTS (conversation, E_, R_, E_);
  ck_assert_int_eq (conversation->outcome, CM_OUTCOME_RESOLVED);
  ck_assert_int_eq (cm_conversation_nominal (conversation, seen (conversation, 1),
                                             cm_profile_find ("linux-6.1")), SIM_MS (4096));
  ck_assert_str_eq (cm_conversation_state_name (conversation, seen (conversation, 0)->states[0]),
                    "SIDR_REQ_SENT");
  teardown ();

  setup (); /* an answer is not remembered: the repetition is answered anew */
  from_a (0, sidr_req ());
  from_b (SIM_MS (1), sidr_rep (1));
  from_a (SIM_MS (4352), sidr_req ());
  from_b (SIM_MS (4353), sidr_rep (1));
  conversation = end_at (SIM_S (5));
  VERDICTS (conversation, E_, E_, R_, E_);
  ck_assert_int_eq (conversation->outcome, CM_OUTCOME_REFUSED);
  ck_assert_uint_eq (conversation->reason, 1);
}
END_TEST

/* A number of a SIDR request is no communication id. */
START_TEST (sidr_numbers_are_their_own)
{
  from_a (0, sidr_req ());
  from_a (SIM_MS (1), req ());
  from_b (SIM_MS (2), sidr_rep (0));
  from_b (SIM_MS (3), rep (B_ID));
  cm_observer_finish (watch.observer, SIM_S (1));
  ck_assert_uint_eq (watch.finished->len, 2);
  VERDICTS (g_ptr_array_index (watch.finished, 0), E_, E_);
  VERDICTS (g_ptr_array_index (watch.finished, 1), E_, E_);
}
END_TEST

START_TEST (alternate_path)
{
  const CmConversation *conversation;
  IbCmMsg delay = mra (20), lap = of_a (IB_CM_LAP), apr = of_b (IB_CM_APR);

  delay.message = IB_CM_MESSAGE_OTHER;
  delay.tid = lap.tid = apr.tid = cm_build_tid (A_ID);
  establish ();
  from_a (SIM_S (1), lap);
  from_b (SIM_S (1) + SIM_MS (5), delay);
  /* 4096 for the MRA's code 20 and 2048 for the ACK timeout's 19 */
  from_a (SIM_S (1) + SIM_MS (5 + 4096 + 2048), lap);
  from_b (SIM_S (8), delay);
  apr.reason = 3;
  from_b (SIM_S (9), apr);
  conversation = end_at (SIM_S (10));
  VERDICTS (conversation, E_, E_, E_, E_, E_, R_, A_, E_);
  ck_assert_int_eq (conversation->outcome, CM_OUTCOME_OPEN);
  ck_assert_str_eq (cm_cause_name (seen (conversation, 3)->cause), "ULP_LOAD");
  ck_assert_str_eq (cm_cause_name (seen (conversation, 7)->cause), "ULP_ANSWER");
  ck_assert_int_eq (seen (conversation, 5)->wait, CM_WAIT_MRA);
}
END_TEST

/* Both ask; the one with the greater GUID, B, stays the active side. */
START_TEST (requests_that_cross)
{
  const CmConversation *conversation;
  IbCmMsg other = req (), answer = of_a (IB_CM_REP), rtu = of_b (IB_CM_RTU);

  other.local_id = B_ID;
  other.ca_guid = B_GUID;
  other.qpn = B_QPN;
  answer.ca_guid = A_GUID;
  answer.qpn = A_QPN;
  from_a (0, req ());
  from_b (SIM_US (10), other);
  from_a (SIM_MS (1), answer);
  from_b (SIM_MS (2), rtu);
  cm_observer_finish (watch.observer, SIM_S (1));
  ck_assert_uint_eq (watch.finished->len, 2);
  conversation = g_ptr_array_index (watch.finished, 0);
  ck_assert_int_eq (conversation->outcome, CM_OUTCOME_CROSSED);
  conversation = g_ptr_array_index (watch.finished, 1);
  VERDICTS (conversation, E_, E_, E_);
  ck_assert_int_eq (conversation->outcome, CM_OUTCOME_OPEN);
  teardown ();

  setup (); /* the wrong side gives in */
  from_a (0, req ());
  from_b (SIM_US (10), other);
  from_b (SIM_MS (1), rep (B_ID));
  cm_observer_finish (watch.observer, SIM_S (1));
  conversation = g_ptr_array_index (watch.finished, 1);
  VERDICTS (conversation, E_, X_);
}
END_TEST

/* ----- tables ----- */

START_TEST (ids_are_used_again)
{
  IbCmMsg second = req ();

  establish ();
  from_a (SIM_S (1), of_a (IB_CM_DREQ));
  from_b (SIM_S (1), of_b (IB_CM_DREP));
  second.qpn++;
  from_a (SIM_S (2), second);
  ck_assert_uint_eq (watch.finished->len, 1);
  VERDICTS (g_ptr_array_index (watch.finished, 0), E_, E_, E_, E_, E_);
  cm_observer_finish (watch.observer, SIM_S (3));
  VERDICTS (g_ptr_array_index (watch.finished, 1), E_);
}
END_TEST

/* Many connections, one after the other: few are live at a time, all are handed out. */
START_TEST (finished_conversations_are_forgotten)
{
  const CmObserverCounters *counters = cm_observer_counters (watch.observer);
  enum { N = 5000 };

  for (guint i = 0; i < N; i++) {
    SimTime at = SIM_S (i);
    IbCmMsg msg = req ();

    msg.local_id = msg.qpn = 1000 + i;
    from_a (at, msg);
    msg = rej (0, 28);
    msg.remote_id = 1000 + i;
    from_b (at + SIM_MS (1), msg);
  }
  /* Two waits of 6.144 s, timewait and one second more. */
  ck_assert_uint_le (counters->live_max, 17);
  ck_assert_uint_ge (watch.finished->len, N - 17);
  cm_observer_finish (watch.observer, SIM_S (N));
  ck_assert_uint_eq (watch.finished->len, N);
  ck_assert_uint_eq (counters->outcomes[CM_OUTCOME_REJECTED], N);
  ck_assert_uint_eq (counters->rejs[28], N);
}
END_TEST

/* Established connections stay; of too many, the one silent for longest is given up. */
START_TEST (live_conversations_are_limited)
{
  const CmObserverCounters *counters;
  enum { N = 100, LIMIT = 10 };

  teardown ();
  start (LIMIT);
  counters = cm_observer_counters (watch.observer);
  for (guint i = 0; i < N; i++) {
    IbCmMsg msg = req ();

    msg.local_id = msg.qpn = 1000 + i;
    from_a (SIM_US (i), msg);
  }
  ck_assert_uint_eq (counters->live_max, LIMIT);
  ck_assert_uint_eq (counters->evicted, N - LIMIT);
  for (guint i = 0; i < N - LIMIT; i++)
    ck_assert_uint_eq (((CmConversation *) g_ptr_array_index (watch.finished, i))->number, i);
}
END_TEST

START_TEST (established_connections_do_not_expire)
{
  establish ();
  from_a (SIM_S (100000), of_a (IB_CM_DREQ));
  VERDICTS (end_at (SIM_S (100001)), E_, E_, E_, E_);
}
END_TEST

/* A long conversation keeps its beginning and its end, and counts the rest. */
START_TEST (long_conversations)
{
  const CmConversation *conversation;

  establish ();
  for (guint i = 0; i < 1000; i++) {
    from_b (SIM_S (1) + i * SIM_MS (10), rep (B_ID));
    from_a (SIM_S (1) + i * SIM_MS (10) + SIM_MS (1), of_a (IB_CM_RTU));
  }
  conversation = end_at (SIM_S (20));
  ck_assert_uint_eq (conversation->n_seen, 2003);
  ck_assert_uint_le (conversation->seen_size, 2 * (CM_SEEN_FIRST + CM_SEEN_LAST));
  ck_assert_ptr_nonnull (cm_conversation_seen (conversation, CM_SEEN_FIRST - 1));
  ck_assert_ptr_null (cm_conversation_seen (conversation, CM_SEEN_FIRST));
  ck_assert_ptr_null (cm_conversation_seen (conversation, 2002 - CM_SEEN_LAST));
  ck_assert_uint_eq (seen (conversation, 2002)->nth, 1001);
  ck_assert_uint_eq (seen (conversation, 2003 - CM_SEEN_LAST)->attr, IB_CM_REP);
  ck_assert_uint_eq (conversation->messages[IB_CM_RTU - IB_CM_ATTR_FIRST], 1001);
}
END_TEST

START_TEST (time_that_goes_back)
{
  const CmConversation *conversation;

  from_a (SIM_S (5), req ());
  from_b (SIM_S (1), rep (B_ID));
  conversation = end_at (SIM_S (6));
  VERDICTS (conversation, E_, E_);
  ck_assert_int_eq (seen (conversation, 1)->at, SIM_S (5));
  ck_assert_uint_eq (cm_observer_counters (watch.observer)->backwards, 1);
}
END_TEST

/* The host that does not answer one request answers another meanwhile. */
START_TEST (dropped_or_dead)
{
  IbCmMsg second = req (), answer = rej (0, 28);

  second.local_id++;
  second.qpn++;
  answer.remote_id++;
  from_a (0, req ());
  from_a (SIM_MS (1), second);
  from_b (SIM_MS (2), answer);
  cm_observer_finish (watch.observer, SIM_S (20));
  ck_assert (((CmConversation *) g_ptr_array_index (watch.finished, 0))->alive);
  ck_assert (!((CmConversation *) g_ptr_array_index (watch.finished, 1))->alive);
  teardown ();

  setup ();
  from_a (0, req ());
  ck_assert (!end_at (SIM_S (20))->alive);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cm observer tables");
  TCase *tc = tcase_create ("observer");

  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, sidr_exchanges);
  tcase_add_test (tc, sidr_numbers_are_their_own);
  tcase_add_test (tc, alternate_path);
  tcase_add_test (tc, requests_that_cross);
  tcase_add_test (tc, ids_are_used_again);
  tcase_add_test (tc, finished_conversations_are_forgotten);
  tcase_add_test (tc, live_conversations_are_limited);
  tcase_add_test (tc, established_connections_do_not_expire);
  tcase_add_test (tc, long_conversations);
  tcase_add_test (tc, time_that_goes_back);
  tcase_add_test (tc, dropped_or_dead);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}

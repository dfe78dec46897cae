/* The observer: what it says about connections. */
#include "test_cm_watch.h"

START_TEST (plain_connection)
{
  const CmConversation *conversation;

  establish ();
  from_a (SIM_S (1), of_a (IB_CM_DREQ));
  from_b (SIM_S (1) + SIM_MS (5), of_b (IB_CM_DREP));
  conversation = end_at (SIM_S (2));
  VERDICTS (conversation, E_, E_, E_, E_, E_);
  ck_assert_int_eq (conversation->outcome, CM_OUTCOME_RELEASED);
  ck_assert_uint_eq (conversation->ends[CM_SIDE_PASSIVE].conn.local_id, B_ID);
  ck_assert_uint_eq (conversation->unanswered, 0);
  ck_assert_str_eq (cm_cause_name (seen (conversation, 0)->cause), "ULP_CONNECT");
  ck_assert_str_eq (cm_cause_name (seen (conversation, 1)->cause), "ULP_ACCEPT");
  ck_assert_str_eq (cm_cause_name (seen (conversation, 2)->cause), "ULP_ESTABLISH");
  ck_assert_uint_eq (seen (conversation, 4)->states[CM_SIDE_ACTIVE], CM_STATE_TIMEWAIT);
}
END_TEST

/* Sixteen sends are all that 15 retries allow. */
START_TEST (unanswered_requests)
{
  const CmConversation *conversation;

  for (guint i = 0; i < 16; i++)
    from_a (i * SIM_MS (6400), req ());
  from_a (16 * SIM_MS (6400), req ());
  conversation = end_at (SIM_S (200));
  ck_assert_uint_eq (conversation->counts[R_], 15);
  ck_assert_int_eq (seen (conversation, 16)->verdict, X_);
  ck_assert_int_eq (conversation->outcome, CM_OUTCOME_UNREACHABLE);
  ck_assert_uint_eq (conversation->unanswered, 17);
  ck_assert_int_eq (seen (conversation, 3)->wait, CM_WAIT_REQUEST);
  ck_assert_int_eq (seen (conversation, 3)->waited, SIM_MS (6400));
  /* 2 x 1024 + 4096 ms */
  ck_assert_int_eq (cm_conversation_nominal (conversation, seen (conversation, 3),
                                             cm_profile_find ("linux-6.1")), SIM_MS (6144));
  ck_assert_int_eq (cm_conversation_nominal (conversation, seen (conversation, 3),
                                             cm_profile_find ("spec")), 4294967296);
}
END_TEST

START_TEST (when_the_watch_ends_counts)
{
  const CmConversation *conversation;

  from_a (0, req ());
  conversation = end_at (SIM_S (6));
  ck_assert_int_eq (conversation->outcome, CM_OUTCOME_PENDING);
  ck_assert_uint_eq (conversation->unanswered, 0);
}
END_TEST

START_TEST (sender_that_stops_early)
{
  const CmConversation *conversation;

  from_a (0, req ());
  conversation = end_at (SIM_S (8));
  ck_assert_int_eq (conversation->outcome, CM_OUTCOME_ABANDONED);
  ck_assert_uint_eq (conversation->unanswered, 1);
}
END_TEST

START_TEST (rejections)
{
  const CmConversation *conversation;
  IbCmMsg timeout = of_a (IB_CM_REJ);

  from_a (0, req ());
  from_b (SIM_MS (1), rej (0, 8));
  conversation = end_at (SIM_S (1));
  VERDICTS (conversation, E_, E_);
  ck_assert_int_eq (conversation->outcome, CM_OUTCOME_REJECTED);
  ck_assert_uint_eq (conversation->reason, 8);
  teardown ();

  setup ();
  timeout.reason = IB_CM_REJ_TIMEOUT;
  timeout.message = IB_CM_MESSAGE_OTHER;
  timeout.remote_id = 0;
  timeout.ca_guid = A_GUID;
  from_a (0, req ());
  from_a (SIM_S (5), timeout);
  conversation = end_at (SIM_S (6));
  VERDICTS (conversation, E_, E_);
  ck_assert_int_eq (conversation->outcome, CM_OUTCOME_CANCELLED);
}
END_TEST

/* A REJ "timeout" that does not tell whose is not for anybody; the REQ goes on. */
START_TEST (rejection_that_matches_nothing)
{
  const CmConversation *conversation;

  from_a (0, req ());
  from_b (SIM_MS (1), rej (0, IB_CM_REJ_TIMEOUT));
  from_a (SIM_MS (6400), req ());
  conversation = end_at (SIM_S (7));
  VERDICTS (conversation, E_, E_, R_);
  ck_assert_int_eq (seen (conversation, 1)->taken, CM_UNKNOWN);
  ck_assert_int_eq (conversation->outcome, CM_OUTCOME_PENDING);
}
END_TEST

/* ----- MRA ----- */

/* The second REQ is answered; the third comes when the MRA says, or when the REQ does. */
START_TEST (mra_shows_in_the_time)
{
  const CmConversation *conversation;

  from_a (0, req ());
  from_a (SIM_MS (6400), req ());
  from_b (SIM_MS (6410), mra (24));
  from_a (SIM_MS (6410) + SIM_MS (67584), req ());
  conversation = end_at (SIM_S (80));
  VERDICTS (conversation, E_, R_, E_, R_);
  ck_assert_str_eq (cm_cause_name (seen (conversation, 2)->cause), "RX_REQ");
  ck_assert_int_eq (seen (conversation, 3)->wait, CM_WAIT_MRA);
  ck_assert_uint_eq (seen (conversation, 3)->mra_timeout, 24);
  ck_assert_int_eq (cm_conversation_nominal (conversation, seen (conversation, 3),
                                             cm_profile_find ("linux-6.1")), SIM_MS (67584));
  ck_assert_uint_eq (conversation->ends[CM_SIDE_ACTIVE].unheard, 0);
  teardown ();

  setup ();
  from_a (0, req ());
  from_a (SIM_MS (6400), req ());
  from_b (SIM_MS (6410), mra (24));
  from_a (SIM_MS (12800), req ());
  conversation = end_at (SIM_S (13));
  VERDICTS (conversation, E_, R_, E_, R_);
  ck_assert_int_eq (seen (conversation, 3)->wait, CM_WAIT_REQUEST);
  ck_assert_int_eq (seen (conversation, 3)->waited, SIM_MS (6400));
  ck_assert_uint_eq (conversation->ends[CM_SIDE_ACTIVE].unheard, 1);
}
END_TEST

/* ----- loss, copies, gaps ----- */

START_TEST (lost_messages_are_seen_to_be_lost)
{
  const CmConversation *conversation;

  from_a (0, req ());
  from_b (SIM_MS (10), rep (B_ID));
  from_b (SIM_MS (4362), rep (B_ID));
  from_a (SIM_MS (4370), of_a (IB_CM_RTU));
  from_b (SIM_MS (8714), rep (B_ID));
  from_a (SIM_MS (8720), of_a (IB_CM_RTU));
  conversation = end_at (SIM_S (9));
  VERDICTS (conversation, E_, E_, R_, E_, R_, A_);
  ck_assert_int_eq (conversation->outcome, CM_OUTCOME_OPEN);
  ck_assert_int_eq (seen (conversation, 2)->wait, CM_WAIT_RESPONSE);
  ck_assert_int_eq (seen (conversation, 2)->taken, CM_IGNORED);
  ck_assert_uint_eq (conversation->ends[CM_SIDE_PASSIVE].unheard, 1);
}
END_TEST

/* The passive side gives up after its last REP, and takes the next REQ for a new one. */
START_TEST (second_end_of_the_passive_side)
{
  const CmConversation *conversation;
  IbCmMsg request = req ();

  request.max_cm_retries = 1;
  from_a (0, request);
  from_b (SIM_MS (10), rep (B_ID));
  from_b (SIM_MS (4362), rep (B_ID));
  from_a (SIM_S (9), request);
  from_b (SIM_S (9) + SIM_MS (10), rep (B_ID + 1));
  conversation = end_at (SIM_S (10));
  VERDICTS (conversation, E_, E_, R_, R_, E_);
  ck_assert_uint_eq (conversation->instances, 2);
  ck_assert_uint_eq (seen (conversation, 4)->nth, 1);
  teardown ();

  setup (); /* too soon: the first end lives */
  from_a (0, req ());
  from_b (SIM_MS (10), rep (B_ID));
  from_b (SIM_MS (20), rep (B_ID + 1));
  conversation = end_at (SIM_S (10));
  VERDICTS (conversation, E_, E_, X_);
}
END_TEST

START_TEST (packets_captured_twice)
{
  const CmConversation *conversation;

  from_a (0, req ());
  watch.psn--;
  from_a (SIM_US (20), req ());
  from_b (SIM_MS (1), rep (B_ID));
  conversation = end_at (SIM_S (1));
  VERDICTS (conversation, E_, CM_SEEN_COPY, E_);
  ck_assert_uint_eq (conversation->unanswered, 0);
}
END_TEST

START_TEST (repetition_without_a_timer)
{
  from_a (0, req ());
  from_a (SIM_MS (500), req ());
  VERDICTS (end_at (SIM_S (1)), E_, CM_SEEN_EARLY);
}
END_TEST

START_TEST (messages_the_capture_lacks)
{
  const CmConversation *conversation;

  from_a (0, req ());
  from_b (SIM_MS (10), rep (B_ID));
  from_a (SIM_S (1), of_a (IB_CM_DREQ)); /* its RTU is missing */
  from_b (SIM_S (2), of_b (IB_CM_DREP));
  conversation = end_at (SIM_S (3));
  VERDICTS (conversation, E_, E_, CM_SEEN_GAP, E_);
  ck_assert_uint_eq (conversation->missing, 1);
  ck_assert_int_eq (conversation->outcome, CM_OUTCOME_RELEASED);
}
END_TEST

START_TEST (capture_that_begins_late)
{
  const CmConversation *conversation;

  from_b (0, of_b (IB_CM_DREQ));
  from_a (SIM_MS (5), of_a (IB_CM_DREP));
  conversation = end_at (SIM_S (1));
  VERDICTS (conversation, CM_SEEN_UNBEGUN, CM_SEEN_UNBEGUN);
  ck_assert_int_eq (conversation->outcome, CM_OUTCOME_UNBEGUN);
}
END_TEST

/* The first REP seen may be the first of all: the most that a REQ can ask for follow. */
START_TEST (repetitions_of_a_request_not_seen)
{
  const CmConversation *conversation;

  for (guint i = 0; i < 16; i++)
    from_b (SIM_S (4) * i, rep (B_ID));
  from_b (SIM_S (4) * 16, rep (B_ID)); /* one more than the field can say */
  conversation = end_at (SIM_S (100));
  ck_assert_uint_eq (conversation->counts[CM_SEEN_REPEATED], 15);
  ck_assert_uint_eq (conversation->counts[X_], 1);
  ck_assert_int_eq (conversation->outcome, CM_OUTCOME_UNBEGUN);
  ck_assert_int_eq (cm_conversation_nominal (conversation, seen (conversation, 1),
                                             cm_profile_find ("linux-6.1")), 0);
}
END_TEST

/* ----- what cannot be ----- */

/* An id of 0 is nobody's; but no REJ says so. */
START_TEST (request_without_an_id)
{
  IbCmMsg odd = req ();

  odd.local_id = 0;
  from_a (0, odd);
  ck_assert_int_eq (end_at (SIM_S (1))->outcome, CM_OUTCOME_PENDING);
}
END_TEST

START_TEST (request_without_an_id_given_up)
{
  IbCmMsg odd = req ();

  odd.local_id = 0;
  from_a (0, odd);
  ck_assert_int_eq (end_at (SIM_S (1000))->outcome, CM_OUTCOME_ABANDONED);
}
END_TEST

START_TEST (messages_out_of_place)
{
  const CmConversation *conversation;
  IbCmMsg other = of_a (IB_CM_MRA);

  other.message = IB_CM_MESSAGE_REQ;
  other.service_timeout = 20;
  from_a (0, req ());
  from_a (SIM_MS (1), of_a (IB_CM_RTU)); /* no REP came: it may be missing */
  from_b (SIM_MS (2), rep (B_ID));
  from_a (SIM_MS (3), other);            /* the active side answers its own REQ */
  from_b (SIM_MS (4), of_b (IB_CM_RTU)); /* the passive side confirms */
  conversation = end_at (SIM_S (1));
  VERDICTS (conversation, E_, CM_SEEN_GAP, E_, X_, X_);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cm observer");
  TCase *tc = tcase_create ("observer");

  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, plain_connection);
  tcase_add_test (tc, unanswered_requests);
  tcase_add_test (tc, when_the_watch_ends_counts);
  tcase_add_test (tc, sender_that_stops_early);
  tcase_add_test (tc, rejections);
  tcase_add_test (tc, rejection_that_matches_nothing);
  tcase_add_test (tc, mra_shows_in_the_time);
  tcase_add_test (tc, lost_messages_are_seen_to_be_lost);
  tcase_add_test (tc, second_end_of_the_passive_side);
  tcase_add_test (tc, packets_captured_twice);
  tcase_add_test (tc, repetition_without_a_timer);
  tcase_add_test (tc, messages_the_capture_lacks);
  tcase_add_test (tc, capture_that_begins_late);
  tcase_add_test (tc, repetitions_of_a_request_not_seen);
  tcase_add_test (tc, request_without_an_id);
  tcase_add_test (tc, request_without_an_id_given_up);
  tcase_add_test (tc, messages_out_of_place);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}

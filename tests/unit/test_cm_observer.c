/* The observer: conversations written down message by message, and what it must say. */
#include "cm_observer.h"
#include "cm_build.h"
#include "test_sim.h"

#define A_ID 0x0a0a0a0au
#define B_ID 0x0b0b0b0bu
#define A_GUID 0xa1
#define B_GUID 0xb2
#define A_QPN 0x101
#define B_QPN 0x202

typedef struct {
  CmObserver *observer;
  GPtrArray *finished;
  guint32 psn;
} Watch;

static Watch watch;

static void
on_finished (gpointer owner, CmConversation *conversation)
{
  Watch *w = owner;

  g_ptr_array_add (w->finished, conversation);
}

static void
start (guint live_max)
{
  static const CmWatcherOps ops = { .finished = on_finished };

  watch.finished = g_ptr_array_new_with_free_func ((GDestroyNotify) cm_conversation_free);
  watch.observer
      = cm_observer_new (cm_profile_find ("linux-6.1"), live_max, &ops, &watch);
  watch.psn = 0;
}

static void
setup (void)
{
  start (1000);
}

static void
teardown (void)
{
  cm_observer_free (watch.observer);
  g_ptr_array_free (watch.finished, TRUE);
}

/* Hosts are LIDs 1 (A) and 2 (B). */
static void
see_between (SimTime at, guint from, guint to, IbCmMsg msg)
{
  CmSighting sighting = { .at = at, .psn = ++watch.psn, .msg = msg };

  ib_address_from_lid ((guint16) from, &sighting.source);
  ib_address_from_lid ((guint16) to, &sighting.destination);
  cm_observer_see (watch.observer, &sighting);
}

static void
from_a (SimTime at, IbCmMsg msg)
{
  see_between (at, 1, 2, msg);
}

static void
from_b (SimTime at, IbCmMsg msg)
{
  see_between (at, 2, 1, msg);
}

/* ----- messages as Linux builds them ----- */

static IbCmMsg
req (void)
{
  return (IbCmMsg){ .attr = IB_CM_REQ, .local_id = A_ID, .tid = 0x20a0a0a0a,
                    .service_id = 0x01061d2f, .ca_guid = A_GUID, .qpn = A_QPN,
                    .remote_response_timeout = 20, .local_response_timeout = 20,
                    .max_cm_retries = 15, .local_ack_timeout = 19 };
}

static IbCmMsg
rep (guint32 id)
{
  return (IbCmMsg){ .attr = IB_CM_REP, .local_id = id, .remote_id = A_ID, .tid = 0x20a0a0a0a,
                    .ca_guid = B_GUID, .qpn = B_QPN, .target_ack_delay = 15 };
}

static IbCmMsg
of_a (IbCmAttr attr)
{
  return (IbCmMsg){ .attr = (guint16) attr, .local_id = A_ID, .remote_id = B_ID,
                    .tid = 0x20a0a0a0a, .qpn = attr == IB_CM_DREQ || attr == IB_CM_LAP ? B_QPN : 0 };
}

static IbCmMsg
of_b (IbCmAttr attr)
{
  return (IbCmMsg){ .attr = (guint16) attr, .local_id = B_ID, .remote_id = A_ID,
                    .tid = 0x20a0a0a0a, .qpn = attr == IB_CM_DREQ ? A_QPN : 0 };
}

static IbCmMsg
rej (guint32 id, guint reason)
{
  IbCmMsg msg = of_b (IB_CM_REJ);

  msg.local_id = id;
  msg.reason = (guint16) reason;
  return msg;
}

static IbCmMsg
mra (guint service_timeout)
{
  IbCmMsg msg = of_b (IB_CM_MRA);

  msg.service_timeout = (guint8) service_timeout;
  return msg;
}

/* ----- what came of it ----- */

static const CmConversation *
end_at (SimTime now)
{
  cm_observer_finish (watch.observer, now);
  ck_assert_uint_ge (watch.finished->len, 1);
  return g_ptr_array_index (watch.finished, 0);
}

static const CmSeen *
seen (const CmConversation *conversation, guint i)
{
  const CmSeen *message = cm_conversation_seen (conversation, i);

  ck_assert_ptr_nonnull (message);
  return message;
}

static void
check_verdicts (const CmConversation *conversation, const CmSeenVerdict *verdicts, guint n)
{
  ck_assert_uint_eq (conversation->n_seen, n);
  for (guint i = 0; i < n; i++)
    ck_assert_msg (seen (conversation, i)->verdict == verdicts[i], "message %u: %s, not %s", i,
                   cm_seen_verdict_name (seen (conversation, i)->verdict),
                   cm_seen_verdict_name (verdicts[i]));
}
#define VERDICTS(conversation, ...) \
  check_verdicts (conversation, (const CmSeenVerdict[]){ __VA_ARGS__ }, \
                  G_N_ELEMENTS (((const CmSeenVerdict[]){ __VA_ARGS__ })))

#define E_ CM_SEEN_EXPECTED
#define R_ CM_SEEN_REPEATED
#define A_ CM_SEEN_ANSWERED
#define X_ CM_SEEN_UNEXPECTED

static void
establish (void)
{
  from_a (0, req ());
  from_b (SIM_MS (10), rep (B_ID));
  from_a (SIM_MS (20), of_a (IB_CM_RTU));
}

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

/* ----- what cannot be ----- */

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
  tcase_add_test (tc, messages_out_of_place);
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

/* Conversations written down message by message, for the tests of the observer. */
#pragma once

#include "cm_build.h"
#include "cm_observer.h"
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

static inline void
on_finished (gpointer owner, CmConversation *conversation)
{
  Watch *w = owner;

  g_ptr_array_add (w->finished, conversation);
}

static inline void
start (guint live_max)
{
  static const CmWatcherOps ops = { .finished = on_finished };

  watch.finished = g_ptr_array_new_with_free_func ((GDestroyNotify) cm_conversation_free);
  watch.observer
      = cm_observer_new (cm_profile_find ("linux-6.1"), live_max, &ops, &watch);
  watch.psn = 0;
}

static inline void
setup (void)
{
  start (1000);
}

static inline void
teardown (void)
{
  cm_observer_free (watch.observer);
  g_ptr_array_free (watch.finished, TRUE);
}

/* Hosts are LIDs 1 (A) and 2 (B). */
static inline void
see_between (SimTime at, guint from, guint to, IbCmMsg msg)
{
  CmSighting sighting = { .at = at, .psn = ++watch.psn, .msg = msg };

  ib_address_from_lid ((guint16) from, &sighting.source);
  ib_address_from_lid ((guint16) to, &sighting.destination);
  cm_observer_see (watch.observer, &sighting);
}

static inline void
from_a (SimTime at, IbCmMsg msg)
{
  see_between (at, 1, 2, msg);
}

static inline void
from_b (SimTime at, IbCmMsg msg)
{
  see_between (at, 2, 1, msg);
}

/* ----- messages as Linux builds them ----- */

static inline IbCmMsg
req (void)
{
  return (IbCmMsg){ .attr = IB_CM_REQ, .local_id = A_ID, .tid = 0x20a0a0a0a,
                    .service_id = 0x01061d2f, .ca_guid = A_GUID, .qpn = A_QPN,
                    .remote_response_timeout = 20, .local_response_timeout = 20,
                    .max_cm_retries = 15, .local_ack_timeout = 19 };
}

static inline IbCmMsg
rep (guint32 id)
{
  return (IbCmMsg){ .attr = IB_CM_REP, .local_id = id, .remote_id = A_ID, .tid = 0x20a0a0a0a,
                    .ca_guid = B_GUID, .qpn = B_QPN, .target_ack_delay = 15 };
}

static inline IbCmMsg
of_a (IbCmAttr attr)
{
  return (IbCmMsg){ .attr = (guint16) attr, .local_id = A_ID, .remote_id = B_ID,
                    .tid = 0x20a0a0a0a,
                    .qpn = attr == IB_CM_DREQ || attr == IB_CM_LAP ? B_QPN : 0 };
}

static inline IbCmMsg
of_b (IbCmAttr attr)
{
  return (IbCmMsg){ .attr = (guint16) attr, .local_id = B_ID, .remote_id = A_ID,
                    .tid = 0x20a0a0a0a, .qpn = attr == IB_CM_DREQ ? A_QPN : 0 };
}

static inline IbCmMsg
rej (guint32 id, guint reason)
{
  IbCmMsg msg = of_b (IB_CM_REJ);

  msg.local_id = id;
  msg.reason = (guint16) reason;
  return msg;
}

static inline IbCmMsg
mra (guint service_timeout)
{
  IbCmMsg msg = of_b (IB_CM_MRA);

  msg.service_timeout = (guint8) service_timeout;
  return msg;
}

/* ----- what came of it ----- */

static inline const CmConversation *
end_at (SimTime now)
{
  cm_observer_finish (watch.observer, now);
  ck_assert_uint_ge (watch.finished->len, 1);
  return g_ptr_array_index (watch.finished, 0);
}

static inline const CmSeen *
seen (const CmConversation *conversation, guint i)
{
  const CmSeen *message = cm_conversation_seen (conversation, i);

  ck_assert_ptr_nonnull (message);
  return message;
}

static inline void
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

static inline void
establish (void)
{
  from_a (0, req ());
  from_b (SIM_MS (10), rep (B_ID));
  from_a (SIM_MS (20), of_a (IB_CM_RTU));
}

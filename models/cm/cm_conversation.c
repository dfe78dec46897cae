/* What a conversation keeps of its messages, and what came of it. */
#include "cm_conversation.h"

#include "mad_timer.h"

#define SEEN_MAX (CM_SEEN_FIRST + CM_SEEN_LAST)

const char *
cm_seen_verdict_name (CmSeenVerdict verdict)
{
  static const char *const names[CM_SEEN_COUNT] = {
#define X(name, text) [CM_SEEN_##name] = #name,
    CM_SEEN_LIST (X)
#undef X
  };

  g_assert (verdict < CM_SEEN_COUNT);
  return names[verdict];
}

const char *
cm_seen_verdict_text (CmSeenVerdict verdict)
{
  static const char *const texts[CM_SEEN_COUNT] = {
#define X(name, text) [CM_SEEN_##name] = text,
    CM_SEEN_LIST (X)
#undef X
  };

  g_assert (verdict < CM_SEEN_COUNT);
  return texts[verdict];
}

const char *
cm_outcome_name (CmOutcome outcome)
{
  static const char *const names[CM_OUTCOME_COUNT] = {
#define X(name, text) [CM_OUTCOME_##name] = #name,
    CM_OUTCOME_LIST (X)
#undef X
  };

  g_assert (outcome < CM_OUTCOME_COUNT);
  return names[outcome];
}

const char *
cm_outcome_text (CmOutcome outcome)
{
  static const char *const texts[CM_OUTCOME_COUNT] = {
#define X(name, text) [CM_OUTCOME_##name] = text,
    CM_OUTCOME_LIST (X)
#undef X
  };

  g_assert (outcome < CM_OUTCOME_COUNT);
  return texts[outcome];
}

const char *
cm_conversation_state_name (const CmConversation *conversation, guint state)
{
  return conversation->sidr ? cm_sidr_fsm.states[state] : cm_state_name (state);
}

void
cm_conversation_free (CmConversation *conversation)
{
  for (guint side = 0; side < CM_SIDES; side++)
    g_free (conversation->ends[side].inbox);
  g_free (conversation->seen);
  g_free (conversation);
}

/* ----- messages ----- */

/* The last ones take turns in the places behind the first ones. */
static guint
place_of (guint i)
{
  return i < SEEN_MAX ? i : CM_SEEN_FIRST + (i - CM_SEEN_FIRST) % CM_SEEN_LAST;
}

CmSeen *
cm_conversation_note (CmConversation *conversation, const CmSeen *seen)
{
  guint place = place_of (conversation->n_seen);

  if (place >= conversation->seen_size) {
    conversation->seen_size = MAX (6, conversation->seen_size * 2);
    conversation->seen = g_renew (CmSeen, conversation->seen, conversation->seen_size);
  }
  conversation->n_seen++;
  conversation->counts[seen->verdict]++;
  conversation->messages[seen->attr - IB_CM_ATTR_FIRST]++;
  conversation->seen[place] = *seen;
  return &conversation->seen[place];
}

const CmSeen *
cm_conversation_seen (const CmConversation *conversation, guint i)
{
  g_assert (i < conversation->n_seen);
  if (i >= CM_SEEN_FIRST && i + CM_SEEN_LAST < conversation->n_seen)
    return NULL;
  return &conversation->seen[place_of (i)];
}

SimTime
cm_conversation_nominal (const CmConversation *conversation, const CmSeen *seen,
                         const CmProfile *profile)
{
  const CmConn *conn = &conversation->ends[seen->side].conn;
  guint waits = seen->nth > 1 ? seen->nth - 2 : 0; /* before the one that this message ends */
  SimTime nominal;

  if (conversation->req.attr == 0)
    return 0;
  switch ((CmWaitKind) seen->wait) {
  case CM_WAIT_NONE:
    return 0;
  case CM_WAIT_REQUEST:
    nominal = cm_time_request (profile, conn->packet_lifetime, conn->remote_response_timeout);
    return cm_time_wait (profile, nominal, waits);
  case CM_WAIT_RESPONSE:
    nominal = cm_time_response (profile, conn->local_response_timeout);
    return cm_time_wait (profile, nominal, waits);
  case CM_WAIT_MRA:
    return cm_time_mra (profile, seen->mra_timeout, seen->ack_timeout);
  }
  g_assert_not_reached ();
}

/* ----- outcome ----- */

/* Late by what the wheel adds, and a moment for the host and the capture. */
#define LATE SIM_MS (50)

gboolean
cm_conversation_expired (const CmProfile *profile, SimTime since, SimTime nominal, SimTime now)
{
  SimTime latest = nominal;

  if (profile->timing == CM_TIMING_LINUX) {
    guint64 jiffies = mad_jiffies_from_ms ((guint64) (nominal / SIM_MS (1)), profile->hz);

    /* Armed just after a step of the wheel's level, it waits nearly a step more. */
    latest = (SimTime) mad_wheel_expiry (0, jiffies) * (SIM_S (1) / profile->hz) +
             SIM_S (1) / profile->hz;
  }
  return now - since > latest + LATE;
}

/* No answer came, or none that made a difference. */
static CmOutcome
judge_request (const CmShadow *active, const CmConn *conn, SimTime since,
               const CmProfile *profile, SimTime now)
{
  if (active->exhausted)
    return CM_OUTCOME_UNREACHABLE;
  if (!cm_conversation_expired (profile, since, cm_time_nominal (conn, profile), now))
    return CM_OUTCOME_PENDING;
  return conn->retries_left == 0 ? CM_OUTCOME_UNREACHABLE : CM_OUTCOME_ABANDONED;
}

/* A REQ that no state machine sends was sent all the same: it waits as its fields say. */
static CmOutcome
judge_odd_request (const CmConversation *conversation, const CmProfile *profile, SimTime now)
{
  const CmShadow *active = &conversation->ends[CM_SIDE_ACTIVE];
  CmConn conn = active->conn;

  conn.retries_left = conn.max_cm_retries;
  conn.wait = CM_WAIT_REQUEST;
  return judge_request (active, &conn, conversation->last, profile, now);
}

static CmOutcome
judge_reply (const CmConversation *conversation, const CmProfile *profile, SimTime now)
{
  const CmShadow *passive = &conversation->ends[CM_SIDE_PASSIVE];

  if (passive->proved.wait != CM_WAIT_NONE &&
      !cm_conversation_expired (profile, passive->proved_since,
                                cm_time_nominal (&passive->proved, profile), now))
    return CM_OUTCOME_PENDING;
  return CM_OUTCOME_UNCONFIRMED;
}

CmOutcome
cm_conversation_judge (const CmConversation *conversation, const CmProfile *profile, SimTime now)
{
  const CmShadow *active = &conversation->ends[CM_SIDE_ACTIVE];

  if (conversation->req.attr == 0)
    return CM_OUTCOME_UNBEGUN;
  if (conversation->crossed)
    return CM_OUTCOME_CROSSED;
  if (conversation->resolved)
    return conversation->reason == 0 ? CM_OUTCOME_RESOLVED : CM_OUTCOME_REFUSED;
  if (conversation->established)
    return conversation->releasing ? CM_OUTCOME_RELEASED : CM_OUTCOME_OPEN;
  if (conversation->rejected && conversation->rejected_by == CM_SIDE_ACTIVE)
    return CM_OUTCOME_CANCELLED;
  /* Answers did not arrive before, so the last one is not believed either. */
  if (active->unheard > 0 && active->proved.retries_left == 0)
    return judge_request (active, &active->proved, active->proved_since, profile, now);
  switch ((CmState) active->conn.state) {
  case CM_STATE_REQ_SENT:
  case CM_STATE_MRA_REQ_RCVD:
    return judge_request (active, &active->conn, active->since, profile, now);
  case CM_STATE_REP_RCVD:
  case CM_STATE_MRA_REP_SENT:
    return judge_reply (conversation, profile, now);
  case CM_STATE_IDLE:
  case CM_STATE_TIMEWAIT:
    if (conversation->rejected)
      return active->exhausted ? CM_OUTCOME_UNREACHABLE : CM_OUTCOME_REJECTED;
    return judge_odd_request (conversation, profile, now);
  case CM_STATE_REQ_RCVD:
  case CM_STATE_MRA_REQ_SENT:
  case CM_STATE_REP_SENT:
  case CM_STATE_MRA_REP_RCVD:
  case CM_STATE_ESTABLISHED:
  case CM_STATE_DREQ_SENT:
  case CM_STATE_DREQ_RCVD:
  case CM_STATE_COUNT:
    break;
  }
  return CM_OUTCOME_OPEN;
}

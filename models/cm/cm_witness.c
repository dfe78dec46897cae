/* One message: what it is, and what becomes of it. */
#include <string.h>

#include "cm_match.h"
#include "cm_observer_private.h"

#define INBOX_MAX 12
/* The same packet within this time was captured or delivered twice; a hand-made sender may
 * number all its packets alike. */
#define COPY_WINDOW SIM_MS (1)

#define S CM_FSM_STATE

static gboolean
in_states (const CmConn *conn, guint32 states)
{
  return (1u << conn->state & states) != 0;
}

/* ----- the sender afterwards ----- */

static CmWaitKind
wait_kind (const CmConn *conn, const CmExplanation *explanation, const IbCmMsg *msg)
{
  if (explanation->mra_timeout && msg->attr != IB_CM_DREQ)
    return CM_WAIT_MRA;
  if (msg->attr == IB_CM_REQ ||
      ((msg->attr == IB_CM_DREQ || msg->attr == IB_CM_LAP) && conn->active))
    return CM_WAIT_REQUEST;
  return CM_WAIT_RESPONSE;
}

/* Shorter than any arithmetic of the timers gives: the smallest is the response timeout
 * alone, in Linux's milliseconds. */
static gboolean
is_early (SimTime waited, SimTime interval)
{
  return waited < interval / 2;
}

static void
classify (const CmShadow *sender, const CmExplanation *explanation, const CmSighting *sighting,
          CmSeen *seen)
{
  const IbCmMsg *msg = &sighting->msg;

  seen->verdict = (guint8) explanation->verdict;
  seen->cause = explanation->inference.cause;
  seen->missing = (guint8) explanation->inference.missing;
  if (explanation->verdict != CM_SEEN_EXPECTED || explanation->instance)
    return;
  if (cm_cause_is_timeout (explanation->inference.cause)) {
    seen->wait = (guint8) wait_kind (&sender->conn, explanation, msg);
    seen->mra_timeout = explanation->mra_timeout;
    seen->ack_timeout = sender->conn.ack_timeout;
    seen->waited = sighting->at - explanation->since;
    seen->verdict = is_early (seen->waited, explanation->interval) ? CM_SEEN_EARLY
                                                                   : CM_SEEN_REPEATED;
  } else if (sender->sent[msg->attr - IB_CM_ATTR_FIRST] > 0) {
    seen->verdict = CM_SEEN_ANSWERED;
  }
}

static void
commit (CmShadow *sender, const CmExplanation *explanation, const CmSighting *sighting)
{
  const CmConn *conn = &explanation->inference.conn;

  if (!cm_cause_is_known (explanation->inference.cause))
    return;
  /* A REQ refused on arrival leaves the end before it, which may be in timewait, alone. */
  if (explanation->instance && conn->state == CM_STATE_IDLE)
    return;
  sender->since = explanation->inference.starts ? sighting->at : explanation->since;
  sender->mra_timeout = in_states (conn, S (MRA_REQ_RCVD) | S (MRA_REP_RCVD)) ||
                                conn->lap_state == CM_LAP_STATE_MRA_LAP_RCVD
                            ? explanation->mra_timeout
                            : 0;
  sender->conn = sender->proved = *conn;
  sender->proved_since = sender->since;
  sender->proved_mra = sender->mra_timeout;
  if (sighting->msg.attr == IB_CM_REP)
    sender->ca_guid = sighting->msg.ca_guid;
  sender->mra_at = 0;
  sender->fresh = FALSE;
  if (explanation->instance) {
    sender->reqs = 1;
    sender->renewed = TRUE;
  }
  sender->unheard += explanation->unheard;
}

/* ----- the receiver ----- */

/* One message of each kind is kept, the last. */
static void
put_in_inbox (CmShadow *receiver, const IbCmMsg *msg)
{
  guint i = 0;

  while (i < receiver->n_inbox && (receiver->inbox[i].attr != msg->attr ||
                                   receiver->inbox[i].local_id != msg->local_id ||
                                   receiver->inbox[i].message != msg->message))
    i++;
  if (i == receiver->n_inbox && i == INBOX_MAX)
    i = 0;
  if (i < receiver->n_inbox) {
    memmove (receiver->inbox + i, receiver->inbox + i + 1,
             (receiver->n_inbox - i - 1u) * sizeof *receiver->inbox);
    receiver->n_inbox--;
  }
  if (receiver->n_inbox == receiver->inbox_size) {
    receiver->inbox_size = (guint8) (receiver->inbox_size + 2);
    receiver->inbox = g_renew (IbCmMsg, receiver->inbox, receiver->inbox_size);
  }
  receiver->inbox[receiver->n_inbox++] = *msg;
}

static gboolean
sends_something (const CmEffects *effects)
{
  for (guint i = 0; i < effects->n; i++)
    if (effects->list[i].type == CM_EFFECT_SEND)
      return TRUE;
  return FALSE;
}

/* Most messages arrive: the receiver is taken to have got it, unless it would answer at
 * once, which is for its answer to show. */
static void
believe (CmShadow *receiver, const CmProfile *profile, const CmSighting *sighting,
         CmCause cause)
{
  CmEvent event = { .msg = &sighting->msg };
  CmConn conn = receiver->conn;
  CmEffects effects;

  cm_cause_step (&conn, cause, &event, profile, &effects);
  if (sends_something (&effects))
    return;
  for (guint i = 0; i < effects.n; i++)
    if (effects.list[i].type == CM_EFFECT_MODIFY_RESPONSE) {
      receiver->since = receiver->mra_at = sighting->at;
      receiver->mra_timeout = sighting->msg.service_timeout;
    }
  receiver->conn = conn;
}

/* A last retry that went unanswered: the end has given up by now. */
static void
pass_time (CmShadow *shadow, const CmProfile *profile, gboolean sidr, SimTime now)
{
  const CmCause cause = sidr ? CM_CAUSE (SIDR, CM_SIDR_EV_RESPONSE_TIMEOUT)
                             : CM_CAUSE (CONNECTION, CM_EV_RESPONSE_TIMEOUT);
  CmEvent event = { .type = 0 };
  CmEffects effects;

  if (shadow->conn.wait == CM_WAIT_NONE || shadow->conn.retries_left > 0 ||
      !cm_cause_is_protocol (&shadow->conn, cause) ||
      !cm_conversation_expired (profile, shadow->since, cm_time_nominal (&shadow->conn, profile),
                                now))
    return;
  cm_cause_step (&shadow->conn, cause, &event, profile, &effects);
  shadow->exhausted = TRUE;
}

/* A REQ: new to an end that has none, or has forgotten it. */
static CmTaken
take_req (const CmShadow *receiver, const IbCmMsg *req)
{
  if (receiver->fresh || in_states (&receiver->conn, S (IDLE) | S (TIMEWAIT)))
    return CM_TAKEN;
  if (!cm_match (&receiver->conn, req))
    return CM_UNKNOWN;
  return cm_fsm_lookup (receiver->conn.state, CM_EV_RX_REQ)->kind == CM_ROW_PROTOCOL ? CM_TAKEN
                                                                                     : CM_IGNORED;
}

/* A request's number stands for nothing once it was answered. */
static CmTaken
take_sidr_req (const CmShadow *receiver)
{
  return receiver->conn.state == CM_SIDR_STATE_IDLE ? CM_TAKEN : CM_IGNORED;
}

static CmTaken
take (CmShadow *receiver, const CmProfile *profile, const CmSighting *sighting)
{
  const IbCmMsg *msg = &sighting->msg;
  CmCause cause = cm_cause_of_message (&receiver->conn, msg);

  if (msg->attr == IB_CM_REQ)
    return take_req (receiver, msg);
  if (msg->attr == IB_CM_SIDR_REQ)
    return take_sidr_req (receiver);
  /* Nobody knows what the listener made of the REQ; but the request may be withdrawn. */
  if (receiver->fresh)
    return msg->attr == IB_CM_REJ && receiver->n_inbox > 0 ? CM_TAKEN : CM_UNKNOWN;
  if (!cm_match (&receiver->conn, msg))
    return CM_UNKNOWN;
  /* An end that was found under way: its queue pair becomes known. */
  if (msg->attr == IB_CM_DREQ && receiver->conn.local_qpn == 0)
    receiver->conn.local_qpn = receiver->proved.local_qpn = CM_24_BITS (msg->qpn);
  if (!cm_cause_is_protocol (&receiver->conn, cause))
    return receiver->conn.state == CM_STATE_IDLE ? CM_UNKNOWN : CM_IGNORED;
  believe (receiver, profile, sighting, cause);
  return CM_TAKEN;
}

/* ----- the conversation ----- */

static void
note_req (CmConversation *conversation, CmSeenVerdict verdict)
{
  const CmSeen *before = conversation->n_seen
                             ? cm_conversation_seen (conversation, conversation->n_seen - 1)
                             : NULL;

  if (conversation->req_open)
    conversation->unanswered++;
  conversation->req_open = TRUE;
  if (verdict != CM_SEEN_EXPECTED && before && before->attr == IB_CM_REJ &&
      before->side == CM_SIDE_PASSIVE)
    conversation->rejs_unheard++;
}

static void
note_progress (CmConversation *conversation, CmSide side, const IbCmMsg *msg, const CmSeen *seen)
{
  const CmConn *conn = &conversation->ends[side].conn;

  if (side == CM_SIDE_PASSIVE)
    conversation->req_open = FALSE;
  if (msg->attr == IB_CM_MRA)
    conversation->mras++;
  if (msg->attr == IB_CM_REJ) {
    conversation->rejected = TRUE;
    conversation->rejected_by = (guint8) side;
    conversation->reason = msg->reason;
  }
  if (msg->attr == IB_CM_SIDR_REP) {
    conversation->resolved = TRUE;
    conversation->reason = msg->reason;
  }
  if (seen->taken == CM_UNKNOWN)
    conversation->stale++;
  if (seen->verdict == CM_SEEN_UNEXPECTED || conversation->sidr)
    return;
  if (in_states (conn, S (ESTABLISHED) | S (DREQ_SENT) | S (DREQ_RCVD)))
    conversation->established = TRUE;
  if (msg->attr == IB_CM_DREQ)
    conversation->releasing = TRUE;
  if (msg->attr == IB_CM_DREP)
    conversation->released = TRUE;
}

static gboolean
is_copy (const CmShadow *sender, const CmSighting *sighting)
{
  return sender->last_attr == sighting->msg.attr && sender->last_psn == sighting->psn &&
         sighting->at - sender->last_at < COPY_WINDOW;
}

static SimTime
wait_of (const CmShadow *shadow, const CmProfile *profile)
{
  return cm_time_wait (profile, cm_time_nominal (&shadow->conn, profile), shadow->conn.waits);
}

const CmSeen *
cm_witness (CmConversation *conversation, const CmRules *rules, CmSide side,
            const CmSighting *sighting)
{
  CmShadow *sender = &conversation->ends[side], *receiver = &conversation->ends[!side];
  const CmProfile *profile = rules->profile;
  const IbCmMsg *msg = &sighting->msg;
  guint row = msg->attr - IB_CM_ATTR_FIRST;
  CmSeen seen = { .at = sighting->at, .attr = msg->attr, .side = (guint8) side,
                  .message = msg->message, .cause = CM_CAUSE_NONE,
                  .code = msg->attr == IB_CM_MRA ? msg->service_timeout : msg->reason };
  CmExplanation explanation;

  if (is_copy (sender, sighting)) {
    seen.verdict = CM_SEEN_COPY;
    seen.nth = sender->sent[row];
  } else {
    cm_explain_send (sender, rules, side, sighting, &explanation);
    classify (sender, &explanation, sighting, &seen);
    /* Nobody knows how long the REQ told it to wait. */
    if (conversation->req.attr == 0 && seen.verdict == CM_SEEN_EARLY)
      seen.verdict = CM_SEEN_REPEATED;
    if (conversation->req.attr == 0 &&
        (seen.verdict == CM_SEEN_EXPECTED || conversation->n_seen == 0))
      seen.verdict = CM_SEEN_UNBEGUN;
    if (explanation.instance || (side == CM_SIDE_PASSIVE && sender->fresh))
      conversation->instances++;
    commit (sender, &explanation, sighting);
    /* An end without an id says the same again, however often it begins anew. */
    sender->sent[row] = explanation.instance && msg->local_id != 0 ? 1 : sender->sent[row] + 1;
    seen.nth = sender->sent[row];
    pass_time (receiver, profile, cm_sighting_is_sidr (msg), sighting->at);
    seen.taken = (guint8) take (receiver, profile, sighting);
    put_in_inbox (receiver, msg);
    if (msg->attr == IB_CM_REQ || msg->attr == IB_CM_SIDR_REQ) {
      receiver->reqs = (guint8) MIN (receiver->reqs + 1, 2);
      note_req (conversation, seen.verdict);
    }
    note_progress (conversation, side, msg, &seen);
  }
  sender->last_attr = msg->attr;
  sender->last_psn = sighting->psn;
  sender->last_at = sighting->at;
  conversation->missing += seen.missing;
  conversation->complaints += sighting->complaints;
  conversation->last = sighting->at;
  for (guint i = 0; i < CM_SIDES; i++) {
    seen.states[i] = conversation->ends[i].conn.state;
    conversation->longest = MAX (conversation->longest, wait_of (&conversation->ends[i], profile));
  }
  return cm_conversation_note (conversation, &seen);
}

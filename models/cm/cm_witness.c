/* One message: why it was sent, and what becomes of it. */
#include <string.h>

#include "cm_infer.h"
#include "cm_match.h"
#include "cm_observer_private.h"

#define INBOX_MAX 12
/* The same packet within this time was captured or delivered twice; a hand-made sender may
 * number all its packets alike. */
#define COPY_WINDOW SIM_MS (1)

#define S CM_FSM_STATE
#define AWAITING_REP (S (REQ_SENT) | S (MRA_REQ_RCVD))
#define AWAITING_RTU (S (REP_SENT) | S (MRA_REP_RCVD))

static gboolean
in_states (const CmConn *conn, guint32 states)
{
  return (1u << conn->state & states) != 0;
}

/* The two beliefs about an end: what was sent to it makes no difference, or does. */
static gboolean
beliefs_differ (const CmShadow *shadow)
{
  return shadow->conn.state != shadow->proved.state ||
         shadow->conn.lap_state != shadow->proved.lap_state;
}

static gboolean
is_sidr (const IbCmMsg *msg)
{
  return msg->attr == IB_CM_SIDR_REQ || msg->attr == IB_CM_SIDR_REP;
}

/* ----- why it was sent ----- */

typedef struct {
  CmInference inference;
  CmSeenVerdict verdict;
  SimTime since;      /* start of the wait that it ends, if it is repeated */
  guint8 mra_timeout; /* of that wait */
  SimTime interval;
  gboolean instance;  /* another end of the passive side than before */
  gboolean unheard;   /* what was sent to the end has made no difference */
} Explanation;

/* What a consumer would have set before the call. */
static CmConn
prepare (CmConn conn, const IbCmMsg *msg)
{
  if (conn.local_id == 0)
    conn.local_id = msg->local_id;
  if (msg->attr == IB_CM_REP || msg->attr == IB_CM_SIDR_REP) {
    conn.local_qpn = msg->qpn;
    conn.local_psn = msg->starting_psn;
    conn.local_ca_guid = msg->ca_guid;
  }
  return conn;
}

static CmInferEnd
infer_end (const CmShadow *shadow, const CmProfile *profile, const IbCmMsg *msg, gboolean fresh)
{
  return (CmInferEnd){ .profile = profile,
                       .inbox = shadow->inbox,
                       .n_inbox = shadow->n_inbox,
                       .sidr = is_sidr (msg),
                       .fresh = fresh,
                       .repeated = shadow->reqs > 1 };
}

/* What may be believed of a sender. */
typedef enum {
  BELIEF_LIKELY,    /* all that was sent to it has arrived */
  BELIEF_STRETCHED, /* of it, an MRA */
  BELIEF_PROVED,    /* nothing of it */
  BELIEFS
} Belief;

typedef struct {
  CmConn conn;
  SimTime since;
  guint8 mra_timeout;
} Believed;

/* FALSE: there is no such belief, or it is the likely one. */
static gboolean
get_belief (const CmShadow *sender, const CmProfile *profile, Belief belief, Believed *ret_believed)
{
  const IbCmMsg *mra = NULL;
  CmEvent event = { .type = 0 };
  CmEffects effects;
  CmCause cause;

  if (belief == BELIEF_LIKELY) {
    *ret_believed = (Believed){ sender->conn, sender->since, sender->mra_timeout };
    return TRUE;
  }
  if (!beliefs_differ (sender))
    return FALSE;
  *ret_believed = (Believed){ sender->proved, sender->proved_since, sender->proved_mra };
  if (belief == BELIEF_PROVED)
    return TRUE;
  for (guint i = 0; i < sender->n_inbox; i++)
    if (sender->inbox[i].attr == IB_CM_MRA && cm_match (&sender->proved, &sender->inbox[i]))
      mra = &sender->inbox[i];
  if (!mra || sender->mra_at == 0)
    return FALSE;
  cause = cm_cause_of_message (&sender->proved, mra);
  if (!cm_cause_is_protocol (&sender->proved, cause))
    return FALSE;
  event.msg = mra;
  cm_cause_step (&ret_believed->conn, cause, &event, profile, &effects);
  ret_believed->since = sender->mra_at;
  ret_believed->mra_timeout = mra->service_timeout;
  return TRUE;
}

static gboolean
explain_from (const CmShadow *sender, const CmProfile *profile, Belief belief,
              const IbCmMsg *msg, CmInferMode mode, Explanation *ret_explanation)
{
  const CmInferEnd end = infer_end (sender, profile, msg, sender->fresh);
  Believed believed;
  CmConn from;

  if (!get_belief (sender, profile, belief, &believed))
    return FALSE;
  from = prepare (believed.conn, msg);
  if (!cm_infer_send (&end, &from, msg, mode, &ret_explanation->inference))
    return FALSE;
  ret_explanation->verdict = mode == CM_INFER_GAPS ? CM_SEEN_GAP : CM_SEEN_EXPECTED;
  ret_explanation->since = believed.since;
  ret_explanation->mra_timeout = believed.mra_timeout;
  ret_explanation->interval = believed.conn.interval;
  ret_explanation->instance = FALSE;
  ret_explanation->unheard = belief != BELIEF_LIKELY;
  return TRUE;
}

static SimTime
distance (const Explanation *explanation, SimTime now)
{
  SimTime due = explanation->since + explanation->interval;

  return now > due ? now - due : due - now;
}

/* Several beliefs may explain a repetition: what has arrived shows in the time. */
static gboolean
explain_strictly (const CmShadow *sender, const CmProfile *profile, const CmSighting *sighting,
                  Explanation *ret_explanation)
{
  gboolean found = FALSE;

  for (guint belief = 0; belief < BELIEFS; belief++) {
    Explanation other;

    if (!explain_from (sender, profile, belief, &sighting->msg, CM_INFER_STRICT, &other))
      continue;
    if (!found || distance (&other, sighting->at) < distance (ret_explanation, sighting->at))
      *ret_explanation = other;
    found = TRUE;
    if (!cm_cause_is_timeout (other.inference.cause))
      break;
  }
  return found;
}

/* Of either belief, the end of the passive side may have gone without a word.  An MRA does
 * not tell whether the request was only put off, and then it may be dropped. */
static gboolean
may_be_over (const CmShadow *shadow, const CmProfile *profile, const IbCmMsg *msg)
{
  const CmInferEnd end = infer_end (shadow, profile, msg, FALSE);

  return in_states (&shadow->conn, S (MRA_REQ_SENT)) ||
         in_states (&shadow->proved, S (MRA_REQ_SENT)) ||
         cm_infer_may_be_over (&end, &shadow->conn) ||
         cm_infer_may_be_over (&end, &shadow->proved);
}

/* The passive side has forgotten the request and takes its repetition for a new one. */
static gboolean
explain_instance (const CmShadow *sender, const CmProfile *profile, const IbCmMsg *msg,
                  Explanation *ret_explanation)
{
  const CmInferEnd end = infer_end (sender, profile, msg, TRUE);
  const CmConn from = prepare ((CmConn){ 0 }, msg);

  if (!cm_infer_send (&end, &from, msg, CM_INFER_STRICT, &ret_explanation->inference))
    return FALSE;
  ret_explanation->verdict
      = may_be_over (sender, profile, msg) ? CM_SEEN_EXPECTED : CM_SEEN_UNEXPECTED;
  ret_explanation->instance = TRUE;
  ret_explanation->since = 0; /* no wait was in progress */
  ret_explanation->mra_timeout = 0;
  ret_explanation->unheard = FALSE;
  return TRUE;
}

/* A DREQ for a connection that is no more is answered all the same, by nobody
 * (cm_dreq_handler, cm_issue_drep), or by the end before this one, in timewait. */
static gboolean
explain_stateless (const CmShadow *sender, const CmProfile *profile, const IbCmMsg *msg,
                   Explanation *ret_explanation)
{
  if (msg->attr != IB_CM_DREP || !(profile->drep_for_unknown || sender->renewed))
    return FALSE;
  for (guint i = 0; i < sender->n_inbox; i++) {
    const IbCmMsg *dreq = &sender->inbox[i];

    if (dreq->attr != IB_CM_DREQ || dreq->local_id != msg->remote_id ||
        dreq->remote_id != msg->local_id)
      continue;
    *ret_explanation = (Explanation){ .inference = { .conn = sender->conn,
                                                     .cause = CM_CAUSE_NONE },
                                      .verdict = CM_SEEN_EXPECTED };
    return TRUE;
  }
  return FALSE;
}

static void
explain (const CmShadow *sender, const CmProfile *profile, CmSide side,
         const CmSighting *sighting, Explanation *ret_explanation)
{
  const IbCmMsg *msg = &sighting->msg;

  if (explain_strictly (sender, profile, sighting, ret_explanation) ||
      explain_stateless (sender, profile, msg, ret_explanation) ||
      (side == CM_SIDE_PASSIVE && explain_instance (sender, profile, msg, ret_explanation)) ||
      explain_from (sender, profile, BELIEF_LIKELY, msg, CM_INFER_GAPS, ret_explanation) ||
      explain_from (sender, profile, BELIEF_PROVED, msg, CM_INFER_GAPS, ret_explanation))
    return;
  *ret_explanation = (Explanation){ .inference = { .conn = sender->conn, .cause = CM_CAUSE_NONE },
                                    .verdict = CM_SEEN_UNEXPECTED };
}

/* ----- the sender afterwards ----- */

static CmWaitKind
wait_kind (const CmConn *conn, const Explanation *explanation, const IbCmMsg *msg)
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
classify (const CmShadow *sender, const Explanation *explanation, const CmSighting *sighting,
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
commit (CmShadow *sender, const Explanation *explanation, const CmSighting *sighting)
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

  if (shadow->conn.interval == 0 || shadow->conn.retries_left > 0 ||
      !cm_cause_is_protocol (&shadow->conn, cause) ||
      !cm_conversation_expired (profile, shadow->since, shadow->conn.interval, now))
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
    receiver->conn.local_qpn = receiver->proved.local_qpn = msg->qpn;
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
  return cm_time_wait (profile, shadow->conn.interval, shadow->conn.waits);
}

const CmSeen *
cm_witness (CmConversation *conversation, const CmProfile *profile, CmSide side,
            const CmSighting *sighting)
{
  CmShadow *sender = &conversation->ends[side], *receiver = &conversation->ends[!side];
  const IbCmMsg *msg = &sighting->msg;
  guint row = msg->attr - IB_CM_ATTR_FIRST;
  CmSeen seen = { .at = sighting->at, .attr = msg->attr, .side = (guint8) side,
                  .message = msg->message, .cause = CM_CAUSE_NONE,
                  .code = msg->attr == IB_CM_MRA ? msg->service_timeout : msg->reason };
  Explanation explanation;

  if (is_copy (sender, sighting)) {
    seen.verdict = CM_SEEN_COPY;
    seen.nth = sender->sent[row];
  } else {
    explain (sender, profile, side, sighting, &explanation);
    classify (sender, &explanation, sighting, &seen);
    if (conversation->req.attr == 0 &&
        (seen.verdict == CM_SEEN_EXPECTED || conversation->n_seen == 0))
      seen.verdict = CM_SEEN_UNBEGUN;
    if (explanation.instance || (side == CM_SIDE_PASSIVE && sender->fresh))
      conversation->instances++;
    commit (sender, &explanation, sighting);
    /* An end without an id says the same again, however often it begins anew. */
    sender->sent[row] = explanation.instance && msg->local_id != 0 ? 1 : sender->sent[row] + 1;
    seen.nth = sender->sent[row];
    pass_time (receiver, profile, is_sidr (msg), sighting->at);
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

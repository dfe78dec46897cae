/* Why a message was sent: from what is believed of its sender, by its state machine. */
#include "cm_match.h"
#include "cm_observer_private.h"

/* The two beliefs about an end: what was sent to it makes no difference, or does. */
static gboolean
beliefs_differ (const CmShadow *shadow)
{
  return shadow->conn.state != shadow->proved.state ||
         shadow->conn.lap_state != shadow->proved.lap_state;
}

/* What a consumer would have set before the call. */
static CmConn
prepare (CmConn conn, const IbCmMsg *msg)
{
  if (conn.local_id == 0)
    conn.local_id = msg->local_id;
  if (msg->attr == IB_CM_REP || msg->attr == IB_CM_SIDR_REP) {
    conn.local_qpn = CM_24_BITS (msg->qpn);
    conn.local_psn = msg->starting_psn;
  }
  return conn;
}

static CmInferEnd
infer_end (const CmShadow *shadow, const CmRules *rules, const IbCmMsg *msg, gboolean fresh)
{
  return (CmInferEnd){ .profile = rules->profile,
                       .tables = &rules->tables,
                       .inbox = shadow->inbox,
                       .n_inbox = shadow->n_inbox,
                       .ca_guid = msg->attr == IB_CM_REP ? msg->ca_guid : shadow->ca_guid,
                       .sidr = cm_sighting_is_sidr (msg),
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
get_belief (const CmShadow *sender, const CmRules *rules, Belief belief, Believed *ret_believed)
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
  cm_cause_step (&ret_believed->conn, cause, &event, rules->profile, &effects);
  ret_believed->since = sender->mra_at;
  ret_believed->mra_timeout = mra->service_timeout;
  return TRUE;
}

static gboolean
explain_from (const CmShadow *sender, const CmRules *rules, Belief belief,
              const IbCmMsg *msg, CmInferMode mode, CmExplanation *ret_explanation)
{
  const CmInferEnd end = infer_end (sender, rules, msg, sender->fresh);
  Believed believed;
  CmConn from;

  if (!get_belief (sender, rules, belief, &believed))
    return FALSE;
  from = prepare (believed.conn, msg);
  if (!cm_infer_send (&end, &from, msg, mode, &ret_explanation->inference))
    return FALSE;
  ret_explanation->verdict = mode == CM_INFER_GAPS ? CM_SEEN_GAP : CM_SEEN_EXPECTED;
  ret_explanation->since = believed.since;
  ret_explanation->mra_timeout = believed.mra_timeout;
  ret_explanation->interval = cm_time_nominal (&believed.conn, rules->profile);
  ret_explanation->instance = FALSE;
  ret_explanation->unheard = belief != BELIEF_LIKELY;
  return TRUE;
}

static SimTime
distance (const CmExplanation *explanation, SimTime now)
{
  SimTime due = explanation->since + explanation->interval;

  return now > due ? now - due : due - now;
}

/* Several beliefs may explain a repetition: what has arrived shows in the time. */
static gboolean
explain_strictly (const CmShadow *sender, const CmRules *rules, const CmSighting *sighting,
                  CmExplanation *ret_explanation)
{
  gboolean found = FALSE;

  for (guint belief = 0; belief < BELIEFS; belief++) {
    CmExplanation other;

    if (!explain_from (sender, rules, belief, &sighting->msg, CM_INFER_STRICT, &other))
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
may_be_over (const CmShadow *shadow, const CmRules *rules, const IbCmMsg *msg)
{
  const CmInferEnd end = infer_end (shadow, rules, msg, FALSE);

  return shadow->conn.state == CM_STATE_MRA_REQ_SENT ||
         shadow->proved.state == CM_STATE_MRA_REQ_SENT ||
         cm_infer_may_be_over (&end, &shadow->conn) ||
         cm_infer_may_be_over (&end, &shadow->proved);
}

/* The passive side has forgotten the request and takes its repetition for a new one. */
static gboolean
explain_instance (const CmShadow *sender, const CmRules *rules, const IbCmMsg *msg,
                  CmExplanation *ret_explanation)
{
  const CmInferEnd end = infer_end (sender, rules, msg, TRUE);
  const CmConn from = prepare ((CmConn){ 0 }, msg);

  if (!cm_infer_send (&end, &from, msg, CM_INFER_STRICT, &ret_explanation->inference))
    return FALSE;
  ret_explanation->verdict
      = may_be_over (sender, rules, msg) ? CM_SEEN_EXPECTED : CM_SEEN_UNEXPECTED;
  ret_explanation->instance = TRUE;
  ret_explanation->since = 0; /* no wait was in progress */
  ret_explanation->mra_timeout = 0;
  ret_explanation->unheard = FALSE;
  return TRUE;
}

/* A DREQ for a connection that is no more is answered all the same, by nobody
 * (cm_dreq_handler, cm_issue_drep), or by the end before this one, in timewait. */
static gboolean
explain_stateless (const CmShadow *sender, const CmRules *rules, const IbCmMsg *msg,
                   CmExplanation *ret_explanation)
{
  if (msg->attr != IB_CM_DREP || !(rules->profile->drep_for_unknown || sender->renewed))
    return FALSE;
  for (guint i = 0; i < sender->n_inbox; i++) {
    const IbCmMsg *dreq = &sender->inbox[i];

    if (dreq->attr != IB_CM_DREQ || dreq->local_id != msg->remote_id ||
        dreq->remote_id != msg->local_id)
      continue;
    *ret_explanation = (CmExplanation){ .inference = { .conn = sender->conn,
                                                     .cause = CM_CAUSE_NONE },
                                      .verdict = CM_SEEN_EXPECTED };
    return TRUE;
  }
  return FALSE;
}

void
cm_explain_send (const CmShadow *sender, const CmRules *rules, CmSide side,
                 const CmSighting *sighting, CmExplanation *ret_explanation)
{
  const IbCmMsg *msg = &sighting->msg;

  if (explain_strictly (sender, rules, sighting, ret_explanation) ||
      explain_stateless (sender, rules, msg, ret_explanation) ||
      (side == CM_SIDE_PASSIVE && explain_instance (sender, rules, msg, ret_explanation)) ||
      explain_from (sender, rules, BELIEF_LIKELY, msg, CM_INFER_GAPS, ret_explanation) ||
      explain_from (sender, rules, BELIEF_PROVED, msg, CM_INFER_GAPS, ret_explanation))
    return;
  *ret_explanation = (CmExplanation){ .inference = { .conn = sender->conn, .cause = CM_CAUSE_NONE },
                                    .verdict = CM_SEEN_UNEXPECTED };
}

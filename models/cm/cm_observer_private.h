/* What cm_observer.c and cm_witness.c share. */
#pragma once

#include "cm_infer.h"
#include "cm_observer.h"

struct CmHost {
  IbAddress address;
  guint64 answers; /* messages it sent, of any kind */
  guint users;     /* ends of conversations */
};

/* Conversations that end by themselves, by `expires`; freed with g_array_free(). */
GArray *cm_expiries_new (void);
void cm_expiry_add (GArray *expiries, CmConversation *conversation);
void cm_expiry_remove (GArray *expiries, CmConversation *conversation);
/* One whose time, as it was when it was added, is up; NULL. */
CmConversation *cm_expiry_due (GArray *expiries, SimTime now);

static inline gboolean
cm_sighting_is_sidr (const IbCmMsg *msg)
{
  return msg->attr == IB_CM_SIDR_REQ || msg->attr == IB_CM_SIDR_REP;
}

/* Whose state machines explain, and the tables that make it quick. */
typedef struct {
  const CmProfile *profile;
  CmInferTables tables;
} CmRules;

/* Why a message was sent. */
typedef struct {
  CmInference inference;
  CmSeenVerdict verdict;
  SimTime since;      /* start of the wait that it ends, if it is repeated */
  guint8 mra_timeout; /* of that wait */
  SimTime interval;
  gboolean instance;  /* another end of the passive side than before */
  gboolean unheard;   /* what was sent to the end has made no difference */
} CmExplanation;

void cm_explain_send (const CmShadow *sender, const CmRules *rules, CmSide side,
                      const CmSighting *sighting, CmExplanation *ret_explanation);

/* One message in its conversation: explains it by the sender's state machine, shows it to
 * the receiver's, and notes it. */
const CmSeen *cm_witness (CmConversation *conversation, const CmRules *rules, CmSide side,
                          const CmSighting *sighting);

/* A REQ or SIDR_REQ that begins a conversation: what its ends are to know before it. */
void cm_witness_begin (CmConversation *conversation, const CmProfile *profile, const IbCmMsg *req);
/* A conversation that is found under way: the states in which its ends send and get such a
 * message. */
void cm_witness_join (CmConversation *conversation, const CmProfile *profile, CmSide side,
                      const IbCmMsg *msg);
/* The active end of `other`, which connects peer to peer, is the passive end of this one. */
void cm_witness_cross (CmConversation *conversation, CmConversation *other);
/* Which side sends such a message; a guess for those that both may send. */
CmSide cm_witness_side (const IbCmMsg *msg);

/* One connection as a watcher of the wire knows it: two ends, what they said, what came
 * of it.  Filled by cm_observer.c. */
#pragma once

#include "cm_cause.h"
#include "ib_ari.h"
#include "ib_packet.h"

/* The end that sent the REQ, and the other one. */
typedef enum {
  CM_SIDE_ACTIVE,
  CM_SIDE_PASSIVE,
  CM_SIDES
} CmSide;

#define CM_SEEN_LIST(X) \
  X (EXPECTED,   "")  \
  X (REPEATED,   "sent again: its timer expired")            \
  X (ANSWERED,   "sent again: a duplicate asked for it")     \
  X (EARLY,      "sent again long before its timer expires") \
  X (COPY,       "the same packet once more")                \
  X (GAP,        "only messages that are not in the capture explain it") \
  X (UNBEGUN,    "the connection's beginning is not in the capture")      \
  X (UNEXPECTED, "the state machine does not send this here")

/* What the state machine says to a message. */
typedef enum {
#define X(name, text) CM_SEEN_##name,
  CM_SEEN_LIST (X)
#undef X
  CM_SEEN_COUNT
} CmSeenVerdict;

const char *cm_seen_verdict_name (CmSeenVerdict verdict); /* "UNEXPECTED" */
const char *cm_seen_verdict_text (CmSeenVerdict verdict);

/* What the receiver does with it, if it arrives. */
typedef enum {
  CM_TAKEN,   /* the state machine has a use for it */
  CM_IGNORED, /* late or duplicate: it has not */
  CM_UNKNOWN, /* it matches no connection there any more, or not this one */
} CmTaken;

/* One message. */
typedef struct {
  SimTime at;
  SimTime waited;       /* REPEATED, EARLY: since the timer was started; else 0 */
  guint16 attr;         /* IbCmAttr */
  guint16 code;         /* REJ: reason; MRA: service timeout; SIDR_REP, APR: status */
  guint8 side;          /* CmSide that sent it */
  guint8 message;       /* MRA, REJ: IbCmMessage */
  guint8 verdict;       /* CmSeenVerdict */
  guint8 taken;         /* CmTaken */
  CmCause cause;        /* the event that sent it, if one is known */
  guint8 missing;       /* GAP: messages that the capture does not have */
  guint8 wait, mra_timeout, ack_timeout; /* the timer waited for, and its codes */
  guint8 states[CM_SIDES]; /* of both ends afterwards, as far as one can tell: CmState, of a
                            * SIDR exchange CmSidrState */
  guint nth;            /* how often this side has sent this message, 1 = first */
} CmSeen;

/* All of a long conversation is counted, and its beginning and its end are kept. */
#define CM_SEEN_FIRST 96
#define CM_SEEN_LAST 32

#define CM_OUTCOME_LIST(X) \
  X (OPEN,        "established")                                   \
  X (RELEASED,    "established and released")                      \
  X (REJECTED,    "rejected")                                      \
  X (CANCELLED,   "given up by the active side")                   \
  X (UNREACHABLE, "no answer: all retries used")                   \
  X (ABANDONED,   "no answer: no more retries, though some were left") \
  X (UNCONFIRMED, "accepted, but the active side never confirmed") \
  X (RESOLVED,    "resolved: the queue pair of the service was told") \
  X (REFUSED,     "resolution refused")                            \
  X (CROSSED,     "gave way to the other side's request, peer to peer") \
  X (PENDING,     "undecided when the capture ends")               \
  X (UNBEGUN,     "only its later part is in the capture")

typedef enum {
#define X(name, text) CM_OUTCOME_##name,
  CM_OUTCOME_LIST (X)
#undef X
  CM_OUTCOME_COUNT
} CmOutcome;

const char *cm_outcome_name (CmOutcome outcome); /* "REJECTED" */
const char *cm_outcome_text (CmOutcome outcome);

/* A host, as long as conversations with it are followed. */
typedef struct CmHost CmHost;

/* What is known of an end. */
typedef struct {
  IbAddress address;
  CmHost *host;      /* NULL: once finished */
  CmConn conn;       /* as it most likely is */
  CmConn proved;     /* as it was when it last sent something */
  SimTime since, proved_since;  /* when the timer of the wait in progress was started */
  IbCmMsg *inbox;    /* messages sent to it, latest last, one of a kind */
  guint8 n_inbox, inbox_size;
  guint8 mra_timeout, proved_mra; /* service timeout of the MRA it waits by; 0: none */
  guint64 ca_guid;   /* as it told it; 0: not yet */
  SimTime mra_at;    /* when the first MRA since it last sent something came; 0: none did */
  guint8 fresh;      /* has neither judged nor sent a REQ */
  guint8 exhausted;  /* its last retry must have expired */
  guint8 renewed;    /* there was another end before, of the same connection request */
  guint8 reqs;       /* REQs sent to it since it last began anew, at most 2 */
  guint unheard;     /* sends that show that messages to it have not arrived */
  guint16 last_attr; /* what it sent last, when, and in which packet; 0: nothing */
  guint32 last_psn;
  SimTime last_at;
  guint sent[IB_CM_ATTR_COUNT];
} CmShadow;

typedef struct CmConversation CmConversation;

/* An end's address and communication id: an entry of the observer's table of ends. */
typedef struct {
  CmConversation *conversation; /* NULL: not in the table */
  const IbAddress *address;
  guint32 id;
  guint8 sidr; /* a number of a SIDR request, not an id */
  guint8 side;
} CmEndKey;

/* Ends of the passive side that are still found by their ids, the latest ones. */
#define CM_PASSIVE_KEYS 4

struct CmConversation {
  guint64 number;      /* in order of beginning, from 0 */
  SimTime first, last; /* first and last message */
  CmShadow ends[CM_SIDES];
  IbCmMsg req;         /* the first REQ or SIDR_REQ; attr 0: not seen */
  CmSeen *seen;
  guint n_seen, seen_size; /* n_seen counts all */
  guint counts[CM_SEEN_COUNT];       /* by verdict */
  guint messages[IB_CM_ATTR_COUNT];  /* by attribute */
  guint missing;       /* messages the capture does not have */
  guint instances;     /* ends of the passive side, one after the other */
  guint unanswered;    /* REQs after which nothing came until the next, or at all */
  guint rejs_unheard;  /* REJs after which the REQ was repeated all the same */
  guint stale;         /* messages for a connection the receiver no longer had */
  guint complaints;    /* broken rules of the specification */
  guint mras;
  guint64 host_answers;   /* the passive host's, when the first REQ was sent */
  guint16 reason;      /* of the last REJ; status of the SIDR_REP */
  guint8 rejected_by;  /* CmSide */
  IbAri ari;           /* of the last REJ */
  guint8 req_open, established, confirmed, releasing, released, rejected;
  guint8 outcome;      /* CmOutcome, when finished */
  guint8 alive;        /* the passive host answered others while this REQ went unanswered */
  guint8 evicted;      /* given up because too many were live */
  guint8 sidr;         /* a SIDR exchange, no connection */
  guint8 resolved;     /* a SIDR_REP was sent */
  guint8 crossed;      /* the passive side's own request was taken instead, or the other way */

  /* The observer's. */
  CmEndKey keys[1 + CM_PASSIVE_KEYS]; /* of the active side; of the passive side's ends */
  guint8 next_key;
  SimTime longest;     /* wait that an end was in, or may have been in */
  SimTime expires;     /* over if nothing comes until then; SIM_TIME_NEVER: established */
  CmConversation *older, *newer; /* by last message */
  guint heap_place;    /* in the heap of expiries, from 1; 0: not in it */
};

void cm_conversation_free (CmConversation *conversation);
/* Adds an entry; returns where it stands until the next one. */
CmSeen *cm_conversation_note (CmConversation *conversation, const CmSeen *seen);
/* What came of it, nothing more being seen of it until `now`. */
CmOutcome cm_conversation_judge (const CmConversation *conversation, const CmProfile *profile,
                                 SimTime now);

/* "REQ_SENT", "SIDR_REQ_SENT". */
const char *cm_conversation_state_name (const CmConversation *conversation, guint state);

/* Message i of 0..n_seen-1; NULL for those in the middle of a long conversation that were
 * not kept. */
const CmSeen *cm_conversation_seen (const CmConversation *conversation, guint i);
/* How long the timer of a repeated message is by this profile, without a timer wheel. */
SimTime cm_conversation_nominal (const CmConversation *conversation, const CmSeen *seen,
                                 const CmProfile *profile);
/* Whether a wait begun at `since` must have expired by `now`, timer wheel and all. */
gboolean cm_conversation_expired (const CmProfile *profile, SimTime since, SimTime nominal,
                                  SimTime now);

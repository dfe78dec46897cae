/* Follows the CM conversations of a wire, each through the state machine.
 *
 * A message is shown to the observer when it is seen; nothing is known of whether it
 * arrives.  Each conversation has a shadow of both ends: what an end sends is explained
 * by events of its state machine (cm_infer.h), and what it is sent may have reached it.
 *
 * Memory is bounded by the conversations that are live, and their number by a limit: one
 * that is over is handed out and forgotten. */
#pragma once

#include "cm_conversation.h"

typedef struct {
  SimTime at;
  IbAddress source, destination;
  guint32 psn;      /* of the packet: tells a copy from a repetition */
  guint complaints; /* rules of the specification it breaks */
  IbAri ari;        /* of a REJ */
  IbCmMsg msg;
} CmSighting;

typedef struct {
  /* A conversation is over, or the watch ends.  (transfer full) */
  void (*finished) (gpointer owner, CmConversation *conversation);
} CmWatcherOps;

/* Of all messages and all finished conversations. */
typedef struct {
  guint64 messages[IB_CM_ATTR_COUNT];
  guint64 repeats[IB_CM_ATTR_COUNT];  /* REPEATED, EARLY */
  guint64 verdicts[CM_SEEN_COUNT];
  guint64 conversations;
  guint64 outcomes[CM_OUTCOME_COUNT];
  guint64 rejs[64];                   /* by reason; larger ones in the last */
  guint64 unanswered, stale, missing, rejs_unheard, complaints;
  guint64 evicted;                    /* conversations given up because of the limit */
  guint64 backwards;                  /* messages with a time before the one before */
  guint64 live, live_max;
} CmObserverCounters;

typedef struct CmObserver CmObserver;

#define CM_OBSERVER_LIVE_MAX (1u << 18)

/* profile: whose state machine and timers; borrowed.  live_max: most conversations
 * followed at once. */
CmObserver *cm_observer_new (const CmProfile *profile, guint live_max, const CmWatcherOps *ops,
                             gpointer owner);
/* Without handing out what is still followed. */
void cm_observer_free (CmObserver *observer);
void cm_observer_see (CmObserver *observer, const CmSighting *sighting);
/* The watch ends at `now`: hands out all conversations, oldest first. */
void cm_observer_finish (CmObserver *observer, SimTime now);
const CmObserverCounters *cm_observer_counters (const CmObserver *observer);

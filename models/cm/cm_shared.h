/* What all CM agents of a world share: the pool of ids, and the search tables of Linux
 * cm.c (remote_id_table, remote_qp_table, remote_sidr_table).  Private to models/cm. */
#pragma once

#include "cm_agent.h"
#include "host_memory.h"
#include "cm_pending.h"
#include "cm_retry.h"
#include "sim_numbered.h"

/* Tables that an id stands in. */
typedef enum {
  CM_INDEX_ID,  /* by (agent, remote CA GUID, remote id); SIDR: by (agent, source, request id) */
  CM_INDEX_QPN, /* by (agent, remote CA GUID, remote QPN) */
  CM_INDEX_N
} CmIndexKind;

/* Twenty million ids, both ends of ten million connections, and some to spare. */
#define CM_SLOT_BITS 25
#define CM_AGENT_BITS 25
#define CM_GENERATION_BITS 7

/* There may be millions of them, so one is a cache line, and what it does not need to say itself
 * is at the head of its page: see cm_id_slot() and cm_id_agent(). */
struct CmId {
  union {
    gpointer owner;   /* consumer's; NULL after destroy */
    guint32 next_free; /* free: slot + 1 of the next free one */
  };
  guint32 waits_by; /* number of a CmPending, if a message of it wants an answer; in_timewait: of
                     * the event that ends it; 0: neither */
  guint32 agent : CM_AGENT_BITS; /* index + 1; 0: the slot is free */
  guint32 generation : CM_GENERATION_BITS; /* of its communication id */
  guint32 remote : 24;      /* IbLid */
  guint32 depth : 3;        /* events being handled */
  guint32 held : 1;         /* the consumer has not destroyed it */
  guint32 indexed : 1;
  guint32 sidr : 1;         /* conn is an end of a SIDR exchange */
  guint32 in_timewait : 1;
  guint32 has_retry : 1;    /* it stands in shared->retries */
  CmConn conn;
};

#define CM_PAGE_BYTES 4096
#define CM_PAGE_IDS 63

typedef struct {
  CmShared *shared;
  guint32 first_slot;
  guint8 unused[sizeof (CmId) - sizeof (gpointer) - sizeof (guint32)];
  CmId ids[CM_PAGE_IDS];
} CmIdPage;

G_STATIC_ASSERT (sizeof (CmId) == 64 && sizeof (CmIdPage) == CM_PAGE_BYTES);

/* What few agents have. */
typedef struct {
  GHashTable *listeners; /* service id -> listener; NULL without any */
  CmRetryStates *retry_states; /* NULL without any */
  GPtrArray *peers;      /* CmId that connect peer to peer; NULL without any */
  guint32 *few_ids;      /* with few communication ids: slot + 1 of each; else NULL */
  guint n_few_ids, next_few_id;
  CmPending *queue_first, *queue_last; /* messages that may not go yet */
  HostMemory memory;
} CmAgentExtra;

/* There may be millions of them. */
struct CmAgent {
  CmShared *shared;
  const CmProfile *profile; /* of its host */
  Hca *hca;
  MadTimers timers;
  CmAgentExtra *extra;   /* made when it is first needed */
  guint outstanding;     /* messages sent that wait for an answer */
  guint index;
};

typedef struct {
  guint32 *entries; /* bits of the hash, slot + 1 */
  guint32 size;
  guint32 count;  /* ids */
  guint32 used;   /* entries that are not empty */
} CmIndex;

#define CM_CHUNKS 18 /* see cm_shared_id() */

struct CmShared {
  SimEngine *engine;
  const CmProfile *profile;
  const CmConsumerOps *ops;  /* of all agents; NULL before the first */
  GPtrArray *clocks;         /* CmClock: one per profile, of the agents' timers */
  SimTime deadline;          /* of the message whose timer has just expired */
  SimNumbered agents;        /* by index + 1 */
  CmIdPage *chunks[CM_CHUNKS]; /* each as large as all before it together */
  guint32 n_slots;
  guint32 free_first, free_last, n_free; /* slot + 1: first released, first reused */
  guint alive;
  CmIndex indices[CM_INDEX_N];
  GHashTable *retries;       /* slot -> CmRetry, of the active ends with other than nominal
                              * intervals; NULL without any */
  SimNumbered pending;           /* CmPending */
  SimNumbered timewaits;         /* SimEventId */
  CmCounters counters;
  const CmObserverOps *observer;
  gpointer observer_owner;
};

CmAgentExtra *cm_agent_extra (CmAgent *agent);
static inline gboolean
cm_agent_has_few_ids (const CmAgent *agent)
{
  return agent->extra && agent->extra->few_ids;
}
static inline gboolean
cm_agent_queues (const CmAgent *agent)
{
  return agent->extra && agent->extra->queue_first;
}
/* Sends an answer, if there is memory for it. */
void cm_agent_answer (CmAgent *agent, IbMad *mad);
/* One allocation of the host's: TRUE if it fails. */
gboolean cm_agent_no_memory (CmAgent *agent);

/* A fresh id in IDLE with a local communication id. */
CmId *cm_shared_alloc (CmShared *shared, CmAgent *agent, IbLid remote);
void cm_shared_release (CmShared *shared, CmId *id);
/* Forgets an id as a crash does: no event, nothing on the wire. */
void cm_shared_lose (CmShared *shared, CmId *id);
/* Chunk c begins with page FIRST x (2^c - 1). */
#define CM_CHUNK_FIRST 4u
static inline CmId *
cm_shared_id (const CmShared *shared, guint32 slot)
{
  guint32 page = slot / CM_PAGE_IDS, place = page + CM_CHUNK_FIRST;
  guint chunk = 29 - (guint) __builtin_clz (place); /* 2^2: chunk 0 */

  return &shared->chunks[chunk][place - (CM_CHUNK_FIRST << chunk)].ids[slot - page * CM_PAGE_IDS];
}
static inline CmIdPage *
cm_id_page (const CmId *id)
{
  return (CmIdPage *) ((guintptr) id & ~(guintptr) (CM_PAGE_BYTES - 1));
}
static inline guint32
cm_id_slot (const CmId *id)
{
  CmIdPage *page = cm_id_page (id);

  return page->first_slot + (guint32) (id - page->ids);
}
static inline CmShared *
cm_id_shared (const CmId *id)
{
  return cm_id_page (id)->shared;
}
static inline CmAgent *
cm_id_agent (const CmId *id)
{
  return sim_numbered_at (&cm_id_shared (id)->agents, id->agent);
}
void cm_ids_free (CmShared *shared);
/* The id of this agent with that local communication id, or NULL. */
CmId *cm_shared_find (CmShared *shared, const CmAgent *agent, guint32 local_id);
/* A search for it will follow soon. */
void cm_shared_expect_own (const CmShared *shared, const CmAgent *agent, guint32 local_id);
/* Gives the record of the timewait back. */
static inline void
cm_shared_leave_timewait (CmShared *shared, CmId *id)
{
  sim_numbered_put (&shared->timewaits, id->waits_by);
  id->waits_by = 0;
  id->in_timewait = FALSE;
}
/* With few communication ids: the consumer has let go of it, its number is free. */
void cm_shared_free_number (CmId *id);

/* How the end spaces its repeats; NULL: nominal intervals. */
CmRetry *cm_shared_retry (const CmId *id);
void cm_shared_set_retry (CmId *id, CmRetry *retry); /* (transfer full) */

/* cm_index.c */
void cm_index_expect (CmShared *shared, CmIndex *index, guint32 ids);
void cm_index_clear (CmShared *shared, CmIndex *index);
void cm_shared_index (CmShared *shared, CmId *id);
void cm_shared_unindex (CmShared *shared, CmId *id);
CmId *cm_shared_find_remote_id (const CmShared *shared, CmAgent *agent, guint64 ca_guid,
                                guint32 remote_id);
CmId *cm_shared_find_remote_qpn (const CmShared *shared, CmAgent *agent, guint64 ca_guid,
                                 guint32 qpn);
/* Both searches for what this REQ or REP says will follow soon. */
void cm_shared_expect_remote (const CmShared *shared, const CmAgent *agent, const IbCmMsg *msg);
/* The SIDR_REQ of `source` that is being judged. */
CmId *cm_shared_find_request (const CmShared *shared, CmAgent *agent, IbLid source,
                              guint32 request_id);

/* cm_agent.c, for cm_receive.c, cm_calls.c and cm_pending.c */
SimTime cm_agent_send (CmAgent *agent, IbMad *mad);
/* One event for the machine of connections, SIDR, alternate paths; the id may be gone
 * afterwards.  -EINVAL for a misuse. */
gint cm_agent_feed (CmId *id, const CmEvent *event);
gint cm_agent_feed_sidr (CmId *id, const CmEvent *event);
gint cm_agent_feed_lap (CmId *id, const CmEvent *event);
/* The response timer has expired; last: and the deadline is over. */
void cm_agent_feed_timeout (CmId *id, gboolean last);
/* A REQ or SIDR_REQ for a listener. */
void cm_agent_new_request (CmAgent *agent, const IbMad *mad, gpointer listener);
/* Ends that connect peer to peer, and that of them which a REQ from `source` crosses. */
void cm_agent_add_peer (CmAgent *agent, CmId *id);
CmId *cm_agent_find_peer (const CmAgent *agent, guint64 service_id, IbLid source);

/* cm_receive.c: a CM MAD for this agent. */
extern const HcaGsiOps cm_receive_ops;

/* The CM agent of one host: binds the pure state machine to the simulator.
 *
 * MADs come in from QP1, are matched to a connection (communication ids, the
 * duplicate and stale tables) and become events; effects become MADs, timers and
 * news for the consumer.  Source of the matching rules: Linux cm.c
 * (cm_req_handler, cm_match_req, cm_rep_handler, cm_acquire_rejected_id). */
#pragma once

#include "cm_effects.h"
#include "cm_fsm.h"
#include "host_memory.h"
#include "hca.h"
#include "mad_timer.h"
#include "retry.h"

typedef struct CmShared CmShared; /* tables and pools of all agents of a world */
typedef struct CmAgent CmAgent;
typedef struct CmId CmId;         /* one end of a connection */

/* The answer of a listener to a new REQ. */
typedef struct {
  CmEventType event; /* CM_EV_REQ_ADMITTED, _DROPPED, _REJECTED, _DEFERRED */
  guint reason;      /* REJECTED */
  guint32 retry_after_us; /* REJECTED: busy hint; 0: none */
  IbLid redirect;         /* REJECTED with reason 24 or 25: port to go to; 0: none */
  guint mra;              /* DROPPED: an MRA with this code goes out all the same; 0: none */
  guint service_timeout; /* DEFERRED */
} CmVerdict;

typedef struct {
  /* A new REQ for a service this consumer listens on: what to do with it? */
  CmVerdict (*request) (gpointer listener, const IbCmMsg *req, IbLid source);
  /* It was ADMITTED or DEFERRED and has got an id; returns the id's owner. */
  gpointer (*child) (gpointer listener, CmId *id, const IbCmMsg *req, CmEventType verdict);
  /* News of a connection; owner as given to cm_connect() or returned by child(). */
  void (*notify) (gpointer owner, CmId *id, CmNotify notify, gint status);
} CmConsumerOps;

/* Watches transitions; may be NULL. */
typedef struct {
  void (*transition) (gpointer owner, SimTime now, guint host, const CmConn *conn,
                      const CmFsmRow *row, CmState from);
} CmObserverOps;

typedef struct {
  guint64 sent[IB_CM_ATTR_COUNT];    /* by attribute, first sends and repeats */
  guint64 retries[IB_CM_ATTR_COUNT]; /* repeats among them */
  guint64 received[IB_CM_ATTR_COUNT];
  guint64 duplicates[IB_CM_ATTR_COUNT];
  guint64 rejs_unmatched; /* REJs received for an end that is gone, or never was */
  guint64 unsent;         /* answers there was no memory for */
  guint64 reqs_without_memory; /* REQs that were lost because there was none for their id */
  guint64 misuse; /* MISUSE rows met by a message or a timer: must stay 0 */
} CmCounters;

CmShared *cm_shared_new (SimEngine *engine, const CmProfile *profile);
void cm_shared_free (CmShared *shared);
/* Before the first id: so many may be there at a time, which spares the search tables their
 * growing. */
void cm_shared_expect (CmShared *shared, guint ids);
void cm_shared_observe (CmShared *shared, const CmObserverOps *ops, gpointer owner);
const CmCounters *cm_shared_counters (const CmShared *shared); /* of all agents */
guint cm_shared_ids (const CmShared *shared);                  /* CmIds alive */

/* profile: of this host, borrowed; NULL: the shared one.  index: number of the host.
 * jiffies_offset: see mad_timer.h. */
CmAgent *cm_agent_new (CmShared *shared, const CmProfile *profile, Hca *hca, guint index,
                       SimTime jiffies_offset, const CmConsumerOps *ops);
void cm_agent_free (CmAgent *agent);
/* Before the first id: the agent hands out n communication ids in turn, each again as soon
 * as its consumer has destroyed the id, so that they come back soon, timewait or not.  While
 * all are in use there are more. */
void cm_agent_limit_ids (CmAgent *agent, guint n);

/* Memory of the host runs short; params: borrowed.  key: names the stream of what fails. */
void cm_agent_limit_memory (CmAgent *agent, const HostMemoryParams *params, SimStreamKey key);

/* One listener per service id; listener: (transfer full), freed with g_free(). */
void cm_agent_listen (CmAgent *agent, guint64 service_id, gpointer listener);
void cm_agent_unlisten (CmAgent *agent, guint64 service_id);

typedef struct {
  IbLid destination;
  guint64 service_id;
  guint32 qpn, starting_psn;
  guint packet_lifetime;       /* code of the path */
  guint response_timeout;      /* code, for both fields */
  guint max_retries;
  IbCmWrong wrong;             /* what the peer cannot go along with in its REQs */
  gboolean peer;               /* peer to peer: both sides send a REQ for the service */
  const SimChoice *retry;      /* RetryPolicy; borrowed, outlives the id */
  guint64 retry_stream;        /* index of the stream the policy draws from */
} CmConnectRequest;

/* Sends a REQ. */
CmId *cm_connect (CmAgent *agent, const CmConnectRequest *request, SimStreamKey retry_key,
                  gpointer owner);
/* Consumer calls on an id; -EINVAL when the state does not allow it, else 0. */
gint cm_accept (CmId *id, guint32 qpn, guint32 starting_psn);
gint cm_reject (CmId *id, guint reason, IbLid redirect); /* redirect: see CmVerdict */
gint cm_establish (CmId *id);       /* RTU */
gint cm_prepare_mra (CmId *id);
gint cm_disconnect (CmId *id);      /* DREQ or DREP by state */
/* A deferred request is decided now. */
void cm_resolve_deferred (CmId *id, CmVerdict verdict);
/* The consumer lets go; what goes on the wire depends on the state.  The id must
 * not be used afterwards. */
void cm_destroy (CmId *id);
/* The host has crashed: the id is gone without a word. */
void cm_abandon (CmId *id);

/* Alternate paths of an established connection: LAP, APR with a status, and an MRA (code; 0:
 * the profile's).  0 or -EINVAL. */
gint cm_load_alternate (CmId *id);
gint cm_answer_alternate (CmId *id, guint status);
gint cm_delay_alternate (CmId *id, guint service_timeout);

/* Service ID resolution (SIDR), for UD. */
typedef struct {
  IbLid destination;
  guint64 service_id;
  guint response_timeout; /* code; the timer counts no path */
  guint max_retries;
} CmServiceRequest;

/* Sends a SIDR_REQ; SIDR_REP_RECEIVED with a status, or SIDR_REQ_ERROR follows. */
CmId *cm_resolve_service (CmAgent *agent, const CmServiceRequest *request, gpointer owner);
/* Answers one; 0 or -EINVAL. */
gint cm_reply_service (CmId *id, guint status, guint32 qpn);

/* Data for the QP of an end has arrived, and the adapter raises "communication
 * established" for it. */
void cm_agent_data_arrived (CmAgent *agent, guint32 local_id, guint32 qpn);

const CmConn *cm_id_conn (const CmId *id);
IbLid cm_id_remote (const CmId *id);

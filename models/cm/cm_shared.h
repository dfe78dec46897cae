/* What all CM agents of a world share: the pool of ids and the two search tables
 * of Linux cm.c (remote_id_table, remote_qp_table).  Private to models/cm. */
#pragma once

#include "cm_agent.h"
#include "cm_retry.h"

struct CmId {
  CmAgent *agent;
  gpointer owner;          /* consumer's; NULL after destroy */
  CmRetry *retry;          /* active side; NULL: nominal intervals */
  MadWait wait;
  SimEventId timewait;
  SimTime sent_at;         /* completion of the last send */
  CmConn conn;
  IbLid remote;
  guint32 slot;            /* number in the pool */
  guint16 depth;           /* events being handled */
  guint8 generation;       /* high bits of the communication id */
  guint8 held;       /* the consumer has not destroyed it */
  guint8 indexed;
};

struct CmAgent {
  CmShared *shared;
  Hca *hca;
  MadTimers *timers;
  const CmConsumerOps *ops;
  GHashTable *listeners; /* service id -> listener; NULL without any */
  CmRetryStates *retry_states; /* NULL without any */
  guint index;
};

struct CmShared {
  SimEngine *engine;
  const CmProfile *profile;
  GHashTable *by_remote_id;  /* set of CmId, by (agent, remote CA GUID, remote id) */
  GHashTable *by_remote_qpn; /* set of CmId, by (agent, remote CA GUID, remote QPN) */
  GPtrArray *chunks;         /* of CmId */
  GQueue free_slots;         /* first released, first reused */
  guint32 n_slots;
  guint alive;
  CmCounters counters;
  const CmObserverOps *observer;
  gpointer observer_owner;
};

/* A fresh id in IDLE with a local communication id. */
CmId *cm_shared_alloc (CmShared *shared, CmAgent *agent, IbLid remote);
void cm_shared_release (CmShared *shared, CmId *id);
/* The id of this agent with that local communication id, or NULL. */
CmId *cm_shared_find (CmShared *shared, const CmAgent *agent, guint32 local_id);
void cm_shared_index (CmShared *shared, CmId *id);
void cm_shared_unindex (CmShared *shared, CmId *id);
CmId *cm_shared_find_remote_id (CmShared *shared, CmAgent *agent, guint64 ca_guid,
                                guint32 remote_id);
CmId *cm_shared_find_remote_qpn (CmShared *shared, CmAgent *agent, guint64 ca_guid, guint32 qpn);

/* cm_agent.c, for cm_receive.c */
extern const MadTimerOps cm_agent_timer_ops;
SimTime cm_agent_send (CmAgent *agent, IbMad *mad);
void cm_agent_feed_message (CmId *id, CmEventType type, const IbCmMsg *msg);
void cm_agent_feed_disconnect (CmId *id);
void cm_agent_new_request (CmAgent *agent, const IbMad *mad, gpointer listener);

/* cm_receive.c: a CM MAD for this agent. */
extern const HcaGsiOps cm_receive_ops;

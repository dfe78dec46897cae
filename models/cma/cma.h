/* RDMA CM: addresses, routes and connections above the IB CM of one host.
 *
 * A CmaId is one rdma_cm_id.  After a failure it can only be destroyed: a retry
 * takes a new one (Linux cma.c).  Events and statuses are Linux's (rdma_cm.h). */
#pragma once

#include "cm_agent.h"
#include "host.h"
#include "sim_slab.h"
#include "sa_groups.h"
#include "sa_ipoib.h"
#include "tcp.h"

#define CMA_EVENT_LIST(X) \
  X (ADDR_RESOLVED)   \
  X (ADDR_ERROR)      /* -ETIMEDOUT */ \
  X (ROUTE_RESOLVED)  \
  X (ROUTE_ERROR)     /* -ETIMEDOUT, -EINVAL */ \
  X (CONNECT_REQUEST) \
  X (CONNECT_RESPONSE) \
  X (UNREACHABLE)     /* -ETIMEDOUT: retries exhausted; UD: or the SIDR_REP's status */ \
  X (REJECTED)        /* REJ reason, positive */ \
  X (ESTABLISHED)     \
  X (MULTICAST_JOIN)  \
  X (MULTICAST_ERROR) /* -ETIMEDOUT, -EINVAL; at a member -ENETRESET */ \
  X (DISCONNECTED)    /* 0, or -ETIMEDOUT: DREQ retries exhausted */ \
  X (TIMEWAIT_EXIT)   \
  X (PATH_OFFERED)    /* not Linux's, here and below: LAP received */ \
  X (PATH_ANSWERED)   /* APR received, with its status */

typedef enum {
#define X(name) CMA_##name,
  CMA_EVENT_LIST (X)
#undef X
} CmaEventType;

const char *cma_event_name (CmaEventType type); /* "CONNECT_RESPONSE" */

/* Port spaces: high half of the service id (cma.c rdma_get_service_id). */
typedef enum {
  CMA_PORT_SPACE_TCP = 0x0106,
  CMA_PORT_SPACE_UDP = 0x0111, /* UD: no connection, the service is resolved by SIDR */
  CMA_PORT_SPACE_SDP = 0x0001,
  CMA_PORT_SPACE_IPOIB = 0x0002, /* UD with IPoIB's Q_Key */
  CMA_PORT_SPACE_IB = 0x013f,
  CMA_PORT_SPACE_WSD = 0x7773, /* Winsock Direct, not RDMA CM's: any number no other has */
  /* Not RDMA CM's: IPoIB connected mode, 0x1000000000000000 + QPN (RFC 4755). */
  CMA_PORT_SPACE_IPOIB_CM = 0x100000000000,
} CmaPortSpace;

static inline gboolean
cma_space_is_ud (guint64 space)
{
  return space == CMA_PORT_SPACE_UDP || space == CMA_PORT_SPACE_IPOIB;
}

static inline gboolean
cma_service_is_ud (guint64 service_id)
{
  return cma_space_is_ud (service_id >> 16);
}

static inline guint64
cma_service_id (CmaPortSpace space, guint port)
{
  return (guint64) space << 16 | port;
}

typedef struct CmaTransport CmaTransport;
typedef struct Cma Cma;
typedef struct CmaId CmaId;

typedef struct CmaChannel CmaChannel; /* see cma_channel.h */

typedef struct {
  void (*event) (gpointer owner, CmaId *id, CmaEventType type, gint status);
  /* The event channel that this event waits in until it is read; NULL, or no such function: it is
   * heard of at once.  Not asked for a CONNECT_REQUEST. */
  CmaChannel *(*channel) (gpointer owner, CmaEventType type);
} CmaIdOps;

/* Kinds of owners that ids of a config can have. */
#define CMA_ID_OPS_MAX 8

typedef struct {
  gboolean (*full) (gpointer listener); /* no slot is free; TCP asks before it takes a SYN */
  CmVerdict (*request) (gpointer listener, const IbCmMsg *req, IbLid source);
  /* A request was taken or deferred and has an id; returns the id's owner.  For one
   * taken, CONNECT_REQUEST follows at once. */
  gpointer (*child) (gpointer listener, CmaId *id, const IbCmMsg *req, gboolean deferred);
  CmaIdOps id_ops; /* of the children */
} CmaListenOps;

typedef struct {
  SimEngine *engine;
  Fabric *fabric;
  CmShared *cm;
  const CmProfile *profile;
  const HostGroupParams *host;
  HcaGroup *hca_group; /* made from host->hca */
  TcpShared *tcp;     /* iWARP and TCP; NULL: the IB CM */
  const CmaTransport *transport; /* filled in by cma_config_init() */
  IbLid sm_lid;       /* 0: no subnet administrator, paths are made up locally */
  struct { /* names of the hosts' streams, see cma_config_init() */
    SimStreamKey create, address, psn, phase, retry, memory;
  } keys;
  SimSlab hosts, ids;    /* Cma, CmaId */
  const CmaIdOps *id_ops[CMA_ID_OPS_MAX]; /* those that ids have had so far; else NULL */
  SaClientGroup *sa;     /* NULL without an SA */
  const SaGroupsParams *sa_groups; /* what the SA makes of groups; borrowed; NULL without an SA */
  SaMulticastCounters multicast; /* of its hosts */
  GHashTable *queued; /* CmaId -> its events in channels; looked up only; NULL: none so far */
} CmaConfig;

/* Names the streams; the rest of *config is the caller's. */
void cma_config_init (CmaConfig *config, guint64 seed, guint32 replication);
void cma_config_clear (CmaConfig *config); /* after its hosts; frees the ids that are left */

/* Makes the host's HCA, CM agent and SA client too.  config: what the hosts of a group
 * share, borrowed.  index: number of the host, names its streams. */
Cma *cma_new (CmaConfig *config, guint index);
void cma_free (Cma *cma);
guint cma_index (const Cma *cma);
Hca *cma_hca (const Cma *cma);
/* Its applications have sockets: no ucma stands between them and the stack. */
gboolean cma_is_plain (const Cma *cma);
SaClient *cma_sa_client (const Cma *cma); /* NULL without an SA */
/* Cost of creating an id on this host, one draw. */
SimTime cma_create_cost (Cma *cma);

void cma_listen (Cma *cma, guint64 service_id, const CmaListenOps *ops, gpointer listener);
/* Requests are answered REJ 8 from now on; children live on. */
void cma_unlisten (Cma *cma, guint64 service_id);

/* ops: one of CMA_ID_OPS_MAX at most of the config; stays where it is. */
CmaId *cma_id_new (Cma *cma, const CmaIdOps *ops, gpointer owner);
void cma_destroy (CmaId *id); /* no event follows */
/* The host has crashed: the id is gone without a word to the peer. */
void cma_lose (CmaId *id);

/* Active side, in this order; each answers by an event. */
void cma_resolve_addr (CmaId *id, IbLid destination, SimTime timeout);
void cma_resolve_route (CmaId *id, SimTime timeout);
/* For a UD id that joins a group.  The group's address: nobody need be asked for it, but the
 * answer is an event all the same. */
void cma_resolve_group (CmaId *id);
/* In its place: the id has a device and a local address, at once. */
void cma_bind (CmaId *id);
/* In place of the latter: the path is known, with this packet lifetime (code). */
void cma_set_path (CmaId *id, guint packet_lifetime);
/* Of the path, a code; without one, what the profile assumes. */
guint cma_id_path_lifetime (const CmaId *id);

/* The REQ has four bits for it. */
#define CMA_MAX_CM_RETRIES 15

typedef struct {
  guint64 service_id;
  guint32 qpn;            /* 0: the host's next */
  guint max_retries;      /* CMA_MAX_CM_RETRIES at most, more are that many */
  guint response_timeout; /* code */
  IbCmWrong wrong;        /* what the peer cannot go along with in its REQs */
  const SimChoice *retry;
  guint64 retry_stream;
} CmaConnectParams;

/* Sends the REQ.  `destination` as resolved, or given here when nothing was
 * resolved (then the profile's packet lifetime holds). */
void cma_connect (CmaId *id, IbLid destination, const CmaConnectParams *params);
gint cma_establish (CmaId *id); /* RTU; 0 or -EINVAL */
/* Passive side; 0 or -EINVAL when the peer has gone, or the id has no connection: a stream
 * that was refused is not the id's any more. */
gint cma_accept (CmaId *id);
gint cma_reject (CmaId *id, guint reason, IbLid redirect); /* redirect: see CmVerdict */
void cma_resolve_deferred (CmaId *id, CmVerdict verdict);
/* Either side. */
gint cma_disconnect (CmaId *id);

/* Multicast (cma_multicast.c).  The id's port space, which Linux's id knows from its creation,
 * comes with the call. */
typedef struct {
  CmaPortSpace space;
  IbGroupAddress address;
  guint join_state; /* IB_JOIN_FULL or IB_JOIN_SEND_ONLY_FULL */
} CmaJoinParams;

/* What MULTICAST_JOIN brings: where to send. */
typedef struct {
  guint32 qpn; /* 0xFFFFFF */
  guint32 qkey;
  guint16 mlid; /* of the address handle; 0 on RoCE */
  IbGid mgid;
} CmaGroup;
#define CMA_MULTICAST_QPN 0xffffff
#define CMA_UDP_QKEY 0x01234567 /* RDMA_UDP_QKEY */

/* rdma_join_multicast: after cma_bind() or ADDR_RESOLVED and before a route is asked for.  0,
 * then MULTICAST_JOIN or MULTICAST_ERROR follows; or at once -EINVAL (state, port space),
 * -EADDRNOTAVAIL (IPoIB is not in its broadcast group), -EOPNOTSUPP (send-only, and the SA does
 * not know it), -ENOSYS (iWARP, TCP). */
gint cma_join_multicast (CmaId *id, const CmaJoinParams *params);
/* rdma_leave_multicast: no event follows; 0, or -EADDRNOTAVAIL: it has no such join. */
gint cma_leave_multicast (CmaId *id, const IbGroupAddress *address);
/* Inside MULTICAST_JOIN: the group.  Inside MULTICAST_ERROR, or elsewhere: NULL. */
const CmaGroup *cma_id_group (const CmaId *id);

/* The host has to do with multicast from now on: its IPoIB gets going. */
void cma_multicast_begin (Cma *cma);
/* The host's IPoIB is up or will be; FALSE: the host has none. */
gboolean cma_ipoib_comes_up (const Cma *cma);
/* IPoIB joins by itself, tells when the port is in and tries until it is; FALSE if the host
 * has none.  It stays in until the end. */
gboolean cma_ipoib_join (Cma *cma, const IbGroupAddress *address, SaIpoibJoined joined,
                         gpointer owner);
/* The SM asks to register again, the port had an error, or its LID has changed. */
void cma_multicast_reset (Cma *cma);

/* Alternate paths of a connection: LAP, answered by PATH_ANSWERED; APR with a status, and an
 * MRA (code) that asks for time before it; 0 or -EINVAL.  Linux's rdma_cm has no such calls,
 * its ib_cm has. */
gint cma_load_alternate (CmaId *id);
gint cma_answer_alternate (CmaId *id, guint status);
gint cma_delay_alternate (CmaId *id, guint service_timeout);

/* Where data of the id's QP goes; connected ids only. */
typedef struct {
  IbLid lid;
  guint32 cm_id, qpn;
} CmaPeer;

CmaPeer cma_id_data_peer (const CmaId *id);
/* Data has come for that QP of the host. */
void cma_data_arrived (Cma *cma, guint32 cm_id, guint32 qpn);

guint32 cma_id_qpn (const CmaId *id);  /* peer's QPN; 0: no connection */
IbLid cma_id_peer (const CmaId *id);
guint32 cma_id_comm_id (const CmaId *id); /* own communication id, after cma_connect() */
guint cma_id_reqs (const CmaId *id);   /* REQs it has sent */
IbLid cma_id_redirect (const CmaId *id); /* inside REJECTED: port the REJ names; 0: none */
SimTime cma_id_retry_after (const CmaId *id); /* inside REJECTED: busy hint of the REJ; 0: none */
gboolean cma_id_has_cm (const CmaId *id); /* it owns an id of the IB CM */

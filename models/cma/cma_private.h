/* What the parts of the RDMA CM share: ids (cma.c), addresses and routes (cma_resolve.c), and
 * the transports below: the IB CM (cma_ib.c) and TCP streams (cma_stream.c). */
#pragma once

#include "cma.h"
#include "cma_qpns.h"

typedef struct CmaMulticast CmaMulticast;

/* There may be millions of them. */
struct Cma {
  CmaConfig *config;
  Hca *hca;
  union {
    CmAgent *agent; /* cma_ib */
    TcpStack *tcp;  /* cma_stream */
  };
  SaClient *sa;
  CmaMulticast *multicast; /* NULL: nobody has joined anything */
  guint64 create, address, psn; /* streams at rest */
  guint index;
  CmaQpns qpns;
};

/* What an id waits for, or has: one after the other. */
typedef enum {
  CMA_ID_IDLE,
  CMA_ID_EVENT, /* address resolution, or a route found without the SA */
  CMA_ID_QUERY,
  CMA_ID_CONNECTION,
} CmaIdPhase;

/* There may be millions of them, nearly all with a connection and nothing else. */
struct CmaId {
  Cma *cma;
  gpointer owner;
  union {
    CmId *cm;
    TcpSocket *tcp;
    SaQuery *query;
    SimEventId event;
  };
  IbLid destination;
  guint8 packet_lifetime;
  guint8 depth; /* events being delivered */
  guint16 phase : 2; /* CmaIdPhase */
  guint16 ops : 3;   /* in CmaConfig.id_ops */
  guint16 destroyed : 1;
  guint16 disconnected : 1; /* told so */
  guint16 ud : 1;
  guint16 bound : 1;  /* ADDR_BOUND or ADDR_RESOLVED: it may join groups */
  guint16 queued : 1; /* events of it wait in a channel */
  guint16 joins : 1;  /* it has joined some, or tries to */
};

/* It has got a connection, or has none any more. */
static inline void
cma_id_connected (CmaId *id, gpointer cm_or_tcp)
{
  id->cm = cm_or_tcp;
  id->phase = CMA_ID_CONNECTION;
}

static inline gpointer
cma_id_steal (CmaId *id)
{
  id->phase = CMA_ID_IDLE;
  return id->cm;
}

/* A listener registered with the transport, which owns it. */
typedef struct {
  Cma *cma;
  const CmaListenOps *ops;
  gpointer listener;
} CmaListen;

/* What a transport does for the calls of the same name; those for an id are made only while
 * it has a connection. */
struct CmaTransport {
  void (*start) (Cma *cma, SimTime phase);
  void (*stop) (Cma *cma);
  void (*listen) (Cma *cma, guint64 service_id, CmaListen *listen);
  void (*unlisten) (Cma *cma, guint64 service_id);
  void (*connect) (CmaId *id, const CmaConnectParams *params);
  gint (*establish) (CmaId *id);
  gint (*accept) (CmaId *id);
  gint (*reject) (CmaId *id, guint reason, IbLid redirect);
  /* One turned away has no connection any more. */
  void (*resolve_deferred) (CmaId *id, CmVerdict verdict);
  gint (*disconnect) (CmaId *id);
  void (*release) (CmaId *id, gboolean lost); /* the id lets go; lost: the host crashed */
  guint32 (*qpn) (const CmaId *id);
  CmaPeer (*data_peer) (const CmaId *id);
  void (*data_arrived) (Cma *cma, guint32 cm_id, guint32 qpn);
  guint32 (*comm_id) (const CmaId *id);
  guint (*reqs) (const CmaId *id);
  SimTime (*retry_after) (const CmaId *id);
  IbLid (*redirect) (const CmaId *id);
  gint (*load_alternate) (CmaId *id);
  gint (*answer_alternate) (CmaId *id, guint status);
  gint (*delay_alternate) (CmaId *id, guint service_timeout);
};

extern const CmaTransport cma_ib, cma_stream;

/* cma_channel.c: the event waits there, or is lost; group: that it is about, or NULL. */
void cma_channel_put (CmaChannel *channel, CmaId *id, CmaEventType type, gint status,
                      const CmaGroup *group);
/* The id goes; it has left a group: what waits is not read. */
void cma_channel_forget (CmaId *id);
void cma_channel_forget_group (CmaId *id, const CmaGroup *group);

/* cma.c: what was read in a channel. */
void cma_deliver_read (CmaId *id, CmaEventType type, gint status, const CmaGroup *group);
/* cma_multicast.c: the group that an event is about, for cma_id_group(); of no use while its qpn
 * is 0.  Returns the one before. */
const CmaGroup *cma_multicast_tell (Cma *cma, const CmaGroup *group);
const CmaGroup *cma_multicast_current (const Cma *cma);

/* cma.c: DISCONNECTED, once. */
void cma_deliver_disconnected (CmaId *id, gint status);
/* cma.c: tells the id's owner, unless it has let go; frees an id that is let go of, once
 * nothing of it is under way. */
void cma_deliver (CmaId *id, CmaEventType type, gint status);
void cma_release_if_destroyed (CmaId *id);

/* cma.c: the host's next packet sequence number. */
guint32 cma_new_psn (Cma *cma);

/* cma_multicast.c: the id goes, and with it its joins; lost: the host crashed. */
void cma_multicast_drop (CmaId *id, gboolean lost);
void cma_multicast_free (CmaMulticast *multicast);

/* cma_resolve.c */
extern const SaClientOps cma_sa_ops;

/* What the parts of the RDMA CM share: ids and connections (cma.c), addresses and routes
 * (cma_resolve.c). */
#pragma once

#include "cma.h"

struct Cma {
  const CmaConfig *config;
  Hca *hca;
  CmAgent *agent;
  SaClient *sa;
  SimStream create, address, psn;
  guint index;
  guint32 next_qpn;
};

struct CmaId {
  Cma *cma;
  const CmaIdOps *ops;
  gpointer owner;
  CmId *cm;
  SaQuery *query;
  SimEventId event; /* address resolution, or a route found without the SA */
  gint event_status;
  IbLid destination;
  guint8 packet_lifetime;
  guint8 depth; /* events being delivered */
  gboolean destroyed;
  gboolean disconnected; /* told so */
  gboolean ud;
};

/* cma.c: tells the id's owner, unless it has let go; frees an id that is let go of, once
 * nothing of it is under way. */
void cma_deliver (CmaId *id, CmaEventType type, gint status);
void cma_release_if_destroyed (CmaId *id);

/* cma_resolve.c */
extern const SaClientOps cma_sa_ops;

/* The fabric: ports joined by one switchless wire model.
 *
 * A MAD sent waits for the sender's egress link (serialisation at the link rate),
 * then takes the latency, unless the loss model says otherwise. */
#pragma once

#include "loss.h"
#include "mad_pool.h"
#include "sim_engine.h"

typedef struct {
  SimDist latency;       /* one way, after the last bit left */
  guint64 rate_bps;      /* link rate; 0 = no serialisation */
  guint64 overhead_bytes; /* headers around the 256-byte MAD: 34 native, 66 RoCEv2 */
  SimChoice loss;        /* LossClass */
  guint transport;       /* FabricTransport */
} FabricParams;

typedef enum {
  FABRIC_TRANSPORT_IB,   /* paths come from the subnet administrator */
  FABRIC_TRANSPORT_ROCE, /* paths are made up locally */
  FABRIC_TRANSPORT_IWARP, /* requests ride in TCP streams */
  FABRIC_TRANSPORT_TCP,  /* plain sockets, as the yardstick */
} FabricTransport;

extern const SimParam fabric_params[];

typedef enum {
  FABRIC_FATE_DELIVERED,
  FABRIC_FATE_DROPPED,
  FABRIC_FATE_DELAYED,
  FABRIC_FATE_DUPLICATED,
} FabricFate;

/* Who watches the wire (tracing, pcap, comparisons).  `sent` is called when the
 * sender hands the MAD to its link, also if it is then lost; `now` never decreases. */
typedef struct {
  void (*sent) (gpointer owner, SimTime now, const IbMad *mad, FabricFate fate);
} FabricObserverOps;

typedef struct {
  /* slot: of the MAD in fabric_mad_pool(), the receiver's from now on, who drops it. */
  void (*deliver) (gpointer owner, guint32 slot);
} FabricPortOps;

typedef struct Fabric Fabric;

/* Streams are named ("port", lid, "loss" / "latency") under seed and replication.
 * params is borrowed. */
Fabric *fabric_new (SimEngine *engine, const FabricParams *params, guint64 seed,
                    guint32 replication);
void fabric_free (Fabric *fabric);
/* Adds a port; LIDs are 1, 2, 3, ... in order of addition. */
IbLid fabric_add_port (Fabric *fabric, const FabricPortOps *ops, gpointer owner);
/* Tells the loss model that `count` ports from LID `first` on are the hosts of a
 * group; before the first MAD is sent. */
void fabric_name_ports (Fabric *fabric, const char *group, IbLid first, guint count);
void fabric_observe (Fabric *fabric, const FabricObserverOps *ops, gpointer owner);
/* Sends from mad->source to mad->destination.  Returns when the last bit has left
 * the sender (the send completion). */
SimTime fabric_send (Fabric *fabric, const IbMad *mad);
FabricTransport fabric_transport (const Fabric *fabric);
guint64 fabric_sent (const Fabric *fabric);
guint64 fabric_lost (const Fabric *fabric);
/* Storage for MADs in flight and for those that HCAs work on. */
MadPool *fabric_mad_pool (Fabric *fabric);
gsize fabric_port_footprint (void); /* bytes of a port */

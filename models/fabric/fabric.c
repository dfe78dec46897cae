/* The wire: egress serialisation per port, latency, the loss model's verdict, and
 * the MADs in flight.  What happens to a MAD before it is sent and after it has
 * arrived is the HCA's. */
#include "fabric.h"

#include <string.h>

/* There may be millions of them. */
typedef struct {
  const FabricPortOps *ops;
  gpointer owner;
  SimTime link_free; /* the egress link has sent everything by then */
} FabricPort;

/* Of a port, at rest; where nothing is drawn there are none. */
typedef struct {
  guint64 loss, latency;
} FabricStreams;

struct Fabric {
  SimEngine *engine;
  const FabricParams *params;
  const LossClass *loss;
  gpointer loss_shared;
  guint8 *loss_states; /* loss->state_size bytes per port */
  FabricPort *ports;   /* of LID 1, 2, ... */
  FabricStreams *streams; /* likewise; NULL: neither loss nor latency is drawn */
  gboolean draws;
  guint n_ports, ports_size;
  SimStreamKey loss_key, latency_key;
  SimTime serialisation;
  MadPool *pool;
  const FabricObserverOps *observer;
  gpointer observer_owner;
  guint64 sent, lost;
};

static const char *const transport_names[] = { "ib", "roce", "iwarp", "tcp", NULL };

#define ROW(row, field) .name = row, .offset = G_STRUCT_OFFSET (FabricParams, field)
const SimParam fabric_params[] = {
  { ROW ("latency", latency), .kind = SIM_PARAM_DIST, .value = "1.5us",
    .help = "One-way latency of a MAD after its last bit left the sender.",
    .source = "assumption: 1 to 2 us end to end, typical of data sheets (adapters and switches)" },
  { ROW ("rate", rate_bps), .kind = SIM_PARAM_BITRATE, .value = "100Gbps", .min = 0, .max = 1e14,
    .help = "Rate of a host's link; 0: a MAD takes no time to send.",
    .source = "assumption: EDR 4x" },
  { ROW ("overhead", overhead_bytes), .kind = SIM_PARAM_SIZE, .value = "34B", .min = 0,
    .max = 65536,
    .help = "Bytes around the 256 bytes of a MAD: 34B native, 74B with GRH, 66B RoCEv2 over IPv4.",
    .source = "IBTA vol. 1: LRH 8, BTH 12, DETH 8, ICRC 4, VCRC 2" },
  { ROW ("loss", loss), .kind = SIM_PARAM_CHOICE, .value = "none", .classes = loss_classes,
    .help = "What the wire loses, delays or duplicates; applies to all MADs.",
    .source = "idle fabrics lose about nothing; rings that overflow are modelled in the HCA" },
  { ROW ("transport", transport), .kind = SIM_PARAM_ENUM, .value = "ib", .names = transport_names,
    .help = "ib: paths come from the subnet administrator; roce: from the host itself; iwarp: a "
            "request rides in a TCP stream, where it cannot be dropped and come again; tcp: plain "
            "sockets, established when the server's application has accepted." },
  { .name = NULL },
};
#undef ROW

static void
fabric_deliver (gpointer owner, guint64 arg)
{
  Fabric *fabric = owner;
  guint32 slot = (guint32) arg;
  const FabricPort *port = &fabric->ports[mad_pool_at (fabric->pool, slot)->destination - 1];

  port->ops->deliver (port->owner, slot);
}

static const SimEventClass fabric_deliver_event = {
  .name = "fabric-deliver",
  .code = 0x46414201, /* "FAB" 1 */
  .fire = fabric_deliver,
};

/* Time one MAD keeps the link busy, to the nearest nanosecond. */
static SimTime
serialisation_time (const FabricParams *params)
{
  guint64 bits = (IB_MAD_BYTES + params->overhead_bytes) * 8;

  if (params->rate_bps == 0)
    return 0;
  return (SimTime) ((bits * (guint64) SIM_S (1) + params->rate_bps / 2) / params->rate_bps);
}

Fabric *
fabric_new (SimEngine *engine, const FabricParams *params, guint64 seed, guint32 replication)
{
  Fabric *fabric = g_new0 (Fabric, 1);

  fabric->engine = engine;
  fabric->params = params;
  fabric->loss = (const LossClass *) params->loss.klass; /* info is the head of the class */
  if (fabric->loss->shared_new != NULL)
    fabric->loss_shared = fabric->loss->shared_new (params->loss.params);
  fabric->loss_key = sim_stream_key (seed, replication, "port", "loss");
  fabric->latency_key = sim_stream_key (seed, replication, "port", "latency");
  fabric->serialisation = serialisation_time (params);
  fabric->draws = fabric->loss->judge != NULL || params->latency.kind != SIM_DIST_CONSTANT;
  fabric->pool = mad_pool_new ();
  return fabric;
}

void
fabric_free (Fabric *fabric)
{
  if (fabric->loss->shared_free != NULL)
    fabric->loss->shared_free (fabric->loss_shared);
  mad_pool_free (fabric->pool);
  g_free (fabric->loss_states);
  g_free (fabric->ports);
  g_free (fabric->streams);
  g_free (fabric);
}

IbLid
fabric_add_port (Fabric *fabric, const FabricPortOps *ops, gpointer owner)
{
  gsize state_size = fabric->loss->state_size;
  guint index = fabric->n_ports++;
  IbLid lid = index + 1;
  FabricPort *port;

  if (fabric->n_ports > fabric->ports_size) {
    guint size = fabric->ports_size == 0 ? 16 : fabric->ports_size * 2;

    fabric->ports = g_renew (FabricPort, fabric->ports, size);
    if (fabric->draws)
      fabric->streams = g_renew (FabricStreams, fabric->streams, size);
    fabric->loss_states = g_realloc_n (fabric->loss_states, size, state_size);
    fabric->ports_size = size;
  }
  port = &fabric->ports[index];
  *port = (FabricPort){ .ops = ops, .owner = owner };
  if (fabric->draws)
    fabric->streams[index] = (FabricStreams){ .loss = 0 };
  if (state_size > 0)
    memset (fabric->loss_states + index * state_size, 0, state_size);
  return lid;
}

void
fabric_name_ports (Fabric *fabric, const char *group, IbLid first, guint count)
{
  g_assert (fabric->sent == 0);
  if (fabric->loss->name_ports != NULL)
    fabric->loss->name_ports (fabric->loss_shared, group, first, count);
}

void
fabric_observe (Fabric *fabric, const FabricObserverOps *ops, gpointer owner)
{
  fabric->observer = ops;
  fabric->observer_owner = owner;
}

static void
fabric_judge (Fabric *fabric, const IbMad *mad, LossFate *fate)
{
  const LossClass *loss = fabric->loss;
  gpointer state = NULL;
  SimStream stream;
  guint64 *rest, awake;

  if (loss->judge == NULL)
    return;
  if (loss->state_size > 0)
    state = fabric->loss_states + (mad->source - 1) * loss->state_size;
  rest = &fabric->streams[mad->source - 1].loss;
  sim_stream_wake (&stream, fabric->loss_key, mad->source, *rest);
  awake = stream.state;
  loss->judge (fabric->params->loss.params, fabric->loss_shared, state, mad, &stream, fate);
  *rest += stream.state - awake;
}

static FabricFate
fate_kind (const LossFate *fate)
{
  if (fate->drop)
    return FABRIC_FATE_DROPPED;
  if (fate->copies > 0)
    return FABRIC_FATE_DUPLICATED;
  return fate->extra_delay > 0 ? FABRIC_FATE_DELAYED : FABRIC_FATE_DELIVERED;
}

/* What was sent and what became of it belongs in the fingerprint: delivery events
 * alone would not tell two messages apart. */
static void
fabric_note (Fabric *fabric, const IbMad *mad, FabricFate fate)
{
  guint64 message = mad->mgmt_class == IB_MGMT_CLASS_CM    ? mad->cm.attr
                    : mad->mgmt_class == IB_MGMT_CLASS_TCP ? mad->tcp.kind
                                                           : mad->sa.method;

  sim_engine_mix (fabric->engine, (guint64) mad->source << 32 | mad->destination);
  sim_engine_mix (fabric->engine, message << 16 | (guint64) mad->mgmt_class << 8 | fate);
  if (fabric->observer != NULL)
    fabric->observer->sent (fabric->observer_owner, sim_engine_now (fabric->engine), mad, fate);
}

SimTime
fabric_send (Fabric *fabric, const IbMad *mad)
{
  SimTime now = sim_engine_now (fabric->engine);
  FabricPort *port;
  LossFate fate = { .drop = FALSE };
  SimTime gone, arrival, latency;
  guint64 none = 0;

  g_assert (mad->source >= 1 && mad->source <= fabric->n_ports);
  g_assert (mad->destination >= 1 && mad->destination <= fabric->n_ports);
  port = &fabric->ports[mad->source - 1];
  gone = sim_time_add (MAX (now, port->link_free), fabric->serialisation);
  port->link_free = gone;
  fabric->sent++;

  /* Both draws are made for every MAD, so that a loss does not shift the latencies. */
  latency = sim_dist_sample_resting (
      &fabric->params->latency, fabric->latency_key, mad->source,
      fabric->streams ? &fabric->streams[mad->source - 1].latency : &none);
  fabric_judge (fabric, mad, &fate);
  fabric_note (fabric, mad, fate_kind (&fate));
  if (fate.drop) {
    fabric->lost++;
    return gone;
  }
  arrival = sim_time_add (sim_time_add (gone, latency), fate.extra_delay);
  for (guint copy = 0; copy <= fate.copies; copy++) {
    sim_engine_schedule_at (fabric->engine, arrival, &fabric_deliver_event, fabric,
                            mad_pool_put (fabric->pool, mad));
    arrival = sim_time_add (arrival, fate.copy_delay);
  }
  return gone;
}

FabricTransport
fabric_transport (const Fabric *fabric)
{
  return (FabricTransport) fabric->params->transport;
}

guint64
fabric_sent (const Fabric *fabric)
{
  return fabric->sent;
}

guint64
fabric_lost (const Fabric *fabric)
{
  return fabric->lost;
}

MadPool *
fabric_mad_pool (Fabric *fabric)
{
  return fabric->pool;
}

gsize
fabric_port_footprint (void)
{
  return sizeof (FabricPort) + sizeof (FabricStreams);
}

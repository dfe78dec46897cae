/* A fabric with ports that write down what arrives and what became of what was sent. */
#pragma once

#include "fabric.h"
#include "test_sim.h"

#define SEED 20260801

typedef struct {
  SimTime at;
  IbLid port;
  guint64 tid;
} Arrival;

typedef struct {
  SimEngine *engine;
  Fabric *fabric;
  FabricParams params;
  GArray *arrivals; /* Arrival */
  GArray *fates;    /* FabricFate */
  guint answers;    /* each arrival is answered so many times in all */
} Wire;

typedef struct {
  Wire *wire;
  IbLid lid;
} Port;

static inline void
port_deliver (gpointer owner, guint32 slot)
{
  Port *port = owner;
  Wire *wire = port->wire;
  const IbMad *mad = mad_pool_at (fabric_mad_pool (wire->fabric), slot);
  Arrival arrival = { sim_engine_now (wire->engine), port->lid, mad->cm.tid };

  g_assert (mad->destination == port->lid);
  g_array_append_val (wire->arrivals, arrival);
  if (wire->answers > 0)
    {
      IbMad answer = *mad;

      wire->answers--;
      answer.source = mad->destination;
      answer.destination = mad->source;
      fabric_send (wire->fabric, &answer);
      /* What was delivered must not have moved. */
      ck_assert_uint_eq (mad->destination, port->lid);
    }
  mad_pool_drop (fabric_mad_pool (wire->fabric), slot);
}

static inline void
wire_sent (gpointer owner, SimTime now, const IbMad *mad G_GNUC_UNUSED, FabricFate fate)
{
  Wire *wire = owner;

  g_assert (now == sim_engine_now (wire->engine));
  g_array_append_val (wire->fates, fate);
}

static const FabricPortOps port_ops = { .deliver = port_deliver };
static const FabricObserverOps wire_ops = { .sent = wire_sent };

/* 1500 ns latency, 8 Gb/s, native headers, no loss: 290 ns on the link. */
static inline Wire *
wire_new (void)
{
  Wire *wire = g_new0 (Wire, 1);

  wire->params = (FabricParams) {
    .latency = sim_dist_constant (SIM_NS (1500)),
    .rate_bps = G_GUINT64_CONSTANT (8000000000),
    .overhead_bytes = 34,
    .loss = { .klass = &loss_none.info },
  };
  wire->arrivals = g_array_new (FALSE, FALSE, sizeof (Arrival));
  wire->fates = g_array_new (FALSE, FALSE, sizeof (FabricFate));
  return wire;
}

static inline void
wire_start (Wire *wire, Port *ports, guint n_ports)
{
  wire->engine = sim_engine_new (NULL, 0);
  wire->fabric = fabric_new (wire->engine, &wire->params, SEED, 0);
  fabric_observe (wire->fabric, &wire_ops, wire);
  for (guint i = 0; i < n_ports; i++)
    {
      ports[i].wire = wire;
      ports[i].lid = fabric_add_port (wire->fabric, &port_ops, &ports[i]);
      ck_assert_uint_eq (ports[i].lid, i + 1);
    }
}

static inline void
wire_stop (Wire *wire)
{
  fabric_free (wire->fabric);
  sim_engine_free (wire->engine);
  g_array_set_size (wire->arrivals, 0);
  g_array_set_size (wire->fates, 0);
}

static inline void
wire_free (Wire *wire)
{
  g_array_unref (wire->arrivals);
  g_array_unref (wire->fates);
  g_free (wire);
}

static inline SimTime
wire_send (Wire *wire, IbLid source, IbLid destination, guint16 attr, guint64 tid)
{
  IbMad mad = {
    .source = source,
    .destination = destination,
    .mgmt_class = IB_MGMT_CLASS_CM,
    .cm = { .attr = attr, .tid = tid },
  };

  return fabric_send (wire->fabric, &mad);
}

static inline const Arrival *
wire_arrival (const Wire *wire, guint i)
{
  ck_assert_uint_lt (i, wire->arrivals->len);
  return &g_array_index (wire->arrivals, Arrival, i);
}

static inline FabricFate
wire_fate (const Wire *wire, guint i)
{
  ck_assert_uint_lt (i, wire->fates->len);
  return g_array_index (wire->fates, FabricFate, i);
}

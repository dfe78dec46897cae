/* An HCA's parts, its parameters and its counters.  QP1 is hca_gsi.c, the command
 * interface hca_command.c. */
#include "hca_private.h"

#define HCA_RING_MAX (1 << 20)

#define ROW(row, field) .name = row, .offset = G_STRUCT_OFFSET (HcaParams, field)
const SimParam hca_params[] = {
  { ROW ("recv_ring", recv_ring), .kind = SIM_PARAM_UINT, .value = "512", .min = 1,
    .max = HCA_RING_MAX, .help = "Receive buffers of QP1; a MAD that finds none free is lost.",
    .source = "Linux mad_priv.h IB_MAD_QP_RECV_SIZE" },
  { ROW ("send_ring", send_ring), .kind = SIM_PARAM_UINT, .value = "128", .min = 1,
    .max = HCA_RING_MAX, .help = "Send slots of QP1; further MADs wait in software.",
    .source = "Linux mad_priv.h IB_MAD_QP_SEND_SIZE" },
  { ROW ("mad_service", mad_service), .kind = SIM_PARAM_DIST, .value = "1us",
    .help = "Time of the MAD completion handler per MAD received, one at a time.",
    .source = "assumption: hand-over and a fresh buffer, small against the CM's own work" },
  { ROW ("cm_service", cm_service), .kind = SIM_PARAM_DIST,
    .value = "{lognormal: {median: 10us, sigma: 0.5}}",
    .help = "Time of the CM's work queue per message received.",
    .source = "assumption: 5 to 20 us of state work per message" },
  { ROW ("cm_workers", cm_workers), .kind = SIM_PARAM_UINT, .value = "0", .max = 4096,
    .help = "CM messages worked on at a time; 0: as the profile says.",
    .source = "Linux cm.c: alloc_workqueue (\"ib_cm\", 0, 1); kernels of 2006: one per CPU" },
  { ROW ("qp_create", qp_create), .kind = SIM_PARAM_DIST,
    .value = "{lognormal: {median: 300us, sigma: 0.4}}",
    .help = "Time of the command that creates a QP.",
    .source = "assumption: fits 1.0 to 1.3 ms for QP and route in a ConnectX-4 kernel log" },
  { ROW ("qp_modify", qp_modify), .kind = SIM_PARAM_DIST,
    .value = "{lognormal: {median: 200us, sigma: 0.4}}",
    .help = "Time of the command for one QP state transition.",
    .source = "assumption: fits 2.0 to 2.3 ms from connect to established in the same log" },
  { ROW ("commands", commands), .kind = SIM_PARAM_UINT, .value = "1", .min = 1, .max = 4096,
    .help = "QP commands the adapter runs at a time.",
    .source = "assumption: firmware takes commands one by one (mthca and mlx4 interface)" },
  { ROW ("qpn_reuse", qpn_reuse), .kind = SIM_PARAM_BOOL, .value = "false",
    .help = "The number of a QP that was destroyed is given out again, the one that has been gone "
            "longest first; otherwise numbers count up.",
    .source = "assumption: adapters differ; counting up makes old numbers rare" },
  { ROW ("qpn_timewait", qpn_timewait), .kind = SIM_PARAM_TIME, .value = "0s",
    .help = "The driver keeps the number of a destroyed QP back for so long.",
    .source = "openib-general, 2006: timewait in the low-level driver; IBTA 12.9.8.1" },
  { ROW ("comm_est", comm_est), .kind = SIM_PARAM_BOOL, .value = "true",
    .help = "Data that comes before the RTU raises \"communication established\", which stands for "
            "it.",
    .source = "IBTA 11.6.3.2; mlx4 and mlx5 do, software RoCE (rxe) does not" },
  { .name = NULL },
};
#undef ROW

static const FabricPortOps hca_port_ops = {
  .deliver = hca_gsi_arrive,
};

HcaGroup *
hca_group_new (SimEngine *engine, Fabric *fabric, const HcaParams *params, guint64 seed,
               guint32 replication)
{
  HcaGroup *group = g_new0 (HcaGroup, 1);

  group->engine = engine;
  group->fabric = fabric;
  group->params = params;
  group->mad_service = sim_stream_key (seed, replication, "hca", "mad_service");
  group->cm_service = sim_stream_key (seed, replication, "hca", "cm_service");
  group->qp_create = sim_stream_key (seed, replication, "hca", "qp_create");
  group->qp_modify = sim_stream_key (seed, replication, "hca", "qp_modify");
  sim_slab_init (&group->hcas, sim_engine_arena (engine), sizeof (Hca));
  return group;
}

void
hca_group_free (HcaGroup *group)
{
  if (group)
    sim_slab_clear (&group->hcas);
  g_free (group);
}

void
hca_group_restart_maxima (HcaGroup *group)
{
  group->counters.receive_ring_max = 0;
  group->counters.send_ring_max = 0;
}

const HcaCounters *
hca_group_counters (const HcaGroup *group)
{
  return &group->counters;
}

static void
stage_init (HcaStage *stage, guint workers)
{
  if (workers > 1)
    stage->fifo = sim_fifo_new (workers, 0);
}

static void
stage_clear (HcaStage *stage, guint workers)
{
  if (workers > 1)
    sim_fifo_free (stage->fifo);
}

SimTime
hca_stage_offer (HcaStage *stage, guint workers, SimTime now, SimTime service)
{
  SimFifoSlot slot;

  if (workers == 1) {
    stage->last = sim_time_add (MAX (stage->last, now), service);
    return stage->last;
  }
  gboolean taken = sim_fifo_offer (stage->fifo, now, service, &slot);
  g_assert (taken);
  return slot.end;
}

Hca *
hca_new (HcaGroup *group, guint index)
{
  Hca *hca = sim_slab_take (&group->hcas);

  g_assert (index < 1u << 24);
  *hca = (Hca){ .group = group, .index = index & 0xffffff };
  hca->lid = fabric_add_port (group->fabric, &hca_port_ops, hca);
  stage_init (&hca->cm_queue, group->params->cm_workers);
  stage_init (&hca->commands, group->params->commands);
  return hca;
}

void
hca_free (Hca *hca)
{
  sim_line_clear (&hca->handler);
  sim_line_clear (&hca->sends);
  stage_clear (&hca->cm_queue, hca->group->params->cm_workers);
  stage_clear (&hca->commands, hca->group->params->commands);
  g_free (hca->meters);
  sim_slab_put (&hca->group->hcas, hca);
}

IbLid
hca_lid (const Hca *hca)
{
  return hca->lid;
}

guint64
hca_guid (const Hca *hca)
{
  /* An EUI-64 with the "locally administered" bit set. */
  return G_GUINT64_CONSTANT (0x0200000000000001) + hca->index;
}

gboolean
hca_is_roce (const Hca *hca)
{
  return fabric_transport (hca->group->fabric) == FABRIC_TRANSPORT_ROCE;
}

void
hca_observe (Hca *hca, HcaMeter *receive_ring, HcaMeter *send_ring)
{
  if (!hca->meters)
    hca->meters = g_new (HcaMeters, 1);
  *hca->meters = (HcaMeters){ .receive = receive_ring, .send = send_ring };
}

gsize
hca_footprint (void)
{
  return sizeof (Hca);
}

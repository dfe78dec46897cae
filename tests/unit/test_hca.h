/* Three hosts on a wire, with agents that write down when what reached them. */
#pragma once

#include "hca.h"
#include "test_sim.h"

#define SEED 20260802
#define MAX_EVENTS 5000

typedef struct {
  SimTime at;
  guint64 tag;
} Mark;

typedef struct {
  SimEngine *engine;
  Fabric *fabric;
  FabricParams fabric_params;
  HcaParams params;
  HcaGroup *groups[3]; /* one each: counters by HCA */
  Hca *hcas[3];
  Mark marks[MAX_EVENTS]; /* what happened when */
  guint n_marks;
  guint depth;   /* handlers on the stack */
  guint replies; /* MADs to be sent back, in all */
} Rig;

/* Everything takes no time. */
static inline Rig *
rig_new (void)
{
  Rig *rig = g_new0 (Rig, 1);

  rig->fabric_params = (FabricParams) {
    .latency = sim_dist_constant (0),
    .overhead_bytes = 34,
    .loss = { .klass = &loss_none.info },
  };
  rig->params = (HcaParams) {
    .recv_ring = 512,
    .send_ring = 128,
    .mad_service = sim_dist_constant (0),
    .cm_service = sim_dist_constant (0),
    .cm_workers = 1,
    .qp_create = sim_dist_constant (0),
    .qp_modify = sim_dist_constant (0),
    .commands = 1,
  };
  return rig;
}

static inline void
rig_mark (Rig *rig, guint64 tag)
{
  g_assert (rig->n_marks < MAX_EVENTS);
  rig->marks[rig->n_marks++] = (Mark) { sim_engine_now (rig->engine), tag };
}

static inline SimTime rig_send (Rig *rig, guint from, guint to, IbMgmtClass mgmt_class,
                                guint64 tag);

static inline void
rig_receive (gpointer owner, const IbMad *mad)
{
  Rig *rig = owner;

  ck_assert_uint_eq (rig->depth++, 0);
  rig_mark (rig, mad->mgmt_class == IB_MGMT_CLASS_CM ? mad->cm.tid : mad->sa.tid);
  if (rig->replies > 0)
    {
      rig->replies--;
      rig_send (rig, mad->destination - 1, mad->source - 1, IB_MGMT_CLASS_CM, 1000);
    }
  rig->depth--;
}

static const HcaGsiOps rig_gsi_ops = { .receive = rig_receive };

static inline void
rig_start (Rig *rig)
{
  rig->engine = sim_engine_new (NULL, 0);
  rig->fabric = fabric_new (rig->engine, &rig->fabric_params, SEED, 0);
  rig->n_marks = 0;
  for (guint i = 0; i < G_N_ELEMENTS (rig->hcas); i++)
    {
      rig->groups[i] = hca_group_new (rig->engine, rig->fabric, &rig->params, SEED, 0);
      rig->hcas[i] = hca_new (rig->groups[i], i);
      hca_gsi_register (rig->hcas[i], IB_MGMT_CLASS_CM, &rig_gsi_ops, rig);
    }
}

static inline void
rig_run (Rig *rig)
{
  ck_assert_int_eq (sim_engine_run (rig->engine, SIM_TIME_NEVER), SIM_STOP_IDLE);
  ck_assert_uint_eq (mad_pool_count (fabric_mad_pool (rig->fabric)), 0);
}

static inline void
tick (gpointer owner G_GNUC_UNUSED, guint64 arg G_GNUC_UNUSED)
{
}

static const SimEventClass tick_event = { .name = "test-tick", .code = 0x5449434b, .fire = tick };

/* The clock of an idle engine stands still; this moves it to `at`. */
static inline void
rig_run_to (Rig *rig, SimTime at)
{
  sim_engine_schedule_at (rig->engine, at, &tick_event, NULL, 0);
  sim_engine_run (rig->engine, at);
  ck_assert_int_eq (sim_engine_now (rig->engine), at);
}

static inline void
rig_stop (Rig *rig)
{
  for (guint i = G_N_ELEMENTS (rig->hcas); i-- > 0;)
    {
      hca_free (rig->hcas[i]);
      hca_group_free (rig->groups[i]);
    }
  fabric_free (rig->fabric);
  sim_engine_free (rig->engine);
}

static inline SimTime
rig_send (Rig *rig, guint from, guint to, IbMgmtClass mgmt_class, guint64 tag)
{
  IbMad mad = { .destination = hca_lid (rig->hcas[to]), .mgmt_class = (guint8) mgmt_class };
  SimTime completion;

  if (mgmt_class == IB_MGMT_CLASS_CM)
    mad.cm = (IbCmMsg) { .attr = IB_CM_REQ, .tid = tag };
  else
    mad.sa = (IbSaMsg) { .tid = tag };
  completion = hca_gsi_send (rig->hcas[from], &mad);
  ck_assert_uint_eq (mad.source, hca_lid (rig->hcas[from]));
  return completion;
}

static inline void
send_burst (Rig *rig, guint n)
{
  for (guint i = 0; i < n; i++)
    rig_send (rig, 0, 1, IB_MGMT_CLASS_CM, i);
}

static inline void
check_marks (const Rig *rig, const Mark *expected, guint n)
{
  ck_assert_uint_eq (rig->n_marks, n);
  for (guint i = 0; i < n; i++)
    {
      ck_assert_msg (rig->marks[i].at == expected[i].at && rig->marks[i].tag == expected[i].tag,
                     "mark %u: %" G_GUINT64_FORMAT " at %" G_GINT64_FORMAT
                     ", expected %" G_GUINT64_FORMAT " at %" G_GINT64_FORMAT,
                     i, rig->marks[i].tag, rig->marks[i].at, expected[i].tag, expected[i].at);
    }
}

#define CHECK_MARKS(rig, expected) check_marks (rig, expected, G_N_ELEMENTS (expected))

/* The HCA: arithmetic of QP1's rings and queues, the command interface, meters. */
#include <check.h>

#include "hca.h"

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
  Hca *hcas[3];
  Mark marks[MAX_EVENTS]; /* what happened when */
  guint n_marks;
  guint depth;   /* handlers on the stack */
  guint replies; /* MADs to be sent back, in all */
} Rig;

/* Everything takes no time. */
static Rig *
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

static void
rig_mark (Rig *rig, guint64 tag)
{
  g_assert (rig->n_marks < MAX_EVENTS);
  rig->marks[rig->n_marks++] = (Mark) { sim_engine_now (rig->engine), tag };
}

static SimTime rig_send (Rig *rig, guint from, guint to, IbMgmtClass mgmt_class, guint64 tag);

static void
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

static void
rig_start (Rig *rig)
{
  rig->engine = sim_engine_new (NULL, 0);
  rig->fabric = fabric_new (rig->engine, &rig->fabric_params, SEED, 0);
  rig->n_marks = 0;
  for (guint i = 0; i < G_N_ELEMENTS (rig->hcas); i++)
    {
      rig->hcas[i] = hca_new (rig->engine, rig->fabric, &rig->params, i, SEED, 0);
      hca_gsi_register (rig->hcas[i], IB_MGMT_CLASS_CM, &rig_gsi_ops, rig);
    }
}

static void
rig_run (Rig *rig)
{
  ck_assert_int_eq (sim_engine_run (rig->engine, SIM_TIME_NEVER), SIM_STOP_IDLE);
  ck_assert_uint_eq (mad_pool_count (fabric_mad_pool (rig->fabric)), 0);
}

static void
tick (gpointer owner G_GNUC_UNUSED, guint64 arg G_GNUC_UNUSED)
{
}

static const SimEventClass tick_event = { .name = "test-tick", .code = 0x5449434b, .fire = tick };

/* The clock of an idle engine stands still; this moves it to `at`. */
static void
rig_run_to (Rig *rig, SimTime at)
{
  sim_engine_schedule_at (rig->engine, at, &tick_event, NULL, 0);
  sim_engine_run (rig->engine, at);
  ck_assert_int_eq (sim_engine_now (rig->engine), at);
}

static void
rig_stop (Rig *rig)
{
  for (guint i = G_N_ELEMENTS (rig->hcas); i-- > 0;)
    hca_free (rig->hcas[i]);
  fabric_free (rig->fabric);
  sim_engine_free (rig->engine);
}

static SimTime
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

static void
send_burst (Rig *rig, guint n)
{
  for (guint i = 0; i < n; i++)
    rig_send (rig, 0, 1, IB_MGMT_CLASS_CM, i);
}

static void
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

START_TEST (identity)
{
  Rig *rig = rig_new ();

  rig_start (rig);
  for (guint i = 0; i < G_N_ELEMENTS (rig->hcas); i++)
    {
      ck_assert_uint_eq (hca_lid (rig->hcas[i]), i + 1);
      ck_assert (hca_guid (rig->hcas[i]) != 0);
    }
  ck_assert (hca_guid (rig->hcas[0]) != hca_guid (rig->hcas[1]));
  rig_stop (rig);
  g_free (rig);
}
END_TEST

/* Handler 1 us, one CM worker 10 us: message k of a burst is done at 1 + 10 k us. */
START_TEST (two_stages)
{
  static const Mark expected[] = {
    { SIM_US (11), 0 }, { SIM_US (21), 1 }, { SIM_US (31), 2 }, { SIM_US (41), 3 } };
  Rig *rig = rig_new ();

  rig->params.mad_service = sim_dist_constant (SIM_US (1));
  rig->params.cm_service = sim_dist_constant (SIM_US (10));
  rig_start (rig);
  send_burst (rig, 4);
  rig_run (rig);
  CHECK_MARKS (rig, expected);
  ck_assert_int_eq (hca_counters (rig->hcas[1])->mad_busy, SIM_US (4));
  ck_assert_int_eq (hca_counters (rig->hcas[1])->cm_busy, SIM_US (40));
  ck_assert_uint_eq (hca_counters (rig->hcas[1])->received, 4);
  ck_assert_uint_eq (hca_counters (rig->hcas[1])->receive_ring_max, 4);
  rig_stop (rig);
  g_free (rig);
}
END_TEST

START_TEST (two_workers)
{
  static const Mark expected[] = {
    { SIM_US (11), 0 }, { SIM_US (12), 1 }, { SIM_US (21), 2 }, { SIM_US (22), 3 } };
  Rig *rig = rig_new ();

  rig->params.mad_service = sim_dist_constant (SIM_US (1));
  rig->params.cm_service = sim_dist_constant (SIM_US (10));
  rig->params.cm_workers = 2;
  rig_start (rig);
  send_burst (rig, 4);
  rig_run (rig);
  CHECK_MARKS (rig, expected);
  rig_stop (rig);
  g_free (rig);
}
END_TEST

/* An SA MAD waits for the handler, behind the CM's, but not for the CM's work queue;
 * one for which nobody registered costs handler time all the same. */
START_TEST (classes)
{
  static const Mark expected[] = {
    { SIM_US (2), 7 }, { SIM_US (11), 0 }, { SIM_US (21), 2 } };
  Rig *rig = rig_new ();

  rig->params.mad_service = sim_dist_constant (SIM_US (1));
  rig->params.cm_service = sim_dist_constant (SIM_US (10));
  rig_start (rig);
  hca_gsi_register (rig->hcas[1], IB_MGMT_CLASS_SUBN_ADM, &rig_gsi_ops, rig);
  rig_send (rig, 0, 1, IB_MGMT_CLASS_CM, 0);
  rig_send (rig, 0, 1, IB_MGMT_CLASS_SUBN_ADM, 7);
  rig_send (rig, 0, 1, IB_MGMT_CLASS_CM, 2);
  rig_send (rig, 0, 2, IB_MGMT_CLASS_SUBN_ADM, 8);
  rig_run (rig);
  CHECK_MARKS (rig, expected);
  ck_assert_uint_eq (hca_counters (rig->hcas[2])->received, 1);
  ck_assert_int_eq (hca_counters (rig->hcas[2])->mad_busy, SIM_US (1));
  rig_stop (rig);
  g_free (rig);
}
END_TEST

/* MADs arrive every 290 ns, the handler takes 1 us.  With two places or more it never
 * idles, so by arrival i (from 0) it has finished floor (290 i / 1000), at most one
 * between two arrivals; each place it frees the next arrival takes.  Taken of n:
 * ring + floor (290 (n - 1) / 1000). */
START_TEST (receive_ring_overflows)
{
  enum { N = 4096 };
  static const guint rings[] = { 2, 16, 512, 4096 };

  for (guint i = 0; i < G_N_ELEMENTS (rings); i++)
    {
      Rig *rig = rig_new ();
      guint taken = MIN (N, rings[i] + 290 * (N - 1) / 1000);

      rig->fabric_params.rate_bps = G_GUINT64_CONSTANT (8000000000);
      rig->params.mad_service = sim_dist_constant (SIM_US (1));
      rig->params.recv_ring = rings[i];
      rig_start (rig);
      send_burst (rig, N);
      rig_run (rig);
      ck_assert_uint_eq (hca_counters (rig->hcas[1])->received, taken);
      ck_assert_uint_eq (hca_counters (rig->hcas[1])->receive_overruns, N - taken);
      ck_assert_uint_eq (rig->n_marks, taken);
      ck_assert_int_eq (rig->marks[taken - 1].at, 290 + SIM_US (taken));
      if (taken < N)
        ck_assert_uint_eq (hca_counters (rig->hcas[1])->receive_ring_max, rings[i]);
      rig_stop (rig);
      g_free (rig);
    }
}
END_TEST

/* With one place arrivals 0, 4, 8, .. find it free: 4 x 290 ns is the first gap of at
 * least 1 us. */
START_TEST (receive_ring_of_one)
{
  Rig *rig = rig_new ();

  rig->fabric_params.rate_bps = G_GUINT64_CONSTANT (8000000000);
  rig->params.mad_service = sim_dist_constant (SIM_US (1));
  rig->params.recv_ring = 1;
  rig_start (rig);
  send_burst (rig, 4096);
  rig_run (rig);
  ck_assert_uint_eq (hca_counters (rig->hcas[1])->receive_overruns, 3072);
  for (guint i = 0; i < rig->n_marks; i++)
    ck_assert_uint_eq (rig->marks[i].tag, 4 * i);
  rig_stop (rig);
  g_free (rig);
}
END_TEST

/* Pairs of MADs arrive together, far apart.  A ring of one place loses the second of
 * each pair; the first's service is what it is with a ring for both. */
START_TEST (service_does_not_depend_on_the_ring)
{
  enum { PAIRS = 50 };
  SimTime ends[2][PAIRS];

  for (guint ring = 1; ring <= 2; ring++)
    {
      Rig *rig = rig_new ();

      rig->params.recv_ring = ring;
      rig->params.mad_service = sim_dist_uniform (SIM_US (1), SIM_US (2));
      rig->params.cm_service = sim_dist_exponential (SIM_US (10));
      rig->params.cm_workers = 2;
      rig_start (rig);
      for (guint pair = 0; pair < PAIRS; pair++)
        {
          rig_send (rig, 0, 1, IB_MGMT_CLASS_CM, pair);
          rig_send (rig, 0, 1, IB_MGMT_CLASS_CM, 1000);
          rig_run_to (rig, SIM_S (pair + 1));
        }
      ck_assert_uint_eq (rig->n_marks, ring * PAIRS);
      for (guint i = 0; i < rig->n_marks; i++)
        if (rig->marks[i].tag < PAIRS)
          ends[ring - 1][rig->marks[i].tag] = rig->marks[i].at;
      rig_stop (rig);
      g_free (rig);
    }
  for (guint pair = 0; pair < PAIRS; pair++)
    ck_assert_int_eq (ends[0][pair], ends[1][pair]);
}
END_TEST

/* Costs nothing, to itself, and is answered at once: agents still take turns
 * (rig_receive checks the depth). */
START_TEST (agents_never_nest)
{
  Rig *rig = rig_new ();

  rig->replies = 100;
  rig_start (rig);
  rig_send (rig, 0, 0, IB_MGMT_CLASS_CM, 1);
  ck_assert_uint_eq (rig->n_marks, 0);
  rig_run (rig);
  ck_assert_uint_eq (rig->n_marks, 101);
  ck_assert_int_eq (rig->marks[100].at, 0);
  rig_stop (rig);
  g_free (rig);
}
END_TEST

/* --- meters and the send ring -------------------------------------------------- */

static void
meter_changed (gpointer owner, SimTime at, guint in_use)
{
  Rig *rig = owner;

  g_assert (rig->n_marks < MAX_EVENTS);
  ck_assert_int_le (at, sim_engine_now (rig->engine));
  if (rig->n_marks > 0)
    ck_assert_int_ge (at, rig->marks[rig->n_marks - 1].at);
  rig->marks[rig->n_marks++] = (Mark) { at, in_use };
}

static const HcaMeterOps meter_ops = { .changed = meter_changed };

/* Ten MADs at 290 ns each through a ring of four: six wait, and a waiting one takes
 * its slot when the one four before it has left. */
START_TEST (send_ring)
{
  Rig *rig = rig_new ();
  HcaMeter *meter = hca_meter_new (&meter_ops, rig);
  guint mark = 0;

  rig->fabric_params.rate_bps = G_GUINT64_CONSTANT (8000000000);
  rig->params.send_ring = 4;
  rig_start (rig);
  hca_observe (rig->hcas[0], NULL, meter);
  /* To a class nobody registered for: the only marks are the meter's. */
  for (guint i = 1; i <= 10; i++)
    ck_assert_int_eq (rig_send (rig, 0, 1, IB_MGMT_CLASS_SUBN_ADM, i), 290 * i);
  ck_assert_uint_eq (hca_counters (rig->hcas[0])->sent, 10);
  ck_assert_uint_eq (hca_counters (rig->hcas[0])->send_waits, 6);
  ck_assert_uint_eq (hca_counters (rig->hcas[0])->send_ring_max, 4);
  rig_run (rig);
  hca_meter_flush (meter, sim_engine_now (rig->engine));
  ck_assert_uint_eq (rig->n_marks, 4 + 10 + 6);
  for (guint i = 1; i <= 4; i++, mark++)
    {
      ck_assert_int_eq (rig->marks[mark].at, 0);
      ck_assert_uint_eq (rig->marks[mark].tag, i);
    }
  for (guint i = 1; i <= 10; i++)
    {
      ck_assert_int_eq (rig->marks[mark].at, 290 * i);
      ck_assert_uint_eq (rig->marks[mark++].tag, i <= 6 ? 3 : 10 - i);
      if (i > 6)
        continue;
      ck_assert_int_eq (rig->marks[mark].at, 290 * i);
      ck_assert_uint_eq (rig->marks[mark++].tag, 4);
    }
  hca_meter_free (meter);
  rig_stop (rig);
  g_free (rig);
}
END_TEST

/* A slot is free again at the very instant of the completion. */
START_TEST (send_ring_frees_in_time)
{
  Rig *rig = rig_new ();

  rig->fabric_params.rate_bps = G_GUINT64_CONSTANT (8000000000);
  rig->params.send_ring = 1;
  rig_start (rig);
  for (guint i = 0; i < 100; i++)
    {
      rig_send (rig, 0, 1, IB_MGMT_CLASS_CM, i);
      sim_engine_run (rig->engine, 290 * (i + 1));
    }
  ck_assert_uint_eq (hca_counters (rig->hcas[0])->send_waits, 0);
  rig_send (rig, 0, 1, IB_MGMT_CLASS_CM, 0);
  sim_engine_run (rig->engine, 290 * 101 - 1);
  rig_send (rig, 0, 1, IB_MGMT_CLASS_CM, 0);
  ck_assert_uint_eq (hca_counters (rig->hcas[0])->send_waits, 1);
  ck_assert_uint_eq (hca_counters (rig->hcas[0])->send_ring_max, 1);
  rig_stop (rig);
  g_free (rig);
}
END_TEST

/* One meter on the receive rings of two hosts with different handlers: the sum, in
 * order of time, and the run is the same without it. */
START_TEST (meter_adds_up)
{
  static const Mark expected[] = {
    { 0, 1 }, { 0, 2 }, { 0, 3 }, { 0, 4 }, { 10, 3 }, { 10, 2 }, { 20, 1 }, { 20, 0 } };
  guint64 fingerprints[2];

  for (guint observed = 0; observed < 2; observed++)
    {
      Rig *rig = rig_new ();
      HcaMeter *meter = hca_meter_new (&meter_ops, rig);

      rig->params.mad_service = sim_dist_constant (10);
      rig_start (rig);
      if (observed)
        {
          hca_observe (rig->hcas[1], meter, NULL);
          hca_observe (rig->hcas[2], meter, NULL);
        }
      for (guint i = 0; i < 2; i++)
        {
          rig_send (rig, 0, 1, IB_MGMT_CLASS_SUBN_ADM, i);
          rig_send (rig, 0, 2, IB_MGMT_CLASS_SUBN_ADM, i);
        }
      rig_run (rig);
      hca_meter_flush (meter, sim_engine_now (rig->engine));
      if (observed)
        CHECK_MARKS (rig, expected);
      else
        ck_assert_uint_eq (rig->n_marks, 0);
      fingerprints[observed] = sim_engine_fingerprint (rig->engine);
      hca_meter_free (meter);
      rig_stop (rig);
      g_free (rig);
    }
  ck_assert (fingerprints[0] == fingerprints[1]);
}
END_TEST

/* Random intervals against a count over all of them at every change. */
START_TEST (meter_against_count)
{
  enum { N = 500 };
  Rig *rig = rig_new ();
  HcaMeter *meter = hca_meter_new (&meter_ops, rig);
  SimTime from[N], until[N];
  SimStream stream;

  rig_start (rig);
  sim_stream_init (&stream, sim_stream_key (SEED, 0, "test", "meter"), 0);
  for (guint i = 0; i < N; i++)
    {
      rig_run_to (rig, 10 * i);
      from[i] = 10 * i + (SimTime) sim_stream_below (&stream, 50);
      until[i] = from[i] + (SimTime) sim_stream_below (&stream, 200);
      hca_meter_use (meter, 10 * i, from[i], until[i]);
    }
  rig_run_to (rig, 10 * N + 1000);
  hca_meter_flush (meter, sim_engine_now (rig->engine));
  ck_assert_uint_gt (rig->n_marks, N);
  for (guint m = 0; m < rig->n_marks; m++)
    {
      SimTime at = rig->marks[m].at;
      guint in_use = 0;

      if (m + 1 < rig->n_marks && rig->marks[m + 1].at == at)
        continue; /* not the last word on this instant */
      for (guint i = 0; i < N; i++)
        in_use += from[i] <= at && at < until[i] ? 1 : 0;
      ck_assert_uint_eq (rig->marks[m].tag, in_use);
    }
  ck_assert_uint_eq (rig->marks[rig->n_marks - 1].tag, 0);
  hca_meter_free (meter);
  rig_stop (rig);
  g_free (rig);
}
END_TEST

/* --- commands --------------------------------------------------------------- */

static void
command_done (gpointer owner, guint64 arg)
{
  rig_mark (owner, arg);
}

static const SimEventClass command_event = {
  .name = "test-command",
  .code = 0x54455354,
  .fire = command_done,
};

static SimEventId
command (Rig *rig, HcaCommand kind, guint n, guint64 tag)
{
  return hca_command (rig->hcas[0], kind, n, &command_event, rig, tag);
}

START_TEST (commands_one_at_a_time)
{
  static const Mark expected[] = {
    { SIM_US (300), 1 }, { SIM_US (900), 2 }, { SIM_US (1200), 3 } };
  Rig *rig = rig_new ();

  rig->params.qp_create = sim_dist_constant (SIM_US (300));
  rig->params.qp_modify = sim_dist_constant (SIM_US (200));
  rig_start (rig);
  command (rig, HCA_COMMAND_QP_CREATE, 1, 1);
  command (rig, HCA_COMMAND_QP_MODIFY, 3, 2);
  command (rig, HCA_COMMAND_QP_CREATE, 1, 3);
  rig_run (rig);
  CHECK_MARKS (rig, expected);
  ck_assert_uint_eq (hca_counters (rig->hcas[0])->commands, 5);
  ck_assert_int_eq (hca_counters (rig->hcas[0])->command_busy, SIM_US (1200));
  rig_stop (rig);
  g_free (rig);
}
END_TEST

/* Two at a time: different QPs in parallel, the transitions of one QP never. */
START_TEST (commands_in_parallel)
{
  static const Mark expected[] = {
    { SIM_US (300), 2 }, { SIM_US (600), 1 }, { SIM_US (600), 3 }, { SIM_US (1000), 4 } };
  Rig *rig = rig_new ();

  rig->params.qp_create = sim_dist_constant (SIM_US (300));
  rig->params.qp_modify = sim_dist_constant (SIM_US (200));
  rig->params.commands = 2;
  rig_start (rig);
  command (rig, HCA_COMMAND_QP_MODIFY, 3, 1); /* 0 to 600 */
  command (rig, HCA_COMMAND_QP_CREATE, 1, 2); /* 0 to 300 */
  command (rig, HCA_COMMAND_QP_CREATE, 1, 3); /* 300 to 600 */
  command (rig, HCA_COMMAND_QP_MODIFY, 2, 4); /* 600 to 1000 */
  rig_run (rig);
  CHECK_MARKS (rig, expected);
  rig_stop (rig);
  g_free (rig);
}
END_TEST

/* Through an event even when free; a cancelled answer does not cancel the work. */
START_TEST (commands_and_events)
{
  static const Mark expected[] = { { 0, 1 }, { 0, 2 }, { SIM_US (500), 4 } };
  Rig *rig = rig_new ();
  SimEventId id;

  rig->params.qp_create = sim_dist_constant (SIM_US (500));
  rig_start (rig);
  command (rig, HCA_COMMAND_QP_MODIFY, 3, 1);
  command (rig, HCA_COMMAND_QP_MODIFY, 0, 2);
  ck_assert_uint_eq (rig->n_marks, 0);
  id = command (rig, HCA_COMMAND_QP_CREATE, 1, 3);
  command (rig, HCA_COMMAND_QP_MODIFY, 1, 4);
  ck_assert (sim_engine_cancel (rig->engine, id));
  rig_run (rig);
  CHECK_MARKS (rig, expected);
  rig_stop (rig);
  g_free (rig);
}
END_TEST

/* The time of a host's third transition does not depend on QPs created before it,
 * nor on another host's commands. */
START_TEST (command_streams)
{
  SimTime ends[2];

  for (guint more = 0; more < 2; more++)
    {
      Rig *rig = rig_new ();

      rig->params.qp_create = sim_dist_exponential (SIM_US (300));
      rig->params.qp_modify = sim_dist_exponential (SIM_US (200));
      rig->params.commands = 100;
      rig_start (rig);
      if (more)
        {
          command (rig, HCA_COMMAND_QP_CREATE, 5, 0);
          hca_command (rig->hcas[1], HCA_COMMAND_QP_MODIFY, 7, &command_event, rig, 0);
        }
      command (rig, HCA_COMMAND_QP_MODIFY, 3, 1);
      rig_run (rig);
      for (guint i = 0; i < rig->n_marks; i++)
        if (rig->marks[i].tag == 1)
          ends[more] = rig->marks[i].at;
      rig_stop (rig);
      g_free (rig);
    }
  ck_assert_int_gt (ends[0], 0);
  ck_assert_int_eq (ends[0], ends[1]);
}
END_TEST

START_TEST (parameters_say_where_from)
{
  guint n = 0;

  for (const SimParam *row = hca_params; row->name != NULL; row++, n++)
    {
      ck_assert_ptr_nonnull (row->value);
      ck_assert_ptr_nonnull (row->help);
      ck_assert_ptr_nonnull (row->source);
      ck_assert_uint_lt (row->offset, sizeof (HcaParams));
    }
  ck_assert_uint_eq (n, 8);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("hca");
  TCase *gsi = tcase_create ("gsi");
  TCase *ring = tcase_create ("meter");
  TCase *commands = tcase_create ("commands");
  SRunner *runner;
  int failed;

  tcase_add_test (gsi, identity);
  tcase_add_test (gsi, two_stages);
  tcase_add_test (gsi, two_workers);
  tcase_add_test (gsi, classes);
  tcase_add_test (gsi, receive_ring_overflows);
  tcase_add_test (gsi, receive_ring_of_one);
  tcase_add_test (gsi, service_does_not_depend_on_the_ring);
  tcase_add_test (gsi, agents_never_nest);
  tcase_add_test (gsi, parameters_say_where_from);
  suite_add_tcase (suite, gsi);
  tcase_add_test (ring, send_ring);
  tcase_add_test (ring, send_ring_frees_in_time);
  tcase_add_test (ring, meter_adds_up);
  tcase_add_test (ring, meter_against_count);
  suite_add_tcase (suite, ring);
  tcase_add_test (commands, commands_one_at_a_time);
  tcase_add_test (commands, commands_in_parallel);
  tcase_add_test (commands, commands_and_events);
  tcase_add_test (commands, command_streams);
  suite_add_tcase (suite, commands);
  runner = srunner_create (suite);
  srunner_run_all (runner, CK_NORMAL);
  failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? 0 : 1;
}

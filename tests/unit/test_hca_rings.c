/* The send ring, and the meters that record ring occupancy without events. */
#include "test_hca.h"

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
  ck_assert_uint_eq (hca_group_counters (rig->groups[0])->sent, 10);
  ck_assert_uint_eq (hca_group_counters (rig->groups[0])->send_waits, 6);
  ck_assert_uint_eq (hca_group_counters (rig->groups[0])->send_ring_max, 4);
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
  ck_assert_uint_eq (hca_group_counters (rig->groups[0])->send_waits, 0);
  rig_send (rig, 0, 1, IB_MGMT_CLASS_CM, 0);
  sim_engine_run (rig->engine, 290 * 101 - 1);
  rig_send (rig, 0, 1, IB_MGMT_CLASS_CM, 0);
  ck_assert_uint_eq (hca_group_counters (rig->groups[0])->send_waits, 1);
  ck_assert_uint_eq (hca_group_counters (rig->groups[0])->send_ring_max, 1);
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

int
main (void)
{
  Suite *suite = suite_create ("hca_rings");
  TCase *rings = tcase_create ("rings");

  tcase_add_test (rings, send_ring);
  tcase_add_test (rings, send_ring_frees_in_time);
  tcase_add_test (rings, meter_adds_up);
  tcase_add_test (rings, meter_against_count);
  suite_add_tcase (suite, rings);
  return test_run (suite);
}

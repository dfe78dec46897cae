/* QP1's receive side and the command interface of an HCA. */
#include "test_hca.h"

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
  ck_assert_int_eq (hca_group_counters (rig->groups[1])->mad_busy, SIM_US (4));
  ck_assert_int_eq (hca_group_counters (rig->groups[1])->cm_busy, SIM_US (40));
  ck_assert_uint_eq (hca_group_counters (rig->groups[1])->received, 4);
  ck_assert_uint_eq (hca_group_counters (rig->groups[1])->receive_ring_max, 4);
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
  ck_assert_uint_eq (hca_group_counters (rig->groups[2])->received, 1);
  ck_assert_int_eq (hca_group_counters (rig->groups[2])->mad_busy, SIM_US (1));
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
      ck_assert_uint_eq (hca_group_counters (rig->groups[1])->received, taken);
      ck_assert_uint_eq (hca_group_counters (rig->groups[1])->receive_overruns, N - taken);
      ck_assert_uint_eq (rig->n_marks, taken);
      ck_assert_int_eq (rig->marks[taken - 1].at, 290 + SIM_US (taken));
      if (taken < N)
        ck_assert_uint_eq (hca_group_counters (rig->groups[1])->receive_ring_max, rings[i]);
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
  ck_assert_uint_eq (hca_group_counters (rig->groups[1])->receive_overruns, 3072);
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
  ck_assert_uint_eq (hca_group_counters (rig->groups[0])->commands, 5);
  ck_assert_int_eq (hca_group_counters (rig->groups[0])->command_busy, SIM_US (1200));
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
  ck_assert_uint_eq (n, 11);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("hca");
  TCase *gsi = tcase_create ("gsi");
  TCase *commands = tcase_create ("commands");

  tcase_add_test (gsi, identity);
  tcase_add_test (gsi, two_stages);
  tcase_add_test (gsi, two_workers);
  tcase_add_test (gsi, classes);
  tcase_add_test (gsi, receive_ring_overflows);
  tcase_add_test (gsi, receive_ring_of_one);
  tcase_add_test (gsi, service_does_not_depend_on_the_ring);
  tcase_add_test (gsi, agents_never_nest);
  suite_add_tcase (suite, gsi);
  tcase_add_test (commands, commands_one_at_a_time);
  tcase_add_test (commands, commands_in_parallel);
  tcase_add_test (commands, commands_and_events);
  tcase_add_test (commands, command_streams);
  tcase_add_test (commands, parameters_say_where_from);
  suite_add_tcase (suite, commands);
  return test_run (suite);
}

/* The SA: limits, workers, and waiting times against queueing formulas. */
#include "test_sa.h"
#include "sim_stats.h"

START_TEST (path_record)
{
  Rig *rig = rig_new ();

  rig_start (rig, TRUE, TRUE, 0);
  sa_client_query (rig->client, 1, SIM_S (1), 42);
  rig_run (rig);
  ck_assert_uint_eq (rig->n_marks, 1);
  check_mark (rig, 0, SIM_MS (1), 0);
  ck_assert_uint_eq (rig->args[0], 42);
  ck_assert_uint_eq (rig->response.dlid, 1);
  ck_assert_uint_eq (rig->response.slid, 2);
  ck_assert_uint_eq (rig->response.packet_lifetime, 18);
  ck_assert_uint_eq (rig->response.mtu, 4);
  ck_assert_uint_eq (rig->response.rate, 16);
  ck_assert_uint_eq (rig->response.sl, 3);
  ck_assert_uint_eq (sa_client_sends (rig->client), 1);
  ck_assert_uint_eq (sa_service_counters (rig->sa)->queries, 1);
  ck_assert_uint_eq (sa_service_counters (rig->sa)->answered, 1);
  ck_assert_int_eq (sa_service_counters (rig->sa)->busy, SIM_MS (1));
  /* A port's path to itself has lifetime 0. */
  sa_client_query (rig->client, 2, SIM_S (1), 43);
  rig_run (rig);
  ck_assert_uint_eq (rig->response.packet_lifetime, 0);
  rig_free (rig);
}
END_TEST

START_TEST (workers_share_the_queue)
{
  static const SimTime ends[] = { SIM_MS (1), SIM_MS (1), SIM_MS (1), SIM_MS (2), SIM_MS (2) };
  static const Mark levels[] = {
    { 0, 1 }, { 0, 2 }, { 0, 3 }, { 0, 4 }, { 0, 5 }, { SIM_MS (1), 2 }, { SIM_MS (1), 2 },
    { SIM_MS (1), 2 }, { SIM_MS (2), 0 }, { SIM_MS (2), 0 } };
  Rig *rig = rig_new ();

  rig->sa_params.workers = 3;
  rig_start (rig, TRUE, TRUE, 0);
  sa_service_observe (rig->sa, &rig_sa_ops, rig);
  ask (rig, 5);
  rig_run (rig);
  ck_assert_uint_eq (rig->n_marks, 5);
  for (guint i = 0; i < 5; i++)
    {
      check_mark (rig, i, ends[i], 0);
      ck_assert_uint_eq (rig->args[i], i);
    }
  ck_assert_uint_eq (rig->n_levels, G_N_ELEMENTS (levels));
  for (guint i = 0; i < G_N_ELEMENTS (levels); i++)
    {
      ck_assert_int_eq (rig->levels[i].at, levels[i].at);
      ck_assert_int_eq (rig->levels[i].value, levels[i].value);
    }
  ck_assert_uint_eq (sa_service_counters (rig->sa)->queue_max, 5);
  rig_free (rig);
}
END_TEST

/* Ten queries at once, 1 ms each: query i would wait i ms. */
START_TEST (limits_drop)
{
  static const struct {
    SimTime wait_limit;
    guint queue_limit;
    guint answered;
  } cases[] = {
    { SIM_TIME_NEVER, 0, 10 }, { SIM_MS (5), 0, 6 }, { SIM_MS (5) - 1, 0, 5 }, { 0, 0, 1 },
    { SIM_TIME_NEVER, 3, 3 },  { SIM_MS (1), 3, 2 }, { SIM_MS (5), 3, 3 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Rig *rig = rig_new ();
      const SaCounters *counters;

      rig->sa_params.wait_limit = cases[i].wait_limit;
      rig->sa_params.queue_limit = cases[i].queue_limit;
      rig->profile.sa_tries_per_timeout = 0;
      rig_start (rig, TRUE, TRUE, 0);
      counters = sa_service_counters (rig->sa);
      ask (rig, 10);
      rig_run (rig);
      ck_assert_uint_eq (counters->queries, 10);
      ck_assert_uint_eq (counters->answered, cases[i].answered);
      ck_assert_uint_eq (counters->dropped, 10 - cases[i].answered);
      ck_assert_uint_eq (counters->queue_max, cases[i].answered);
      for (guint m = 0; m < 10; m++)
        {
          gboolean answered = m < cases[i].answered;

          check_mark (rig, m, answered ? SIM_MS (m + 1) : SIM_S (1000),
                      answered ? 0 : -ETIMEDOUT);
        }
      /* An idle SA takes queries again. */
      ask (rig, 1);
      rig_run (rig);
      ck_assert_uint_eq (counters->answered, cases[i].answered + 1);
      rig_free (rig);
    }
}
END_TEST

/* A raw source of Poisson queries that measures the time to the answer. */
typedef struct {
  Rig *rig;
  SimStream stream;
  SimDist gap;
  guint asked, n, warm_up;
  GArray *times; /* SimTime of asking, by tid */
  double sum;    /* of the response times after the warm-up, ns */
  guint counted;
} Source;

static void source_fire (gpointer owner, guint64 arg);

static const SimEventClass source_event = {
  .name = "test-source",
  .code = 0x54535243,
  .fire = source_fire,
};

static void
source_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Source *source = owner;
  SimTime now = sim_engine_now (source->rig->engine);
  IbMad mad = { .destination = 1, .mgmt_class = IB_MGMT_CLASS_SUBN_ADM };

  mad.sa = (IbSaMsg) { .method = IB_SA_GET_PATH, .dlid = 1, .slid = 2, .tid = source->asked++ };
  g_array_append_val (source->times, now);
  hca_gsi_send (source->rig->hca, &mad);
  if (source->asked < source->n)
    sim_engine_schedule_after (source->rig->engine,
                               sim_dist_sample (&source->gap, &source->stream), &source_event,
                               source, 0);
}

static void
source_receive (gpointer owner, const IbMad *mad)
{
  Source *source = owner;
  SimTime now = sim_engine_now (source->rig->engine);

  if (mad->sa.tid < source->warm_up)
    return;
  source->sum += (double) (now - g_array_index (source->times, SimTime, mad->sa.tid));
  source->counted++;
}

static const HcaGsiOps source_ops = { .receive = source_receive };

/* One replication: mean response time, or the share of queries lost. */
static double
source_run (Rig *rig, SimTime mean_gap, guint n, guint32 replication, gboolean loss)
{
  Source source = {
    .rig = rig,
    .gap = sim_dist_exponential (mean_gap),
    .n = n,
    .warm_up = n / 10,
    .times = g_array_sized_new (FALSE, FALSE, sizeof (SimTime), n),
  };
  double result;

  rig_start (rig, TRUE, FALSE, replication);
  hca_gsi_register (rig->hca, IB_MGMT_CLASS_SUBN_ADM, &source_ops, &source);
  sim_stream_init (&source.stream, sim_stream_key (SEED, replication, "test", "gap"), 0);
  sim_engine_schedule_at (rig->engine, 0, &source_event, &source, 0);
  rig_run (rig);
  ck_assert_uint_eq (sa_service_counters (rig->sa)->queries, n);
  result = loss ? 1 - (double) source.counted / (n - source.warm_up)
                : source.sum / source.counted;
  g_array_unref (source.times);
  rig_stop (rig);
  return result;
}

/* The exact value lies in the 99 % interval over 20 replications (t quantile of 19
 * degrees of freedom 2.861). */
static void
check_source (Rig *rig, SimTime mean_gap, guint n, gboolean loss, double exact)
{
  enum { REPLICATIONS = 20 };
  SimTally tally;

  sim_tally_init (&tally);
  for (guint32 r = 0; r < REPLICATIONS; r++)
    sim_tally_add (&tally, source_run (rig, mean_gap, n, r, loss));
  ck_assert_msg (fabs (tally.mean - exact)
                     <= 2.861 * sim_tally_stddev (&tally) / sqrt (REPLICATIONS),
                 "mean %g, exact %g, deviation %g", tally.mean, exact, sim_tally_stddev (&tally));
  ck_assert_double_lt (sim_tally_stddev (&tally), 0.2 * exact);
  g_free (rig);
}

/* M/M/1, load 0.7: 1 / (mu - lambda). */
START_TEST (mm1)
{
  Rig *rig = rig_new ();

  rig->sa_params.service = sim_dist_exponential (SIM_US (14));
  check_source (rig, SIM_US (20), 20000, FALSE, 1 / (1 / 14e3 - 1 / 20e3));
}
END_TEST

/* M/M/2, load 0.7 each: service + ErlangC(2, 1.4) / (2 mu - lambda). */
START_TEST (mm2)
{
  Rig *rig = rig_new ();
  double a = 1.4;
  double busy = a * a / 2 / (1 - a / 2);
  double erlang_c = busy / (1 + a + busy);

  rig->sa_params.workers = 2;
  rig->sa_params.service = sim_dist_exponential (SIM_US (28));
  check_source (rig, SIM_US (20), 20000, FALSE, 28e3 + erlang_c / (2 / 28e3 - 1 / 20e3));
}
END_TEST

/* M/M/1/5, load 0.9: (1 - r) r^5 / (1 - r^6) are lost. */
START_TEST (mm1k)
{
  Rig *rig = rig_new ();
  double r = 0.9;

  rig->sa_params.service = sim_dist_exponential (SIM_US (18));
  rig->sa_params.queue_limit = 5;
  check_source (rig, SIM_US (20), 20000, TRUE, (1 - r) * pow (r, 5) / (1 - pow (r, 6)));
}
END_TEST

START_TEST (parameters_say_where_from)
{
  guint n = 0;

  for (const SimParam *row = sa_params; row->name != NULL; row++, n++)
    {
      ck_assert_ptr_nonnull (row->value);
      ck_assert_ptr_nonnull (row->help);
      ck_assert_ptr_nonnull (row->source);
      ck_assert_uint_lt (row->offset, sizeof (SaParams));
    }
  ck_assert_uint_eq (n, 15);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sa");
  TCase *service = tcase_create ("service");

  tcase_add_test (service, path_record);
  tcase_add_test (service, workers_share_the_queue);
  tcase_add_test (service, limits_drop);
  tcase_add_test (service, mm1);
  tcase_add_test (service, mm2);
  tcase_add_test (service, mm1k);
  tcase_add_test (service, parameters_say_where_from);
  tcase_set_timeout (service, 120);
  suite_add_tcase (suite, service);
  return test_run (suite);
}

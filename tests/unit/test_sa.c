/* The SA against queueing formulas, and the client's retries. */
#include <check.h>
#include <errno.h>
#include <math.h>

#include "sa_client.h"
#include "sa_service.h"
#include "sim_stats.h"

#define SEED 20260803
#define MAX_MARKS 4000

typedef struct {
  SimTime at;
  gint64 value;
} Mark;

/* SM host: LID 1; client host: LID 2; everything but the SA takes no time. */
typedef struct {
  SimEngine *engine;
  Fabric *fabric;
  FabricParams fabric_params;
  HcaParams hca_params;
  SaParams sa_params;
  CmProfile profile;
  Hca *sm_hca, *hca;
  SaService *sa;    /* NULL: nobody answers, or answer_error */
  gboolean answer_error;
  SaClient *client; /* NULL: raw queries */
  Mark marks[MAX_MARKS]; /* time and status of each query that ended */
  guint64 args[MAX_MARKS];
  guint n_marks;
  IbSaMsg response; /* the last one */
  Mark levels[MAX_MARKS]; /* of the SA's queue */
  guint n_levels;
  SimTime sends[MAX_MARKS]; /* queries put on the wire */
  guint n_sends;
  SaQuery *cancel;  /* to be cancelled by done() */
  guint again;      /* done() asks again, so many times */
} Rig;

static Rig *
rig_new (void)
{
  Rig *rig = g_new0 (Rig, 1);

  rig->fabric_params = (FabricParams) {
    .latency = sim_dist_constant (0),
    .overhead_bytes = 34,
    .loss = { .klass = &loss_none.info },
  };
  rig->hca_params = (HcaParams) {
    .recv_ring = 1000000,
    .send_ring = 128,
    .mad_service = sim_dist_constant (0),
    .cm_service = sim_dist_constant (0),
    .cm_workers = 1,
    .qp_create = sim_dist_constant (0),
    .qp_modify = sim_dist_constant (0),
    .commands = 1,
  };
  rig->sa_params = (SaParams) {
    .workers = 1,
    .service = sim_dist_constant (SIM_MS (1)),
    .wait_limit = SIM_TIME_NEVER,
    .packet_lifetime = 18,
    .mtu = 4,
    .rate = 16,
    .sl = 3,
  };
  rig->profile = (CmProfile) { .timing = CM_TIMING_SPEC, .hz = 250, .sa_tries_per_timeout = 10 };
  return rig;
}

static void
rig_done (gpointer owner, guint64 arg, gint status, const IbSaMsg *resp)
{
  Rig *rig = owner;

  g_assert (rig->n_marks < MAX_MARKS);
  ck_assert ((resp != NULL) == (status == 0));
  if (resp != NULL)
    rig->response = *resp;
  rig->marks[rig->n_marks] = (Mark) { sim_engine_now (rig->engine), status };
  rig->args[rig->n_marks++] = arg;
  if (rig->cancel != NULL)
    sa_client_cancel (rig->client, rig->cancel);
  if (rig->again > 0)
    {
      rig->again--;
      sa_client_query (rig->client, 7, SIM_S (1), arg + 1);
    }
}

static const SaClientOps rig_client_ops = { .done = rig_done };

static void
rig_queue (gpointer owner, SimTime now, guint present)
{
  Rig *rig = owner;

  g_assert (rig->n_levels < MAX_MARKS);
  ck_assert_int_eq (now, sim_engine_now (rig->engine));
  rig->levels[rig->n_levels++] = (Mark) { now, present };
}

static const SaObserverOps rig_sa_ops = { .queue = rig_queue };

static void
rig_sent (gpointer owner, SimTime now, const IbMad *mad, FabricFate fate G_GNUC_UNUSED)
{
  Rig *rig = owner;

  if (mad->sa.method != IB_SA_GET_PATH || rig->client == NULL)
    return;
  g_assert (rig->n_sends < MAX_MARKS);
  rig->sends[rig->n_sends++] = now;
}

static const FabricObserverOps rig_fabric_ops = { .sent = rig_sent };

/* An SA without records. */
static void
rig_answer_error (gpointer owner, const IbMad *mad)
{
  Rig *rig = owner;
  IbMad answer = *mad;

  answer.destination = mad->source;
  answer.sa.method = IB_SA_GET_PATH_RESP;
  answer.sa.status = 0x0300;
  hca_gsi_send (rig->sm_hca, &answer);
}

static const HcaGsiOps rig_error_ops = { .receive = rig_answer_error };

static void
rig_start (Rig *rig, gboolean with_sa, gboolean with_client, guint32 replication)
{
  rig->engine = sim_engine_new (NULL, 0);
  rig->fabric = fabric_new (rig->engine, &rig->fabric_params, SEED, replication);
  fabric_observe (rig->fabric, &rig_fabric_ops, rig);
  rig->sm_hca = hca_new (rig->engine, rig->fabric, &rig->hca_params, 0, SEED, replication);
  rig->hca = hca_new (rig->engine, rig->fabric, &rig->hca_params, 1, SEED, replication);
  if (with_sa)
    rig->sa = sa_service_new (rig->engine, rig->sm_hca, &rig->sa_params, SEED, replication);
  else if (rig->answer_error)
    hca_gsi_register (rig->sm_hca, IB_MGMT_CLASS_SUBN_ADM, &rig_error_ops, rig);
  if (with_client)
    rig->client = sa_client_new (rig->engine, rig->hca, hca_lid (rig->sm_hca), &rig->profile, 0,
                                 &rig_client_ops, rig);
}

static void
rig_run (Rig *rig)
{
  ck_assert_int_eq (sim_engine_run (rig->engine, SIM_TIME_NEVER), SIM_STOP_IDLE);
}

static void
rig_stop (Rig *rig)
{
  if (rig->client != NULL)
    sa_client_free (rig->client);
  if (rig->sa != NULL)
    sa_service_free (rig->sa);
  hca_free (rig->hca);
  hca_free (rig->sm_hca);
  fabric_free (rig->fabric);
  sim_engine_free (rig->engine);
}

static void
rig_free (Rig *rig)
{
  rig_stop (rig);
  g_free (rig);
}

static void
check_mark (const Rig *rig, guint i, SimTime at, gint status)
{
  ck_assert_uint_lt (i, rig->n_marks);
  ck_assert_int_eq (rig->marks[i].at, at);
  ck_assert_int_eq (rig->marks[i].value, status);
}

/* --- the service ------------------------------------------------------------- */

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

/* Asks at once; the answers carry the askers' arguments in order of asking. */
static void
ask (Rig *rig, guint n)
{
  for (guint i = 0; i < n; i++)
    sa_client_query (rig->client, 1, SIM_S (1000), i);
}

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
  ck_assert_uint_eq (n, 8);
}
END_TEST

/* --- the client --------------------------------------------------------------- */

/* Nobody answers: when the tries go out, and when the query fails. */
static void
check_tries (CmProfile profile, SimTime timeout, SimTime interval, guint tries)
{
  Rig *rig = rig_new ();

  rig->profile = profile;
  rig_start (rig, FALSE, TRUE, 0);
  sa_client_query (rig->client, 1, timeout, 9);
  rig_run (rig);
  ck_assert_uint_eq (rig->n_sends, tries);
  ck_assert_uint_eq (sa_client_sends (rig->client), tries);
  for (guint i = 0; i < tries; i++)
    ck_assert_int_eq (rig->sends[i], interval * i);
  ck_assert_uint_eq (rig->n_marks, 1);
  check_mark (rig, 0, interval * tries, -ETIMEDOUT);
  ck_assert_uint_eq (rig->args[0], 9);
  rig_free (rig);
}

START_TEST (client_tries)
{
  CmProfile profile = { .timing = CM_TIMING_SPEC, .hz = 250, .sa_tries_per_timeout = 10 };

  /* 0, 100, .., 1000 ms, given up at 1100. */
  check_tries (profile, SIM_MS (1000), SIM_MS (100), 11);
  check_tries (profile, SIM_MS (10), SIM_MS (1), 11);
  check_tries (profile, SIM_MS (1009), SIM_MS (100), 11); /* whole milliseconds */
  /* A tenth of less than 1 ms: tries 1 ms apart, as many retries as milliseconds. */
  check_tries (profile, SIM_MS (9), SIM_MS (1), 10);
  check_tries (profile, SIM_MS (1), SIM_MS (1), 2);
  /* 2006: one send, the whole timeout. */
  profile.sa_tries_per_timeout = 0;
  check_tries (profile, SIM_MS (1000), SIM_MS (1000), 1);
  check_tries (profile, SIM_US (1500), SIM_US (1500), 1);
}
END_TEST

/* The timer wheel at 250 Hz: 100 ms are (floor (100 / 4) + 1) x 4 ms. */
START_TEST (client_tries_on_the_wheel)
{
  CmProfile profile = { .timing = CM_TIMING_LINUX, .hz = 250, .sa_tries_per_timeout = 10 };

  check_tries (profile, SIM_MS (1000), SIM_MS (104), 11);
}
END_TEST

/* The timer starts when the query has left: 290 ns at 8 Gb/s. */
START_TEST (client_waits_from_completion)
{
  Rig *rig = rig_new ();

  rig->fabric_params.rate_bps = G_GUINT64_CONSTANT (8000000000);
  rig_start (rig, FALSE, TRUE, 0);
  sa_client_query (rig->client, 1, SIM_MS (1000), 0);
  rig_run (rig);
  ck_assert_uint_eq (rig->n_sends, 11);
  for (guint i = 0; i < 11; i++)
    ck_assert_int_eq (rig->sends[i], i * (SIM_MS (100) + 290));
  check_mark (rig, 0, 11 * (SIM_MS (100) + 290), -ETIMEDOUT);
  rig_free (rig);
}
END_TEST

START_TEST (error_status)
{
  Rig *rig = rig_new ();

  rig->answer_error = TRUE;
  rig_start (rig, FALSE, TRUE, 0);
  sa_client_query (rig->client, 1, SIM_S (1), 0);
  rig_run (rig);
  ck_assert_uint_eq (rig->n_marks, 1);
  check_mark (rig, 0, 0, -EINVAL);
  ck_assert_uint_eq (rig->n_sends, 1);
  rig_free (rig);
}
END_TEST

/* The SA takes 250 ms: tries at 0, 100, 200, the first is answered at 250; the answers
 * to the others come at 500 and 750 and mean nothing, also to the next query, which
 * waits behind them from 300 to 1000 and has sent tries at 300, 400, .. 900 itself. */
START_TEST (late_responses)
{
  Rig *rig = rig_new ();

  rig->sa_params.service = sim_dist_constant (SIM_MS (250));
  rig_start (rig, TRUE, TRUE, 0);
  sa_client_query (rig->client, 1, SIM_S (1), 1);
  ck_assert_int_eq (sim_engine_run (rig->engine, SIM_MS (300)), SIM_STOP_UNTIL);
  ck_assert_uint_eq (rig->n_sends, 3);
  ck_assert_uint_eq (rig->n_marks, 1);
  check_mark (rig, 0, SIM_MS (250), 0);
  sa_client_query (rig->client, 1, SIM_S (1), 2);
  rig_run (rig);
  ck_assert_uint_eq (rig->n_marks, 2);
  check_mark (rig, 1, SIM_MS (1000), 0);
  ck_assert_uint_eq (rig->args[1], 2);
  for (guint i = 0; i < rig->n_sends; i++)
    ck_assert_int_eq (rig->sends[i], SIM_MS (100) * i);
  /* At 1000 ms the answer is on its way when the eighth try is due: both are events of
   * the same instant, and the answer, scheduled first, is still behind two more hops. */
  ck_assert_uint_eq (rig->n_sends, 3 + 8);
  ck_assert_uint_eq (sa_service_counters (rig->sa)->answered, 3 + 8);
  rig_free (rig);
}
END_TEST

START_TEST (cancelled)
{
  Rig *rig = rig_new ();
  SaQuery *query;

  rig->sa_params.service = sim_dist_constant (SIM_MS (250));
  rig_start (rig, TRUE, TRUE, 0);
  query = sa_client_query (rig->client, 1, SIM_S (1), 1);
  sim_engine_run (rig->engine, SIM_MS (150));
  sa_client_cancel (rig->client, query);
  rig_run (rig);
  ck_assert_uint_eq (rig->n_marks, 0);
  ck_assert_uint_eq (rig->n_sends, 2);
  ck_assert_uint_eq (sa_service_counters (rig->sa)->answered, 2);
  rig_free (rig);
}
END_TEST

/* Cancelling the query that is just being reported is harmless, and so is asking
 * again from there, for answers, failures and errors alike. */
START_TEST (done_may_call_back)
{
  Rig *rig = rig_new ();

  rig->again = 3;
  rig_start (rig, TRUE, TRUE, 0);
  rig->cancel = sa_client_query (rig->client, 1, SIM_S (1), 10);
  sim_engine_run (rig->engine, SIM_US (1500));
  ck_assert_uint_eq (rig->n_marks, 1);
  rig->cancel = NULL;
  rig_run (rig);
  ck_assert_uint_eq (rig->n_marks, 4);
  for (guint i = 0; i < 4; i++)
    {
      check_mark (rig, i, SIM_MS (i + 1), 0);
      ck_assert_uint_eq (rig->args[i], 10 + i);
    }
  rig_free (rig);
}
END_TEST

/* Many in flight: every answer finds its query, records are used again. */
START_TEST (many_queries)
{
  enum { N = 1000 };
  Rig *rig = rig_new ();

  rig->sa_params.service = sim_dist_constant (SIM_US (10));
  rig_start (rig, TRUE, TRUE, 0);
  for (guint round = 0; round < 2; round++)
    {
      SimTime start = sim_engine_now (rig->engine);

      ask (rig, N);
      rig_run (rig);
      ck_assert_uint_eq (rig->n_marks, N * (round + 1));
      for (guint i = 0; i < N; i++)
        {
          check_mark (rig, N * round + i, start + SIM_US (10) * (i + 1), 0);
          ck_assert_uint_eq (rig->args[N * round + i], i);
        }
    }
  ck_assert_uint_eq (rig->n_sends, 2 * N);
  rig_free (rig);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sa");
  TCase *service = tcase_create ("service");
  TCase *client = tcase_create ("client");
  SRunner *runner;
  int failed;

  tcase_add_test (service, path_record);
  tcase_add_test (service, workers_share_the_queue);
  tcase_add_test (service, limits_drop);
  tcase_add_test (service, mm1);
  tcase_add_test (service, mm2);
  tcase_add_test (service, mm1k);
  tcase_add_test (service, parameters_say_where_from);
  tcase_set_timeout (service, 120);
  suite_add_tcase (suite, service);
  tcase_add_test (client, client_tries);
  tcase_add_test (client, client_tries_on_the_wheel);
  tcase_add_test (client, client_waits_from_completion);
  tcase_add_test (client, error_status);
  tcase_add_test (client, late_responses);
  tcase_add_test (client, cancelled);
  tcase_add_test (client, done_may_call_back);
  tcase_add_test (client, many_queries);
  suite_add_tcase (suite, client);
  runner = srunner_create (suite);
  srunner_run_all (runner, CK_NORMAL);
  failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? 0 : 1;
}

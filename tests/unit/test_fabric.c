/* The wire: arithmetic of sending, independence of the ports' streams, and the loss
 * models against their formulas. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "fabric.h"
#include "loss_rules.h"

#define SEED 20260801
#define Z99 2.5758 /* two-sided 99 % quantile of the normal distribution */

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

static void
port_deliver (gpointer owner, const IbMad *mad)
{
  Port *port = owner;
  Wire *wire = port->wire;
  Arrival arrival = { sim_engine_now (wire->engine), port->lid, mad->cm.tid };

  ck_assert_uint_eq (mad->destination, port->lid);
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
}

static void
wire_sent (gpointer owner, SimTime now, const IbMad *mad G_GNUC_UNUSED, FabricFate fate)
{
  Wire *wire = owner;

  ck_assert_int_eq (now, sim_engine_now (wire->engine));
  g_array_append_val (wire->fates, fate);
}

static const FabricPortOps port_ops = { .deliver = port_deliver };
static const FabricObserverOps wire_ops = { .sent = wire_sent };

/* 1500 ns latency, 8 Gb/s, native headers, no loss: 290 ns on the link. */
static Wire *
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

static void
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

static void
wire_stop (Wire *wire)
{
  fabric_free (wire->fabric);
  sim_engine_free (wire->engine);
  g_array_set_size (wire->arrivals, 0);
  g_array_set_size (wire->fates, 0);
}

static void
wire_free (Wire *wire)
{
  g_array_unref (wire->arrivals);
  g_array_unref (wire->fates);
  g_free (wire);
}

static SimTime
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

static const Arrival *
wire_arrival (const Wire *wire, guint i)
{
  ck_assert_uint_lt (i, wire->arrivals->len);
  return &g_array_index (wire->arrivals, Arrival, i);
}

static FabricFate
wire_fate (const Wire *wire, guint i)
{
  ck_assert_uint_lt (i, wire->fates->len);
  return g_array_index (wire->fates, FabricFate, i);
}

START_TEST (serialisation_and_latency)
{
  Wire *wire = wire_new ();
  Port ports[3];

  wire_start (wire, ports, 3);
  /* 290 bytes at 8 Gb/s: 290 ns.  The second of a port waits, another port's does not. */
  ck_assert_int_eq (wire_send (wire, 1, 3, IB_CM_REQ, 10), 290);
  ck_assert_int_eq (wire_send (wire, 1, 2, IB_CM_REQ, 11), 580);
  ck_assert_int_eq (wire_send (wire, 2, 3, IB_CM_REQ, 12), 290);
  ck_assert_int_eq (sim_engine_run (wire->engine, 10000), SIM_STOP_IDLE);
  ck_assert_uint_eq (wire->arrivals->len, 3);
  ck_assert_int_eq (wire_arrival (wire, 0)->at, 1790);
  ck_assert_uint_eq (wire_arrival (wire, 0)->tid, 10);
  ck_assert_int_eq (wire_arrival (wire, 1)->at, 1790); /* sent later in the same instant */
  ck_assert_uint_eq (wire_arrival (wire, 1)->tid, 12);
  ck_assert_int_eq (wire_arrival (wire, 2)->at, 2080);
  ck_assert_uint_eq (wire_arrival (wire, 2)->port, 2);
  ck_assert_uint_eq (mad_pool_count (fabric_mad_pool (wire->fabric)), 0);
  ck_assert_uint_eq (fabric_sent (wire->fabric), 3);
  ck_assert_uint_eq (fabric_lost (wire->fabric), 0);
  wire_stop (wire);
  wire_free (wire);
}
END_TEST

/* An idle link starts at once; a busy one when it is free. */
START_TEST (link_idles_and_queues)
{
  Wire *wire = wire_new ();
  Port ports[2];

  wire->answers = 2;
  wire_start (wire, ports, 2);
  wire_send (wire, 1, 2, IB_CM_REQ, 1);
  wire_send (wire, 1, 2, IB_CM_REQ, 2);
  sim_engine_run (wire->engine, SIM_TIME_NEVER);
  /* Arrivals 1790 and 2080; both answers find an idle link: 1790 more each. */
  ck_assert_uint_eq (wire->arrivals->len, 4);
  ck_assert_int_eq (wire_arrival (wire, 2)->at, 1790 + 1790);
  ck_assert_int_eq (wire_arrival (wire, 3)->at, 2080 + 1790);
  wire_stop (wire);
  wire_free (wire);
}
END_TEST

START_TEST (serialisation_rounds)
{
  static const struct {
    guint64 rate, overhead;
    SimTime gone;
  } cases[] = {
    { G_GUINT64_CONSTANT (8000000000), 66, 322 },  /* RoCEv2 */
    { G_GUINT64_CONSTANT (32000000000), 34, 73 },  /* 72.5 */
    { G_GUINT64_CONSTANT (100000000000), 34, 23 }, /* 23.2 */
    { 1000, 34, SIM_MS (2320) },
    { 0, 34, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Wire *wire = wire_new ();
      Port ports[2];

      wire->params.rate_bps = cases[i].rate;
      wire->params.overhead_bytes = cases[i].overhead;
      wire_start (wire, ports, 2);
      ck_assert_int_eq (wire_send (wire, 1, 2, IB_CM_REQ, 1), cases[i].gone);
      ck_assert_int_eq (wire_send (wire, 1, 2, IB_CM_REQ, 2), 2 * cases[i].gone);
      wire_stop (wire);
      wire_free (wire);
    }
}
END_TEST

/* Receivers that send make the pool grow while MADs are in it. */
START_TEST (many_in_flight)
{
  enum { N = 1000 };
  Wire *wire = wire_new ();
  Port ports[2];

  wire->params.rate_bps = 0;
  wire->answers = N;
  wire_start (wire, ports, 2);
  for (guint i = 0; i < N; i++)
    wire_send (wire, 1, 2, IB_CM_REQ, i);
  ck_assert_uint_eq (mad_pool_count (fabric_mad_pool (wire->fabric)), N);
  sim_engine_run (wire->engine, SIM_TIME_NEVER);
  ck_assert_uint_eq (wire->arrivals->len, 2 * N);
  for (guint i = 0; i < 2 * N; i++)
    {
      ck_assert_uint_eq (wire_arrival (wire, i)->tid, i % N);
      ck_assert_int_eq (wire_arrival (wire, i)->at, i < N ? 1500 : 3000);
    }
  ck_assert_uint_eq (mad_pool_count (fabric_mad_pool (wire->fabric)), 0);
  wire_stop (wire);
  wire_free (wire);
}
END_TEST

/* Delivery times at port 3 of what port 1 sends. */
static GArray *
delays_of_port_1 (gboolean others, double loss)
{
  enum { N = 200 };
  LossBernoulliParams bernoulli = { .probability = loss };
  Wire *wire = wire_new ();
  GArray *delays = g_array_new (FALSE, FALSE, sizeof (SimTime));
  Port ports[3];

  wire->params.latency = sim_dist_exponential (SIM_US (2));
  wire->params.rate_bps = 0;
  wire->params.loss = (SimChoice) { .klass = &loss_bernoulli.info, .params = &bernoulli };
  wire_start (wire, ports, 3);
  for (guint i = 0; i < N; i++)
    {
      SimTime sent = sim_engine_now (wire->engine);
      SimTime delay = SIM_TIME_NEVER;

      wire_send (wire, 1, 3, IB_CM_REQ, 1);
      if (others)
        wire_send (wire, 2, 3, IB_CM_REQ, 2);
      g_array_set_size (wire->arrivals, 0);
      sim_engine_run (wire->engine, SIM_S (i + 1));
      for (guint a = 0; a < wire->arrivals->len; a++)
        if (wire_arrival (wire, a)->tid == 1)
          delay = wire_arrival (wire, a)->at - sent;
      g_array_append_val (delays, delay);
    }
  wire_stop (wire);
  wire_free (wire);
  return delays;
}

START_TEST (ports_do_not_disturb_each_other)
{
  GArray *alone = delays_of_port_1 (FALSE, 0);
  GArray *busy = delays_of_port_1 (TRUE, 0);
  GArray *lossy = delays_of_port_1 (TRUE, 0.3);
  guint lost = 0, different = 0;

  for (guint i = 0; i < alone->len; i++)
    {
      SimTime delay = g_array_index (alone, SimTime, i);
      SimTime with_loss = g_array_index (lossy, SimTime, i);

      ck_assert_int_eq (delay, g_array_index (busy, SimTime, i));
      /* A loss takes its own MAD away and leaves the latency of the next alone. */
      if (with_loss == SIM_TIME_NEVER)
        lost++;
      else
        ck_assert_int_eq (delay, with_loss);
      if (delay != g_array_index (alone, SimTime, 0))
        different++;
    }
  ck_assert_uint_gt (lost, 0);
  ck_assert_uint_gt (different, alone->len / 2);
  g_array_unref (alone);
  g_array_unref (busy);
  g_array_unref (lossy);
}
END_TEST

/* TRUE for each of n MADs of port 1 that was lost. */
static GArray *
losses (const SimClassInfo *klass, gconstpointer params, guint n)
{
  Wire *wire = wire_new ();
  GArray *lost = g_array_sized_new (FALSE, FALSE, sizeof (gboolean), n);
  Port ports[2];

  wire->params.loss = (SimChoice) { .klass = klass, .params = params };
  wire_start (wire, ports, 2);
  for (guint i = 0; i < n; i++)
    {
      gboolean drop;

      wire_send (wire, 1, 2, IB_CM_REQ, i);
      drop = wire_fate (wire, i) == FABRIC_FATE_DROPPED;
      g_array_append_val (lost, drop);
    }
  sim_engine_run (wire->engine, SIM_TIME_NEVER);
  ck_assert_uint_eq (wire->arrivals->len + fabric_lost (wire->fabric), n);
  wire_stop (wire);
  wire_free (wire);
  return lost;
}

static guint
count_lost (const GArray *lost)
{
  guint count = 0;

  for (guint i = 0; i < lost->len; i++)
    count += g_array_index (lost, gboolean, i) ? 1 : 0;
  return count;
}

START_TEST (bernoulli_rate)
{
  static const double probabilities[] = { 0, 0.001, 0.1, 0.5, 1 };
  enum { N = 100000 };

  for (guint i = 0; i < G_N_ELEMENTS (probabilities); i++)
    {
      double p = probabilities[i];
      LossBernoulliParams params = { .probability = p };
      GArray *lost = losses (&loss_bernoulli.info, &params, N);
      double error = count_lost (lost) - N * p;

      ck_assert_double_le (fabs (error), Z99 * sqrt (N * p * (1 - p)));
      g_array_unref (lost);
    }
}
END_TEST

/* Stationary loss rate and the variance of a count of n correlated losses: with
 * p = 1/mean_good, q = 1/mean_bad, the state's autocorrelation is l^k, l = 1 - p - q. */
START_TEST (burst_rate)
{
  enum { N = 400000 };
  LossBurstParams params = { .loss_good = 0.01, .loss_bad = 0.8, .mean_good = 90, .mean_bad = 10 };
  GArray *lost = losses (&loss_burst.info, &params, N);
  double rate = 0.9 * 0.01 + 0.1 * 0.8;
  double l = 1 - 1.0 / 90 - 1.0 / 10;
  double variance = rate * (1 - rate) + 2 * 0.9 * 0.1 * 0.79 * 0.79 * l / (1 - l);

  ck_assert_double_le (fabs (count_lost (lost) - N * rate), Z99 * sqrt (N * variance));
  g_array_unref (lost);
}
END_TEST

/* With certain loss in the bad state and none in the good one, runs of losses are the
 * bad periods: geometric with mean 5, and the good ones with mean 20. */
START_TEST (burst_lengths)
{
  enum { N = 200000 };
  LossBurstParams params = { .loss_good = 0, .loss_bad = 1, .mean_good = 20, .mean_bad = 5 };
  GArray *lost = losses (&loss_burst.info, &params, N);
  guint runs[2] = { 0, 0 }, length[2] = { 0, 0 };

  for (guint i = 1; i < N; i++)
    {
      gboolean bad = g_array_index (lost, gboolean, i);

      length[bad]++;
      if (bad != g_array_index (lost, gboolean, i - 1))
        runs[bad]++;
    }
  for (guint bad = 0; bad < 2; bad++)
    {
      double mean = bad ? 5 : 20;
      double deviation = mean * sqrt (1 - 1 / mean) / sqrt (runs[bad]);

      ck_assert_uint_gt (runs[bad], 5000);
      ck_assert_double_le (fabs ((double) length[bad] / runs[bad] - mean), Z99 * deviation);
    }
  g_array_unref (lost);
}
END_TEST

/* Each port has its own link, and its first MAD finds it in the stationary state. */
START_TEST (burst_starts_stationary)
{
  enum { PORTS = 20000 };
  LossBurstParams params = { .loss_good = 0, .loss_bad = 1, .mean_good = 30, .mean_bad = 10 };
  Wire *wire = wire_new ();
  Port *ports = g_new (Port, PORTS);

  wire->params.loss = (SimChoice) { .klass = &loss_burst.info, .params = &params };
  wire_start (wire, ports, PORTS);
  for (guint i = 0; i < PORTS; i++)
    wire_send (wire, i + 1, 1, IB_CM_REQ, i);
  ck_assert_double_le (fabs ((double) fabric_lost (wire->fabric) - PORTS * 0.25),
                       Z99 * sqrt (PORTS * 0.25 * 0.75));
  wire_stop (wire);
  wire_free (wire);
  g_free (ports);
}
END_TEST

/* --- rules ------------------------------------------------------------------ */

#define A 1 /* client.0 */
#define B 2 /* server */
#define C 3 /* client.1 */

typedef struct {
  guint8 source, destination;
  guint16 attr;
  FabricFate fate;
} Sent;

#define FWD FABRIC_FATE_DELIVERED
#define DROP FABRIC_FATE_DROPPED
#define DELAY FABRIC_FATE_DELAYED
#define DUP FABRIC_FATE_DUPLICATED

static void
wire_start_rules (Wire *wire, LossRulesParams *params, Port *ports)
{
  wire->params.loss = (SimChoice) { .klass = &loss_rules.info, .params = params };
  wire->params.rate_bps = 0;
  wire_start (wire, ports, 3);
  fabric_name_ports (wire->fabric, "client", A, 1);
  fabric_name_ports (wire->fabric, "server", B, 1);
}

/* Sends the list with the rules and compares every fate. */
static void
check_rules (const LossRule *rules, guint n_rules, const Sent *sent, guint n_sent)
{
  Wire *wire = wire_new ();
  LossRulesParams params = { .rules = g_array_new (FALSE, FALSE, sizeof (LossRule)) };
  Port ports[3];

  g_array_append_vals (params.rules, rules, n_rules);
  wire_start_rules (wire, &params, ports);
  for (guint i = 0; i < n_sent; i++)
    {
      wire_send (wire, sent[i].source, sent[i].destination, sent[i].attr, i);
      ck_assert_msg (wire_fate (wire, i) == sent[i].fate, "MAD %u: fate %d, expected %d", i,
                     wire_fate (wire, i), sent[i].fate);
    }
  wire_stop (wire);
  wire_free (wire);
  g_array_unref (params.rules);
}

#define CHECK_RULES(rules, sent) check_rules (rules, G_N_ELEMENTS (rules), sent, G_N_ELEMENTS (sent))

/* The message sequences of the captures with their wire rules and what the recorded
 * wire did to each MAD. */
START_TEST (rules_as_captured)
{
  /* exp5_req_lost_3: rule drop REQ ab 1 3 */
  static const LossRule req_3[] = {
    { .action = LOSS_ACTION_DROP, .message = LOSS_MESSAGE_REQ, .from = "client", .to = "server",
      .first = 1, .last = 3 },
  };
  static const Sent req_3_sent[] = {
    { A, B, IB_CM_REQ, DROP }, { A, B, IB_CM_REQ, DROP }, { A, B, IB_CM_REQ, DROP },
    { A, B, IB_CM_REQ, FWD },  { B, A, IB_CM_REP, FWD },  { A, B, IB_CM_RTU, FWD },
    { A, B, IB_CM_DREQ, FWD }, { B, A, IB_CM_DREP, FWD },
  };
  /* exp5_rej_lost_2_nolistener: rule drop REJ ba 1 2 */
  static const LossRule rej_2[] = {
    { .action = LOSS_ACTION_DROP, .message = LOSS_MESSAGE_REJ, .from = "server", .to = "client",
      .first = 1, .last = 2 },
  };
  static const Sent rej_2_sent[] = {
    { A, B, IB_CM_REQ, FWD }, { B, A, IB_CM_REJ, DROP }, { A, B, IB_CM_REQ, FWD },
    { B, A, IB_CM_REJ, DROP }, { A, B, IB_CM_REQ, FWD }, { B, A, IB_CM_REJ, FWD },
  };
  /* exp1_both_disconnect: rule delay DREQ any 1 99 200 */
  static const LossRule dreq_any[] = {
    { .action = LOSS_ACTION_DELAY, .message = LOSS_MESSAGE_DREQ, .from = "any", .to = "any",
      .first = 1, .last = 99, .delay = SIM_MS (200) },
  };
  static const Sent dreq_any_sent[] = {
    { A, B, IB_CM_REQ, FWD },    { B, A, IB_CM_REP, FWD },    { A, B, IB_CM_RTU, FWD },
    { B, A, IB_CM_DREQ, DELAY }, { A, B, IB_CM_DREQ, DELAY }, { B, A, IB_CM_DREP, FWD },
  };
  /* exp5_dup_each: rule dup ANY any 1 999 50 */
  static const LossRule dup_any[] = {
    { .action = LOSS_ACTION_DUPLICATE, .message = LOSS_MESSAGE_ANY, .from = "any", .to = "any",
      .first = 1, .last = 999, .delay = SIM_MS (50) },
  };
  static const Sent dup_any_sent[] = {
    { A, B, IB_CM_REQ, DUP }, { B, A, IB_CM_REP, DUP },  { A, B, IB_CM_RTU, DUP },
    { A, B, IB_CM_RTU, DUP }, { A, B, IB_CM_DREQ, DUP }, { B, A, IB_CM_DREP, DUP },
    { B, A, IB_CM_DREP, DUP },
  };

  CHECK_RULES (req_3, req_3_sent);
  CHECK_RULES (rej_2, rej_2_sent);
  CHECK_RULES (dreq_any, dreq_any_sent);
  CHECK_RULES (dup_any, dup_any_sent);
}
END_TEST

/* One count for the whole wire, per message type and direction. */
START_TEST (rules_count_over_all_hosts)
{
  static const LossRule rules[] = {
    { .action = LOSS_ACTION_DROP, .message = LOSS_MESSAGE_REQ, .from = "any", .to = "server",
      .first = 2, .last = 3 },
  };
  static const Sent sent[] = {
    { A, B, IB_CM_REQ, FWD },  { A, B, IB_CM_RTU, FWD }, { A, C, IB_CM_REQ, FWD },
    { C, B, IB_CM_REQ, DROP }, { A, B, IB_CM_REQ, DROP }, { C, B, IB_CM_REQ, FWD },
  };

  CHECK_RULES (rules, sent);
}
END_TEST

/* The second rule counts what the first one took; the first that acts wins. */
START_TEST (rules_first_match_wins)
{
  static const LossRule rules[] = {
    { .action = LOSS_ACTION_DROP, .message = LOSS_MESSAGE_REQ, .from = "any", .to = "any",
      .first = 1, .last = 1 },
    { .action = LOSS_ACTION_DUPLICATE, .message = LOSS_MESSAGE_CM, .from = "any", .to = "any",
      .first = 1, .last = 2 },
    { .action = LOSS_ACTION_DELAY, .message = LOSS_MESSAGE_ANY, .from = "any", .to = "any",
      .first = 2, .last = 0, .delay = 1 },
  };
  static const Sent sent[] = {
    { A, B, IB_CM_REQ, DROP },
    { A, B, IB_CM_REQ, DUP },
    { A, B, IB_CM_REQ, DELAY },
    { B, A, IB_CM_REP, DELAY },
  };

  CHECK_RULES (rules, sent);
}
END_TEST

START_TEST (rules_tell_messages_apart)
{
  static const guint16 attrs[] = { IB_CM_REQ, IB_CM_REP,  IB_CM_RTU, IB_CM_REJ,
                                   IB_CM_MRA, IB_CM_DREQ, IB_CM_DREP };
  static const LossMessage messages[] = { LOSS_MESSAGE_REQ, LOSS_MESSAGE_REP,  LOSS_MESSAGE_RTU,
                                          LOSS_MESSAGE_REJ, LOSS_MESSAGE_MRA,  LOSS_MESSAGE_DREQ,
                                          LOSS_MESSAGE_DREP };

  for (guint m = 0; m < G_N_ELEMENTS (messages); m++)
    for (guint a = 0; a < G_N_ELEMENTS (attrs); a++)
      {
        LossRule rule = { .action = LOSS_ACTION_DROP, .message = messages[m], .from = "any",
                          .to = "any", .first = 1 };
        Sent sent = { A, B, attrs[a], m == a ? DROP : FWD };

        check_rules (&rule, 1, &sent, 1);
      }
}
END_TEST

static void
send_sa (Wire *wire)
{
  IbMad mad = { .source = A, .destination = B, .mgmt_class = IB_MGMT_CLASS_SUBN_ADM };

  fabric_send (wire->fabric, &mad);
}

/* "sa" is path queries and answers, "cm" what is not; "any" is both. */
START_TEST (rules_tell_classes_apart)
{
  static const LossMessage messages[] = { LOSS_MESSAGE_SA, LOSS_MESSAGE_CM, LOSS_MESSAGE_ANY,
                                          LOSS_MESSAGE_REQ };
  static const FabricFate sa_fates[] = { DROP, FWD, DROP, FWD };
  static const FabricFate cm_fates[] = { FWD, DROP, DROP, DROP };

  for (guint m = 0; m < G_N_ELEMENTS (messages); m++)
    {
      Wire *wire = wire_new ();
      LossRule rule = { .action = LOSS_ACTION_DROP, .message = messages[m], .from = "any",
                        .to = "any", .first = 1 };
      LossRulesParams params = { .rules = g_array_new (FALSE, FALSE, sizeof (LossRule)) };
      Port ports[3];

      g_array_append_val (params.rules, rule);
      wire_start_rules (wire, &params, ports);
      send_sa (wire);
      wire_send (wire, A, B, IB_CM_REQ, 0);
      ck_assert_int_eq (wire_fate (wire, 0), sa_fates[m]);
      ck_assert_int_eq (wire_fate (wire, 1), cm_fates[m]);
      wire_stop (wire);
      wire_free (wire);
      g_array_unref (params.rules);
    }
}
END_TEST

/* exp5_reorder_req_late_dup: rule dup REQ ab 1 1 8000; exp5_delay_5000ms. */
START_TEST (rules_times)
{
  static const LossRule rules[] = {
    { .action = LOSS_ACTION_DUPLICATE, .message = LOSS_MESSAGE_REQ, .from = "any", .to = "any",
      .first = 1, .last = 1, .delay = SIM_MS (8000) },
    { .action = LOSS_ACTION_DELAY, .message = LOSS_MESSAGE_ANY, .from = "any", .to = "any",
      .first = 1, .last = 0, .delay = SIM_MS (5000) },
  };
  Wire *wire = wire_new ();
  LossRulesParams params = { .rules = g_array_new (FALSE, FALSE, sizeof (LossRule)) };
  Port ports[3];

  g_array_append_vals (params.rules, rules, G_N_ELEMENTS (rules));
  wire_start_rules (wire, &params, ports);
  wire_send (wire, A, B, IB_CM_REQ, 1);
  wire_send (wire, B, A, IB_CM_REP, 2);
  sim_engine_run (wire->engine, SIM_TIME_NEVER);
  ck_assert_uint_eq (wire->arrivals->len, 3);
  ck_assert_int_eq (wire_arrival (wire, 0)->at, 1500);
  ck_assert_uint_eq (wire_arrival (wire, 0)->tid, 1);
  ck_assert_int_eq (wire_arrival (wire, 1)->at, SIM_MS (5000) + 1500);
  ck_assert_uint_eq (wire_arrival (wire, 1)->tid, 2);
  ck_assert_int_eq (wire_arrival (wire, 2)->at, SIM_MS (8000) + 1500);
  ck_assert_uint_eq (wire_arrival (wire, 2)->tid, 1);
  wire_stop (wire);
  wire_free (wire);
  g_array_unref (params.rules);
}
END_TEST

START_TEST (rules_names)
{
  static const LossRule rules[] = {
    { .action = LOSS_ACTION_DROP, .from = "client.1", .to = "server", .first = 1 },
    { .action = LOSS_ACTION_DELAY, .from = "server", .to = "any", .first = 1, .delay = 1 },
    { .action = LOSS_ACTION_DROP, .from = "nobody", .to = "any", .first = 1 },
  };
  Wire *wire = wire_new ();
  LossRulesParams params = { .rules = g_array_new (FALSE, FALSE, sizeof (LossRule)) };
  Port ports[4];
  GPtrArray *names;

  g_array_append_vals (params.rules, rules, G_N_ELEMENTS (rules));
  names = loss_rules_names (&params);
  ck_assert_uint_eq (names->len, 4);
  ck_assert_str_eq (names->pdata[0], "client.1");
  ck_assert_str_eq (names->pdata[1], "server");
  ck_assert_str_eq (names->pdata[2], "server");
  ck_assert_str_eq (names->pdata[3], "nobody");
  g_ptr_array_unref (names);

  wire->params.loss = (SimChoice) { .klass = &loss_rules.info, .params = &params };
  wire_start (wire, ports, 4);
  fabric_name_ports (wire->fabric, "server", 1, 1);
  fabric_name_ports (wire->fabric, "client", 2, 3);
  wire_send (wire, 2, 1, IB_CM_REQ, 0); /* client.0 */
  wire_send (wire, 3, 1, IB_CM_REQ, 0); /* client.1 */
  wire_send (wire, 4, 1, IB_CM_REQ, 0); /* client.2 */
  wire_send (wire, 3, 4, IB_CM_REQ, 0); /* not to the server */
  wire_send (wire, 1, 3, IB_CM_REP, 0);
  ck_assert_int_eq (wire_fate (wire, 0), FWD);
  ck_assert_int_eq (wire_fate (wire, 1), DROP);
  ck_assert_int_eq (wire_fate (wire, 2), FWD);
  ck_assert_int_eq (wire_fate (wire, 3), FWD);
  ck_assert_int_eq (wire_fate (wire, 4), DELAY);
  wire_stop (wire);
  wire_free (wire);
  g_array_unref (params.rules);
}
END_TEST

START_TEST (names_resolve)
{
  static const struct {
    const char *name;
    gboolean known;
    guint first, count;
  } cases[] = {
    { "client", TRUE, 0, 12 },    { "client.0", TRUE, 0, 1 },   { "client.11", TRUE, 11, 1 },
    { "client.12", FALSE, 0, 0 }, { "client.", FALSE, 0, 0 },   { "clients", FALSE, 0, 0 },
    { "client.-1", FALSE, 0, 0 }, { "client.1x", FALSE, 0, 0 }, { "clien", FALSE, 0, 0 },
    { "any", FALSE, 0, 0 },       { "", FALSE, 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint first, count;
      gboolean known = loss_name_resolve (cases[i].name, "client", 12, &first, &count);

      ck_assert_msg (known == cases[i].known, "%s", cases[i].name);
      if (known)
        {
          ck_assert_uint_eq (first, cases[i].first);
          ck_assert_uint_eq (count, cases[i].count);
        }
    }
}
END_TEST

/* What happens to a MAD is part of the fingerprint. */
static guint64
fingerprint_of (guint16 attr)
{
  Wire *wire = wire_new ();
  Port ports[2];
  guint64 fingerprint;

  wire_start (wire, ports, 2);
  wire_send (wire, 1, 2, attr, 0);
  sim_engine_run (wire->engine, SIM_TIME_NEVER);
  fingerprint = sim_engine_fingerprint (wire->engine);
  wire_stop (wire);
  wire_free (wire);
  return fingerprint;
}

START_TEST (fingerprint_knows_messages)
{
  ck_assert (fingerprint_of (IB_CM_REQ) == fingerprint_of (IB_CM_REQ));
  ck_assert (fingerprint_of (IB_CM_REQ) != fingerprint_of (IB_CM_REP));
}
END_TEST

START_TEST (models_are_listed)
{
  static const char *const names[] = { "none", "bernoulli", "burst", "rules" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      ck_assert_str_eq (loss_classes[i]->name, names[i]);
      ck_assert_ptr_nonnull (loss_classes[i]->help);
    }
  ck_assert_ptr_null (loss_classes[G_N_ELEMENTS (names)]);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("fabric");
  TCase *wire = tcase_create ("wire");
  TCase *loss = tcase_create ("loss");
  SRunner *runner;
  int failed;

  tcase_add_test (wire, serialisation_and_latency);
  tcase_add_test (wire, link_idles_and_queues);
  tcase_add_test (wire, serialisation_rounds);
  tcase_add_test (wire, many_in_flight);
  tcase_add_test (wire, ports_do_not_disturb_each_other);
  tcase_add_test (wire, fingerprint_knows_messages);
  suite_add_tcase (suite, wire);
  tcase_add_test (loss, bernoulli_rate);
  tcase_add_test (loss, burst_rate);
  tcase_add_test (loss, burst_lengths);
  tcase_add_test (loss, burst_starts_stationary);
  tcase_add_test (loss, rules_as_captured);
  tcase_add_test (loss, rules_count_over_all_hosts);
  tcase_add_test (loss, rules_first_match_wins);
  tcase_add_test (loss, rules_tell_messages_apart);
  tcase_add_test (loss, rules_tell_classes_apart);
  tcase_add_test (loss, rules_times);
  tcase_add_test (loss, rules_names);
  tcase_add_test (loss, names_resolve);
  tcase_add_test (loss, models_are_listed);
  tcase_set_timeout (loss, 60);
  suite_add_tcase (suite, loss);
  runner = srunner_create (suite);
  srunner_run_all (runner, CK_NORMAL);
  failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? 0 : 1;
}

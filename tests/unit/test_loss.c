/* The loss models: rates against their formulas, rules against the captures. */
#include "loss_rules.h"
#include "test_wire.h"

#define Z99 2.5758 /* two-sided 99 % quantile of the normal distribution */

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
      drop = g_array_index (wire->fates, FabricFate, i) == FABRIC_FATE_DROPPED;
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

#define CHECK_RULES(rules, sent) \
  check_rules (rules, G_N_ELEMENTS (rules), sent, G_N_ELEMENTS (sent))

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
  Suite *suite = suite_create ("loss");
  TCase *rates = tcase_create ("rates");
  TCase *rules = tcase_create ("rules");

  tcase_add_test (rates, bernoulli_rate);
  tcase_add_test (rates, burst_rate);
  tcase_add_test (rates, burst_lengths);
  tcase_add_test (rates, burst_starts_stationary);
  tcase_set_timeout (rates, 60);
  suite_add_tcase (suite, rates);
  tcase_add_test (rules, rules_as_captured);
  tcase_add_test (rules, rules_count_over_all_hosts);
  tcase_add_test (rules, rules_first_match_wins);
  tcase_add_test (rules, rules_tell_messages_apart);
  tcase_add_test (rules, rules_tell_classes_apart);
  tcase_add_test (rules, rules_times);
  tcase_add_test (rules, rules_names);
  tcase_add_test (rules, names_resolve);
  tcase_add_test (rules, models_are_listed);
  suite_add_tcase (suite, rules);
  return test_run (suite);
}

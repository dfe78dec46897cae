/* The wire: arithmetic of sending, independence of the ports' streams. */
#include "test_wire.h"

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

int
main (void)
{
  Suite *suite = suite_create ("fabric");
  TCase *wire = tcase_create ("wire");

  tcase_add_test (wire, serialisation_and_latency);
  tcase_add_test (wire, link_idles_and_queues);
  tcase_add_test (wire, serialisation_rounds);
  tcase_add_test (wire, many_in_flight);
  tcase_add_test (wire, ports_do_not_disturb_each_other);
  tcase_add_test (wire, fingerprint_knows_messages);
  suite_add_tcase (suite, wire);
  return test_run (suite);
}

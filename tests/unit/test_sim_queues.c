/* Queues with exact answers, simulated with the engine, the FIFO server and the
 * distributions.
 *
 * Each row runs REPLICATIONS independent replications and passes if the exact value is
 * in the 99 % confidence interval of their mean, |mean - exact| <= t s / sqrt n, and the
 * interval is narrow.  The seed is fixed, so a row passes always or never.  The exact
 * values are computed here, from the textbook formulas. */
#include "sim_dist.h"
#include "sim_engine.h"
#include "sim_fifo.h"
#include "sim_stats.h"

#include "test_sim.h"

#define SEED 20260801
#define REPLICATIONS 20
#define STUDENT_99 2.8609 /* 99.5 % quantile of Student's t with 19 degrees of freedom */
#define SERVICE SIM_MS (12) /* mean; divisible by the loads used, so rates are exact */

enum { BLOCKED, PRESENT, SOJOURN, DELAYED, MEASURES };
static const char *const measure_names[MEASURES] = { "blocked", "L", "W", "delayed" };

/* ----- exact values, times in mean service times ----- */

/* Stationary probabilities of M/M/c/K, p[0..K]. */
static void
mmck_probabilities (double a, guint c, guint k, double *p)
{
  double sum = 0;

  p[0] = 1;
  for (guint n = 1; n <= k; n++)
    p[n] = p[n - 1] * a / MIN (n, c);
  for (guint n = 0; n <= k; n++)
    sum += p[n];
  for (guint n = 0; n <= k; n++)
    p[n] /= sum;
}

#define MOST_PRESENT 128

static void
mmck (double a, guint c, guint k, double *ret_exact)
{
  double p[MOST_PRESENT + 1];
  double present = 0, idle = 0;

  mmck_probabilities (a, c, k, p);
  for (guint n = 0; n <= k; n++)
    present += n * p[n];
  for (guint n = 0; n < MIN (c, k); n++)
    idle += p[n];
  double accepted = 1 - p[k];
  ret_exact[BLOCKED] = p[k];
  ret_exact[PRESENT] = present;
  ret_exact[SOJOURN] = present / (a * accepted); /* Little */
  /* Of those accepted, who found all workers busy. */
  ret_exact[DELAYED] = 1 - (c == k ? 1 : idle / accepted);
}

static double
erlang_b (guint c, double a)
{
  double b = 1;

  for (guint n = 1; n <= c; n++)
    b = a * b / (n + a * b);
  return b;
}

static double
erlang_c (guint c, double a)
{
  double b = erlang_b (c, a);

  return b / (1 - a / c * (1 - b));
}

/* From the mean wait, for a system that loses nobody. */
static void
lossless (double a, double wait, double delayed, double *ret_exact)
{
  ret_exact[BLOCKED] = 0;
  ret_exact[SOJOURN] = wait + 1;
  ret_exact[PRESENT] = a * (wait + 1);
  ret_exact[DELAYED] = delayed;
}

/* M/G/1 with squared coefficient of variation cv2: Pollaczek and Khinchine. */
static void
mg1 (double rho, double cv2, double *ret_exact)
{
  lossless (rho, rho * (1 + cv2) / (2 * (1 - rho)), rho, ret_exact);
}

static double
retrial_orbit (double lambda, double theta)
{
  return lambda * (lambda + lambda * theta) / (theta * (1 - lambda)); /* rho is lambda: mu = 1 */
}

/* ----- the simulated queue ----- */

typedef enum { EXPONENTIAL, CONSTANT, LOGNORMAL, WEIBULL } ServiceKind;

typedef struct {
  const char *name;
  double a; /* offered load */
  guint workers;
  guint capacity; /* 0: unbounded */
  ServiceKind service;
  guint arrivals;   /* measured in each replication, on average */
  /* The half width of the interval is at most this share of the value; blocking can be
   * rare, and in the row with a = 1 it comes in clusters thousands of services long. */
  double blocked_precision, precision;
} QueueCase;

typedef struct {
  SimEngine *engine;
  SimFifo *fifo;
  SimDist interarrival, service;
  SimStream arrivals, services;
  SimTimeAvg present;
  SimTally sojourn;
  guint64 offered, blocked, delayed;
} Queue;

#define SIGMA 1.0 /* of the lognormal */
#define SHAPE 0.5 /* of the Weibull: gamma (1 + 1 / 0.5) is 2 */

static SimDist
service_dist (ServiceKind kind)
{
  switch (kind) {
  case EXPONENTIAL: return sim_dist_exponential (SERVICE);
  case CONSTANT: return sim_dist_constant (SERVICE);
  case LOGNORMAL:
    return sim_dist_lognormal ((SimTime) ((double) SERVICE * exp (-SIGMA * SIGMA / 2)), SIGMA);
  case WEIBULL: return sim_dist_weibull (SERVICE / 2, SHAPE);
  }
  g_assert_not_reached ();
}

static double
service_cv2 (ServiceKind kind)
{
  switch (kind) {
  case EXPONENTIAL: return 1;
  case CONSTANT: return 0;
  case LOGNORMAL: return exp (SIGMA * SIGMA) - 1;
  case WEIBULL: return tgamma (5) / (tgamma (3) * tgamma (3)) - 1;
  }
  g_assert_not_reached ();
}

static void
queue_departs (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Queue *queue = owner;

  sim_time_avg_step (&queue->present, sim_engine_now (queue->engine), -1);
}

static const SimEventClass departs = { .name = "departs", .code = 1, .fire = queue_departs };

static void
queue_offer (Queue *queue)
{
  SimTime now = sim_engine_now (queue->engine);
  SimTime service = sim_dist_sample (&queue->service, &queue->services);
  SimFifoSlot slot;

  queue->offered++;
  if (!sim_fifo_offer (queue->fifo, now, service, &slot)) {
    queue->blocked++;
    return;
  }
  queue->delayed += slot.start > now;
  sim_tally_add (&queue->sojourn, (double) (slot.end - now) / (double) SERVICE);
  sim_time_avg_step (&queue->present, now, 1);
  sim_engine_schedule_at (queue->engine, slot.end, &departs, queue, 0);
}

static void queue_arrives (gpointer owner, guint64 arg);
static const SimEventClass arrives = { .name = "arrives", .code = 2, .fire = queue_arrives };

static void
queue_arrives (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Queue *queue = owner;

  sim_engine_schedule_after (queue->engine,
                             sim_dist_sample (&queue->interarrival, &queue->arrivals), &arrives,
                             queue, 0);
  queue_offer (queue);
}

static void
queue_init (Queue *queue, const QueueCase *c, guint32 replication)
{
  *queue = (Queue){
    .engine = sim_engine_new (NULL, 0),
    .fifo = sim_fifo_new (c->workers, c->capacity),
    .interarrival = sim_dist_exponential ((SimTime) ((double) SERVICE / c->a + 0.5)),
    .service = service_dist (c->service),
  };
  sim_stream_init (&queue->arrivals, sim_stream_key (SEED, replication, c->name, "arrival"), 0);
  sim_stream_init (&queue->services, sim_stream_key (SEED, replication, c->name, "service"), 0);
  sim_time_avg_init (&queue->present, 0, 0);
}

static void
queue_reset (Queue *queue)
{
  sim_time_avg_reset (&queue->present, sim_engine_now (queue->engine));
  sim_tally_init (&queue->sojourn);
  queue->offered = queue->blocked = queue->delayed = 0;
}

/* Exponential service forgets, so jobs offered at time 0 whose number is drawn from the
 * stationary probabilities put M/M/c/K in its stationary state: no warm-up, which with
 * a = 1 and K = 128 would last thousands of services. */
static void
start_stationary (Queue *queue, const QueueCase *c, guint32 replication)
{
  double p[MOST_PRESENT + 1];
  SimStream stream;
  guint n = 0;

  mmck_probabilities (c->a, c->workers, c->capacity, p);
  sim_stream_init (&stream, sim_stream_key (SEED, replication, c->name, "start"), 0);
  for (double u = sim_stream_unit (&stream); n < c->capacity && u >= p[n]; n++)
    u -= p[n];
  for (guint i = 0; i < n; i++)
    queue_offer (queue);
}

static void
run_queue (const QueueCase *c, guint32 replication, double *ret_measured)
{
  Queue queue;
  SimTime length = c->arrivals * (SimTime) ((double) SERVICE / c->a + 0.5);

  queue_init (&queue, c, replication);
  if (c->capacity != 0 && c->service == EXPONENTIAL) {
    start_stationary (&queue, c, replication);
    sim_engine_schedule_after (queue.engine,
                               sim_dist_sample (&queue.interarrival, &queue.arrivals), &arrives,
                               &queue, 0);
  } else { /* a tenth of the run to warm up */
    sim_engine_schedule_at (queue.engine, 0, &arrives, &queue, 0);
    sim_engine_run (queue.engine, length / 10);
  }
  queue_reset (&queue);
  SimTime end = sim_engine_now (queue.engine) + length;
  ck_assert_int_eq (sim_engine_run (queue.engine, end), SIM_STOP_UNTIL);

  ret_measured[BLOCKED] = (double) queue.blocked / (double) queue.offered;
  ret_measured[PRESENT] = sim_time_avg_mean (&queue.present, end);
  ret_measured[SOJOURN] = queue.sojourn.mean;
  ret_measured[DELAYED] = (double) queue.delayed / (double) (queue.offered - queue.blocked);
  sim_fifo_free (queue.fifo);
  sim_engine_free (queue.engine);
}

/* ----- the verdict ----- */

static void
check_interval (const char *name, const char *measure, const SimTally *tally, double exact,
                double precision)
{
  double half = STUDENT_99 * sim_tally_stddev (tally) / sqrt ((double) tally->n);

  ck_assert_uint_eq (tally->n, REPLICATIONS);
  ck_assert_msg (fabs (tally->mean - exact) <= half, "%s, %s: %g +- %g does not hold %g", name,
                 measure, tally->mean, half, exact);
  ck_assert_msg (half <= precision * exact, "%s, %s: %g +- %g is too wide", name, measure,
                 tally->mean, half);
}

static const QueueCase queue_cases[] = {
  { "M/M/1/10 a 0.8", 0.8, 1, 10, EXPONENTIAL, 100000, 0.03, 0.02 },
  { "M/M/1/128 a 1", 1.0, 1, 128, EXPONENTIAL, 500000, 0.12, 0.04 },
  { "M/M/1/10 a 1.2", 1.2, 1, 10, EXPONENTIAL, 40000, 0.02, 0.02 },
  { "M/M/1/128 a 2", 2.0, 1, 128, EXPONENTIAL, 20000, 0.02, 0.02 },
  { "M/M/4/16 a 4", 4.0, 4, 16, EXPONENTIAL, 120000, 0.03, 0.02 },
  { "M/M/10/10 a 5", 5.0, 10, 10, EXPONENTIAL, 100000, 0.03, 0.02 },
  { "M/M/10/10 a 8", 8.0, 10, 10, EXPONENTIAL, 20000, 0.02, 0.02 },
  { "M/D/10/10 a 8", 8.0, 10, 10, CONSTANT, 20000, 0.02, 0.02 },
  { "M/M/32/32 a 20", 20.0, 32, 32, EXPONENTIAL, 500000, 0.04, 0.02 },
  { "M/M/1 a 0.8", 0.8, 1, 0, EXPONENTIAL, 100000, 0, 0.03 },
  { "M/M/10 a 5", 5.0, 10, 0, EXPONENTIAL, 120000, 0, 0.03 },
  { "M/M/10 a 8", 8.0, 10, 0, EXPONENTIAL, 50000, 0, 0.03 },
  { "M/D/1 a 0.8", 0.8, 1, 0, CONSTANT, 50000, 0, 0.03 },
  { "M/G/1 lognormal a 0.75", 0.75, 1, 0, LOGNORMAL, 100000, 0, 0.03 },
  { "M/G/1 Weibull a 0.6", 0.6, 1, 0, WEIBULL, 200000, 0, 0.03 },
};

static void
exact_values (const QueueCase *c, double *ret_exact)
{
  if (c->capacity != 0) /* Erlang's loss formula holds for any service */
    mmck (c->a, c->workers, c->capacity, ret_exact);
  else if (c->workers == 1)
    mg1 (c->a, service_cv2 (c->service), ret_exact);
  else
    lossless (c->a, erlang_c (c->workers, c->a) / (c->workers - c->a),
              erlang_c (c->workers, c->a), ret_exact);
}

START_TEST (queue_in_interval)
{
  const QueueCase *c = &queue_cases[_i];
  double exact[MEASURES];
  SimTally tallies[MEASURES];

  exact_values (c, exact);
  for (guint m = 0; m < MEASURES; m++)
    sim_tally_init (&tallies[m]);
  for (guint32 r = 0; r < REPLICATIONS; r++) {
    double measured[MEASURES];
    run_queue (c, r, measured);
    for (guint m = 0; m < MEASURES; m++)
      sim_tally_add (&tallies[m], measured[m]);
  }
  for (guint m = 0; m < MEASURES; m++) {
    if (fabs (exact[m]) < 1e-12) /* impossible, so it never happens */
      ck_assert (tallies[m].max == 0);
    else
      check_interval (c->name, measure_names[m], &tallies[m], exact[m],
                      m == BLOCKED ? c->blocked_precision : c->precision);
  }
}
END_TEST

/* ----- classical retrials ----- */

typedef struct {
  SimEngine *engine;
  SimFifo *fifo; /* one worker, room for the job in service only */
  SimDist interarrival, service, retry;
  SimStream arrivals, services, retries;
  SimTimeAvg orbit;
} Retrial;

static void retrial_tries (gpointer owner, guint64 arg);
static const SimEventClass tries = { .name = "tries", .code = 3, .fire = retrial_tries };

/* arg: 1 for one from the orbit, who leaves it if the worker is idle. */
static void
retrial_tries (gpointer owner, guint64 arg)
{
  Retrial *retrial = owner;
  SimTime now = sim_engine_now (retrial->engine);
  SimTime service = sim_dist_sample (&retrial->service, &retrial->services);
  SimFifoSlot slot;

  if (sim_fifo_offer (retrial->fifo, now, service, &slot)) {
    sim_time_avg_step (&retrial->orbit, now, arg == 1 ? -1 : 0);
    return;
  }
  sim_time_avg_step (&retrial->orbit, now, arg == 1 ? 0 : 1);
  sim_engine_schedule_after (retrial->engine, sim_dist_sample (&retrial->retry, &retrial->retries),
                             &tries, retrial, 1);
}

static void
retrial_arrives (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  static const SimEventClass next = { .name = "arrives", .code = 4, .fire = retrial_arrives };
  Retrial *retrial = owner;

  sim_engine_schedule_after (retrial->engine,
                             sim_dist_sample (&retrial->interarrival, &retrial->arrivals), &next,
                             retrial, 0);
  retrial_tries (retrial, 0);
}

static double
run_retrial (double lambda, double theta, guint32 replication)
{
  SimTime length = SERVICE * 100000;
  Retrial retrial = {
    .engine = sim_engine_new (NULL, 0),
    .fifo = sim_fifo_new (1, 1),
    .interarrival = sim_dist_exponential ((SimTime) ((double) SERVICE / lambda)),
    .service = sim_dist_exponential (SERVICE),
    .retry = sim_dist_exponential ((SimTime) ((double) SERVICE / theta)),
  };

  sim_stream_init (&retrial.arrivals, sim_stream_key (SEED, replication, "retrial", "arrival"), 0);
  sim_stream_init (&retrial.services, sim_stream_key (SEED, replication, "retrial", "service"), 0);
  sim_stream_init (&retrial.retries, sim_stream_key (SEED, replication, "retrial", "retry"), 0);
  sim_time_avg_init (&retrial.orbit, 0, 0);
  retrial_arrives (&retrial, 0);
  sim_engine_run (retrial.engine, length / 10);
  sim_time_avg_reset (&retrial.orbit, length / 10);
  sim_engine_run (retrial.engine, length);
  double mean = sim_time_avg_mean (&retrial.orbit, length);
  sim_fifo_free (retrial.fifo);
  sim_engine_free (retrial.engine);
  return mean;
}

static const struct {
  const char *name;
  double lambda, theta;
} retrial_cases[] = {
  { "retrials, theta 0.5", 0.6, 0.5 },
  { "retrials, theta 4", 0.75, 4 },
  { "retrials, theta 0.1", 0.5, 0.1 },
};

START_TEST (retrials_in_interval)
{
  double lambda = retrial_cases[_i].lambda;
  double theta = retrial_cases[_i].theta;
  SimTally tally;

  sim_tally_init (&tally);
  for (guint32 r = 0; r < REPLICATIONS; r++)
    sim_tally_add (&tally, run_retrial (lambda, theta, r));
  check_interval (retrial_cases[_i].name, "orbit", &tally, retrial_orbit (lambda, theta), 0.03);
}
END_TEST

/* ----- the formulas against published figures ----- */

static void
assert_digits (double x, double printed, double unit)
{
  ck_assert_msg (fabs (x - printed) <= 0.5001 * unit, "%.9g is not %.9g", x, printed);
}

START_TEST (formulas_give_the_table)
{
  static const struct {
    double a;
    guint c, k;
    double blocked, blocked_unit, present, present_unit, sojourn, sojourn_unit;
  } rows[] = {
    { 0.8, 1, 10, 0.023493, 1e-6, 2.9663, 1e-4, 3.7971, 1e-4 },
    { 1.0, 1, 128, 0.0077519, 1e-7, 64.0, 0.1, 64.5, 0.1 },
    { 1.2, 1, 10, 0.192586, 1e-6, 6.7107, 1e-4, 6.9261, 1e-4 },
    { 2.0, 1, 128, 0.5, 0.1, 127.0, 0.1, 127.0, 0.1 },
    { 4.0, 4, 16, 0.065708, 1e-6, 8.8624, 1e-4, 2.3714, 1e-4 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    double exact[MEASURES];
    mmck (rows[i].a, rows[i].c, rows[i].k, exact);
    assert_digits (exact[BLOCKED], rows[i].blocked, rows[i].blocked_unit);
    assert_digits (exact[PRESENT], rows[i].present, rows[i].present_unit);
    assert_digits (exact[SOJOURN], rows[i].sojourn, rows[i].sojourn_unit);
  }
  assert_digits (erlang_b (10, 5), 0.018385, 1e-6);
  assert_digits (erlang_b (10, 8), 0.121661, 1e-6);
  assert_digits (erlang_b (32, 20), 0.003380, 1e-6);
  assert_digits (erlang_c (10, 5), 0.036105, 1e-6);
  assert_digits (erlang_c (10, 8), 0.409180, 1e-6);
}
END_TEST

/* Each formula against another one for a system that both describe. */
START_TEST (formulas_agree)
{
  double x[MEASURES], y[MEASURES];

  mmck (8, 10, 10, x);
  ck_assert_double_le (fabs (x[BLOCKED] - erlang_b (10, 8)), 1e-12);
  ck_assert_double_le (fabs (x[SOJOURN] - 1), 1e-12);
  mmck (0.5, 1, MOST_PRESENT, x); /* as good as unbounded */
  mg1 (0.5, 1, y);
  for (guint m = 0; m < MEASURES; m++)
    ck_assert_double_le (fabs (x[m] - y[m]), 1e-12);
  mmck (4, 10, MOST_PRESENT, x);
  lossless (4, erlang_c (10, 4) / (10 - 4), erlang_c (10, 4), y);
  for (guint m = 0; m < MEASURES; m++)
    ck_assert_double_le (fabs (x[m] - y[m]), 1e-12);
  /* Retrials without delay: the orbit is the queue of M/M/1, rho^2 / (1 - rho). */
  ck_assert_double_le (fabs (retrial_orbit (0.6, 1e9) - 0.9), 1e-8);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim_queues");
  TCase *tc = tcase_create ("queues");

  tcase_set_timeout (tc, 240);
  tcase_add_test (tc, formulas_give_the_table);
  tcase_add_test (tc, formulas_agree);
  tcase_add_loop_test (tc, queue_in_interval, 0, G_N_ELEMENTS (queue_cases));
  tcase_add_loop_test (tc, retrials_in_interval, 0, G_N_ELEMENTS (retrial_cases));
  suite_add_tcase (suite, tc);
  return test_run (suite);
}

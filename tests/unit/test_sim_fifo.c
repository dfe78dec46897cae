/* The FIFO server against a simulation with events, worker by worker. */
#include "sim_fifo.h"

#include "test_sim.h"

typedef struct {
  SimTime arrival, service;
  SimTime start, end; /* SIM_TIME_NEVER until known */
  gboolean lost;
  guint present; /* right after its arrival */
} Job;

/* ----- the simulation with events ----- */

#define MOST_WORKERS 40

typedef struct {
  guint workers, capacity;
  Job *serving[MOST_WORKERS]; /* NULL: idle */
  GQueue waiting;             /* Job */
} Server;

static guint
server_present (const Server *server)
{
  guint n = server->waiting.length;

  for (guint w = 0; w < server->workers; w++)
    n += server->serving[w] != NULL;
  return n;
}

static void
server_start (Server *server, guint w, Job *job, SimTime now)
{
  job->start = now;
  job->end = now + job->service;
  server->serving[w] = job;
}

/* Completions up to now, one by one; each hands its worker to the first who waits. */
static void
server_complete (Server *server, SimTime now)
{
  for (;;) {
    guint first = server->workers;
    for (guint w = 0; w < server->workers; w++) {
      if (server->serving[w] != NULL &&
          (first == server->workers || server->serving[w]->end < server->serving[first]->end))
        first = w;
    }
    if (first == server->workers || server->serving[first]->end > now)
      return;
    SimTime end = server->serving[first]->end;
    server->serving[first] = NULL;
    if (server->waiting.length > 0)
      server_start (server, first, g_queue_pop_head (&server->waiting), end);
  }
}

static void
server_arrive (Server *server, Job *job)
{
  server_complete (server, job->arrival);
  if (server->capacity != 0 && server_present (server) >= server->capacity) {
    job->lost = TRUE;
  } else {
    guint w = 0;
    while (w < server->workers && server->serving[w] != NULL)
      w++;
    if (w < server->workers)
      server_start (server, w, job, job->arrival);
    else
      g_queue_push_tail (&server->waiting, job);
  }
  server_complete (server, job->arrival); /* a job of no length is gone at once */
  job->present = server_present (server);
}

static void
simulate (Job *jobs, guint n, guint workers, guint capacity)
{
  Server server = { .workers = workers, .capacity = capacity };

  g_queue_init (&server.waiting);
  for (guint i = 0; i < n; i++)
    server_arrive (&server, &jobs[i]);
  server_complete (&server, SIM_TIME_NEVER);
}

/* ----- the comparison ----- */

typedef struct {
  guint workers, capacity;
  guint64 gap, service; /* uniform below these */
} FifoCase;

static const FifoCase cases[] = {
  { 1, 0, 11, 10 },   { 1, 1, 10, 10 },   { 1, 5, 8, 10 },    { 1, 100, 5, 10 }, { 1, 0, 3, 3 },
  { 2, 0, 6, 10 },    { 3, 3, 4, 10 },    { 3, 8, 3, 10 },    { 4, 16, 3, 10 },  { 7, 0, 2, 12 },
  { 40, 0, 20, 700 }, { 40, 45, 3, 150 }, { 5, 2, 2, 10 },    { 2, 0, 2, 2 },    { 1, 0, 2, 3 },
  { 3, 0, 1000000, 2500000 },
};

START_TEST (like_a_simulation_with_events)
{
  const FifoCase *c = &cases[_i];
  enum { JOBS = 5000 };
  Job *jobs = g_new0 (Job, JOBS);
  SimStream stream = test_stream ("fifo");
  SimFifo *fifo = sim_fifo_new (c->workers, c->capacity);
  SimTime now = 0, busy = 0;
  guint max_present = 0, lost = 0;

  for (guint i = 0; i < JOBS; i++) {
    now += (SimTime) sim_stream_below (&stream, c->gap);
    jobs[i] = (Job){ .arrival = now, .service = (SimTime) sim_stream_below (&stream, c->service) };
  }
  simulate (jobs, JOBS, c->workers, c->capacity);
  for (guint i = 0; i < JOBS; i++) {
    const Job *job = &jobs[i];
    SimFifoSlot slot = { .start = -1, .end = -1 };
    SimTime next = sim_fifo_next_start (fifo, job->arrival);
    gboolean accepted = sim_fifo_offer (fifo, job->arrival, job->service, &slot);
    ck_assert_int_eq (accepted, !job->lost);
    if (accepted) {
      ck_assert_int_eq (next, job->start);
      ck_assert_int_eq (slot.start, job->start);
      ck_assert_int_eq (slot.end, job->end);
      busy += job->service;
    } else {
      ck_assert_int_eq (slot.start, -1); /* untouched */
    }
    lost += job->lost;
    max_present = MAX (max_present, job->present);
    ck_assert_uint_eq (sim_fifo_present (fifo, job->arrival), job->present);
    ck_assert_uint_eq (sim_fifo_max_present (fifo), max_present);
  }
  ck_assert_uint_eq (sim_fifo_lost (fifo), lost);
  ck_assert_uint_eq (sim_fifo_accepted (fifo), JOBS - lost);
  ck_assert_int_eq (sim_fifo_busy_time (fifo), busy);
  ck_assert_uint_eq (sim_fifo_present (fifo, SIM_S (1000)), 0);
  sim_fifo_free (fifo);
  g_free (jobs);
}
END_TEST

/* Present at any time in between, too. */
START_TEST (present_between_arrivals)
{
  enum { JOBS = 2000 };
  Job jobs[JOBS];
  SimStream stream = test_stream ("present");
  SimFifo *fifo = sim_fifo_new (2, 0);
  guint next = 0;

  for (guint i = 0; i < JOBS; i++) {
    jobs[i] = (Job){ .arrival = i == 0 ? 0 : jobs[i - 1].arrival +
                                             (SimTime) sim_stream_below (&stream, 6),
                     .service = (SimTime) sim_stream_below (&stream, 10) };
  }
  simulate (jobs, JOBS, 2, 0);
  for (SimTime t = 0; t < jobs[JOBS - 1].arrival; t++) {
    for (; next < JOBS && jobs[next].arrival == t; next++) {
      SimFifoSlot slot;
      ck_assert (sim_fifo_offer (fifo, t, jobs[next].service, &slot));
    }
    guint present = 0;
    for (guint i = next; i-- > 0 && next - i < 500;)
      present += jobs[i].end > t;
    ck_assert_uint_eq (sim_fifo_present (fifo, t), present);
  }
  sim_fifo_free (fifo);
}
END_TEST

START_TEST (leaving_at_the_same_instant)
{
  SimFifo *fifo = sim_fifo_new (1, 2);
  SimFifoSlot slot;

  ck_assert (sim_fifo_offer (fifo, 0, 10, &slot));
  ck_assert (sim_fifo_offer (fifo, 0, 10, &slot));
  ck_assert (!sim_fifo_offer (fifo, 9, 10, &slot));
  ck_assert (sim_fifo_offer (fifo, 10, 10, &slot)); /* the first has just left */
  ck_assert_int_eq (slot.start, 20);
  ck_assert_int_eq (slot.end, 30);
  ck_assert_uint_eq (sim_fifo_present (fifo, 19), 2);
  ck_assert_uint_eq (sim_fifo_present (fifo, 20), 1);
  ck_assert_uint_eq (sim_fifo_present (fifo, 30), 0);
  ck_assert_uint_eq (sim_fifo_lost (fifo), 1);
  sim_fifo_free (fifo);
}
END_TEST

START_TEST (never_ending_job)
{
  SimFifo *fifo = sim_fifo_new (1, 0);
  SimFifoSlot slot;

  ck_assert (sim_fifo_offer (fifo, 5, SIM_TIME_NEVER, &slot));
  ck_assert_int_eq (slot.start, 5);
  ck_assert_int_eq (slot.end, SIM_TIME_NEVER);
  ck_assert (sim_fifo_offer (fifo, 6, 1, &slot));
  ck_assert_int_eq (slot.start, SIM_TIME_NEVER);
  ck_assert_int_eq (slot.end, SIM_TIME_NEVER);
  ck_assert_int_eq (sim_fifo_busy_time (fifo), SIM_TIME_NEVER);
  ck_assert_uint_eq (sim_fifo_present (fifo, SIM_TIME_NEVER - 1), 2);
  sim_fifo_free (fifo);
}
END_TEST

START_TEST (going_back_aborts)
{
  SimFifo *fifo = sim_fifo_new (1, 0);
  SimFifoSlot slot;

  sim_fifo_present (fifo, 10);
  sim_fifo_offer (fifo, 9, 1, &slot);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim_fifo");
  TCase *tc = tcase_create ("fifo");

  tcase_set_timeout (tc, 60);
  tcase_add_loop_test (tc, like_a_simulation_with_events, 0, G_N_ELEMENTS (cases));
  tcase_add_test (tc, present_between_arrivals);
  tcase_add_test (tc, leaving_at_the_same_instant);
  tcase_add_test (tc, never_ending_job);
  tcase_add_test_raise_signal (tc, going_back_aborts, SIGABRT);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}

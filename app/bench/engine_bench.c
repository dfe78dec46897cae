/* Workloads of the event engine.
 *
 * One runs at a time, in one thread: its state is in statics, as an event of a workload
 * that carried a pointer to it would be measured as well. */
#include "engine_bench.h"

#include "sim_rng.h"
#include "sim_timer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define DELAYS 16384u /* in the table */
#define TIMEOUT SIM_MS (4300)
#define LOSS 0.03694 /* so that 95 % of the timers are stopped */
#define SERVERS 8u
#define PLACES 16u
#define LOAD 0.95

static SimEngine *engine;
static SimStream stream;
static SimTime delays[DELAYS];
static guint next_delay;
static guint64 left; /* operations */
static EngineBenchResult result;
static double wall_start, cpu_start;

/* ----- random numbers: a table, so that they cost next to nothing ----- */

static double
unit (void)
{
  return ((double) (sim_stream_next (&stream) >> 11) + 0.5) * 0x1p-53;
}

static SimTime
exponential (double mean)
{
  return (SimTime) (-mean * log (unit ()));
}

static inline SimTime
delay (void)
{
  return delays[next_delay++ & (DELAYS - 1)];
}

static inline guint32
below (guint32 n)
{
  return (guint32) (((sim_stream_next (&stream) >> 32) * n) >> 32);
}

static void
seed (void)
{
  stream = (SimStream){ .state = G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) + 12345,
                        .gamma = G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) };
  next_delay = 0;
  for (guint i = 0; i < DELAYS; i++) {
    SimTime after = exponential (1e9);
    delays[i] = MAX (after, 1);
  }
}

/* ----- measuring ----- */

static double
seconds_of (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

/* A line of /proc/self/status, in KiB; 0 where there is none. */
static gint64
memory_of (const char *key)
{
  FILE *file = fopen ("/proc/self/status", "r");
  char line[256];
  gint64 value = 0;

  while (file != NULL && fgets (line, sizeof line, file) != NULL)
    if (g_str_has_prefix (line, key))
      value = g_ascii_strtoll (line + strlen (key), NULL, 10);
  if (file != NULL)
    fclose (file);
  return value;
}

static void
begin (void)
{
  wall_start = seconds_of (CLOCK_MONOTONIC);
  cpu_start = seconds_of (CLOCK_PROCESS_CPUTIME_ID);
}

static void
end (double check)
{
  result.cpu = seconds_of (CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
  result.wall = seconds_of (CLOCK_MONOTONIC) - wall_start;
  result.rss_peak = memory_of ("VmHWM:");
  result.check = check;
}

/* Runs so many operations; the event that does the last one stops the engine. */
static void
operate (guint64 operations)
{
  left = operations;
  sim_engine_run (engine, SIM_TIME_NEVER);
}

static inline void
operation_done (void)
{
  if (--left == 0)
    sim_engine_stop (engine);
}

static double
now_in_seconds (void)
{
  return sim_time_to_seconds (sim_engine_now (engine));
}

/* ----- hold: the list by itself ----- */

static void
hold_step (const SimFelClass *klass, SimFel *fel, SimFelEntry *entry, guint64 sequence)
{
  klass->pop (fel, SIM_TIME_NEVER, entry);
  klass->insert (fel, entry->time + delay (), sequence, entry->id);
}

static void
run_hold (const SimFelClass *klass, guint n, guint64 operations)
{
  SimPool pool;
  SimFelEntry entry = { .time = 0 };
  guint64 sequence = 0;

  sim_pool_init (&pool);
  SimFel *fel = klass->new_ (&pool);
  for (guint i = 0; i < n; i++) {
    guint32 slot = sim_pool_take (&pool);
    SimEventRecord *record = sim_pool_at (&pool, slot);
    guint32 generation = sim_record_generation (record);

    record->owner = NULL;
    record->stamp = sequence << SIM_GENERATION_BITS | generation;
    klass->insert (fel, delay (), sequence++, sim_pool_id (generation, slot));
  }
  for (guint64 i = 0; i < n / 2 + 50000; i++)
    hold_step (klass, fel, &entry, sequence++);
  begin ();
  for (guint64 i = 0; i < operations; i++)
    hold_step (klass, fel, &entry, sequence++);
  end (sim_time_to_seconds (entry.time));
  klass->free_ (fel);
  sim_pool_clear (&pool);
}

/* ----- holdcb and mix ----- */

static void hold_fire (gpointer owner, guint64 arg);
static const SimEventClass hold_event = { .name = "hold", .code = 1, .fire = hold_fire };

static void
hold_fire (gpointer owner, guint64 arg)
{
  if (--left == 0)
    sim_engine_stop (engine);
  else
    sim_engine_schedule_after (engine, delay (), &hold_event, owner, arg);
}

static void
run_holdcb (const SimFelClass *klass G_GNUC_UNUSED, guint n, guint64 operations)
{
  for (guint i = 0; i < n; i++)
    sim_engine_schedule_after (engine, delay (), &hold_event, NULL, 0);
  operate (n / 2 + 50000);
  sim_engine_schedule_after (engine, delay (), &hold_event, NULL, 0);
  begin ();
  operate (operations);
  end (now_in_seconds ());
}

static void mix_fire (gpointer owner, guint64 arg);
static const SimEventClass mix_event = { .name = "mix", .code = 2, .fire = mix_fire };

static SimTime
mix_delay (void)
{
  guint32 percent = below (100);

  return percent < 30 ? 0 : percent < 90 ? delay () / 200000 : TIMEOUT;
}

static void
mix_fire (gpointer owner, guint64 arg)
{
  if (--left == 0)
    sim_engine_stop (engine);
  else
    sim_engine_schedule_after (engine, mix_delay (), &mix_event, owner, arg);
}

static void
run_mix (const SimFelClass *klass G_GNUC_UNUSED, guint n, guint64 operations)
{
  for (guint i = 0; i < n; i++)
    sim_engine_schedule_after (engine, (SimTime) below (1u << 30) * 4, &mix_event, NULL, 0);
  operate (n / 2 + 50000);
  sim_engine_schedule_after (engine, mix_delay (), &mix_event, NULL, 0);
  begin ();
  operate (operations);
  end (now_in_seconds ());
}

/* ----- phold ----- */

typedef struct {
  guint64 count;
  guint64 state[7];
} Process;

static Process *processes;
static guint n_processes;

static void phold_fire (gpointer owner, guint64 arg);
static const SimEventClass phold_event = { .name = "phold", .code = 3, .fire = phold_fire };

static void
phold_fire (gpointer owner, guint64 arg)
{
  Process *process = owner;
  SimTime after;

  process->count++;
  if (--left == 0) {
    sim_engine_stop (engine);
    return;
  }
  after = delay ();
  sim_engine_schedule_after (engine, after, &phold_event, &processes[below (n_processes)], arg);
}

static void
run_phold (const SimFelClass *klass G_GNUC_UNUSED, guint n, guint64 operations)
{
  n_processes = n;
  processes = g_aligned_alloc0 (n, sizeof *processes, 64);
  for (guint i = 0; i < n; i++)
    sim_engine_schedule_after (engine, delay (), &phold_event, &processes[i], 0);
  operate (n / 2 + 50000);
  sim_engine_schedule_after (engine, delay (), &phold_event, &processes[0], 0);
  begin ();
  operate (operations);
  end (now_in_seconds ());
  g_aligned_free (processes);
}

/* ----- timer ----- */

typedef struct {
  SimTimer timeout;
  SimEventId response;
  guint64 responses, timeouts;
} Connection;

static void response_fire (gpointer owner, guint64 arg);
static void timeout_fire (gpointer owner, guint64 arg);
static const SimEventClass response_event = { .name = "response",
                                              .code = 4,
                                              .fire = response_fire };
static const SimEventClass timeout_event = { .name = "timeout", .code = 5, .fire = timeout_fire };

static void
connection_step (Connection *connection)
{
  gboolean lost = (double) (sim_stream_next (&stream) >> 11) * 0x1p-53 < LOSS;
  SimTime after = delay ();

  connection->response = SIM_EVENT_NONE;
  if (!lost)
    connection->response =
        sim_engine_schedule_after (engine, after, &response_event, connection, 0);
  sim_timer_start_after (&connection->timeout, TIMEOUT);
}

static void
response_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Connection *connection = owner;

  connection->responses++;
  sim_timer_stop (&connection->timeout);
  operation_done ();
  connection_step (connection);
}

static void
timeout_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Connection *connection = owner;

  connection->timeouts++;
  sim_engine_cancel (engine, connection->response);
  operation_done ();
  connection_step (connection);
}

static void
run_timer (const SimFelClass *klass G_GNUC_UNUSED, guint n, guint64 operations)
{
  Connection *connections = g_new0 (Connection, n);

  for (guint i = 0; i < n; i++) {
    sim_timer_init (&connections[i].timeout, engine, &timeout_event, &connections[i], 0);
    connection_step (&connections[i]);
  }
  operate (6 * (guint64) n);
  begin ();
  operate (operations);
  end (now_in_seconds ());
  g_free (connections);
}

/* ----- mmck ----- */

static guint busy, waiting;
static guint64 lost;

static void depart_fire (gpointer owner G_GNUC_UNUSED, guint64 arg G_GNUC_UNUSED);
static const SimEventClass depart_event = { .name = "depart", .code = 6, .fire = depart_fire };

static void
depart_fire (gpointer owner, guint64 arg)
{
  if (waiting == 0) {
    busy--;
    return;
  }
  waiting--;
  sim_engine_schedule_after (engine, exponential (1e9), &depart_event, owner, arg);
}

static void arrive_fire (gpointer owner, guint64 arg);
static const SimEventClass arrive_event = { .name = "arrive", .code = 7, .fire = arrive_fire };

static void
arrive_fire (gpointer owner, guint64 arg)
{
  if (busy < SERVERS) {
    busy++;
    sim_engine_schedule_after (engine, exponential (1e9), &depart_event, owner, arg);
  } else if (busy + waiting < PLACES) {
    waiting++;
  } else {
    lost++;
  }
  if (--left == 0)
    sim_engine_stop (engine);
  else
    sim_engine_schedule_after (engine, exponential (1.0 / (SERVERS * LOAD) * 1e9), &arrive_event,
                               owner, arg);
}

/* Erlang's formula with places to wait. */
static double
exact_loss (void)
{
  double p = 1, sum = 1;

  for (guint i = 1; i <= PLACES; i++) {
    p *= LOAD * SERVERS / MIN (i, SERVERS);
    sum += p;
  }
  return p / sum;
}

static void
run_mmck (const SimFelClass *klass G_GNUC_UNUSED, guint n G_GNUC_UNUSED, guint64 operations)
{
  busy = waiting = 0;
  lost = 0;
  begin ();
  sim_engine_schedule_after (engine, exponential (1.0 / (SERVERS * LOAD) * 1e9), &arrive_event,
                             NULL, 0);
  operate (operations);
  end ((double) lost / (double) operations / exact_loss ());
}

/* ----- */

typedef struct {
  const char *name;
  void (*run) (const SimFelClass *klass, guint n, guint64 operations);
} Workload;

static const Workload workloads[] = {
  { "hold", run_hold },   { "holdcb", run_holdcb }, { "mix", run_mix },
  { "phold", run_phold }, { "timer", run_timer },   { "mmck", run_mmck },
  /* With one standing entry for each timer, which is what a SimTimer is in any case. */
  { "timerlazy", run_timer },
};

gboolean
engine_bench_run (const char *name, guint n, guint64 operations, const SimFelClass *fel,
                  EngineBenchResult *ret_result)
{
  const Workload *workload = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (workloads); i++)
    if (!strcmp (name, workloads[i].name))
      workload = &workloads[i];
  if (workload == NULL)
    return FALSE;
  seed ();
  result = (EngineBenchResult){ .rss_before = memory_of ("VmRSS:") };
  engine = sim_engine_new (fel, 0);
  workload->run (fel, n, operations);
  sim_engine_free (engine);
  *ret_result = result;
  return TRUE;
}

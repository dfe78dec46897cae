/* Costs of random numbers, samples and statistics. */
#include "part_bench.h"

#include "sim_dist.h"
#include "sim_stats.h"

#include <time.h>

static SimStream
stream_new (guint64 index)
{
  SimStream stream;

  sim_stream_init (&stream, sim_stream_key (1, 0, "bench", "part"), index);
  return stream;
}

static guint64
run_bits (guint64 operations)
{
  SimStream stream = stream_new (0);
  guint64 sum = 0;

  for (guint64 i = 0; i < operations; i++)
    sum ^= sim_stream_next (&stream);
  return sum;
}

static guint64
run_below (guint64 operations)
{
  SimStream stream = stream_new (0);
  guint64 sum = 0;

  for (guint64 i = 0; i < operations; i++)
    sum += sim_stream_below (&stream, 1000);
  return sum;
}

/* A stream of its own for each draw, as for a host that draws once. */
static guint64
run_stream (guint64 operations)
{
  SimStreamKey key = sim_stream_key (1, 0, "bench", "stream");
  guint64 sum = 0;

  for (guint64 i = 0; i < operations; i++) {
    SimStream stream;
    sim_stream_init (&stream, key, i);
    sum ^= sim_stream_next (&stream);
  }
  return sum;
}

static guint64
sample (SimDist dist, guint64 operations)
{
  SimStream stream = stream_new (0);
  guint64 sum = 0;

  for (guint64 i = 0; i < operations; i++)
    sum += (guint64) sim_dist_sample (&dist, &stream);
  return sum;
}

static guint64
run_exponential (guint64 operations)
{
  return sample (sim_dist_exponential (SIM_MS (1)), operations);
}

static guint64
run_lognormal (guint64 operations)
{
  return sample (sim_dist_lognormal (SIM_MS (1), 0.5), operations);
}

static guint64
run_histogram (guint64 operations)
{
  SimHistogram *histogram = sim_histogram_new ();
  SimStream stream = stream_new (0);

  for (guint64 i = 0; i < operations; i++)
    sim_histogram_add (histogram, sim_stream_next (&stream) >> 40);
  guint64 median = sim_histogram_quantile (histogram, 0.5);
  sim_histogram_free (histogram);
  return median;
}

static guint64
run_time_avg (guint64 operations)
{
  SimTimeAvg avg;

  sim_time_avg_init (&avg, 0, 0);
  for (guint64 i = 0; i < operations; i++)
    sim_time_avg_step (&avg, (SimTime) i * 100, i % 2 == 0 ? 1 : -1);
  return (guint64) sim_time_avg_mean (&avg, (SimTime) operations * 100);
}

static guint64
run_tally (guint64 operations)
{
  SimTally tally;

  sim_tally_init (&tally);
  for (guint64 i = 0; i < operations; i++)
    sim_tally_add (&tally, (double) (i & 1023));
  return (guint64) tally.mean;
}

/* An observer that nobody set, as the models have them where messages are sent and states
 * change: one branch, which is foreseen. */
typedef struct {
  void (*seen) (guint64 what);
} Observer;

static guint64
run_trace_off (guint64 operations)
{
  Observer *volatile where = NULL;
  guint64 calls = 0;

  for (guint64 i = 0; i < operations; i++) {
    const Observer *observer = where;
    if (observer != NULL)
      observer->seen (i);
    calls += i;
  }
  return calls;
}

const PartBench part_benches[] = {
  { "draw", "64 random bits", run_bits },
  { "below", "an integer below a bound", run_below },
  { "stream", "a stream from its name's hash, and one draw", run_stream },
  { "exponential", "a sample of an exponential distribution", run_exponential },
  { "lognormal", "a sample of a lognormal distribution", run_lognormal },
  { "histogram", "a value into a histogram, draw included", run_histogram },
  { "time average", "a step of a time-weighted average", run_time_avg },
  { "tally", "a value into a tally", run_tally },
  { "trace off", "a trace point nobody listens to", run_trace_off },
  { NULL, NULL, NULL },
};

static double
seconds (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

double
part_bench_measure (const PartBench *bench, guint64 operations)
{
  static volatile guint64 sink;
  double start = seconds ();

  sink = bench->run (operations);
  (void) sink;
  return (seconds () - start) * 1e9 / (double) operations;
}

/* Workloads that measure the event engine through its public interface.
 *
 *   hold    N entries in a future event list; an operation takes the earliest and puts it
 *           back a random time (exponential, mean 1 s) later
 *   holdcb  the same through the engine: a class's function schedules the next event
 *   mix     as holdcb, with delays of 0 (30 %), exponential with mean 5 us (60 %) and 4.3 s
 *   phold   N processes of 64 bytes; an event counts in its process and schedules one for
 *           a random process
 *   timer   N connections; a step schedules a response (exponential, 1 s; lost with
 *           probability 0.03694) and starts a timer of 4.3 s; what comes first stops the
 *           other, and is an operation
 *   mmck    the queue M/M/8/16 at a load of 0.95; an operation is one customer; N is 0
 *
 * The random numbers are the same in every run, so a workload with the same N and number
 * of operations ends with the same figure on every event list.  Before the measured
 * operations as many others run as it takes to reach a steady state. */
#pragma once

#include "sim_engine.h"

typedef struct {
  double wall, cpu;            /* seconds of the measured operations */
  gint64 rss_before, rss_peak; /* KiB of the process, before the list was made and at most */
  double check;                /* simulated end in seconds; mmck: loss / its exact value */
} EngineBenchResult;

/* FALSE: there is no such workload.  n: at least 1, but for mmck. */
gboolean engine_bench_run (const char *workload, guint n, guint64 operations,
                           const SimFelClass *fel, EngineBenchResult *ret_result);

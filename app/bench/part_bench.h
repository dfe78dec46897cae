/* What the engine's other parts cost: random numbers, samples, statistics. */
#pragma once

#include <glib.h>

typedef struct {
  const char *name;
  const char *help;
  /* So many operations; the return value only keeps them from being optimised away. */
  guint64 (*run) (guint64 operations);
} PartBench;

/* Ends with an empty row. */
extern const PartBench part_benches[];

/* Nanoseconds of processor time for an operation. */
double part_bench_measure (const PartBench *bench, guint64 operations);

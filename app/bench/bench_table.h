/* The table of `cmsim bench`: the engine's workloads on the default future event list and
 * on the binary heap, in turns, and what its other parts cost. */
#pragma once

#include <stdio.h>

#include <glib.h>

typedef struct {
  guint rounds;     /* at least 1; medians of so many */
  double scale;     /* of the numbers of operations */
  gboolean large;   /* ten million pending events too */
  const char *only; /* workloads whose "name/N" has this in it; NULL: all, and the parts */
} BenchOptions;

/* Whether options->only chooses any. */
gboolean bench_table_has (const BenchOptions *options);
/* Their names, "hold/100, ...".  (transfer full) */
char *bench_table_names (void);

/* FALSE: a workload ended differently on the two lists, which must not be, or could not be
 * run; its line says so. */
gboolean bench_table_print (FILE *file, const BenchOptions *options);

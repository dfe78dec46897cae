/* Expectations: the `expect:` lines of a scenario, parsed when it is loaded and
 * judged after the run. */
#pragma once

#include "runner.h"

typedef struct Expect Expect; /* one parsed line; owned by the scenario's arena */

/* What the line is about: the metric on its left. */
MetricId expect_metric (const Expect *expect);

typedef struct {
  char *text;      /* the line as written */
  gboolean holds;
  char *found;     /* what the run gave: "drop, replication 3: 511", "512 in all 20 replications" */
} ExpectVerdict;

/* Judges every line of the scenario over the complete replications, in file order.
 * A line about a variant that the scenario no longer has (cmsim run --variant) is
 * left out.  (transfer full) array of ExpectVerdict *, which frees its elements. */
GPtrArray *expect_judge (const Scenario *scenario, const RunnerResults *results);

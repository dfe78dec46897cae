/* Numbers for people: an estimate with its confidence interval and its unit. */
#pragma once

#include "summary.h"

typedef enum {
  ESTIMATE_VALUE,
  ESTIMATE_DIFFERENCE, /* with its sign; of ratios in percentage points, "pp" */
} EstimateStyle;

/* "64.55 ± 0.12 s", "251 ± 3 ms", "25.8 %", "+383 ± 2", "-" if there is no value; two
 * significant digits of the interval, four of a value without one (whole numbers
 * in full).  Says "(n = 17)" when only 17 of `of` replications have a value.
 * (transfer full) */
char *estimate_format (const SummaryStat *stat, MetricKind kind, EstimateStyle style, guint of);

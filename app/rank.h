/* The ranking: a row per variant, a column per metric. */
#pragma once

#include "summary.h"

/* Sorted by the mean of the first metric, the smallest first (of a share or an index, the
 * largest); variants that lack it last.  n >= 1.  (transfer full) */
char *rank_text (const Scenario *scenario, const Summary *summary, const MetricId *metrics,
                 guint n);

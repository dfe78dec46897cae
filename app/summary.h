/* The summary: every metric over the complete replications of each variant, and
 * the paired difference of each variant to the first.
 *
 * A replication in which a metric is undefined (NAN) does not count for it: n is
 * the number of defined values; of a difference, the number of replications in
 * which both are defined.  What needs more values than there are is NAN. */
#pragma once

#include "runner.h"

#define SUMMARY_QUANTILE_LIST(X) \
  X (Q05, 0.05, "q05") \
  X (Q25, 0.25, "q25") \
  X (Q50, 0.50, "q50") \
  X (Q75, 0.75, "q75") \
  X (Q95, 0.95, "q95")

typedef enum {
#define X(id, q, name) SUMMARY_QUANTILE_##id,
  SUMMARY_QUANTILE_LIST (X)
#undef X
  SUMMARY_QUANTILE_N
} SummaryQuantile;

extern const char *const summary_quantile_names[SUMMARY_QUANTILE_N];

typedef struct {
  guint n;
  double mean;
  double ci95; /* half-width of the 95 % confidence interval of the mean, Student's t; n >= 2 */
  double sd;   /* n >= 2 */
  double min, max;
  double quantiles[SUMMARY_QUANTILE_N]; /* linear between order statistics */
} SummaryStat;

/* A way connects ended; REFUSED is split by the reason in the REJ. */
typedef struct {
  RunnerOutcome total; /* over all variants and replications */
  char *label;         /* "established", "refused (REJ 3)" */
} SummaryOutcome;

typedef struct {
  SummaryStat metrics[METRIC_N];
  SummaryStat differences[METRIC_N]; /* this variant minus the first, per replication */
  SummaryStat *shares;               /* per outcome: share of the connects, 0..1 */
  SummaryStat *share_differences;    /* the same, minus the first variant's */
  guint64 *counts;                   /* per outcome: connects over all replications */
  guint64 fingerprint;               /* over the fingerprints of the replications, in order */
} SummaryVariant;

typedef struct {
  guint variants;
  guint replications; /* complete ones */
  SummaryVariant *by_variant;
  GArray *outcomes; /* SummaryOutcome, sorted: all that occurred in any variant */
} Summary;

/* Of the complete replications; there must be one. */
Summary *summary_new (const RunnerResults *results);
void summary_free (Summary *summary);

/* Statistics of the values that are not NAN; scratch of n doubles is overwritten. */
SummaryStat summary_stat (const double *values, guint n, double *scratch);

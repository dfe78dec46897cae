/* Statistics over replications.  All sums run in the order of the replications,
 * so that the last digit does not depend on the threads. */
#include "summary.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

const char *const summary_quantile_names[SUMMARY_QUANTILE_N] = {
#define X(id, q, name) [SUMMARY_QUANTILE_##id] = name,
  SUMMARY_QUANTILE_LIST (X)
#undef X
};

static const double quantile_points[SUMMARY_QUANTILE_N] = {
#define X(id, q, name) [SUMMARY_QUANTILE_##id] = q,
  SUMMARY_QUANTILE_LIST (X)
#undef X
};

SummaryStat
summary_stat (const double *values, guint n, double *scratch)
{
  SummaryStat stat = { .mean = NAN, .ci95 = NAN, .sd = NAN, .min = NAN, .max = NAN };

  for (guint i = 0; i < n; i++)
    if (!isnan (values[i]))
      scratch[stat.n++] = values[i];
  for (guint i = 0; i < SUMMARY_QUANTILE_N; i++)
    stat.quantiles[i] = NAN;
  if (stat.n == 0)
    return stat;

  stat.mean = gsl_stats_mean (scratch, 1, stat.n);
  if (stat.n > 1) {
    stat.sd = gsl_stats_sd_m (scratch, 1, stat.n, stat.mean);
    stat.ci95 = gsl_cdf_tdist_Pinv (0.975, stat.n - 1) * stat.sd / sqrt (stat.n);
  }
  gsl_sort (scratch, 1, stat.n);
  stat.min = scratch[0];
  stat.max = scratch[stat.n - 1];
  for (guint i = 0; i < SUMMARY_QUANTILE_N; i++)
    stat.quantiles[i] = gsl_stats_quantile_from_sorted_data (scratch, 1, stat.n,
                                                             quantile_points[i]);
  return stat;
}

/* Index of the outcome, or G_MAXUINT. */
static guint
outcome_find (const Summary *summary, const RunnerOutcome *seen)
{
  for (guint i = 0; i < summary->outcomes->len; i++)
    if (!runner_outcome_compare (&g_array_index (summary->outcomes, SummaryOutcome, i).total, seen))
      return i;
  return G_MAXUINT;
}

static char *
outcome_label (ConnectCause cause, guint reason)
{
  g_auto (GStrv) words = g_strsplit (connect_cause_name (cause), "_", -1);
  g_autofree char *name = g_strjoinv (" ", words);

  if (cause == CONNECT_REFUSED)
    /* Streams are refused without a reason. */
    return reason > 0 ? g_strdup_printf ("%s (REJ %u)", name, reason) : g_strdup (name);
  return g_steal_pointer (&name);
}

static void
outcome_clear (gpointer data)
{
  g_free (((SummaryOutcome *) data)->label);
}

static void
collect_outcomes (Summary *summary, const RunnerResults *results)
{
  gsize cells = (gsize) summary->replications * summary->variants;

  summary->outcomes = g_array_new (FALSE, FALSE, sizeof (SummaryOutcome));
  g_array_set_clear_func (summary->outcomes, outcome_clear);
  for (gsize c = 0; c < cells; c++)
    for (guint i = 0; i < results->cells[c].outcomes->len; i++) {
      const RunnerOutcome *seen = &g_array_index (results->cells[c].outcomes, RunnerOutcome, i);
      guint k = outcome_find (summary, seen);

      if (k != G_MAXUINT)
        g_array_index (summary->outcomes, SummaryOutcome, k).total.count += seen->count;
      else {
        SummaryOutcome outcome = { .total = *seen,
                                   .label = outcome_label (seen->cause, seen->reason) };

        g_array_append_val (summary->outcomes, outcome);
      }
    }
  /* The total comes first in the struct. */
  g_array_sort (summary->outcomes, runner_outcome_compare);
}

/* Shares of the outcomes in one cell, to shares[outcome x replications + replication];
 * NAN in a replication without connects. */
static void
cell_shares (const Summary *summary, const RunnerCell *cell, guint r, double *shares)
{
  guint64 connects = 0;

  for (guint i = 0; i < cell->outcomes->len; i++)
    connects += g_array_index (cell->outcomes, RunnerOutcome, i).count;
  for (guint k = 0; k < summary->outcomes->len; k++)
    shares[(gsize) k * summary->replications + r] = connects > 0 ? 0 : NAN;
  for (guint i = 0; i < cell->outcomes->len; i++) {
    const RunnerOutcome *outcome = &g_array_index (cell->outcomes, RunnerOutcome, i);
    gsize k = outcome_find (summary, outcome);

    shares[k * summary->replications + r] = (double) outcome->count / (double) connects;
  }
}

static void
summarise_outcomes (Summary *summary, const RunnerResults *results, double *scratch)
{
  guint n = summary->replications, outcomes = summary->outcomes->len;
  gsize size = (gsize) n * MAX (outcomes, 1);
  g_autofree double *first = g_new (double, size);
  g_autofree double *shares = g_new (double, size);

  for (guint r = 0; r < n; r++)
    cell_shares (summary, runner_cell (results, 0, r), r, first);
  for (guint v = 0; v < summary->variants; v++) {
    SummaryVariant *variant = &summary->by_variant[v];

    variant->shares = g_new0 (SummaryStat, outcomes);
    variant->share_differences = g_new0 (SummaryStat, outcomes);
    variant->counts = g_new0 (guint64, outcomes);
    for (guint r = 0; r < n; r++) {
      const RunnerCell *cell = runner_cell (results, v, r);

      cell_shares (summary, cell, r, shares);
      for (guint i = 0; i < cell->outcomes->len; i++) {
        const RunnerOutcome *seen = &g_array_index (cell->outcomes, RunnerOutcome, i);

        variant->counts[outcome_find (summary, seen)] += seen->count;
      }
    }
    for (guint k = 0; k < outcomes; k++)
      variant->shares[k] = summary_stat (&shares[(gsize) k * n], n, scratch);
    for (gsize i = 0; i < size && outcomes > 0; i++)
      shares[i] -= first[i];
    for (guint k = 0; k < outcomes; k++)
      variant->share_differences[k] = summary_stat (&shares[(gsize) k * n], n, scratch);
  }
}

static void
summarise_metrics (Summary *summary, const RunnerResults *results, guint v, double *scratch)
{
  SummaryVariant *variant = &summary->by_variant[v];
  guint n = summary->replications;
  g_autofree double *values = g_new (double, n);
  g_autofree double *differences = g_new (double, n);

  for (guint m = 0; m < METRIC_N; m++) {
    for (guint r = 0; r < n; r++) {
      values[r] = runner_cell (results, v, r)->world->metrics[m];
      differences[r] = values[r] - runner_cell (results, 0, r)->world->metrics[m];
    }
    variant->metrics[m] = summary_stat (values, n, scratch);
    variant->differences[m] = summary_stat (differences, n, scratch);
  }
}

/* FNV-1a over the bytes of the replications' fingerprints, lowest byte first. */
static guint64
combined_fingerprint (const RunnerResults *results, guint v)
{
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);

  for (guint r = 0; r < results->complete; r++)
    for (guint byte = 0; byte < 8; byte++) {
      hash ^= (runner_cell (results, v, r)->world->fingerprint >> (8 * byte)) & 0xff;
      hash *= G_GUINT64_CONSTANT (0x100000001b3);
    }
  return hash;
}

Summary *
summary_new (const RunnerResults *results)
{
  Summary *summary = g_new0 (Summary, 1);
  g_autofree double *scratch = NULL;

  g_assert (results->complete > 0);
  summary->variants = results->variants;
  summary->replications = results->complete;
  summary->by_variant = g_new0 (SummaryVariant, summary->variants);
  collect_outcomes (summary, results);
  scratch = g_new (double, summary->replications);
  summarise_outcomes (summary, results, scratch);
  for (guint v = 0; v < summary->variants; v++) {
    summarise_metrics (summary, results, v, scratch);
    summary->by_variant[v].fingerprint = combined_fingerprint (results, v);
  }
  return summary;
}

void
summary_free (Summary *summary)
{
  if (!summary)
    return;
  for (guint v = 0; v < summary->variants; v++) {
    g_free (summary->by_variant[v].shares);
    g_free (summary->by_variant[v].share_differences);
    g_free (summary->by_variant[v].counts);
  }
  g_free (summary->by_variant);
  g_array_unref (summary->outcomes);
  g_free (summary);
}

/* One line per variant reads better than one column when there are many. */
#include "rank.h"

#include <math.h>
#include <string.h>

#include "estimate.h"

#define COLUMN_GAP 2

/* More is better for a share and for an index of fairness. */
static gboolean
more_is_better (MetricId metric)
{
  return metric_infos[metric].kind == METRIC_RATIO ? metric != METRIC_SERVER_IDLE
                                                   : metric == METRIC_FAIRNESS;
}

static double
mean_of (const Summary *summary, guint variant, MetricId metric)
{
  const SummaryStat *stat = &summary->by_variant[variant].metrics[metric];

  return stat->n > 0 ? stat->mean : NAN;
}

static gboolean
comes_before (const Summary *summary, MetricId metric, guint a, guint b)
{
  double x = mean_of (summary, a, metric), y = mean_of (summary, b, metric);

  if (isnan (x) || isnan (y))
    return !isnan (x);
  return more_is_better (metric) ? x > y : x < y;
}

/* By insertion: equals stay in the order of the file. */
static guint *
ranking (const Summary *summary, MetricId metric)
{
  guint *order = g_new (guint, summary->variants);

  for (guint v = 0; v < summary->variants; v++) {
    guint k = v;

    for (; k > 0 && comes_before (summary, metric, v, order[k - 1]); k--)
      order[k] = order[k - 1];
    order[k] = v;
  }
  return order;
}

static void
append_cell (GString *text, const char *cell, glong width, gboolean left)
{
  glong length = g_utf8_strlen (cell, -1);

  if (left)
    g_string_append (text, cell);
  for (; length < width; length++)
    g_string_append_c (text, ' ');
  if (!left)
    g_string_append (text, cell);
}

char *
rank_text (const Scenario *scenario, const Summary *summary, const MetricId *metrics,
           guint n)
{
  guint rows = summary->variants + 1, columns = n + 1;
  g_auto (GStrv) cells = g_new0 (char *, rows * columns + 1);
  g_autofree guint *order = ranking (summary, metrics[0]);
  g_autofree glong *widths = g_new0 (glong, columns);
  GString *text = g_string_new (NULL);

  for (guint r = 0; r < rows; r++)
    for (guint c = 0; c < columns; c++) {
      const ScenarioVariant *variant
          = r > 0 ? g_ptr_array_index (scenario->variants, order[r - 1]) : NULL;
      char **cell = &cells[r * columns + c];

      if (c == 0)
        *cell = g_strdup (variant ? variant->name : "");
      else if (!variant)
        *cell = g_strdup (metric_infos[metrics[c - 1]].name);
      else
        *cell = estimate_format (&summary->by_variant[order[r - 1]].metrics[metrics[c - 1]],
                                 metric_infos[metrics[c - 1]].kind, ESTIMATE_VALUE,
                                 summary->replications);
      widths[c] = MAX (widths[c], g_utf8_strlen (*cell, -1));
    }
  for (guint r = 0; r < rows; r++) {
    for (guint c = 0; c < columns; c++)
      append_cell (text, cells[r * columns + c], widths[c] + (c > 0 ? COLUMN_GAP : 0), c == 0);
    g_string_append_c (text, '\n');
  }
  return g_string_free (text, FALSE);
}

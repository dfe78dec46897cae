#include "matrix.h"

#include <math.h>
#include <string.h>

#include "estimate.h"

const MatrixColumn matrix_columns[] = {
  { "latency_p50_s", "connect p50", METRIC_LATENCY_P50 },
  { "latency_p99_s", "p99", METRIC_LATENCY_P99 },
  { "failure_mean_s", "failed after", METRIC_FAILURE_MEAN },
  { "reqs_per_connect", "REQs", METRIC_REQS_PER_CONNECT },
  { NULL, NULL, METRIC_N },
};

/* What stands before those. */
const char *const matrix_first_columns[] = { "outcome", "errno", "connects", "established", NULL };

gboolean
matrix_column_is_fixed (const char *name)
{
  for (guint i = 0; matrix_columns[i].name; i++)
    if (strcmp (matrix_columns[i].name, name) == 0)
      return TRUE;
  return g_strv_contains (matrix_first_columns, name);
}

char *
matrix_fixed_columns (void)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; matrix_first_columns[i]; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", matrix_first_columns[i]);
  for (guint i = 0; matrix_columns[i].name; i++)
    g_string_append_printf (text, ", %s", matrix_columns[i].name);
  return g_string_free (text, FALSE);
}

/* A variant without a row of its own in an outcome has a share of 0 or none. */
static char *
outcome_text (const OutputRun *run, guint v)
{
  const Summary *summary = run->summary;
  const SummaryVariant *variant = &summary->by_variant[v];
  GString *text = g_string_new (NULL);
  guint64 total = 0;

  for (guint k = 0; k < summary->outcomes->len; k++)
    total += variant->counts[k];
  for (guint k = 0; k < summary->outcomes->len; k++) {
    const char *label = g_array_index (summary->outcomes, SummaryOutcome, k).label;
    double percent = 100.0 * (double) variant->counts[k] / (double) MAX (total, 1);

    if (variant->counts[k] == 0)
      continue;
    if (variant->counts[k] == total)
      g_string_append (text, label);
    else
      g_string_append_printf (text, "%s%.1f %% %s", text->len > 0 ? ", " : "", percent, label);
  }
  return g_string_free (text, FALSE);
}

static char *
errno_text (const OutputRun *run, guint v)
{
  GPtrArray *names = g_ptr_array_new ();
  char *text;

  for (guint r = 0; r < run->results->complete; r++) {
    const GArray *errnos = runner_cell (run->results, v, r)->errnos;

    for (guint i = 0; i < errnos->len; i++) {
      const char *name = g_array_index (errnos, RunnerErrno, i).name;

      if (!g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
        g_ptr_array_add (names, (gpointer) name);
    }
  }
  g_ptr_array_sort (names, (GCompareFunc) (void (*) (void)) strcmp);
  g_ptr_array_add (names, NULL);
  text = g_strjoinv ("+", (char **) names->pdata);
  g_ptr_array_unref (names);
  return text;
}

MatrixCell
matrix_cell (const OutputRun *run, guint v)
{
  const SummaryStat *metrics = run->summary->by_variant[v].metrics;

  return (MatrixCell){
    .outcome = outcome_text (run, v),
    .errnos = errno_text (run, v),
    .share = metrics[METRIC_SUCCESS].n > 0 ? metrics[METRIC_SUCCESS].mean : NAN,
    .metrics = metrics,
  };
}

void
matrix_cell_clear (MatrixCell *cell)
{
  g_free (cell->outcome);
  g_free (cell->errnos);
}

const char *
matrix_value (const OutputRun *run, guint v, guint axis)
{
  const ScenarioVariant *variant = g_ptr_array_index (run->scenario->variants, v);

  return run->scenario->axes[axis].values[variant->at[axis]];
}

/* ----- the table ----- */

#define GAP 2

typedef struct {
  guint columns, lines;
  char **texts; /* line x columns + column; the first line holds the titles */
} Table;

static guint
count_columns (void)
{
  guint n = 0;

  while (matrix_columns[n].name)
    n++;
  return n;
}

static void
fill_line (const OutputRun *run, guint v, char **texts)
{
  guint n_axes = run->scenario->n_axes;
  MatrixCell cell = matrix_cell (run, v);

  for (guint a = 0; a < n_axes; a++)
    texts[a] = g_strdup (matrix_value (run, v, a));
  texts[n_axes] = g_steal_pointer (&cell.outcome);
  texts[n_axes + 1] = *cell.errnos ? g_steal_pointer (&cell.errnos) : g_strdup ("-");
  for (guint i = 0; matrix_columns[i].name; i++) {
    MetricId metric = matrix_columns[i].metric;
    SummaryStat stat = cell.metrics[metric];

    stat.ci95 = NAN; /* there is no room; summary.json has it */
    texts[n_axes + 2 + i] =
        estimate_format (&stat, metric_infos[metric].kind, ESTIMATE_VALUE, stat.n);
  }
  matrix_cell_clear (&cell);
}

static Table
table_new (const OutputRun *run)
{
  const Scenario *scenario = run->scenario;
  guint columns = scenario->n_axes + 2 + count_columns (), lines = run->summary->variants + 1;
  Table table = { columns, lines, g_new0 (char *, (gsize) columns *lines + 1) };

  for (guint a = 0; a < scenario->n_axes; a++)
    table.texts[a] = g_strdup (scenario->axes[a].name);
  table.texts[scenario->n_axes] = g_strdup ("outcome");
  table.texts[scenario->n_axes + 1] = g_strdup ("errno");
  for (guint i = 0; matrix_columns[i].name; i++)
    table.texts[scenario->n_axes + 2 + i] = g_strdup (matrix_columns[i].title);
  for (guint v = 0; v < run->summary->variants; v++)
    fill_line (run, v, table.texts + (gsize) (v + 1) * columns);
  return table;
}

static glong
width_of (const Table *table, guint column)
{
  glong width = 0;

  for (guint line = 0; line < table->lines; line++)
    width = MAX (width, g_utf8_strlen (table->texts[line * table->columns + column], -1));
  return width;
}

/* Numbers stand at the right; the last column ends the line. */
static void
append_line (GString *text, const Table *table, guint line, const glong *widths, guint first_number)
{
  gsize start;

  for (guint c = 0; c < table->columns; c++) {
    const char *cell = table->texts[line * table->columns + c];
    glong pad = widths[c] - g_utf8_strlen (cell, -1);

    g_string_append_printf (text, "%*s", c > 0 ? GAP : 0, "");
    if (c >= first_number)
      g_string_append_printf (text, "%*s%s", (int) pad, "", cell);
    else
      g_string_append_printf (text, "%s%*s", cell, (int) pad, "");
  }
  for (start = text->len; start > 0 && text->str[start - 1] == ' '; start--)
    ;
  g_string_truncate (text, start);
  g_string_append_c (text, '\n');
}

char *
matrix_text (const OutputRun *run)
{
  Table table = table_new (run);
  g_autofree glong *widths = g_new (glong, table.columns);
  GString *text = g_string_new (NULL);

  for (guint c = 0; c < table.columns; c++)
    widths[c] = width_of (&table, c);
  for (guint line = 0; line < table.lines; line++)
    append_line (text, &table, line, widths, run->scenario->n_axes + 2);
  g_strfreev (table.texts);
  return g_string_free (text, FALSE);
}

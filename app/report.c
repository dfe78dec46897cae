/* The table has a row per outcome and per metric worth a look, and for each variant
 * a column of means and, after the first variant, one of paired differences.
 * Variants that do not fit side by side follow in further tables. */
#include "report.h"

#include <math.h>

#include "estimate.h"
#include "figure.h"
#include "matrix.h"
#include "text_wrap.h"

/* Rows without anything to say in any variant (undefined, or always 0) are left out. */
static const MetricId report_metrics[] = {
  METRIC_CONNECTS,         METRIC_LATENCY_P50,     METRIC_LATENCY_P95,
  METRIC_LATENCY_P99,      METRIC_LATENCY_MAX,     METRIC_FAILURE_MEAN,
  METRIC_LAST_ESTABLISHED, METRIC_LAST_DECIDED,    METRIC_REQS,
  METRIC_REQ_RETRIES,      METRIC_DROPS,           METRIC_REJECTS,
  METRIC_DEFERS,           METRIC_ACCEPTS_WASTED,  METRIC_BACKLOG_MAX,
  METRIC_SERVER_IDLE,      METRIC_QP1_OVERRUNS,    METRIC_MADS_LOST,
  METRIC_SA_QUEUE_MAX,     METRIC_SA_DROPPED,      METRIC_MEMBERS,
  METRIC_MEMBERS_IN,       METRIC_MEMBERS_FAILED,  METRIC_JOIN_LATENCY_P50,
  METRIC_JOIN_LATENCY_MAX, METRIC_JOIN_ERRORS,     METRIC_JOINS_REFUSED,
  METRIC_JOINS_SHARED,     METRIC_SA_JOINS,        METRIC_SA_LEAVES,
  METRIC_SA_SETS_REFUSED,  METRIC_SA_SETS_DROPPED, METRIC_SA_SET_QUEUE_MAX,
};

/* Rows that only a scenario which expects something of them has. */
static const MetricId expected_metrics[] = {
  METRIC_STARVATION,
  METRIC_FAIRNESS,
  METRIC_CONNECT_SPAN,
  METRIC_IDLE_WAITING,
};

#define COLUMN_GAP 3

typedef struct {
  char *label;
  char **cells; /* by variant: value, difference, value, difference, ... */
} Row;

typedef struct {
  guint variants;
  GArray *rows;  /* Row */
  glong *widths; /* like the cells */
  glong label_width;
} Table;

static void
row_clear (gpointer data)
{
  Row *row = data;

  g_free (row->label);
  g_strfreev (row->cells);
}

static void
table_add (Table *table, const char *label, char **cells)
{
  Row row = { .label = g_strdup (label), .cells = cells };

  g_array_append_val (table->rows, row);
  table->label_width = MAX (table->label_width, g_utf8_strlen (label, -1));
  for (guint c = 0; c < 2 * table->variants; c++)
    table->widths[c] = MAX (table->widths[c], g_utf8_strlen (cells[c], -1));
}

static void
table_add_blank (Table *table)
{
  char **cells = g_new0 (char *, 2 * table->variants + 1);

  for (guint c = 0; c < 2 * table->variants; c++)
    cells[c] = g_strdup ("");
  table_add (table, "", cells);
}

static char **
cells_new (const Table *table)
{
  return g_new0 (char *, 2 * table->variants + 1);
}

static void
add_outcomes (Table *table, const Summary *summary)
{
  for (guint k = 0; k < summary->outcomes->len; k++) {
    char **cells = cells_new (table);

    for (guint v = 0; v < table->variants; v++) {
      const SummaryVariant *variant = &summary->by_variant[v];

      cells[2 * v] = estimate_format (&variant->shares[k], METRIC_RATIO, ESTIMATE_VALUE,
                                      summary->replications);
      cells[2 * v + 1] = estimate_format (&variant->share_differences[k], METRIC_RATIO,
                                          ESTIMATE_DIFFERENCE, summary->replications);
    }
    table_add (table, g_array_index (summary->outcomes, SummaryOutcome, k).label, cells);
  }
}

/* The outcomes are exclusive and complete: their shares sum to 100 %. */
static void
add_sum (Table *table, const Summary *summary)
{
  char **cells = cells_new (table);

  for (guint v = 0; v < table->variants; v++) {
    SummaryStat sum = { .ci95 = NAN };

    for (guint k = 0; k < summary->outcomes->len; k++) {
      sum.n = summary->by_variant[v].shares[k].n;
      sum.mean += summary->by_variant[v].shares[k].mean;
    }
    cells[2 * v] = estimate_format (&sum, METRIC_RATIO, ESTIMATE_VALUE, summary->replications);
    cells[2 * v + 1] = g_strdup ("");
  }
  table_add (table, "sum", cells);
}

static gboolean
worth_a_row (const Summary *summary, MetricId metric)
{
  for (guint v = 0; v < summary->variants; v++) {
    const SummaryStat *stat = &summary->by_variant[v].metrics[metric];

    if (stat->n > 0 && (stat->min != 0 || stat->max != 0))
      return TRUE;
  }
  return FALSE;
}

static void
add_metric (Table *table, const Summary *summary, MetricId metric)
{
  MetricKind kind = metric_infos[metric].kind;
  char **cells;

  if (!worth_a_row (summary, metric))
    return;
  cells = cells_new (table);
  for (guint v = 0; v < table->variants; v++) {
    const SummaryVariant *variant = &summary->by_variant[v];

    cells[2 * v] = estimate_format (&variant->metrics[metric], kind, ESTIMATE_VALUE,
                                    summary->replications);
    cells[2 * v + 1] = estimate_format (&variant->differences[metric], kind, ESTIMATE_DIFFERENCE,
                                        summary->replications);
  }
  table_add (table, metric_infos[metric].name, cells);
}

static gboolean
is_expected (const Scenario *scenario, MetricId metric)
{
  for (guint i = 0; scenario->expects && i < scenario->expects->len; i++)
    if (expect_metric (g_ptr_array_index (scenario->expects, i)) == metric)
      return TRUE;
  return FALSE;
}

static void
add_metrics (Table *table, const OutputRun *run)
{
  for (guint i = 0; i < G_N_ELEMENTS (report_metrics); i++)
    add_metric (table, run->summary, report_metrics[i]);
  for (guint i = 0; i < G_N_ELEMENTS (expected_metrics); i++)
    if (is_expected (run->scenario, expected_metrics[i]))
      add_metric (table, run->summary, expected_metrics[i]);
}

static void
append_padded (GString *text, const char *cell, glong width)
{
  for (glong i = g_utf8_strlen (cell, -1); i < width + COLUMN_GAP; i++)
    g_string_append_c (text, ' ');
  g_string_append (text, cell);
}

/* The table of the variants first .. end - 1. */
static void
append_block (GString *text, const Table *table, guint first, guint end)
{
  for (guint r = 0; r < table->rows->len; r++) {
    const Row *row = &g_array_index (table->rows, Row, r);

    g_string_append (text, row->label);
    for (glong i = g_utf8_strlen (row->label, -1); i < table->label_width; i++)
      g_string_append_c (text, ' ');
    for (guint v = first; v < end; v++) {
      append_padded (text, row->cells[2 * v], table->widths[2 * v]);
      if (v > 0)
        append_padded (text, row->cells[2 * v + 1], table->widths[2 * v + 1]);
    }
    while (text->str[text->len - 1] == ' ')
      g_string_truncate (text, text->len - 1);
    g_string_append_c (text, '\n');
  }
}

static void
append_table (GString *text, const OutputRun *run)
{
  Table table = { .variants = run->summary->variants };
  char **heads;

  table.rows = g_array_new (FALSE, FALSE, sizeof (Row));
  g_array_set_clear_func (table.rows, row_clear);
  table.widths = g_new0 (glong, 2 * table.variants);
  heads = cells_new (&table);
  for (guint v = 0; v < table.variants; v++) {
    heads[2 * v] = g_strdup (output_variant_name (run, v));
    heads[2 * v + 1] = g_strdup ("difference");
  }
  if (run->summary->outcomes->len == 0 && worth_a_row (run->summary, METRIC_MEMBERS)) {
    table_add (&table, "members of multicast groups", heads);
  } else {
    table_add (&table, "share of connects", heads);
    add_outcomes (&table, run->summary);
    add_sum (&table, run->summary);
    table_add_blank (&table);
  }
  add_metrics (&table, run);

  for (guint first = 0, end; first < table.variants; first = end) {
    glong width = table.label_width;

    for (end = first; end < table.variants; end++) {
      glong more = table.widths[2 * end] + COLUMN_GAP
                   + (end > 0 ? table.widths[2 * end + 1] + COLUMN_GAP : 0);

      if (end > first && width + more > REPORT_COLUMNS)
        break;
      width += more;
    }
    g_string_append_c (text, '\n');
    append_block (text, &table, first, end);
  }
  g_array_unref (table.rows);
  g_free (table.widths);
}

static void
append_head (GString *text, const OutputRun *run)
{
  const Scenario *scenario = run->scenario;
  guint n = run->summary->replications;
  g_autofree char *question = text_wrap (scenario->question, REPORT_COLUMNS, G_MAXUINT);
  g_autofree char *wrapped = NULL;
  g_autoptr (GString) setup = g_string_new (NULL);

  g_string_append_printf (setup, "%s, seed %" G_GUINT64_FORMAT ", %u replication%s", scenario->name,
                          scenario->seed, n, n == 1 ? "" : "s");
  if (n < scenario->replications)
    g_string_append_printf (setup, " of %u", scenario->replications);
  if (n > 1 && run->scenario->n_axes > 0)
    g_string_append (setup, ": mean");
  else if (n > 1)
    g_string_append (setup, ": mean \u00b1 95 % interval");
  if (run->scenario->n_axes > 0)
    g_string_append_printf (setup, "; %u cells", run->summary->variants);
  else if (run->summary->variants > 1)
    g_string_append_printf (setup, "; %sdifference to %s", n > 1 ? "paired " : "",
                            output_variant_name (run, 0));
  wrapped = text_wrap (setup->str, REPORT_COLUMNS, G_MAXUINT);
  g_string_append_printf (text, "%s\n%s\n", question, wrapped);
}

static void
append_verdicts (GString *text, const GPtrArray *verdicts)
{
  guint hold = 0;

  if (verdicts->len == 0)
    return;
  for (guint i = 0; i < verdicts->len; i++)
    hold += ((const ExpectVerdict *) g_ptr_array_index (verdicts, i))->holds ? 1 : 0;
  g_string_append_printf (text, "\n%u of %u expectations hold\n", hold, verdicts->len);
  for (guint i = 0; i < verdicts->len; i++) {
    const ExpectVerdict *verdict = g_ptr_array_index (verdicts, i);

    if (verdict->holds)
      g_string_append_printf (text, "  ok      %s\n", verdict->text);
    else
      g_string_append_printf (text, "  FAILED  %s\n          found %s\n", verdict->text,
                              verdict->found);
  }
}

static void
append_places (GString *text, const OutputRun *run, const char *dir, gboolean drawn)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; figures[i]; i++)
    if (figure_applies (figures[i], run))
      g_string_append_printf (names, " %s.%s", figures[i]->name, drawn ? "png" : "gp");
  if (names->len > 0)
    g_string_append_printf (text, "\nfigures in %s/:%s %s\ndata beside them:", dir, names->str,
                            drawn ? "(and .svg)" : "(gnuplot draws them)");
  else
    g_string_append_printf (text, "\ndata in %s/:", dir);
  for (guint i = 0; output_writers[i]; i++)
    if (output_writers[i] != &output_readme && output_applies (output_writers[i]->of, run))
      g_string_append_printf (text, " %s", output_writers[i]->name);
  if (output_applies (OUTPUT_OF_MATRIX, run))
    g_string_append (text, " " MATRIX_CELLS_DIR "/");
  if (run->results->recorded < run->summary->replications)
    g_string_append_printf (text, " (connections of the first %u replications)",
                            run->results->recorded);
  g_string_append_c (text, '\n');
}

static void
append_matrix (GString *text, const OutputRun *run)
{
  g_autofree char *table = matrix_text (run);

  g_string_append_printf (text, "\n%s", table);
}

char *
report_text (const OutputRun *run, const char *dir, gboolean drawn)
{
  GString *text = g_string_new (NULL);

  append_head (text, run);
  if (output_applies (OUTPUT_OF_MATRIX, run))
    append_matrix (text, run);
  else
    append_table (text, run);
  append_verdicts (text, run->verdicts);
  if (dir)
    append_places (text, run, dir, drawn);
  return g_string_free (text, FALSE);
}

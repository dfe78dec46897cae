/* matrix.csv: a row per cell. */
#include "matrix.h"
#include "output_file.h"

#include <math.h>

static void
write_number (OutputFile *file, double value)
{
  if (isnan (value))
    output_file_text (file, ",");
  else
    output_file_printf (file, ",%.9g", value);
}

static void
write_cell (OutputFile *file, const OutputRun *run, guint v)
{
  MatrixCell cell = matrix_cell (run, v);
  const SummaryStat *connects = &cell.metrics[METRIC_CONNECTS];

  for (guint a = 0; a < run->scenario->n_axes; a++) {
    output_file_csv (file, matrix_value (run, v, a));
    output_file_text (file, ",");
  }
  output_file_csv (file, cell.outcome);
  output_file_printf (file, ",%s", cell.errnos);
  write_number (file, connects->mean);
  write_number (file, cell.share);
  for (guint i = 0; matrix_columns[i].name; i++) {
    const SummaryStat *stat = &cell.metrics[matrix_columns[i].metric];

    write_number (file, stat->n > 0 ? stat->mean : NAN);
  }
  output_file_text (file, "\n");
  matrix_cell_clear (&cell);
}

static gboolean
matrix_csv_write (const OutputRun *run, const char *dir, GError **error)
{
  OutputFile *file = output_file_new (dir, output_matrix_csv.name);

  for (guint a = 0; a < run->scenario->n_axes; a++)
    output_file_printf (file, "%s,", run->scenario->axes[a].name);
  for (guint i = 0; matrix_first_columns[i]; i++)
    output_file_printf (file, "%s%s", i > 0 ? "," : "", matrix_first_columns[i]);
  for (guint i = 0; matrix_columns[i].name; i++)
    output_file_printf (file, ",%s", matrix_columns[i].name);
  output_file_text (file, "\n");
  for (guint v = 0; v < run->summary->variants; v++)
    write_cell (file, run, v);
  return output_file_close (file, error);
}

const OutputWriter output_matrix_csv = {
  .name = "matrix.csv",
  .help = "a row per cell: outcome, errno, time to connect, REQs; means over the replications",
  .of = OUTPUT_OF_MATRIX,
  .write = matrix_csv_write,
};

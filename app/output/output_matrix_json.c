/* matrix.json: the axes and the cells, for programs. */
#include "matrix.h"
#include "output_file.h"

#include <math.h>

/* Names hold letters, digits and - _ . + only; outcomes come from tables: nothing to
 * escape. */
static void
write_number (OutputFile *file, const char *name, double value)
{
  if (isnan (value))
    output_file_printf (file, ", \"%s\": null", name);
  else
    output_file_printf (file, ", \"%s\": %.9g", name, value);
}

static void
write_axes (OutputFile *file, const Scenario *scenario)
{
  for (guint a = 0; a < scenario->n_axes; a++) {
    output_file_printf (file, "%s\n    {\"name\": \"%s\", \"values\": [", a > 0 ? "," : "",
                        scenario->axes[a].name);
    for (guint i = 0; i < scenario->axes[a].n; i++)
      output_file_printf (file, "%s\"%s\"", i > 0 ? ", " : "", scenario->axes[a].values[i]);
    output_file_text (file, "]}");
  }
}

static void
write_cell (OutputFile *file, const OutputRun *run, guint v)
{
  MatrixCell cell = matrix_cell (run, v);

  output_file_printf (file, "%s\n    {\"at\": [", v > 0 ? "," : "");
  for (guint a = 0; a < run->scenario->n_axes; a++)
    output_file_printf (file, "%s\"%s\"", a > 0 ? ", " : "", matrix_value (run, v, a));
  output_file_printf (file, "], \"outcome\": \"%s\", \"errno\": \"%s\"", cell.outcome, cell.errnos);
  write_number (file, "established", cell.share);
  for (guint i = 0; matrix_columns[i].name; i++) {
    const SummaryStat *stat = &cell.metrics[matrix_columns[i].metric];

    write_number (file, matrix_columns[i].name, stat->n > 0 ? stat->mean : NAN);
  }
  output_file_text (file, "}");
  matrix_cell_clear (&cell);
}

static gboolean
matrix_json_write (const OutputRun *run, const char *dir, GError **error)
{
  OutputFile *file = output_file_new (dir, output_matrix_json.name);

  output_file_printf (file,
                      "{\n  \"schema\": \"cmsim-matrix\",\n  \"schema_version\": %d,\n"
                      "  \"axes\": [",
                      OUTPUT_SCHEMA_VERSION);
  write_axes (file, run->scenario);
  output_file_text (file, "\n  ],\n  \"cells\": [");
  for (guint v = 0; v < run->summary->variants; v++)
    write_cell (file, run, v);
  output_file_text (file, "\n  ]\n}\n");
  return output_file_close (file, error);
}

const OutputWriter output_matrix_json = {
  .name = "matrix.json",
  .help = "the same for programs",
  .of = OUTPUT_OF_MATRIX,
  .write = matrix_json_write,
};

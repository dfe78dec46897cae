/* A panel for each combination of the axes behind the second, in it a field for each cell:
 * rows are the first axis, columns the second. */
#include "figure.h"
#include "matrix.h"

#include <math.h>
#include <string.h>

static guint
columns_of (const Scenario *scenario)
{
  return scenario->n_axes > 1 ? scenario->axes[1].n : 1;
}

static guint
panel_of (const Scenario *scenario, const ScenarioVariant *variant)
{
  guint panel = 0;

  for (guint a = 2; a < scenario->n_axes; a++)
    panel = panel * scenario->axes[a].n + variant->at[a];
  return panel;
}

static guint
count_panels (const Scenario *scenario)
{
  guint panels = 1;

  for (guint a = 2; a < scenario->n_axes; a++)
    panels *= scenario->axes[a].n;
  return panels;
}

/* Longer texts are cut. */
enum { ERRNO_CHARACTERS = 24 };

static const char *
error_of (const MatrixCell *cell)
{
  return *cell->errnos ? cell->errnos : cell->outcome;
}

/* Characters of the longest error there is to show. */
static guint
error_width (const OutputRun *run)
{
  guint width = 0;

  for (guint v = 0; v < run->scenario->variants->len; v++) {
    MatrixCell cell = matrix_cell (run, v);

    if (cell.metrics[METRIC_LATENCY_P50].n == 0)
      width = MAX (width, (guint) strlen (error_of (&cell)));
    matrix_cell_clear (&cell);
  }
  return MIN (width, ERRNO_CHARACTERS);
}

/* "6.4 s", "82 ms", or what the application sees instead. */
static void
write_second_line (OutputFile *file, const MatrixCell *cell)
{
  const SummaryStat *p50 = &cell->metrics[METRIC_LATENCY_P50];
  double seconds = p50->n > 0 ? p50->mean : NAN;

  if (isnan (seconds))
    output_file_printf (file, "\"%.*s\"", ERRNO_CHARACTERS, error_of (cell));
  else if (seconds < 1)
    output_file_printf (file, "\"%.0f ms\"", 1000 * seconds);
  else
    output_file_printf (file, seconds < 9.95 ? "\"%.1f s\"" : "\"%.0f s\"", seconds);
}

static void
matrix_data (const OutputRun *run, OutputFile *file)
{
  const Scenario *scenario = run->scenario;

  for (guint panel = 0; panel < count_panels (scenario); panel++) {
    output_file_printf (file,
                        "%s# panel %u\n# column row established_percent percent "
                        "connect_p50_or_errno\n",
                        panel ? "\n\n" : "", panel);
    for (guint v = 0; v < scenario->variants->len; v++) {
      const ScenarioVariant *variant = g_ptr_array_index (scenario->variants, v);
      MatrixCell cell;

      if (panel_of (scenario, variant) != panel)
        continue;
      cell = matrix_cell (run, v);
      output_file_printf (file, "%u %u %.6g \"%.0f %%\" ",
                          scenario->n_axes > 1 ? variant->at[1] : 0, variant->at[0],
                          isnan (cell.share) ? 0 : 100 * cell.share,
                          isnan (cell.share) ? 0 : 100 * cell.share);
      write_second_line (file, &cell);
      output_file_text (file, "\n");
      matrix_cell_clear (&cell);
    }
  }
}

/* "reject-3", of four axes "reject-3, slow". */
static char *
panel_name (const Scenario *scenario, guint panel)
{
  g_autoptr (GString) name = g_string_new (NULL);

  for (guint a = scenario->n_axes; a > 2; a--) {
    const ScenarioAxis *axis = &scenario->axes[a - 1];

    if (name->len > 0)
      g_string_prepend (name, ", ");
    g_string_prepend (name, axis->values[panel % axis->n]);
    panel /= axis->n;
  }
  return g_strdup (name->str);
}

static void
matrix_head (const OutputRun *run, OutputFile *file)
{
  const Scenario *scenario = run->scenario;
  const char *none[] = { "" };
  guint panels = count_panels (scenario);
  g_autofree char **names = g_new (char *, panels);

  for (guint i = 0; i < panels; i++)
    names[i] = panel_name (scenario, i);
  output_file_printf (file, "panels = %u\nrows = %u\ncolumns = %u\n", panels, scenario->axes[0].n,
                      columns_of (scenario));
  output_file_printf (file, "error_width = %u\n", error_width (run));
  figure_set_strings (file, "panel_names", (const char *const *) names, panels);
  figure_set_strings (file, "row_names", scenario->axes[0].values, scenario->axes[0].n);
  figure_set_strings (file, "column_names", scenario->n_axes > 1 ? scenario->axes[1].values : none,
                      columns_of (scenario));
  figure_set_string (file, "row_axis", scenario->axes[0].name);
  figure_set_string (file, "column_axis", scenario->n_axes > 1 ? scenario->axes[1].name : "");
  for (guint i = 0; i < panels; i++)
    g_free (names[i]);
}

const Figure figure_matrix = {
  .name = "matrix",
  .title = "Who connects to whom",
  .help = "share of the connects that were established, and the median time they took, for each "
          "cell of the matrix",
  .of = OUTPUT_OF_MATRIX,
  .write_data = matrix_data,
  .write_head = matrix_head,
};

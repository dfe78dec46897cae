/* series.csv: levels over time of replication 0, long format. */
#include "output.h"
#include "output_file.h"

static void
write_series (OutputFile *file, const char *variant, const char *name, const SimSeries *series)
{
  g_autoptr (GArray) points = sim_series_points (series);

  for (guint i = 0; i < points->len; i++) {
    const SimSeriesPoint *point = &g_array_index (points, SimSeriesPoint, i);
    char start[32], end[32];

    output_file_csv (file, variant);
    output_file_printf (
        file, ",0,%s,%s,%s,%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT "\n", name,
        sim_time_format_exact (point->start, start, sizeof start),
        sim_time_format_exact (point->end, end, sizeof end), point->last, point->min, point->max);
  }
}

static gboolean
series_csv_write (const OutputRun *run, const char *dir, GError **error)
{
  OutputFile *file = output_file_new (dir, output_series_csv.name);

  output_file_text (file, "variant,replication,series,start_s,end_s,last,min,max\n");
  for (guint v = 0; v < run->results->variants; v++) {
    const ScenarioVariant *variant = g_ptr_array_index (run->scenario->variants, v);
    const WorldResult *world = runner_cell (run->results, v, 0)->world;

    for (guint s = 0; s < WORLD_SERIES_N; s++)
      if (world->series[s])
        write_series (file, variant->name, world_series_names[s], world->series[s]);
  }
  return output_file_close (file, error);
}

const OutputWriter output_series_csv = {
  .name = "series.csv",
  .help = "levels over time of replication 0: backlog, pending connects, SA queue, QP1 rings",
  .of = OUTPUT_OF_VARIANTS,
  .write = series_csv_write,
};

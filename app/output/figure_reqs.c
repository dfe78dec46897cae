/* REQs sent over time: what the wire and the server have to bear. */
#include "figure.h"

static void
reqs_data (const OutputRun *run, OutputFile *file)
{
  figure_write_series (run, WORLD_SERIES_REQS, file);
}

static void
reqs_head (const OutputRun *run, OutputFile *file)
{
  guint n = run->results->variants;
  g_autofree double *ends = g_new (double, n);
  g_autofree double *places = g_new (double, n);
  double y_max = 1;

  for (guint v = 0; v < n; v++) {
    const WorldResult *world = runner_cell (run->results, v, 0)->world;

    ends[v] = (double) sim_series_value (world->series[WORLD_SERIES_REQS]);
    y_max = MAX (y_max, ends[v]);
  }
  y_max *= 1.05;
  for (guint v = 0; v < n; v++)
    places[v] = ends[v] / y_max;
  figure_spread_labels (places, n, 0.06);
  figure_set_time_axis (file, figure_series_end (run, WORLD_SERIES_REQS));
  output_file_printf (file, "y_max = %.9g\n", y_max);
  figure_set_numbers (file, "ends", ends, n);
  figure_set_numbers (file, "places", places, n);
}

const Figure figure_reqs = {
  .name = "reqs",
  .title = "REQs sent over time",
  .help = "REQs sent so far in replication 0, retransmissions included",
  .of = OUTPUT_OF_VARIANTS,
  .applies = figure_has_connects,
  .write_data = reqs_data,
  .write_head = reqs_head,
};

/* Backlog over time: one panel per variant, so that no curve hides another. */
#include "figure.h"

#include <math.h>

/* The limit to draw, NAN where there is none: with several listeners the level is
 * their sum and no one limit applies. */
static double
backlog_limit (const ScenarioModel *model)
{
  const ListenerParams *listener;
  guint limit;

  if (model->listeners->len != 1)
    return NAN;
  listener = &g_array_index (model->listeners, ListenerParams, 0);
  for (guint i = 0; i < model->hosts->len; i++) {
    const HostGroupParams *group = &g_array_index (model->hosts, HostGroupParams, i);

    if (g_strcmp0 (group->name, listener->on) == 0 && group->count != 1)
      return NAN;
  }
  limit = listener_limit (listener, &model->profile);
  return limit < G_MAXUINT ? (double) limit : NAN;
}

static void
backlog_data (const OutputRun *run, OutputFile *file)
{
  figure_write_series (run, WORLD_SERIES_BACKLOG, file);
}

static double
highest_level (const OutputRun *run)
{
  double highest = 1;

  for (guint v = 0; v < run->results->variants; v++) {
    const WorldResult *world = runner_cell (run->results, v, 0)->world;
    g_autoptr (GArray) points = sim_series_points (world->series[WORLD_SERIES_BACKLOG]);

    for (guint i = 0; i < points->len; i++)
      highest = MAX (highest, (double) g_array_index (points, SimSeriesPoint, i).max);
  }
  return highest;
}

/* All panels have one scale.  A limit far above all levels would leave them flat: the
 * script names it instead of drawing it. */
static void
backlog_head (const OutputRun *run, OutputFile *file)
{
  g_autofree double *limits = g_new (double, run->results->variants);
  double highest = highest_level (run), y_max = highest;

  for (guint v = 0; v < run->results->variants; v++) {
    const ScenarioVariant *variant = g_ptr_array_index (run->scenario->variants, v);

    limits[v] = backlog_limit (&variant->model);
    if (limits[v] <= 2 * highest) /* not if it is NAN */
      y_max = MAX (y_max, limits[v]);
  }
  figure_set_time_axis (file, figure_series_end (run, WORLD_SERIES_BACKLOG));
  output_file_printf (file, "y_max = %.9g\n", y_max);
  figure_set_numbers (file, "limits", limits, run->results->variants);
}

const Figure figure_backlog = {
  .name = "backlog",
  .title = "Listen backlog over time",
  .help = "backlog slots in use in replication 0, with the limit",
  .of = OUTPUT_OF_VARIANTS,
  .applies = figure_has_listeners,
  .write_data = backlog_data,
  .write_head = backlog_head,
};

/* What a server gives for what is asked of it, while the load goes up and comes down: if the
 * way back is another one, the overload outlives its cause. */
#include "figure.h"

/* Windows over which rates are taken. */
#define WINDOWS 48

static const ArrivalSwingParams *
swing_of (const ScenarioModel *model)
{
  for (guint i = 0; i < model->connects->len; i++) {
    const ConnectParams *connect = &g_array_index (model->connects, ConnectParams, i);

    if (connect->arrivals.klass == &arrival_swing.info)
      return connect->arrivals.params;
  }
  return NULL;
}

static const ArrivalSwingParams *
swing_of_run (const OutputRun *run, guint v)
{
  const ScenarioVariant *variant = g_ptr_array_index (run->scenario->variants, v);

  return swing_of (&variant->model);
}

static gboolean
hysteresis_applies (const OutputRun *run)
{
  for (guint v = 0; v < run->results->variants; v++)
    if (!swing_of_run (run, v))
      return FALSE;
  return TRUE;
}

/* The level at each end of a window. */
static double *
levels (const SimSeries *series, SimTime start, SimTime width)
{
  g_autoptr (GArray) points = sim_series_points (series);
  double *result = g_new0 (double, WINDOWS + 1);
  guint next = 0;
  gint64 level = 0;

  for (guint w = 0; w <= WINDOWS; w++) {
    SimTime end = start + (SimTime) w * width;

    while (next < points->len && g_array_index (points, SimSeriesPoint, next).end <= end)
      level = g_array_index (points, SimSeriesPoint, next++).last;
    result[w] = (double) level;
  }
  return result;
}

/* A block per variant: offered and established per second, and 1 on the way up, 0 down. */
static void
hysteresis_data (const OutputRun *run, OutputFile *file)
{
  for (guint v = 0; v < run->results->variants; v++) {
    const ArrivalSwingParams *swing = swing_of_run (run, v);
    const WorldResult *world = runner_cell (run->results, v, 0)->world;
    SimTime width = (swing->up + swing->hold + swing->down) / WINDOWS;
    double seconds = sim_time_to_seconds (width);
    g_autofree double *started = levels (world->series[WORLD_SERIES_STARTED], swing->start, width);
    g_autofree double *established =
        levels (world->series[WORLD_SERIES_ESTABLISHED], swing->start, width);

    output_file_printf (file, "%s# %s\n# offered_per_s established_per_s way_up\n", v ? "\n\n" : "",
                        output_variant_name (run, v));
    for (guint w = 0; w < WINDOWS; w++)
      output_file_printf (file, "%.9g %.9g %d\n", (started[w + 1] - started[w]) / seconds,
                          (established[w + 1] - established[w]) / seconds,
                          (SimTime) w * width < swing->up + swing->hold / 2);
  }
}

static void
hysteresis_head (const OutputRun *run, OutputFile *file)
{
  double highest = 0;

  for (guint v = 0; v < run->results->variants; v++)
    highest = MAX (highest, swing_of_run (run, v)->high);
  output_file_printf (file, "rate_max = %.9g\n", 1.08 * highest);
}

const Figure figure_hysteresis = {
  .name = "hysteresis",
  .title = "What a server gives for what is asked of it",
  .help = "connects established per second against connects started per second in replication "
          "0: the way up and the way down",
  .applies = hysteresis_applies,
  .of = OUTPUT_OF_VARIANTS,
  .write_data = hysteresis_data,
  .write_head = hysteresis_head,
};

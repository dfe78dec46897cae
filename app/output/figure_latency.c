/* Connect latency: the empirical distribution over all recorded connects.  A
 * connect that failed never adds to its curve, so the curve ends below 100 %. */
#include "figure.h"

#include <math.h>

/* A curve has at most about so many points: an error of 0.05 % of the connects. */
#define CURVE_POINTS 2000

typedef struct {
  GArray *latencies; /* SimTime of established connects, ascending, > 0 */
  guint connects;
} Curve;

static gint
time_compare (gconstpointer a, gconstpointer b)
{
  SimTime x = *(const SimTime *) a, y = *(const SimTime *) b;

  return x < y ? -1 : x > y;
}

static Curve
curve_of_variant (const OutputRun *run, guint v)
{
  const ScenarioVariant *variant = g_ptr_array_index (run->scenario->variants, v);
  Curve curve = { .latencies = g_array_new (FALSE, FALSE, sizeof (SimTime)) };

  for (guint r = 0; r < run->results->recorded; r++) {
    const ConnectRecords *connects = runner_cell (run->results, v, r)->world->connects;

    for (guint i = 0; i < connect_records_count (connects); i++) {
      ConnectRecord whole = connect_records_get (connects, i), *record = &whole;
      /* A logarithmic axis has no 0. */
      SimTime latency = MAX (record->end - record->steps[CONNECT_STEP_START], 1);

      if (!runner_record_counts (&variant->model, record))
        continue;
      curve.connects++;
      if (record->cause == CONNECT_ESTABLISHED)
        g_array_append_val (curve.latencies, latency);
    }
  }
  g_array_sort (curve.latencies, time_compare);
  return curve;
}

static double
curve_end (const Curve *curve)
{
  return curve->connects ? (double) curve->latencies->len / curve->connects : 0;
}

/* 1, 2 or 5 times a power of ten. */
static double
round_up (double x)
{
  double power = pow (10, floor (log10 (x)));

  return power * (x <= power ? 1 : x <= 2 * power ? 2 : x <= 5 * power ? 5 : 10);
}

/* Around all latencies of all variants, at least a decade; 1 ms to 1 s if there are none. */
static void
latency_range (const OutputRun *run, double *ret_low, double *ret_high)
{
  SimTime low = SIM_TIME_NEVER, high = 0;

  for (guint v = 0; v < run->results->variants; v++) {
    Curve curve = curve_of_variant (run, v);

    if (curve.latencies->len > 0) {
      low = MIN (low, g_array_index (curve.latencies, SimTime, 0));
      high = MAX (high, g_array_index (curve.latencies, SimTime, curve.latencies->len - 1));
    }
    g_array_unref (curve.latencies);
  }
  if (high == 0) {
    low = SIM_MS (1);
    high = SIM_S (1);
  }
  *ret_low = pow (10, floor (log10 (0.9 * sim_time_to_seconds (low))));
  *ret_high = fmax (10 * *ret_low, round_up (1.1 * sim_time_to_seconds (high)));
}

static void
latency_data (const OutputRun *run, OutputFile *file)
{
  double low, high;

  latency_range (run, &low, &high);
  for (guint v = 0; v < run->results->variants; v++) {
    Curve curve = curve_of_variant (run, v);
    guint n = curve.latencies->len, bucket = 0;

    output_file_printf (file, "%s# %s\n# latency_s share_percent\n%.9g 0\n", v ? "\n\n" : "",
                        output_variant_name (run, v), low);
    for (guint i = 0; i < n; i++) {
      SimTime latency = g_array_index (curve.latencies, SimTime, i);
      guint next = (guint) ((guint64) (i + 1) * CURVE_POINTS / curve.connects);

      /* Equal latencies are one step; of near ones, one per bucket of shares. */
      if (i + 1 < n
          && (g_array_index (curve.latencies, SimTime, i + 1) == latency
              || (i > 0 && next == bucket)))
        continue;
      bucket = next;
      output_file_printf (file, "%.9f %.6f\n", sim_time_to_seconds (latency),
                          100.0 * (i + 1) / curve.connects);
    }
    output_file_printf (file, "%.9g %.6f\n", high, 100 * curve_end (&curve));
    g_array_unref (curve.latencies);
  }
}

static void
latency_head (const OutputRun *run, OutputFile *file)
{
  guint n = run->results->variants;
  g_autofree double *ends = g_new (double, n);
  g_autofree double *places = g_new (double, n);
  double low, high;

  for (guint v = 0; v < n; v++) {
    Curve curve = curve_of_variant (run, v);

    ends[v] = 100 * curve_end (&curve);
    places[v] = curve_end (&curve);
    g_array_unref (curve.latencies);
  }
  figure_spread_labels (places, n, 0.06);
  latency_range (run, &low, &high);
  output_file_printf (file, "x_min = %.9g\nx_max = %.9g\n", low, high);
  figure_set_numbers (file, "ends", ends, n);
  figure_set_numbers (file, "places", places, n);
}

const Figure figure_latency = {
  .name = "latency",
  .title = "How long a connect takes",
  .help = "share of all connects established within a time; failed connects are the share missing "
          "to 100 %",
  .of = OUTPUT_OF_VARIANTS,
  .applies = figure_has_connects,
  .write_data = latency_data,
  .write_head = latency_head,
};

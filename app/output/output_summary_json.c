/* summary.json: every metric of every variant, for programs.  A value that does
 * not exist is null.  Whole 64-bit numbers that are names rather than quantities
 * (seed, fingerprint) are strings, because many JSON readers keep only 53 bits. */
#include "output.h"
#include "output_file.h"
#include "suggest.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

static const char *
unit_name (MetricKind kind)
{
  switch (kind) {
  case METRIC_COUNT:
    return "count";
  case METRIC_TIME:
    return "s";
  case METRIC_RATIO:
    return "ratio";
  case METRIC_REAL:
    return "number";
  }
  g_assert_not_reached ();
}

static void
add_string (JsonBuilder *json, const char *name, const char *value)
{
  json_builder_set_member_name (json, name);
  json_builder_add_string_value (json, value);
}

/* A file's name need not be UTF-8. */
static void
add_escaped (JsonBuilder *json, const char *name, const char *value)
{
  char *shown = suggest_escape (value);

  add_string (json, name, shown);
  g_free (shown);
}

static void
add_uint (JsonBuilder *json, const char *name, guint64 value)
{
  json_builder_set_member_name (json, name);
  json_builder_add_int_value (json, (gint64) value);
}

/* Whole numbers without ".0": a count looks like one. */
/* json-glib 1.6 appends ".0" to a double whose text has no point, also to "2e-08", which
 * is then no JSON.  The next double up has a point in its text and is as good. */
static double
printable (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_dtostr (text, sizeof text, value);
  while (strchr (text, 'e') && !strchr (text, '.')) {
    value = nextafter (value, HUGE_VAL);
    g_ascii_dtostr (text, sizeof text, value);
  }
  return value;
}

static void
add_number (JsonBuilder *json, const char *name, double value)
{
  json_builder_set_member_name (json, name);
  if (!isfinite (value))
    json_builder_add_null_value (json);
  else if (value == rint (value) && fabs (value) < 9e15)
    json_builder_add_int_value (json, (gint64) value);
  else
    json_builder_add_double_value (json, printable (value));
}

static void
add_stat (JsonBuilder *json, const SummaryStat *stat)
{
  add_uint (json, "n", stat->n);
  add_number (json, "mean", stat->mean);
  add_number (json, "ci95", stat->ci95);
  add_number (json, "sd", stat->sd);
  add_number (json, "min", stat->min);
  add_number (json, "max", stat->max);
  for (guint q = 0; q < SUMMARY_QUANTILE_N; q++)
    add_number (json, summary_quantile_names[q], stat->quantiles[q]);
}

static void
add_difference (JsonBuilder *json, const SummaryStat *stat)
{
  json_builder_set_member_name (json, "difference");
  json_builder_begin_object (json);
  add_uint (json, "n", stat->n);
  add_number (json, "mean", stat->mean);
  add_number (json, "ci95", stat->ci95);
  json_builder_end_object (json);
}

static void
add_outcomes (JsonBuilder *json, const OutputRun *run, guint v)
{
  const SummaryVariant *variant = &run->summary->by_variant[v];

  json_builder_set_member_name (json, "outcomes");
  json_builder_begin_array (json);
  for (guint k = 0; k < run->summary->outcomes->len; k++) {
    const SummaryOutcome *outcome = &g_array_index (run->summary->outcomes, SummaryOutcome, k);

    json_builder_begin_object (json);
    add_string (json, "cause", connect_cause_name (outcome->total.cause));
    if (outcome->total.cause == CONNECT_REFUSED)
      add_uint (json, "reason", outcome->total.reason);
    add_uint (json, "connects", variant->counts[k]);
    json_builder_set_member_name (json, "share");
    json_builder_begin_object (json);
    add_stat (json, &variant->shares[k]);
    if (v > 0)
      add_difference (json, &variant->share_differences[k]);
    json_builder_end_object (json);
    json_builder_end_object (json);
  }
  json_builder_end_array (json);
}

static void
add_variant (JsonBuilder *json, const OutputRun *run, guint v)
{
  const SummaryVariant *variant = &run->summary->by_variant[v];
  g_autofree char *fingerprint = g_strdup_printf ("%016" G_GINT64_MODIFIER "x",
                                                  variant->fingerprint);

  json_builder_begin_object (json);
  add_string (json, "name", output_variant_name (run, v));
  add_string (json, "fingerprint", fingerprint);
  add_outcomes (json, run, v);
  json_builder_set_member_name (json, "metrics");
  json_builder_begin_object (json);
  for (guint m = 0; m < METRIC_N; m++) {
    json_builder_set_member_name (json, metric_infos[m].name);
    json_builder_begin_object (json);
    add_stat (json, &variant->metrics[m]);
    if (v > 0)
      add_difference (json, &variant->differences[m]);
    json_builder_end_object (json);
  }
  json_builder_end_object (json);
  json_builder_end_object (json);
}

static void
add_head (JsonBuilder *json, const OutputRun *run)
{
  const Scenario *scenario = run->scenario;
  g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, scenario->seed);

  add_string (json, "schema", "cmsim-summary");
  add_uint (json, "schema_version", OUTPUT_SCHEMA_VERSION);
  add_string (json, "program", "cmsim " CMSIM_VERSION);
  json_builder_set_member_name (json, "scenario");
  json_builder_begin_object (json);
  add_escaped (json, "name", scenario->name);
  add_escaped (json, "path", scenario->path);
  add_string (json, "hash", scenario->hash);
  add_string (json, "question", scenario->question);
  json_builder_set_member_name (json, "options");
  json_builder_begin_array (json);
  for (guint i = 0; i < scenario->options->len; i++)
    json_builder_add_string_value (json, scenario->options->pdata[i]);
  json_builder_end_array (json);
  json_builder_end_object (json);
  add_string (json, "seed", seed);
  add_uint (json, "replications_asked", scenario->replications);
  add_uint (json, "replications", run->summary->replications);
  add_uint (json, "replications_in_connections_csv", run->results->recorded);
}

static void
add_expectations (JsonBuilder *json, const GPtrArray *verdicts)
{
  json_builder_set_member_name (json, "expectations");
  json_builder_begin_array (json);
  for (guint i = 0; i < verdicts->len; i++) {
    const ExpectVerdict *verdict = g_ptr_array_index (verdicts, i);

    json_builder_begin_object (json);
    add_string (json, "line", verdict->text);
    json_builder_set_member_name (json, "holds");
    json_builder_add_boolean_value (json, verdict->holds);
    add_string (json, "found", verdict->found);
    json_builder_end_object (json);
  }
  json_builder_end_array (json);
}

static void
add_metric_infos (JsonBuilder *json)
{
  json_builder_set_member_name (json, "metrics");
  json_builder_begin_object (json);
  for (guint m = 0; m < METRIC_N; m++) {
    json_builder_set_member_name (json, metric_infos[m].name);
    json_builder_begin_object (json);
    add_string (json, "unit", unit_name (metric_infos[m].kind));
    add_string (json, "help", metric_infos[m].help);
    json_builder_end_object (json);
  }
  json_builder_end_object (json);
}

static gboolean
summary_json_write (const OutputRun *run, const char *dir, GError **error)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;
  OutputFile *file = output_file_new (dir, output_summary_json.name);

  json_builder_begin_object (json);
  add_head (json, run);
  add_expectations (json, run->verdicts);
  add_metric_infos (json);
  json_builder_set_member_name (json, "variants");
  json_builder_begin_array (json);
  for (guint v = 0; v < run->summary->variants; v++)
    add_variant (json, run, v);
  json_builder_end_array (json);
  json_builder_end_object (json);

  root = json_builder_get_root (json);
  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  text = json_generator_to_data (generator, NULL);
  output_file_text (file, text);
  output_file_text (file, "\n");
  return output_file_close (file, error);
}

const OutputWriter output_summary_json = {
  .name = "summary.json",
  .help = "every metric of every variant: mean, interval, extremes, quantiles, paired difference",
  .write = summary_json_write,
};

#include "verdicts.h"

#include <math.h>
#include <string.h>

#include "estimate.h"

/* ----- the comments at the top ----- */

char *
verdicts_paragraph (const char *yaml, const char *word)
{
  g_auto (GStrv) lines = g_strsplit (yaml, "\n", -1);
  GString *text = NULL;

  for (guint i = 0; lines[i] && lines[i][0] == '#'; i++) {
    const char *line = g_strstrip (lines[i] + 1);

    if (text && !*line)
      break;
    if (!text && g_str_has_prefix (line, word))
      text = g_string_new (line + strlen (word) + strspn (line + strlen (word), ": "));
    else if (text)
      g_string_append_printf (text, " %s", line);
  }
  return text ? g_string_free (text, FALSE) : NULL;
}

guint
verdicts_comment_lines (const char *yaml)
{
  guint n = 0;

  for (const char *line = yaml; line && *line == '#'; n++) {
    line = strchr (line, '\n');
    line = line ? line + 1 : NULL;
  }
  return n;
}

/* ----- numbers: a row per metric, a column per variant ----- */

typedef struct {
  const char *title;
  MetricId metric;
} Row;

static const Row rows[] = {
  { "established", METRIC_SUCCESS },
  { "time to connect, median", METRIC_LATENCY_P50 },
  { "time to connect, 99 %", METRIC_LATENCY_P99 },
  { "time to fail, mean", METRIC_FAILURE_MEAN },
  { "REQs per connect", METRIC_REQS_PER_CONNECT },
};

static gboolean
has_value (const OutputRun *run, MetricId metric)
{
  for (guint v = 0; v < run->summary->variants; v++)
    if (run->summary->by_variant[v].metrics[metric].n > 0)
      return TRUE;
  return FALSE;
}

static void
append_numbers (GString *out, const OutputRun *run)
{
  const Summary *summary = run->summary;

  g_string_append (out, "\n| |");
  for (guint v = 0; v < summary->variants; v++)
    g_string_append_printf (out, " %s |", output_variant_name (run, v));
  g_string_append (out, "\n|---|");
  for (guint v = 0; v < summary->variants; v++)
    g_string_append (out, "---|");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    MetricId metric = rows[i].metric;

    if (!has_value (run, metric))
      continue;
    g_string_append_printf (out, "\n| %s |", rows[i].title);
    for (guint v = 0; v < summary->variants; v++) {
      g_autofree char *text = estimate_format (&summary->by_variant[v].metrics[metric],
                                               metric_infos[metric].kind, ESTIMATE_VALUE,
                                               summary->replications);

      g_string_append_printf (out, " %s |", text);
    }
  }
  g_string_append_c (out, '\n');
}

/* ----- expectations ----- */

static void
append_expectations (GString *out, const OutputRun *run)
{
  g_string_append (out, "\n| expected | found |\n|---|---|\n");
  for (guint i = 0; i < run->verdicts->len; i++) {
    const ExpectVerdict *verdict = g_ptr_array_index (run->verdicts, i);

    g_string_append_printf (out, "| `%s` | %s%s |\n", verdict->text,
                            verdict->holds ? "" : "**does not hold**: ", verdict->found);
  }
}

static gboolean
all_hold (const GPtrArray *verdicts)
{
  for (guint i = 0; i < verdicts->len; i++)
    if (!((const ExpectVerdict *) g_ptr_array_index (verdicts, i))->holds)
      return FALSE;
  return verdicts->len > 0;
}

void
verdicts_append (GString *out, const OutputRun *run, const char *yaml, const char *images)
{
  const Scenario *scenario = run->scenario;
  g_autofree char *claim = verdicts_paragraph (yaml, "Claim:");
  g_autofree char *verdict = verdicts_paragraph (yaml, "Verdict:");

  g_string_append_printf (out, "\n## %s\n\n", scenario->question);
  g_string_append_printf (out, "> %s\n\n", claim ? claim : "(the scenario makes no claim)");
  if (!all_hold (run->verdicts))
    g_string_append (out, "**Open**: not all that was expected came out.\n");
  else if (verdict)
    g_string_append_printf (out, "%s\n", verdict);
  g_string_append_printf (out, "\n![%s](%s/%s.png)\n", scenario->name, images, scenario->name);
  append_numbers (out, run);
  append_expectations (out, run);
  g_string_append_printf (out, "\n`%s`, seed %" G_GUINT64_FORMAT ", %u replication%s.\n",
                          scenario->path, scenario->seed, run->summary->replications,
                          run->summary->replications == 1 ? "" : "s");
}

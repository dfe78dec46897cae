/* Judging: equality allows what is written, an undefined metric satisfies nothing. */
#include "expect_cell.h"
#include "expect_parse.h"

#include <float.h>
#include <math.h>
#include <string.h>

MetricId
expect_metric (const Expect *expect)
{
  return expect->metric;
}

/* ----- numbers ----- */

static double
metric_of (const RunnerResults *results, guint variant, guint replication, MetricId metric)
{
  return runner_cell (results, variant, replication)->world->metrics[metric];
}

static double
fold (const RunnerResults *results, ExpectFold how, guint variant, MetricId metric)
{
  double folded = metric_of (results, variant, 0, metric);

  for (guint r = 1; r < results->complete; r++) {
    double value = metric_of (results, variant, r, metric);

    if (isnan (value) || isnan (folded))
      return NAN;
    switch (how) {
    case EXPECT_FOLD_NONE:
      g_assert_not_reached ();
    case EXPECT_FOLD_MEAN:
    case EXPECT_FOLD_SUM:
      folded += value;
      break;
    case EXPECT_FOLD_MIN:
      folded = MIN (folded, value);
      break;
    case EXPECT_FOLD_MAX:
      folded = MAX (folded, value);
      break;
    }
  }
  return how == EXPECT_FOLD_MEAN ? folded / results->complete : folded;
}

static gboolean
equal (const Expect *expect, double left, double right)
{
  /* Rounding of the comparison itself: the last bits. */
  double slack = expect->tolerance > 0 || expect->tolerance_share > 0 || expect->factor != 1
                     ? 4 * DBL_EPSILON * MAX (fabs (left), fabs (right))
                     : 0;

  return fabs (left - right) <= expect->tolerance + expect->tolerance_share * fabs (right) + slack;
}

static gboolean
holds (const Expect *expect, double left, double right)
{
  if (isnan (left) || isnan (right))
    return FALSE;
  switch (expect->op) {
  case EXPECT_EQ:
    return equal (expect, left, right);
  case EXPECT_NE:
    return !equal (expect, left, right);
  case EXPECT_LT:
    return left < right;
  case EXPECT_LE:
    return left <= right;
  case EXPECT_GT:
    return left > right;
  case EXPECT_GE:
    return left >= right;
  case EXPECT_IN:
    return (expect->low_open ? left > expect->low : left >= expect->low)
           && (expect->high_open ? left < expect->high : left <= expect->high);
  }
  g_assert_not_reached ();
}

/* ----- words ----- */

static void
append_value (GString *text, MetricId metric, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE], *point;

  if (isnan (value)) {
    g_string_append (text, "undefined");
    return;
  }
  if (metric_infos[metric].kind == METRIC_TIME) {
    g_ascii_formatd (number, sizeof number, "%.9f", value);
    point = strchr (number, '.');
    for (char *last = number + strlen (number) - 1; point && last >= point; last--) {
      if (*last != '0' && *last != '.')
        break;
      *last = '\0';
    }
    g_string_append_printf (text, "%s s", number);
    return;
  }
  if (value == floor (value) && fabs (value) < 1e15)
    g_snprintf (number, sizeof number, "%.0f", value);
  else
    g_ascii_formatd (number, sizeof number, "%.9g", value);
  g_string_append (text, number);
}

static void
append_right (GString *text, const Expect *expect, const char *variant, double right)
{
  if (!expect->by_metric)
    return;
  g_string_append (text, ", ");
  if (expect->factor != 1)
    g_string_append (text, "the right side ");
  else
    g_string_append_printf (text, "%s.%s ", expect->other_variant ? expect->other_variant : variant,
                            metric_infos[expect->other_metric].name);
  append_value (text, expect->other_metric, right);
}

/* ----- judging ----- */

typedef struct {
  const Scenario *scenario;
  const RunnerResults *results;
  const Expect *expect;
  guint checked, failed;  /* replications or folds */
  double least, greatest; /* left side */
  GString *failure;       /* the first one, in words */
} Judge;

static guint
find_variant (const Scenario *scenario, const char *name)
{
  guint i = 0;

  while (i < scenario->variants->len
         && strcmp (((ScenarioVariant *) scenario->variants->pdata[i])->name, name))
    i++;
  return i;
}

static const char *
variant_name (const Scenario *scenario, guint variant)
{
  return ((ScenarioVariant *) scenario->variants->pdata[variant])->name;
}

static void
judge_one (Judge *judge, guint variant, guint replication, double left, double right)
{
  const Expect *expect = judge->expect;

  judge->least = judge->checked == 0 ? left : MIN (judge->least, left);
  judge->greatest = judge->checked++ == 0 ? left : MAX (judge->greatest, left);
  if (holds (expect, left, right) || judge->failed++ > 0)
    return;
  g_string_append (judge->failure, variant_name (judge->scenario, variant));
  if (expect->fold == EXPECT_FOLD_NONE)
    g_string_append_printf (judge->failure, ", replication %u", replication);
  g_string_append (judge->failure, ": ");
  append_value (judge->failure, expect->metric, left);
  append_right (judge->failure, expect, variant_name (judge->scenario, variant), right);
}

/* Every failed connect of every replication gave this name, and there is one. */
static void
judge_errno (Judge *judge, guint variant)
{
  const Expect *expect = judge->expect;

  for (guint r = 0; r < judge->results->complete; r++) {
    const GArray *errnos = runner_cell (judge->results, variant, r)->errnos;
    gboolean all = errnos->len > 0, none = TRUE;

    for (guint i = 0; i < errnos->len; i++) {
      gboolean same = !strcmp (g_array_index (errnos, RunnerErrno, i).name, expect->errno_name);

      all &= same;
      none &= !same;
    }
    judge->checked++;
    if ((expect->op == EXPECT_EQ ? all : none) || judge->failed++ > 0)
      continue;
    g_string_append_printf (judge->failure,
                            "%s, replication %u:", variant_name (judge->scenario, variant), r);
    for (guint i = 0; i < errnos->len; i++)
      g_string_append_printf (judge->failure, "%s %s", i > 0 ? "," : "",
                              g_array_index (errnos, RunnerErrno, i).name);
    g_string_append (judge->failure, errnos->len == 0 ? " no connect failed" : "");
  }
}

static void
judge_variant (Judge *judge, guint variant)
{
  const RunnerResults *results = judge->results;
  const Expect *expect = judge->expect;
  guint other = variant;
  double right = expect->low;

  if (expect->errno_name) {
    judge_errno (judge, variant);
    return;
  }
  if (expect->other_variant)
    other = find_variant (judge->scenario, expect->other_variant);
  if (expect->fold != EXPECT_FOLD_NONE) {
    if (expect->by_metric)
      right = expect->factor * fold (results, expect->fold, other, expect->other_metric);
    judge_one (judge, variant, 0, fold (results, expect->fold, variant, expect->metric), right);
    return;
  }
  for (guint r = 0; r < results->complete; r++) {
    if (expect->by_metric)
      right = expect->factor * metric_of (results, other, r, expect->other_metric);
    judge_one (judge, variant, r, metric_of (results, variant, r, expect->metric), right);
  }
}

static char *
describe (const Judge *judge)
{
  GString *found = g_string_new (NULL);
  MetricId metric = judge->expect->metric;

  if (judge->failed > 0) {
    g_string_append (found, judge->failure->str);
    if (judge->failed > 1)
      g_string_append_printf (found, " (and %u more of %u)", judge->failed - 1, judge->checked);
    return g_string_free (found, FALSE);
  }
  if (judge->expect->errno_name)
    g_string_append_printf (found, "%s%s", judge->expect->op == EXPECT_EQ ? "" : "not ",
                            judge->expect->errno_name);
  else
    append_value (found, metric, judge->least);
  if (judge->greatest > judge->least) {
    g_string_append (found, " to ");
    append_value (found, metric, judge->greatest);
  }
  if (judge->expect->fold == EXPECT_FOLD_NONE && judge->results->complete > 1)
    g_string_append_printf (found, " in all %u replications", judge->results->complete);
  return g_string_free (found, FALSE);
}

static void
verdict_free (gpointer data)
{
  ExpectVerdict *verdict = data;

  g_free (verdict->text);
  g_free (verdict->found);
  g_free (verdict);
}

/* Does a line name a variant that is not there (any more)? */
static gboolean
is_gone (const Scenario *scenario, const char *variant)
{
  for (guint v = 0; variant && v < scenario->variants->len; v++)
    if (expect_cell_matches (variant, variant_name (scenario, v)))
      return FALSE;
  return variant != NULL;
}

GPtrArray *
expect_judge (const Scenario *scenario, const RunnerResults *results)
{
  GPtrArray *verdicts = g_ptr_array_new_with_free_func (verdict_free);

  for (guint i = 0; results->complete > 0 && i < scenario->expects->len; i++) {
    const Expect *expect = g_ptr_array_index (scenario->expects, i);
    Judge judge = { .scenario = scenario, .results = results, .expect = expect };
    ExpectVerdict *verdict;

    if (is_gone (scenario, expect->variant) || is_gone (scenario, expect->other_variant))
      continue;
    judge.failure = g_string_new (NULL);
    for (guint v = 0; v < scenario->variants->len; v++)
      if (!expect->variant || expect_cell_matches (expect->variant, variant_name (scenario, v)))
        judge_variant (&judge, v);
    verdict = g_new0 (ExpectVerdict, 1);
    verdict->text = g_strdup (expect->text);
    verdict->holds = judge.failed == 0;
    verdict->found = describe (&judge);
    g_ptr_array_add (verdicts, verdict);
    g_string_free (judge.failure, TRUE);
  }
  return verdicts;
}

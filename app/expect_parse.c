#include "expect_scan.h"

#include "diagnose.h"
#include "expect_cell.h"
#include "expect_value.h"
#include "suggest.h"
#include "units.h"

#include <math.h>
#include <string.h>

static gboolean
unknown_metric (ExpectParser *parser, const char *at, const char *word)
{
  const char *names[METRIC_N + 1];

  if (!*word)
    return expect_refuse (parser, at, "a metric is missing, such as established == 512");
  for (guint i = 0; i < METRIC_N; i++)
    names[i] = metric_infos[i].name;
  names[METRIC_N] = NULL;
  return expect_unknown_name (parser, at, "metric", word, names,
                              "; `cmsim list metrics` lists them");
}

/* ----- the left side ----- */

static const char *const fold_names[] = { "mean", "min", "max", "sum", NULL };

static gboolean
parse_left (ExpectParser *parser)
{
  const char *start;
  char *word = expect_take_word (parser, &start), *name;

  expect_skip_spaces (parser);
  if (*parser->at == '(') {
    for (guint i = 0; fold_names[i]; i++)
      if (!strcmp (word, fold_names[i]))
        parser->expect->fold = EXPECT_FOLD_MEAN + i;
    if (parser->expect->fold == EXPECT_FOLD_NONE) {
      expect_unknown_name (parser, start, "function", word, fold_names, "");
      g_free (word);
      return FALSE;
    }
    g_free (word);
    parser->at++;
    word = expect_take_word (parser, &start);
    if (!expect_take (parser, ")")) {
      g_free (word);
      return expect_refuse (parser, parser->at, "a closing ) is missing");
    }
  }
  name = word;
  parser->expect->metric = metric_find (name);
  if (parser->expect->metric == METRIC_N)
    unknown_metric (parser, start, name);
  g_free (word);
  return parser->expect->metric != METRIC_N;
}

typedef struct {
  const char *sign;
  ExpectOp op;
} Operator;

/* Longer signs first. */
static const Operator operators[] = {
  { .sign = "==", .op = EXPECT_EQ },  { .sign = "!=", .op = EXPECT_NE },
  { .sign = "<=", .op = EXPECT_LE },  { .sign = ">=", .op = EXPECT_GE },
  { .sign = "<", .op = EXPECT_LT },   { .sign = ">", .op = EXPECT_GT },
  { .sign = "in ", .op = EXPECT_IN }, { .sign = "in[", .op = EXPECT_IN },
  { .sign = "in(", .op = EXPECT_IN },
};

/* Pairs: what people write, what they mean. */
static const char *const meant_signs[] = {
  "=",  "==", "===", "==", "~=", "==", "is", "==", "=>",
  ">=", "=<", "<=",  "<>", "!=", "=!", "!=", NULL,
};

static gboolean
parse_operator (ExpectParser *parser)
{
  const char *meant = NULL;
  char *quoted, *word;
  gsize length;

  expect_skip_spaces (parser);
  for (guint i = 0; i < G_N_ELEMENTS (operators); i++)
    if (g_str_has_prefix (parser->at, operators[i].sign)) {
      parser->expect->op = operators[i].op;
      parser->at += operators[i].op == EXPECT_IN ? 2 : strlen (operators[i].sign);
      return TRUE;
    }
  length = strcspn (parser->at, " ");
  if (length == 0 || g_ascii_isdigit (*parser->at))
    return expect_refuse (parser, parser->at,
                          "a comparison is missing before the value; allowed: "
                          "== != < <= > >= in");
  word = g_strndup (parser->at, length);
  quoted = suggest_quote (word);
  for (guint i = 0; meant_signs[i]; i += 2)
    if (!strcmp (meant_signs[i], word))
      meant = meant_signs[i + 1];
  expect_refuse (parser, parser->at, "%s is no comparison; allowed: == != < <= > >= in%s%s%s",
                 quoted, meant ? "; did you mean \"" : "", meant ? meant : "", meant ? "\"?" : "");
  g_free (word);
  g_free (quoted);
  return FALSE;
}

/* ----- values ----- */

/* The text of a value: a number and what may be a unit, which stands apart only behind a
 * time.  NULL if there is no number. (transfer full) */
static char *
take_value_text (ExpectParser *parser, MetricKind kind)
{
  UnitsNumber number;
  const char *start, *end, *unit;
  gsize length;

  expect_skip_spaces (parser);
  start = parser->at;
  if (!units_scan_number (start, &number, &end))
    return NULL;
  unit = end + (kind == METRIC_TIME ? strspn (end, " ") : 0);
  length = *unit == '%' ? 1 : strspn (unit, G_CSET_a_2_z G_CSET_A_2_Z "/\302\265\316\274");
  parser->at = length > 0 ? unit + length : end;
  return g_strndup (start, (gsize) (parser->at - start));
}

static gboolean
parse_value (ExpectParser *parser, double *ret_value, double *ret_half)
{
  const MetricInfo *metric = &metric_infos[parser->expect->metric];
  const char *start;
  char *text, *wrong, *quoted;

  expect_skip_spaces (parser);
  start = parser->at;
  text = take_value_text (parser, metric->kind);
  if (!text)
    return expect_refuse (parser, start, "a value is missing; %s is %s", metric->name,
                          expect_value_example (metric->kind));
  wrong = expect_value_parse (text, metric->kind, ret_value, ret_half);
  if (wrong && *wrong) {
    expect_refuse (parser, start, "%s", wrong);
  } else if (wrong) {
    quoted = suggest_quote (text);
    expect_refuse (parser, start, "%s does not suit %s, which is %s", quoted, metric->name,
                   expect_value_example (metric->kind));
    g_free (quoted);
  }
  g_free (text);
  g_free (wrong);
  return wrong == NULL;
}

/* ----- the right side ----- */

static gboolean
is_time (MetricId metric)
{
  return metric_infos[metric].kind == METRIC_TIME;
}

/* prefix: length of the variant and its point that were found in front. */
static void
unknown_reference (ExpectParser *parser, const char *start, char *word, gsize prefix)
{
  /* Behind some point a metric: then the variant is wrong. */
  for (char *point = strchr (word, '.'); prefix == 0 && point; point = strchr (point + 1, '.'))
    if (metric_find (point + 1) != METRIC_N) {
      *point = '\0';
      expect_unknown_name (parser, start, "variant", word, parser->variants, "");
      return;
    }
  unknown_metric (parser, start + prefix, word + prefix);
}

/* VARIANT.METRIC, or a METRIC of the same variant. */
static gboolean
parse_reference (ExpectParser *parser)
{
  Expect *expect = parser->expect;
  const char *start, *name;
  char *word = expect_take_word (parser, &start);

  name = word;
  expect->by_metric = TRUE;
  expect->other_metric = metric_find (word);
  for (guint i = 0; expect->other_metric == METRIC_N && parser->variants[i]; i++) {
    gsize length = strlen (parser->variants[i]);

    if (g_str_has_prefix (word, parser->variants[i]) && word[length] == '.') {
      expect->other_variant = parser->variants[i];
      name = word + length + 1;
      expect->other_metric = metric_find (name);
    }
  }
  if (expect->other_metric == METRIC_N) {
    unknown_reference (parser, start, word, (gsize) (name - word));
    g_free (word);
    return FALSE;
  }
  g_free (word);
  if (is_time (expect->metric) != is_time (expect->other_metric))
    return expect_refuse (parser, start, "%s and %s cannot be compared; one is a time",
                          metric_infos[expect->metric].name,
                          metric_infos[expect->other_metric].name);
  return TRUE;
}

/* FACTOR * before a reference. */
static gboolean
take_factor (ExpectParser *parser)
{
  UnitsNumber number;
  const char *end, *star;

  expect_skip_spaces (parser);
  if (!units_scan_number (parser->at, &number, &end))
    return FALSE;
  star = end + strspn (end, " ");
  if (*star != '*' || !isfinite (number.value))
    return FALSE;
  parser->expect->factor = number.value;
  parser->at = star + 1;
  return TRUE;
}

static gboolean
parse_tolerance (ExpectParser *parser)
{
  Expect *expect = parser->expect;
  UnitsNumber number;
  const char *end, *start;
  double half;

  expect_skip_spaces (parser);
  start = parser->at;
  if (!expect_take (parser, "+-"))
    return TRUE;
  if (expect->op != EXPECT_EQ && expect->op != EXPECT_NE)
    return expect_refuse (parser, start, "a tolerance +- goes with == only");
  expect_skip_spaces (parser);
  if (*parser->at == '-')
    return expect_refuse (parser, parser->at, "a tolerance is not negative");
  /* A percentage is of the right side, whatever the metric. */
  if (units_scan_number (parser->at, &number, &end) && *end == '%') {
    expect->tolerance = 0;
    expect->tolerance_share = number.value / 100;
    parser->at = end + 1;
    return isfinite (number.value) || expect_refuse (parser, start, "the tolerance is too large");
  }
  return parse_value (parser, &expect->tolerance, &half);
}

static gboolean
parse_right (ExpectParser *parser)
{
  Expect *expect = parser->expect;

  expect_skip_spaces (parser);
  if (take_factor (parser) || g_ascii_isalpha (*parser->at)) {
    /* Times are whole nanoseconds. */
    expect->tolerance = is_time (expect->metric) ? EXPECT_HALF_NANOSECOND : 0;
    return parse_reference (parser);
  }
  return parse_value (parser, &expect->low, &expect->tolerance);
}

static gboolean
parse_interval (ExpectParser *parser)
{
  Expect *expect = parser->expect;
  const char *start;
  double half;

  expect_skip_spaces (parser);
  start = parser->at;
  expect->low_open = *start == '(';
  if (!expect_take (parser, "[") && !expect_take (parser, "("))
    return expect_refuse (parser, start, "an interval is missing; write in [LOW, HIGH]");
  if (!parse_value (parser, &expect->low, &half))
    return FALSE;
  if (!expect_take (parser, ","))
    return expect_refuse (parser, parser->at,
                          "a comma is missing between the ends of the interval");
  if (!parse_value (parser, &expect->high, &half))
    return FALSE;
  expect->high_open = expect_take (parser, ")");
  if (!expect->high_open && !expect_take (parser, "]"))
    return expect_refuse (parser, parser->at, "the interval does not end; write in [LOW, HIGH]");
  if (expect->low > expect->high ||
      (expect->low == expect->high && (expect->low_open || expect->high_open)))
    return expect_refuse (parser, start, "the interval is empty; write the smaller end first");
  return TRUE;
}

/* "errno == ECONNREFUSED", behind the word.  Not all names are words: "exit(1)". */
static gboolean
parse_errno (ExpectParser *parser)
{
  char *name;

  if (!parse_operator (parser))
    return FALSE;
  if (parser->expect->op != EXPECT_EQ && parser->expect->op != EXPECT_NE)
    return expect_refuse (parser, parser->at, "errno is compared with == and != only");
  expect_skip_spaces (parser);
  name = g_strchomp (g_strdup (parser->at));
  parser->expect->errno_name = arena_strdup (parser->arena, name);
  g_free (name);
  if (!*parser->expect->errno_name)
    return expect_refuse (parser, parser->at, "a name is missing, such as errno == ECONNREFUSED");
  parser->at += strlen (parser->at);
  return TRUE;
}

static gboolean
take_errno (ExpectParser *parser)
{
  const char *before = parser->at, *start;
  char *word = expect_take_word (parser, &start);
  gboolean found = !strcmp (word, "errno");

  if (!found)
    parser->at = before;
  g_free (word);
  return found;
}

static gboolean
parse_comparison (ExpectParser *parser)
{
  if (take_errno (parser))
    return parse_errno (parser);
  if (!parse_left (parser) || !parse_operator (parser))
    return FALSE;
  return parser->expect->op == EXPECT_IN ? parse_interval (parser)
                                         : parse_right (parser) && parse_tolerance (parser);
}

static gboolean
parse_line (ExpectParser *parser)
{
  char *quoted;

  if (!parse_comparison (parser))
    return FALSE;
  expect_skip_spaces (parser);
  if (!*parser->at)
    return TRUE;
  quoted = suggest_quote (parser->at);
  expect_refuse (parser, parser->at, "%s is too much; a line ends after the comparison", quoted);
  g_free (quoted);
  return FALSE;
}

/* ----- the item ----- */

static gboolean
find_cells (ExpectParser *parser, const char *pattern, const char *at)
{
  gsize offset;
  char *wrong = expect_cell_check (pattern, parser->axes, parser->n_axes, &offset);

  if (wrong)
    expect_refuse (parser, at, "%s", wrong);
  else
    parser->expect->variant = arena_strdup (parser->arena, pattern);
  g_free (wrong);
  return parser->expect->variant != NULL;
}

static gboolean
find_variant (ExpectParser *parser, const char *name, const char *at)
{
  if (parser->n_axes > 0)
    return find_cells (parser, name, at);
  for (guint i = 0; parser->variants[i]; i++)
    if (!strcmp (parser->variants[i], name)) {
      parser->expect->variant = parser->variants[i];
      return TRUE;
    }
  return expect_unknown_name (parser, at, "variant", name, parser->variants, "");
}

/* "VARIANT: " in front of the line. */
static gboolean
parse_prefix (ExpectParser *parser)
{
  const char *colon = strchr (parser->text, ':');
  gboolean good;
  char *name;

  if (!colon)
    return TRUE;
  name = g_strstrip (g_strndup (parser->text, (gsize) (colon - parser->text)));
  good = find_variant (parser, name, parser->text);
  g_free (name);
  parser->at = colon + 1;
  return good;
}

static gboolean
begin (ExpectParser *parser, const YamlNode *line)
{
  if (line->kind != YAML_TREE_SCALAR || yaml_node_is_null (line)) {
    diagnose (parser->error, SCENARIO_ERROR_VALUE, &line->place,
              "expect: expected a line such as established == 512; found %s",
              yaml_node_describe (line));
    return FALSE;
  }
  parser->text = parser->at = line->text;
  parser->place = line->place;
  parser->on_one_line = !strchr (line->text, '\n');
  parser->place.column += parser->on_one_line && !line->plain; /* the quote */
  return TRUE;
}

Expect *
expect_parse (Arena *arena, const YamlNode *item, const char *const *variants,
              const ScenarioAxis *axes, guint n_axes, GError **error)
{
  ExpectParser parser = {
    .arena = arena, .variants = variants, .axes = axes, .n_axes = n_axes, .error = error
  };
  Expect *expect = arena_alloc (arena, sizeof *expect);
  const YamlNode *key = NULL;
  gboolean good;

  parser.expect = expect;
  expect->factor = 1;
  if (item->kind == YAML_TREE_MAPPING && item->n == 1) {
    key = item->keys[0];
    item = item->items[0];
  }
  if (!begin (&parser, item))
    return NULL;
  if (key) {
    YamlPlace place = parser.place;

    parser.place = key->place;
    good = find_variant (&parser, key->text, parser.text);
    parser.place = place;
  } else {
    good = parse_prefix (&parser);
  }
  expect->text = key ? arena_printf (arena, "%s: %s", key->text, item->text)
                     : arena_strdup (arena, item->text);
  return good && parse_line (&parser) ? expect : NULL;
}

#include "reference.h"

#include "arena.h"
#include "metrics.h"
#include "param_dist.h"
#include "param_value.h"
#include "scenario_schema.h"
#include "scenario_scope.h"

#include <string.h>

static const char head_text[] =
    "# Scenario reference\n\n"
    "Printed by `cmsim reference`; made from the same tables as the reader, so it is complete. A "
    "key without a default is required.\n";

static const char units_text[] =
    "\n"
    "## Values\n\n"
    "| value | how it is written |\n"
    "|---|---|\n"
    "| time | number and `ns`, `us`, `ms`, `s`, `min` or `h`: `5ms`, `64.552509296s`; exact, to "
    "1 ns; a bare number is an error, but for `0` |\n"
    "| rate | number, `k` or `M` if you like, and `/s`, `/min` or `/h`: `200/s`, `5k/s` |\n"
    "| bit rate | number and `bps`, `kbps`, `Mbps`, `Gbps` or `Tbps`: `100Gbps` |\n"
    "| size | number and `B`, `KiB`, `MiB`, `GiB`, `KB`, `MB` or `GB`: `4KiB` |\n"
    "| probability | `0.01` or `1%` |\n"
    "| truth | `true` or `false` |\n"
    "| choice | a name, `{name: {parameter: value}}`, or `{name: value}` for the class's main "
    "parameter |\n"
    "| distribution | a time, or a choice of a class below; its parameters may be a list in "
    "their order |\n\n"
    "A file is one YAML 1.1 document in UTF-8 of at most 16 MiB, 64 levels and 100 000 values, "
    "each alias counted as a copy. Anchors and aliases work; tags and merge keys are refused. "
    "Every error names the file, line and column.\n";

static const char compare_text[] =
    "\n"
    "## compare\n\n"
    "A mapping of variant names to overrides. An override is a dotted path and a value; elements "
    "of lists go by their number, from 0. Variants share seed, replications and random streams; "
    "the first one is what the others are compared with. Without `compare:` there is one "
    "variant, named after the file.\n\n"
    "```yaml\n"
    "compare:\n"
    "  reject-3: {listeners.0.backlog.full: {reject: 3}}\n"
    "  drop:     {listeners.0.backlog.full: drop}\n"
    "  longer:   {listeners.0.backlog.limit: 1024, hosts.client.hca.cm_service: 20us}\n"
    "```\n\n"
    "Where the file has a short form, a path may go on as if it were written out; a part of "
    "something the file does not mention changes that part of the default. `--set PATH=VALUE` "
    "does the same from the command line, in every variant, and prevails over `compare:`.\n";

static const char matrix_text[] =
    "\n"
    "## matrix\n\n"
    "Axes, in the place of `compare:`; every combination of their values is a variant, a cell. An "
    "axis is a mapping of names to overrides, or `{set: PATH, to: [VALUE, ...]}` for values that "
    "go to one path. Overrides of later axes prevail. At most 8 axes and 4096 cells; `cmsim "
    "matrix` runs them.\n\n"
    "```yaml\n"
    "matrix:\n"
    "  initiator: {set: connects.0.ulp, to: [sdp, rsockets]}\n"
    "  backlog:\n"
    "    short: {listeners.0.backlog.limit: 8}\n"
    "    long:  {listeners.0.backlog.limit: 1024, listeners.0.backlog.full: drop}\n"
    "```\n\n"
    "A cell is named by its values, in the order of the axes: `sdp,short`. A line of `expect:` "
    "and `--variant` may name several: `any` for all values of an axis, `sdp-*` for those that "
    "begin so, `sdp|rsockets` for some.\n";

static const char expect_text[] =
    "\n"
    "## expect\n\n"
    "A list of lines; exit code 1 if one does not hold.\n\n"
    "| form | meaning |\n"
    "|---|---|\n"
    "| `METRIC == VALUE` | in every replication of every variant; also `!=` `<` `<=` `>` `>=` |\n"
    "| `METRIC in [LOW, HIGH]` | both ends included; `(` and `)` leave an end out |\n"
    "| `METRIC == VALUE +- TOLERANCE` | so far away at most; `N%` is a share of the value |\n"
    "| `METRIC <= FACTOR * VARIANT.METRIC` | against another variant in the same replication; "
    "without `FACTOR *` as it is, without `VARIANT.` against another metric of the same variant "
    "|\n"
    "| `mean(METRIC) > VALUE` | one number over the replications; also `min`, `max`, `sum`; a "
    "metric on the right side is taken the same way |\n"
    "| `errno == NAME` | what every connect that failed gave its application, and at least one "
    "did; `!=`: none gave it this |\n"
    "| `VARIANT: ...` | only for this variant, or these cells of a matrix |\n\n"
    "A time needs a unit, other metrics have none; a ratio may be a percentage. Without a "
    "tolerance, a time or a number with a decimal point equals a value that rounds to what is "
    "written: `== 64.552509s` allows half a microsecond either way; without a point it is exact. "
    "A metric that is undefined (the latency when nothing was established) satisfies no "
    "comparison.\n\n"
    "```yaml\n"
    "expect:\n"
    "  - drop: established == 512\n"
    "  - drop: last_established in [12s, 14s]\n"
    "  - reject-3: refused > 0\n"
    "  - mean(reqs) <= 2 * reject-3.reqs\n"
    "```\n";

typedef struct {
  GString *out;
  GPtrArray *printed; /* rows and class lists that have a section */
} Page;

/* ----- cells ----- */

static void
append_cell (Page *page, const char *text)
{
  for (; *text; text++) {
    if (*text == '|')
      g_string_append_c (page->out, '\\');
    g_string_append_c (page->out, *text);
  }
}

static gboolean
is_printed (const Page *page, gconstpointer what)
{
  return g_ptr_array_find (page->printed, what, NULL);
}

/* A row that the application reads itself says by its default what it is. */
static gboolean
is_list_text (const SimParam *row)
{
  return row->value && *row->value == '[';
}

static void
append_value (Page *page, const SimParam *row)
{
  char *wanted = param_value_wanted (row), *range = param_range_text (row);

  /* Classes have sections of their own. */
  append_cell (page, row->kind == SIM_PARAM_CHOICE                        ? "a choice"
                     : row->kind == SIM_PARAM_DIST                        ? "a time or distribution"
                     : row->kind == SIM_PARAM_GROUP && is_list_text (row) ? "a list"
                                                                          : wanted);
  if (range)
    g_string_append_printf (page->out, ", %s", range);
  if (row->main_param && row->kind == SIM_PARAM_GROUP)
    g_string_append_printf (page->out, ", or a plain `%s`", row->main_param);
  g_free (wanted);
  g_free (range);
}

static void
append_default (Page *page, const SimParam *row)
{
  if (row->value && *row->value)
    g_string_append_printf (page->out, "`%s`", row->value);
}

static void
append_help (Page *page, const char *help, const char *source)
{
  append_cell (page, help);
  if (source) {
    g_string_append (page->out, " (");
    append_cell (page, source);
    g_string_append (page->out, ")");
  }
  g_string_append (page->out, " |\n");
}

/* A key that has a section of its own leads there. */
static void
append_key (Page *page, const SimParam *row, gboolean top)
{
  if (top && !param_kind_is_plain (row->kind))
    g_string_append_printf (page->out, "| [`%s`](#%s) | ", row->name, row->name);
  else
    g_string_append_printf (page->out, "| `%s` | ", row->name);
}

static void
append_rows (Page *page, const SimParam *rows)
{
  gboolean top = rows == scenario_rows;

  g_string_append (page->out, "\n| key | value | default | meaning |\n|---|---|---|---|\n");
  for (; rows->name; rows++) {
    append_key (page, rows, top);
    append_value (page, rows);
    g_string_append (page->out, " | ");
    append_default (page, rows);
    g_string_append (page->out, " | ");
    append_help (page, rows->help, rows->source);
  }
}

/* ----- sections ----- */

static void
append_title (Page *page, guint level, const char *title)
{
  g_string_append_printf (page->out, "\n%.*s %s\n", (gint) level, "####", title);
}

static void
append_class (Page *page, const SimClassInfo *klass)
{
  g_string_append_printf (page->out, "\nParameters of `%s`", klass->name);
  if (klass->main_param)
    g_string_append_printf (page->out, " (a plain value sets `%s`)", klass->main_param);
  g_string_append (page->out, ":\n");
  append_rows (page, klass->params);
  for (const SimParam *row = klass->params; row->name; row++)
    if (row->rows) {
      g_string_append_printf (page->out, "\nEach element of `%s.%s`:\n", klass->name, row->name);
      append_rows (page, row->rows);
    }
}

static void
append_classes (Page *page, const SimClassInfo *const *classes)
{
  g_string_append (page->out, "\n| name | meaning |\n|---|---|\n");
  for (guint i = 0; classes[i]; i++) {
    g_string_append_printf (page->out, "| `%s` | ", classes[i]->name);
    append_help (page, classes[i]->help, classes[i]->source);
  }
  for (guint i = 0; classes[i]; i++)
    if (classes[i]->params)
      append_class (page, classes[i]);
}

static void append_struct (Page *page, const SimParam *row, const char *path, guint level);

/* The structs and choices among the rows, each in a section below. */
static void
append_below (Page *page, const SimParam *rows, const char *path, guint level)
{
  for (; rows->name; rows++) {
    char *below = g_strconcat (path, ".", rows->name, NULL);

    if ((rows->kind == SIM_PARAM_GROUP || rows->kind == SIM_PARAM_LIST) && rows->rows) {
      append_struct (page, rows, below, level);
    } else if (rows->kind == SIM_PARAM_CHOICE && !is_printed (page, rows->classes)) {
      g_ptr_array_add (page->printed, (gpointer) rows->classes);
      append_title (page, level, below);
      append_classes (page, rows->classes);
    }
    g_free (below);
  }
}

static void
append_struct (Page *page, const SimParam *row, const char *path, guint level)
{
  append_title (page, level, path);
  g_string_append_printf (page->out, "\n%s\n", row->help);
  if (is_printed (page, row->rows)) {
    g_string_append (page->out, "\nThe keys are those of the other section with this content.\n");
    return;
  }
  g_ptr_array_add (page->printed, (gpointer) row->rows);
  append_rows (page, row->rows);
  append_below (page, row->rows, path, MIN (level + 1, 4));
}

/* ----- profiles ----- */

static void
append_field (Page *page, const SimParam *row, const CmProfile *profile)
{
  const char *field = (const char *) profile + row->offset;

  if (row->kind == SIM_PARAM_BOOL)
    g_string_append (page->out, *(const gboolean *) field ? "true" : "false");
  else if (row->kind == SIM_PARAM_ENUM)
    g_string_append (page->out, row->names[*(const guint *) field]);
  else if (row->kind == SIM_PARAM_UINT)
    g_string_append_printf (page->out, "%u", *(const guint *) field);
  else
    g_assert_not_reached ();
}

/* A profile is its fields: what differs is to be seen side by side. */
static void
append_profiles (Page *page)
{
  g_string_append (page->out,
                   "\n"
                   "## profile\n\n"
                   "`profile: NAME`, or `profile: {base: NAME, ...}` with "
                   "what differs from it. Default: `linux-6.1`.\n");
  g_string_append (page->out, "\n| profile | meaning |\n|---|---|\n");
  for (guint i = 0; cm_profiles[i]; i++) {
    g_string_append_printf (page->out, "| `%s` | ", cm_profiles[i]->name);
    append_help (page, cm_profiles[i]->help, NULL);
  }
  g_string_append (page->out, "\n| key |");
  for (guint i = 0; cm_profiles[i]; i++)
    g_string_append_printf (page->out, " %s |", cm_profiles[i]->name);
  g_string_append (page->out, " meaning |\n|---|");
  for (guint i = 0; cm_profiles[i]; i++)
    g_string_append (page->out, "---|");
  g_string_append (page->out, "---|\n");
  for (const SimParam *row = cm_profile_params; row->name; row++) {
    g_string_append_printf (page->out, "| `%s` | ", row->name);
    for (guint i = 0; cm_profiles[i]; i++) {
      append_field (page, row, cm_profiles[i]);
      g_string_append (page->out, " | ");
    }
    append_help (page, row->help, row->source);
  }
}

/* ----- where options have an effect ----- */

static const char scope_text[] =
    "\n"
    "## Where options have an effect\n\n"
    "Everywhere, but for these. One that is written where it has none is refused if no transport "
    "would heed it there; if only the transport is in the way, a line on standard error says so, "
    "since the same file runs on all of them. Nothing is said if it has an effect in some variant, "
    "or of a value that is the default. `required`: it asks for what the other transports do not "
    "have, and is refused there.\n\n"
    "| option | transports | but not |\n|---|---|---|\n";

static void
append_limits (Page *page, const ScopeRow *row)
{
  static const struct {
    guint fact;
    const char *has, *lacks;
  } facts[] = {
    { SCOPE_UD, "with `ud: true`", NULL },
    { SCOPE_SCRIPT, "with a script", "without a script" },
    { SCOPE_ALONE, "with a script and no `channel`", NULL },
    { SCOPE_RESOLVES, NULL, "with `resolve: false`" },
    { SCOPE_FOLLOWS, NULL, "with a protocol that follows no redirect" },
  };
  const char *comma = "";

  for (guint i = 0; i < G_N_ELEMENTS (facts); i++) {
    const char *text = row->never & facts[i].fact   ? facts[i].has
                       : row->needs & facts[i].fact ? facts[i].lacks
                                                    : NULL;

    if (!text)
      continue;
    g_string_append_printf (page->out, "%s%s", comma, text);
    comma = ", ";
  }
  if (row->messages) {
    g_autofree char *names = scenario_scope_messages (row->messages);
    g_string_append_printf (page->out, "in messages other than %s", names);
  }
}

static void
append_scope (Page *page)
{
  g_string_append (page->out, scope_text);
  for (const ScopeRow *row = scenario_scope_rows; row->path; row++) {
    g_autofree char *names = scenario_scope_transports (row->transports);

    g_string_append_printf (page->out, "| `%s%s%s` | %s%s | ", row->path, row->value ? ": " : "",
                            row->value ? row->value : "", row->transports ? names : "all",
                            row->required ? ", required" : "");
    append_limits (page, row);
    g_string_append (page->out, " |\n");
  }
}

/* ----- metrics ----- */

static void
append_metrics (Page *page)
{
  static const char *const kinds[] = {
    [METRIC_COUNT] = "count",
    [METRIC_TIME] = "time",
    [METRIC_RATIO] = "ratio",
    [METRIC_REAL] = "number",
  };

  g_string_append (page->out, "\n## Metrics\n\n| metric | kind | meaning |\n|---|---|---|\n");
  for (guint i = 0; i < METRIC_N; i++) {
    g_string_append_printf (page->out, "| `%s` | %s | ", metric_infos[i].name,
                            kinds[metric_infos[i].kind]);
    append_help (page, metric_infos[i].help, NULL);
  }
}

/* ----- the page ----- */

static void
append_sections (Page *page)
{
  const SimParam *sm = param_find (scenario_rows, "sm");

  /* The hosts' section holds the keys, the subnet manager's points there. */
  for (const SimParam *row = scenario_rows; row->name; row++) {
    if (!strcmp (row->name, "profile"))
      append_profiles (page);
    else if (row->rows && row != sm)
      append_struct (page, row, row->name, 2);
  }
  append_title (page, 2, sm->name);
  g_string_append_printf (page->out,
                          "\n"
                          "%s The keys are those of a group of `hosts`, without `count`.\n",
                          sm->help);
}

void
reference_print (GString *out)
{
  Page page = { .out = out, .printed = g_ptr_array_new () };

  g_string_append (out, head_text);
  append_title (&page, 2, "Top level");
  append_rows (&page, scenario_rows);
  g_string_append (out, units_text);
  append_sections (&page);
  append_title (&page, 2, "Distributions");
  append_classes (&page, param_dist_classes);
  append_scope (&page);
  g_string_append (out, compare_text);
  g_string_append (out, matrix_text);
  g_string_append (out, expect_text);
  append_metrics (&page);
  g_ptr_array_unref (page.printed);
}

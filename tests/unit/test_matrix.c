/* Parts of the matrix that the shell test does not reach one by one: names of cells, a cell's
 * file, the paragraphs of a claim. */
#include "expect_cell.h"
#include "scenario.h"
#include "verdicts.h"
#include "yaml_write.h"

#include <string.h>

#include "test_sim.h"

START_TEST (cells)
{
  static const struct {
    const char *pattern, *name;
    gboolean matches;
  } rows[] = {
    { "a,b", "a,b", TRUE },     { "a,b", "a,c", FALSE },    { "a,b", "a,b,c", FALSE },
    { "a,b,c", "a,b", FALSE },  { "any,b", "a,b", TRUE },   { "any,b", "a,c", FALSE },
    { "a|c,b", "c,b", TRUE },   { "a|c,b", "b,b", FALSE },  { "s-*,b", "s-1,b", TRUE },
    { "s-*,b", "s,b", FALSE },  { "x|s-*,b", "s-2,b", TRUE }, { "anyone,b", "a,b", FALSE },
    { "a,b", "aa,b", FALSE },   { "aa,b", "a,b", FALSE },   { "drop", "drop", TRUE },
    { "drop", "drops", FALSE },  { "any", "drop", TRUE },    { "a|,b", ",b", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    ck_assert_msg (expect_cell_matches (rows[i].pattern, rows[i].name) == rows[i].matches,
                   "%s, %s", rows[i].pattern, rows[i].name);
}
END_TEST

static YamlNode *
parse (Arena *arena, const char *text)
{
  static const YamlPlace place = { .file = "test", .line = 1, .column = 1 };
  GError *error = NULL;
  YamlNode *node = yaml_tree_parse (arena, &place, text, strlen (text), &error);

  ck_assert_msg (node != NULL, "%s", error ? error->message : "");
  return node;
}

static gboolean
same (const YamlNode *a, const YamlNode *b)
{
  if (a->kind != b->kind || a->n != b->n)
    return FALSE;
  if (a->kind == YAML_TREE_SCALAR)
    return yaml_node_is_null (a) ? yaml_node_is_null (b)
                                 : a->plain == b->plain && strcmp (a->text, b->text) == 0;
  for (guint i = 0; i < a->n; i++)
    if (!same (a->items[i], b->items[i])
        || (a->kind == YAML_TREE_MAPPING && !same (a->keys[i], b->keys[i])))
      return FALSE;
  return TRUE;
}

/* What is read from what was written is the same tree. */
START_TEST (written)
{
  static const char *const texts[] = {
    "a: 1\nb: {c: [1, 2, {d: e, f: {}}], g: []}\n",
    "a: \"x: y # z\"\n'b c': 'it''s \"so\"'\nc: \"1\"\nd:\ne: ~\n",
    "a: |\n  two\n  lines\t.\nb: >\n  folded\n  text\n",
    "- ignored\n- {x: &n {y: 5us}, z: *n}\n",
    "a: [[1, 2], [3, [4]], {b: [5]}]\nc: \"\\\\ back\"\nd: \303\251\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (Arena) arena = arena_new ();
    YamlNode *tree = parse (arena, texts[i]);
    GString *out = g_string_new (NULL);

    yaml_write (out, tree, 0);
    ck_assert_msg (same (tree, parse (arena, out->str)), "%s", out->str);
    g_string_free (out, TRUE);
  }
}
END_TEST

static const char matrix[] =
    "cmsim: 1\nquestion: q\nhosts: {s: 1, c: 2}\n"
    "listeners: [{on: s, service: 1}]\n"
    "connects: [{from: c, to: \"s:1\"}]\n"
    "matrix:\n"
    "  limit: {set: listeners.0.backlog.limit, to: [1, 2]}\n"
    "  full:\n"
    "    r: {listeners.0.backlog.full: {reject: 5}, listeners.0.backlog.limit: 9}\n"
    "    d: {listeners.0.backlog.full: drop}\n"
    "expect: [\"any,d: failed == 0\", \"2,any: established == 2\", end < 9s]\n";

/* Row by row, later axes prevail, and a cell's file is that cell. */
START_TEST (product)
{
  static const char *const names[] = { "1,r", "1,d", "2,r", "2,d" };
  static const guint limits[] = { 9, 1, 9, 2 }, lines[] = { 1, 2, 2, 3 };
  GError *error = NULL;
  Scenario *scenario =
      scenario_load_buffer ("m.yaml", matrix, strlen (matrix), NULL, 0, &error);

  ck_assert_msg (scenario != NULL, "%s", error ? error->message : "");
  ck_assert_uint_eq (scenario->variants->len, 4);
  for (guint i = 0; i < 4; i++) {
    const ScenarioVariant *cell = g_ptr_array_index (scenario->variants, i);
    Scenario *alone =
        scenario_load_buffer ("c.yaml", cell->yaml, strlen (cell->yaml), NULL, 0, &error);
    const ScenarioVariant *variant;

    ck_assert_str_eq (cell->name, names[i]);
    ck_assert_uint_eq (cell->at[0], i / 2);
    ck_assert_uint_eq (cell->at[1], i % 2);
    ck_assert_msg (alone != NULL, "%s", error ? error->message : "");
    variant = g_ptr_array_index (alone->variants, 0);
    ck_assert_uint_eq (
        g_array_index (variant->model.listeners, ListenerParams, 0).backlog.limit, limits[i]);
    ck_assert_uint_eq (alone->expects->len, lines[i]);
    ck_assert_uint_eq (alone->n_axes, 0);
    scenario_free (alone);
  }
  scenario_free (scenario);
}
END_TEST

START_TEST (paragraphs)
{
  static const char yaml[] = "# Claim: it\n# does.\n#\n# Verdict: no.\n#\n# More.\ncmsim: 1\n"
                             "# Late: x\n";
  g_autofree char *claim = verdicts_paragraph (yaml, "Claim:");
  g_autofree char *verdict = verdicts_paragraph (yaml, "Verdict:");

  ck_assert_str_eq (claim, "it does.");
  ck_assert_str_eq (verdict, "no.");
  ck_assert_ptr_null (verdicts_paragraph (yaml, "Late:"));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("matrix");
  TCase *tcase = tcase_create ("matrix");

  tcase_add_test (tcase, cells);
  tcase_add_test (tcase, written);
  tcase_add_test (tcase, product);
  tcase_add_test (tcase, paragraphs);
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}

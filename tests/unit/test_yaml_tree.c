/* The tree: what it holds and where, what it refuses, and edits that share nodes. */
#include "yaml_tree.h"

#include <string.h>

#include "test_sim.h"
#include "yaml_edit.h"

static const YamlPlace start = { .file = "t" };

static YamlNode *
parse (Arena *arena, const char *text)
{
  GError *error = NULL;
  YamlNode *node = yaml_tree_parse (arena, &start, text, strlen (text), &error);

  ck_assert_msg (node != NULL, "%s", error ? error->message : "");
  return node;
}

START_TEST (shapes)
{
  g_autoptr (Arena) arena = arena_new ();
  YamlNode *root = parse (arena, "# comment\nname: x\nlist:\n  - 1\n  - {a: \"b\"}\nempty:\n");
  const YamlNode *list = yaml_node_get (root, "list"), *node;

  ck_assert_int_eq (root->kind, YAML_TREE_MAPPING);
  ck_assert_uint_eq (root->n, 3);
  ck_assert_str_eq (yaml_node_get (root, "name")->text, "x");
  ck_assert_ptr_null (yaml_node_get (root, "nam"));
  ck_assert_ptr_null (yaml_node_get (list, "name"));
  ck_assert_int_eq (list->kind, YAML_TREE_SEQUENCE);
  ck_assert_uint_eq (list->n, 2);
  node = yaml_node_at (root, "list.1.a");
  ck_assert_str_eq (node->text, "b");
  ck_assert_int_eq (node->plain, FALSE);
  ck_assert_uint_eq (node->place.line, 5);
  ck_assert_uint_eq (node->place.column, 9);
  ck_assert_uint_eq (yaml_node_key (root, "list")->place.line, 3);
  /* As far as the path goes. */
  ck_assert_ptr_eq (yaml_node_at (root, "list.2.a"), list);
  ck_assert_ptr_eq (yaml_node_at (root, "nothing"), root);
  ck_assert (yaml_node_is_null (yaml_node_get (root, "empty")));
  ck_assert_str_eq (yaml_node_describe (yaml_node_get (root, "empty")), "nothing");
  /* 1 + 3 keys + x + list + 1 + {} + a + b + empty */
  ck_assert_uint_eq (root->nodes, 11);
  ck_assert_uint_eq (root->depth, 4);
}
END_TEST

START_TEST (texts)
{
  g_autoptr (Arena) arena = arena_new ();
  YamlNode *root =
      parse (arena, "\357\273\277a: gr\303\274n\r\nb: '~'\nc: ~\nd: |\n  two\n  lines\n");

  ck_assert_str_eq (yaml_node_get (root, "a")->text, "gr\303\274n");
  ck_assert (!yaml_node_is_null (yaml_node_get (root, "b")));
  ck_assert (yaml_node_is_null (yaml_node_get (root, "c")));
  ck_assert_str_eq (yaml_node_get (root, "d")->text, "two\nlines\n");
}
END_TEST

START_TEST (aliases)
{
  g_autoptr (Arena) arena = arena_new ();
  YamlNode *root = parse (arena, "a: &x {p: 1}\nb: *x\nc: [*x, *x]\n");

  ck_assert_ptr_eq (yaml_node_get (root, "a"), yaml_node_get (root, "b"));
  /* 1 + 3 keys + 4 times {p: 1} + [] */
  ck_assert_uint_eq (root->nodes, 1 + 3 + 4 * 3 + 1);
}
END_TEST

START_TEST (refused)
{
  static const struct {
    const char *text;
    const char *message; /* begins with */
  } cases[] = {
    { "", "t:1:1: empty" },
    { "\n# only a comment\n", "t:1:1: empty" },
    { "---\n", "t:2:1:" }, /* an empty document is nothing, found by the reader */
    { "a: 1\na: 2\n", "t:2:1: the key \"a\" is there twice, first on line 1" },
    { "a: {b: 1, c: 2, b: 3}", "t:1:17: the key \"b\"" },
    { "? [x]\n: 1\n", "t:1:3: a list as a key" },
    { "<<: {a: 1}", "t:1:1: the merge key <<" },
    { "a: !!str x", "t:1:4: the tag \"tag:yaml.org,2002:str\"" },
    { "a: !mine x", "t:1:4: the tag \"!mine\"" },
    { "a: *x", "t:1:4: no anchor \"x\"" },
    { "a: &x [1, *x]", "t:1:11: the anchor \"x\" contains itself" },
    { "a: 1\n---\nb: 2\n", "t:2:1: a second document" },
    /* libyaml puts the end of the text on a line of its own. */
    { "a: [1, 2", "t:2:1: not valid YAML: did not find expected ',' or ']'" },
    { "a:\n\t- 1\n", "t:2:1: not valid YAML: found character that cannot start any token; indent "
                     "with spaces, not tabs" },
    { "a: b: c", "t:1:5: not valid YAML: mapping values are not allowed in this context; text that "
                 "contains \": \" needs quotes" },
    { "a: \"x", "t:1:6: not valid YAML: found unexpected end of stream" },
    { "a: x\nb: \377", "t:2:4: the byte 0xff is not UTF-8" },
    { "a: \355\240\200", "t:1:4: the byte 0xed is not UTF-8" },
    { "a: \033[0m", "t:1:4: the control character U+001B" },
    { "gr\303\274n: \001", "t:1:7: the control character U+0001" },
    { "a: \302\205\357\277\276", "t:1:5:" },
    { "a: \"\\0\"", "t:1:4: text with a NUL character" },
    { "\377\376a\n", "t:1:1: UTF-16" },
    { "%YAML 9.9\n---\na: 1\n", "t:1:1: not valid YAML:" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Arena) arena = arena_new ();
    g_autoptr (GError) error = NULL;
    YamlNode *node = yaml_tree_parse (arena, &start, cases[i].text, strlen (cases[i].text), &error);

    if (i == 2) {
      ck_assert (yaml_node_is_null (node));
      continue;
    }
    ck_assert_ptr_null (node);
    ck_assert_msg (g_str_has_prefix (error->message, cases[i].message), "%u: %s", i,
                   error->message);
    ck_assert_ptr_null (strchr (error->message, '\n'));
  }
}
END_TEST

START_TEST (nul)
{
  g_autoptr (Arena) arena = arena_new ();
  g_autoptr (GError) error = NULL;

  ck_assert_ptr_null (yaml_tree_parse (arena, &start, "a: 1\0b", 6, &error));
  ck_assert_str_eq (error->message, "t:1:5: a NUL byte; a scenario is UTF-8 text");
}
END_TEST

/* n levels of lists around nothing. */
static char *
nested (guint n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_c (text, '[');
  for (guint i = 0; i < n; i++)
    g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

START_TEST (depth)
{
  g_autoptr (Arena) arena = arena_new ();
  g_autoptr (GError) error = NULL;
  char *good = nested (YAML_TREE_DEPTH_MAX), *bad = nested (YAML_TREE_DEPTH_MAX + 1), *shared;

  ck_assert_uint_eq (parse (arena, good)->depth, YAML_TREE_DEPTH_MAX);
  ck_assert_ptr_null (yaml_tree_parse (arena, &start, bad, strlen (bad), &error));
  ck_assert_str_eq (error->message, "t:1:65: nested too deeply; at most 64 levels");
  /* An alias counts with the levels below it: 40 below 1 + 40. */
  g_clear_error (&error);
  g_free (good);
  good = nested (40);
  shared = g_strdup_printf ("- &a %s\n- %.30s*a%.30s\n", good, good, good + 50);
  ck_assert_ptr_null (yaml_tree_parse (arena, &start, shared, strlen (shared), &error));
  ck_assert_ptr_nonnull (strstr (error->message, "nested too deeply"));
  g_free (good);
  g_free (bad);
  g_free (shared);
}
END_TEST

START_TEST (budget)
{
  g_autoptr (Arena) arena = arena_new ();
  g_autoptr (GError) error = NULL;
  GString *text = g_string_new ("- &a0 [x, x, x, x, x, x, x, x, x, x]\n");

  /* 10^9 scalars in ten lines. */
  for (guint i = 1; i < 9; i++) {
    g_string_append_printf (text, "- &a%u [", i);
    for (guint k = 0; k < 10; k++)
      g_string_append_printf (text, "%s*a%u", k > 0 ? ", " : "", i - 1);
    g_string_append (text, "]\n");
  }
  ck_assert_ptr_null (yaml_tree_parse (arena, &start, text->str, text->len, &error));
  ck_assert_ptr_nonnull (strstr (error->message, "too large: more than 100000 values"));
  g_string_free (text, TRUE);

  /* The same number without aliases: the list and 99 999 elements pass, one more does not. */
  text = g_string_new ("[");
  for (guint i = 0; i < YAML_TREE_NODES_MAX - 1; i++)
    g_string_append (text, "x,");
  g_string_append (text, "]");
  ck_assert_uint_eq (parse (arena, text->str)->nodes, YAML_TREE_NODES_MAX);
  g_clear_error (&error);
  g_string_insert (text, 1, "x,");
  ck_assert_ptr_null (yaml_tree_parse (arena, &start, text->str, text->len, &error));
  ck_assert_ptr_nonnull (strstr (error->message, "too large"));
  g_string_free (text, TRUE);
}
END_TEST

START_TEST (edits)
{
  g_autoptr (Arena) arena = arena_new ();
  YamlNode *root = parse (arena, "a: &x {p: 1}\nb: *x\n"), *changed, *a;
  YamlNode *value = parse (arena, "2");

  changed = yaml_edit_own (arena, root, 1);
  ck_assert_ptr_ne (changed, root);
  ck_assert_ptr_eq (yaml_edit_own (arena, changed, 1), changed);
  a = yaml_edit_own (arena, yaml_node_get (changed, "a"), 1);
  yaml_edit_put (arena, a, "p", &start, value);
  for (guint i = 0; i < 100; i++) {
    char *key = g_strdup_printf ("k%u", i);

    yaml_edit_put (arena, a, key, &start, value);
    g_free (key);
  }
  yaml_edit_put (arena, changed, "a", &start, a);
  ck_assert_str_eq (yaml_node_at (changed, "a.p")->text, "2");
  ck_assert_str_eq (yaml_node_at (changed, "a.k99")->text, "2");
  ck_assert_uint_eq (yaml_node_get (changed, "a")->n, 101);
  /* Neither the old tree nor the other user of the anchor has changed. */
  ck_assert_str_eq (yaml_node_at (root, "a.p")->text, "1");
  ck_assert_str_eq (yaml_node_at (changed, "b.p")->text, "1");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("yaml_tree");
  TCase *tcase = tcase_create ("yaml_tree");

  tcase_add_test (tcase, shapes);
  tcase_add_test (tcase, texts);
  tcase_add_test (tcase, aliases);
  tcase_add_test (tcase, refused);
  tcase_add_test (tcase, nul);
  tcase_add_test (tcase, depth);
  tcase_add_test (tcase, budget);
  tcase_add_test (tcase, edits);
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}

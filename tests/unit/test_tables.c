/* Every row of every table of policies and protocols: a name of its own, help, a source, and
 * a scenario or a test that uses it. */
#include <string.h>

#include "backlog.h"
#include "retry.h"
#include "test_sim.h"
#include "ulp.h"

/* All published scenarios and the tests of the rows, in one text. */
static char *corpus;

static void
append_file (GString *text, const char *path)
{
  g_autofree char *data = NULL;
  gsize length;

  ck_assert_msg (g_file_get_contents (path, &data, &length, NULL), "%s", path);
  g_string_append_len (text, data, (gssize) length);
}

static void
append_folder (GString *text, const char *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  ck_assert_msg (dir != NULL, "%s", folder);
  while ((name = g_dir_read_name (dir))) {
    g_autofree char *path = g_build_filename (folder, name, NULL);

    if (g_file_test (path, G_FILE_TEST_IS_DIR))
      append_folder (text, path);
    else if (g_str_has_suffix (name, ".yaml"))
      append_file (text, path);
  }
  g_dir_close (dir);
}

static void
setup (void)
{
  GString *text = g_string_new (NULL);

  append_folder (text, SOURCE_ROOT "/scenarios");
  append_file (text, SOURCE_ROOT "/tests/unit/test_ulp.c");
  append_file (text, SOURCE_ROOT "/tests/unit/test_retry.c");
  corpus = g_string_free (text, FALSE);
}

static void
teardown (void)
{
  g_clear_pointer (&corpus, g_free);
}

static gboolean
part_of_name (char c)
{
  return g_ascii_isalnum (c) || c == '-' || c == '_' || c == '.';
}

/* As a word: "sdp" is not used by "sdp-mlnx". */
static gboolean
is_used (const char *name)
{
  gsize length = strlen (name);

  for (const char *at = corpus; (at = strstr (at, name)); at++)
    if ((at == corpus || !part_of_name (at[-1])) && !part_of_name (at[length]))
      return TRUE;
  return FALSE;
}

static void
check_table (const char *table, const SimClassInfo *const *classes)
{
  guint n = 0;

  for (; classes[n]; n++) {
    const SimClassInfo *info = classes[n];

    for (guint i = 0; i < n; i++)
      ck_assert_msg (strcmp (classes[i]->name, info->name) != 0, "%s: two rows %s", table,
                     info->name);
    ck_assert_msg (info->help && strlen (info->help) > 20 && g_str_has_suffix (info->help, "."),
                   "%s: help of %s", table, info->name);
    ck_assert_msg (info->source && strlen (info->source) > 5, "%s: source of %s", table,
                   info->name);
    ck_assert_msg (is_used (info->name), "%s: nothing uses %s", table, info->name);
    for (const SimParam *row = info->params; row && row->name; row++)
      ck_assert_msg (row->help && g_str_has_suffix (row->help, "."), "%s: help of %s.%s", table,
                     info->name, row->name);
  }
  ck_assert_uint_gt (n, 2);
}

START_TEST (ulps)
{
  check_table ("ulps", ulp_classes);
}
END_TEST

START_TEST (retries)
{
  check_table ("retries", retry_classes);
}
END_TEST

START_TEST (policies)
{
  check_table ("policies", backlog_classes);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("tables");
  TCase *tcase = tcase_create ("tables");

  tcase_add_checked_fixture (tcase, setup, teardown);
  tcase_add_test (tcase, ulps);
  tcase_add_test (tcase, retries);
  tcase_add_test (tcase, policies);
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}

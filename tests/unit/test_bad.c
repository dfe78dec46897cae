/* Bad scenarios: each file of tests/bad has beside it the one line it must give.
 *
 * test_bad --update FOLDER writes the lines anew, to be read before they are kept. */
#include "scenario.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "test_sim.h"

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* In order of name. */
static GPtrArray *
list_files (void)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  GDir *dir = g_dir_open (".", 0, NULL);
  const char *name;

  g_assert (dir);
  while ((name = g_dir_read_name (dir)))
    if (g_str_has_suffix (name, ".yaml"))
      g_ptr_array_add (names, g_strdup (name));
  g_dir_close (dir);
  g_ptr_array_sort (names, compare_names);
  return names;
}

/* What loading says, with a newline. (transfer full) */
static char *
message_of (const char *name)
{
  g_autoptr (GError) error = NULL;
  Scenario *scenario = scenario_load (name, NULL, 0, &error);

  if (!scenario)
    return g_strconcat (error->message, "\n", NULL);
  scenario_free (scenario);
  return g_strdup ("taken for good\n");
}

static char *
wanted_file (const char *name)
{
  return g_strdup_printf ("%.*s.err", (int) (strlen (name) - strlen (".yaml")), name);
}

static guint
check_folder (const char *folder)
{
  g_autoptr (GPtrArray) names = NULL;

  ck_assert_int_eq (chdir (folder), 0);
  names = list_files ();
  for (guint i = 0; i < names->len; i++) {
    const char *name = g_ptr_array_index (names, i);
    g_autofree char *message = message_of (name);
    g_autofree char *file = wanted_file (name);
    g_autofree char *wanted = NULL;

    ck_assert_msg (g_file_get_contents (file, &wanted, NULL, NULL), "no %s", file);
    ck_assert_str_eq (message, wanted);
    ck_assert_ptr_eq (strchr (message, '\n'), message + strlen (message) - 1);
    ck_assert_str_ne (message, "taken for good\n");
  }
  return names->len;
}

START_TEST (corpus)
{
  ck_assert_uint_ge (check_folder (SOURCE_ROOT "/tests/bad"), 120);
}
END_TEST

START_TEST (trace_corpus)
{
  ck_assert_uint_ge (check_folder (SOURCE_ROOT "/tests/bad/trace"), 10);
}
END_TEST

static int
update (const char *folder)
{
  g_autoptr (GPtrArray) names = NULL;

  if (chdir (folder))
    return 2;
  names = list_files ();
  for (guint i = 0; i < names->len; i++) {
    const char *name = g_ptr_array_index (names, i);
    g_autofree char *message = message_of (name);
    g_autofree char *file = wanted_file (name);

    fputs (message, stdout);
    if (!g_file_set_contents (file, message, -1, NULL))
      return 2;
  }
  return 0;
}

int
main (int argc, char **argv)
{
  Suite *suite;
  TCase *tcase;

  if (argc == 3 && !strcmp (argv[1], "--update"))
    return update (argv[2]);
  suite = suite_create ("bad");
  tcase = tcase_create ("bad");
  tcase_add_test (tcase, corpus);
  tcase_add_test (tcase, trace_corpus);
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}

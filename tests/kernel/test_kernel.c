/* Every scenario of scenarios/kernel against the capture it reproduces.
 *
 * test_kernel            runs the tests; exit code 77 when the captures are not there
 * test_kernel --markdown prints the table of docs/validation.md
 * test_kernel NAME       prints the comparison of one experiment */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment.h"

enum { EXIT_SKIPPED = 77 };

static const char scenarios[] = KERNEL_SOURCE_DIR "/scenarios/kernel";
static const char validation[] = KERNEL_SOURCE_DIR "/docs/validation.md";

/* (transfer full) CMSIM_SHARED/captures, or shared/captures beside the source tree. */
static char *
captures_folder (void)
{
  const char *shared = g_getenv ("CMSIM_SHARED");

  return shared ? g_build_filename (shared, "captures", NULL)
                : g_build_filename (KERNEL_SOURCE_DIR, "..", "shared", "captures", NULL);
}

static KernelReport *
run (const KernelExperiment *experiment)
{
  g_autofree char *captures = captures_folder ();
  GError *error = NULL;
  KernelReport *report
      = kernel_experiment_run (experiment, captures, scenarios, NULL, &error);

  ck_assert_msg (report != NULL, "%s", error ? error->message : experiment->name);
  return report;
}

START_TEST (test_experiment)
{
  const KernelExperiment *experiment = &kernel_experiments[_i];
  g_autoptr (KernelReport) report = run (experiment);

  ck_assert_msg (report->differences->len == 0, "%s:\n%s", experiment->name,
                 report->differences->str);
  ck_assert_uint_gt (report->mads[0], 0);
}
END_TEST

/* Every scenario of the folder is on the list, and the other way round. */
START_TEST (test_list_is_complete)
{
  GDir *folder = g_dir_open (scenarios, 0, NULL);
  guint files = 0, rows = 0;

  ck_assert_ptr_nonnull (folder);
  for (const char *name; (name = g_dir_read_name (folder));) {
    if (!g_str_has_suffix (name, ".yaml"))
      continue;
    gboolean found = FALSE;
    files++;
    for (const KernelExperiment *e = kernel_experiments; e->name && !found; e++)
      found = strlen (e->name) + strlen (".yaml") == strlen (name)
              && g_str_has_prefix (name, e->name);
    ck_assert_msg (found, "%s is not on the list", name);
  }
  g_dir_close (folder);
  while (kernel_experiments[rows].name)
    rows++;
  ck_assert_uint_eq (files, rows);
}
END_TEST

/* docs/validation.md holds the table of now. */
START_TEST (test_document)
{
  static const char begin[] = "<!-- table -->\n", end[] = "<!-- end of table -->\n";
  g_autofree char *captures = captures_folder ();
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *table = kernel_experiments_table (captures, scenarios, &error);

  ck_assert_msg (table != NULL, "%s", error ? error->message : "no table");
  ck_assert_msg (g_file_get_contents (validation, &text, NULL, &error), "%s",
                 error ? error->message : validation);
  char *from = strstr (text, begin), *to = strstr (text, end);
  ck_assert_msg (from && to && from < to, "%s: the marks of the table are missing", validation);
  from += strlen (begin);
  *to = '\0';
  ck_assert_msg (g_str_equal (from, table),
                 "%s: the table is not what `test_kernel --markdown` prints", validation);
}
END_TEST

static int
run_tests (void)
{
  Suite *suite = suite_create ("kernel captures");
  TCase *tcase = tcase_create ("experiments");
  SRunner *runner = srunner_create (suite);
  int rows = 0, failed;

  while (kernel_experiments[rows].name)
    rows++;
  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 300);
  tcase_add_loop_test (tcase, test_experiment, 0, rows);
  tcase_add_test (tcase, test_list_is_complete);
  tcase_add_test (tcase, test_document);
  srunner_run_all (runner, CK_NORMAL);
  failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int
print_table (const char *captures)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *table = kernel_experiments_table (captures, scenarios, &error);

  if (!table) {
    fprintf (stderr, "%s\n", error->message);
    return EXIT_FAILURE;
  }
  fputs (table, stdout);
  return EXIT_SUCCESS;
}

static int
print_experiment (const char *captures, const char *name)
{
  const KernelExperiment *experiment = kernel_experiments;
  g_autoptr (GError) error = NULL;
  KernelWheels wheels;

  while (experiment->name && !g_str_equal (experiment->name, name))
    experiment++;
  if (!experiment->name) {
    fprintf (stderr, "no experiment is called %s\n", name);
    return EXIT_FAILURE;
  }
  g_autoptr (KernelReport) report
      = kernel_experiment_run (experiment, captures, scenarios, &wheels, &error);
  if (!report) {
    fprintf (stderr, "%s\n", error->message);
    return EXIT_FAILURE;
  }
  printf ("%s: messages %u and %u, events %u and %u, %u timers, largest difference %.1f ms (%s)\n",
          name, report->mads[0], report->mads[1], report->events[0], report->events[1],
          report->timers, (double) report->worst / 1e6, report->worst_name);
  for (guint side = 0; side < KERNEL_SIDES; side++)
    if (wheels.phases.phase[side] != SIM_TIME_NEVER)
      printf ("timer_phase of %c: %g ms\n", kernel_side_letter (side),
              (double) wheels.phases.phase[side] / 1e6);
  fputs (report->differences->str, stdout);
  return report->differences->len == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int
main (int argc, char **argv)
{
  g_autofree char *captures = captures_folder ();

  if (!g_file_test (captures, G_FILE_TEST_IS_DIR)) {
    fprintf (stderr,
             "skipped: no captures in %s; set CMSIM_SHARED to the folder that holds captures/\n",
             captures);
    return EXIT_SKIPPED;
  }
  if (argc == 2)
    return g_str_equal (argv[1], "--markdown") ? print_table (captures)
                                               : print_experiment (captures, argv[1]);
  return run_tests ();
}

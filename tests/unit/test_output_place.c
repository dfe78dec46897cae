/* Where results go: whole or not at all, and over nothing that is not theirs. */
#include <sys/resource.h>
#include <sys/stat.h>

#include "test_output.h"

START_TEST (replaces_results)
{
  Fixture *fixture = fixture_new ();
  g_autofree char *parent = g_path_get_dirname (fixture->dir);
  g_autofree char *names = NULL, *left = NULL;
  GStatBuf info;

  write_results (fixture, TRUE);
  write_results (fixture, FALSE); /* pictures of before must not stay */
  left = listing (fixture->dir);
  ck_assert_ptr_null (strstr (left, ".png"));
  names = listing (parent);
  ck_assert_str_eq (names, "fake ");
  ck_assert_int_eq (g_stat (fixture->dir, &info), 0);
  ck_assert_msg ((info.st_mode & 0700) == 0700 && (info.st_mode & 0777 & ~0755) == 0
                     && ((info.st_mode & 0055) != 0 || (umask (0) & 0055) != 0),
                 "mode %o", info.st_mode);
  fixture_free (fixture);
}
END_TEST

START_TEST (spares_what_is_not_its_own)
{
  Fixture *fixture = fixture_new ();
  g_autofree char *notes = g_build_filename (fixture->dir, "notes.txt", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *names = NULL;
  char *warning;

  write_results (fixture, FALSE);
  ck_assert (g_file_set_contents (notes, "precious", -1, NULL));
  ck_assert (!output_check (fixture->dir, &error));
  ck_assert (g_error_matches (error, OUTPUT_ERROR, OUTPUT_ERROR_WRITE));
  ck_assert_ptr_nonnull (strstr (error->message, "notes.txt"));
  g_clear_error (&error);
  ck_assert (!output_write (&fixture->run, fixture->dir, FALSE, &warning, &error));
  names = listing (fixture->dir);
  ck_assert_ptr_nonnull (strstr (names, "notes.txt"));
  ck_assert_ptr_nonnull (strstr (names, "summary.json"));
  fixture_free (fixture);
}
END_TEST

START_TEST (a_file_in_the_way)
{
  Fixture *fixture = fixture_new ();
  g_autofree char *file = g_build_filename (fixture->place, "file", NULL);
  g_autofree char *below = g_build_filename (file, "results", NULL);
  g_autofree char *after = NULL;
  const char *dirs[] = { file, below, "/proc/cmsim-test" };

  ck_assert (g_file_set_contents (file, "precious", -1, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (dirs); i++) {
    g_autoptr (GError) error = NULL;

    ck_assert (!output_check (dirs[i], &error));
    ck_assert_msg (g_error_matches (error, OUTPUT_ERROR, OUTPUT_ERROR_WRITE), "%s", dirs[i]);
    ck_assert_ptr_nonnull (strstr (error->message, dirs[i]));
    ck_assert_ptr_null (strchr (error->message, '\n'));
  }
  ck_assert (g_file_get_contents (file, &after, NULL, NULL));
  ck_assert_str_eq (after, "precious");
  fixture_free (fixture);
}
END_TEST

/* Room for so many bytes a file: each of the files in turn is the first too large. */
START_TEST (no_room)
{
  Fixture *fixture = fixture_new ();
  g_autofree char *parent = g_path_get_dirname (fixture->dir);
  g_autofree char *old_summary = NULL;
  struct rlimit before, small;
  guint refused = 0;

  write_results (fixture, FALSE);
  old_summary = content (fixture, "summary.json");
  fixture->scenario.question = "Another one";
  signal (SIGXFSZ, SIG_IGN);
  ck_assert_int_eq (getrlimit (RLIMIT_FSIZE, &before), 0);
  for (guint size = 0; size < 4096; size += 128) {
    g_autoptr (GError) error = NULL;
    g_autofree char *names = NULL, *summary = NULL;
    char *warning;
    gboolean written;

    small = (struct rlimit){ size, before.rlim_max };
    ck_assert_int_eq (setrlimit (RLIMIT_FSIZE, &small), 0);
    written = output_write (&fixture->run, fixture->dir, FALSE, &warning, &error);
    ck_assert_int_eq (setrlimit (RLIMIT_FSIZE, &before), 0);
    ck_assert (!written);
    ck_assert (g_error_matches (error, OUTPUT_ERROR, OUTPUT_ERROR_FULL));
    ck_assert_ptr_nonnull (strstr (error->message, fixture->dir));
    ck_assert_ptr_null (strchr (error->message, '\n'));
    names = listing (parent);
    ck_assert_str_eq (names, "fake ");
    summary = content (fixture, "summary.json");
    ck_assert_str_eq (summary, old_summary);
    refused++;
  }
  ck_assert_uint_eq (refused, 32);
  fixture_free (fixture);
}
END_TEST

/* Room for all files but the pictures: gnuplot does not complain, cmsim does. */
START_TEST (no_room_for_pictures)
{
  Fixture *fixture = fixture_new ();
  g_autofree char *parent = g_path_get_dirname (fixture->dir);
  g_autofree char *bin = g_dir_make_tmp ("cmsim-test-XXXXXX", NULL);
  g_autofree char *small = g_build_filename (bin, "gnuplot", NULL);
  g_autofree char *real = g_find_program_in_path ("gnuplot");
  g_autofree char *path = g_strdup_printf ("%s:%s", bin, g_getenv ("PATH"));
  g_autofree char *script = NULL, *names = NULL;
  g_autoptr (GError) error = NULL;
  char *warning;

  ck_assert_ptr_nonnull (real);
  /* Four blocks of 512 bytes; signal 25 or so would end it. */
  script = g_strdup_printf ("#!/bin/sh\ntrap '' XFSZ\nulimit -f 4\nexec %s \"$@\"\n", real);
  ck_assert (g_file_set_contents_full (small, script, -1, G_FILE_SET_CONTENTS_NONE, 0755, NULL));
  write_results (fixture, FALSE);
  g_setenv ("PATH", path, TRUE);
  ck_assert (!output_write (&fixture->run, fixture->dir, TRUE, &warning, &error));
  ck_assert (g_error_matches (error, OUTPUT_ERROR, OUTPUT_ERROR_FULL));
  names = listing (parent);
  ck_assert_str_eq (names, "fake ");
  g_unlink (small);
  g_rmdir (bin);
  fixture_free (fixture);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("output_place");
  TCase *tcase = tcase_create ("output_place");

  tcase_add_test (tcase, replaces_results);
  tcase_add_test (tcase, spares_what_is_not_its_own);
  tcase_add_test (tcase, a_file_in_the_way);
  tcase_add_test (tcase, no_room);
  tcase_add_test (tcase, no_room_for_pictures);
  tcase_set_timeout (tcase, 120);
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}

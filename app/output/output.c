/* The results directory: written beside its place under another name, then put
 * there, so that there is never half of one.  A directory that is replaced is
 * emptied of the files a run writes and of nothing else. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <unistd.h>

#include "figure.h"
#include "matrix.h"
#include "output_file.h"

static const char *const figure_suffixes[] = { "dat", "gp", "svg", "png" };

const char *
output_variant_name (const OutputRun *run, guint v)
{
  return ((const ScenarioVariant *) g_ptr_array_index (run->scenario->variants, v))->name;
}

gboolean
output_applies (OutputOf of, const OutputRun *run)
{
  switch (of) {
  case OUTPUT_OF_ALL:
    return TRUE;
  case OUTPUT_OF_VARIANTS:
    return run->scenario->n_axes == 0;
  case OUTPUT_OF_MATRIX:
    return run->scenario->n_axes > 0;
  }
  g_assert_not_reached ();
}

gboolean
output_knows_file (const char *name)
{
  if (g_str_equal (name, MATRIX_CELLS_DIR))
    return TRUE;
  for (guint i = 0; output_writers[i]; i++)
    if (g_str_equal (name, output_writers[i]->name))
      return TRUE;
  for (guint i = 0; figures[i]; i++)
    for (guint k = 0; k < G_N_ELEMENTS (figure_suffixes); k++) {
      g_autofree char *file = g_strconcat (figures[i]->name, ".", figure_suffixes[k], NULL);

      if (g_str_equal (name, file))
        return TRUE;
    }
  return FALSE;
}

/* Removes a directory and the files in it that a run writes. */
static void
remove_results (const char *dir)
{
  g_autoptr (GDir) entries = g_dir_open (dir, 0, NULL);
  const char *name;

  while (entries && (name = g_dir_read_name (entries)))
    if (output_knows_file (name)) {
      g_autofree char *path = g_build_filename (dir, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        matrix_cells_remove (path);
      else
        g_unlink (path);
    }
  g_rmdir (dir);
}

static gboolean
knows (const char *dir, const char *name)
{
  g_autofree char *path = g_build_filename (dir, name, NULL);

  return output_knows_file (name) &&
         (!g_str_equal (name, MATRIX_CELLS_DIR) || matrix_cells_known (path));
}

/* TRUE if nothing is there, or a directory with nothing but what a run writes. */
static gboolean
may_replace (const char *dir, GError **error)
{
  g_autoptr (GDir) entries = NULL;
  const char *name;

  if (!g_file_test (dir, G_FILE_TEST_IS_SYMLINK) && g_access (dir, F_OK) != 0 && errno == ENOENT)
    return TRUE;
  if (!g_file_test (dir, G_FILE_TEST_IS_DIR) || g_file_test (dir, G_FILE_TEST_IS_SYMLINK)) {
    int code = g_access (dir, F_OK) != 0 && errno != ENOENT ? errno : ENOTDIR;

    output_error_set (error, code, "write results to", dir);
    return FALSE;
  }
  entries = g_dir_open (dir, 0, error);
  if (!entries)
    return FALSE;
  while ((name = g_dir_read_name (entries)))
    if (!knows (dir, name)) {
      g_set_error (error, OUTPUT_ERROR, OUTPUT_ERROR_WRITE,
                   "cannot replace %s: it holds %s, which is not a result of cmsim; move that "
                   "away or choose another place with --output",
                   dir, name);
      return FALSE;
    }
  return TRUE;
}

/* A new directory beside `dir`. */
static char *
make_sibling (const char *dir, GError **error)
{
  g_autofree char *absolute = g_canonicalize_filename (dir, NULL);
  g_autofree char *parent = g_path_get_dirname (absolute);
  g_autofree char *base = g_path_get_basename (absolute);
  g_autofree char *template = g_strdup_printf ("%s/.%s.XXXXXX", parent, base);

  if (g_mkdir_with_parents (parent, 0777) != 0 || !g_mkdtemp_full (template, 0777)) {
    output_error_set (error, errno, "write results to", dir);
    return NULL;
  }
  return g_steal_pointer (&template);
}

gboolean
output_check (const char *dir, GError **error)
{
  g_autofree char *sibling = NULL;

  if (!may_replace (dir, error))
    return FALSE;
  sibling = make_sibling (dir, error);
  if (!sibling)
    return FALSE;
  g_rmdir (sibling);
  return TRUE;
}

/* Exchanging the names leaves no instant without a results directory; where the
 * file system cannot, the old one steps aside first. */
static gboolean
put_in_place (const char *sibling, const char *dir, GError **error)
{
  g_autofree char *aside = NULL;

  if (renameat2 (AT_FDCWD, sibling, AT_FDCWD, dir, RENAME_EXCHANGE) == 0) {
    remove_results (sibling);
    return TRUE;
  }
  if (errno != ENOENT && errno != EINVAL && errno != ENOSYS) {
    output_error_set (error, errno, "write results to", dir);
    return FALSE;
  }
  aside = g_strconcat (sibling, ".old", NULL);
  if (g_rename (dir, aside) != 0 && errno != ENOENT) {
    output_error_set (error, errno, "replace", dir);
    return FALSE;
  }
  if (g_rename (sibling, dir) != 0) {
    output_error_set (error, errno, "write results to", dir);
    g_rename (aside, dir);
    return FALSE;
  }
  remove_results (aside);
  return TRUE;
}

static gboolean
write_files (const OutputRun *run, const char *dir, GError **error)
{
  for (guint i = 0; output_writers[i]; i++)
    if (output_applies (output_writers[i]->of, run) && !output_writers[i]->write (run, dir, error))
      return FALSE;
  if (output_applies (OUTPUT_OF_MATRIX, run) && !matrix_cells_write (run, dir, error))
    return FALSE;
  for (guint i = 0; figures[i]; i++)
    if (figure_applies (figures[i], run) && !figure_write (figures[i], run, dir, error))
      return FALSE;
  return TRUE;
}

gboolean
output_write (const OutputRun *run, const char *dir, gboolean draw, char **ret_warning,
              GError **error)
{
  g_autofree char *sibling = NULL;

  *ret_warning = NULL;
  if (!may_replace (dir, error))
    return FALSE;
  sibling = make_sibling (dir, error);
  if (!sibling)
    return FALSE;
  if (!write_files (run, sibling, error)
      || (draw && !figures_draw (run, sibling, ret_warning, error))) {
    g_prefix_error (error, "%s: ", dir);
    remove_results (sibling);
    return FALSE;
  }
  if (!put_in_place (sibling, dir, error)) {
    remove_results (sibling);
    return FALSE;
  }
  return TRUE;
}

/* cells/: a file for each cell, which `cmsim run` and `cmsim trace` take as it is. */
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "matrix.h"
#include "output_file.h"

gboolean
matrix_cells_write (const OutputRun *run, const char *dir, GError **error)
{
  g_autofree char *cells = g_build_filename (dir, MATRIX_CELLS_DIR, NULL);

  if (g_mkdir (cells, 0777) != 0) {
    output_error_set (error, errno, "make", MATRIX_CELLS_DIR);
    return FALSE;
  }
  for (guint v = 0; v < run->scenario->variants->len; v++) {
    const ScenarioVariant *variant = g_ptr_array_index (run->scenario->variants, v);
    g_autofree char *name = g_strconcat (variant->name, ".yaml", NULL);
    OutputFile *file = output_file_new (cells, name);

    output_file_text (file, variant->yaml);
    if (!output_file_close (file, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
matrix_cells_known (const char *path)
{
  g_autoptr (GDir) entries = g_dir_open (path, 0, NULL);
  const char *name;

  while (entries && (name = g_dir_read_name (entries)))
    if (!g_str_has_suffix (name, ".yaml"))
      return FALSE;
  return entries != NULL;
}

void
matrix_cells_remove (const char *path)
{
  g_autoptr (GDir) entries = g_dir_open (path, 0, NULL);
  const char *name;

  while (entries && (name = g_dir_read_name (entries)))
    if (g_str_has_suffix (name, ".yaml")) {
      g_autofree char *file = g_build_filename (path, name, NULL);

      g_unlink (file);
    }
  g_rmdir (path);
}

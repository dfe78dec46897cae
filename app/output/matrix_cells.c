/* cells/: a file for each cell, which `cmsim run` and `cmsim trace` take as it is, with the
 * files it reads. */
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "matrix.h"
#include "output_file.h"
#include "text_file.h"

/* What the cells read, beside them. */
static gboolean
write_copies (const Scenario *scenario, const char *cells, GError **error)
{
  for (guint i = 0; i < scenario->cell_files->len; i++) {
    const ScenarioCellFile *copied = g_ptr_array_index (scenario->cell_files, i);
    gsize length;
    g_autofree char *data = text_file_read (copied->path, &length, error);
    OutputFile *file;

    if (!data)
      return FALSE;
    file = output_file_new (cells, copied->name);
    output_file_bytes (file, data, length);
    if (!output_file_close (file, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
is_ours (const char *name)
{
  return g_str_has_suffix (name, ".yaml") || g_str_has_suffix (name, MATRIX_CELL_FILE);
}

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
  return write_copies (run->scenario, cells, error);
}

gboolean
matrix_cells_known (const char *path)
{
  g_autoptr (GDir) entries = g_dir_open (path, 0, NULL);
  const char *name;

  while (entries && (name = g_dir_read_name (entries)))
    if (!is_ours (name))
      return FALSE;
  return entries != NULL;
}

void
matrix_cells_remove (const char *path)
{
  g_autoptr (GDir) entries = g_dir_open (path, 0, NULL);
  const char *name;

  while (entries && (name = g_dir_read_name (entries)))
    if (is_ours (name)) {
      g_autofree char *file = g_build_filename (path, name, NULL);

      g_unlink (file);
    }
  g_rmdir (path);
}

/* Buffered text files.  Callers write without looking at errors; the close tells. */
#include "output_file.h"
#include "output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define BUFFER_BYTES ((gsize) 1 << 18)

struct OutputFile {
  FILE *stream; /* NULL: could not be opened */
  char *name;
  int code; /* errno of the first error, or 0 */
};

G_DEFINE_QUARK (cmsim - output - error - quark, output_error)

void
output_error_set (GError **error, int code, const char *what, const char *name)
{
  gboolean full = code == ENOSPC || code == EDQUOT || code == EFBIG;

  g_set_error (error, OUTPUT_ERROR, full ? OUTPUT_ERROR_FULL : OUTPUT_ERROR_WRITE,
               "cannot %s %s: %s; %s", what, name, g_strerror (code),
               full ? "make room or choose another place with --output"
                    : "choose another place with --output");
}

static void
note_error (OutputFile *file)
{
  if (file->code == 0)
    file->code = errno;
}

OutputFile *
output_file_new (const char *dir, const char *name)
{
  OutputFile *file = g_new0 (OutputFile, 1);
  g_autofree char *path = g_build_filename (dir, name, NULL);

  file->name = g_strdup (name);
  file->stream = fopen (path, "we");
  if (!file->stream)
    note_error (file);
  else
    setvbuf (file->stream, NULL, _IOFBF, BUFFER_BYTES);
  return file;
}

void
output_file_printf (OutputFile *file, const char *format, ...)
{
  va_list args;

  if (!file->stream)
    return;
  va_start (args, format);
  if (vfprintf (file->stream, format, args) < 0)
    note_error (file);
  va_end (args);
}

void
output_file_text (OutputFile *file, const char *text)
{
  if (file->stream && fputs (text, file->stream) == EOF)
    note_error (file);
}

void
output_file_bytes (OutputFile *file, const char *bytes, gsize n)
{
  if (file->stream && fwrite (bytes, 1, n, file->stream) < n)
    note_error (file);
}

void
output_file_csv (OutputFile *file, const char *text)
{
  if (!strpbrk (text, ",\"\r\n")) {
    output_file_text (file, text);
    return;
  }
  output_file_text (file, "\"");
  for (const char *rest = text; *rest; rest++)
    output_file_printf (file, *rest == '"' ? "\"\"" : "%c", *rest);
  output_file_text (file, "\"");
}

gboolean
output_file_close (OutputFile *file, GError **error)
{
  int code;

  if (file->stream && fclose (file->stream) != 0)
    note_error (file);
  code = file->code;
  if (code != 0)
    output_error_set (error, code, "write", file->name);
  g_free (file->name);
  g_free (file);
  return code == 0;
}

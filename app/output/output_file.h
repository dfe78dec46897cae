/* A text file being written, with the first error kept until the end. */
#pragma once

#include <glib.h>

typedef struct OutputFile OutputFile;

OutputFile *output_file_new (const char *dir, const char *name);
void output_file_printf (OutputFile *file, const char *format, ...) G_GNUC_PRINTF (2, 3);
void output_file_text (OutputFile *file, const char *text);
void output_file_bytes (OutputFile *file, const char *bytes, gsize n);
/* One CSV field, quoted when it must be (RFC 4180). */
void output_file_csv (OutputFile *file, const char *text);
/* Closes and frees; FALSE and the first error (OUTPUT_ERROR, "cannot write NAME: ...")
 * if there was one. */
gboolean output_file_close (OutputFile *file, GError **error);

/* Sets an OUTPUT_ERROR for errno `code`: "cannot WHAT NAME: REASON". */
void output_error_set (GError **error, int code, const char *what, const char *name);

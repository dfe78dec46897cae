/* Reading a whole text file with a limit. */
#pragma once

#include <glib.h>

#define TEXT_FILE_BYTES_MAX ((gsize) 16 * 1024 * 1024)

/* The bytes of a regular file of at most TEXT_FILE_BYTES_MAX, with a NUL behind them
 * (transfer full); the size is checked before anything is read.  NULL and a
 * SCENARIO_ERROR_READ that begins with the path. */
char *text_file_read (const char *path, gsize *ret_length, GError **error);

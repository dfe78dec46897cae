/* Reads a captured experiment: NAME.mads.csv and NAME.events.csv. */
#pragma once

#include "kernel_log.h"

#define CAPTURE_ERROR (capture_error_quark ())
GQuark capture_error_quark (void);
typedef enum {
  CAPTURE_ERROR_FORMAT,
} CaptureError;

/* (transfer full) finished log; NULL and *error when a file cannot be read or has
 * a line that is not understood. */
KernelLog *capture_read (const char *folder, const char *name, GError **error);

/* The same from the files' texts, for tests. */
KernelLog *capture_parse (const char *mads_csv, const char *events_csv, GError **error);

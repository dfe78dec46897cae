/* Output: what a run leaves in its results directory.
 *
 * A writer is one file of the directory: one .c file with a `const OutputWriter`
 * and a row in output_table.c.  A figure is several files (data, script,
 * pictures): see figure.h.  Nothing in them depends on when or where the run was
 * made, on the number of threads or on the locale. */
#pragma once

#include "expect.h"
#include "summary.h"

#define OUTPUT_SCHEMA_VERSION 1

#define OUTPUT_ERROR (output_error_quark ())
GQuark output_error_quark (void);
typedef enum {
  OUTPUT_ERROR_FULL,  /* no space left, quota or file size limit */
  OUTPUT_ERROR_WRITE, /* anything else */
} OutputError;

/* What there is to write about; all borrowed. */
typedef struct {
  const Scenario *scenario;
  const RunnerResults *results;
  const Summary *summary;
  const GPtrArray *verdicts; /* ExpectVerdict * */
} OutputRun;

const char *output_variant_name (const OutputRun *run, guint v);

/* Which runs have a file. */
typedef enum {
  OUTPUT_OF_ALL,
  OUTPUT_OF_VARIANTS, /* all but those of a matrix */
  OUTPUT_OF_MATRIX,
} OutputOf;

gboolean output_applies (OutputOf of, const OutputRun *run);

typedef struct {
  const char *name; /* of the file */
  const char *help; /* what it holds, one sentence */
  OutputOf of;
  gboolean (*write) (const OutputRun *run, const char *dir, GError **error);
} OutputWriter;

extern const OutputWriter output_summary_json, output_connections_csv, output_series_csv,
    output_readme, output_matrix_csv, output_matrix_json;
extern const OutputWriter *const output_writers[]; /* NULL-terminated */

/* TRUE for every file name a run may leave in its directory; of a matrix also the folder
 * cells/. */
gboolean output_knows_file (const char *name);

/* Checks, before anything is computed, that `dir` can be written: makes the folders
 * above it, and refuses to replace a directory with files cmsim did not write. */
gboolean output_check (const char *dir, GError **error);

/* Writes everything to a new directory beside `dir` and puts it in the place of
 * `dir`; on error `dir` is as it was.  draw: run gnuplot on the figures.
 * *ret_warning (transfer full): why there are no pictures, or NULL. */
gboolean output_write (const OutputRun *run, const char *dir, gboolean draw, char **ret_warning,
                       GError **error);

/* What a cell of a matrix came to, for its tables and its figure. */
#pragma once

#include "output.h"

typedef struct {
  char *outcome; /* "established", "37.5 % established, 62.5 % refused (REJ 3)" */
  char *errnos;  /* "ECONNREFUSED", "ECONNREFUSED+ENETUNREACH"; "" if none failed */
  double share;  /* established / connects, mean over the replications; NAN: no connects */
  const SummaryStat *metrics; /* by MetricId; borrowed */
} MatrixCell;

/* Of variant v.  (transfer full) */
MatrixCell matrix_cell (const OutputRun *run, guint v);
void matrix_cell_clear (MatrixCell *cell);

/* Name of the value that variant v has on an axis. */
const char *matrix_value (const OutputRun *run, guint v, guint axis);

/* The numbers that tables show of a cell. */
typedef struct {
  const char *name;  /* of the CSV column and JSON member */
  const char *title; /* in a terminal */
  MetricId metric;
} MatrixColumn;

extern const MatrixColumn matrix_columns[]; /* ends with name NULL */
/* What stands between the axes and those in matrix.csv; ends with NULL. */
extern const char *const matrix_first_columns[];

/* Is this a column that matrix.csv has whatever the axes are? */
gboolean matrix_column_is_fixed (const char *name);
/* All of them, as "outcome, errno, ...".  (transfer full) */
char *matrix_fixed_columns (void);

/* A table for a terminal: a line per cell, axes first.  (transfer full) */
char *matrix_text (const OutputRun *run);

/* ----- cells/: a scenario for each cell ----- */

#define MATRIX_CELLS_DIR "cells"
/* How the name of a file ends that cells read, and that lies beside them. */
#define MATRIX_CELL_FILE ".csv"

gboolean matrix_cells_write (const OutputRun *run, const char *dir, GError **error);
/* Is this directory one that a run may leave, and nothing else in it? */
gboolean matrix_cells_known (const char *path);
void matrix_cells_remove (const char *path);

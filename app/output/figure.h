/* Figures: a data file, a gnuplot script that runs alone beside it, and the
 * pictures gnuplot makes of them.
 *
 * A figure is one .c file with a `const Figure`, a row in figure_table.c and a
 * template plots/NAME.gp.  The script is a head written here (the names, colours,
 * ranges and labels of this run as gnuplot variables), then plots/style.gp, then
 * the template: templates are whole gnuplot files and nothing in them is
 * replaced. */
#pragma once

#include "output.h"
#include "output_file.h"

typedef struct {
  const char *name;  /* NAME.dat, NAME.gp, NAME.svg, NAME.png */
  const char *title; /* headline of the figure */
  const char *help;  /* what it shows, one sentence */
  OutputOf of;
  gboolean (*applies) (const OutputRun *run); /* NULL: always */
  void (*write_data) (const OutputRun *run, OutputFile *file);
  void (*write_head) (const OutputRun *run, OutputFile *file); /* the figure's own variables */
} Figure;

extern const Figure figure_backlog, figure_latency, figure_outcomes, figure_reqs, figure_hysteresis,
    figure_matrix;
extern const Figure *const figures[]; /* NULL-terminated */

/* Data and script of one figure. */
gboolean figure_write (const Figure *figure, const OutputRun *run, const char *dir,
                       GError **error);
/* Has the run anything to show in this figure? */
gboolean figure_applies (const Figure *figure, const OutputRun *run);
/* Runs gnuplot on the scripts of all figures that apply.  *ret_warning (transfer full): why a
 * picture is missing, or NULL; the scripts remain.  FALSE and an OUTPUT_ERROR only
 * when a picture did not fit on the disk. */
gboolean figures_draw (const OutputRun *run, const char *dir, char **ret_warning, GError **error);

/* --- For the figures themselves */

/* Some variant has connects, or listeners. */
gboolean figure_has_connects (const OutputRun *run);
gboolean figure_has_listeners (const OutputRun *run);

/* NAME = "..." as gnuplot reads it. */
void figure_set_string (OutputFile *file, const char *name, const char *text);
/* array NAME[n] = [...] of numbers or of strings. */
void figure_set_numbers (OutputFile *file, const char *name, const double *values, guint n);
void figure_set_strings (OutputFile *file, const char *name, const char *const *texts, guint n);
/* Writes x_max (s), x_scale and x_unit so that x * x_scale is in x_unit. */
void figure_set_time_axis (OutputFile *file, double x_max);
/* Moves the places (0 bottom to 1 top) of labels apart by at least gap, in place,
 * keeping their order. */
void figure_spread_labels (double *places, guint n, double gap);
/* Where a time axis ends, in seconds: a little after the last change of the level in any
 * variant; 0 if there was none. */
double figure_series_end (const OutputRun *run, WorldSeriesId series);
/* A block per variant (gnuplot index): start_s end_s last min max. */
void figure_write_series (const OutputRun *run, WorldSeriesId series, OutputFile *file);

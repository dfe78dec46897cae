/* A level over time in bounded memory, for plotting.
 *
 * Keeps at most `limit` bins of equal width from time 0; each bin holds the level at
 * its end and the least and greatest level inside (a change at the very start of a
 * bin replaces the level before; levels held for no time count).  When the bins run
 * out, neighbours are merged and the width doubles, so the result depends only on
 * the changes, not on when it is read. */
#pragma once

#include "sim_time.h"

typedef struct SimSeries SimSeries;

typedef struct {
  SimTime start, end;
  gint64 last, min, max;
} SimSeriesPoint;

/* first_width: width of the first bins (> 0); limit: even, >= 4. */
SimSeries *sim_series_new (SimTime first_width, guint limit, gint64 value);
void sim_series_free (SimSeries *series);
void sim_series_set (SimSeries *series, SimTime now, gint64 value); /* now never decreases */
void sim_series_step (SimSeries *series, SimTime now, gint64 delta);
gint64 sim_series_value (const SimSeries *series);
/* Bins in which something changed, oldest first (bins without a change are left
 * out: the level stays).  (transfer full) array of SimSeriesPoint. */
GArray *sim_series_points (const SimSeries *series);

/* The compact form of a first-in first-out server with one worker: 8 bytes while at
 * most one job is present, which is what millions of mostly idle owners need.
 *
 * It keeps the ends of the jobs present, which never decrease.  Zero-initialise;
 * sim_line_clear() in the end. */
#pragma once

#include "sim_time.h"

typedef struct {
  guint64 word; /* end of the latest job, nobody is present from then on; once two were present
                 * at a time, a ring of ends (private) */
} SimLine;

void sim_line_clear (SimLine *line);

/* The functions below take times that never decrease. */

/* Jobs that end after now. */
guint sim_line_present (SimLine *line, SimTime now);
/* End of the i-th job present, oldest first; i < sim_line_present (). */
SimTime sim_line_end (const SimLine *line, guint i);
/* One more job, which ends at `end` (not before the latest one). */
void sim_line_push (SimLine *line, SimTime now, SimTime end);

/* A job of this length offered at now: starts when the latest one ends.  Returns its
 * end. */
SimTime sim_line_offer (SimLine *line, SimTime now, SimTime service);

/* The report: what a run came to, as text for a terminal of REPORT_COLUMNS. */
#pragma once

#include "output.h"

#define REPORT_COLUMNS 100

/* dir: the results directory, NULL if none was written; drawn: with pictures.
 * (transfer full) */
char *report_text (const OutputRun *run, const char *dir, gboolean drawn);

/* The progress line: on standard error while a run takes longer than a second and
 * somebody is there to read it. */
#pragma once

#include "runner.h"

typedef struct {
  gboolean wanted; /* standard error is a terminal, and not --quiet */
  gboolean shown;  /* a line is there now */
} Progress;

void progress_init (Progress *progress, gboolean quiet);
void progress_show (Progress *progress, const RunnerProgress *state);
/* Takes the line away. */
void progress_clear (Progress *progress);

/* "replication 7 of 20, 12.8 s simulated, 3.1 M events/s, 0:42 left".  (transfer full) */
char *progress_line (const RunnerProgress *state);

/* Wall-clock times here are for the reader only; nothing of them enters a result. */
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

#define QUIET_SECONDS 1.0

static void
append_rate (GString *line, double rate)
{
  if (rate >= 1e6)
    g_string_append_printf (line, "%.1f M events/s", rate / 1e6);
  else if (rate >= 1e3)
    g_string_append_printf (line, "%.0f k events/s", rate / 1e3);
  else
    g_string_append_printf (line, "%.0f events/s", rate);
}

/* Nothing can be said before the first part is done. */
static void
append_time_left (GString *line, const RunnerProgress *state)
{
  double seconds;

  if (state->done <= 0)
    return;
  seconds = state->seconds * (1 - MIN (state->done, 1)) / state->done;
  if (seconds >= 359999)
    g_string_append (line, ", days left");
  else if (seconds >= 3600)
    g_string_append_printf (line, ", %u:%02u:%02u left", (guint) seconds / 3600,
                            (guint) seconds / 60 % 60, (guint) seconds % 60);
  else
    g_string_append_printf (line, ", %u:%02u left", (guint) seconds / 60, (guint) seconds % 60);
}

char *
progress_line (const RunnerProgress *state)
{
  GString *line = g_string_new (NULL);
  char now[32];

  if (state->replications > 1)
    g_string_append_printf (line, "replication %u of %u, ",
                            MIN (state->replications_done + 1, state->replications),
                            state->replications);
  g_string_append_printf (line, "%s simulated, ", sim_time_format (state->now, now, sizeof now));
  append_rate (line, state->seconds > 0 ? (double) state->events / state->seconds : 0);
  append_time_left (line, state);
  return g_string_free (line, FALSE);
}

void
progress_init (Progress *progress, gboolean quiet)
{
  progress->wanted = !quiet && isatty (STDERR_FILENO);
  progress->shown = FALSE;
}

/* Back to the first column, the line, and nothing of the one before it. */
void
progress_show (Progress *progress, const RunnerProgress *state)
{
  g_autofree char *line = NULL;

  if (!progress->wanted || state->seconds < QUIET_SECONDS)
    return;
  line = progress_line (state);
  fprintf (stderr, "\r%s\033[K", line);
  fflush (stderr);
  progress->shown = TRUE;
}

void
progress_clear (Progress *progress)
{
  if (!progress->shown)
    return;
  fputs ("\r\033[K", stderr);
  fflush (stderr);
  progress->shown = FALSE;
}

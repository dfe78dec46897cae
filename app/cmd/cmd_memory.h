/* --memory-limit: a run that would not fit is refused before it starts. */
#pragma once

#include "cmd.h"
#include "scenario.h"

#define CMD_MEMORY_LIMIT(limit_) \
  { \
    "memory-limit", 0, 0, G_OPTION_ARG_FILENAME, (limit_), \
        "refuse a run that needs more memory than this; none: no limit; default: four fifths of " \
        "the machine's", \
        "SIZE" \
  }

/* text: a size, "none", or NULL for the default.  FALSE: one line of error was printed. */
gboolean cmd_memory_read (const Command *command, const char *text, guint64 *ret_limit);
/* At most `jobs`, and as many as fit; 1 if not even one does. */
guint cmd_memory_jobs (const Scenario *scenario, guint jobs, guint64 limit);
/* FALSE: it does not fit, and one line of error was printed. */
gboolean cmd_memory_check (const Command *command, const Scenario *scenario, guint jobs,
                           guint64 limit);

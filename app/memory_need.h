/* What a run will take in memory, told before it starts. */
#pragma once

#include "scenario.h"

typedef struct {
  guint64 bytes; /* peak of the whole process */
  guint64 hosts, listeners, connects, members; /* of the variant that takes most */
  guint at_once;           /* replications at a time */
} MemoryNeed;

/* jobs: worker threads asked for, >= 1; a run with fewer replications uses fewer.  Holds within a
 * factor of two of what is measured (tests/shell/memory.sh): it takes every connect to wait for
 * something at the same time, and all to be open in the end. */
MemoryNeed memory_need (const Scenario *scenario, guint jobs);

/* Physical memory of the machine; G_MAXUINT64 if it cannot be known. */
guint64 memory_physical (void);
/* The default limit: four fifths of the physical memory. */
guint64 memory_limit_default (void);
/* "1.4 GiB", "730 MiB", and below a MiB exactly: "64 KiB", "1000 B".  (transfer full) */
char *memory_format (guint64 bytes);

/* What benchmarks measure with: the clock and the peak of memory. */
#pragma once

#include <stdio.h>
#include <time.h>

static inline double
wall_seconds (void)
{
  struct timespec ts;

  clock_gettime (CLOCK_MONOTONIC, &ts);
  return (double) ts.tv_sec + (double) ts.tv_nsec * 1e-9;
}

static inline long
peak_kib (void) /* -1: not known */
{
  FILE *file = fopen ("/proc/self/status", "re");
  char line[256];
  long kib = -1;

  while (file && fgets (line, sizeof line, file))
    if (sscanf (line, "VmHWM: %ld", &kib) == 1)
      break;
  if (file)
    fclose (file);
  return kib;
}

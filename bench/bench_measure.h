/* What benchmarks measure with: the clock, the peak of memory, a quantile without a sort. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sim_time.h"

static inline int
compare_times (const void *a, const void *b)
{
  SimTime x = *(const SimTime *) a, y = *(const SimTime *) b;

  return (x > y) - (x < y);
}

/* The k-th smallest; few passes over ever smaller parts. */
static inline SimTime
kth (SimTime *v, gsize n, gsize k)
{
  while (n > 64) {
    SimTime pivot = v[n / 2];
    gsize i = 0, j = n - 1;

    for (;; i++, j--) {
      while (v[i] < pivot)
        i++;
      while (v[j] > pivot)
        j--;
      if (i >= j)
        break;
      SimTime swap = v[i];
      v[i] = v[j];
      v[j] = swap;
    }
    if (k <= j) {
      n = j + 1;
    } else {
      v += j + 1;
      n -= j + 1;
      k -= j + 1;
    }
  }
  qsort (v, n, sizeof *v, compare_times);
  return v[k];
}

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

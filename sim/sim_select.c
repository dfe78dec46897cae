/* Hoare's selection. */
#include "sim_select.h"

SimTime
sim_select (SimTime *v, gsize n, gsize k)
{
  gsize low = 0, high = n - 1;

  g_assert (k < n);
  while (low < high) {
    SimTime pivot = v[low + (high - low) / 2];
    gsize i = low, j = high;

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
    /* v[low..j] <= pivot <= v[j + 1..high] */
    if (k <= j)
      high = j;
    else
      low = j + 1;
  }
  return v[k];
}

/* Asks for memory that will be needed soon.
 *
 * GCC takes a function that does nothing but prefetch for one without effects, and drops calls
 * of it; the empty instruction forbids that. */
#pragma once

#include <glib.h>

/* The cache line of that address, which need not be valid. */
static inline void
sim_prefetch (gconstpointer address)
{
  __builtin_prefetch (address);
  __asm__ volatile("" : : "r"(address));
}

/* Large blocks of memory for what is reached at random: aligned, and on huge pages where
 * the system has them, so that a million records do not cost a miss of the address
 * translation each on top of the miss of the cache.  A page is taken when it is first
 * written, not before. */
#pragma once

#include <glib.h>

#define SIM_HUGE_PAGE ((gsize) 2 << 20)

/* Zeros, on a page of its own; never NULL.  size: a multiple of 4096.  huge: most of it will be
 * used, so huge pages are welcome.  Free with sim_pages_free() and the same size. */
gpointer sim_pages_new (gsize size, gboolean huge);
void sim_pages_free (gpointer pages, gsize size);

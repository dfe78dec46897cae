/* Large blocks of memory for what is reached at random: aligned, and on huge pages where
 * the system has them, so that a million records do not cost a miss of the address
 * translation each on top of the miss of the cache.  A page is taken when it is first
 * written, not before. */
#pragma once

#include <glib.h>

/* Uninitialised and aligned to 4096 bytes; never NULL.  huge: most of it will be used, so
 * huge pages are welcome.  Free with sim_pages_free (). */
gpointer sim_pages_new (gsize size, gboolean huge);
void sim_pages_free (gpointer pages);

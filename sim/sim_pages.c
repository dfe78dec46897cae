/* Large blocks of memory. */
#include "sim_pages.h"

#include <sys/mman.h>

#define SMALL_PAGE 4096u
#define HUGE_PAGE (2u << 20)

gpointer
sim_pages_new (gsize size, gboolean huge)
{
  gpointer pages = g_aligned_alloc (1, size, huge ? HUGE_PAGE : SMALL_PAGE);

  /* Advice only: where there are no huge pages, the result is the same and later. */
  if (huge)
    madvise (pages, size, MADV_HUGEPAGE);
  return pages;
}

void
sim_pages_free (gpointer pages)
{
  g_aligned_free (pages);
}

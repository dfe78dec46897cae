/* Large blocks of memory, straight from the system: nobody fills them before they are used. */
#include "sim_pages.h"

#include <errno.h>
#include <sys/mman.h>

static gpointer
map (gsize size)
{
  gpointer pages = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (pages == MAP_FAILED)
    g_error ("out of memory: %" G_GSIZE_FORMAT " bytes: %s", size, g_strerror (errno));
  return pages;
}

/* Mapped with room to spare, of which what is not aligned goes back. */
static gpointer
map_aligned (gsize size)
{
  char *pages = map (size + SIM_HUGE_PAGE);
  gsize before = -(guintptr) pages & (SIM_HUGE_PAGE - 1);

  if (before > 0)
    munmap (pages, before);
  munmap (pages + before + size, SIM_HUGE_PAGE - before);
  return pages + before;
}

gpointer
sim_pages_new (gsize size, gboolean huge)
{
  gpointer pages = huge ? map_aligned (size) : map (size);

  /* Advice only: where there are no huge pages, the result is the same and later. */
  if (huge)
    madvise (pages, size, MADV_HUGEPAGE);
  return pages;
}

void
sim_pages_free (gpointer pages, gsize size)
{
  munmap (pages, size);
}

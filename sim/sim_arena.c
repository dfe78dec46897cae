/* Blocks: on huge pages of their own, as parts of an arena's pages, or plain memory. */
#include "sim_arena.h"

#include <string.h>

#include "sim_pages.h"

/* Less than this is plain memory: a world of some hosts needs no huge page. */
#define SHARED_MIN (16u << 10)
#define SHARED_MAX (SIM_HUGE_PAGE / 2)
#define ALIGNMENT ((gsize) 64)
#define PAGE ((gsize) 4096)

#if defined __SANITIZE_ADDRESS__
#define SHARES FALSE /* each block has its own surroundings, which are watched */
#else
#define SHARES TRUE
#endif

/* The start of a page that is shared. */
typedef struct Page {
  struct Page *next; /* of the free ones */
  guint users;       /* blocks, and the arena while it takes blocks from here */
  gboolean used;     /* it is not all 0 any more */
} Page;

struct SimArena {
  Page *page; /* blocks are taken from here; NULL: none */
  gsize next; /* what is left of it begins there, behind the page's own */
  Page *free; /* pages without users */
};

SimArena *
sim_arena_new (void)
{
  return g_new0 (SimArena, 1);
}

static void
page_leave (SimArena *arena, Page *page)
{
  if (--page->users > 0)
    return;
  page->used = TRUE;
  page->next = arena->free;
  arena->free = page;
}

static void
page_begin (SimArena *arena)
{
  if (arena->page != NULL)
    page_leave (arena, arena->page);
  if (arena->free != NULL) {
    arena->page = arena->free;
    arena->free = arena->page->next;
  } else {
    arena->page = sim_pages_new (SIM_HUGE_PAGE, TRUE);
  }
  arena->page->users = 1;
}

void
sim_arena_free (SimArena *arena)
{
  if (arena == NULL)
    return;
  if (arena->page != NULL) {
    g_assert (arena->page->users == 1);
    page_leave (arena, arena->page);
  }
  while (arena->free != NULL) {
    Page *page = arena->free;

    arena->free = page->next;
    sim_pages_free (page, SIM_HUGE_PAGE);
  }
  g_free (arena);
}

/* ----- blocks ----- */

static gboolean
is_shared (const SimArena *arena, gsize bytes)
{
  return SHARES && arena != NULL && bytes >= SHARED_MIN && bytes < SHARED_MAX;
}

static gboolean
has_pages (gsize bytes)
{
  return bytes >= SHARED_MAX;
}

/* The end of a block that is only nearly as large would be hundreds of faults. */
static gsize
whole_pages (gsize bytes)
{
  return (bytes + SIM_HUGE_PAGE - 1) & ~(SIM_HUGE_PAGE - 1);
}

static gpointer
take_shared (SimArena *arena, gsize bytes, gsize alignment)
{
  gsize start = arena->page != NULL ? (arena->next + alignment - 1) & ~(alignment - 1) : 0;

  if (arena->page == NULL || start + bytes > SIM_HUGE_PAGE) {
    page_begin (arena);
    start = alignment; /* at least 64: behind the page's own */
  }
  arena->next = start + bytes;
  arena->page->users++;
  return (char *) arena->page + start;
}

static gpointer
new_shared (SimArena *arena, gsize bytes, gsize alignment)
{
  gpointer block = take_shared (arena, bytes, alignment);

  return arena->page->used ? memset (block, 0, bytes) : block;
}

gpointer
sim_block_new (SimArena *arena, gsize bytes)
{
  if (is_shared (arena, bytes))
    return new_shared (arena, bytes, ALIGNMENT);
  return has_pages (bytes) ? sim_pages_new (whole_pages (bytes), TRUE) : g_malloc0 (bytes);
}

gpointer
sim_block_take (SimArena *arena, gsize bytes)
{
  if (is_shared (arena, bytes))
    return take_shared (arena, bytes, ALIGNMENT);
  return has_pages (bytes) ? sim_pages_new (whole_pages (bytes), TRUE) : g_malloc (bytes);
}

static void
free_shared (SimArena *arena, gpointer block)
{
  page_leave (arena, (Page *) ((guintptr) block & ~(guintptr) (SIM_HUGE_PAGE - 1)));
}

void
sim_block_free (SimArena *arena, gpointer block, gsize bytes)
{
  if (block == NULL)
    return;
  if (is_shared (arena, bytes))
    free_shared (arena, block);
  else if (has_pages (bytes))
    sim_pages_free (block, whole_pages (bytes));
  else
    g_free (block);
}

gpointer
sim_block_new_pages (SimArena *arena, gsize pages)
{
  gsize bytes = pages * PAGE;

  if (is_shared (arena, bytes))
    return new_shared (arena, bytes, PAGE);
  return has_pages (bytes) ? sim_pages_new (whole_pages (bytes), TRUE)
                           : sim_pages_new (bytes, FALSE);
}

void
sim_block_free_pages (SimArena *arena, gpointer block, gsize pages)
{
  gsize bytes = pages * PAGE;

  if (block == NULL)
    return;
  if (is_shared (arena, bytes))
    free_shared (arena, block);
  else
    sim_pages_free (block, has_pages (bytes) ? whole_pages (bytes) : bytes);
}

/* Chunks of a slab: each as large as all before it together, up to a limit. */
#include "sim_slab.h"

#include <sys/mman.h>

#define FIRST_ITEMS 16
#define HUGE_PAGE ((gsize) 2 << 20)
#define CHUNK_BYTES_MAX (32 * HUGE_PAGE)

void
sim_slab_init (SimSlab *slab, gsize item_size)
{
  *slab = (SimSlab){ .item_size = (MAX (item_size, sizeof (gpointer)) + 7) & ~(gsize) 7 };
}

/* Each as large as all before it together, up to a limit. */
static gsize
chunk_bytes (const SimSlab *slab, guint chunk)
{
  return MIN ((slab->item_size * FIRST_ITEMS) << MIN (chunk, 24u), CHUNK_BYTES_MAX);
}

void
sim_slab_clear (SimSlab *slab)
{
  for (guint i = 0; i < slab->n_chunks; i++)
    sim_block_free (slab->chunks[i], chunk_bytes (slab, i));
  *slab = (SimSlab){ .item_size = slab->item_size };
}

void
sim_slab_grow (SimSlab *slab)
{
  gsize bytes = chunk_bytes (slab, slab->n_chunks);

  g_assert (slab->n_chunks < SIM_SLAB_CHUNKS);
  slab->next = bytes < HUGE_PAGE ? g_malloc (bytes) : sim_block_new (bytes);
  slab->chunks[slab->n_chunks++] = slab->next;
  slab->end = slab->next + bytes / slab->item_size * slab->item_size;
}

/* Objects by the million are met in no order: with huge pages their addresses are translated
 * without a further miss.  The system gives those when it likes. */
gpointer
sim_block_new (gsize bytes)
{
  gpointer block;

  if (bytes < HUGE_PAGE)
    return g_malloc0 (bytes);
  block = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED)
    g_error ("out of memory: %" G_GSIZE_FORMAT " bytes", bytes);
  (void) madvise (block, bytes, MADV_HUGEPAGE);
  return block;
}

void
sim_block_free (gpointer block, gsize bytes)
{
  if (bytes < HUGE_PAGE)
    g_free (block);
  else if (block)
    munmap (block, bytes);
}

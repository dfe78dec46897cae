/* Chunks of a slab: each as large as all before it together, up to a limit. */
#include "sim_slab.h"

#include "sim_pages.h"

#define FIRST_ITEMS 16
#define CHUNK_BYTES_MAX (32 * SIM_HUGE_PAGE)

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
  slab->next = bytes < SIM_HUGE_PAGE ? g_malloc (bytes) : sim_block_new (bytes);
  slab->chunks[slab->n_chunks++] = slab->next;
  slab->end = slab->next + bytes / slab->item_size * slab->item_size;
}

void
sim_slab_each (const SimSlab *slab, void (*see) (gpointer item, gpointer data), gpointer data)
{
  for (guint i = 0; i < slab->n_chunks; i++) {
    gsize items = chunk_bytes (slab, i) / slab->item_size;
    char *item = slab->chunks[i];
    char *end = i + 1 < slab->n_chunks ? item + items * slab->item_size : slab->next;

    for (; item < end; item += slab->item_size)
      see (item, data);
  }
}

/* Whole huge pages, as the end of a block that is only nearly one would be hundreds of faults. */
static gsize
whole_pages (gsize bytes)
{
  return (bytes + SIM_HUGE_PAGE - 1) & ~(SIM_HUGE_PAGE - 1);
}

gpointer
sim_block_new (gsize bytes)
{
  return bytes < SIM_HUGE_PAGE ? g_malloc0 (bytes) : sim_pages_new (whole_pages (bytes), TRUE);
}

void
sim_block_free (gpointer block, gsize bytes)
{
  if (bytes < SIM_HUGE_PAGE)
    g_free (block);
  else if (block)
    sim_pages_free (block, whole_pages (bytes));
}

/* Chunks of a slab. */
#include "sim_slab.h"

#define FIRST_ITEMS 16
#define DOUBLE_MAX ((gsize) 64 << 10)

void
sim_slab_init (SimSlab *slab, SimArena *arena, gsize item_size)
{
  *slab = (SimSlab){ .arena = arena,
                     .item_size = (MAX (item_size, sizeof (gpointer)) + 7) & ~(gsize) 7 };
}

/* Small chunks are as large as all before them together, others a quarter: what the last one
 * has too many is on a huge page that others need, so it is resident. */
static gsize
chunk_bytes (const SimSlab *slab, guint chunk)
{
  gsize items = FIRST_ITEMS, all = FIRST_ITEMS;

  for (guint i = 0; i < chunk; i++) {
    items = all * slab->item_size <= DOUBLE_MAX ? all : all / 4;
    all += items;
  }
  return items * slab->item_size;
}

void
sim_slab_clear (SimSlab *slab)
{
  for (guint i = 0; i < slab->n_chunks; i++)
    sim_block_free (slab->arena, slab->chunks[i], chunk_bytes (slab, i));
  *slab = (SimSlab){ .arena = slab->arena, .item_size = slab->item_size };
}

void
sim_slab_grow (SimSlab *slab)
{
  gsize bytes = chunk_bytes (slab, slab->n_chunks);

  g_assert (slab->n_chunks < SIM_SLAB_CHUNKS);
  slab->next = sim_block_take (slab->arena, bytes);
  slab->chunks[slab->n_chunks++] = slab->next;
  slab->end = slab->next + bytes;
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

/* Lists of entries in chunks. */
#include "sim_chunks.h"

#include "sim_pages.h"

#define FIRST_BLOCK (16u << 10)
#define LAST_BLOCK SIM_HUGE_PAGE

G_STATIC_ASSERT (sizeof (SimEntry) == 16 && sizeof (SimChunk) == SIM_CHUNK_BYTES);

/* Blocks double from 16 KiB to a huge page. */
static gsize
block_size (guint block)
{
  gsize size = FIRST_BLOCK;

  for (guint i = 0; i < block && size < LAST_BLOCK; i++)
    size *= 2;
  return size;
}

void
sim_chunk_store_clear (SimChunkStore *store)
{
  for (guint i = 0; i < store->n_blocks; i++)
    sim_pages_free (store->blocks[i], block_size (i));
  g_free (store->blocks);
}

static void
add_block (SimChunkStore *store)
{
  gsize size = block_size (store->n_blocks);

  store->blocks = g_renew (gpointer, store->blocks, store->n_blocks + 1);
  store->next = sim_pages_new (size, size == LAST_BLOCK);
  store->end = store->next + size;
  store->blocks[store->n_blocks++] = store->next;
}

void
sim_chunk_list_extend (SimChunkStore *store, SimChunkList *list)
{
  SimChunk *chunk = store->free;

  if (chunk != NULL) {
    store->free = chunk->next;
  } else {
    if (store->next == store->end)
      add_block (store);
    chunk = (SimChunk *) (gpointer) store->next;
    store->next += SIM_CHUNK_BYTES;
  }
  if (list->end == NULL)
    list->head = chunk;
  else /* the end of a full chunk is the address behind it */
    ((SimChunk *) (gpointer) list->end - 1)->next = chunk;
  list->end = chunk->entries;
}

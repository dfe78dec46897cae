/* The records of pending events. */
#include "sim_pool.h"

#include "sim_pages.h"

#define CHUNK_BYTES (sizeof (SimEventRecord) << SIM_POOL_BITS)

void
sim_pool_init (SimPool *pool)
{
  *pool = (SimPool){ .first_free = SIM_SLOT_NONE };
}

void
sim_pool_clear (SimPool *pool)
{
  for (guint32 i = 0; i < pool->n_chunks; i++)
    sim_pages_free (pool->chunks[i], CHUNK_BYTES);
  g_free (pool->chunks);
}

static void
add_chunk (SimPool *pool)
{
  g_assert (pool->n_chunks < SIM_SLOT_NONE >> SIM_POOL_BITS);
  if (pool->n_chunks == pool->chunks_size) {
    pool->chunks_size = MAX (16, pool->chunks_size * 2);
    pool->chunks = g_renew (SimEventRecord *, pool->chunks, pool->chunks_size);
  }
  /* The first chunk is all that most worlds need, and a fraction of it: no huge page. */
  gboolean huge = pool->n_chunks > 0;
  pool->chunks[pool->n_chunks++] = sim_pages_new (CHUNK_BYTES, huge);
}

guint32
sim_pool_take_fresh (SimPool *pool)
{
  guint32 slot = pool->fresh++;

  if (slot >> SIM_POOL_BITS == pool->n_chunks)
    add_chunk (pool);
  sim_pool_at (pool, slot)->stamp = 1;
  return slot;
}

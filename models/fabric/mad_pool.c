/* Slots lie in chunks, which do not move; free ones are linked through `next`, the latest
 * freed first. */
#include "mad_pool.h"

enum { CHUNK_BITS = 9, CHUNK = 1 << CHUNK_BITS };

#define IN_USE G_MAXUINT32
#define NONE (G_MAXUINT32 - 1)

typedef struct {
  IbMad mad;
  guint32 next; /* IN_USE; free: the next free one */
} MadSlot;

struct MadPool {
  MadSlot **chunks;
  guint32 n_chunks, free, count;
};

MadPool *
mad_pool_new (void)
{
  MadPool *pool = g_new0 (MadPool, 1);

  pool->free = NONE;
  return pool;
}

void
mad_pool_free (MadPool *pool)
{
  for (guint32 i = 0; i < pool->n_chunks; i++)
    g_free (pool->chunks[i]);
  g_free (pool->chunks);
  g_free (pool);
}

static inline MadSlot *
slot_at (const MadPool *pool, guint32 slot)
{
  return &pool->chunks[slot >> CHUNK_BITS][slot & (CHUNK - 1)];
}

static void
pool_grow (MadPool *pool)
{
  guint32 first = pool->n_chunks << CHUNK_BITS;

  g_assert (first < NONE - CHUNK);
  if ((pool->n_chunks & (pool->n_chunks - 1)) == 0) /* room for as many again */
    pool->chunks = g_renew (MadSlot *, pool->chunks, MAX (1, 2 * (gsize) pool->n_chunks));
  pool->chunks[pool->n_chunks++] = g_new (MadSlot, CHUNK);
  for (guint32 slot = first + CHUNK; slot-- > first;) {
    slot_at (pool, slot)->next = pool->free;
    pool->free = slot;
  }
}

guint32
mad_pool_put (MadPool *pool, const IbMad *mad)
{
  MadSlot *place;
  guint32 slot;

  if (pool->free == NONE)
    pool_grow (pool);
  slot = pool->free;
  place = slot_at (pool, slot);
  pool->free = place->next;
  pool->count++;
  place->mad = *mad;
  place->next = IN_USE;
  return slot;
}

const IbMad *
mad_pool_at (const MadPool *pool, guint32 slot)
{
  const MadSlot *place = slot_at (pool, slot);

  g_assert (place->next == IN_USE);
  return &place->mad;
}

void
mad_pool_drop (MadPool *pool, guint32 slot)
{
  MadSlot *place = slot_at (pool, slot);

  g_assert (place->next == IN_USE);
  place->next = pool->free;
  pool->free = slot;
  pool->count--;
}

guint32
mad_pool_count (const MadPool *pool)
{
  return pool->count;
}

gsize
mad_pool_footprint (void)
{
  return sizeof (MadSlot);
}

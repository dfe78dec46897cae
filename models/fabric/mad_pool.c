/* The pool is one array; free slots are linked through `next`, the latest freed
 * first.  Slots move when the array grows, so MADs are copied in and out. */
#include "mad_pool.h"

#define MAD_POOL_NONE G_MAXUINT32
#define MAD_POOL_FIRST_SIZE 64

typedef struct {
  IbMad mad;
  guint32 next; /* of a free slot: the next free one */
  gboolean used;
} MadSlot;

struct MadPool {
  MadSlot *slots;
  guint32 size, free, count;
};

MadPool *
mad_pool_new (void)
{
  MadPool *pool = g_new0 (MadPool, 1);

  pool->free = MAD_POOL_NONE;
  return pool;
}

void
mad_pool_free (MadPool *pool)
{
  g_free (pool->slots);
  g_free (pool);
}

static void
pool_grow (MadPool *pool)
{
  guint32 size = pool->size == 0 ? MAD_POOL_FIRST_SIZE : pool->size * 2;

  g_assert (size > pool->size);
  pool->slots = g_renew (MadSlot, pool->slots, size);
  for (guint32 slot = size; slot-- > pool->size;) {
    pool->slots[slot].used = FALSE;
    pool->slots[slot].next = pool->free;
    pool->free = slot;
  }
  pool->size = size;
}

guint32
mad_pool_put (MadPool *pool, const IbMad *mad)
{
  guint32 slot;

  if (pool->free == MAD_POOL_NONE)
    pool_grow (pool);
  slot = pool->free;
  pool->free = pool->slots[slot].next;
  pool->slots[slot].used = TRUE;
  pool->slots[slot].mad = *mad;
  pool->count++;
  return slot;
}

void
mad_pool_take (MadPool *pool, guint32 slot, IbMad *ret_mad)
{
  g_assert (slot < pool->size && pool->slots[slot].used);
  *ret_mad = pool->slots[slot].mad;
  pool->slots[slot].used = FALSE;
  pool->slots[slot].next = pool->free;
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

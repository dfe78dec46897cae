/* Objects of one size, by the million: taken from chunks that never move.
 *
 * Chunks grow with the number of objects, so that a small world costs little and a large
 * one few allocations.  Memory that was never handed out is never touched.  What is put
 * back is taken again first.  Zero-initialise; the owner clears it in the end, which
 * frees all objects. */
#pragma once

#include "sim_arena.h"

#define SIM_SLAB_CHUNKS 64

typedef struct {
  char *chunks[SIM_SLAB_CHUNKS];
  gpointer free;    /* put back, linked through their first bytes */
  char *next, *end; /* rest of the last chunk */
  SimArena *arena;
  gsize item_size;
  guint n_chunks;
  guint count; /* handed out */
} SimSlab;

/* item_size: at least 8 bytes, rounded up to a multiple of 8.  arena: of its chunks, or NULL. */
void sim_slab_init (SimSlab *slab, SimArena *arena, gsize item_size);
void sim_slab_clear (SimSlab *slab);
void sim_slab_grow (SimSlab *slab); /* private */

/* Calls see (item, data) for every item that was ever handed out, also those that were put back. */
void sim_slab_each (const SimSlab *slab, void (*see) (gpointer item, gpointer data), gpointer data);

/* Uninitialised. */
static inline gpointer
sim_slab_take (SimSlab *slab)
{
  gpointer item = slab->free;

  slab->count++;
  if (item) {
    slab->free = *(gpointer *) item;
    return item;
  }
  if (slab->next == slab->end)
    sim_slab_grow (slab);
  item = slab->next;
  slab->next += slab->item_size;
  return item;
}

static inline void
sim_slab_put (SimSlab *slab, gpointer item)
{
  *(gpointer *) item = slab->free;
  slab->free = item;
  slab->count--;
}

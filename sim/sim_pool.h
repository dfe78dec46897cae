/* The records of pending events: 32 bytes each, named by a slot number.
 *
 * Records live in chunks that never move and all go at the end; a steady state allocates
 * nothing, because a slot that was put back is taken again first.  Each use of a slot has
 * a generation of its own, so that the pair names one event for good: a slot whose
 * generations are used up is never used again (32 bytes lost in a million events). */
#pragma once

#include <glib.h>

typedef struct SimEventClass SimEventClass;

typedef struct {
  union {
    const SimEventClass *klass; /* NULL: the standing entry of a timer */
    guint64 next_free;          /* while the slot is free */
  };
  gpointer owner;
  guint64 arg;
  guint64 stamp; /* sequence number << SIM_GENERATION_BITS | generation */
} SimEventRecord;

#define SIM_GENERATION_BITS 20
#define SIM_GENERATION_MASK ((1u << SIM_GENERATION_BITS) - 1)
/* 44 bits: at ten million events a second, three weeks. */
#define SIM_SEQUENCE_MAX (G_MAXUINT64 >> SIM_GENERATION_BITS)
#define SIM_SLOT_NONE G_MAXUINT32

#define SIM_POOL_BITS 16
#define SIM_POOL_MASK ((1u << SIM_POOL_BITS) - 1)

typedef struct {
  SimEventRecord **chunks;
  guint32 n_chunks, chunks_size;
  guint32 fresh;      /* slots from here on were never used */
  guint32 first_free; /* SIM_SLOT_NONE: none was put back */
} SimPool;

void sim_pool_init (SimPool *pool);
void sim_pool_clear (SimPool *pool);
guint32 sim_pool_take_fresh (SimPool *pool); /* private */

static inline SimEventRecord *
sim_pool_at (const SimPool *pool, guint32 slot)
{
  return &pool->chunks[slot >> SIM_POOL_BITS][slot & SIM_POOL_MASK];
}

/* Names one use of a slot: generation << 32 | slot; never 0. */
static inline guint64
sim_pool_id (guint32 generation, guint32 slot)
{
  return (guint64) generation << 32 | slot;
}

static inline guint32
sim_record_generation (const SimEventRecord *record)
{
  return (guint32) record->stamp & SIM_GENERATION_MASK;
}

/* A slot whose record holds nothing but its generation, which is never 0. */
static inline guint32
sim_pool_take (SimPool *pool)
{
  guint32 slot = pool->first_free;

  if (G_UNLIKELY (slot == SIM_SLOT_NONE))
    return sim_pool_take_fresh (pool);
  pool->first_free = (guint32) sim_pool_at (pool, slot)->next_free;
  return slot;
}

static inline void
sim_pool_put (SimPool *pool, SimEventRecord *record, guint32 slot)
{
  guint32 generation = (sim_record_generation (record) + 1) & SIM_GENERATION_MASK;

  record->stamp = generation; /* and no sequence number */
  if (G_LIKELY (generation != 0)) {
    record->next_free = pool->first_free;
    pool->first_free = slot;
  }
}

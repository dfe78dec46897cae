/* What the files of the ladder share. */
#pragma once

#include "sim_ladder.h"

/* Slots in use from which on records are asked for ahead of time: the records of fewer
 * stay in the second-level cache. */
#define SIM_LADDER_PREFETCH 8192

static inline gboolean
sim_ladder_announces (const SimLadder *ladder)
{
  return ladder->announces && ladder->pool->fresh > SIM_LADDER_PREFETCH;
}

/* Asking for what is at NULL costs a walk through the page tables each time. */
static inline void
sim_ladder_prefetch_owner (const SimLadder *ladder, guint32 slot)
{
  gconstpointer owner = sim_pool_at (ladder->pool, slot)->owner;

  if (owner != NULL)
    sim_prefetch (owner);
}

/* ----- sim_ladder.c ----- */

static inline guint
sim_ladder_bottom_n (const SimLadder *ladder)
{
  return (guint) (ladder->last - ladder->bottom);
}

/* An event that need not be the latest of all. */
void sim_ladder_insert_old (SimLadder *ladder, guint64 key, guint64 id);
/* Memory for n entries in the bottom. */
void sim_ladder_bottom_reserve (SimLadder *ladder, guint64 n);

/* ----- sim_ladder_queue.c ----- */

/* By sequence number among entries with the same key.  There is memory for it. */
void sim_ladder_bottom_add_old (SimLadder *ladder, guint64 key, guint64 id);

/* The list becomes the queue; the old queue is empty. */
void sim_ladder_queue_give (SimLadder *ladder, SimChunkList list);
/* The bottom's entries with the least key go to the end of the queue.  FALSE: they cannot,
 * as the queue has a greater key, or the same one and some entry is old. */
gboolean sim_ladder_queue_equals (SimLadder *ladder);
/* The latest entry of all, and those of the bottom with the same key, go to the queue, if
 * there are several and they can; else FALSE. */
gboolean sim_ladder_queue_add (SimLadder *ladder, guint64 key, guint64 id);
/* A list with one key goes to the queue or the bottom; both are empty. */
void sim_ladder_open_equals (SimLadder *ladder, SimChunkList list);

/* The greatest key of the queue; 0 if it is empty. */
static inline guint64
sim_ladder_queue_last (const SimLadder *ladder)
{
  return ladder->queue.n > 0 ? ladder->queue.end[-1].key : 0;
}

/* ----- sim_ladder_remove.c ----- */

/* A dead entry was taken out. */
void sim_ladder_forget (SimLadder *ladder, SimEntry entry);

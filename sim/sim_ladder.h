/* The default future event list: a ladder of buckets over a short sorted array.
 *
 * From the far future to the present, an event passes through
 *
 *   top      a list of all keys from top_start on, in the order of insertion
 *   rungs    up to 1024 buckets each; a bucket is a list, and its width a power of two.
 *            Each rung covers one bucket of the rung above (the first one: what was the
 *            top), so the last rung is the nearest
 *   bottom   a sorted array, the least key at the end, so that what is due soon is put
 *            in and taken out there
 *   queue    a sorted list beside the bottom; the first of both is taken.  A top that
 *            happens to be sorted, as constant delays make it, becomes the queue without
 *            being touched, and so do thousands of events at one instant
 *
 * Every event is moved two to four times by sequential copies, however many there are;
 * only the few in the bottom are compared with each other.  A few events in all live in
 * the bottom alone.
 *
 * Lists keep the order of insertion, so events with equal keys need no comparison of
 * their sequence numbers; only entries marked SIM_ENTRY_OLD do.  A removed entry stays
 * where it is, and is known by its generation when it comes out or when a sweep finds it:
 * there are never more of these than live ones (and a thousand).
 *
 * The frequent paths are in this header, for sim_engine.c; nobody else includes it. */
#pragma once

#include "sim_chunks.h"
#include "sim_fel.h"

#define SIM_RUNG_BUCKETS 1024u
#define SIM_LADDER_RUNGS 24u
#define SIM_KEY_MAX G_MAXUINT64 /* above the key of every event */

typedef struct {
  guint64 start; /* keys from here to the start of the rung above belong here */
  guint64 base, end; /* range of the buckets, end excluded */
  guint64 n;
  guint shift;   /* a bucket is 2^shift keys wide */
  guint buckets;
  guint current; /* the buckets before this one have been emptied */
  guint64 used[SIM_RUNG_BUCKETS / 64]; /* a bit for each bucket that has entries */
  SimChunkList bucket[SIM_RUNG_BUCKETS];
} SimRung;

typedef struct {
  /* bottom[1] .. *last, greatest key first.  bottom[0] is no entry: its key is the end of
   * the bottom's range, where the last rung or the top starts, and its id SIM_ENTRY_END. */
  SimEntry *bottom, *last;
  SimEntry *limit; /* insertions do not let `last` grow beyond, if they can */

  guint64 queue_key; /* of queue_next; SIM_KEY_MAX: the queue is empty */
  const SimEntry *queue_next;
  SimChunkList queue; /* what is left of it */

  SimChunkList top;
  guint64 top_start, top_min, top_max;
  gboolean top_unsorted;

  guint n_rungs;
  SimRung *rungs[SIM_LADDER_RUNGS]; /* those beyond n_rungs are empty, or NULL */

  const SimPool *pool;
  gboolean announces; /* asks for records and owners ahead: the engine, which needs them, sets it */
  SimChunkStore store;
  gsize bottom_size;
  gsize dead;     /* entries whose event was removed */
  gsize dead_max; /* time to think of a sweep */
  gsize old;      /* entries marked SIM_ENTRY_OLD, dead ones included */
} SimLadder;

static inline guint64
sim_ladder_key (SimTime time, guint64 order)
{
  return (guint64) time << 1 | order >> 62;
}

/* The last key that an event at this time can have. */
static inline guint64
sim_ladder_until (SimTime time)
{
  return (guint64) time << 1 | 1;
}

/* Private.  They return id, so that inserting ends with a jump to them, and are not inlined,
 * as that would cost the frequent case saved registers. */
guint64 sim_ladder_insert_elsewhere (SimLadder *ladder, guint64 key, guint64 id) G_NO_INLINE;
guint64 sim_ladder_insert_before_top (SimLadder *ladder, guint64 key, guint64 id) G_NO_INLINE;
guint64 sim_ladder_insert_new_chunk (SimLadder *ladder, guint64 key, guint64 id) G_NO_INLINE;

/* The latest event of all.  Returns id. */
static inline guint64
sim_ladder_insert (SimLadder *ladder, guint64 key, guint64 id)
{
  SimEntry *last = ladder->last;

  if (key < last->key && last < ladder->limit) {
    last[1].key = key; /* the new first one */
    last[1].id = id;
    ladder->last = last + 1;
    return id;
  }
  if (key < ladder->top_start)
    return sim_ladder_insert_elsewhere (ladder, key, id);
  if (key < ladder->top_min)
    return sim_ladder_insert_before_top (ladder, key, id);
  if (!sim_chunk_list_has_room (&ladder->top))
    return sim_ladder_insert_new_chunk (ladder, key, id);
  sim_chunk_list_push (&ladder->top, key, id);
  if (key >= ladder->top_max)
    ladder->top_max = key;
  else
    ladder->top_unsorted = TRUE;
  return id;
}

static inline gboolean
sim_ladder_is_live (const SimLadder *ladder, SimEntry entry)
{
  const SimEventRecord *record = sim_pool_at (ladder->pool, (guint32) entry.id);

  return ((record->stamp ^ entry.id >> 32) & SIM_GENERATION_MASK) == 0;
}

gboolean sim_ladder_refill (SimLadder *ladder);               /* private */
SimEntry sim_ladder_queue_next_chunk (SimLadder *ladder);     /* private */
gboolean sim_ladder_queue_is_first (const SimLadder *ladder); /* private */

/* Of the first entries of queue and bottom, that of the queue is next. */
static inline gboolean
sim_ladder_queue_wins (const SimLadder *ladder, guint64 key_in_bottom)
{
  return ladder->queue_key < key_in_bottom ||
         (ladder->queue_key == key_in_bottom && ladder->queue.n > 0 &&
          sim_ladder_queue_is_first (ladder));
}

/* The queue is not empty. */
static inline SimEntry
sim_ladder_queue_pop (SimLadder *ladder)
{
  const SimEntry *next = ladder->queue_next;

  if (G_UNLIKELY (ladder->queue.n == 1 || ((guintptr) (next + 1) & (SIM_CHUNK_BYTES - 1)) == 0))
    return sim_ladder_queue_next_chunk (ladder);
  ladder->queue.n--;
  ladder->queue_next = next + 1;
  ladder->queue_key = next[1].key;
  return *next;
}

/* Removes the first entry, dead or alive, if its key is not after until. */
static inline gboolean
sim_ladder_pop_any (SimLadder *ladder, guint64 until, SimEntry *ret_entry)
{
  for (;;) {
    SimEntry *last = ladder->last;
    SimEntry entry = *last;

    if (ladder->queue_key <= entry.key && sim_ladder_queue_wins (ladder, entry.key)) {
      if (ladder->queue_key > until)
        return FALSE;
      entry = sim_ladder_queue_pop (ladder);
      last++;
    } else if (entry.key > until) {
      return FALSE; /* what the bottom's range begins or ends with */
    }
    if (G_UNLIKELY ((entry.id & SIM_ENTRY_OLD) != 0)) {
      if (entry.id == SIM_ENTRY_END) {
        if (!sim_ladder_refill (ladder))
          return FALSE;
        continue;
      }
      ladder->old--;
    }
    ladder->last = last - 1;
    *ret_entry = entry;
    return TRUE;
  }
}

/* Removes the first entry that is live if its key is not after until.  Returns its record;
 * NULL: there is none. */
static inline SimEventRecord *
sim_ladder_pop (SimLadder *ladder, const SimPool *pool, guint64 until, SimEntry *ret_entry)
{
  while (sim_ladder_pop_any (ladder, until, ret_entry)) {
    SimEventRecord *record = sim_pool_at (pool, (guint32) ret_entry->id);
    if (G_LIKELY (((record->stamp ^ ret_entry->id >> 32) & SIM_GENERATION_MASK) == 0))
      return record;
    ladder->dead--;
  }
  return NULL;
}

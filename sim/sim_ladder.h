/* The default future event list: a ladder of buckets over a short sorted array.
 *
 * From the far future to the present, an event passes through
 *
 *   top      an unsorted list of all keys from top_start on
 *   rungs    up to 1024 buckets each; a bucket is a list, and its width a power of two.
 *            Each rung covers one bucket of the rung above (the first one: what was the
 *            top), so the last rung is the nearest
 *   bottom   a sorted array, the least key at the end, so that what is due soon is put
 *            in and taken out there
 *   bunch    a list of entries with one key, that of the first entry of the bottom when
 *            the bunch was begun: thousands of events at one instant stay a list
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
  const SimPool *pool;
  SimChunkStore store;

  /* bottom[1] .. bottom[n_bottom], greatest key first.  bottom[0] is no entry: its key is
   * the end of the bottom's range, where the last rung or the top starts. */
  SimEntry *bottom;
  guint n_bottom;
  guint bottom_room; /* insertions make it no longer, if they can */
  guint bottom_size; /* of the array */

  SimChunkList bunch; /* what is left of it */
  const SimEntry *bunch_next;
  guint64 bunch_key;

  SimChunkList top;
  guint64 top_start, top_min, top_max;

  guint n_rungs;
  SimRung *rungs[SIM_LADDER_RUNGS]; /* those beyond n_rungs are empty, or NULL */

  gsize live, dead; /* entries */
  gsize old;        /* entries marked SIM_ENTRY_OLD, dead ones included */
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

void sim_ladder_insert_elsewhere (SimLadder *ladder, SimEntry entry); /* private */
gboolean sim_ladder_refill (SimLadder *ladder);                       /* private */
SimEntry sim_ladder_bunch_pop (SimLadder *ladder);                    /* private */

static inline void
sim_ladder_top_add (SimLadder *ladder, SimEntry entry)
{
  sim_chunk_list_append (&ladder->store, &ladder->top, entry);
  if (entry.key < ladder->top_min)
    ladder->top_min = entry.key;
  if (entry.key > ladder->top_max)
    ladder->top_max = entry.key;
}

/* The latest event of all.  generation: of the record in that slot. */
static inline void
sim_ladder_insert (SimLadder *ladder, guint64 key, guint32 slot, guint32 generation)
{
  SimEntry entry = { .key = key, .slot = slot, .tag = generation };
  guint n = ladder->n_bottom;

  ladder->live++;
  if (key < ladder->bottom[n].key && ladder->bunch.n == 0 && n < ladder->bottom_room) {
    ladder->bottom[n + 1] = entry; /* the new first one */
    ladder->n_bottom = n + 1;
  } else if (key >= ladder->top_start) {
    sim_ladder_top_add (ladder, entry);
  } else {
    sim_ladder_insert_elsewhere (ladder, entry);
  }
}

static inline gboolean
sim_ladder_is_live (const SimLadder *ladder, SimEntry entry)
{
  const SimEventRecord *record = sim_pool_at (ladder->pool, entry.slot);

  return sim_record_generation (record) == (entry.tag & SIM_GENERATION_MASK);
}

/* An entry has left the list; whether it was live. */
static inline gboolean
sim_ladder_left (SimLadder *ladder, SimEntry entry)
{
  gboolean live = sim_ladder_is_live (ladder, entry);

  if (G_UNLIKELY ((entry.tag & SIM_ENTRY_OLD) != 0))
    ladder->old--;
  if (G_LIKELY (live))
    ladder->live--;
  else
    ladder->dead--;
  return live;
}

/* Removes the first entry that is live if its key is not after until. */
static inline gboolean
sim_ladder_pop (SimLadder *ladder, guint64 until, SimEntry *ret_entry)
{
  for (;;) {
    SimEntry entry = ladder->bottom[ladder->n_bottom];

    if (G_UNLIKELY (ladder->bunch.n > 0) &&
        (ladder->n_bottom == 0 || entry.key > ladder->bunch_key)) {
      if (ladder->bunch_key > until)
        return FALSE;
      entry = sim_ladder_bunch_pop (ladder);
    } else if (G_LIKELY (ladder->n_bottom > 0)) {
      if (entry.key > until)
        return FALSE;
      ladder->n_bottom--;
    } else {
      if (!sim_ladder_refill (ladder))
        return FALSE;
      continue;
    }
    if (G_LIKELY (sim_ladder_left (ladder, entry))) {
      *ret_entry = entry;
      return TRUE;
    }
  }
}

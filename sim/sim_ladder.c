/* The ladder: how entries come down to the bottom, and where new ones go.  See
 * sim_ladder.h for the parts; taking entries away is in sim_ladder_remove.c.
 *
 * Invariants: every key in the top >= top_start; the ranges of the rungs follow one
 * another downwards without a gap; bottom[0].key is where the last of them starts, and
 * every key of the bottom and of the queue is below it. */
#include "sim_ladder_private.h"

#include <string.h>

/* A bucket with up to so many entries is sorted as it is; one with more becomes a rung. */
#define SORT_MAX 64
/* What a rung is laid out for. */
#define ENTRIES_PER_BUCKET 3
/* Buckets are emptied into the bottom until it holds so many: some look-ahead. */
#define GATHER 16
/* With so few events in all, the bottom is the whole list. */
#define FEW 32

/* ----- rungs ----- */

static inline void
rung_add (SimLadder *ladder, SimRung *rung, guint64 key, guint64 id)
{
  guint i = (guint) ((key - rung->base) >> rung->shift);

  rung->used[i / 64] |= (guint64) 1 << i % 64;
  rung->n++;
  sim_chunk_list_append (&ladder->store, &rung->bucket[i], key, id);
}

/* The first key of bucket i, which may be the one behind the last. */
static guint64
bucket_start (const SimRung *rung, guint i)
{
  return i < rung->buckets ? rung->base + ((guint64) i << rung->shift) : rung->end;
}

/* The first bucket in use; there is one. */
static guint
bucket_in_use (const SimRung *rung)
{
  guint word = rung->current / 64;
  guint64 bits = rung->used[word];

  while (bits == 0)
    bits = rung->used[++word];
  return word * 64 + (guint) __builtin_ctzll (bits);
}

/* Takes bucket i, before which all are empty, out of the rung. */
static SimChunkList
bucket_take (SimRung *rung, guint i)
{
  SimChunkList list = rung->bucket[i];

  rung->bucket[i] = (SimChunkList){ .n = 0 };
  rung->used[i / 64] &= ~((guint64) 1 << i % 64);
  rung->n -= list.n;
  rung->current = i + 1;
  rung->start = bucket_start (rung, i + 1);
  return list;
}

/* A rung for n entries with keys in [base, end). */
static SimRung *
rung_open (SimLadder *ladder, guint64 base, guint64 end, guint64 n)
{
  SimRung *rung = ladder->rungs[ladder->n_rungs];
  guint64 buckets = CLAMP (n / ENTRIES_PER_BUCKET, 8, SIM_RUNG_BUCKETS);
  guint64 span = end - base - 1;
  guint bits = span != 0 ? 64u - (guint) __builtin_clzll (span) : 0;
  guint shift = bits > 10 ? bits - 10 : 0;

  if (rung == NULL)
    rung = ladder->rungs[ladder->n_rungs] = g_new0 (SimRung, 1);
  ladder->n_rungs++;
  while (span >> shift >= buckets)
    shift++;
  rung->start = rung->base = base;
  rung->end = end;
  rung->shift = shift;
  rung->buckets = (guint) (span >> shift) + 1;
  rung->current = 0;
  return rung; /* the rest was left empty by its last use */
}

static inline void
top_add (SimLadder *ladder, guint64 key, guint64 id)
{
  sim_chunk_list_append (&ladder->store, &ladder->top, key, id);
  if (key < ladder->top_max || (key == ladder->top_max && (id & SIM_ENTRY_OLD) != 0))
    ladder->top_unsorted = TRUE;
  ladder->top_min = MIN (ladder->top_min, key);
  ladder->top_max = MAX (ladder->top_max, key);
}

/* Into the rung, or into the top if there is none. */
static inline void
add_to (SimLadder *ladder, SimRung *rung, guint64 key, guint64 id)
{
  if (rung != NULL)
    rung_add (ladder, rung, key, id);
  else
    top_add (ladder, key, id);
}

static void
list_to (SimLadder *ladder, SimRung *rung, SimChunkList list)
{
  SimChunkReader reader = { .rest = list };
  const SimEntry *entries;
  guint n;

  while ((entries = sim_chunk_reader_next (&ladder->store, &reader, &n)) != NULL)
    for (guint i = 0; i < n; i++)
      add_to (ladder, rung, entries[i].key, entries[i].id);
}

/* All rungs become part of the top.  Only a most unlikely order of insertions needs this:
 * two dozen times in a row, hundreds of events before nearly all others. */
static void
collapse (SimLadder *ladder)
{
  for (guint k = 0; k < ladder->n_rungs; k++) {
    SimRung *rung = ladder->rungs[k];
    while (rung->n > 0)
      list_to (ladder, NULL, bucket_take (rung, bucket_in_use (rung)));
  }
  ladder->n_rungs = 0;
  ladder->top_start = ladder->bottom[0].key;
}

/* ----- the bottom ----- */

/* Behind all entries with the same key, whose sequence numbers are smaller. */
static inline void
bottom_add (SimLadder *ladder, guint64 key, guint64 id)
{
  SimEntry *hole = ++ladder->last;

  for (; hole[-1].key <= key; hole--)
    hole[0] = hole[-1];
  hole->key = key;
  hole->id = id;
}

void
sim_ladder_bottom_reserve (SimLadder *ladder, guint64 n)
{
  guint used = sim_ladder_bottom_n (ladder);
  gsize limit = (gsize) (ladder->limit - ladder->bottom);

  if (n < ladder->bottom_size)
    return;
  g_assert (n < G_MAXUINT32 / 2);
  ladder->bottom_size = MAX (ladder->bottom_size * 2, n + 1);
  ladder->bottom = g_renew (SimEntry, ladder->bottom, ladder->bottom_size);
  ladder->last = ladder->bottom + used;
  ladder->limit = ladder->bottom + limit;
}

static void
list_to_bottom (SimLadder *ladder, SimChunkList list)
{
  SimChunkReader reader = { .rest = list };
  const SimEntry *entries;
  guint n;

  sim_ladder_bottom_reserve (ladder, sim_ladder_bottom_n (ladder) + list.n);
  while ((entries = sim_chunk_reader_next (&ladder->store, &reader, &n)) != NULL) {
    for (guint i = 0; i < n; i++) {
      if (G_UNLIKELY ((entries[i].id & SIM_ENTRY_OLD) != 0))
        sim_ladder_bottom_add_old (ladder, entries[i].key, entries[i].id);
      else
        bottom_add (ladder, entries[i].key, entries[i].id);
    }
  }
}

/* The range of the bottom now ends at start; what the bottom and the queue hold from there
 * on, the first `moved` entries of the bottom among it, goes to a new rung, or to the top
 * where that begins right behind the bottom. */
static void
cut (SimLadder *ladder, guint64 start, guint moved)
{
  SimEntry *bottom = ladder->bottom;
  SimChunkList kept = { .n = 0 };
  SimRung *rung = NULL;

  if (ladder->n_rungs == SIM_LADDER_RUNGS)
    collapse (ladder);
  else if (bottom[0].key != SIM_KEY_MAX &&
           (ladder->queue.n > 0 || ladder->top_start != bottom[0].key))
    rung = rung_open (ladder, start, bottom[0].key, moved + ladder->queue.n);
  if (rung == NULL) {
    ladder->n_rungs = 0; /* they are empty */
    ladder->top_start = start;
  }
  bottom[0].key = start;
  while (ladder->queue.n > 0) {
    SimEntry entry = sim_ladder_queue_pop (ladder);
    if (entry.key < start)
      sim_chunk_list_append (&ladder->store, &kept, entry.key, entry.id);
    else
      add_to (ladder, rung, entry.key, entry.id);
  }
  sim_ladder_queue_give (ladder, kept);
  for (guint i = moved; i > 0; i--)
    add_to (ladder, rung, bottom[i].key, bottom[i].id);
  ladder->last -= moved;
  memmove (&bottom[1], &bottom[moved + 1], sim_ladder_bottom_n (ladder) * sizeof *bottom);
}

/* The bottom has become too long: most of it moves up, or, if all keys are equal, to the
 * queue.  FALSE: it stays. */
static gboolean
bottom_split (SimLadder *ladder)
{
  SimEntry *bottom = ladder->bottom;
  guint n = sim_ladder_bottom_n (ladder);
  guint moved = n - GATHER;

  if (bottom[1].key == bottom[n].key) {
    if (sim_ladder_queue_last (ladder) > bottom[n].key)
      cut (ladder, bottom[n].key + 1, 0);
    return sim_ladder_queue_equals (ladder);
  }
  while (bottom[moved].key == bottom[n].key)
    moved--;
  while (bottom[moved + 1].key == bottom[moved].key)
    moved++;
  cut (ladder, bottom[moved].key, moved);
  return TRUE;
}

/* ----- insertion ----- */

/* The rung that an entry below the top belongs to; NULL: the bottom. */
static inline SimRung *
rung_of (const SimLadder *ladder, guint64 key)
{
  for (guint k = 0; k < ladder->n_rungs; k++)
    if (key >= ladder->rungs[k]->start)
      return ladder->rungs[k];
  return NULL;
}

guint64
sim_ladder_insert_new_chunk (SimLadder *ladder, guint64 key, guint64 id)
{
  top_add (ladder, key, id);
  return id;
}

/* Below the top. */
guint64
sim_ladder_insert_elsewhere (SimLadder *ladder, guint64 key, guint64 id)
{
  SimRung *rung = rung_of (ladder, key);

  if (rung != NULL) {
    rung_add (ladder, rung, key, id);
  } else if (ladder->last >= ladder->limit && bottom_split (ladder)) {
    if (key < ladder->top_start)
      return sim_ladder_insert_elsewhere (ladder, key, id);
    top_add (ladder, key, id);
  } else if (!sim_ladder_queue_add (ladder, key, id)) {
    sim_ladder_bottom_reserve (ladder, sim_ladder_bottom_n (ladder) + 1);
    bottom_add (ladder, key, id);
  }
  return id;
}

/* Before all of the top.  If nothing is between the top and the bottom, the bottom's range
 * reaches to the first of the top from now on: what is due soon is not mixed with what is
 * far, which may well be sorted. */
guint64
sim_ladder_insert_before_top (SimLadder *ladder, guint64 key, guint64 id)
{
  if (ladder->top.n == 0 || ladder->bottom[0].key != ladder->top_start) {
    top_add (ladder, key, id);
    return id;
  }
  ladder->n_rungs = 0; /* they are empty */
  ladder->bottom[0].key = ladder->top_start = ladder->top_min;
  return sim_ladder_insert_elsewhere (ladder, key, id);
}

void
sim_ladder_insert_old (SimLadder *ladder, guint64 key, guint64 id)
{
  SimRung *rung;

  id |= SIM_ENTRY_OLD;
  ladder->old++;
  if (key >= ladder->top_start) {
    top_add (ladder, key, id);
  } else if ((rung = rung_of (ladder, key)) != NULL) {
    rung_add (ladder, rung, key, id);
  } else {
    sim_ladder_bottom_reserve (ladder, sim_ladder_bottom_n (ladder) + 1);
    sim_ladder_bottom_add_old (ladder, key, id);
  }
}

/* ----- the way down ----- */

/* A sorted top becomes the queue; a small one is sorted; else it becomes the first rung. */
static void
open_top (SimLadder *ladder)
{
  SimChunkList list = ladder->top;
  gboolean sorted = !ladder->top_unsorted;
  guint64 base = ladder->top_min;
  guint64 end = ladder->top_max + 1;

  ladder->top = (SimChunkList){ .n = 0 };
  ladder->top_min = SIM_KEY_MAX;
  ladder->top_max = 0;
  ladder->top_unsorted = FALSE;
  ladder->top_start = ladder->bottom[0].key = end;
  if (sorted) {
    sim_ladder_queue_give (ladder, list);
  } else if (list.n <= FEW) {
    ladder->top_start = ladder->bottom[0].key = SIM_KEY_MAX;
    list_to_bottom (ladder, list);
  } else {
    ladder->bottom[0].key = base;
    list_to (ladder, rung_open (ladder, base, end, list.n), list);
  }
}

/* Bucket i of the last rung holds many entries: a rung of their own. */
static void
open_bucket (SimLadder *ladder, SimRung *rung, guint i)
{
  SimChunkList list = bucket_take (rung, i);
  guint64 base = bucket_start (rung, i);

  ladder->bottom[0].key = rung->start;
  if (rung->shift == 0) {
    sim_ladder_open_equals (ladder, list);
  } else if (ladder->n_rungs == SIM_LADDER_RUNGS) {
    ladder->bottom[0].key = base;
    list_to (ladder, NULL, list);
    collapse (ladder);
  } else {
    ladder->bottom[0].key = base;
    list_to (ladder, rung_open (ladder, base, rung->start, list.n), list);
  }
}

/* What is in the bottom now will soon touch its owners, what comes next its records; with
 * many events pending these are in no cache. */
static void
prefetch_ahead (const SimLadder *ladder, const SimRung *rung)
{
  guint asked = 0;

  for (const SimEntry *entry = ladder->last; entry > ladder->bottom; entry--)
    sim_ladder_prefetch_owner (ladder, (guint32) entry->id);
  if (rung->n == 0)
    return;
  for (guint word = rung->current / 64; word < SIM_RUNG_BUCKETS / 64 && asked < GATHER; word++) {
    for (guint64 bits = rung->used[word]; bits != 0 && asked < GATHER; bits &= bits - 1) {
      const SimChunkList *list = &rung->bucket[word * 64 + (guint) __builtin_ctzll (bits)];
      guint n = (guint) MIN (list->n, SIM_CHUNK_ENTRIES);
      for (guint i = 0; i < n; i++)
        sim_prefetch (sim_pool_at (ladder->pool, (guint32) list->head->entries[i].id));
      asked += n;
    }
  }
}

/* Empties buckets of the last rung, from i on, into the bottom.  The later ones go in first:
 * each is then sorted by itself, as all its keys are below those of the one before. */
static void
gather (SimLadder *ladder, SimRung *rung, guint i)
{
  SimChunkList lists[GATHER];
  guint n = 0;
  guint64 total = 0;

  for (;;) {
    lists[n] = bucket_take (rung, i);
    total += lists[n++].n;
    if (total >= GATHER || rung->n == 0) /* n <= total: a bucket in use is not empty */
      break;
    i = bucket_in_use (rung);
    if (rung->bucket[i].n > SORT_MAX)
      break;
  }
  ladder->bottom[0].key = rung->start;
  while (n > 0)
    list_to_bottom (ladder, lists[--n]);
  if (sim_ladder_announces (ladder))
    prefetch_ahead (ladder, rung);
}

/* Bottom and queue are empty: fills one of them.  FALSE: the whole list is empty. */
gboolean
sim_ladder_refill (SimLadder *ladder)
{
  while (ladder->last == ladder->bottom && ladder->queue.n == 0) {
    if (ladder->n_rungs == 0) {
      if (ladder->top.n == 0) {
        ladder->top_start = ladder->bottom[0].key = SIM_KEY_MAX;
        return FALSE;
      }
      open_top (ladder);
      continue;
    }
    SimRung *rung = ladder->rungs[ladder->n_rungs - 1];
    if (rung->n == 0) {
      ladder->bottom[0].key = rung->end;
      ladder->n_rungs--;
      continue;
    }
    guint i = bucket_in_use (rung);
    if (rung->bucket[i].n <= SORT_MAX)
      gather (ladder, rung, i);
    else
      open_bucket (ladder, rung, i);
  }
  return TRUE;
}

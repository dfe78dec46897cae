/* The ladder: entries with equal keys, and the queue.
 *
 * The queue is a list whose first chunk may have been read in part: queue_next is where
 * reading goes on. */
#include "sim_ladder_private.h"

#include <string.h>

static guint64
sequence_of (const SimLadder *ladder, guint64 id)
{
  return sim_pool_at (ladder->pool, (guint32) id)->stamp >> SIM_GENERATION_BITS;
}

/* An entry that was removed has no sequence number any more: it does not count. */
void
sim_ladder_bottom_add_old (SimLadder *ladder, guint64 key, guint64 id)
{
  guint64 sequence = sequence_of (ladder, id);
  SimEntry *at = ++ladder->last; /* where entry goes, and all from there on one up */

  while (at[-1].key < key)
    at--;
  for (SimEntry *equal = at - 1; equal->key == key; equal--)
    if (sim_ladder_is_live (ladder, *equal) && sequence_of (ladder, equal->id) < sequence)
      at = equal;
  memmove (at + 1, at, (gsize) (ladder->last - at) * sizeof *at);
  at->key = key;
  at->id = id;
}

/* ----- the queue ----- */

/* The records of the next chunk, and the owners of this one, whose records were asked for a
 * chunk ago. */
static void
prefetch_ahead (const SimLadder *ladder)
{
  const SimChunk *chunk = ladder->queue.head;
  guint here = (guint) MIN (ladder->queue.n, SIM_CHUNK_ENTRIES);
  guint next = (guint) MIN (ladder->queue.n - here, SIM_CHUNK_ENTRIES);

  for (guint i = 0; i < here; i++)
    sim_ladder_prefetch_owner (ladder, (guint32) chunk->entries[i].id);
  if (next == 0)
    return;
  chunk = chunk->next;
  for (guint i = 0; i < next; i++)
    sim_prefetch (sim_pool_at (ladder->pool, (guint32) chunk->entries[i].id));
  if (ladder->queue.n > here + next)
    sim_chunk_prefetch (chunk->next);
}

void
sim_ladder_queue_give (SimLadder *ladder, SimChunkList list)
{
  ladder->queue = list;
  ladder->queue_next = list.n > 0 ? list.head->entries : NULL;
  ladder->queue_key = list.n > 0 ? ladder->queue_next->key : SIM_KEY_MAX;
}

/* Takes the last entry of the queue, or of its first chunk. */
SimEntry
sim_ladder_queue_next_chunk (SimLadder *ladder)
{
  SimChunkList *queue = &ladder->queue;
  SimEntry entry = *ladder->queue_next;
  SimChunk *done = queue->head;

  queue->n--;
  if (queue->n == 0) {
    sim_ladder_queue_give (ladder, (SimChunkList){ .n = 0 });
  } else {
    queue->head = done->next;
    ladder->queue_next = queue->head->entries;
    ladder->queue_key = ladder->queue_next->key;
    if (sim_ladder_announces (ladder))
      prefetch_ahead (ladder);
  }
  sim_chunk_free (&ladder->store, done);
  return entry;
}

static void
queue_add (SimLadder *ladder, guint64 key, guint64 id)
{
  sim_chunk_list_append (&ladder->store, &ladder->queue, key, id);
  if (ladder->queue.n == 1)
    sim_ladder_queue_give (ladder, ladder->queue);
}

gboolean
sim_ladder_queue_equals (SimLadder *ladder)
{
  guint64 key = ladder->last->key;
  guint64 last = sim_ladder_queue_last (ladder);

  if (last > key || (last == key && ladder->old > 0))
    return FALSE;
  for (; ladder->last->key == key; ladder->last--) /* the end of the range is no such key */
    queue_add (ladder, ladder->last->key, ladder->last->id);
  return TRUE;
}

/* A few equal entries are moved faster than they are taken to the queue. */
gboolean
sim_ladder_queue_add (SimLadder *ladder, guint64 key, guint64 id)
{
  const SimEntry *last = ladder->last;

  if (last - ladder->bottom < 4 || last[0].key != key || last[-3].key != key ||
      !sim_ladder_queue_equals (ladder))
    return FALSE;
  queue_add (ladder, key, id);
  return TRUE;
}

/* The first entries of queue and bottom have the same key.  One that is dead goes first,
 * so that the one behind it is compared. */
gboolean
sim_ladder_queue_is_first (const SimLadder *ladder)
{
  SimEntry in_queue = *ladder->queue_next;
  SimEntry in_bottom = *ladder->last;

  if (!sim_ladder_is_live (ladder, in_queue))
    return TRUE;
  return sim_ladder_is_live (ladder, in_bottom) &&
         sequence_of (ladder, in_queue.id) < sequence_of (ladder, in_bottom.id);
}

/* ----- many entries with one key ----- */

/* The later one first, as in the bottom. */
static int
compare_sequence (gconstpointer a, gconstpointer b, gpointer ladder)
{
  guint64 x = sequence_of (ladder, ((const SimEntry *) a)->id);
  guint64 y = sequence_of (ladder, ((const SimEntry *) b)->id);

  return (x < y) - (x > y);
}

/* A list is sorted but for its old entries, if there are any. */
void
sim_ladder_open_equals (SimLadder *ladder, SimChunkList list)
{
  SimChunkReader reader = { .rest = list };
  const SimEntry *entries;
  guint n;

  if (ladder->old == 0) {
    sim_ladder_queue_give (ladder, list);
    return;
  }
  sim_ladder_bottom_reserve (ladder, list.n);
  while ((entries = sim_chunk_reader_next (&ladder->store, &reader, &n)) != NULL)
    for (guint i = 0; i < n; i++)
      if (sim_ladder_is_live (ladder, entries[i]))
        *++ladder->last = entries[i];
      else
        sim_ladder_forget (ladder, entries[i]);
  g_qsort_with_data (&ladder->bottom[1], (gint) sim_ladder_bottom_n (ladder), sizeof (SimEntry),
                     compare_sequence, ladder);
}

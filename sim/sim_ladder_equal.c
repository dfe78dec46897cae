/* The ladder: entries with equal keys.
 *
 * The bunch is a list whose first chunk may have been read in part: bunch_next is where
 * reading goes on. */
#include "sim_ladder_private.h"

#include <string.h>

static guint64
sequence_of (const SimLadder *ladder, SimEntry entry)
{
  return sim_pool_at (ladder->pool, entry.slot)->stamp >> SIM_GENERATION_BITS;
}

/* An entry that was removed has no sequence number any more: it does not count. */
void
sim_ladder_bottom_add_old (SimLadder *ladder, SimEntry entry)
{
  SimEntry *bottom = ladder->bottom;
  guint64 sequence = sequence_of (ladder, entry);
  guint at = ladder->n_bottom + 1;

  while (bottom[at - 1].key < entry.key)
    at--;
  for (guint i = at - 1; bottom[i].key == entry.key; i--)
    if (sim_ladder_is_live (ladder, bottom[i]) && sequence_of (ladder, bottom[i]) < sequence)
      at = i;
  memmove (&bottom[at + 1], &bottom[at], (ladder->n_bottom + 1 - at) * sizeof *bottom);
  bottom[at] = entry;
  ladder->n_bottom++;
}

/* ----- the bunch ----- */

gboolean
sim_ladder_bunch_add (SimLadder *ladder, SimEntry entry)
{
  if (ladder->bunch.n == 0) {
    if (ladder->n_bottom == 0 || entry.key != ladder->bottom[ladder->n_bottom].key)
      return FALSE;
    ladder->bunch_key = entry.key;
  } else if (entry.key != ladder->bunch_key) {
    return FALSE;
  }
  sim_chunk_list_append (&ladder->store, &ladder->bunch, entry);
  if (ladder->bunch.n == 1)
    ladder->bunch_next = ladder->bunch.head->entries;
  return TRUE;
}

SimEntry
sim_ladder_bunch_pop (SimLadder *ladder)
{
  SimChunkList *bunch = &ladder->bunch;
  SimEntry entry = *ladder->bunch_next++;

  bunch->n--;
  if (bunch->n == 0) {
    sim_chunk_free (&ladder->store, bunch->head);
    *bunch = (SimChunkList){ .n = 0 };
  } else if (((guintptr) ladder->bunch_next & (SIM_CHUNK_BYTES - 1)) == 0) {
    SimChunk *done = bunch->head;
    bunch->head = done->next;
    ladder->bunch_next = bunch->head->entries;
    sim_chunk_free (&ladder->store, done);
    if (ladder->pool->fresh > SIM_LADDER_PREFETCH) {
      guint ahead = (guint) MIN (bunch->n, SIM_CHUNK_ENTRIES);
      for (guint i = 0; i < ahead; i++)
        __builtin_prefetch (sim_pool_at (ladder->pool, ladder->bunch_next[i].slot), 1);
    }
  }
  return entry;
}

SimChunkList
sim_ladder_bunch_take (SimLadder *ladder)
{
  SimChunkList list = { .n = 0 };

  while (ladder->bunch.n > 0)
    sim_chunk_list_append (&ladder->store, &list, sim_ladder_bunch_pop (ladder));
  return list;
}

void
sim_ladder_bunch_dissolve (SimLadder *ladder)
{
  guint64 n = ladder->bunch.n;

  sim_ladder_bottom_reserve (ladder, ladder->n_bottom + n);
  SimEntry *bottom = ladder->bottom;
  guint above = ladder->n_bottom;
  while (above > 0 && bottom[above].key <= ladder->bunch_key)
    above--;
  memmove (&bottom[above + 1 + n], &bottom[above + 1], (ladder->n_bottom - above) * sizeof *bottom);
  for (guint64 at = above + n; ladder->bunch.n > 0; at--)
    bottom[at] = sim_ladder_bunch_pop (ladder);
  ladder->n_bottom += (guint) n;
}

gboolean
sim_ladder_bunch_all (SimLadder *ladder)
{
  if (ladder->bunch.n > 0)
    return FALSE;
  ladder->bunch_key = ladder->bottom[1].key;
  for (; ladder->n_bottom > 0; ladder->n_bottom--)
    sim_chunk_list_append (&ladder->store, &ladder->bunch, ladder->bottom[ladder->n_bottom]);
  ladder->bunch_next = ladder->bunch.head->entries;
  return TRUE;
}

/* The later one first, as in the bottom. */
static int
compare_sequence (gconstpointer a, gconstpointer b, gpointer ladder)
{
  guint64 x = sequence_of (ladder, *(const SimEntry *) a);
  guint64 y = sequence_of (ladder, *(const SimEntry *) b);

  return (x < y) - (x > y);
}

/* A list is sorted but for its old entries, if there are any. */
void
sim_ladder_bunch_give (SimLadder *ladder, SimChunkList list, guint64 key)
{
  if (ladder->old == 0) {
    ladder->bunch = list;
    ladder->bunch_next = list.head->entries;
    ladder->bunch_key = key;
    return;
  }

  SimChunkReader reader = { .rest = list };
  const SimEntry *entries;
  guint n;
  sim_ladder_bottom_reserve (ladder, list.n);
  while ((entries = sim_chunk_reader_next (&ladder->store, &reader, &n)) != NULL)
    for (guint i = 0; i < n; i++)
      if (sim_ladder_is_live (ladder, entries[i]))
        ladder->bottom[++ladder->n_bottom] = entries[i];
      else
        sim_ladder_left (ladder, entries[i]);
  g_qsort_with_data (&ladder->bottom[1], (gint) ladder->n_bottom, sizeof *ladder->bottom,
                     compare_sequence, ladder);
}

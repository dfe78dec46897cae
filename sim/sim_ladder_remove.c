/* The ladder: removal, and the rows that make it a future event list. */
#include "sim_ladder_private.h"

/* Dead entries that do not matter. */
#define DEAD_MIN 1024
#define BOTTOM_MAX 64

/* ----- sweeping ----- */

void
sim_ladder_forget (SimLadder *ladder, SimEntry entry)
{
  ladder->dead--;
  if ((entry.id & SIM_ENTRY_OLD) != 0)
    ladder->old--;
}

/* FALSE: the entry is alive. */
static gboolean
forget_dead (SimLadder *ladder, SimEntry entry)
{
  if (sim_ladder_is_live (ladder, entry))
    return FALSE;
  sim_ladder_forget (ladder, entry);
  return TRUE;
}

static void
sweep_list (SimLadder *ladder, SimChunkList *list)
{
  SimChunkReader reader = { .rest = *list };
  const SimEntry *entries;
  guint n;

  *list = (SimChunkList){ .n = 0 };
  while ((entries = sim_chunk_reader_next (&ladder->store, &reader, &n)) != NULL) {
    for (guint i = 0; i < n; i++)
      sim_prefetch (sim_pool_at (ladder->pool, (guint32) entries[i].id));
    for (guint i = 0; i < n; i++)
      if (!forget_dead (ladder, entries[i]))
        sim_chunk_list_append (&ladder->store, list, entries[i].key, entries[i].id);
  }
}

static void
sweep_rung (SimLadder *ladder, SimRung *rung)
{
  for (guint word = 0; word < SIM_RUNG_BUCKETS / 64; word++) {
    for (guint64 bits = rung->used[word]; bits != 0; bits &= bits - 1) {
      guint i = word * 64 + (guint) __builtin_ctzll (bits);
      rung->n -= rung->bucket[i].n;
      sweep_list (ladder, &rung->bucket[i]);
      rung->n += rung->bucket[i].n;
      if (rung->bucket[i].n == 0)
        rung->used[word] &= ~((guint64) 1 << i % 64);
    }
  }
}

static void
sweep (SimLadder *ladder)
{
  SimChunkList queue = { .n = 0 };
  SimEntry *kept = ladder->bottom;

  for (const SimEntry *entry = kept + 1; entry <= ladder->last; entry++)
    if (!forget_dead (ladder, *entry))
      *++kept = *entry;
  ladder->last = kept;
  while (ladder->queue.n > 0) {
    SimEntry entry = sim_ladder_queue_pop (ladder);
    sim_chunk_list_append (&ladder->store, &queue, entry.key, entry.id);
  }
  sweep_list (ladder, &queue);
  sim_ladder_queue_give (ladder, queue);
  sweep_list (ladder, &ladder->top);
  for (guint k = 0; k < ladder->n_rungs; k++)
    sweep_rung (ladder, ladder->rungs[k]);
}

/* ----- the row ----- */

static SimFel *
ladder_new (const SimPool *pool)
{
  SimLadder *ladder = g_new0 (SimLadder, 1);

  ladder->pool = pool;
  ladder->bottom_size = BOTTOM_MAX + 1;
  ladder->bottom = ladder->last = g_new (SimEntry, ladder->bottom_size);
  ladder->limit = ladder->bottom + BOTTOM_MAX;
  ladder->dead_max = DEAD_MIN;
  ladder->bottom[0] = (SimEntry){ .key = SIM_KEY_MAX, .id = SIM_ENTRY_END };
  ladder->top_start = ladder->top_min = ladder->queue_key = SIM_KEY_MAX;
  return (SimFel *) ladder;
}

static void
ladder_free (SimFel *fel)
{
  SimLadder *ladder = (SimLadder *) fel;

  for (guint k = 0; k < SIM_LADDER_RUNGS; k++)
    g_free (ladder->rungs[k]);
  sim_chunk_store_clear (&ladder->store);
  g_free (ladder->bottom);
  g_free (ladder);
}

static gsize
ladder_count (const SimFel *fel)
{
  const SimLadder *ladder = (const SimLadder *) fel;
  guint64 entries = sim_ladder_bottom_n (ladder) + ladder->queue.n + ladder->top.n;

  for (guint k = 0; k < ladder->n_rungs; k++)
    entries += ladder->rungs[k]->n;
  return entries - ladder->dead;
}

static void
ladder_insert (SimFel *fel, SimTime time, guint64 order, guint64 id)
{
  sim_ladder_insert ((SimLadder *) fel, sim_ladder_key (time, order), id);
}

static void
ladder_insert_old (SimFel *fel, SimTime time, guint64 order, guint64 id)
{
  sim_ladder_insert_old ((SimLadder *) fel, sim_ladder_key (time, order), id);
}

static void
ladder_remove (SimFel *fel, guint32 slot G_GNUC_UNUSED)
{
  SimLadder *ladder = (SimLadder *) fel;

  if (++ladder->dead <= ladder->dead_max)
    return;
  if (ladder->dead > ladder_count (fel) + DEAD_MIN)
    sweep (ladder);
  ladder->dead_max = ladder_count (fel) + DEAD_MIN;
}

static inline void
set_entry (SimFelEntry *ret_entry, SimEntry entry)
{
  ret_entry->time = (SimTime) (entry.key >> 1);
  ret_entry->id = entry.id & ~SIM_ENTRY_OLD;
}

/* Looks at what sim_ladder_pop () would take. */
static gboolean
ladder_peek (SimFel *fel, SimFelEntry *ret_entry)
{
  SimLadder *ladder = (SimLadder *) fel;

  for (;;) {
    SimEntry entry = *ladder->last;
    gboolean in_queue = sim_ladder_queue_wins (ladder, entry.key);
    if (in_queue) {
      entry = *ladder->queue_next;
    } else if (ladder->last == ladder->bottom) {
      if (!sim_ladder_refill (ladder))
        return FALSE;
      continue;
    }
    if (!forget_dead (ladder, entry)) {
      set_entry (ret_entry, entry);
      return TRUE;
    }
    if (in_queue)
      sim_ladder_queue_pop (ladder);
    else
      ladder->last--;
  }
}

static gboolean
ladder_pop (SimFel *fel, SimTime until, SimFelEntry *ret_entry)
{
  SimLadder *ladder = (SimLadder *) fel;
  SimEntry entry;

  while (sim_ladder_pop_any (ladder, sim_ladder_until (until), &entry)) {
    if (ladder->dead == 0 || sim_ladder_is_live (ladder, entry)) {
      set_entry (ret_entry, entry);
      return TRUE;
    }
    ladder->dead--;
  }
  return FALSE;
}

const SimFelClass sim_fel_ladder = {
  .name = "ladder",
  .help = "Ladder of buckets over a short sorted array: O(1) insert, remove and pop.",
  .new_ = ladder_new,
  .free_ = ladder_free,
  .insert = ladder_insert,
  .insert_old = ladder_insert_old,
  .remove = ladder_remove,
  .peek = ladder_peek,
  .pop = ladder_pop,
  .count = ladder_count,
};

/* The ladder: removal, and the rows that make it a future event list. */
#include "sim_ladder_private.h"

/* Dead entries that do not matter. */
#define DEAD_MIN 1024
#define BOTTOM_MAX 64

/* ----- sweeping ----- */

/* An entry without its event: forgets it. */
static gboolean
forget_dead (SimLadder *ladder, SimEntry entry)
{
  if (sim_ladder_is_live (ladder, entry))
    return FALSE;
  sim_ladder_left (ladder, entry);
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
      __builtin_prefetch (sim_pool_at (ladder->pool, entries[i].slot));
    for (guint i = 0; i < n; i++)
      if (!forget_dead (ladder, entries[i]))
        sim_chunk_list_append (&ladder->store, list, entries[i]);
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

void
sim_ladder_sweep (SimLadder *ladder)
{
  guint kept = 0;

  for (guint i = 1; i <= ladder->n_bottom; i++)
    if (!forget_dead (ladder, ladder->bottom[i]))
      ladder->bottom[++kept] = ladder->bottom[i];
  ladder->n_bottom = kept;
  if (ladder->bunch.n > 0) {
    SimChunkList list = sim_ladder_bunch_take (ladder);
    sweep_list (ladder, &list);
    ladder->bunch = list;
    ladder->bunch_next = list.n > 0 ? list.head->entries : NULL;
  }
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
  ladder->bottom_room = BOTTOM_MAX;
  ladder->bottom_size = BOTTOM_MAX + 1;
  ladder->bottom = g_new (SimEntry, ladder->bottom_size);
  ladder->bottom[0] = (SimEntry){ .key = SIM_KEY_MAX };
  ladder->top_start = ladder->top_min = SIM_KEY_MAX;
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

static guint32
generation_of (const SimLadder *ladder, guint32 slot)
{
  return sim_record_generation (sim_pool_at (ladder->pool, slot));
}

static void
ladder_insert (SimFel *fel, SimFelEntry entry)
{
  SimLadder *ladder = (SimLadder *) fel;

  sim_ladder_insert (ladder, sim_ladder_key (entry.time, entry.order), entry.slot,
                     generation_of (ladder, entry.slot));
}

static void
ladder_insert_old (SimFel *fel, SimFelEntry entry)
{
  SimLadder *ladder = (SimLadder *) fel;

  sim_ladder_insert_old (ladder, sim_ladder_key (entry.time, entry.order), entry.slot,
                         generation_of (ladder, entry.slot));
}

static void
ladder_remove (SimFel *fel, guint32 slot G_GNUC_UNUSED)
{
  SimLadder *ladder = (SimLadder *) fel;

  g_assert (ladder->live > 0);
  ladder->live--;
  if (++ladder->dead > ladder->live + DEAD_MIN)
    sim_ladder_sweep (ladder);
}

static SimFelEntry
fel_entry (const SimLadder *ladder, SimEntry entry)
{
  guint64 stamp = sim_pool_at (ladder->pool, entry.slot)->stamp;

  return (SimFelEntry){
    .time = (SimTime) (entry.key >> 1),
    .order = (entry.key & 1) << 62 | stamp >> SIM_GENERATION_BITS,
    .slot = entry.slot,
  };
}

/* Looks at what sim_ladder_pop () would take. */
static gboolean
ladder_peek (SimFel *fel, SimFelEntry *ret_entry)
{
  SimLadder *ladder = (SimLadder *) fel;

  for (;;) {
    SimEntry entry = ladder->bottom[ladder->n_bottom];
    gboolean in_bunch = ladder->bunch.n > 0 &&
                        (ladder->n_bottom == 0 || entry.key > ladder->bunch_key);
    if (in_bunch) {
      entry = *ladder->bunch_next;
    } else if (ladder->n_bottom == 0) {
      if (!sim_ladder_refill (ladder))
        return FALSE;
      continue;
    }
    if (!forget_dead (ladder, entry)) {
      *ret_entry = fel_entry (ladder, entry);
      return TRUE;
    }
    if (in_bunch)
      sim_ladder_bunch_pop (ladder);
    else
      ladder->n_bottom--;
  }
}

static gboolean
ladder_pop (SimFel *fel, SimTime until, SimFelEntry *ret_entry)
{
  SimLadder *ladder = (SimLadder *) fel;
  SimEntry entry;

  if (!sim_ladder_pop (ladder, sim_ladder_until (until), &entry))
    return FALSE;
  *ret_entry = fel_entry (ladder, entry);
  return TRUE;
}

static gsize
ladder_count (const SimFel *fel)
{
  return ((const SimLadder *) fel)->live;
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

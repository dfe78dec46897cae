/* Chunks of numbered records: each as large as all before it together, and one first chunk. */
#include "sim_numbered.h"

void
sim_numbered_init (SimNumbered *records, SimArena *arena, gsize item_size)
{
  *records = (SimNumbered){ .arena = arena,
                            .item_size = (MAX (item_size, sizeof (guint32)) + 7) & ~(gsize) 7 };
}

static gsize
chunk_bytes (const SimNumbered *records, guint chunk)
{
  return ((gsize) SIM_NUMBERED_FIRST << chunk) * records->item_size;
}

void
sim_numbered_clear (SimNumbered *records)
{
  for (guint c = 0; c < SIM_NUMBERED_CHUNKS; c++)
    sim_block_free (records->arena, records->chunks[c], chunk_bytes (records, c));
  *records = (SimNumbered){ .arena = records->arena, .item_size = records->item_size };
}

static void
need_chunk (SimNumbered *records, guint32 number)
{
  guint chunk = 25 - (guint) __builtin_clz (number - 1 + SIM_NUMBERED_FIRST);

  g_assert (chunk < SIM_NUMBERED_CHUNKS);
  if (!records->chunks[chunk])
    records->chunks[chunk] = sim_block_new (records->arena, chunk_bytes (records, chunk));
}

guint32
sim_numbered_take (SimNumbered *records)
{
  guint32 number = records->free;

  if (number)
    records->free = *(guint32 *) sim_numbered_at (records, number);
  else
    need_chunk (records, number = ++records->n);
  return number;
}

gpointer
sim_numbered_make (SimNumbered *records, guint32 number)
{
  need_chunk (records, number);
  return sim_numbered_at (records, number);
}

void
sim_numbered_put (SimNumbered *records, guint32 number)
{
  *(guint32 *) sim_numbered_at (records, number) = records->free;
  records->free = number;
}

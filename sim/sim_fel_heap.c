/* Future event list: the plain binary heap, in one array, with the position of every
 * slot beside it so that any entry can be removed in O(log n).
 *
 * Entries are moved through a hole: the entry in hand is written once, at the end. */
#include "sim_fel.h"

typedef struct {
  SimTime time;
  guint64 order;
  guint64 id;
} Entry;

struct SimFel {
  Entry *heap;
  guint32 n;
  guint32 heap_size;
  guint32 *position; /* of each slot in heap; meaningful for slots in the list only */
  guint32 position_size;
};

#define FIRST_SIZE 64

static SimFel *
heap_new (const SimPool *pool G_GNUC_UNUSED)
{
  SimFel *fel = g_new0 (SimFel, 1);

  fel->heap_size = fel->position_size = FIRST_SIZE;
  fel->heap = g_new (Entry, fel->heap_size);
  fel->position = g_new (guint32, fel->position_size);
  return fel;
}

static void
heap_free (SimFel *fel)
{
  g_free (fel->heap);
  g_free (fel->position);
  g_free (fel);
}

static inline gboolean
before (const Entry *a, const Entry *b)
{
  return a->time < b->time || (a->time == b->time && a->order < b->order);
}

static inline void
place (SimFel *fel, guint32 at, const Entry *entry)
{
  fel->heap[at] = *entry;
  fel->position[(guint32) entry->id] = at;
}

/* Writes entry at the hole or above it. */
static void
sift_up (SimFel *fel, guint32 hole, Entry entry)
{
  while (hole > 0) {
    guint32 parent = (hole - 1) / 2;
    if (!before (&entry, &fel->heap[parent]))
      break;
    place (fel, hole, &fel->heap[parent]);
    hole = parent;
  }
  place (fel, hole, &entry);
}

/* Takes the hole down to a leaf along the lesser children: one comparison a level. */
static guint32
sink_hole (SimFel *fel, guint32 hole)
{
  const guint32 n = fel->n;
  guint32 child = 2 * hole + 1;

  while (child + 1 < n) {
    child += before (&fel->heap[child + 1], &fel->heap[child]);
    place (fel, hole, &fel->heap[child]);
    hole = child;
    child = 2 * hole + 1;
  }
  if (child < n) {
    place (fel, hole, &fel->heap[child]);
    hole = child;
  }
  return hole;
}

/* Closes the hole with the last entry.  That one came from a leaf and nearly always
 * belongs near one; when the hole was in another branch it may even belong above the
 * hole, and sift_up goes there as well. */
static void
close_hole (SimFel *fel, guint32 hole)
{
  Entry last = fel->heap[--fel->n];

  if (hole < fel->n)
    sift_up (fel, sink_hole (fel, hole), last);
}

static void
heap_insert (SimFel *fel, SimTime time, guint64 order, guint64 id)
{
  Entry entry = { .time = time, .order = order, .id = id };
  guint32 slot = (guint32) id;

  if (G_UNLIKELY (fel->n == fel->heap_size)) {
    g_assert (fel->heap_size <= G_MAXUINT32 / 4); /* child indices stay in 32 bits */
    fel->heap_size *= 2;
    fel->heap = g_renew (Entry, fel->heap, fel->heap_size);
  }
  if (G_UNLIKELY (slot >= fel->position_size)) {
    g_assert (slot <= G_MAXUINT32 / 2);
    fel->position_size = MAX (fel->position_size * 2, slot + 1);
    fel->position = g_renew (guint32, fel->position, fel->position_size);
  }
  sift_up (fel, fel->n++, entry);
}

static void
heap_remove (SimFel *fel, guint32 slot)
{
  guint32 hole = slot < fel->position_size ? fel->position[slot] : G_MAXUINT32;

  g_assert (hole < fel->n && (guint32) fel->heap[hole].id == slot);
  close_hole (fel, hole);
}

static gboolean
heap_peek (SimFel *fel, SimFelEntry *ret_entry)
{
  if (fel->n == 0)
    return FALSE;
  *ret_entry = (SimFelEntry){ .time = fel->heap[0].time, .id = fel->heap[0].id };
  return TRUE;
}

static gboolean
heap_pop (SimFel *fel, SimTime until, SimFelEntry *ret_entry)
{
  if (fel->n == 0 || fel->heap[0].time > until)
    return FALSE;
  heap_peek (fel, ret_entry);
  close_hole (fel, 0);
  return TRUE;
}

static gsize
heap_count (const SimFel *fel)
{
  return fel->n;
}

const SimFelClass sim_fel_heap = {
  .name = "heap",
  .help = "Binary heap with an index of positions: O(log n) insert, remove and pop.",
  .new_ = heap_new,
  .free_ = heap_free,
  .insert = heap_insert,
  .insert_old = heap_insert,
  .remove = heap_remove,
  .peek = heap_peek,
  .pop = heap_pop,
  .count = heap_count,
};

/* Ends of jobs present: one number, or a ring once two were present at a time. */
#include "sim_line.h"

#define IS_RING ((guint64) 1 << 63) /* times and addresses leave this bit free */

typedef struct {
  SimTime last;            /* end of the latest job */
  guint head, count, size; /* size: a power of two */
  SimTime ends[];
} Ring;

enum { FIRST_SIZE = 8 };

static inline Ring *
ring_of (const SimLine *line)
{
  return line->word & IS_RING ? (Ring *) (gsize) (line->word & ~IS_RING) : NULL;
}

static inline SimTime
last_of (const SimLine *line)
{
  return line->word & IS_RING ? ring_of (line)->last : (SimTime) line->word;
}

static void
set_ring (SimLine *line, Ring *ring)
{
  line->word = (guint64) (gsize) ring | IS_RING;
}

void
sim_line_clear (SimLine *line)
{
  g_free (ring_of (line));
  *line = (SimLine){ .word = 0 };
}

static SimTime
ring_at (const Ring *ring, guint i)
{
  return ring->ends[(ring->head + i) & (ring->size - 1)];
}

guint
sim_line_present (SimLine *line, SimTime now)
{
  Ring *ring = ring_of (line);

  if (ring == NULL)
    return (SimTime) line->word > now;
  while (ring->count > 0 && ring_at (ring, 0) <= now) {
    ring->head = (ring->head + 1) & (ring->size - 1);
    ring->count--;
  }
  return ring->count;
}

SimTime
sim_line_end (const SimLine *line, guint i)
{
  const Ring *ring = ring_of (line);

  if (ring == NULL)
    return (SimTime) line->word;
  g_assert (i < ring->count);
  return ring_at (ring, i);
}

static Ring *
ring_new (guint size, SimTime last)
{
  Ring *ring = g_malloc (sizeof *ring + size * sizeof (SimTime));

  ring->last = last;
  ring->head = ring->count = 0;
  ring->size = size;
  return ring;
}

static void
ring_push (SimLine *line, SimTime end)
{
  Ring *ring = ring_of (line);

  if (ring->count == ring->size) {
    Ring *larger = ring_new (ring->size * 2, ring->last);
    for (guint i = 0; i < ring->count; i++)
      larger->ends[larger->count++] = ring_at (ring, i);
    g_free (ring);
    set_ring (line, larger);
    ring = larger;
  }
  ring->ends[(ring->head + ring->count++) & (ring->size - 1)] = end;
  ring->last = end;
}

void
sim_line_push (SimLine *line, SimTime now, SimTime end)
{
  guint present = sim_line_present (line, now);

  g_assert (end >= now && (present == 0 || end >= last_of (line)));
  if (!(line->word & IS_RING)) {
    if (present == 0 || end == now) {
      if ((SimTime) line->word < end)
        line->word = (guint64) end;
      return;
    }
    SimTime last = (SimTime) line->word;
    set_ring (line, ring_new (FIRST_SIZE, last));
    ring_push (line, last);
  }
  if (end > now)
    ring_push (line, end);
}

SimTime
sim_line_offer (SimLine *line, SimTime now, SimTime service)
{
  SimTime end = sim_time_add (MAX (last_of (line), now), service);

  sim_line_push (line, now, end);
  return end;
}

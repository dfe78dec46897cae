/* Ends of jobs present: one number, or a ring once two were present at a time. */
#include "sim_line.h"

struct SimLineRing {
  guint head, count, size; /* size: a power of two */
  SimTime ends[];
};

enum { FIRST_SIZE = 8 };

void
sim_line_clear (SimLine *line)
{
  g_free (line->ring);
  *line = (SimLine){ .last = 0 };
}

static SimTime
ring_at (const SimLineRing *ring, guint i)
{
  return ring->ends[(ring->head + i) & (ring->size - 1)];
}

guint
sim_line_present (SimLine *line, SimTime now)
{
  SimLineRing *ring = line->ring;

  if (ring == NULL)
    return line->last > now;
  while (ring->count > 0 && ring_at (ring, 0) <= now) {
    ring->head = (ring->head + 1) & (ring->size - 1);
    ring->count--;
  }
  return ring->count;
}

SimTime
sim_line_end (const SimLine *line, guint i)
{
  if (line->ring == NULL)
    return line->last;
  g_assert (i < line->ring->count);
  return ring_at (line->ring, i);
}

static SimLineRing *
ring_new (guint size)
{
  SimLineRing *ring = g_malloc (sizeof *ring + size * sizeof (SimTime));

  ring->head = ring->count = 0;
  ring->size = size;
  return ring;
}

static void
ring_push (SimLine *line, SimTime end)
{
  SimLineRing *ring = line->ring;

  if (ring->count == ring->size) {
    SimLineRing *larger = ring_new (ring->size * 2);
    for (guint i = 0; i < ring->count; i++)
      larger->ends[larger->count++] = ring_at (ring, i);
    g_free (ring);
    line->ring = ring = larger;
  }
  ring->ends[(ring->head + ring->count++) & (ring->size - 1)] = end;
}

void
sim_line_push (SimLine *line, SimTime now, SimTime end)
{
  guint present = sim_line_present (line, now);

  g_assert (end >= now && (present == 0 || end >= line->last));
  if (line->ring == NULL && present == 1 && end > now) {
    line->ring = ring_new (FIRST_SIZE);
    ring_push (line, line->last);
  }
  if (line->ring != NULL && end > now)
    ring_push (line, end);
  if (end > line->last)
    line->last = end;
}

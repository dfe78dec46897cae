/* First-in first-out server without events.
 *
 * Two things are enough to know all others.  The heap `ends` has one entry for each
 * worker that is busy now: the end of the last job given to it.  A job that finds no
 * worker idle starts at the least of them and replaces it by its own end.  The ring
 * `starts` has the starts of the jobs that wait now; they start in the order they
 * came, so the ring is sorted. */
#include "sim_fifo.h"

struct SimFifo {
  guint workers;
  guint capacity; /* G_MAXUINT: unbounded */
  SimTime now; /* latest time heard of */

  SimTime *ends; /* min-heap */
  guint busy;

  SimTime *starts;
  guint ring_size; /* power of two */
  guint head;      /* index of the first waiting job, modulo ring_size */
  guint waiting;

  SimTime busy_time;
  guint max_present;
  guint64 accepted;
  guint64 lost;
};

SimFifo *
sim_fifo_new (guint workers, guint capacity)
{
  g_assert (workers >= 1);
  SimFifo *fifo = g_new0 (SimFifo, 1);

  fifo->workers = workers;
  fifo->capacity = capacity != 0 ? capacity : G_MAXUINT;
  fifo->ends = g_new (SimTime, workers);
  fifo->ring_size = 8;
  fifo->starts = g_new (SimTime, fifo->ring_size);
  return fifo;
}

void
sim_fifo_free (SimFifo *fifo)
{
  if (fifo == NULL)
    return;
  g_free (fifo->ends);
  g_free (fifo->starts);
  g_free (fifo);
}

/* ----- the heap of busy workers ----- */

static void
ends_add (SimFifo *fifo, SimTime end)
{
  guint hole = fifo->busy++;

  while (hole > 0 && end < fifo->ends[(hole - 1) / 2]) {
    fifo->ends[hole] = fifo->ends[(hole - 1) / 2];
    hole = (hole - 1) / 2;
  }
  fifo->ends[hole] = end;
}

static void
ends_replace_first (SimFifo *fifo, SimTime end)
{
  guint hole = 0;

  for (guint child = 1; child < fifo->busy; child = 2 * hole + 1) {
    if (child + 1 < fifo->busy && fifo->ends[child + 1] < fifo->ends[child])
      child++;
    if (end <= fifo->ends[child])
      break;
    fifo->ends[hole] = fifo->ends[child];
    hole = child;
  }
  fifo->ends[hole] = end;
}

static void
ends_remove_first (SimFifo *fifo)
{
  SimTime end = fifo->ends[--fifo->busy];

  if (fifo->busy > 0)
    ends_replace_first (fifo, end);
}

/* ----- the ring of waiting jobs ----- */

static void
starts_add (SimFifo *fifo, SimTime start)
{
  if (fifo->waiting == fifo->ring_size) {
    fifo->starts = g_renew (SimTime, fifo->starts, (gsize) fifo->ring_size * 2);
    for (guint i = 0; i < fifo->head; i++) /* the wrapped part follows the rest */
      fifo->starts[fifo->ring_size + i] = fifo->starts[i];
    fifo->ring_size *= 2;
  }
  fifo->starts[(fifo->head + fifo->waiting++) & (fifo->ring_size - 1)] = start;
}

/* ----- the server ----- */

/* Forgets what is over at now: waits of jobs that have started, workers that are idle. */
static void
advance (SimFifo *fifo, SimTime now)
{
  g_assert (now >= fifo->now);
  fifo->now = now;
  while (fifo->waiting > 0 && fifo->starts[fifo->head] <= now) {
    fifo->head = (fifo->head + 1) & (fifo->ring_size - 1);
    fifo->waiting--;
  }
  while (fifo->busy > 0 && fifo->ends[0] <= now)
    ends_remove_first (fifo);
}

gboolean
sim_fifo_offer (SimFifo *fifo, SimTime now, SimTime service, SimFifoSlot *ret_slot)
{
  g_assert (service >= 0);
  advance (fifo, now);
  if (fifo->waiting + fifo->busy >= fifo->capacity) {
    fifo->lost++;
    return FALSE;
  }

  SimTime start = fifo->busy < fifo->workers ? now : fifo->ends[0];
  SimTime end = sim_time_add (start, service);
  if (fifo->busy < fifo->workers) {
    ends_add (fifo, end);
  } else {
    ends_replace_first (fifo, end);
    starts_add (fifo, start);
  }
  fifo->accepted++;
  fifo->busy_time = sim_time_add (fifo->busy_time, service);
  if (end > now) /* else it has left already */
    fifo->max_present = MAX (fifo->max_present, fifo->waiting + fifo->busy);
  *ret_slot = (SimFifoSlot){ .start = start, .end = end };
  return TRUE;
}

guint
sim_fifo_present (SimFifo *fifo, SimTime now)
{
  advance (fifo, now);
  return fifo->waiting + fifo->busy;
}

SimTime
sim_fifo_next_start (SimFifo *fifo, SimTime now)
{
  advance (fifo, now);
  return fifo->busy < fifo->workers ? now : fifo->ends[0];
}

SimTime
sim_fifo_busy_time (const SimFifo *fifo)
{
  return fifo->busy_time;
}

guint
sim_fifo_max_present (const SimFifo *fifo)
{
  return fifo->max_present;
}

guint64
sim_fifo_accepted (const SimFifo *fifo)
{
  return fifo->accepted;
}

guint64
sim_fifo_lost (const SimFifo *fifo)
{
  return fifo->lost;
}

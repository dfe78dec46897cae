/* A first-in first-out server whose future is known when a job arrives.
 *
 * c workers, service time known on arrival, no preemption: the start and the end
 * of a job follow at once (Lindley's recurrence; for c > 1 the earliest free
 * worker), so no event is needed for the server itself.  The owner schedules one
 * event at the end it is told. */
#pragma once

#include "sim_time.h"

typedef struct SimFifo SimFifo;

typedef struct {
  SimTime start; /* when a worker takes the job */
  SimTime end;   /* when it is done */
} SimFifoSlot;

/* workers >= 1; capacity: the most jobs waiting or in service, 0 = unbounded. */
SimFifo *sim_fifo_new (guint workers, guint capacity);
void sim_fifo_free (SimFifo *fifo);

/* The times given to the functions below never decrease. */

/* Offers a job at now.  FALSE, and the job is lost, when
 * `capacity` jobs are present.  A job ending exactly at now has left. */
gboolean sim_fifo_offer (SimFifo *fifo, SimTime now, SimTime service, SimFifoSlot *ret_slot);
/* Jobs present (waiting or in service) at now. */
guint sim_fifo_present (SimFifo *fifo, SimTime now);
/* Start a job offered at now would get. */
SimTime sim_fifo_next_start (SimFifo *fifo, SimTime now);
SimTime sim_fifo_busy_time (const SimFifo *fifo); /* sum of accepted service times */
guint sim_fifo_max_present (const SimFifo *fifo);
guint64 sim_fifo_accepted (const SimFifo *fifo);
guint64 sim_fifo_lost (const SimFifo *fifo);

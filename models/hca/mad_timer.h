/* Response timers of one MAD agent on one host, in three arithmetics.
 *
 * spec and linux-nominal: every wait expires exactly when it is due.
 *
 * linux: as ib_mad does it (mad.c wait_for_response, timeout_sends).  All waits
 * of the agent stand in one list ordered by due jiffy, a new one before older
 * ones due in the same jiffy; one timer on the kernel's timer wheel serves the
 * head and is re-armed when the head changes, so waits of all connections of a
 * host expire together, and later than asked: the wheel (kernel/time/timer.c) has
 * levels of granularity 8^n jiffies, level n for delays of 63 x 8^(n-1) jiffies
 * and more, and a timer due in jiffy j expires in jiffy (floor (j/G) + 1) x G. */
#pragma once

#include "cm_profile.h"
#include "sim_engine.h"
#include "sim_slab.h"

/* What the timers of all hosts share. */
typedef struct MadClock MadClock;

/* Of one agent; there may be millions, nearly all without a wait.  Private. */
typedef struct {
  MadClock *clock;
  SimTime offset;      /* kernel time at simulated time 0 */
  struct MadDue *head; /* linux: waits by increasing jiffy; NULL: none */
  SimEventId work;     /* linux: the delayed work `timed_work` */
} MadTimers;

/* One wait, embedded in its owner; zero-initialise.  Private. */
typedef struct MadWait {
  MadTimers *timers;      /* NULL while not waiting */
  union {
    struct {              /* linux */
      struct MadWait *prev, *next; /* among the waits due in the same jiffy */
      struct MadDue *due; /* those waits */
    };
    SimEventId event;     /* exact arithmetics */
  };
} MadWait;

typedef struct {
  void (*expired) (gpointer owner, MadWait *wait); /* the wait is no longer running */
} MadTimerOps;

MadClock *mad_clock_new (SimEngine *engine, CmTiming timing, guint hz, const MadTimerOps *ops,
                         gpointer owner);
void mad_clock_free (MadClock *clock); /* after the timers it drives */

/* jiffies_offset: kernel time at simulated time 0, in ns (>= 0); fixes the phase of the jiffies and
 * of the wheel. */
void mad_timers_init (MadTimers *timers, MadClock *clock, SimTime jiffies_offset);
void mad_timers_clear (MadTimers *timers);

/* Starts or restarts a wait that expires `delay` after `from` (>= now; the send
 * completion). */
void mad_timers_start (MadTimers *timers, MadWait *wait, SimTime from, SimTime delay);
void mad_timers_stop (MadTimers *timers, MadWait *wait);

static inline gboolean
mad_wait_is_running (const MadWait *wait)
{
  return wait->timers != NULL;
}

/* When a timer armed at `now` for `delay` on its own expires (timewait): exact
 * arithmetics now + delay, linux on the wheel. */
SimTime mad_timers_single (const MadTimers *timers, SimTime now, SimTime delay);

/* The wheel rule itself, for `explain` and tests: the jiffy in which a timer that
 * is armed in jiffy `now` for `delay` jiffies expires. */
guint64 mad_wheel_expiry (guint64 now, guint64 delay);
guint64 mad_jiffies_from_ms (guint64 ms, guint hz); /* msecs_to_jiffies: rounds up */
/* Bytes that a wait takes besides its MadWait. */
gsize mad_wait_footprint (void);

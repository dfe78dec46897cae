/* The engine: clock, pending events, run loop, fingerprint.
 *
 * One engine is one simulation; two engines share nothing and may run in two
 * threads.  An event is (time, class, owner, argument).  Events at the same time
 * run in the order they were scheduled, late ones (statistics at the end of an
 * instant) after all normal ones of that instant.
 *
 * Scheduling in the past is a programmer error (assertion).  Scheduling at
 * SIM_TIME_NEVER schedules nothing and returns SIM_EVENT_NONE.
 *
 * Inside its own fire() an event is no longer pending.  The fingerprint covers what
 * ran: an event that was cancelled leaves no mark on it. */
#pragma once

#include "sim_arena.h"
#include "sim_fel.h"

typedef struct SimEngine SimEngine;

/* Names one pending event; stays safe after the event fired or was cancelled
 * (slot and generation).  0 names none. */
typedef guint64 SimEventId;
#define SIM_EVENT_NONE ((SimEventId) 0)

struct SimEventClass {
  const char *name;
  guint32 code; /* unique per class; goes into the fingerprint */
  void (*fire) (gpointer owner, guint64 arg);
};

typedef enum {
  SIM_STOP_IDLE,        /* no event left; the clock stands on the last one */
  SIM_STOP_UNTIL,       /* reached the end time; the clock stands on it */
  SIM_STOP_REQUESTED,   /* sim_engine_stop() */
  SIM_STOP_EVENT_LIMIT, /* the limit was reached with events left */
} SimStop;

/* fel: NULL for the default.  event_limit: 0 for none. */
SimEngine *sim_engine_new (const SimFelClass *fel, guint64 event_limit);
void sim_engine_free (SimEngine *engine);

/* Where those of this world are to take their blocks from; NULL: from the system.  It outlives
 * the world. */
void sim_engine_use_arena (SimEngine *engine, SimArena *arena);
SimArena *sim_engine_arena (const SimEngine *engine);

SimTime sim_engine_now (const SimEngine *engine);

SimEventId sim_engine_schedule_at (SimEngine *engine, SimTime at, const SimEventClass *klass,
                                   gpointer owner, guint64 arg);
SimEventId sim_engine_schedule_after (SimEngine *engine, SimTime delay,
                                      const SimEventClass *klass, gpointer owner, guint64 arg);
SimEventId sim_engine_schedule_late (SimEngine *engine, SimTime at, const SimEventClass *klass,
                                     gpointer owner, guint64 arg);

/* Returns FALSE when the event has fired or was cancelled before. */
gboolean sim_engine_cancel (SimEngine *engine, SimEventId id);
gboolean sim_engine_is_pending (const SimEngine *engine, SimEventId id);

/* Runs events with time <= until (SIM_TIME_NEVER: until idle).  May be called
 * again after it returned, not from inside an event; until is never before now. */
SimStop sim_engine_run (SimEngine *engine, SimTime until);

/* Makes sim_engine_run() return after the current event; outside a run, makes the
 * next run return at once.  sim_engine_watch gives an address another thread or a
 * signal handler may set to non-zero to the same effect (checked at the start and
 * once per 1024 events, with the clock where it is); NULL ends the watch. */
void sim_engine_stop (SimEngine *engine);
void sim_engine_watch (SimEngine *engine, const volatile gint *stop_flag);

/* Where a run is, for another thread to look at (each value by itself, with
 * __atomic_load_n); written once per 1024 events. */
typedef struct {
  guint64 events;
  SimTime now;
} SimProgress;

void sim_engine_report (SimEngine *engine, SimProgress *progress); /* NULL: to nobody */

guint64 sim_engine_events (const SimEngine *engine); /* events fired so far */
gsize sim_engine_pending (const SimEngine *engine);
/* Over (time, code, arg) of every event fired, and what was mixed in. */
guint64 sim_engine_fingerprint (const SimEngine *engine);

/* Mixes a model's own fact (a state change, say) into the fingerprint. */
void sim_engine_mix (SimEngine *engine, guint64 value);

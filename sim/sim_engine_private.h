/* The engine's insides, for sim_engine.c and sim_timer.c. */
#pragma once

#include "sim_engine.h"
#include "sim_ladder.h"
#include "sim_timer.h"

struct SimEngine {
  SimTime now;
  guint64 events;
  guint64 pause_at; /* the run loop looks up when this many events have fired */
  guint64 fingerprint;
  guint64 sequence; /* of the next event */
  SimLadder *ladder; /* fel, if it is that: called directly */
  SimPool pool;

  SimFel *fel;
  const SimFelClass *fel_class;
  gsize idle_timers; /* entries in the list that stand for stopped timers */
  guint64 event_limit;
  const volatile gint *stop_flag;
  SimProgress *progress;
  SimArena *arena;
  gboolean running;
  gboolean stop_requested;
};

/* What sim_engine_enter () does with a list other than the ladder.  Returns id. */
SimEventId sim_engine_insert (SimEngine *engine, SimTime at, guint64 order, SimEventId id);

/* Puts the record of a slot that was just taken, complete but for its stamp, into the list
 * as the latest event.  Calls nothing but in the end. */
static inline SimEventId
sim_engine_enter (SimEngine *engine, SimTime at, guint64 late, SimEventRecord *record, guint32 slot)
{
  guint64 sequence = engine->sequence++;
  guint64 id = record->stamp << 32 | slot; /* a generation only, so far */

  record->stamp |= sequence << SIM_GENERATION_BITS;
  if (G_LIKELY (engine->ladder != NULL))
    return sim_ladder_insert (engine->ladder, sim_ladder_key (at, late), id);
  return sim_engine_insert (engine, at, late | sequence, id);
}

/* The entry of a timer came out of the list, at its time.  The timer, if it expires now; else
 * NULL.  In either case the entry has been seen to. */
const SimTimer *sim_timer_entry_due (SimEngine *engine, SimEventRecord *record, SimTime at,
                                     guint32 slot);
gboolean sim_timer_would_expire (const SimEventRecord *record, SimTime at);

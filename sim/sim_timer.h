/* A restartable one-shot timer embedded in its owner.
 *
 * A run with it is the same as with an event that is scheduled at each start and cancelled
 * at each stop, byte for byte, ties included.  But most timers are stopped or put off
 * before they expire, so a timer has one entry in the future event list that stays there:
 * stopping and starting again, not before that entry's time, write to the timer only.
 * When the entry's time comes, it moves on to the expiry, or goes.  So start, restart and
 * stop take the same short time whatever else is pending, and leave nothing behind. */
#pragma once

#include "sim_engine.h"

typedef struct {
  SimEngine *engine;
  const SimEventClass *klass; /* fire(owner, arg) when the timer expires */
  gpointer owner;
  guint64 arg;
  SimTime expiry;   /* of the last start; the entry is never after it */
  guint64 sequence; /* of the last start: the place among events of the same time */
  guint32 slot;     /* of the entry; SIM_SLOT_NONE: there is none */
  gboolean running;
} SimTimer;

void sim_timer_init (SimTimer *timer, SimEngine *engine, const SimEventClass *klass,
                     gpointer owner, guint64 arg);
/* Stops, and takes the entry out of the list; to be called before the timer's memory goes,
 * unless the engine went before and no timer of it is used again. */
void sim_timer_clear (SimTimer *timer);
/* Starts or restarts; SIM_TIME_NEVER stops. */
void sim_timer_start_at (SimTimer *timer, SimTime at);
void sim_timer_start_after (SimTimer *timer, SimTime delay);
/* Stops; no effect on a stopped or fired timer. */
void sim_timer_stop (SimTimer *timer);
gboolean sim_timer_is_running (const SimTimer *timer);
/* Absolute expiry time, SIM_TIME_NEVER when not running. */
SimTime sim_timer_expiry (const SimTimer *timer);

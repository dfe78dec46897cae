/* A restartable one-shot timer embedded in its owner. */
#pragma once

#include "sim_engine.h"

typedef struct {
  SimEngine *engine;
  const SimEventClass *klass; /* fire(owner, arg) when the timer expires */
  gpointer owner;
  guint64 arg;
  SimEventId event;
  SimTime expiry; /* SIM_TIME_NEVER while stopped */
} SimTimer;

void sim_timer_init (SimTimer *timer, SimEngine *engine, const SimEventClass *klass,
                     gpointer owner, guint64 arg);
/* Starts or restarts; SIM_TIME_NEVER stops. */
void sim_timer_start_at (SimTimer *timer, SimTime at);
void sim_timer_start_after (SimTimer *timer, SimTime delay);
/* Stops; no effect on a stopped or fired timer. */
void sim_timer_stop (SimTimer *timer);
gboolean sim_timer_is_running (const SimTimer *timer);
/* Absolute expiry time, SIM_TIME_NEVER when not running. */
SimTime sim_timer_expiry (const SimTimer *timer);

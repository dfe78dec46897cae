/* Restartable one-shot timer.
 *
 * The record of a timer's entry has no class, the timer as its owner and the entry's time
 * as its argument. */
#include "sim_engine_private.h"

void
sim_timer_init (SimTimer *timer, SimEngine *engine, const SimEventClass *klass, gpointer owner,
                guint64 arg)
{
  *timer = (SimTimer){
    .engine = engine,
    .klass = klass,
    .owner = owner,
    .arg = arg,
    .slot = SIM_SLOT_NONE,
  };
}

/* ----- the entry ----- */

static void
entry_add (SimTimer *timer, SimTime at)
{
  SimEngine *engine = timer->engine;
  guint32 slot = sim_pool_take (&engine->pool);
  SimEventRecord *record = sim_pool_at (&engine->pool, slot);

  record->klass = NULL;
  record->owner = timer;
  record->arg = (guint64) at;
  timer->sequence = engine->sequence;
  timer->slot = slot;
  sim_engine_enter (engine, at, 0, record, slot);
}

static void
entry_remove (SimTimer *timer)
{
  SimEngine *engine = timer->engine;

  sim_pool_put (&engine->pool, sim_pool_at (&engine->pool, timer->slot), timer->slot);
  engine->fel_class->remove (engine->fel, timer->slot);
  timer->slot = SIM_SLOT_NONE;
}

/* The entry is out of the list: in again, at the expiry and with the place among equals
 * that the last start gave it. */
static void
entry_move_on (SimTimer *timer, SimEventRecord *record, guint32 slot)
{
  SimEngine *engine = timer->engine;

  record->arg = (guint64) timer->expiry;
  record->stamp = timer->sequence << SIM_GENERATION_BITS | sim_record_generation (record);
  engine->fel_class->insert_old (engine->fel, timer->expiry, timer->sequence,
                                 sim_pool_id (sim_record_generation (record), slot));
}

gboolean
sim_timer_would_expire (const SimEventRecord *record, SimTime at)
{
  const SimTimer *timer = record->owner;

  return timer->running && timer->expiry == at &&
         timer->sequence == record->stamp >> SIM_GENERATION_BITS;
}

const SimTimer *
sim_timer_entry_due (SimEngine *engine, SimEventRecord *record, SimTime at, guint32 slot)
{
  SimTimer *timer = record->owner;
  gboolean expires = sim_timer_would_expire (record, at);

  if (timer->running && !expires) {
    entry_move_on (timer, record, slot);
    return NULL;
  }
  if (!timer->running)
    engine->idle_timers--;
  timer->running = FALSE;
  timer->slot = SIM_SLOT_NONE;
  sim_pool_put (&engine->pool, record, slot);
  return expires ? timer : NULL;
}

/* ----- the timer ----- */

void
sim_timer_start_at (SimTimer *timer, SimTime at)
{
  SimEngine *engine = timer->engine;

  g_assert (at >= engine->now);
  if (at == SIM_TIME_NEVER) {
    sim_timer_stop (timer);
    return;
  }
  if (timer->slot != SIM_SLOT_NONE && !timer->running)
    engine->idle_timers--;
  timer->running = TRUE;
  /* The entry's own time is in its record, which may be far away: it is looked at only if
   * the new expiry is before the old one. */
  if (timer->slot != SIM_SLOT_NONE && at < timer->expiry &&
      at < (SimTime) sim_pool_at (&engine->pool, timer->slot)->arg)
    entry_remove (timer);
  timer->expiry = at;
  if (timer->slot == SIM_SLOT_NONE)
    entry_add (timer, at);
  else
    timer->sequence = engine->sequence++;
}

void
sim_timer_start_after (SimTimer *timer, SimTime delay)
{
  g_assert (delay >= 0);
  sim_timer_start_at (timer, sim_time_add (timer->engine->now, delay));
}

void
sim_timer_stop (SimTimer *timer)
{
  if (timer->running)
    timer->engine->idle_timers++; /* it runs, so it has an entry */
  timer->running = FALSE;
}

void
sim_timer_clear (SimTimer *timer)
{
  sim_timer_stop (timer);
  if (timer->slot == SIM_SLOT_NONE)
    return;
  timer->engine->idle_timers--;
  entry_remove (timer);
}

gboolean
sim_timer_is_running (const SimTimer *timer)
{
  return timer->running;
}

SimTime
sim_timer_expiry (const SimTimer *timer)
{
  return timer->running ? timer->expiry : SIM_TIME_NEVER;
}

/* Restartable one-shot timer.  The engine's handle is safe after the event fired, so
 * the timer need not hear of its own expiry. */
#include "sim_timer.h"

void
sim_timer_init (SimTimer *timer, SimEngine *engine, const SimEventClass *klass, gpointer owner,
                guint64 arg)
{
  *timer = (SimTimer){
    .engine = engine,
    .klass = klass,
    .owner = owner,
    .arg = arg,
    .event = SIM_EVENT_NONE,
    .expiry = SIM_TIME_NEVER,
  };
}

void
sim_timer_start_at (SimTimer *timer, SimTime at)
{
  sim_engine_cancel (timer->engine, timer->event);
  timer->event = sim_engine_schedule_at (timer->engine, at, timer->klass, timer->owner, timer->arg);
  timer->expiry = at;
}

void
sim_timer_start_after (SimTimer *timer, SimTime delay)
{
  g_assert (delay >= 0);
  sim_timer_start_at (timer, sim_time_add (sim_engine_now (timer->engine), delay));
}

void
sim_timer_stop (SimTimer *timer)
{
  sim_engine_cancel (timer->engine, timer->event);
  timer->event = SIM_EVENT_NONE;
  timer->expiry = SIM_TIME_NEVER;
}

gboolean
sim_timer_is_running (const SimTimer *timer)
{
  return sim_engine_is_pending (timer->engine, timer->event);
}

SimTime
sim_timer_expiry (const SimTimer *timer)
{
  return sim_timer_is_running (timer) ? timer->expiry : SIM_TIME_NEVER;
}

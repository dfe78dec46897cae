/* The event engine.
 *
 * Owns the clock, the records of the pending events and the fingerprint; the order of the
 * events is the business of the future event list.  The default list is called directly,
 * others through their class. */
#include "sim_engine_private.h"

#define WATCH_INTERVAL 1024 /* events between two looks at the stop flag */

/* ----- the fingerprint ----- */

static inline guint64
rotate (guint64 x, guint bits)
{
  return x << bits | x >> (64 - bits);
}

/* Only the last line waits for the event before, so that the fingerprint costs the run
 * loop little.  The constants are odd and otherwise arbitrary (from SplitMix64 and
 * from the golden ratio). */
static inline guint64
absorb (guint64 fingerprint, guint64 time, guint64 code, guint64 arg)
{
  guint64 x = time * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  x ^= rotate (arg * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9), 29);
  x ^= rotate (code * G_GUINT64_CONSTANT (0x94d049bb133111eb), 47);
  x ^= x >> 32;
  fingerprint = (rotate (fingerprint, 23) ^ x) * G_GUINT64_CONSTANT (0xd6e8feb86659fd93);
  return fingerprint ^ fingerprint >> 32;
}

void
sim_engine_mix (SimEngine *engine, guint64 value)
{
  /* No event has this code: it has more than 32 bits. */
  engine->fingerprint = absorb (engine->fingerprint, 0, (guint64) 1 << 32, value);
}

/* ----- life ----- */

SimEngine *
sim_engine_new (const SimFelClass *fel, guint64 event_limit)
{
  SimEngine *engine = g_new0 (SimEngine, 1);

  engine->fel_class = fel != NULL ? fel : sim_fel_classes[0];
  sim_pool_init (&engine->pool);
  engine->fel = engine->fel_class->new_ (&engine->pool);
  if (engine->fel_class == &sim_fel_ladder) {
    engine->ladder = (SimLadder *) engine->fel;
    engine->ladder->announces = TRUE;
  }
  engine->event_limit = event_limit != 0 ? event_limit : G_MAXUINT64;
  return engine;
}

void
sim_engine_free (SimEngine *engine)
{
  if (engine == NULL)
    return;
  g_assert (!engine->running);
  engine->fel_class->free_ (engine->fel);
  sim_pool_clear (&engine->pool);
  g_free (engine);
}

void
sim_engine_use_arena (SimEngine *engine, SimArena *arena)
{
  engine->arena = arena;
}

SimArena *
sim_engine_arena (const SimEngine *engine)
{
  return engine->arena;
}

/* ----- scheduling ----- */

G_NO_INLINE SimEventId
sim_engine_insert (SimEngine *engine, SimTime at, guint64 order, SimEventId id)
{
  engine->fel_class->insert (engine->fel, at, order, id);
  return id;
}

static inline SimEventId
schedule_in (SimEngine *engine, guint32 slot, SimTime at, guint64 late, const SimEventClass *klass,
             gpointer owner, guint64 arg)
{
  SimEventRecord *record = sim_pool_at (&engine->pool, slot);

  record->klass = klass;
  record->owner = owner;
  record->arg = arg;
  return sim_engine_enter (engine, at, late, record, slot);
}

/* What is not frequent: times out of range, and slots that were never used. */
static G_NO_INLINE SimEventId
schedule_rare (SimEngine *engine, SimTime at, guint64 late, const SimEventClass *klass,
               gpointer owner, guint64 arg)
{
  g_assert (at >= engine->now);
  if (at == SIM_TIME_NEVER)
    return SIM_EVENT_NONE;
  return schedule_in (engine, sim_pool_take (&engine->pool), at, late, klass, owner, arg);
}

/* Calls nothing but in the end, so that the frequent case saves no registers. */
static inline SimEventId
schedule (SimEngine *engine, SimTime at, guint64 late, const SimEventClass *klass, gpointer owner,
          guint64 arg)
{
  guint32 slot = engine->pool.first_free;

  if (G_UNLIKELY (slot == SIM_SLOT_NONE || at < engine->now || at == SIM_TIME_NEVER))
    return schedule_rare (engine, at, late, klass, owner, arg);
  engine->pool.first_free = (guint32) sim_pool_at (&engine->pool, slot)->next_free;
  return schedule_in (engine, slot, at, late, klass, owner, arg);
}

SimEventId
sim_engine_schedule_at (SimEngine *engine, SimTime at, const SimEventClass *klass, gpointer owner,
                        guint64 arg)
{
  return schedule (engine, at, 0, klass, owner, arg);
}

static G_NO_INLINE SimEventId
schedule_after_rare (SimEngine *engine, SimTime delay, const SimEventClass *klass, gpointer owner,
                     guint64 arg)
{
  g_assert (delay >= 0);
  return schedule_rare (engine, sim_time_add (engine->now, delay), 0, klass, owner, arg);
}

SimEventId
sim_engine_schedule_after (SimEngine *engine, SimTime delay, const SimEventClass *klass,
                           gpointer owner, guint64 arg)
{
  guint32 slot = engine->pool.first_free;
  /* One more than when it fires; not after now if the delay is negative, or goes up to
   * SIM_TIME_NEVER or beyond, where the sum begins anew at the least number. */
  SimTime behind = (SimTime) ((guint64) engine->now + (guint64) delay + 1);

  if (G_UNLIKELY (slot == SIM_SLOT_NONE || behind <= engine->now))
    return schedule_after_rare (engine, delay, klass, owner, arg);
  engine->pool.first_free = (guint32) sim_pool_at (&engine->pool, slot)->next_free;
  return schedule_in (engine, slot, behind - 1, 0, klass, owner, arg);
}

SimEventId
sim_engine_schedule_late (SimEngine *engine, SimTime at, const SimEventClass *klass,
                          gpointer owner, guint64 arg)
{
  return schedule (engine, at, SIM_FEL_LATE, klass, owner, arg);
}

/* The record an id names while it is pending, else NULL. */
static SimEventRecord *
record_of (const SimEngine *engine, SimEventId id)
{
  guint32 slot = (guint32) id;

  if (id == SIM_EVENT_NONE)
    return NULL;
  g_assert (slot < engine->pool.fresh);
  SimEventRecord *record = sim_pool_at (&engine->pool, slot);
  return sim_record_generation (record) == id >> 32 ? record : NULL;
}

gboolean
sim_engine_cancel (SimEngine *engine, SimEventId id)
{
  SimEventRecord *record = record_of (engine, id);

  if (record == NULL)
    return FALSE;
  sim_pool_put (&engine->pool, record, (guint32) id);
  engine->fel_class->remove (engine->fel, (guint32) id);
  return TRUE;
}

gboolean
sim_engine_is_pending (const SimEngine *engine, SimEventId id)
{
  return record_of (engine, id) != NULL;
}

/* ----- the run loop ----- */

/* The record of the next event, which is out of the list now; NULL: none until then. */
static inline SimEventRecord *
pop (SimEngine *engine, SimTime until, SimTime *ret_time, guint32 *ret_slot)
{
  if (G_LIKELY (engine->ladder != NULL)) {
    SimEntry entry;
    SimEventRecord *record =
        sim_ladder_pop (engine->ladder, &engine->pool, sim_ladder_until (until), &entry);
    if (record == NULL)
      return NULL;
    *ret_time = (SimTime) (entry.key >> 1);
    *ret_slot = (guint32) entry.id;
    return record;
  }

  SimFelEntry entry;
  if (!engine->fel_class->pop (engine->fel, until, &entry))
    return NULL;
  *ret_time = entry.time;
  *ret_slot = (guint32) entry.id;
  return sim_pool_at (&engine->pool, *ret_slot);
}

static inline void
fire (SimEngine *engine, SimTime time, const SimEventClass *klass, gpointer owner, guint64 arg)
{
  engine->now = time;
  engine->events++;
  engine->fingerprint = absorb (engine->fingerprint, (guint64) time, klass->code, arg);
  klass->fire (owner, arg);
}

/* Fires events up to until, at most to engine->pause_at.  FALSE: none left to fire. */
static gboolean
run_batch (SimEngine *engine, SimTime until)
{
  SimTime time;
  guint32 slot;

  while (engine->events < engine->pause_at) {
    SimEventRecord *record = pop (engine, until, &time, &slot);
    if (record == NULL)
      return FALSE;
    const SimEventClass *klass = record->klass;
    gpointer owner = record->owner;
    guint64 arg = record->arg;

    if (G_UNLIKELY (klass == NULL)) {
      const SimTimer *timer = sim_timer_entry_due (engine, record, time, slot);
      if (timer != NULL)
        fire (engine, time, timer->klass, timer->owner, timer->arg);
      continue;
    }
    /* The event has fired before its function runs: it may schedule into this slot. */
    sim_pool_put (&engine->pool, record, slot);
    fire (engine, time, klass, owner, arg);
  }
  return TRUE;
}

/* The next event, entries of timers that do not expire aside, is not after until. */
static gboolean
has_next (SimEngine *engine, SimTime until)
{
  SimFelEntry next;

  while (sim_engine_pending (engine) > 0 && engine->fel_class->peek (engine->fel, &next) &&
         next.time <= until) {
    SimEventRecord *record = sim_pool_at (&engine->pool, (guint32) next.id);
    if (record->klass != NULL || sim_timer_would_expire (record, next.time))
      return TRUE;
    engine->fel_class->pop (engine->fel, until, &next);
    sim_timer_entry_due (engine, record, next.time, (guint32) next.id);
  }
  return FALSE;
}

static SimStop
nothing_to_fire (SimEngine *engine, SimTime until)
{
  if (sim_engine_pending (engine) == 0)
    return SIM_STOP_IDLE;
  engine->now = until;
  return SIM_STOP_UNTIL;
}

static SimStop
run (SimEngine *engine, SimTime until)
{
  for (;;) {
    if (engine->progress != NULL) {
      __atomic_store_n (&engine->progress->events, engine->events, __ATOMIC_RELAXED);
      __atomic_store_n (&engine->progress->now, engine->now, __ATOMIC_RELAXED);
    }
    if (engine->stop_requested || (engine->stop_flag != NULL && *engine->stop_flag != 0))
      return SIM_STOP_REQUESTED;
    g_assert (engine->sequence < SIM_SEQUENCE_MAX / 2);
    if (engine->events >= engine->event_limit)
      return has_next (engine, until) ? SIM_STOP_EVENT_LIMIT : nothing_to_fire (engine, until);
    engine->pause_at = MIN (engine->events + WATCH_INTERVAL, engine->event_limit);
    if (!run_batch (engine, until))
      return nothing_to_fire (engine, until);
  }
}

SimStop
sim_engine_run (SimEngine *engine, SimTime until)
{
  g_assert (!engine->running && until >= engine->now);
  engine->running = TRUE;
  SimStop stop = run (engine, until);
  engine->running = FALSE;
  engine->stop_requested = FALSE;
  return stop;
}

void
sim_engine_stop (SimEngine *engine)
{
  engine->stop_requested = TRUE;
  engine->pause_at = engine->events; /* ends the batch after this event */
}

void
sim_engine_watch (SimEngine *engine, const volatile gint *stop_flag)
{
  engine->stop_flag = stop_flag;
}

void
sim_engine_report (SimEngine *engine, SimProgress *progress)
{
  engine->progress = progress;
}

/* ----- questions ----- */

SimTime
sim_engine_now (const SimEngine *engine)
{
  return engine->now;
}

guint64
sim_engine_events (const SimEngine *engine)
{
  return engine->events;
}

gsize
sim_engine_pending (const SimEngine *engine)
{
  return engine->fel_class->count (engine->fel) - engine->idle_timers;
}

guint64
sim_engine_fingerprint (const SimEngine *engine)
{
  return engine->fingerprint;
}

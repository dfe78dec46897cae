/* The event engine.
 *
 * Owns the clock, the pool of event records and the fingerprint; the order of the
 * events is the business of the future event list.  Records live in chunks that never
 * move, are named by slot number and are reused last in, first out, so a steady state
 * allocates nothing and stays in the cache.  An event costs its 32-byte record here
 * and its entry in the list. */
#include "sim_engine.h"

#define CHUNK_BITS 12
#define CHUNK_EVENTS (1u << CHUNK_BITS)
#define SLOT_NONE G_MAXUINT32
#define WATCH_INTERVAL 1024 /* events between two looks at the stop flag */
#define LATE ((guint64) 1 << 62)

typedef struct {
  const SimEventClass *klass;
  gpointer owner;
  guint64 arg;
  guint32 generation; /* odd while pending */
  guint32 next_free;
} EventRecord;

struct SimEngine {
  SimFel *fel;
  const SimFelClass *fel_class;
  SimTime now;
  guint64 sequence;
  guint64 fingerprint;
  guint64 events;
  guint64 pause_at; /* the run loop looks up when this many events have fired */
  guint64 event_limit;
  const volatile gint *stop_flag;
  SimProgress *progress;
  gboolean running;
  gboolean stop_requested;

  EventRecord **chunks;
  guint32 n_chunks;
  guint32 chunks_size;
  guint32 first_free;
};

/* ----- the pool ----- */

static inline EventRecord *
record_at (const SimEngine *engine, guint32 slot)
{
  return &engine->chunks[slot >> CHUNK_BITS][slot & (CHUNK_EVENTS - 1)];
}

static void
pool_grow (SimEngine *engine)
{
  g_assert (engine->n_chunks < SLOT_NONE >> CHUNK_BITS);
  if (engine->n_chunks == engine->chunks_size) {
    engine->chunks_size = MAX (16, engine->chunks_size * 2);
    engine->chunks = g_renew (EventRecord *, engine->chunks, engine->chunks_size);
  }

  EventRecord *chunk = g_new0 (EventRecord, CHUNK_EVENTS);
  guint32 first = engine->n_chunks << CHUNK_BITS;
  for (guint32 i = 0; i < CHUNK_EVENTS; i++)
    chunk[i].next_free = i + 1 < CHUNK_EVENTS ? first + i + 1 : engine->first_free;
  engine->chunks[engine->n_chunks++] = chunk;
  engine->first_free = first;
}

/* A slot whose generations are used up is never used again, so that a handle cannot
 * come to name another event, however old it is. */
static inline void
pool_release (SimEngine *engine, EventRecord *record, guint32 slot)
{
  if (G_LIKELY (++record->generation != 0)) {
    record->next_free = engine->first_free;
    engine->first_free = slot;
  }
}

/* The record an id names while it is pending, else NULL. */
static EventRecord *
record_of (const SimEngine *engine, SimEventId id)
{
  guint32 slot = (guint32) id;
  guint32 generation = (guint32) (id >> 32);

  if (id == SIM_EVENT_NONE)
    return NULL;
  g_assert (slot >> CHUNK_BITS < engine->n_chunks && (generation & 1) == 1);
  EventRecord *record = record_at (engine, slot);
  return record->generation == generation ? record : NULL;
}

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
  engine->fel = engine->fel_class->new_ ();
  engine->event_limit = event_limit != 0 ? event_limit : G_MAXUINT64;
  engine->first_free = SLOT_NONE;
  return engine;
}

void
sim_engine_free (SimEngine *engine)
{
  if (engine == NULL)
    return;
  g_assert (!engine->running);
  engine->fel_class->free_ (engine->fel);
  for (guint32 i = 0; i < engine->n_chunks; i++)
    g_free (engine->chunks[i]);
  g_free (engine->chunks);
  g_free (engine);
}

/* ----- scheduling ----- */

static inline SimEventId
schedule (SimEngine *engine, SimTime at, guint64 priority, const SimEventClass *klass,
          gpointer owner, guint64 arg)
{
  g_assert (at >= engine->now);
  if (G_UNLIKELY (at == SIM_TIME_NEVER))
    return SIM_EVENT_NONE;
  if (G_UNLIKELY (engine->first_free == SLOT_NONE))
    pool_grow (engine);

  guint32 slot = engine->first_free;
  EventRecord *record = record_at (engine, slot);
  engine->first_free = record->next_free;
  record->klass = klass;
  record->owner = owner;
  record->arg = arg;
  record->generation++;

  SimFelEntry entry = { .time = at, .order = priority | engine->sequence++, .slot = slot };
  engine->fel_class->insert (engine->fel, entry);
  return (SimEventId) record->generation << 32 | slot;
}

SimEventId
sim_engine_schedule_at (SimEngine *engine, SimTime at, const SimEventClass *klass, gpointer owner,
                        guint64 arg)
{
  return schedule (engine, at, 0, klass, owner, arg);
}

SimEventId
sim_engine_schedule_after (SimEngine *engine, SimTime delay, const SimEventClass *klass,
                           gpointer owner, guint64 arg)
{
  g_assert (delay >= 0);
  return schedule (engine, sim_time_add (engine->now, delay), 0, klass, owner, arg);
}

SimEventId
sim_engine_schedule_late (SimEngine *engine, SimTime at, const SimEventClass *klass,
                          gpointer owner, guint64 arg)
{
  return schedule (engine, at, LATE, klass, owner, arg);
}

gboolean
sim_engine_cancel (SimEngine *engine, SimEventId id)
{
  EventRecord *record = record_of (engine, id);

  if (record == NULL)
    return FALSE;
  engine->fel_class->remove (engine->fel, (guint32) id);
  pool_release (engine, record, (guint32) id);
  return TRUE;
}

gboolean
sim_engine_is_pending (const SimEngine *engine, SimEventId id)
{
  return record_of (engine, id) != NULL;
}

/* ----- the run loop ----- */

/* Fires events up to until, at most to engine->pause_at.  FALSE: none left to fire. */
static gboolean
run_batch (SimEngine *engine, SimTime until)
{
  SimFel *fel = engine->fel;
  gboolean (*pop) (SimFel *, SimTime, SimFelEntry *) = engine->fel_class->pop;
  SimFelEntry entry;

  while (engine->events < engine->pause_at) {
    if (!pop (fel, until, &entry))
      return FALSE;
    EventRecord *record = record_at (engine, entry.slot);
    const SimEventClass *klass = record->klass;
    gpointer owner = record->owner;
    guint64 arg = record->arg;

    /* The event has fired before its function runs: it may schedule into this slot. */
    pool_release (engine, record, entry.slot);
    engine->now = entry.time;
    engine->events++;
    engine->fingerprint = absorb (engine->fingerprint, (guint64) entry.time, klass->code, arg);
    klass->fire (owner, arg);
  }
  return TRUE;
}

static SimStop
nothing_to_fire (SimEngine *engine, SimTime until)
{
  if (engine->fel_class->count (engine->fel) == 0)
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
    if (engine->events >= engine->event_limit) {
      SimFelEntry next;
      if (engine->fel_class->peek (engine->fel, &next) && next.time <= until)
        return SIM_STOP_EVENT_LIMIT;
      return nothing_to_fire (engine, until);
    }
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
  return engine->fel_class->count (engine->fel);
}

guint64
sim_engine_fingerprint (const SimEngine *engine)
{
  return engine->fingerprint;
}

/* Response timers of a MAD agent.  Owns the order of the waits and the one event
 * of the kernel's timer; knows nothing of what is waited for. */
#include "mad_timer.h"

/* Waits due in one jiffy, newest first: wait_for_response() in mad.c puts a new
 * wait before those it does not come after. */
typedef struct MadDue {
  struct MadDue *prev, *next; /* by increasing jiffy; a ring, next of the last is the first */
  guint64 jiffy;
  MadWait *first;
} MadDue;

struct MadClock {
  SimEngine *engine;
  const MadTimerOps *ops;
  gpointer owner;
  CmTiming timing;
  SimTime tick; /* length of a jiffy */
  SimSlab dues;
  const MadTimers *running; /* inside timeout_sends of these, or clearing them */
};

guint64
mad_jiffies_from_ms (guint64 ms, guint hz)
{
  return (ms * hz + 999) / 1000;
}

/* kernel/time/timer.c calc_wheel_index(): 64 buckets a level, 8 times coarser from
 * level to level; level n starts at delays of 63 x 8^(n-1) jiffies. */
guint64
mad_wheel_expiry (guint64 now, guint64 delay)
{
  enum { LEVELS = 9, SIZE = 64, SHIFT = 3 };
  guint level = 0;
  guint64 cutoff = (guint64) (SIZE - 1) << ((LEVELS - 1) * SHIFT);

  delay = MIN (delay, cutoff); /* WHEEL_TIMEOUT_MAX: longer ones wait less */
  while (level < LEVELS - 1 && delay >= (guint64) (SIZE - 1) << (level * SHIFT))
    level++;
  return (((now + delay) >> (level * SHIFT)) + 1) << (level * SHIFT);
}

static guint64
jiffy_at (const MadTimers *timers, SimTime time)
{
  return (guint64) ((time + timers->offset) / timers->clock->tick);
}

static SimTime
jiffy_time (const MadTimers *timers, guint64 jiffy)
{
  return (SimTime) jiffy * timers->clock->tick - timers->offset;
}

/* msecs_to_jiffies rounds up, and so do we for any other duration. */
static guint64
jiffies_of (const MadClock *clock, SimTime delay)
{
  return (guint64) ((delay + clock->tick - 1) / clock->tick);
}

/* ----- the ordered list ----- */

static void
due_unlink (MadTimers *timers, MadDue *due)
{
  due->prev->next = due->next;
  due->next->prev = due->prev;
  if (timers->head == due)
    timers->head = due->next == due ? NULL : due->next;
  sim_slab_put (&timers->clock->dues, due);
}

static void
wait_unlink (MadWait *wait)
{
  MadDue *due = wait->due;

  if (wait->prev)
    wait->prev->next = wait->next;
  else
    due->first = wait->next;
  if (wait->next)
    wait->next->prev = wait->prev;
  if (!due->first)
    due_unlink (wait->timers, due);
  wait->prev = wait->next = NULL;
  wait->due = NULL;
  wait->timers = NULL;
}

/* The record of a jiffy, made if need be; searched from the end, where new waits
 * nearly always belong. */
static MadDue *
due_for (MadTimers *timers, guint64 jiffy)
{
  MadDue *head = timers->head, *after = head ? head->prev : NULL, *due;

  while (after && after->jiffy > jiffy)
    after = after == head ? NULL : after->prev;
  if (after && after->jiffy == jiffy)
    return after;

  due = sim_slab_take (&timers->clock->dues);
  *due = (MadDue){ .jiffy = jiffy, .prev = due, .next = due };
  if (head) {
    MadDue *before = after ? after : head->prev;

    due->prev = before;
    due->next = before->next;
    before->next->prev = due;
    before->next = due;
  }
  if (!after)
    timers->head = due;
  return due;
}

/* ----- the delayed work ----- */

static void work_run (gpointer owner, guint64 arg);

static const SimEventClass work_event = { .name = "mad-timeout-work",
                                          .code = 0x401,
                                          .fire = work_run };

/* mod_delayed_work (delay): a zero delay runs the work at once. */
static void
work_arm (MadTimers *timers, guint64 delay)
{
  SimEngine *engine = timers->clock->engine;
  SimTime now = sim_engine_now (engine);
  SimTime at = now;

  if (delay > 0)
    at = MAX (jiffy_time (timers, mad_wheel_expiry (jiffy_at (timers, now), delay)), now);
  if (timers->work != SIM_EVENT_NONE)
    sim_engine_cancel (engine, timers->work);
  timers->work = sim_engine_schedule_at (engine, at, &work_event, timers, 0);
}

/* mad.c timeout_sends(). */
static void
work_run (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  MadTimers *timers = owner;
  MadClock *clock = timers->clock;
  guint64 now = jiffy_at (timers, sim_engine_now (clock->engine));

  timers->work = SIM_EVENT_NONE;
  clock->running = timers;
  while (timers->head && timers->head->jiffy <= now) {
    MadWait *wait = timers->head->first;
    wait_unlink (wait);
    clock->ops->expired (clock->owner, wait);
  }
  clock->running = NULL;
  /* queue_delayed_work() leaves a work that is already queued alone. */
  if (timers->head && timers->work == SIM_EVENT_NONE)
    work_arm (timers, timers->head->jiffy - now);
}

/* ----- exact arithmetics ----- */

static void
exact_expired (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  MadWait *wait = owner;
  MadClock *clock = wait->timers->clock;

  wait->event = SIM_EVENT_NONE;
  wait->timers = NULL;
  clock->ops->expired (clock->owner, wait);
}

static const SimEventClass exact_event = { .name = "mad-timeout",
                                           .code = 0x402,
                                           .fire = exact_expired };

/* ----- public ----- */

MadClock *
mad_clock_new (SimEngine *engine, CmTiming timing, guint hz, const MadTimerOps *ops,
               gpointer owner)
{
  MadClock *clock = g_new0 (MadClock, 1);

  g_assert (hz > 0 && hz <= 1000000);
  clock->engine = engine;
  clock->timing = timing;
  clock->tick = SIM_S (1) / hz;
  clock->ops = ops;
  clock->owner = owner;
  sim_slab_init (&clock->dues, sim_engine_arena (engine), sizeof (MadDue));
  return clock;
}

void
mad_clock_free (MadClock *clock)
{
  if (!clock)
    return;
  sim_slab_clear (&clock->dues);
  g_free (clock);
}

void
mad_timers_init (MadTimers *timers, MadClock *clock, SimTime jiffies_offset)
{
  g_assert (jiffies_offset >= 0);
  *timers = (MadTimers){ .clock = clock, .offset = jiffies_offset };
}

void
mad_timers_clear (MadTimers *timers)
{
  timers->clock->running = timers; /* stopping a wait arms nothing any more */
  while (timers->head)
    mad_timers_stop (timers, timers->head->first);
  timers->clock->running = NULL;
  if (timers->work != SIM_EVENT_NONE)
    sim_engine_cancel (timers->clock->engine, timers->work);
}

void
mad_timers_start (MadTimers *timers, MadWait *wait, SimTime from, SimTime delay)
{
  MadClock *clock = timers->clock;

  if (clock->timing != CM_TIMING_LINUX) {
    if (wait->timers)
      sim_engine_cancel (clock->engine, wait->event);
    wait->timers = timers;
    wait->event =
        sim_engine_schedule_at (clock->engine, sim_time_add (from, delay), &exact_event, wait, 0);
    return;
  }

  if (wait->timers)
    wait_unlink (wait);
  guint64 jiffies = jiffies_of (clock, delay);
  MadDue *due = due_for (timers, jiffy_at (timers, from) + jiffies);
  wait->timers = timers;
  wait->due = due;
  wait->prev = NULL;
  wait->next = due->first;
  if (due->first)
    due->first->prev = wait;
  due->first = wait;
  /* "Reschedule a work item if we have a shorter timeout": the new wait is first. */
  if (due == timers->head)
    work_arm (timers, due->jiffy - jiffy_at (timers, sim_engine_now (clock->engine)));
}

void
mad_timers_stop (MadTimers *timers, MadWait *wait)
{
  if (!wait->timers)
    return;
  g_assert (wait->timers == timers);
  if (timers->clock->timing != CM_TIMING_LINUX) {
    sim_engine_cancel (timers->clock->engine, wait->event);
    wait->event = SIM_EVENT_NONE;
    wait->timers = NULL;
    return;
  }
  wait_unlink (wait);
  /* ib_modify_mad() to zero puts the cancelled wait in front and runs the work,
   * which also finds what is due but whose timer the wheel still holds, and arms
   * the timer anew for the rest of the next wait. */
  if (timers->clock->running != timers)
    work_arm (timers, 0);
}

SimTime
mad_timers_single (const MadTimers *timers, SimTime now, SimTime delay)
{
  if (timers->clock->timing != CM_TIMING_LINUX)
    return sim_time_add (now, delay);
  guint64 expiry = mad_wheel_expiry (jiffy_at (timers, now), jiffies_of (timers->clock, delay));
  return MAX (jiffy_time (timers, expiry), now);
}

gsize
mad_wait_footprint (void)
{
  return sizeof (MadDue);
}

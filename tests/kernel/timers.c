/* Protocol timers of an experiment.  Owns the rules by which they are recognised;
 * the nominal times come from the captures' notes, not from the models. */
#include "timers.h"

const KernelTimes kernel_times_6_1 = {
  .hz = 250,
  .request = 2 * 1024 + 4096,
  .timewait = 2048,
};

const KernelTimes kernel_times_6_12 = {
  .hz = 250,
  .request = 2 * 256 + 4096,
  .timewait = 512,
};

SimTime
kernel_timer_step (SimTime delay, guint hz)
{
  SimTime jiffy = SIM_S (1) / hz, step = jiffy;

  /* Wheel level n serves delays of 63 x 8^(n-1) jiffies and more in steps of 8^n. */
  while (delay >= 63 * step)
    step *= 8;
  return step;
}

const char *
kernel_timer_text (const KernelTimer *timer, char *buf, gsize size)
{
  char side = kernel_side_letter (timer->side);

  if (timer->kind == KERNEL_TIMER_TIMEWAIT)
    g_snprintf (buf, size, "%c timewait of connect %u", side, timer->conn);
  else
    g_snprintf (buf, size, "%c %s #%u of connect %u%s", side, ib_cm_attr_name (timer->attr),
                timer->nth, timer->conn,
                timer->kind == KERNEL_TIMER_GIVE_UP ? ", giving up" : "");
  return buf;
}

/* ----- the wait of one send ----- */

/* The first MRA for this MAD that reached its sender before `before`. */
static const KernelMad *
find_mra (const KernelLog *log, const KernelMad *sent, SimTime before)
{
  guint8 message = sent->attr == IB_CM_REQ ? IB_CM_MESSAGE_REQ : IB_CM_MESSAGE_REP;

  if (sent->attr != IB_CM_REQ && sent->attr != IB_CM_REP)
    return NULL;
  for (guint i = 0; i < log->mads->len; i++) {
    const KernelMad *mad = kernel_log_mad (log, i);
    if (mad->at < before && mad->attr == IB_CM_MRA && mad->side != sent->side && !mad->lost
        && mad->conn == sent->conn && mad->message == message)
      return mad;
  }
  return NULL;
}

static gboolean
starts_connect (const KernelLog *log, const KernelMad *mad)
{
  return mad->attr == IB_CM_REQ || (mad->attr == IB_CM_DREQ && mad->side == log->client);
}

/* conv (n) of the captures' notes: milliseconds of a time code. */
static guint
code_ms (guint code)
{
  return 1u << (MAX (code, 8) - 8);
}

/* REP, and DREQ of the side that listens, go by what the REQ asked for. */
static const KernelMad *
req_of (const KernelLog *log, guint conn)
{
  for (guint i = 0; i < log->mads->len; i++) {
    const KernelMad *mad = kernel_log_mad (log, i);
    if (mad->conn == conn && mad->attr == IB_CM_REQ)
      return mad;
  }
  return NULL;
}

static guint
nominal_ms (const KernelLog *log, const KernelTimes *times, const KernelMad *sent)
{
  const KernelMad *req = req_of (log, sent->conn);

  return starts_connect (log, sent) || !req ? times->request : code_ms (req->response_timeout);
}

static void
add_wait (const KernelLog *log, const KernelTimes *times, const KernelMad *sent,
          KernelTimerKind kind, SimTime end, GArray *timers)
{
  KernelTimer timer = {
    .kind = kind, .side = sent->side, .conn = sent->conn, .instance = sent->instance,
    .attr = sent->attr, .nth = sent->nth, .sent = sent->at, .start = sent->at, .end = end,
    .nominal = SIM_MS (nominal_ms (log, times, sent)),
    .on_wire = kind == KERNEL_TIMER_RESEND,
  };
  const KernelMad *mra = find_mra (log, sent, end);

  /* An MRA changes the wait it meets, from then on, and all later ones. */
  if (mra) {
    timer.start = MAX (timer.start, mra->at);
    timer.nominal = SIM_MS (code_ms (mra->code) + times->timewait);
  }
  g_array_append_val (timers, timer);
}

/* The MAD's next send after number `index`; NULL if that was the last. */
static const KernelMad *
next_send (const KernelLog *log, guint index)
{
  const KernelMad *sent = kernel_log_mad (log, index);

  for (guint i = index + 1; i < log->mads->len; i++) {
    const KernelMad *mad = kernel_log_mad (log, i);
    if (mad->conn == sent->conn && mad->side == sent->side && mad->attr == sent->attr
        && mad->instance == sent->instance)
      return mad;
  }
  return NULL;
}

static const KernelEvent *
find_event (const KernelLog *log, KernelSide side, guint conn, KernelEventType type,
            gint status, SimTime after)
{
  for (guint i = 0; i < log->events->len; i++) {
    const KernelEvent *event = kernel_log_event (log, i);
    if (event->side == side && event->conn == conn && event->type == type
        && event->status == status && event->at > after)
      return event;
  }
  return NULL;
}

/* REP, DREQ and REQ alone wait for an answer; other MADs that appear again answer
 * something that did. */
static void
waits_of (const KernelLog *log, const KernelTimes *times, guint index, GArray *timers)
{
  enum { ETIMEDOUT_STATUS = -110 };
  const KernelMad *sent = kernel_log_mad (log, index), *req = req_of (log, sent->conn);

  if (log->handmade[sent->side]
      || (sent->attr != IB_CM_REQ && sent->attr != IB_CM_REP && sent->attr != IB_CM_DREQ))
    return;
  const KernelMad *next = next_send (log, index);
  if (next) {
    add_wait (log, times, sent, KERNEL_TIMER_RESEND, next->at, timers);
    return;
  }
  if (!req || sent->nth <= req->max_retries)
    return;
  const KernelEvent *end = find_event (
      log, sent->side, sent->conn,
      sent->attr == IB_CM_DREQ ? KERNEL_EVENT_DISCONNECTED : KERNEL_EVENT_UNREACHABLE,
      ETIMEDOUT_STATUS, sent->at);
  if (end)
    add_wait (log, times, sent, KERNEL_TIMER_GIVE_UP, end->at, timers);
}

/* ----- timewait ----- */

static const KernelMad *
first_drep (const KernelLog *log, guint conn)
{
  for (guint i = 0; i < log->mads->len; i++) {
    const KernelMad *mad = kernel_log_mad (log, i);
    if (mad->conn == conn && mad->attr == IB_CM_DREP)
      return mad;
  }
  return NULL;
}

/* A side enters timewait when it sends the first DREP, when a DREP reaches it or when
 * it gave up waiting for one; of the last two its application is told.  The event is
 * later than the DREP by what the wire delayed it, or by the guest's slowness. */
static gboolean
timewait_start (const KernelLog *log, KernelSide side, guint conn, SimTime *ret_start)
{
  const KernelMad *drep = first_drep (log, conn);

  for (guint i = 0; i < log->events->len; i++) {
    const KernelEvent *event = kernel_log_event (log, i);
    if (event->side != side || event->conn != conn || event->type != KERNEL_EVENT_DISCONNECTED)
      continue;
    *ret_start = event->at;
    if (event->status == 0 && drep
        && (drep->side == side || (drep->at <= event->at && event->at - drep->at < KERNEL_INSTANT)))
      *ret_start = drep->at;
    return TRUE;
  }
  return FALSE;
}

static void
add_timewaits (const KernelLog *log, const KernelTimes *times, GArray *timers)
{
  for (guint i = 0; i < log->events->len; i++) {
    const KernelEvent *event = kernel_log_event (log, i);
    KernelTimer timer = { .kind = KERNEL_TIMER_TIMEWAIT, .side = event->side,
                          .conn = event->conn, .end = event->at,
                          .nominal = SIM_MS (times->timewait) };
    if (event->type != KERNEL_EVENT_TIMEWAIT_EXIT
        || !timewait_start (log, event->side, event->conn, &timer.start))
      continue;
    timer.sent = timer.start;
    g_array_append_val (timers, timer);
  }
}

static int
compare_timers (gconstpointer a, gconstpointer b)
{
  const KernelTimer *s = a, *t = b;

  if (s->side != t->side)
    return s->side < t->side ? -1 : 1;
  if (s->conn != t->conn)
    return s->conn < t->conn ? -1 : 1;
  if (s->instance != t->instance)
    return s->instance < t->instance ? -1 : 1;
  if (s->attr != t->attr)
    return s->attr < t->attr ? -1 : 1;
  return (s->nth > t->nth) - (s->nth < t->nth);
}

/* Timers of several connects end in one instant, but their events reach the guest's
 * application one after another: the first shows when that was. */
static void
join_events (GArray *timers)
{
  g_autoptr (GArray) copy = g_array_copy (timers);

  for (guint i = 0; i < timers->len; i++) {
    KernelTimer *timer = &g_array_index (timers, KernelTimer, i);
    for (guint k = 0; k < copy->len && !timer->on_wire; k++) {
      const KernelTimer *other = &g_array_index (copy, KernelTimer, k);
      if (!other->on_wire && other->side == timer->side && other->kind == timer->kind
          && other->end < timer->end && timer->end - other->end <= KERNEL_INSTANT)
        timer->end = other->end;
    }
  }
}

GArray *
kernel_timers (const KernelLog *log, const KernelTimes *times)
{
  GArray *timers = g_array_new (FALSE, TRUE, sizeof (KernelTimer));

  for (guint i = 0; i < log->mads->len; i++)
    waits_of (log, times, i, timers);
  add_timewaits (log, times, timers);
  join_events (timers);
  g_array_sort (timers, compare_timers);
  return timers;
}

/* ----- phase ----- */

static int
compare_ends (gconstpointer a, gconstpointer b)
{
  SimTime s = ((const KernelTimer *) a)->end, t = ((const KernelTimer *) b)->end;

  return (s > t) - (s < t);
}

/* (transfer full) the instants at which timers of a side expired: of several waits
 * that ended in one, which the guest spreads over some ms, the first. */
static GArray *
expiries_of (const GArray *timers, KernelSide side)
{
  GArray *expiries = g_array_new (FALSE, FALSE, sizeof (KernelTimer));
  guint kept = 0;

  for (guint i = 0; i < timers->len; i++) {
    KernelTimer timer = g_array_index (timers, KernelTimer, i);
    if (timer.side == side)
      g_array_append_val (expiries, timer);
  }
  g_array_sort (expiries, compare_ends);
  for (guint i = 0; i < expiries->len; i++) {
    KernelTimer timer = g_array_index (expiries, KernelTimer, i);
    const KernelTimer *last = kept > 0 ? &g_array_index (expiries, KernelTimer, kept - 1) : NULL;
    if (!last || timer.nominal != last->nominal || timer.end - last->end > KERNEL_INSTANT)
      g_array_index (expiries, KernelTimer, kept++) = timer;
  }
  g_array_set_size (expiries, kept);
  return expiries;
}

static SimTime
remainder_of (SimTime time, SimTime period)
{
  SimTime rest = time % period;

  return rest < 0 ? rest + period : rest;
}

/* How ill a phase explains an expiry: not at all, as one where the wait cannot end,
 * or as one where a wait that starts a little earlier or later would not end.
 * *sum grows by how late it was, had it been due on the grid. */
static SimTime
misfit (const KernelTimer *timer, SimTime phase, guint hz, SimTime late, SimTime *sum)
{
  const SimTime margin = SIM_MS (4);
  SimTime step = kernel_timer_step (timer->nominal, hz);
  SimTime behind = remainder_of (timer->end - phase, step);
  /* A wait counts from the jiffy it starts in, and ends later than it is due. */
  SimTime due = timer->start - remainder_of (timer->start - phase, SIM_S (1) / hz) + timer->nominal;
  SimTime beyond = timer->end - behind - due;

  if (behind > late)
    return 4 * late;
  *sum += behind;
  if (beyond <= 0 || beyond > step)
    return 2 * late;
  return beyond < margin || beyond > step - margin ? late / 2 : 0;
}

gboolean
kernel_timers_phase (const GArray *timers, KernelSide side, guint hz, SimTime late,
                     SimTime *ret_phase)
{
  g_autoptr (GArray) expiries = expiries_of (timers, side);
  SimTime jiffy = SIM_S (1) / hz, best = SIM_TIME_NEVER;

  for (SimTime phase = 0; phase < KERNEL_PHASE_PERIOD && expiries->len > 0; phase += SIM_MS (1)) {
    SimTime cost = phase % jiffy == 0 ? 0 : late / 4, sum = 0;
    for (guint i = 0; i < expiries->len; i++)
      cost += misfit (&g_array_index (expiries, KernelTimer, i), phase, hz, late, &sum);
    cost += sum / expiries->len;
    if (cost < best) {
      best = cost;
      *ret_phase = phase;
    }
  }
  return expiries->len > 0;
}

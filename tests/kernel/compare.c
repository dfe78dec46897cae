/* The comparison: numbers of messages, the sequence of every connect, what its
 * applications saw, and every protocol timer. */
#include "compare.h"

typedef struct {
  const KernelLog *logs[2]; /* captured, simulated */
  const KernelTimes *times;
  SimTime tolerance;
  KernelReport *report;
} Comparison;

static const char *const whose[2] = { "captured", "simulated" };

G_GNUC_PRINTF (2, 3)
static void
differ (Comparison *c, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_string_append_vprintf (c->report->differences, format, args);
  va_end (args);
  g_string_append_c (c->report->differences, '\n');
}

/* ----- messages ----- */

static void
compare_counts (Comparison *c)
{
  for (guint side = 0; side < KERNEL_SIDES; side++)
    for (guint attr = 0; attr < IB_CM_ATTR_COUNT; attr++) {
      guint counts[2] = { 0, 0 };
      for (guint which = 0; which < 2; which++)
        for (guint i = 0; i < c->logs[which]->mads->len; i++) {
          const KernelMad *mad = kernel_log_mad (c->logs[which], i);
          if (mad->side == side && mad->attr == IB_CM_ATTR_FIRST + attr) {
            counts[which]++;
            c->report->mads[which]++;
          }
        }
      if (counts[0] != counts[1])
        differ (c, "%s from %c: captured %u, simulated %u",
                ib_cm_attr_name (IB_CM_ATTR_FIRST + attr), kernel_side_letter (side), counts[0],
                counts[1]);
    }
}

/* (transfer full) what happened to a connect on the wire, one text per MAD. */
static GPtrArray *
sequence_of (const Comparison *c, guint which, guint conn)
{
  GPtrArray *sequence = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < c->logs[which]->mads->len; i++) {
    const KernelMad *mad = kernel_log_mad (c->logs[which], i);
    char text[48];
    if (mad->conn == conn)
      g_ptr_array_add (sequence,
                       g_strdup_printf ("%s id %u", kernel_mad_text (mad, text, sizeof text),
                                        mad->instance));
  }
  return sequence;
}

/* (transfer full) what the application of a side saw of a connect. */
static GPtrArray *
events_of (const Comparison *c, guint which, KernelSide side, guint conn)
{
  GPtrArray *sequence = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < c->logs[which]->events->len; i++) {
    const KernelEvent *event = kernel_log_event (c->logs[which], i);
    if (event->side == side && event->conn == conn) {
      g_ptr_array_add (sequence,
                       g_strdup_printf ("%s(%d)", kernel_event_name (event->type), event->status));
      c->report->events[which]++;
    }
  }
  return sequence;
}

static void
compare_texts (Comparison *c, guint conn, const char *what, const GPtrArray *captured,
               const GPtrArray *simulated)
{
  for (guint i = 0; i < MAX (captured->len, simulated->len); i++) {
    const char *a = i < captured->len ? g_ptr_array_index (captured, i) : "nothing";
    const char *b = i < simulated->len ? g_ptr_array_index (simulated, i) : "nothing";
    if (g_str_equal (a, b))
      continue;
    differ (c, "connect %u, %s %u: captured %s, simulated %s", conn, what, i + 1, a, b);
    return;
  }
}

static void
compare_connects (Comparison *c)
{
  guint connects = MAX (c->logs[0]->connects, c->logs[1]->connects);

  for (guint conn = 0; conn < connects; conn++) {
    g_autoptr (GPtrArray) captured = sequence_of (c, 0, conn);
    g_autoptr (GPtrArray) simulated = sequence_of (c, 1, conn);
    compare_texts (c, conn, "message", captured, simulated);
    for (guint side = 0; side < KERNEL_SIDES; side++) {
      if (!c->logs[0]->watched[side])
        continue;
      g_autoptr (GPtrArray) seen = events_of (c, 0, side, conn);
      g_autoptr (GPtrArray) shown = events_of (c, 1, side, conn);
      compare_texts (c, conn, side == KERNEL_SIDE_A ? "event at A" : "event at B", seen, shown);
    }
  }
  if (c->logs[0]->accepts_failed != c->logs[1]->accepts_failed)
    differ (c, "accepts that failed: captured %u, simulated %u", c->logs[0]->accepts_failed,
            c->logs[1]->accepts_failed);
}

/* ----- timers ----- */

static gboolean
same_timer (const KernelTimer *a, const KernelTimer *b)
{
  return a->kind == b->kind && a->side == b->side && a->conn == b->conn
         && a->instance == b->instance && a->attr == b->attr && a->nth == b->nth;
}

/* Every wait, captured or simulated, ends where the wheel lets it: not before it is
 * due (a jiffy's rounding aside) and at most one step of the wheel later.  The guest
 * that was captured put MADs on the wire late. */
static void
check_wheel (Comparison *c, guint which, const KernelTimer *timer)
{
  SimTime took = timer->end - timer->start;
  SimTime early = which == 0 ? c->tolerance : SIM_S (1) / c->times->hz;
  SimTime latest = timer->nominal + kernel_timer_step (timer->nominal, c->times->hz);
  char text[64];

  if (took < timer->nominal - early || took > latest + c->tolerance)
    differ (c, "%s timer %s: %.3f s is outside (%.3f s, %.3f s]", whose[which],
            kernel_timer_text (timer, text, sizeof text), sim_time_to_seconds (took),
            sim_time_to_seconds (timer->nominal), sim_time_to_seconds (latest));
}

static void
compare_timer (Comparison *c, const KernelTimer *captured, const KernelTimer *simulated)
{
  SimTime took[2] = { captured->end - captured->sent, simulated->end - simulated->sent };
  SimTime difference = ABS (took[0] - took[1]);
  char text[64];

  kernel_timer_text (captured, text, sizeof text);
  if (difference > c->report->worst) {
    c->report->worst = difference;
    g_strlcpy (c->report->worst_name, text, sizeof c->report->worst_name);
  }
  if (captured->nominal != simulated->nominal)
    differ (c, "timer %s: captured after %.3f s nominal, simulated %.3f s", text,
            sim_time_to_seconds (captured->nominal), sim_time_to_seconds (simulated->nominal));
  if (difference > c->tolerance)
    differ (c, "timer %s: captured %.6f s, simulated %.6f s", text, sim_time_to_seconds (took[0]),
            sim_time_to_seconds (took[1]));
}

static void
compare_timers (Comparison *c)
{
  g_autoptr (GArray) captured = kernel_timers (c->logs[0], c->times);
  g_autoptr (GArray) simulated = kernel_timers (c->logs[1], c->times);
  char text[64];

  c->report->timers = captured->len;
  if (captured->len != simulated->len)
    differ (c, "timers: captured %u, simulated %u", captured->len, simulated->len);
  for (guint i = 0; i < MIN (captured->len, simulated->len); i++) {
    const KernelTimer *a = &g_array_index (captured, KernelTimer, i);
    const KernelTimer *b = &g_array_index (simulated, KernelTimer, i);
    if (!same_timer (a, b)) {
      differ (c, "timer %s was not simulated", kernel_timer_text (a, text, sizeof text));
      return;
    }
    check_wheel (c, 0, a);
    check_wheel (c, 1, b);
    compare_timer (c, a, b);
  }
}

KernelReport *
kernel_compare (const KernelLog *captured, const KernelLog *simulated, const KernelTimes *times,
                SimTime tolerance)
{
  KernelReport *report = g_new0 (KernelReport, 1);
  Comparison c = { .logs = { captured, simulated }, .times = times, .tolerance = tolerance,
                   .report = report };

  report->differences = g_string_new (NULL);
  compare_counts (&c);
  compare_connects (&c);
  compare_timers (&c);
  return report;
}

void
kernel_report_free (KernelReport *report)
{
  if (!report)
    return;
  g_string_free (report->differences, TRUE);
  g_free (report);
}

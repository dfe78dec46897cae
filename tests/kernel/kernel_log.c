/* Logs of an experiment: numbering of connects, ids and sends. */
#include "kernel_log.h"

static const char *const event_names[] = {
#define X(name) #name,
  KERNEL_EVENT_LIST (X)
#undef X
};

KernelLog *
kernel_log_new (void)
{
  KernelLog *log = g_new0 (KernelLog, 1);

  log->mads = g_array_new (FALSE, TRUE, sizeof (KernelMad));
  log->events = g_array_new (FALSE, TRUE, sizeof (KernelEvent));
  log->watched[KERNEL_SIDE_A] = log->watched[KERNEL_SIDE_B] = TRUE;
  log->guest_clock[KERNEL_SIDE_A] = log->guest_clock[KERNEL_SIDE_B] = SIM_TIME_NEVER;
  log->sees_timewait[KERNEL_SIDE_A] = log->sees_timewait[KERNEL_SIDE_B] = TRUE;
  return log;
}

void
kernel_log_free (KernelLog *log)
{
  if (!log)
    return;
  g_array_unref (log->mads);
  g_array_unref (log->events);
  g_free (log);
}

static KernelMad *
mad_at (const KernelLog *log, guint index)
{
  g_assert (index < log->mads->len);
  return &g_array_index (log->mads, KernelMad, index);
}

const KernelMad *
kernel_log_mad (const KernelLog *log, guint index)
{
  return mad_at (log, index);
}

const KernelEvent *
kernel_log_event (const KernelLog *log, guint index)
{
  g_assert (index < log->events->len);
  return &g_array_index (log->events, KernelEvent, index);
}

/* The active side's id names the connect: it stands in every MAD of it, as the
 * sender's or the receiver's. */
static guint32
active_id (const KernelLog *log, const KernelMad *mad)
{
  return mad->side == log->client ? mad->local_id : mad->remote_id;
}

static gboolean
number_connects (KernelLog *log)
{
  g_autoptr (GHashTable) numbers = g_hash_table_new (NULL, NULL); /* id -> number + 1 */

  for (guint i = 0; i < log->mads->len; i++) {
    KernelMad *mad = mad_at (log, i);
    gpointer key = GUINT_TO_POINTER (active_id (log, mad));

    if (mad->side == log->client && !g_hash_table_contains (numbers, key))
      g_hash_table_insert (numbers, key, GUINT_TO_POINTER (++log->connects));
    guint number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, key));
    if (number == 0)
      return FALSE;
    mad->conn = number - 1;
  }
  return TRUE;
}

/* Looks back for the same id and the same MAD of this sender and connect. */
static void
number_sends (KernelLog *log, guint index)
{
  KernelMad *mad = mad_at (log, index);
  gboolean known = FALSE;
  guint ids = 0;

  mad->nth = 1;
  for (guint i = 0; i < index; i++) {
    const KernelMad *old = mad_at (log, i);
    if (old->conn != mad->conn || old->side != mad->side)
      continue;
    ids = MAX (ids, old->instance + 1);
    if (old->local_id != mad->local_id)
      continue;
    mad->instance = old->instance;
    known = TRUE;
    if (old->attr == mad->attr && old->message == mad->message)
      mad->nth++;
  }
  if (!known)
    mad->instance = ids;
}

static int
compare_mads (gconstpointer a, gconstpointer b)
{
  SimTime s = ((const KernelMad *) a)->at, t = ((const KernelMad *) b)->at;

  return (s > t) - (s < t);
}

static int
compare_events (gconstpointer a, gconstpointer b)
{
  SimTime s = ((const KernelEvent *) a)->at, t = ((const KernelEvent *) b)->at;

  return (s > t) - (s < t);
}

gboolean
kernel_log_finish (KernelLog *log)
{
  if (log->mads->len == 0)
    return FALSE;
  g_array_sort (log->mads, compare_mads); /* stable: GLib sorts arrays by merging */
  g_array_sort (log->events, compare_events);
  if (!number_connects (log))
    return FALSE;
  for (guint i = 0; i < log->mads->len; i++)
    number_sends (log, i);

  log->start = kernel_log_mad (log, 0)->at;
  for (guint i = 0; i < log->mads->len; i++)
    mad_at (log, i)->at -= log->start;
  guint kept = 0;
  for (guint i = 0; i < log->events->len; i++) {
    KernelEvent event = *kernel_log_event (log, i);
    event.at -= log->start;
    if (event.type == KERNEL_EVENT_TIMEWAIT_EXIT && !log->sees_timewait[event.side])
      continue;
    g_array_index (log->events, KernelEvent, kept++) = event;
  }
  g_array_set_size (log->events, kept);
  return TRUE;
}

/* (transfer full) all that happened to a connect, but not when. */
static char *
story_of (const KernelLog *log, guint conn)
{
  GString *story = g_string_new (NULL);

  for (guint i = 0; i < log->mads->len; i++) {
    const KernelMad *mad = kernel_log_mad (log, i);
    char text[48];
    if (mad->conn == conn)
      g_string_append_printf (story, "%s id %u, ", kernel_mad_text (mad, text, sizeof text),
                              mad->instance);
  }
  for (guint i = 0; i < log->events->len; i++) {
    const KernelEvent *event = kernel_log_event (log, i);
    if (event->conn == conn)
      g_string_append_printf (story, "%c %s(%d), ", kernel_side_letter (event->side),
                              kernel_event_name (event->type), event->status);
  }
  return g_string_free (story, FALSE);
}

static GPtrArray *
stories_of (const KernelLog *log)
{
  GPtrArray *stories = g_ptr_array_new_with_free_func (g_free);

  for (guint conn = 0; conn < log->connects; conn++)
    g_ptr_array_add (stories, story_of (log, conn));
  return stories;
}

/* Gives connect `from` the first free number up to `last` whose story is `story`, or
 * any free one for NULL. */
static void
take_number (guint *numbers, gboolean *taken, guint from, guint first, guint last,
             const GPtrArray *wanted, const char *story)
{
  for (guint k = first; k <= last && numbers[from] == G_MAXUINT; k++)
    if (!taken[k] && (!story || g_str_equal (story, g_ptr_array_index (wanted, k)))) {
      taken[k] = TRUE;
      numbers[from] = k;
    }
}

guint
kernel_log_match (KernelLog *log, const KernelLog *model)
{
  guint n = log->connects, moved = 0;

  if (n == 0 || n != model->connects)
    return 0;
  g_autoptr (GPtrArray) stories = stories_of (log), wanted = stories_of (model);
  g_autofree guint *numbers = g_new (guint, n);
  g_autofree gboolean *taken = g_new0 (gboolean, n);
  for (guint i = 0; i < n; i++) {
    numbers[i] = G_MAXUINT;
    take_number (numbers, taken, i, i, i, wanted, g_ptr_array_index (stories, i));
  }
  for (guint i = 0; i < n; i++)
    take_number (numbers, taken, i, 0, n - 1, wanted, g_ptr_array_index (stories, i));
  for (guint i = 0; i < n; i++) {
    take_number (numbers, taken, i, 0, n - 1, wanted, NULL);
    moved += numbers[i] != i;
  }
  for (guint i = 0; i < log->mads->len; i++)
    mad_at (log, i)->conn = numbers[kernel_log_mad (log, i)->conn];
  for (guint i = 0; i < log->events->len; i++)
    g_array_index (log->events, KernelEvent, i).conn = numbers[kernel_log_event (log, i)->conn];
  return moved;
}

const char *
kernel_event_name (KernelEventType type)
{
  g_assert (type < KERNEL_EVENT_N);
  return event_names[type];
}

KernelEventType
kernel_event_find (const char *name)
{
  guint type = 0;

  while (type < KERNEL_EVENT_N && !g_str_equal (event_names[type], name))
    type++;
  return (KernelEventType) type;
}

char
kernel_side_letter (KernelSide side)
{
  return side == KERNEL_SIDE_A ? 'A' : 'B';
}

const char *
kernel_mad_text (const KernelMad *mad, char *buf, gsize size)
{
  const char *direction = mad->side == KERNEL_SIDE_A ? "A>B" : "B>A";

  if (mad->attr == IB_CM_REJ || mad->attr == IB_CM_MRA)
    g_snprintf (buf, size, "%s %s(%u) #%u", direction, ib_cm_attr_name (mad->attr), mad->code,
                mad->nth);
  else
    g_snprintf (buf, size, "%s %s #%u", direction, ib_cm_attr_name (mad->attr), mad->nth);
  return buf;
}

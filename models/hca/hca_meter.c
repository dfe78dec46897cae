/* The changes to come stand in a binary heap, earliest first and releases before
 * takes of the same instant, as the rings themselves see it. */
#include "hca_meter.h"

typedef struct {
  SimTime at;
  gint step;
} MeterChange;

struct HcaMeter {
  const HcaMeterOps *ops;
  gpointer owner;
  GArray *heap; /* MeterChange */
  gint in_use;
};

HcaMeter *
hca_meter_new (const HcaMeterOps *ops, gpointer owner)
{
  HcaMeter *meter = g_new0 (HcaMeter, 1);

  meter->ops = ops;
  meter->owner = owner;
  meter->heap = g_array_new (FALSE, FALSE, sizeof (MeterChange));
  return meter;
}

void
hca_meter_free (HcaMeter *meter)
{
  g_array_unref (meter->heap);
  g_free (meter);
}

static gboolean
change_before (const MeterChange *a, const MeterChange *b)
{
  return a->at != b->at ? a->at < b->at : a->step < b->step;
}

static void
heap_push (GArray *heap, MeterChange change)
{
  MeterChange *at;
  guint i = heap->len;

  g_array_append_val (heap, change);
  at = (MeterChange *) heap->data;
  for (; i > 0 && change_before (&change, &at[(i - 1) / 2]); i = (i - 1) / 2)
    at[i] = at[(i - 1) / 2];
  at[i] = change;
}

static MeterChange
heap_pop (GArray *heap)
{
  MeterChange *at = (MeterChange *) heap->data;
  MeterChange first = at[0], moved = at[heap->len - 1];
  guint n = heap->len - 1, i = 0;

  for (guint child = 1; child < n; child = 2 * i + 1) {
    if (child + 1 < n && change_before (&at[child + 1], &at[child]))
      child++;
    if (!change_before (&at[child], &moved))
      break;
    at[i] = at[child];
    i = child;
  }
  at[i] = moved;
  g_array_set_size (heap, n);
  return first;
}

void
hca_meter_use (HcaMeter *meter, SimTime now, SimTime from, SimTime until)
{
  g_assert (now <= from && from <= until);
  hca_meter_flush (meter, now);
  if (from == until)
    return;
  heap_push (meter->heap, (MeterChange){ .at = from, .step = 1 });
  heap_push (meter->heap, (MeterChange){ .at = until, .step = -1 });
}

void
hca_meter_flush (HcaMeter *meter, SimTime now)
{
  while (meter->heap->len > 0 && ((const MeterChange *) meter->heap->data)->at <= now) {
    MeterChange change = heap_pop (meter->heap);

    meter->in_use += change.step;
    g_assert (meter->in_use >= 0);
    meter->ops->changed (meter->owner, change.at, (guint) meter->in_use);
  }
}

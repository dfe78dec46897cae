/* A level over time in bounded memory.
 *
 * A bin without a change is empty; what it would hold follows from the bin before it.
 * Two bins merge into exactly what one bin of twice the width would have recorded. */
#include "sim_series.h"

typedef struct {
  gint64 last, min, max; /* min > max: empty */
} Bin;

static const Bin empty_bin = { .last = 0, .min = G_MAXINT64, .max = G_MININT64 };

struct SimSeries {
  SimTime width;
  SimTime last; /* time of the last change */
  gint64 value;
  gint64 initial;
  guint limit;
  guint used; /* bins from this one on are empty */
  Bin bins[];
};

static gboolean
is_empty (const Bin *bin)
{
  return bin->min > bin->max;
}

SimSeries *
sim_series_new (SimTime first_width, guint limit, gint64 value)
{
  g_assert (first_width > 0 && limit >= 4 && limit % 2 == 0);
  SimSeries *series = g_malloc (sizeof *series + limit * sizeof series->bins[0]);

  series->width = first_width;
  series->last = 0;
  series->value = series->initial = value;
  series->limit = limit;
  series->used = 0;
  for (guint i = 0; i < limit; i++)
    series->bins[i] = empty_bin;
  return series;
}

void
sim_series_free (SimSeries *series)
{
  g_free (series);
}

static Bin
bin_union (const Bin *a, const Bin *b)
{
  return (Bin){ .last = b->last, .min = MIN (a->min, b->min), .max = MAX (a->max, b->max) };
}

/* The first bin of a pair decides what the second one's start saw: if nothing changed
 * in it, the level from before the pair lasted through it and was inside. */
static void
double_width (SimSeries *series)
{
  gint64 level = series->initial;

  for (guint i = 0; i < series->used; i += 2) {
    Bin first = series->bins[i];
    Bin second = series->bins[i + 1];
    Bin merged = second;

    if (!is_empty (&first)) {
      merged = is_empty (&second) ? first : bin_union (&first, &second);
    } else if (!is_empty (&second)) {
      merged.min = MIN (second.min, level);
      merged.max = MAX (second.max, level);
    }
    if (!is_empty (&merged))
      level = merged.last;
    series->bins[i] = series->bins[i + 1] = empty_bin;
    series->bins[i / 2] = merged;
  }
  series->used = (series->used + 1) / 2;
  series->width *= 2;
}

void
sim_series_set (SimSeries *series, SimTime now, gint64 value)
{
  g_assert (now >= series->last);
  if (value == series->value)
    return;
  while (now / series->width >= series->limit)
    double_width (series);

  guint index = (guint) (now / series->width);
  Bin *bin = &series->bins[index];
  if (is_empty (bin) && now > index * series->width)
    bin->min = bin->max = series->value; /* lasted from the start of the bin until now */
  bin->min = MIN (bin->min, value);
  bin->max = MAX (bin->max, value);
  bin->last = value;
  series->used = index + 1;
  series->last = now;
  series->value = value;
}

void
sim_series_step (SimSeries *series, SimTime now, gint64 delta)
{
  sim_series_set (series, now, series->value + delta);
}

gint64
sim_series_value (const SimSeries *series)
{
  return series->value;
}

GArray *
sim_series_points (const SimSeries *series)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (SimSeriesPoint));

  for (guint i = 0; i < series->used; i++) {
    const Bin *bin = &series->bins[i];
    if (is_empty (bin))
      continue;
    SimTime start = i * series->width;
    SimSeriesPoint point = {
      .start = start,
      .end = sim_time_add (start, series->width),
      .last = bin->last,
      .min = bin->min,
      .max = bin->max,
    };
    g_array_append_val (points, point);
  }
  return points;
}

/* A level over time, against a recorder that keeps every change. */
#include "sim_series.h"

#include "test_sim.h"

typedef struct {
  SimTime time;
  gint64 value;
} Change;

typedef struct {
  SimTime first_width;
  guint limit;
  gint64 initial;
  GArray *changes; /* Change; repeated values are no change */
} Recorder;

/* The width follows from the last change alone. */
static SimTime
recorder_width (const Recorder *r)
{
  SimTime width = r->first_width;
  SimTime last = g_array_index (r->changes, Change, r->changes->len - 1).time;

  while (last / width >= r->limit)
    width *= 2;
  return width;
}

static GArray *
recorder_points (const Recorder *r)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (SimSeriesPoint));
  gint64 level = r->initial;
  SimTime width = r->changes->len > 0 ? recorder_width (r) : 0;

  for (guint i = 0; i < r->changes->len;) {
    const Change *first = &g_array_index (r->changes, Change, i);
    SimTime start = first->time / width * width;
    SimSeriesPoint p = { .start = start, .end = sim_time_add (start, width) };
    /* The level from before counts if it lasted into the bin. */
    p.min = p.max = first->time > start ? level : first->value;
    for (; i < r->changes->len; i++) {
      const Change *change = &g_array_index (r->changes, Change, i);
      if (change->time / width * width != start)
        break;
      level = change->value;
      p.min = MIN (p.min, level);
      p.max = MAX (p.max, level);
    }
    p.last = level;
    g_array_append_val (points, p);
  }
  return points;
}

static void
assert_same_points (const SimSeries *series, const Recorder *r)
{
  GArray *points = sim_series_points (series);
  GArray *expected = recorder_points (r);

  ck_assert_uint_eq (points->len, expected->len);
  ck_assert_uint_le (points->len, r->limit);
  for (guint i = 0; i < points->len; i++) {
    const SimSeriesPoint *a = &g_array_index (points, SimSeriesPoint, i);
    const SimSeriesPoint *b = &g_array_index (expected, SimSeriesPoint, i);
    ck_assert_int_eq (a->start, b->start);
    ck_assert_int_eq (a->end, b->end);
    ck_assert_int_eq (a->last, b->last);
    ck_assert_int_eq (a->min, b->min);
    ck_assert_int_eq (a->max, b->max);
  }
  g_array_free (points, TRUE);
  g_array_free (expected, TRUE);
}

typedef struct {
  const char *name;
  SimTime first_width;
  guint limit;
  guint64 step;   /* intervals are below this ... */
  guint64 grid;   /* ... and multiples of this, to hit the edges of bins */
  guint changes;
} SeriesCase;

static const SeriesCase cases[] = {
  { "dense", 10, 4, 3, 1, 2000 },
  { "sparse", 1, 16, 500, 1, 2000 },
  { "on the edges", 8, 8, 10, 8, 500 },
  { "on finer edges", 8, 8, 30, 4, 500 },
  { "usual", SIM_MS (1), 1024, SIM_MS (7), 1, 3000 },
  { "huge jumps", 1, 4, (guint64) 1 << 53, 1, 500 },
  { "many at once", 5, 6, 2, 1, 3000 },
};

START_TEST (like_a_full_record)
{
  const SeriesCase *c = &cases[_i];
  SimStream stream = test_stream (c->name);

  for (int run = 0; run < 20; run++) {
    gint64 initial = (gint64) sim_stream_below (&stream, 5) - 2;
    SimSeries *series = sim_series_new (c->first_width, c->limit, initial);
    Recorder r = { c->first_width, c->limit, initial, g_array_new (FALSE, FALSE, sizeof (Change)) };
    SimTime now = 0;
    gint64 level = initial;
    for (guint i = 0; i < c->changes; i++) {
      now += (SimTime) (sim_stream_below (&stream, c->step) * c->grid);
      gint64 delta = (gint64) sim_stream_below (&stream, 5) - 2;
      level += delta;
      if (sim_stream_chance (&stream, 0.5))
        sim_series_set (series, now, level);
      else
        sim_series_step (series, now, delta);
      if (delta != 0) {
        Change change = { now, level };
        g_array_append_val (r.changes, change);
      }
      ck_assert_int_eq (sim_series_value (series), level);
      if (i % 97 == 0)
        assert_same_points (series, &r);
    }
    assert_same_points (series, &r);
    sim_series_free (series);
    g_array_free (r.changes, TRUE);
  }
}
END_TEST

START_TEST (by_hand)
{
  static const SimSeriesPoint expected[] = { { 0, 20, 3, 0, 5 }, { 60, 80, -1, -1, 3 } };
  SimSeries *series = sim_series_new (10, 4, 0);

  sim_series_set (series, 5, 5);
  sim_series_set (series, 12, 3);
  sim_series_set (series, 30, 3); /* no change */
  sim_series_set (series, 75, -1); /* the second half of a pair that starts at level 3 */
  GArray *points = sim_series_points (series);
  ck_assert_uint_eq (points->len, 2);
  for (guint i = 0; i < 2; i++) {
    const SimSeriesPoint *p = &g_array_index (points, SimSeriesPoint, i);
    ck_assert (p->start == expected[i].start && p->end == expected[i].end);
    ck_assert (p->last == expected[i].last && p->min == expected[i].min);
    ck_assert_int_eq (p->max, expected[i].max);
  }
  g_array_free (points, TRUE);
  sim_series_free (series);
}
END_TEST

START_TEST (nothing_changed)
{
  SimSeries *series = sim_series_new (10, 4, 7);

  sim_series_set (series, 1000, 7);
  sim_series_step (series, 2000, 0);
  GArray *points = sim_series_points (series);
  ck_assert_uint_eq (points->len, 0);
  ck_assert_int_eq (sim_series_value (series), 7);
  g_array_free (points, TRUE);
  sim_series_free (series);
}
END_TEST

START_TEST (end_of_time)
{
  SimSeries *series = sim_series_new (1, 4, 0);

  sim_series_set (series, SIM_TIME_NEVER - 1, 1);
  GArray *points = sim_series_points (series);
  ck_assert_uint_eq (points->len, 1);
  ck_assert_int_eq (g_array_index (points, SimSeriesPoint, 0).end, SIM_TIME_NEVER);
  ck_assert_int_eq (g_array_index (points, SimSeriesPoint, 0).min, 0);
  g_array_free (points, TRUE);
  sim_series_free (series);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim_series");
  TCase *tc = tcase_create ("series");

  tcase_set_timeout (tc, 60);
  tcase_add_loop_test (tc, like_a_full_record, 0, G_N_ELEMENTS (cases));
  tcase_add_test (tc, by_hand);
  tcase_add_test (tc, nothing_changed);
  tcase_add_test (tc, end_of_time);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}

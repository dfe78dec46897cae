/* The fingerprint, and whole runs: the same on every future event list, the same as a
 * naive simulator's, and undisturbed by a second engine. */
#include <string.h>

#include "sim_engine.h"

#include "test_sim.h"

static void
ignore (gpointer owner G_GNUC_UNUSED, guint64 arg G_GNUC_UNUSED)
{
}

static const SimEventClass one = { .name = "one", .code = 1, .fire = ignore };
static const SimEventClass two = { .name = "two", .code = 2, .fire = ignore };

typedef struct {
  SimTime time;
  const SimEventClass *klass;
  guint64 arg;
} Item;

static guint64
fingerprint_of (const Item *items, guint n)
{
  SimEngine *engine = sim_engine_new (NULL, 0);

  for (guint i = 0; i < n; i++)
    sim_engine_schedule_at (engine, items[i].time, items[i].klass, engine, items[i].arg);
  sim_engine_run (engine, SIM_TIME_NEVER);
  guint64 fingerprint = sim_engine_fingerprint (engine);
  sim_engine_free (engine);
  return fingerprint;
}

/* The expected numbers were computed apart, from the formula in sim_engine.c. */
START_TEST (known_values)
{
  static const Item items[] = {
    { 0, &one, 0 }, { 5, &two, 7 }, { 5, &one, G_MAXUINT64 }, { SIM_MS (6400), &two, 3 },
  };
  static const guint64 expected[] = {
    G_GUINT64_CONSTANT (0x830185cf67b2b71f),
    G_GUINT64_CONSTANT (0x1c7c7f8969746ab8),
    G_GUINT64_CONSTANT (0x3e53e589a3626b50),
    G_GUINT64_CONSTANT (0xd20dc77622d09e54),
  };

  ck_assert_uint_eq (fingerprint_of (items, 0), 0);
  for (guint n = 1; n <= G_N_ELEMENTS (items); n++)
    ck_assert_uint_eq (fingerprint_of (items, n), expected[n - 1]);

  SimEngine *engine = sim_engine_new (NULL, 0);
  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    sim_engine_schedule_at (engine, items[i].time, items[i].klass, NULL, items[i].arg);
  sim_engine_run (engine, SIM_TIME_NEVER);
  sim_engine_mix (engine, 42);
  ck_assert_uint_eq (sim_engine_fingerprint (engine), G_GUINT64_CONSTANT (0xb6ad622946d06b4d));
  sim_engine_free (engine);
}
END_TEST

START_TEST (changes_with_everything)
{
  static const Item variants[][3] = {
    { { 1, &one, 1 }, { 2, &one, 2 }, { 3, &one, 3 } },
    { { 1, &one, 1 }, { 2, &one, 2 }, { 4, &one, 3 } }, /* a time */
    { { 1, &one, 1 }, { 2, &two, 2 }, { 3, &one, 3 } }, /* a class */
    { { 1, &one, 1 }, { 2, &one, 9 }, { 3, &one, 3 } }, /* an argument */
    { { 1, &one, 1 }, { 2, &one, 3 }, { 3, &one, 2 } }, /* two arguments exchanged */
    { { 1, &two, 1 }, { 2, &one, 2 }, { 3, &one, 3 } },
    { { 2, &one, 1 }, { 2, &one, 2 }, { 3, &one, 3 } },
    { { 2, &one, 2 }, { 2, &one, 1 }, { 3, &one, 3 } }, /* the order within an instant */
    { { 0, &one, 1 }, { 2, &one, 2 }, { 3, &one, 3 } },
  };
  guint64 seen[G_N_ELEMENTS (variants) * 3];
  guint n_seen = 0;

  for (guint i = 0; i < G_N_ELEMENTS (variants); i++) {
    guint64 whole = fingerprint_of (variants[i], 3);
    ck_assert_uint_eq (fingerprint_of (variants[i], 3), whole);
    seen[n_seen++] = whole;
    seen[n_seen++] = fingerprint_of (variants[i] + 1, 2); /* the first event missing */
  }
  for (guint i = 0; i < n_seen; i++) {
    for (guint j = 0; j < i; j++) {
      const Item *a = &variants[i / 2][1];
      const Item *b = &variants[j / 2][1];
      gboolean same_tail = i % 2 == 1 && j % 2 == 1 && memcmp (a, b, 2 * sizeof *a) == 0;
      ck_assert_msg ((seen[i] == seen[j]) == same_tail, "%u and %u", i, j);
    }
  }
}
END_TEST

START_TEST (cancelled_events_and_owners_leave_no_mark)
{
  SimEngine *plain = sim_engine_new (NULL, 0);
  SimEngine *engine = sim_engine_new (NULL, 0);

  sim_engine_schedule_at (plain, 5, &one, NULL, 1);
  sim_engine_run (plain, SIM_TIME_NEVER);
  SimEventId id = sim_engine_schedule_at (engine, 4, &two, NULL, 9);
  sim_engine_schedule_at (engine, 5, &one, engine, 1);
  sim_engine_cancel (engine, id);
  sim_engine_run (engine, SIM_TIME_NEVER);
  ck_assert_uint_eq (sim_engine_fingerprint (engine), sim_engine_fingerprint (plain));
  sim_engine_mix (engine, 0);
  ck_assert_uint_ne (sim_engine_fingerprint (engine), sim_engine_fingerprint (plain));
  sim_engine_free (plain);
  sim_engine_free (engine);
}
END_TEST

/* ----- a random model on the engine and on a naive simulator ----- */

#define NODES 500
#define LAST_EVENT 200000

/* Each event schedules up to two others and may cancel the last one of a random node. */
typedef struct World World;
struct World {
  SimEngine *engine; /* NULL: naive */
  GArray *pending;   /* naive: Pending, unsorted */
  SimTime now;
  guint64 sequence;
  SimStream stream;
  guint64 last[NODES]; /* handle of the last event of each node */
  guint64 fired;
  guint64 hash;
};

typedef struct {
  SimTime time;
  gboolean late;
  guint64 sequence;
  guint64 arg;
} Pending;

static void world_event (gpointer owner, guint64 arg);
static const SimEventClass node = { .name = "node", .code = 10, .fire = world_event };

static guint64
world_schedule (World *world, SimTime at, gboolean late, guint64 arg)
{
  if (world->engine != NULL)
    return late ? sim_engine_schedule_late (world->engine, at, &node, world, arg)
                : sim_engine_schedule_at (world->engine, at, &node, world, arg);
  Pending pending = { at, late, ++world->sequence, arg };
  g_array_append_val (world->pending, pending);
  return pending.sequence;
}

static gboolean
world_cancel (World *world, guint64 handle)
{
  if (world->engine != NULL)
    return sim_engine_cancel (world->engine, handle);
  for (guint i = 0; i < world->pending->len; i++) {
    if (g_array_index (world->pending, Pending, i).sequence == handle) {
      g_array_remove_index_fast (world->pending, i);
      return TRUE;
    }
  }
  return FALSE;
}

static void
world_event (gpointer owner, guint64 arg)
{
  World *world = owner;
  SimTime now = world->engine != NULL ? sim_engine_now (world->engine) : world->now;

  world->hash = (world->hash ^ (guint64) now ^ arg << 40) * G_GUINT64_CONSTANT (0x100000001b3);
  if (++world->fired > LAST_EVENT)
    return;
  for (guint i = 0; i < 2; i++) {
    guint64 target = sim_stream_below (&world->stream, NODES);
    if (world_cancel (world, world->last[target]))
      world->hash++;
    SimTime delay = (SimTime) sim_stream_below (&world->stream, 40);
    gboolean late = sim_stream_chance (&world->stream, 0.05);
    world->last[target] = world_schedule (world, now + delay, late, target);
  }
}

static void
world_start (World *world)
{
  world->stream = test_stream ("world");
  for (guint64 i = 0; i < NODES; i++)
    world->last[i] = world_schedule (world, 0, FALSE, i);
}

/* Looks through all pending events for the first one, each time. */
static void
naive_run (World *world)
{
  while (world->pending->len > 0) {
    guint first = 0;
    for (guint i = 1; i < world->pending->len; i++) {
      const Pending *a = &g_array_index (world->pending, Pending, i);
      const Pending *b = &g_array_index (world->pending, Pending, first);
      if (a->time != b->time ? a->time < b->time
          : a->late != b->late ? !a->late
                               : a->sequence < b->sequence)
        first = i;
    }
    Pending fired = g_array_index (world->pending, Pending, first);
    g_array_remove_index_fast (world->pending, first);
    world->now = fired.time;
    world_event (world, fired.arg);
  }
}

START_TEST (like_a_naive_simulator)
{
  World *naive = g_new0 (World, 1);

  naive->pending = g_array_new (FALSE, FALSE, sizeof (Pending));
  world_start (naive);
  naive_run (naive);
  ck_assert_uint_gt (naive->fired, LAST_EVENT);
  for (int i = 0; sim_fel_classes[i] != NULL; i++) {
    World *world = g_new0 (World, 1);
    world->engine = sim_engine_new (sim_fel_classes[i], 0);
    world_start (world);
    SimTime until = 0; /* in slices, which must not matter */
    while (sim_engine_run (world->engine, until) != SIM_STOP_IDLE)
      until += 100;
    ck_assert_uint_eq (world->fired, naive->fired);
    ck_assert_uint_eq (sim_engine_events (world->engine), naive->fired);
    ck_assert_uint_eq (world->hash, naive->hash);
    sim_engine_free (world->engine);
    g_free (world);
  }
  g_array_free (naive->pending, TRUE);
  g_free (naive);
}
END_TEST

START_TEST (two_engines_share_nothing)
{
  World *alone = g_new0 (World, 1);
  World *a = g_new0 (World, 1);
  World *b = g_new0 (World, 1);

  alone->engine = sim_engine_new (NULL, 0);
  a->engine = sim_engine_new (NULL, 0);
  b->engine = sim_engine_new (NULL, 0);
  world_start (alone);
  sim_engine_run (alone->engine, SIM_TIME_NEVER);
  world_start (a);
  world_start (b);
  b->stream.state++; /* another run */
  SimTime until = 0;
  gboolean going = TRUE;
  while (going) {
    gboolean a_idle = sim_engine_run (a->engine, until) == SIM_STOP_IDLE;
    gboolean b_idle = sim_engine_run (b->engine, until) == SIM_STOP_IDLE;
    going = !a_idle || !b_idle;
    until += 1000;
  }
  ck_assert_uint_eq (sim_engine_fingerprint (a->engine), sim_engine_fingerprint (alone->engine));
  ck_assert_uint_ne (sim_engine_fingerprint (b->engine), sim_engine_fingerprint (alone->engine));
  sim_engine_free (alone->engine);
  sim_engine_free (a->engine);
  sim_engine_free (b->engine);
  g_free (alone);
  g_free (a);
  g_free (b);
}
END_TEST

/* More pending at once than one chunk of the pool holds. */
START_TEST (many_pending)
{
  enum { N = 100000 };
  SimEngine *engine = sim_engine_new (NULL, 0);
  SimStream stream = test_stream ("many");
  SimEventId *ids = g_new (SimEventId, N);

  for (guint i = 0; i < N; i++)
    ids[i] = sim_engine_schedule_at (engine, (SimTime) sim_stream_below (&stream, 1000000), &one,
                                     NULL, i);
  ck_assert_uint_eq (sim_engine_pending (engine), N);
  for (guint i = 0; i < N; i += 3)
    ck_assert (sim_engine_cancel (engine, ids[i]));
  for (guint i = 0; i < N; i++)
    ck_assert (sim_engine_is_pending (engine, ids[i]) == (i % 3 != 0));
  ck_assert_int_eq (sim_engine_run (engine, SIM_TIME_NEVER), SIM_STOP_IDLE);
  ck_assert_uint_eq (sim_engine_events (engine), N - (N + 2) / 3);
  for (guint i = 0; i < N; i++)
    ck_assert (!sim_engine_is_pending (engine, ids[i]));
  g_free (ids);
  sim_engine_free (engine);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim_fingerprint");
  TCase *tc = tcase_create ("fingerprint");

  tcase_set_timeout (tc, 120);
  tcase_add_test (tc, known_values);
  tcase_add_test (tc, changes_with_everything);
  tcase_add_test (tc, cancelled_events_and_owners_leave_no_mark);
  tcase_add_test (tc, like_a_naive_simulator);
  tcase_add_test (tc, two_engines_share_nothing);
  tcase_add_test (tc, many_pending);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}

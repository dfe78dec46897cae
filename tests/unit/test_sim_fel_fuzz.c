/* The same random run on every future event list, and with timers made of events: order,
 * ties, cancels, jumps, equal times, zero delays and the end of the range must agree.
 *
 * A world of nodes; an event of a node draws from the world's stream what to do next, so one
 * event out of place changes everything after it, and with it the fingerprint. */
#include <stdlib.h>

#include "sim_timer.h"

#include "test_sim.h"

typedef enum { EXPONENTIAL, ZERO, TIES, TWO_PEAKS, JUMPS, CONSTANT, POWERS, JIFFIES, MIXED } Shape;

static const char *const shape_names[] = { "exponential", "zero",  "ties",    "two peaks", "jumps",
                                           "constant",    "powers", "jiffies", "mixed" };

static SimTime
draw_delay (SimStream *stream, Shape shape, SimTime now)
{
  switch (shape) {
  case EXPONENTIAL:
    return (SimTime) (-1e9 * log (sim_stream_unit_open (stream)));
  case ZERO:
    return 0;
  case TIES:
    return (SimTime) sim_stream_below (stream, 4);
  case TWO_PEAKS:
    return sim_stream_chance (stream, 0.5) ? (SimTime) sim_stream_below (stream, 100)
                                           : SIM_S (1) + (SimTime) sim_stream_below (stream, 10);
  case JUMPS:
    return sim_stream_chance (stream, 0.999) ? (SimTime) sim_stream_below (stream, 1000)
                                             : SIM_S (1000000);
  case CONSTANT:
    return SIM_MS (4300);
  case POWERS:
    return (SimTime) 1 << sim_stream_below (stream, 50);
  case JIFFIES: /* to the next multiple of 4 ms, one to eight of them on */
    return (now / SIM_MS (4) + 1 + (SimTime) sim_stream_below (stream, 8)) * SIM_MS (4) - now;
  case MIXED:
    return draw_delay (stream, (Shape) sim_stream_below (stream, MIXED), now);
  }
  g_assert_not_reached ();
}

typedef struct World World;

typedef struct {
  World *world;
  SimEventId event; /* the last one scheduled */
  SimTimer timer;
  SimEventId timer_event; /* stands for the timer, if timers are made of events */
} Node;

struct World {
  SimEngine *engine;
  gboolean timers; /* real ones */
  Shape shape;
  SimTime last; /* nothing is scheduled beyond */
  SimStream stream;
  guint n, pending_max;
  guint64 fired, fired_max;
  Node *nodes;
};

static void world_fire (gpointer owner, guint64 arg);
static void world_expire (gpointer owner, guint64 arg);
static const SimEventClass fire = { .name = "fire", .code = 1, .fire = world_fire };
static const SimEventClass expire = { .name = "expire", .code = 2, .fire = world_expire };

static SimTime
world_time (World *world)
{
  SimTime now = sim_engine_now (world->engine);
  SimTime at = sim_time_add (now, draw_delay (&world->stream, world->shape, now));

  return MIN (at, world->last);
}

static void
node_start_timer (Node *node, SimTime at)
{
  World *world = node->world;

  if (world->timers) {
    sim_timer_start_at (&node->timer, at);
  } else {
    sim_engine_cancel (world->engine, node->timer_event);
    node->timer_event = sim_engine_schedule_at (world->engine, at, &expire, node,
                                                (guint64) (node - world->nodes));
  }
}

static void
node_stop_timer (Node *node)
{
  if (node->world->timers) {
    sim_timer_stop (&node->timer);
  } else {
    sim_engine_cancel (node->world->engine, node->timer_event);
    node->timer_event = SIM_EVENT_NONE;
  }
}

static void
node_schedule (Node *node)
{
  World *world = node->world;
  SimTime at = world_time (world);
  guint64 arg = (guint64) (node - world->nodes);

  node->event = sim_stream_chance (&world->stream, 0.03)
                    ? sim_engine_schedule_late (world->engine, at, &fire, node, arg)
                    : sim_engine_schedule_at (world->engine, at, &fire, node, arg);
}

/* About as many events are begun as end, up to the world's size. */
static void
world_act (World *world, Node *node)
{
  if (++world->fired >= world->fired_max)
    return;
  sim_engine_mix (world->engine, sim_engine_pending (world->engine));
  for (guint i = 0; i < 3; i++) {
    Node *other = &world->nodes[sim_stream_below (&world->stream, world->n)];
    guint64 choice = sim_stream_below (&world->stream, 8);
    if (choice == 0)
      sim_engine_mix (world->engine, sim_engine_cancel (world->engine, other->event));
    else if (choice <= 2)
      node_start_timer (other, world_time (world));
    else if (choice == 3)
      node_stop_timer (other);
    else if (choice <= 5 && sim_engine_pending (world->engine) < world->pending_max)
      node_schedule (other);
  }
  if (sim_engine_pending (world->engine) < world->pending_max)
    node_schedule (node);
}

static void
world_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  world_act (((Node *) owner)->world, owner);
}

static void
world_expire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  world_act (((Node *) owner)->world, owner);
}

typedef struct {
  guint64 fingerprint, events;
  SimTime now;
} Outcome;

static Outcome
world_run (const SimFelClass *fel, gboolean timers, Shape shape, guint size, SimTime from,
           guint64 events)
{
  World world = {
    .engine = sim_engine_new (fel, 0),
    .timers = timers,
    .shape = shape,
    .last = SIM_TIME_NEVER - 1,
    .stream = test_stream (shape_names[shape]),
    .n = size,
    .pending_max = 2 * size,
    .fired_max = events,
    .nodes = g_new0 (Node, size),
  };
  SimTime until = from;

  sim_engine_run (world.engine, from);
  for (guint i = 0; i < size; i++) {
    world.nodes[i].world = &world;
    sim_timer_init (&world.nodes[i].timer, world.engine, &expire, &world.nodes[i], i);
    node_schedule (&world.nodes[i]);
  }
  /* In slices, so that lists are also asked for what is not there yet. */
  while (sim_engine_run (world.engine, until) != SIM_STOP_IDLE)
    until = sim_time_add (until, 1 + draw_delay (&world.stream, shape, until));
  Outcome outcome = { sim_engine_fingerprint (world.engine), sim_engine_events (world.engine),
                      sim_engine_now (world.engine) };
  for (guint i = 0; i < size; i++)
    sim_timer_clear (&world.nodes[i].timer);
  ck_assert_uint_eq (sim_engine_pending (world.engine), 0);
  sim_engine_free (world.engine);
  g_free (world.nodes);
  return outcome;
}

static const guint sizes[] = { 1, 10, 40, 150, 3000, 12000 };

/* FUZZ_EVENTS in the environment: so many events instead. */
static guint64
events_wanted (guint size)
{
  const char *text = getenv ("FUZZ_EVENTS");

  return text != NULL ? strtoull (text, NULL, 10) : MAX (20000, 3 * (guint64) size);
}

static void
compare (Shape shape, SimTime from)
{
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
    guint64 events = events_wanted (sizes[s]);
    Outcome plain = world_run (&sim_fel_heap, FALSE, shape, sizes[s], from, events);

    ck_assert_uint_ge (plain.events, MIN (sizes[s], events));
    for (guint i = 0; sim_fel_classes[i] != NULL; i++) {
      for (guint timers = 0; timers < 2; timers++) {
        Outcome other = world_run (sim_fel_classes[i], timers, shape, sizes[s], from, events);
        ck_assert_msg (other.fingerprint == plain.fingerprint && other.events == plain.events &&
                           other.now == plain.now,
                       "%s, %s, size %u: %s", shape_names[shape], sim_fel_classes[i]->name,
                       sizes[s], timers ? "timers" : "events");
      }
    }
  }
}

START_TEST (same_run)
{
  compare ((Shape) _i, 0);
}
END_TEST

/* The whole world in the last microsecond and the last hour that there are. */
START_TEST (same_run_at_the_end_of_time)
{
  compare ((Shape) _i, SIM_TIME_NEVER - 1000);
  compare ((Shape) _i, SIM_TIME_NEVER - SIM_S (3600));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim_fel_fuzz");
  TCase *tc = tcase_create ("fuzz");

  tcase_set_timeout (tc, 600);
  tcase_add_loop_test (tc, same_run, 0, MIXED + 1);
  tcase_add_loop_test (tc, same_run_at_the_end_of_time, 0, MIXED + 1);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}

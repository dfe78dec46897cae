/* Order, handles, limits and fingerprint of the engine. */
#include "sim_engine.h"

#include "test_sim.h"

typedef struct {
  SimTime time;
  guint64 arg;
} Fired;

typedef struct {
  SimEngine *engine;
  GArray *log; /* Fired */
  SimEventId watched;
  volatile gint stop_flag;
} Model;

static void
model_note (gpointer owner, guint64 arg)
{
  Model *model = owner;
  Fired fired = { .time = sim_engine_now (model->engine), .arg = arg };

  g_array_append_val (model->log, fired);
}

static const SimEventClass note = { .name = "note", .code = 1, .fire = model_note };
static const SimEventClass other_note = { .name = "other", .code = 2, .fire = model_note };

static Model
model_new (guint64 event_limit)
{
  return (Model){
    .engine = sim_engine_new (NULL, event_limit),
    .log = g_array_new (FALSE, FALSE, sizeof (Fired)),
  };
}

static void
model_free (Model *model)
{
  sim_engine_free (model->engine);
  g_array_free (model->log, TRUE);
}

static void
assert_fired (const Model *model, guint n, const Fired *expected)
{
  ck_assert_uint_eq (model->log->len, n);
  for (guint i = 0; i < n; i++) {
    ck_assert_int_eq (g_array_index (model->log, Fired, i).time, expected[i].time);
    ck_assert_uint_eq (g_array_index (model->log, Fired, i).arg, expected[i].arg);
  }
}

/* ----- order ----- */

START_TEST (by_time_then_first_come)
{
  static const Fired expected[] = { { 5, 3 }, { 10, 1 }, { 10, 2 }, { 10, 4 }, { 20, 0 } };
  Model m = model_new (0);

  sim_engine_schedule_at (m.engine, 20, &note, &m, 0);
  sim_engine_schedule_at (m.engine, 10, &note, &m, 1);
  sim_engine_schedule_after (m.engine, 10, &other_note, &m, 2);
  sim_engine_schedule_at (m.engine, 5, &note, &m, 3);
  sim_engine_schedule_at (m.engine, 10, &note, &m, 4);
  ck_assert_uint_eq (sim_engine_pending (m.engine), 5);
  ck_assert_int_eq (sim_engine_run (m.engine, SIM_TIME_NEVER), SIM_STOP_IDLE);
  assert_fired (&m, 5, expected);
  ck_assert_int_eq (sim_engine_now (m.engine), 20);
  ck_assert_uint_eq (sim_engine_events (m.engine), 5);
  ck_assert_uint_eq (sim_engine_pending (m.engine), 0);
  model_free (&m);
}
END_TEST

static void
model_spawn (gpointer owner, guint64 arg)
{
  Model *model = owner;

  model_note (owner, arg);
  sim_engine_schedule_late (model->engine, sim_engine_now (model->engine), &note, model, arg + 200);
  sim_engine_schedule_after (model->engine, 0, &note, model, arg + 100);
}

static const SimEventClass spawn = { .name = "spawn", .code = 3, .fire = model_spawn };

START_TEST (late_after_all_of_the_instant)
{
  static const Fired expected[] = {
    { 10, 2 }, { 10, 4 }, { 10, 102 }, { 10, 1 }, { 10, 3 }, { 10, 202 }, { 11, 0 },
  };
  Model m = model_new (0);

  sim_engine_schedule_at (m.engine, 11, &note, &m, 0);
  sim_engine_schedule_late (m.engine, 10, &note, &m, 1);
  sim_engine_schedule_at (m.engine, 10, &spawn, &m, 2);
  sim_engine_schedule_late (m.engine, 10, &note, &m, 3);
  sim_engine_schedule_at (m.engine, 10, &note, &m, 4);
  sim_engine_run (m.engine, SIM_TIME_NEVER);
  assert_fired (&m, 7, expected);
  model_free (&m);
}
END_TEST

START_TEST (never_is_not_scheduled)
{
  Model m = model_new (0);

  ck_assert_uint_eq (sim_engine_schedule_at (m.engine, SIM_TIME_NEVER, &note, &m, 0),
                     SIM_EVENT_NONE);
  ck_assert_uint_eq (sim_engine_schedule_late (m.engine, SIM_TIME_NEVER, &note, &m, 0),
                     SIM_EVENT_NONE);
  sim_engine_schedule_at (m.engine, 10, &note, &m, 1);
  sim_engine_run (m.engine, SIM_TIME_NEVER);
  ck_assert_uint_eq (sim_engine_schedule_after (m.engine, SIM_TIME_NEVER - 10, &note, &m, 0),
                     SIM_EVENT_NONE);
  ck_assert_uint_eq (sim_engine_pending (m.engine), 0);
  sim_engine_schedule_after (m.engine, SIM_TIME_NEVER - 11, &note, &m, 2);
  ck_assert_int_eq (sim_engine_run (m.engine, SIM_TIME_NEVER), SIM_STOP_IDLE);
  ck_assert_int_eq (sim_engine_now (m.engine), SIM_TIME_NEVER - 1);
  model_free (&m);
}
END_TEST

START_TEST (the_past_aborts)
{
  Model m = model_new (0);

  sim_engine_schedule_at (m.engine, 10, &note, &m, 0);
  sim_engine_run (m.engine, SIM_TIME_NEVER);
  sim_engine_schedule_at (m.engine, 9, &note, &m, 0);
}
END_TEST

START_TEST (a_negative_delay_aborts)
{
  Model m = model_new (0);

  sim_engine_run (m.engine, 10);
  sim_engine_schedule_after (m.engine, -1, &note, &m, 0);
}
END_TEST

/* ----- handles ----- */

START_TEST (cancel_once)
{
  static const Fired expected[] = { { 10, 0 }, { 10, 2 } };
  Model m = model_new (0);

  sim_engine_schedule_at (m.engine, 10, &note, &m, 0);
  SimEventId id = sim_engine_schedule_at (m.engine, 10, &note, &m, 1);
  sim_engine_schedule_at (m.engine, 10, &note, &m, 2);
  ck_assert (sim_engine_is_pending (m.engine, id));
  ck_assert (sim_engine_cancel (m.engine, id));
  ck_assert (!sim_engine_is_pending (m.engine, id));
  ck_assert (!sim_engine_cancel (m.engine, id));
  ck_assert (!sim_engine_cancel (m.engine, SIM_EVENT_NONE));
  ck_assert (!sim_engine_is_pending (m.engine, SIM_EVENT_NONE));
  ck_assert_uint_eq (sim_engine_pending (m.engine), 2);
  sim_engine_run (m.engine, SIM_TIME_NEVER);
  assert_fired (&m, 2, expected);
  ck_assert_uint_eq (sim_engine_events (m.engine), 2);
  model_free (&m);
}
END_TEST

/* The slot is used again at once, so an old handle names a slot that is pending. */
START_TEST (stale_handles_name_nothing)
{
  Model m = model_new (0);
  SimEventId cancelled = sim_engine_schedule_at (m.engine, 10, &note, &m, 0);

  sim_engine_cancel (m.engine, cancelled);
  SimEventId fired = sim_engine_schedule_at (m.engine, 20, &note, &m, 1);
  ck_assert_uint_eq ((guint32) fired, (guint32) cancelled);
  ck_assert (!sim_engine_is_pending (m.engine, cancelled));
  ck_assert (!sim_engine_cancel (m.engine, cancelled));
  sim_engine_run (m.engine, SIM_TIME_NEVER);
  SimEventId live = sim_engine_schedule_at (m.engine, 30, &note, &m, 2);
  ck_assert_uint_eq ((guint32) live, (guint32) fired);
  ck_assert (!sim_engine_cancel (m.engine, fired));
  ck_assert (!sim_engine_cancel (m.engine, cancelled));
  ck_assert (sim_engine_is_pending (m.engine, live));
  ck_assert_uint_eq (sim_engine_pending (m.engine), 1);
  model_free (&m);
}
END_TEST

/* arg 0: cancels the watched event; arg 1: asks for its own handle. */
static void
model_cancel (gpointer owner, guint64 arg)
{
  Model *model = owner;

  model_note (owner, arg);
  ck_assert (sim_engine_is_pending (model->engine, model->watched) == (arg == 0));
  ck_assert (sim_engine_cancel (model->engine, model->watched) == (arg == 0));
}

static const SimEventClass cancel = { .name = "cancel", .code = 4, .fire = model_cancel };

START_TEST (cancel_from_inside)
{
  static const Fired expected[] = { { 10, 0 }, { 12, 1 } };
  Model m = model_new (0);

  sim_engine_schedule_at (m.engine, 10, &cancel, &m, 0);
  m.watched = sim_engine_schedule_at (m.engine, 10, &note, &m, 7); /* of the same instant */
  sim_engine_run (m.engine, 11);
  m.watched = sim_engine_schedule_at (m.engine, 12, &cancel, &m, 1); /* itself */
  sim_engine_run (m.engine, 13);
  assert_fired (&m, 2, expected);
  model_free (&m);
}
END_TEST

START_TEST (slots_are_used_again)
{
  Model m = model_new (0);

  for (int i = 0; i < 100000; i++) {
    SimEventId a = sim_engine_schedule_after (m.engine, 5, &note, &m, 0);
    SimEventId b = sim_engine_schedule_after (m.engine, 1, &note, &m, 0);
    ck_assert_uint_lt ((guint32) a, 2);
    ck_assert_uint_lt ((guint32) b, 2);
    sim_engine_run (m.engine, sim_engine_now (m.engine) + 1);
    ck_assert (sim_engine_cancel (m.engine, a));
    g_array_set_size (m.log, 0);
  }
  model_free (&m);
}
END_TEST

/* No handle ever names another event: after a million uses a slot rests for good. */
START_TEST (used_up_slots_rest)
{
  Model m = model_new (0);
  SimEventId first = sim_engine_schedule_at (m.engine, 10, &note, &m, 0), last = first;
  guint32 uses = 0;

  while ((guint32) last == (guint32) first) {
    ck_assert (sim_engine_cancel (m.engine, last));
    last = sim_engine_schedule_at (m.engine, 10, &note, &m, 0);
    ck_assert_uint_ne (last, first);
    uses++;
  }
  ck_assert_uint_eq (uses, SIM_GENERATION_MASK);
  ck_assert (!sim_engine_is_pending (m.engine, first));
  ck_assert (sim_engine_is_pending (m.engine, last));
  model_free (&m);
}
END_TEST

/* ----- stopping ----- */

START_TEST (until_and_on)
{
  static const Fired expected[] = { { 10, 0 }, { 20, 1 }, { 30, 2 } };
  Model m = model_new (0);

  for (guint64 i = 0; i < 3; i++)
    sim_engine_schedule_at (m.engine, (SimTime) (i + 1) * 10, &note, &m, i);
  ck_assert_int_eq (sim_engine_run (m.engine, 5), SIM_STOP_UNTIL);
  ck_assert_int_eq (sim_engine_now (m.engine), 5);
  assert_fired (&m, 0, expected);
  ck_assert_int_eq (sim_engine_run (m.engine, 20), SIM_STOP_UNTIL); /* events at until run */
  assert_fired (&m, 2, expected);
  ck_assert_int_eq (sim_engine_now (m.engine), 20);
  ck_assert_int_eq (sim_engine_run (m.engine, 20), SIM_STOP_UNTIL);
  ck_assert_int_eq (sim_engine_run (m.engine, 25), SIM_STOP_UNTIL);
  ck_assert_int_eq (sim_engine_now (m.engine), 25);
  ck_assert_int_eq (sim_engine_run (m.engine, 40), SIM_STOP_IDLE);
  ck_assert_int_eq (sim_engine_now (m.engine), 30);
  assert_fired (&m, 3, expected);
  model_free (&m);
}
END_TEST

START_TEST (until_before_now_aborts)
{
  Model m = model_new (0);

  sim_engine_schedule_at (m.engine, 100, &note, &m, 0);
  sim_engine_run (m.engine, 10);
  sim_engine_run (m.engine, 9);
}
END_TEST

START_TEST (event_limit)
{
  Model m = model_new (3);

  for (guint64 i = 0; i < 3; i++)
    sim_engine_schedule_at (m.engine, (SimTime) i, &note, &m, i);
  ck_assert_int_eq (sim_engine_run (m.engine, SIM_TIME_NEVER), SIM_STOP_IDLE);
  sim_engine_schedule_at (m.engine, 50, &note, &m, 3);
  ck_assert_int_eq (sim_engine_run (m.engine, 49), SIM_STOP_UNTIL); /* nothing to fire yet */
  ck_assert_int_eq (sim_engine_now (m.engine), 49);
  ck_assert_int_eq (sim_engine_run (m.engine, 50), SIM_STOP_EVENT_LIMIT);
  ck_assert_int_eq (sim_engine_run (m.engine, SIM_TIME_NEVER), SIM_STOP_EVENT_LIMIT);
  ck_assert_int_eq (sim_engine_now (m.engine), 49);
  ck_assert_uint_eq (sim_engine_events (m.engine), 3);
  ck_assert_uint_eq (m.log->len, 3);
  model_free (&m);
}
END_TEST

static void
model_stop (gpointer owner, guint64 arg)
{
  model_note (owner, arg);
  sim_engine_stop (((Model *) owner)->engine);
}

static const SimEventClass stop = { .name = "stop", .code = 6, .fire = model_stop };

START_TEST (stop_after_this_event)
{
  static const Fired expected[] = { { 10, 0 }, { 10, 1 }, { 10, 2 } };
  Model m = model_new (0);

  sim_engine_schedule_at (m.engine, 10, &note, &m, 0);
  sim_engine_schedule_at (m.engine, 10, &stop, &m, 1);
  sim_engine_schedule_at (m.engine, 10, &stop, &m, 2);
  ck_assert_int_eq (sim_engine_run (m.engine, SIM_TIME_NEVER), SIM_STOP_REQUESTED);
  assert_fired (&m, 2, expected);
  ck_assert_int_eq (sim_engine_run (m.engine, SIM_TIME_NEVER), SIM_STOP_REQUESTED);
  assert_fired (&m, 3, expected);
  ck_assert_int_eq (sim_engine_run (m.engine, SIM_TIME_NEVER), SIM_STOP_IDLE);
  sim_engine_schedule_at (m.engine, 11, &note, &m, 3);
  sim_engine_stop (m.engine);
  ck_assert_int_eq (sim_engine_run (m.engine, SIM_TIME_NEVER), SIM_STOP_REQUESTED);
  ck_assert_uint_eq (m.log->len, 3);
  ck_assert_int_eq (sim_engine_run (m.engine, SIM_TIME_NEVER), SIM_STOP_IDLE);
  ck_assert_uint_eq (m.log->len, 4);
  model_free (&m);
}
END_TEST

/* Goes on for ever; sets the flag at event 5000. */
static void
model_flag (gpointer owner, guint64 arg);

static const SimEventClass flag = { .name = "flag", .code = 7, .fire = model_flag };

static void
model_flag (gpointer owner, guint64 arg)
{
  Model *model = owner;

  if (arg == 5000)
    model->stop_flag = 1;
  sim_engine_schedule_after (model->engine, 1, &flag, model, arg + 1);
}

START_TEST (watched_flag)
{
  Model m = model_new (1000000);

  sim_engine_watch (m.engine, &m.stop_flag);
  sim_engine_schedule_at (m.engine, 0, &flag, &m, 0);
  ck_assert_int_eq (sim_engine_run (m.engine, SIM_TIME_NEVER), SIM_STOP_REQUESTED);
  guint64 events = sim_engine_events (m.engine);
  ck_assert_uint_gt (events, 5000);
  ck_assert_uint_le (events, 5001 + 1024);
  ck_assert_int_eq (sim_engine_now (m.engine), (SimTime) events - 1);
  ck_assert_int_eq (sim_engine_run (m.engine, SIM_TIME_NEVER), SIM_STOP_REQUESTED);
  ck_assert_uint_eq (sim_engine_events (m.engine), events);
  sim_engine_watch (m.engine, NULL);
  ck_assert_int_eq (sim_engine_run (m.engine, SIM_TIME_NEVER), SIM_STOP_EVENT_LIMIT);
  ck_assert_uint_eq (sim_engine_events (m.engine), 1000000);
  model_free (&m);
}
END_TEST

static void
model_nest (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  sim_engine_run (((Model *) owner)->engine, SIM_TIME_NEVER);
}

static const SimEventClass nest = { .name = "nest", .code = 8, .fire = model_nest };

START_TEST (nested_run_aborts)
{
  Model m = model_new (0);

  sim_engine_schedule_at (m.engine, 1, &nest, &m, 0);
  sim_engine_run (m.engine, SIM_TIME_NEVER);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim_engine");
  TCase *tc = tcase_create ("engine");

  tcase_set_timeout (tc, 60);
  tcase_add_test (tc, by_time_then_first_come);
  tcase_add_test (tc, late_after_all_of_the_instant);
  tcase_add_test (tc, never_is_not_scheduled);
  tcase_add_test_raise_signal (tc, the_past_aborts, SIGABRT);
  tcase_add_test_raise_signal (tc, a_negative_delay_aborts, SIGABRT);
  tcase_add_test (tc, cancel_once);
  tcase_add_test (tc, stale_handles_name_nothing);
  tcase_add_test (tc, cancel_from_inside);
  tcase_add_test (tc, slots_are_used_again);
  tcase_add_test (tc, used_up_slots_rest);
  tcase_add_test (tc, until_and_on);
  tcase_add_test_raise_signal (tc, until_before_now_aborts, SIGABRT);
  tcase_add_test (tc, event_limit);
  tcase_add_test (tc, stop_after_this_event);
  tcase_add_test (tc, watched_flag);
  tcase_add_test_raise_signal (tc, nested_run_aborts, SIGABRT);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}

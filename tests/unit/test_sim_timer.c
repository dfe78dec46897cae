/* The restartable timer. */
#include "sim_timer.h"

#include "test_sim.h"

typedef struct {
  SimEngine *engine;
  SimTimer timer;
  guint fired;
  SimTime last;
  SimTime again; /* interval to restart with from inside; 0: do not */
} Owner;

static void
owner_expired (gpointer data, guint64 arg)
{
  Owner *owner = data;

  ck_assert_uint_eq (arg, 77);
  ck_assert (!sim_timer_is_running (&owner->timer));
  ck_assert_int_eq (sim_timer_expiry (&owner->timer), SIM_TIME_NEVER);
  owner->fired++;
  owner->last = sim_engine_now (owner->engine);
  if (owner->again != 0 && owner->fired < 5)
    sim_timer_start_after (&owner->timer, owner->again);
}

static const SimEventClass expired = { .name = "expired", .code = 1, .fire = owner_expired };

static void
owner_init (Owner *owner)
{
  *owner = (Owner){ .engine = sim_engine_new (NULL, 0) };
  sim_timer_init (&owner->timer, owner->engine, &expired, owner, 77);
}

START_TEST (fires_once)
{
  Owner o;

  owner_init (&o);
  ck_assert (!sim_timer_is_running (&o.timer));
  ck_assert_int_eq (sim_timer_expiry (&o.timer), SIM_TIME_NEVER);
  sim_timer_start_after (&o.timer, 10);
  ck_assert (sim_timer_is_running (&o.timer));
  ck_assert_int_eq (sim_timer_expiry (&o.timer), 10);
  ck_assert_int_eq (sim_engine_run (o.engine, SIM_TIME_NEVER), SIM_STOP_IDLE);
  ck_assert_uint_eq (o.fired, 1);
  ck_assert_int_eq (o.last, 10);
  ck_assert (!sim_timer_is_running (&o.timer));
  sim_timer_stop (&o.timer);
  sim_engine_free (o.engine);
}
END_TEST

START_TEST (restart_replaces)
{
  Owner o;

  owner_init (&o);
  sim_timer_start_after (&o.timer, 10);
  sim_timer_start_at (&o.timer, 30); /* later */
  ck_assert_int_eq (sim_timer_expiry (&o.timer), 30);
  ck_assert_uint_eq (sim_engine_pending (o.engine), 1);
  sim_engine_run (o.engine, 20);
  ck_assert_uint_eq (o.fired, 0);
  sim_timer_start_after (&o.timer, 5); /* earlier */
  ck_assert_int_eq (sim_timer_expiry (&o.timer), 25);
  sim_engine_run (o.engine, SIM_TIME_NEVER);
  ck_assert_uint_eq (o.fired, 1);
  ck_assert_int_eq (o.last, 25);
  sim_engine_free (o.engine);
}
END_TEST

START_TEST (stop_is_idempotent)
{
  Owner o;

  owner_init (&o);
  sim_timer_stop (&o.timer);
  sim_timer_start_after (&o.timer, 10);
  sim_timer_stop (&o.timer);
  sim_timer_stop (&o.timer);
  ck_assert (!sim_timer_is_running (&o.timer));
  ck_assert_int_eq (sim_timer_expiry (&o.timer), SIM_TIME_NEVER);
  ck_assert_uint_eq (sim_engine_pending (o.engine), 0);
  sim_engine_run (o.engine, SIM_TIME_NEVER);
  ck_assert_uint_eq (o.fired, 0);
  sim_engine_free (o.engine);
}
END_TEST

START_TEST (never_stops)
{
  Owner o;

  owner_init (&o);
  sim_timer_start_after (&o.timer, 10);
  sim_timer_start_after (&o.timer, SIM_TIME_NEVER);
  ck_assert (!sim_timer_is_running (&o.timer));
  ck_assert_int_eq (sim_timer_expiry (&o.timer), SIM_TIME_NEVER);
  ck_assert_uint_eq (sim_engine_pending (o.engine), 0);
  sim_engine_free (o.engine);
}
END_TEST

/* After its event fired, the slot may belong to somebody else: stopping must spare him. */
START_TEST (fired_timer_lets_others_be)
{
  Owner o;

  owner_init (&o);
  sim_timer_start_after (&o.timer, 10);
  sim_engine_run (o.engine, SIM_TIME_NEVER);
  SimEventId other = sim_engine_schedule_after (o.engine, 5, &expired, &o, 77);
  sim_timer_stop (&o.timer);
  ck_assert (sim_engine_is_pending (o.engine, other));
  sim_engine_free (o.engine);
}
END_TEST

START_TEST (restart_from_inside)
{
  Owner o;

  owner_init (&o);
  o.again = 7;
  sim_timer_start_at (&o.timer, 0);
  sim_engine_run (o.engine, SIM_TIME_NEVER);
  ck_assert_uint_eq (o.fired, 5);
  ck_assert_int_eq (o.last, 4 * 7);
  sim_engine_free (o.engine);
}
END_TEST

/* A stopped timer's entry is nobody's business: not pending, not an event, and the clock
 * does not go to it. */
START_TEST (stopped_entry_does_not_show)
{
  Owner o;

  owner_init (&o);
  sim_timer_start_at (&o.timer, 50);
  sim_timer_stop (&o.timer);
  sim_engine_schedule_at (o.engine, 10, &expired, &o, 77);
  ck_assert_uint_eq (sim_engine_pending (o.engine), 1);
  ck_assert_int_eq (sim_engine_run (o.engine, SIM_TIME_NEVER), SIM_STOP_IDLE);
  ck_assert_int_eq (sim_engine_now (o.engine), 10);
  ck_assert_uint_eq (sim_engine_events (o.engine), 1);
  ck_assert_uint_eq (o.fired, 1);
  sim_engine_schedule_at (o.engine, 100, &expired, &o, 77); /* beyond the entry */
  ck_assert_int_eq (sim_engine_run (o.engine, 99), SIM_STOP_UNTIL);
  ck_assert_int_eq (sim_engine_run (o.engine, SIM_TIME_NEVER), SIM_STOP_IDLE);
  ck_assert_uint_eq (sim_engine_events (o.engine), 2);
  sim_engine_free (o.engine);
}
END_TEST

/* The place among equals is that of the last start, not that of the entry's last move. */
static void
note_arg (gpointer owner, guint64 arg)
{
  g_array_append_val ((GArray *) owner, arg);
}

static const SimEventClass note = { .name = "note", .code = 2, .fire = note_arg };

START_TEST (ties_by_start)
{
  static const guint64 expected[] = { 1, 2, 3, 4 };
  SimEngine *engine = sim_engine_new (NULL, 0);
  GArray *log = g_array_new (FALSE, FALSE, sizeof (guint64));
  SimTimer a, b;

  sim_timer_init (&a, engine, &note, log, 2);
  sim_timer_init (&b, engine, &note, log, 4);
  sim_timer_start_at (&a, 10);
  sim_timer_start_at (&b, 20);
  sim_engine_schedule_at (engine, 100, &note, log, 1);
  sim_timer_start_at (&a, 100); /* the entry at 10 will move on at 10 */
  sim_engine_run (engine, 5);
  sim_engine_schedule_at (engine, 100, &note, log, 3);
  sim_timer_start_at (&b, 100);
  sim_engine_run (engine, SIM_TIME_NEVER);
  ck_assert_uint_eq (log->len, 4);
  for (guint i = 0; i < 4; i++)
    ck_assert_uint_eq (g_array_index (log, guint64, i), expected[i]);
  g_array_free (log, TRUE);
  sim_engine_free (engine);
}
END_TEST

/* A hundred thousand restarts and stops use no slot but the timer's own. */
START_TEST (restarts_leave_nothing)
{
  Owner o;

  owner_init (&o);
  for (SimTime i = 0; i < 100000; i++) {
    sim_timer_start_after (&o.timer, 1000 + i % 7 * 100);
    if (i % 3 == 0)
      sim_timer_stop (&o.timer);
    sim_engine_run (o.engine, i);
  }
  SimEventId id = sim_engine_schedule_after (o.engine, 1, &expired, &o, 77);
  ck_assert_uint_le ((guint32) id, 1);
  ck_assert_uint_eq (o.fired, 0);
  sim_timer_clear (&o.timer);
  ck_assert_uint_eq (sim_engine_pending (o.engine), 1);
  sim_engine_free (o.engine);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim_timer");
  TCase *tc = tcase_create ("timer");

  tcase_add_test (tc, fires_once);
  tcase_add_test (tc, restart_replaces);
  tcase_add_test (tc, stop_is_idempotent);
  tcase_add_test (tc, never_stops);
  tcase_add_test (tc, fired_timer_lets_others_be);
  tcase_add_test (tc, restart_from_inside);
  tcase_add_test (tc, stopped_entry_does_not_show);
  tcase_add_test (tc, ties_by_start);
  tcase_add_test (tc, restarts_leave_nothing);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}

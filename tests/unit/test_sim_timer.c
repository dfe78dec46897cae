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
  suite_add_tcase (suite, tc);
  return test_run (suite);
}

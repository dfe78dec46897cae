/* Response timers: the wheel rule against the figures of its definition and against
 * measured intervals, the order of waits that expire together, and the exact
 * arithmetics. */
#include <check.h>

#include "mad_timer.h"

typedef struct {
  SimEngine *engine;
  MadClock *clock;
  MadTimers timers;
  MadWait waits[8];
  SimTime interval;  /* restart with this on expiry, 0: do not */
  GArray *fired;     /* Fired */
} Rig;

typedef struct {
  guint wait;
  SimTime at;
} Fired;

static void
expired (gpointer owner, MadWait *wait)
{
  Rig *rig = owner;
  Fired fired = { .wait = (guint) (wait - rig->waits), .at = sim_engine_now (rig->engine) };

  ck_assert (!mad_wait_is_running (wait));
  g_array_append_val (rig->fired, fired);
  if (rig->interval > 0)
    mad_timers_start (&rig->timers, wait, fired.at, rig->interval);
}

static const MadTimerOps ops = { .expired = expired };

static Rig *
rig_new (CmTiming timing, guint hz, SimTime offset)
{
  Rig *rig = g_new0 (Rig, 1);

  rig->engine = sim_engine_new (NULL, 0);
  rig->clock = mad_clock_new (rig->engine, timing, hz, &ops, rig);
  mad_timers_init (&rig->timers, rig->clock, offset);
  rig->fired = g_array_new (FALSE, FALSE, sizeof (Fired));
  return rig;
}

static void
rig_free (Rig *rig)
{
  mad_timers_clear (&rig->timers);
  mad_clock_free (rig->clock);
  sim_engine_free (rig->engine);
  g_array_free (rig->fired, TRUE);
  g_free (rig);
}

static Fired
fired (const Rig *rig, guint i)
{
  ck_assert_uint_lt (i, rig->fired->len);
  return g_array_index (rig->fired, Fired, i);
}

/* msecs_to_jiffies rounds up. */
START_TEST (jiffies_round_up)
{
  ck_assert_uint_eq (mad_jiffies_from_ms (6144, 250), 1536);
  ck_assert_uint_eq (mad_jiffies_from_ms (1, 250), 1);
  ck_assert_uint_eq (mad_jiffies_from_ms (5, 250), 2);
  ck_assert_uint_eq (mad_jiffies_from_ms (6144, 100), 615);
  ck_assert_uint_eq (mad_jiffies_from_ms (6144, 1000), 6144);
  ck_assert_uint_eq (mad_jiffies_from_ms (0, 250), 0);
}
END_TEST

/* Granularity 8^n jiffies for delays from 63 x 8^(n-1) on: the borders of each
 * level, for a timer armed on a grid point. */
START_TEST (wheel_levels)
{
  static const struct {
    guint64 delay, granularity;
  } rows[] = {
    { 1, 1 }, { 62, 1 }, { 63, 8 }, { 503, 8 }, { 504, 64 }, { 4031, 64 },
    { 4032, 512 }, { 32255, 512 }, { 32256, 4096 }, { 258047, 4096 }, { 258048, 32768 },
  };
  const guint64 grid = 32768 * 7;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    guint64 due = grid + rows[i].delay, g = rows[i].granularity;
    guint64 expiry = mad_wheel_expiry (grid, rows[i].delay);
    ck_assert_uint_eq (expiry % g, 0);
    ck_assert_uint_gt (expiry, due);      /* never early: at least the next jiffy */
    ck_assert_uint_le (expiry - due, g);
  }
}
END_TEST

/* Intervals measured on Linux with HZ=250 once a timer stands on the grid, and those
 * that follow from the rule for other HZ. */
START_TEST (intervals_on_the_grid)
{
  static const struct {
    guint hz;
    guint nominal_ms, measured_ms;
  } rows[] = {
    { 250, 6144, 6400 },  { 250, 4608, 4864 },   { 250, 4096, 4352 },  { 250, 67584, 69632 },
    { 250, 18432, 20480 }, { 250, 2052, 2304 },  { 1000, 6144, 6656 }, { 100, 6144, 6400 },
    { 1000, 18432, 18944 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    guint64 delay = mad_jiffies_from_ms (rows[i].nominal_ms, rows[i].hz);
    guint64 first = mad_wheel_expiry (12345, delay);
    guint64 second = mad_wheel_expiry (first, delay);
    ck_assert_uint_eq ((second - first) * 1000 / rows[i].hz, rows[i].measured_ms);
  }
}
END_TEST

/* The first interval lies in (D, D + G] whatever the phase. */
START_TEST (first_interval_by_phase)
{
  SimTime least = SIM_TIME_NEVER, most = 0;

  for (guint phase = 0; phase < 64; phase++) {
    Rig *rig = rig_new (CM_TIMING_LINUX, 250, SIM_MS (4 * phase) + SIM_MS (1000000));
    mad_timers_start (&rig->timers, &rig->waits[0], 0, SIM_MS (6144));
    sim_engine_run (rig->engine, SIM_TIME_NEVER);
    SimTime at = fired (rig, 0).at;
    ck_assert_int_gt (at, SIM_MS (6144));
    ck_assert_int_le (at, SIM_MS (6400));
    least = MIN (least, at);
    most = MAX (most, at);
    rig_free (rig);
  }
  ck_assert_int_eq (least, SIM_MS (6148));
  ck_assert_int_eq (most, SIM_MS (6400));
}
END_TEST

/* Clients of one host that started 100 ms apart retransmit in the same instant,
 * the last to start first, and in the opposite order the next time (measured:
 * eight clients, 10 ms service). */
START_TEST (one_timer_per_host)
{
  Rig *rig = rig_new (CM_TIMING_LINUX, 250, SIM_MS (256) * 4000);

  rig->interval = SIM_MS (6144);
  for (guint i = 0; i < 3; i++)
    mad_timers_start (&rig->timers, &rig->waits[i], 0, SIM_MS (6144));
  sim_engine_run (rig->engine, SIM_MS (12900));
  ck_assert_uint_eq (rig->fired->len, 6);
  for (guint i = 0; i < 3; i++) {
    ck_assert_int_eq (fired (rig, i).at, SIM_MS (6400));
    ck_assert_uint_eq (fired (rig, i).wait, 2 - i);
    ck_assert_int_eq (fired (rig, 3 + i).at, SIM_MS (12800));
    ck_assert_uint_eq (fired (rig, 3 + i).wait, i);
  }
  rig_free (rig);
}
END_TEST

/* Spread-out starts within one granule expire together too. */
START_TEST (spread_starts_gather)
{
  Rig *rig = rig_new (CM_TIMING_LINUX, 250, SIM_MS (256) * 4000);

  for (guint i = 0; i < 3; i++) {
    sim_engine_run (rig->engine, SIM_MS (50 * i));
    mad_timers_start (&rig->timers, &rig->waits[i], SIM_MS (50 * i), SIM_MS (6144));
  }
  sim_engine_run (rig->engine, SIM_TIME_NEVER);
  /* Only the first armed the timer (6400); the others are due at 6194 and 6244. */
  for (guint i = 0; i < 3; i++) {
    ck_assert_uint_eq (fired (rig, i).wait, i);
    ck_assert_int_eq (fired (rig, i).at, SIM_MS (6400));
  }
  rig_free (rig);
}
END_TEST

/* A cancelled wait runs the work at once: what is due goes out before the wheel
 * would have let it, and the rest is armed on the finer grid of what remains. */
START_TEST (cancel_rearms)
{
  Rig *rig = rig_new (CM_TIMING_LINUX, 250, SIM_MS (256) * 4000);

  mad_timers_start (&rig->timers, &rig->waits[0], 0, SIM_MS (6144));
  mad_timers_start (&rig->timers, &rig->waits[1], 0, SIM_MS (20000));
  sim_engine_run (rig->engine, SIM_MS (6200));
  ck_assert_uint_eq (rig->fired->len, 0); /* due at 6144, held by the wheel until 6400 */
  mad_timers_stop (&rig->timers, &rig->waits[1]);
  sim_engine_run (rig->engine, SIM_MS (6300));
  ck_assert_int_eq (fired (rig, 0).at, SIM_MS (6200));

  /* 100 ms before it is due: 25 jiffies are level 0, one jiffy late. */
  mad_timers_start (&rig->timers, &rig->waits[2], SIM_MS (6300), SIM_MS (6144));
  mad_timers_start (&rig->timers, &rig->waits[3], SIM_MS (6300), SIM_MS (20000));
  sim_engine_run (rig->engine, SIM_MS (12344));
  mad_timers_stop (&rig->timers, &rig->waits[3]);
  sim_engine_run (rig->engine, SIM_TIME_NEVER);
  ck_assert_int_eq (fired (rig, 1).at, SIM_MS (12448));
  rig_free (rig);
}
END_TEST

START_TEST (exact_arithmetics)
{
  Rig *rig = rig_new (CM_TIMING_LINUX_NOMINAL, 250, 0);

  mad_timers_start (&rig->timers, &rig->waits[0], SIM_US (3), SIM_MS (6144));
  mad_timers_start (&rig->timers, &rig->waits[1], 0, SIM_MS (4096));
  mad_timers_start (&rig->timers, &rig->waits[2], 0, SIM_MS (10));
  mad_timers_stop (&rig->timers, &rig->waits[2]);
  mad_timers_stop (&rig->timers, &rig->waits[2]);
  mad_timers_start (&rig->timers, &rig->waits[1], 0, SIM_MS (5000)); /* restart */
  ck_assert (mad_wait_is_running (&rig->waits[1]));
  sim_engine_run (rig->engine, SIM_TIME_NEVER);
  ck_assert_uint_eq (rig->fired->len, 2);
  ck_assert_int_eq (fired (rig, 0).at, SIM_MS (5000));
  ck_assert_int_eq (fired (rig, 1).at, SIM_MS (6144) + SIM_US (3));
  ck_assert_int_eq (mad_timers_single (&rig->timers, SIM_MS (7), SIM_MS (2048)), SIM_MS (2055));
  rig_free (rig);
}
END_TEST

/* Timewait of 2048 ms on the wheel: 2.05 to 2.30 s (measured). */
START_TEST (single_timer_on_the_wheel)
{
  for (guint phase = 0; phase < 64; phase++) {
    Rig *rig = rig_new (CM_TIMING_LINUX, 250, SIM_MS (4 * phase));
    SimTime at = mad_timers_single (&rig->timers, SIM_S (1), SIM_MS (2048));
    ck_assert_int_gt (at, SIM_MS (3048));
    ck_assert_int_le (at, SIM_MS (3304));
    ck_assert_int_eq ((at + SIM_MS (4 * phase)) % SIM_MS (256), 0);
    rig_free (rig);
  }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("mad_timer");
  TCase *tc = tcase_create ("timers");

  tcase_add_test (tc, jiffies_round_up);
  tcase_add_test (tc, wheel_levels);
  tcase_add_test (tc, intervals_on_the_grid);
  tcase_add_test (tc, first_interval_by_phase);
  tcase_add_test (tc, one_timer_per_host);
  tcase_add_test (tc, spread_starts_gather);
  tcase_add_test (tc, cancel_rearms);
  tcase_add_test (tc, exact_arithmetics);
  tcase_add_test (tc, single_timer_on_the_wheel);
  suite_add_tcase (suite, tc);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_NORMAL);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed != 0;
}

/* One experiment: capture, phases, scenario, comparison; and the table of all. */
#include "experiment.h"

#include "capture.h"

/* Step of the wheel for the CM's timers of some seconds. */
#define GRID_STEP SIM_MS (256)
/* The guest's clock is read off events that are late by some ms. */
#define GRID_TOLERANCE SIM_MS (20)

static const KernelTimes *
times_of (const KernelExperiment *experiment)
{
  return g_str_has_prefix (experiment->name, "k612_") ? &kernel_times_6_12 : &kernel_times_6_1;
}

static SimTime
remainder_of (SimTime time, SimTime period)
{
  SimTime rest = time % period;

  return rest < 0 ? rest + period : rest;
}

static gboolean
has_coarse_timer (const GArray *timers, KernelSide side, guint hz)
{
  for (guint i = 0; i < timers->len; i++) {
    const KernelTimer *timer = &g_array_index (timers, KernelTimer, i);
    if (timer->side == side && kernel_timer_step (timer->nominal, hz) >= GRID_STEP)
      return TRUE;
  }
  return FALSE;
}

/* The grid of a host's timers stands at multiples of the kernel's time; the capture
 * shows where it stands on the capture's clock, and `start` is that clock's zero in
 * the simulation. */
static void
derive_wheels (const KernelLog *captured, const GArray *timers, const KernelTimes *times,
               SimTime start, KernelWheels *ret_wheels)
{
  for (guint side = 0; side < KERNEL_SIDES; side++) {
    SimTime phase, clock = captured->guest_clock[side];
    ret_wheels->phases.phase[side] = ret_wheels->grid[side] = SIM_TIME_NEVER;
    if (!kernel_timers_phase (timers, side, times->hz, KERNEL_TOLERANCE, &phase))
      continue;
    ret_wheels->phases.phase[side] = remainder_of (-(start + phase), KERNEL_PHASE_PERIOD);
    if (clock == SIM_TIME_NEVER || !has_coarse_timer (timers, side, times->hz))
      continue;
    SimTime off = remainder_of (captured->start + phase + clock - SIM_S (300), GRID_STEP);
    ret_wheels->grid[side] = off > GRID_STEP / 2 ? off - GRID_STEP : off;
  }
}

/* Run alone, a scenario must come to what was compared here; and a phase that was read
 * off the timers must be the one the guest's clock shows. */
static void
check_wheels (const KernelExperiment *experiment, const KernelWheels *wheels,
              const KernelPhases *own, KernelReport *report)
{
  for (guint side = 0; side < KERNEL_SIDES; side++) {
    SimTime phase = wheels->phases.phase[side], grid = wheels->grid[side];
    if (phase != SIM_TIME_NEVER && phase != own->phase[side])
      g_string_append_printf (report->differences,
                              "timer_phase of %c: captured %g ms, the scenario has another\n",
                              kernel_side_letter (side), (double) phase / 1e6);
    if (grid != SIM_TIME_NEVER && !experiment->grid_elsewhere[side]
        && ABS (grid) > GRID_TOLERANCE)
      g_string_append_printf (report->differences, "wheel of %c: %+.0f ms off the guest's clock\n",
                              kernel_side_letter (side), (double) grid / 1e6);
  }
}

KernelReport *
kernel_experiment_run (const KernelExperiment *experiment, const char *captures,
                       const char *scenarios, KernelWheels *ret_wheels, GError **error)
{
  const KernelTimes *times = times_of (experiment);
  g_autofree char *path = g_strdup_printf ("%s/%s.yaml", scenarios, experiment->name);
  g_autoptr (KernelLog) captured = capture_read (captures, experiment->name, error);
  KernelWheels wheels;
  KernelRun run;

  if (!captured)
    return NULL;
  /* A first run tells when the first REQ goes out, which no phase changes. */
  g_autoptr (KernelLog) trial
      = kernel_simulate (path, NULL, captured->sees_timewait, &run, error);
  if (!trial)
    return NULL;
  g_autoptr (GArray) timers = kernel_timers (captured, times);
  derive_wheels (captured, timers, times, run.start, &wheels);
  g_autoptr (KernelLog) simulated
      = kernel_simulate (path, &wheels.phases, captured->sees_timewait, NULL, error);
  if (!simulated)
    return NULL;
  if (experiment->clients_alike)
    kernel_log_match (simulated, captured);
  KernelReport *report = kernel_compare (captured, simulated, times, KERNEL_TOLERANCE);
  check_wheels (experiment, &wheels, &run.phases, report);
  if (ret_wheels)
    *ret_wheels = wheels;
  return report;
}

/* "12" when both sides agree, "12 / 13" when not. */
static void
append_pair (GString *table, const guint values[2])
{
  if (values[0] == values[1])
    g_string_append_printf (table, " %u |", values[0]);
  else
    g_string_append_printf (table, " %u / %u |", values[0], values[1]);
}

static void
append_row (GString *table, const KernelExperiment *experiment, const KernelReport *report,
            const KernelWheels *wheels)
{
  g_string_append_printf (table, "| %s |", experiment->name);
  append_pair (table, report->mads);
  append_pair (table, report->events);
  g_string_append_printf (table, " %u |", report->timers);
  if (report->timers > 0)
    g_string_append_printf (table, " %.1f ms (%s) |", (double) report->worst / 1e6,
                            report->worst_name);
  else
    g_string_append (table, " |");
  for (guint side = 0; side < KERNEL_SIDES; side++)
    if (wheels->grid[side] != SIM_TIME_NEVER)
      g_string_append_printf (table, " %+d ms |", (gint) (wheels->grid[side] / SIM_MS (1)));
    else
      g_string_append (table, " |");
  g_string_append_printf (table, " %s%s |\n", report->differences->len ? "**differs** " : "",
                          experiment->note);
}

char *
kernel_experiments_table (const char *captures, const char *scenarios, GError **error)
{
  g_autoptr (GString) table
      = g_string_new ("| experiment | messages | events | timers | largest difference "
                      "| wheel A | wheel B | chosen |\n|---|---|---|---|---|---|---|---|\n");

  for (const KernelExperiment *e = kernel_experiments; e->name; e++) {
    KernelWheels wheels;
    g_autoptr (KernelReport) report
        = kernel_experiment_run (e, captures, scenarios, &wheels, error);
    if (!report)
      return NULL;
    append_row (table, e, report, &wheels);
  }
  return g_string_free (g_steal_pointer (&table), FALSE);
}

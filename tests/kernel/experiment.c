/* One experiment: capture, phases, scenario, comparison; and the table of all. */
#include "experiment.h"

#include "capture.h"

static const KernelTimes *
times_of (const KernelExperiment *experiment)
{
  return g_str_has_prefix (experiment->name, "k612_") ? &kernel_times_6_12 : &kernel_times_6_1;
}

/* The grid of a host's timers stands at multiples of the kernel's time; the capture
 * shows where it stands on the capture's clock, and `start` is that clock's zero in
 * the simulation. */
static void
derive_phases (const GArray *timers, const KernelTimes *times, SimTime start,
               KernelPhases *ret_phases)
{
  for (guint side = 0; side < KERNEL_SIDES; side++) {
    SimTime phase;
    ret_phases->phase[side] = SIM_TIME_NEVER;
    if (!kernel_timers_phase (timers, side, times->hz, KERNEL_TOLERANCE, &phase))
      continue;
    SimTime rest = (start + phase) % KERNEL_PHASE_PERIOD;
    ret_phases->phase[side] = rest == 0 ? 0 : KERNEL_PHASE_PERIOD - rest;
  }
}

/* Run alone, a scenario must come to what was compared here. */
static void
check_phases (const KernelPhases *derived, const KernelPhases *own, KernelReport *report)
{
  for (guint side = 0; side < KERNEL_SIDES; side++)
    if (derived->phase[side] != SIM_TIME_NEVER && derived->phase[side] != own->phase[side])
      g_string_append_printf (report->differences,
                              "timer_phase of %c: captured %g ms, the scenario has another\n",
                              kernel_side_letter (side), (double) derived->phase[side] / 1e6);
}

KernelReport *
kernel_experiment_run (const KernelExperiment *experiment, const char *captures,
                       const char *scenarios, KernelPhases *ret_phases, GError **error)
{
  const KernelTimes *times = times_of (experiment);
  g_autofree char *path = g_strdup_printf ("%s/%s.yaml", scenarios, experiment->name);
  g_autoptr (KernelLog) captured = capture_read (captures, experiment->name, error);
  KernelPhases phases;
  KernelRun run;

  if (!captured)
    return NULL;
  /* A first run tells when the first REQ goes out, which no phase changes. */
  g_autoptr (KernelLog) trial
      = kernel_simulate (path, NULL, captured->sees_timewait, &run, error);
  if (!trial)
    return NULL;
  g_autoptr (GArray) timers = kernel_timers (captured, times);
  derive_phases (timers, times, run.start, &phases);
  g_autoptr (KernelLog) simulated
      = kernel_simulate (path, &phases, captured->sees_timewait, NULL, error);
  if (!simulated)
    return NULL;
  if (experiment->clients_alike)
    kernel_log_match (simulated, captured);
  KernelReport *report = kernel_compare (captured, simulated, times, KERNEL_TOLERANCE);
  check_phases (&phases, &run.phases, report);
  if (ret_phases)
    *ret_phases = phases;
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
append_row (GString *table, const KernelExperiment *experiment, const KernelReport *report)
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
  g_string_append_printf (table, " %s%s |\n", report->differences->len ? "**differs** " : "",
                          experiment->note);
}

char *
kernel_experiments_table (const char *captures, const char *scenarios, GError **error)
{
  g_autoptr (GString) table
      = g_string_new ("| experiment | messages | events | timers | largest difference | chosen |\n"
                      "|---|---|---|---|---|---|\n");

  for (const KernelExperiment *e = kernel_experiments; e->name; e++) {
    g_autoptr (KernelReport) report
        = kernel_experiment_run (e, captures, scenarios, NULL, error);
    if (!report)
      return NULL;
    append_row (table, e, report);
  }
  return g_string_free (g_steal_pointer (&table), FALSE);
}

/* Runs the scenario of an experiment and keeps its log. */
#pragma once

#include "kernel_log.h"

/* The phases of the two hosts' kernel timers. */
typedef struct {
  SimTime phase[KERNEL_SIDES];
} KernelPhases;

/* What the log alone does not say. */
typedef struct {
  SimTime start;       /* simulated time of the first REQ, which is time 0 of the log */
  KernelPhases phases; /* as the scenario has them; SIM_TIME_NEVER: drawn */
} KernelRun;

/* path: of the scenario.  phases: for hosts A and B instead of the scenario's own,
 * those that are not SIM_TIME_NEVER; NULL: none.  sees_timewait: as in the captured
 * run.  (transfer full) finished log of the first replication, with *ret_run unless
 * that is NULL; NULL and *error when the scenario cannot be read or breaks an
 * invariant. */
KernelLog *kernel_simulate (const char *path, const KernelPhases *phases,
                            const gboolean sees_timewait[KERNEL_SIDES], KernelRun *ret_run,
                            GError **error);

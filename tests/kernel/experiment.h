/* The captured experiments that scenarios/kernel reproduces. */
#pragma once

#include "compare.h"
#include "simulate.h"

typedef struct {
  const char *name; /* of the scenario and of the capture's files */
  const char *note; /* what was set from the capture beyond its set-up; "" */
  /* Which of the clients of one instant got in is not compared, only how many and
   * how: the capture's order came about within less than a jiffy. */
  gboolean clients_alike;
  /* Hosts whose wheel does not stand where the guest's clock lets one expect it, and
   * why is known: see docs/validation.md. */
  gboolean grid_elsewhere[KERNEL_SIDES];
} KernelExperiment;

/* Ended by a row without a name. */
extern const KernelExperiment kernel_experiments[];

/* A timer of the simulation may differ so much from the captured one. */
#define KERNEL_TOLERANCE SIM_MS (30)

/* What the capture says of the kernels' timers. */
typedef struct {
  KernelPhases phases; /* kernel time at simulated time 0, up to KERNEL_PHASE_PERIOD;
                        * SIM_TIME_NEVER for a host none of whose timers expired */
  /* How far the 256 ms steps of the wheel stand from where the guest's own clock lets
   * one expect them: Linux counts jiffies from 300 s before they wrap, so the steps are
   * multiples of 256 ms from 300 s after boot on.  SIM_TIME_NEVER when the host has no
   * phase, only finer steps, or programs that said nothing. */
  SimTime grid[KERNEL_SIDES];
} KernelWheels;

/* Reads the capture, derives the timer phases of its hosts, runs the scenario with
 * them and compares; that the scenario's own phases are others is a difference.
 * *ret_wheels (may be NULL): what was derived.  NULL and *error when either side
 * cannot be had. */
KernelReport *kernel_experiment_run (const KernelExperiment *experiment, const char *captures,
                                     const char *scenarios, KernelWheels *ret_wheels,
                                     GError **error);

/* (transfer full) Markdown table of all experiments, for docs/validation.md. */
char *kernel_experiments_table (const char *captures, const char *scenarios, GError **error);

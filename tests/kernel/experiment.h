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
} KernelExperiment;

/* Ended by a row without a name. */
extern const KernelExperiment kernel_experiments[];

/* A timer of the simulation may differ so much from the captured one. */
#define KERNEL_TOLERANCE SIM_MS (30)

/* Reads the capture, derives the timer phases of its hosts, runs the scenario with
 * them and compares; that the scenario's own phases are others is a difference.
 * *ret_phases (may be NULL): what was derived; SIM_TIME_NEVER for a host none of whose
 * timers expired.  NULL and *error when either side cannot be had. */
KernelReport *kernel_experiment_run (const KernelExperiment *experiment, const char *captures,
                                     const char *scenarios, KernelPhases *ret_phases,
                                     GError **error);

/* (transfer full) Markdown table of all experiments, for docs/validation.md. */
char *kernel_experiments_table (const char *captures, const char *scenarios, GError **error);

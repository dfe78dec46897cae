/* Compares a simulated run with the captured one. */
#pragma once

#include "timers.h"

typedef struct {
  guint mads[2], events[2];  /* captured, simulated */
  guint timers;              /* protocol timers compared */
  SimTime worst;             /* largest difference between two of them */
  char worst_name[64];
  GString *differences;      /* a line each; empty if there is none */
} KernelReport;

/* `tolerance`: what a simulated timer may differ from the captured one. */
KernelReport *kernel_compare (const KernelLog *captured, const KernelLog *simulated,
                              const KernelTimes *times, SimTime tolerance);
void kernel_report_free (KernelReport *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KernelReport, kernel_report_free)

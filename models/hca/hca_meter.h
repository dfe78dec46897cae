/* Ring occupancy over time, added up over any number of HCAs, for series.
 *
 * When a slot is taken it is known when it will be free again.  A meter keeps the
 * changes to come and reports them in order of time once the clock has passed
 * them, so that observing needs no events: a run observed is the same run. */
#pragma once

#include "sim_time.h"

typedef struct HcaMeter HcaMeter;

typedef struct {
  /* in_use slots are taken from `at` on; at never decreases and is not in the future. */
  void (*changed) (gpointer owner, SimTime at, guint in_use);
} HcaMeterOps;

HcaMeter *hca_meter_new (const HcaMeterOps *ops, gpointer owner);
void hca_meter_free (HcaMeter *meter);
/* A slot is in use from `from` (>= now) until `until`. */
void hca_meter_use (HcaMeter *meter, SimTime now, SimTime from, SimTime until);
/* Reports the changes up to and including now; once more at the end of the run. */
void hca_meter_flush (HcaMeter *meter, SimTime now);

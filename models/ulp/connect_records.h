/* What became of the connects of a run, by number: 66 bytes for each, of which a connect that is
 * established and stays uses 40, or 44 with a QP.  What no connect uses is memory that is never
 * touched.
 *
 * Times are kept to the nanosecond, as distances from the start; a record with a distance of more
 * than 18 minutes, a start after more than 3 days, or counts that do not fit, costs another 112
 * bytes. */
#pragma once

#include "connect.h"
#include "sim_slab.h"

typedef struct ConnectRecords ConnectRecords;

/* Room for so many; all are pending and not started. */
ConnectRecords *connect_records_new (guint n);
void connect_records_free (ConnectRecords *records);
guint connect_records_count (const ConnectRecords *records);
/* The connects from number `first` on, up to the next call, belong to this entry. */
void connect_records_begin_entry (ConnectRecords *records, guint first, guint entry);
ConnectRecord connect_records_get (const ConnectRecords *records, guint i);
/* All but entry and index.  One that is decided has an end. */
void connect_records_set (ConnectRecords *records, guint i, const ConnectRecord *record);

/* The same in parts, for a connect at work. */
guint connect_records_host (const ConnectRecords *records, guint i);
SimTime connect_records_started (const ConnectRecords *records, guint i); /* SIM_TIME_NEVER: not */
ConnectCause connect_records_cause (const ConnectRecords *records, guint i);
gboolean connect_records_decided (const ConnectRecords *records, guint i);
guint connect_records_attempts (const ConnectRecords *records, guint i);

void connect_records_start (ConnectRecords *records, guint i, guint host, SimTime now);
/* A new attempt: forgets the steps of the last one. */
void connect_records_attempt (ConnectRecords *records, guint i);
void connect_records_step (ConnectRecords *records, guint i, ConnectStep step, SimTime now);
void connect_records_decide (ConnectRecords *records, guint i, ConnectCause cause, guint reason,
                             SimTime now);
void connect_records_add_reqs (ConnectRecords *records, guint i, guint reqs);

/* What became of the connects of a run, by number: 72 bytes for each, in memory that is
 * touched only when the connect starts.
 *
 * Times are kept to the nanosecond, as distances from the start; a record with a distance
 * of more than 18 minutes costs another 128 bytes. */
#pragma once

#include "connect.h"
#include "sim_slab.h"

/* Private.  All 0: not started. */
typedef struct {
  guint64 start;                   /* + 1; 0: never */
  guint32 low[CONNECT_STEP_COUNT]; /* distance + 1 of each step, 0: never; [START]: of the end.
                                     * wide: [0] is the number of the whole record */
  guint8 high[CONNECT_STEP_COUNT];
  guint8 cause; /* ConnectCause + 1; 0: pending */
  guint8 decided : 1;
  guint8 wide : 1;
  guint16 attempts, reason;
  guint32 host;
  guint32 reqs;
} ConnectPacked;

typedef struct ConnectRecords ConnectRecords;

/* Room for so many; all are pending and not started. */
ConnectRecords *connect_records_new (guint n);
void connect_records_free (ConnectRecords *records);
guint connect_records_count (const ConnectRecords *records);
/* The connects from number `first` on, up to the next call, belong to this entry. */
void connect_records_begin_entry (ConnectRecords *records, guint first, guint entry);
ConnectRecord connect_records_get (const ConnectRecords *records, guint i);
/* All but entry and index. */
void connect_records_set (ConnectRecords *records, guint i, const ConnectRecord *record);

/* The same in parts, for a connect at work. */
const ConnectPacked *connect_records_at (const ConnectRecords *records, guint i);
void connect_records_start (ConnectRecords *records, guint i, guint host, SimTime now);
/* A new attempt: forgets the steps of the last one. */
void connect_records_attempt (ConnectRecords *records, guint i);
void connect_records_step (ConnectRecords *records, guint i, ConnectStep step, SimTime now);
void connect_records_decide (ConnectRecords *records, guint i, ConnectCause cause, guint reason,
                             SimTime now);
void connect_records_add_reqs (ConnectRecords *records, guint i, guint reqs);

static inline SimTime
connect_packed_start (const ConnectPacked *packed)
{
  return packed->start ? (SimTime) (packed->start - 1) : SIM_TIME_NEVER;
}

static inline ConnectCause
connect_packed_cause (const ConnectPacked *packed)
{
  return packed->cause ? (ConnectCause) (packed->cause - 1) : CONNECT_PENDING;
}

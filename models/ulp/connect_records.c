/* The records of connects, packed.  START is no distance: its place holds the end. */
#include "connect_records.h"

enum { END = CONNECT_STEP_START };
#define WIDE_FROM ((guint64) 1 << 40)

typedef struct {
  guint first, entry;
} Range;

/* A record with a distance that does not fit. */
typedef struct {
  SimTime end;
  SimTime steps[CONNECT_STEP_COUNT];
} Wide;

struct ConnectRecords {
  ConnectPacked *packed;
  guint n;
  GArray *ranges; /* Range, by first */
  GArray *wide;   /* Wide */
};

ConnectRecords *
connect_records_new (guint n)
{
  ConnectRecords *records = g_new0 (ConnectRecords, 1);

  records->packed = sim_block_new ((gsize) n * sizeof (ConnectPacked));
  records->n = n;
  records->ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  records->wide = g_array_new (FALSE, FALSE, sizeof (Wide));
  return records;
}

void
connect_records_free (ConnectRecords *records)
{
  if (!records)
    return;
  sim_block_free (records->packed, (gsize) records->n * sizeof (ConnectPacked));
  g_array_unref (records->ranges);
  g_array_unref (records->wide);
  g_free (records);
}

guint
connect_records_count (const ConnectRecords *records)
{
  return records->n;
}

void
connect_records_begin_entry (ConnectRecords *records, guint first, guint entry)
{
  Range range = { .first = first, .entry = entry };

  g_assert (records->ranges->len == 0 ||
            g_array_index (records->ranges, Range, records->ranges->len - 1).first <= first);
  g_array_append_val (records->ranges, range);
}

/* Few ranges, and the latest that begins before it counts: an entry may be empty. */
static Range
range_of (const ConnectRecords *records, guint i)
{
  for (guint r = records->ranges->len; r > 0; r--) {
    Range range = g_array_index (records->ranges, Range, r - 1);

    if (range.first <= i)
      return range;
  }
  return (Range){ .first = 0, .entry = 0 };
}

const ConnectPacked *
connect_records_at (const ConnectRecords *records, guint i)
{
  g_assert (i < records->n);
  return &records->packed[i];
}

static ConnectPacked *
packed_at (ConnectRecords *records, guint i)
{
  g_assert (i < records->n);
  return &records->packed[i];
}

/* ----- distances ----- */

static SimTime
get_time (const ConnectRecords *records, const ConnectPacked *packed, guint place)
{
  guint64 distance;

  if (packed->wide) {
    const Wide *wide = &g_array_index (records->wide, Wide, packed->low[0]);

    return place == END ? wide->end : wide->steps[place];
  }
  distance = (guint64) packed->high[place] << 32 | packed->low[place];
  return distance ? (SimTime) (packed->start - 1 + distance - 1) : SIM_TIME_NEVER;
}

static void
widen (ConnectRecords *records, ConnectPacked *packed)
{
  Wide wide = { .end = get_time (records, packed, END) };

  for (guint step = CONNECT_STEP_START + 1; step < CONNECT_STEP_COUNT; step++)
    wide.steps[step] = get_time (records, packed, step);
  packed->low[0] = records->wide->len;
  packed->wide = TRUE;
  g_array_append_val (records->wide, wide);
}

static void
set_time (ConnectRecords *records, ConnectPacked *packed, guint place, SimTime time)
{
  guint64 distance = time == SIM_TIME_NEVER ? 0 : (guint64) time - (packed->start - 1) + 1;

  if (distance >= WIDE_FROM && !packed->wide)
    widen (records, packed);
  if (packed->wide) {
    Wide *wide = &g_array_index (records->wide, Wide, packed->low[0]);

    *(place == END ? &wide->end : &wide->steps[place]) = time;
    return;
  }
  packed->low[place] = (guint32) distance;
  packed->high[place] = (guint8) (distance >> 32);
}

/* ----- whole records ----- */

ConnectRecord
connect_records_get (const ConnectRecords *records, guint i)
{
  const ConnectPacked *packed = connect_records_at (records, i);
  Range range = range_of (records, i);
  ConnectRecord record = {
    .entry = range.entry,
    .index = i - range.first,
    .host = packed->host,
    .attempts = packed->attempts,
    .reason = packed->reason,
    .reqs = packed->reqs,
    .cause = (guint8) connect_packed_cause (packed),
    .decided = packed->decided,
    .end = get_time (records, packed, END),
  };

  for (guint step = CONNECT_STEP_START + 1; step < CONNECT_STEP_COUNT; step++)
    record.steps[step] = get_time (records, packed, step);
  record.steps[CONNECT_STEP_START] = connect_packed_start (packed);
  return record;
}

void
connect_records_set (ConnectRecords *records, guint i, const ConnectRecord *record)
{
  ConnectPacked *packed = packed_at (records, i);
  SimTime start = record->steps[CONNECT_STEP_START];

  *packed = (ConnectPacked){
    .start = start == SIM_TIME_NEVER ? 0 : (guint64) start + 1,
    .cause = (guint8) (record->cause + 1),
    .decided = record->decided != 0,
    .attempts = record->attempts,
    .reason = record->reason,
    .host = record->host,
    .reqs = record->reqs,
  };
  set_time (records, packed, END, record->end);
  for (guint step = CONNECT_STEP_START + 1; step < CONNECT_STEP_COUNT; step++)
    set_time (records, packed, step, record->steps[step]);
}

/* ----- at work ----- */

void
connect_records_start (ConnectRecords *records, guint i, guint host, SimTime now)
{
  ConnectPacked *packed = packed_at (records, i);

  packed->host = host;
  packed->start = (guint64) now + 1;
}

void
connect_records_attempt (ConnectRecords *records, guint i)
{
  ConnectPacked *packed = packed_at (records, i);

  packed->attempts++;
  if (packed->attempts == 1)
    return;
  for (guint step = CONNECT_STEP_START + 1; step < CONNECT_STEP_COUNT; step++)
    set_time (records, packed, step, SIM_TIME_NEVER);
}

void
connect_records_step (ConnectRecords *records, guint i, ConnectStep step, SimTime now)
{
  g_assert (step != CONNECT_STEP_START);
  set_time (records, packed_at (records, i), step, now);
}

void
connect_records_decide (ConnectRecords *records, guint i, ConnectCause cause, guint reason,
                        SimTime now)
{
  ConnectPacked *packed = packed_at (records, i);

  g_assert (!packed->decided);
  packed->decided = TRUE;
  packed->cause = (guint8) (cause + 1);
  packed->reason = (guint16) reason;
  set_time (records, packed, END, now);
}

void
connect_records_add_reqs (ConnectRecords *records, guint i, guint reqs)
{
  packed_at (records, i)->reqs += reqs;
}

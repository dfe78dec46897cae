/* The records of connects, packed.
 *
 * Times stand by step, not by connect: most connects take the same steps, and what none of them
 * has come to is never touched.  START is no distance: its place holds the end. */
#include "connect_records.h"

#include "footprint.h"

#define FAR_FROM ((guint64) 1 << 32)
#define WIDE_FROM ((guint64) 1 << 40)
#define START_MAX (((guint64) 1 << 48) - 1)
#define ATTEMPTS_MAX ((1u << 9) - 1)
#define CAUSE_MAX ((1u << 4) - 1)

G_STATIC_ASSERT (CONNECT_CAUSE_COUNT <= CAUSE_MAX);

/* All 0: not started. */
typedef struct {
  guint64 start : 48; /* + 1; 0: never */
  guint64 attempts : 9;
  guint64 cause : 4; /* ConnectCause + 1; 0: pending */
  guint64 decided : 1;
  guint64 far : 1;  /* a distance has more than 32 bits: `high` counts */
  guint64 wide : 1; /* times and counts are in `wide`, at the number in `low` of WIDE */
  guint32 host;
  guint16 reqs, reason;
} Packed;

/* Places of times: of the steps, and END, which is used by those that were never established. */
enum { END = CONNECT_STEP_START, WIDE = CONNECT_STEP_CREATE_ID };

/* The sections of the block, those that most connects use first. */
static const guint8 sections[] = {
  CONNECT_STEP_CREATE_ID,    CONNECT_STEP_CONNECT,
  CONNECT_STEP_REP,          CONNECT_STEP_ESTABLISHED,
  CONNECT_STEP_RESOLVE_ADDR, CONNECT_STEP_RESOLVE_ROUTE,
  CONNECT_STEP_CREATE_QP,    END,
  CONNECT_STEP_DISCONNECT,   CONNECT_STEP_DESTROY,
};

G_STATIC_ASSERT (G_N_ELEMENTS (sections) == CONNECT_STEP_COUNT);
G_STATIC_ASSERT (sizeof (Packed) == 16);

typedef struct {
  guint first, entry;
} Range;

struct ConnectRecords {
  Packed *packed;                   /* and in the same block: */
  guint32 *low[CONNECT_STEP_COUNT]; /* distance + 1, 0: never */
  guint8 *high[CONNECT_STEP_COUNT];
  guint n;
  GArray *ranges; /* Range, by first */
  GArray *wide;   /* ConnectRecord: what has no room; host, reason and cause are not used */
};

gsize
connect_record_footprint (void)
{
  return sizeof (Packed) + CONNECT_STEP_COUNT * (sizeof (guint32) + sizeof (guint8));
}

ConnectRecords *
connect_records_new (guint n)
{
  ConnectRecords *records = g_new0 (ConnectRecords, 1);
  guint32 *low;
  guint8 *high;

  records->packed = sim_block_new (NULL, n * connect_record_footprint ());
  records->n = n;
  low = (guint32 *) (records->packed + n);
  high = (guint8 *) (low + (gsize) n * CONNECT_STEP_COUNT);
  for (guint s = 0; s < CONNECT_STEP_COUNT; s++) {
    records->low[sections[s]] = low + (gsize) n * s;
    records->high[sections[s]] = high + (gsize) n * s;
  }
  records->ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  records->wide = g_array_new (FALSE, FALSE, sizeof (ConnectRecord));
  return records;
}

void
connect_records_free (ConnectRecords *records)
{
  if (!records)
    return;
  sim_block_free (NULL, records->packed, records->n * connect_record_footprint ());
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

static Packed *
packed_at (const ConnectRecords *records, guint i)
{
  g_assert (i < records->n);
  return &records->packed[i];
}

static ConnectRecord *
wide_of (const ConnectRecords *records, guint i)
{
  return &g_array_index (records->wide, ConnectRecord, records->low[WIDE][i]);
}

/* ----- times ----- */

SimTime
connect_records_started (const ConnectRecords *records, guint i)
{
  const Packed *packed = packed_at (records, i);

  if (packed->wide)
    return wide_of (records, i)->steps[CONNECT_STEP_START];
  return packed->start ? (SimTime) (packed->start - 1) : SIM_TIME_NEVER;
}

static G_NO_INLINE SimTime
get_wide (const ConnectRecords *records, guint i, guint place)
{
  const ConnectRecord *wide = wide_of (records, i);

  return place == END ? wide->end : wide->steps[place];
}

static SimTime
get_time (const ConnectRecords *records, guint i, guint place)
{
  const Packed *packed = packed_at (records, i);
  guint64 distance = records->low[place][i];

  if (packed->wide)
    return get_wide (records, i, place);
  if (packed->far)
    distance |= (guint64) records->high[place][i] << 32;
  return distance ? (SimTime) (packed->start - 1 + distance - 1) : SIM_TIME_NEVER;
}

/* One that is decided and has no end of its own ended when it was established. */
static SimTime
get_end (const ConnectRecords *records, guint i)
{
  SimTime end = get_time (records, i, END);

  return end == SIM_TIME_NEVER && packed_at (records, i)->decided
             ? get_time (records, i, CONNECT_STEP_ESTABLISHED)
             : end;
}

guint
connect_records_attempts (const ConnectRecords *records, guint i)
{
  const Packed *packed = packed_at (records, i);

  return packed->wide ? wide_of (records, i)->attempts : packed->attempts;
}

static guint
get_reqs (const ConnectRecords *records, guint i)
{
  const Packed *packed = packed_at (records, i);

  return packed->wide ? wide_of (records, i)->reqs : packed->reqs;
}

/* What is rare stays out of the way of what is not. */
static G_NO_INLINE ConnectRecord *
widen (ConnectRecords *records, guint i)
{
  Packed *packed = packed_at (records, i);
  ConnectRecord wide;

  if (packed->wide)
    return wide_of (records, i);
  wide = (ConnectRecord){ .attempts = (guint16) connect_records_attempts (records, i),
                          .reqs = get_reqs (records, i),
                          .end = get_time (records, i, END) };
  wide.steps[CONNECT_STEP_START] = connect_records_started (records, i);
  for (guint step = CONNECT_STEP_START + 1; step < CONNECT_STEP_COUNT; step++)
    wide.steps[step] = get_time (records, i, step);
  records->low[WIDE][i] = records->wide->len;
  packed->wide = TRUE;
  g_array_append_val (records->wide, wide);
  return wide_of (records, i);
}

/* time is `distance - 1` from the start, or never. */
static G_NO_INLINE void
set_far (ConnectRecords *records, guint i, guint place, SimTime time, guint64 distance)
{
  Packed *packed = packed_at (records, i);

  if (packed->wide || distance >= WIDE_FROM) {
    ConnectRecord *wide = widen (records, i);

    *(place == END ? &wide->end : &wide->steps[place]) = time;
  } else {
    packed->far = TRUE;
    records->low[place][i] = (guint32) distance;
    records->high[place][i] = (guint8) (distance >> 32);
  }
}

static inline void
set_time (ConnectRecords *records, guint i, guint place, SimTime time)
{
  const Packed *packed = packed_at (records, i);
  guint64 distance = time == SIM_TIME_NEVER ? 0 : (guint64) time - packed->start + 2;

  if (G_LIKELY (!packed->wide && !packed->far && distance < FAR_FROM))
    records->low[place][i] = (guint32) distance;
  else
    set_far (records, i, place, time, distance);
}

/* Its place may never have been touched, and stays so. */
static void
forget_time (ConnectRecords *records, guint i, guint place)
{
  if (get_time (records, i, place) != SIM_TIME_NEVER)
    set_time (records, i, place, SIM_TIME_NEVER);
}

static void
set_start (ConnectRecords *records, guint i, SimTime start)
{
  Packed *packed = packed_at (records, i);

  if (packed->wide || (start != SIM_TIME_NEVER && (guint64) start >= START_MAX))
    widen (records, i)->steps[CONNECT_STEP_START] = start;
  else
    packed->start = start == SIM_TIME_NEVER ? 0 : ((guint64) start + 1) & START_MAX;
}

/* What ended it does not depend any more on when it was established. */
static G_NO_INLINE void
keep_end (ConnectRecords *records, guint i)
{
  set_time (records, i, END, get_end (records, i));
}

/* ----- counts ----- */

static void
set_attempts (ConnectRecords *records, guint i, guint attempts)
{
  Packed *packed = packed_at (records, i);

  if (packed->wide || attempts > ATTEMPTS_MAX)
    widen (records, i)->attempts = (guint16) attempts;
  else
    packed->attempts = attempts & ATTEMPTS_MAX;
}

static void
set_reqs (ConnectRecords *records, guint i, guint reqs)
{
  Packed *packed = packed_at (records, i);

  if (packed->wide || reqs > G_MAXUINT16)
    widen (records, i)->reqs = reqs;
  else
    packed->reqs = (guint16) reqs;
}

/* ----- whole records ----- */

ConnectRecord
connect_records_get (const ConnectRecords *records, guint i)
{
  const Packed *packed = packed_at (records, i);
  Range range = range_of (records, i);
  ConnectRecord record = {
    .entry = range.entry,
    .index = i - range.first,
    .host = packed->host,
    .attempts = (guint16) connect_records_attempts (records, i),
    .reason = packed->reason,
    .reqs = get_reqs (records, i),
    .cause = (guint8) connect_records_cause (records, i),
    .decided = packed->decided,
    .end = get_end (records, i),
  };

  for (guint step = CONNECT_STEP_START + 1; step < CONNECT_STEP_COUNT; step++)
    record.steps[step] = get_time (records, i, step);
  record.steps[CONNECT_STEP_START] = connect_records_started (records, i);
  return record;
}

void
connect_records_set (ConnectRecords *records, guint i, const ConnectRecord *record)
{
  g_assert (!record->decided || record->end != SIM_TIME_NEVER);
  *packed_at (records, i) = (Packed){
    .cause = (record->cause + 1u) & CAUSE_MAX,
    .decided = record->decided != 0,
    .reason = record->reason,
    .host = record->host,
  };
  set_start (records, i, record->steps[CONNECT_STEP_START]);
  set_attempts (records, i, record->attempts);
  set_reqs (records, i, record->reqs);
  set_time (records, i, END, record->end);
  for (guint step = CONNECT_STEP_START + 1; step < CONNECT_STEP_COUNT; step++)
    set_time (records, i, step, record->steps[step]);
}

/* ----- at work ----- */

guint
connect_records_host (const ConnectRecords *records, guint i)
{
  return packed_at (records, i)->host;
}

ConnectCause
connect_records_cause (const ConnectRecords *records, guint i)
{
  const Packed *packed = packed_at (records, i);

  return packed->cause ? (ConnectCause) (packed->cause - 1) : CONNECT_PENDING;
}

gboolean
connect_records_decided (const ConnectRecords *records, guint i)
{
  return packed_at (records, i)->decided;
}

void
connect_records_start (ConnectRecords *records, guint i, guint host, SimTime now)
{
  packed_at (records, i)->host = host;
  set_start (records, i, now);
}

void
connect_records_attempt (ConnectRecords *records, guint i)
{
  guint attempts = connect_records_attempts (records, i) + 1;

  set_attempts (records, i, attempts);
  if (attempts == 1)
    return;
  if (packed_at (records, i)->decided)
    keep_end (records, i);
  for (guint step = CONNECT_STEP_START + 1; step < CONNECT_STEP_COUNT; step++)
    forget_time (records, i, step);
}

void
connect_records_step (ConnectRecords *records, guint i, ConnectStep step, SimTime now)
{
  g_assert (step != CONNECT_STEP_START);
  if (step == CONNECT_STEP_ESTABLISHED && packed_at (records, i)->decided)
    keep_end (records, i);
  set_time (records, i, step, now);
}

void
connect_records_decide (ConnectRecords *records, guint i, ConnectCause cause, guint reason,
                        SimTime now)
{
  Packed *packed = packed_at (records, i);

  g_assert (!packed->decided);
  packed->decided = TRUE;
  packed->cause = (cause + 1u) & CAUSE_MAX;
  packed->reason = (guint16) reason;
  if (get_time (records, i, CONNECT_STEP_ESTABLISHED) != now)
    set_time (records, i, END, now);
}

void
connect_records_add_reqs (ConnectRecords *records, guint i, guint reqs)
{
  set_reqs (records, i, get_reqs (records, i) + reqs);
}

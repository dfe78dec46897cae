/* Packed records of connects: what goes in comes out, to the nanosecond, whatever the size of
 * the times. */
#include "connect_records.h"

#include "test_sim.h"

/* Of every length up to so many bits. */
static guint64
draw_bits (SimStream *stream, guint most)
{
  guint bits = (guint) sim_stream_below (stream, most + 1);

  return bits == 0 ? 0 : sim_stream_below (stream, (guint64) 1 << bits);
}

static ConnectRecord
draw_record (SimStream *stream)
{
  ConnectRecord record = { .host = (guint32) sim_stream_next (stream),
                           .attempts = (guint16) draw_bits (stream, 16),
                           .reason = (guint16) sim_stream_next (stream),
                           .reqs = (guint32) draw_bits (stream, 32),
                           .cause = (guint8) sim_stream_below (stream, CONNECT_CAUSE_COUNT) };
  SimTime start = (SimTime) draw_bits (stream, 61);
  guint steps_bits = (guint) sim_stream_below (stream, 61);

  record.decided = record.cause != CONNECT_PENDING;
  record.end = record.decided ? start + (SimTime) draw_bits (stream, steps_bits) : SIM_TIME_NEVER;
  for (guint step = 0; step < CONNECT_STEP_COUNT; step++)
    record.steps[step] = sim_stream_below (stream, 4) == 0
                             ? SIM_TIME_NEVER
                             : start + (SimTime) draw_bits (stream, steps_bits);
  if (record.decided && sim_stream_below (stream, 4) == 0)
    record.steps[CONNECT_STEP_ESTABLISHED] = record.end;
  record.steps[CONNECT_STEP_START] = start;
  return record;
}

static void
check_equal (const ConnectRecord *a, const ConnectRecord *b)
{
  ck_assert_uint_eq (a->entry, b->entry);
  ck_assert_uint_eq (a->index, b->index);
  ck_assert_uint_eq (a->host, b->host);
  ck_assert_uint_eq (a->attempts, b->attempts);
  ck_assert_uint_eq (a->reason, b->reason);
  ck_assert_uint_eq (a->reqs, b->reqs);
  ck_assert_uint_eq (a->cause, b->cause);
  ck_assert_uint_eq (a->decided, b->decided);
  ck_assert_int_eq (a->end, b->end);
  for (guint step = 0; step < CONNECT_STEP_COUNT; step++)
    ck_assert_int_eq (a->steps[step], b->steps[step]);
}

/* Whole records of two entries, one of them empty in between. */
START_TEST (whole)
{
  enum { N = 5000, SECOND = 1000 };
  ConnectRecords *records = connect_records_new (N);
  static ConnectRecord wanted[N];
  SimStream stream;

  sim_stream_init (&stream, sim_stream_key (1, 0, "test", "records"), 0);
  connect_records_begin_entry (records, 0, 0);
  connect_records_begin_entry (records, SECOND, 1);
  connect_records_begin_entry (records, SECOND, 2);
  for (guint i = 0; i < N; i++) {
    wanted[i] = draw_record (&stream);
    wanted[i].entry = i < SECOND ? 0 : 2;
    wanted[i].index = i < SECOND ? i : i - SECOND;
    connect_records_set (records, i, &wanted[i]);
  }
  ck_assert_uint_eq (connect_records_count (records), N);
  for (guint i = 0; i < N; i++) {
    ConnectRecord record = connect_records_get (records, i);

    check_equal (&record, &wanted[i]);
  }
  connect_records_free (records);
}
END_TEST

/* A connect at work against the plain struct; its second attempt forgets the first one's
 * steps.  Distances around what fits into 32 bits, and just below, at and above 2^40 ns. */
START_TEST (at_work)
{
  static const SimTime apart[] = { 0,
                                   1,
                                   ((SimTime) 1 << 32) - 5,
                                   ((SimTime) 1 << 32) - 1,
                                   ((SimTime) 1 << 32),
                                   SIM_S (6),
                                   ((SimTime) 1 << 40) - 2,
                                   (SimTime) 1 << 40 };

  for (guint a = 0; a < G_N_ELEMENTS (apart); a++) {
    ConnectRecords *records = connect_records_new (2);
    ConnectRecord wanted = { .index = 1,
                             .host = 7,
                             .cause = CONNECT_PENDING,
                             .end = SIM_TIME_NEVER },
                  record = connect_records_get (records, 1);
    SimTime now = SIM_S (5);

    connect_records_begin_entry (records, 0, 0);
    for (guint step = 0; step < CONNECT_STEP_COUNT; step++)
      wanted.steps[step] = SIM_TIME_NEVER;
    wanted.host = 0;
    check_equal (&record, &wanted);
    wanted.host = 7;

    connect_records_start (records, 1, 7, now);
    connect_records_attempt (records, 1);
    connect_records_step (records, 1, CONNECT_STEP_CREATE_ID, now + 1);
    connect_records_step (records, 1, CONNECT_STEP_CONNECT, now + apart[a]);
    connect_records_attempt (records, 1);
    connect_records_step (records, 1, CONNECT_STEP_REP, now + apart[a] + 3);
    connect_records_add_reqs (records, 1, 2);
    connect_records_add_reqs (records, 1, 3);
    connect_records_decide (records, 1, CONNECT_REFUSED, 28, now + apart[a] + 4);
    wanted.steps[CONNECT_STEP_START] = now;
    wanted.steps[CONNECT_STEP_REP] = now + apart[a] + 3;
    wanted.end = now + apart[a] + 4;
    wanted.attempts = 2;
    wanted.reqs = 5;
    wanted.reason = 28;
    wanted.cause = CONNECT_REFUSED;
    wanted.decided = TRUE;
    record = connect_records_get (records, 1);
    check_equal (&record, &wanted);
    connect_records_free (records);
  }
}
END_TEST

/* A connect ends when it is established; what is noted after that does not move its end. */
START_TEST (ends_established)
{
  ConnectRecords *records = connect_records_new (3);
  ConnectRecord record;

  connect_records_begin_entry (records, 0, 0);
  for (guint i = 0; i < 3; i++) {
    connect_records_start (records, i, i, SIM_S (1));
    connect_records_attempt (records, i);
  }
  connect_records_step (records, 0, CONNECT_STEP_ESTABLISHED, SIM_S (2));
  connect_records_decide (records, 0, CONNECT_ESTABLISHED, 0, SIM_S (2));
  connect_records_step (records, 0, CONNECT_STEP_DISCONNECT, SIM_S (8));
  connect_records_step (records, 1, CONNECT_STEP_ESTABLISHED, SIM_S (2));
  connect_records_decide (records, 1, CONNECT_ESTABLISHED, 0, SIM_S (2));
  connect_records_step (records, 1, CONNECT_STEP_ESTABLISHED, SIM_S (3));
  connect_records_step (records, 2, CONNECT_STEP_ESTABLISHED, SIM_S (2));
  connect_records_decide (records, 2, CONNECT_GAVE_UP, 0, SIM_S (4));

  record = connect_records_get (records, 0);
  ck_assert_int_eq (record.end, SIM_S (2));
  ck_assert_int_eq (record.steps[CONNECT_STEP_ESTABLISHED], SIM_S (2));
  ck_assert_int_eq (record.steps[CONNECT_STEP_DISCONNECT], SIM_S (8));
  ck_assert_int_eq (record.steps[CONNECT_STEP_DESTROY], SIM_TIME_NEVER);
  record = connect_records_get (records, 1);
  ck_assert_int_eq (record.end, SIM_S (2));
  ck_assert_int_eq (record.steps[CONNECT_STEP_ESTABLISHED], SIM_S (3));
  record = connect_records_get (records, 2);
  ck_assert_int_eq (record.end, SIM_S (4));
  ck_assert_int_eq (record.steps[CONNECT_STEP_ESTABLISHED], SIM_S (2));
  connect_records_free (records);
}
END_TEST

/* Counts and starts around what fits: 511 attempts, 65535 REQs, 2^48 ns.  What is noted before
 * and after stays. */
START_TEST (counts)
{
  for (gint past = -3; past <= 3; past++) {
    ConnectRecords *records = connect_records_new (1);
    SimTime start = ((SimTime) 1 << 48) + past;
    guint attempts = (guint) (511 + past), reqs = (guint) (65535 + past);
    ConnectRecord record;

    connect_records_begin_entry (records, 0, 0);
    connect_records_start (records, 0, 5, start);
    for (guint i = 0; i < attempts; i++)
      connect_records_attempt (records, 0);
    connect_records_step (records, 0, CONNECT_STEP_CREATE_ID, start + 7);
    connect_records_add_reqs (records, 0, 1);
    connect_records_add_reqs (records, 0, reqs - 1);
    connect_records_decide (records, 0, CONNECT_UNREACHABLE, 0, start + 9);
    ck_assert_int_eq (connect_records_started (records, 0), start);
    ck_assert_uint_eq (connect_records_attempts (records, 0), attempts);
    record = connect_records_get (records, 0);
    ck_assert_int_eq (record.steps[CONNECT_STEP_START], start);
    ck_assert_int_eq (record.steps[CONNECT_STEP_CREATE_ID], start + 7);
    ck_assert_int_eq (record.end, start + 9);
    ck_assert_uint_eq (record.attempts, attempts);
    ck_assert_uint_eq (record.reqs, reqs);
    ck_assert_uint_eq (record.host, 5);
    connect_records_free (records);
  }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("connect_records");
  TCase *tcase = tcase_create ("records");

  tcase_add_test (tcase, whole);
  tcase_add_test (tcase, at_work);
  tcase_add_test (tcase, ends_established);
  tcase_add_test (tcase, counts);
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}

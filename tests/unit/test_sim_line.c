/* The compact line against the general first-in first-out server with one worker. */
#include <check.h>

#include "sim_fifo.h"
#include "sim_line.h"
#include "sim_rng.h"

START_TEST (agrees_with_fifo)
{
  for (guint seed = 0; seed < 60; seed++) {
    SimStream stream;
    SimFifo *fifo = sim_fifo_new (1, 0);
    SimLine line = { .word = 0 };
    SimTime now = 0;

    sim_stream_init (&stream, sim_stream_key (1, 0, "test", "line"), seed);
    for (guint i = 0; i < 500; i++) {
      SimFifoSlot slot;
      /* Idle and busy phases, ties, and services of no length. */
      now += sim_stream_below (&stream, 4) ? 0 : (SimTime) sim_stream_below (&stream, 40);
      SimTime service = (SimTime) sim_stream_below (&stream, seed % 3 ? 12 : 3);
      ck_assert_uint_eq (sim_line_present (&line, now), sim_fifo_present (fifo, now));
      ck_assert (sim_fifo_offer (fifo, now, service, &slot));
      ck_assert_int_eq (sim_line_offer (&line, now, service), slot.end);
      guint present = sim_line_present (&line, now);
      ck_assert_uint_eq (present, sim_fifo_present (fifo, now));
      if (present > 0) {
        ck_assert_int_eq (sim_line_end (&line, present - 1), slot.end);
        ck_assert_int_gt (sim_line_end (&line, 0), now);
      }
    }
    sim_line_clear (&line);
    sim_fifo_free (fifo);
  }
}
END_TEST

START_TEST (small_while_alone)
{
  SimLine line = { .word = 0 };

  for (SimTime now = 0; now < 1000; now += 10) {
    ck_assert_uint_eq (sim_line_present (&line, now), 0);
    ck_assert_int_eq (sim_line_offer (&line, now, 10), now + 10);
    ck_assert_uint_eq (line.word, (guint64) (now + 10)); /* no ring */
    ck_assert_uint_eq (sim_line_present (&line, now + 9), 1);
  }
  sim_line_clear (&line);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim_line");
  TCase *tc = tcase_create ("line");

  tcase_set_timeout (tc, 60);
  tcase_add_test (tc, agrees_with_fifo);
  tcase_add_test (tc, small_while_alone);
  suite_add_tcase (suite, tc);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_NORMAL);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed != 0;
}

/* What the tests of sim/ share. */
#pragma once

#include <check.h>
#include <math.h>
#include <signal.h>

#include <glib.h>

#include "sim_rng.h"

/* A stream for a test's own choices, by name. */
static inline SimStream
test_stream (const char *purpose)
{
  SimStream stream;

  sim_stream_init (&stream, sim_stream_key (20260801, 0, "test", purpose), 0);
  return stream;
}

static inline int
test_run (Suite *suite)
{
  SRunner *runner = srunner_create (suite);

  srunner_run_all (runner, CK_NORMAL);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? 0 : 1;
}

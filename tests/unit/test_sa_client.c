/* The SA client: tries, late answers, cancellation. */
#include "test_sa.h"

/* Nobody answers: when the tries go out, and when the query fails. */
static void
check_tries (CmProfile profile, SimTime timeout, SimTime interval, guint tries)
{
  Rig *rig = rig_new ();

  rig->profile = profile;
  rig_start (rig, FALSE, TRUE, 0);
  sa_client_query (rig->client, 1, timeout, 9);
  rig_run (rig);
  ck_assert_uint_eq (rig->n_sends, tries);
  ck_assert_uint_eq (sa_client_sends (rig->client), tries);
  for (guint i = 0; i < tries; i++)
    ck_assert_int_eq (rig->sends[i], interval * i);
  ck_assert_uint_eq (rig->n_marks, 1);
  check_mark (rig, 0, interval * tries, -ETIMEDOUT);
  ck_assert_uint_eq (rig->args[0], 9);
  rig_free (rig);
}

START_TEST (client_tries)
{
  CmProfile profile = { .timing = CM_TIMING_SPEC, .hz = 250, .sa_tries_per_timeout = 10 };

  /* 0, 100, .., 1000 ms, given up at 1100. */
  check_tries (profile, SIM_MS (1000), SIM_MS (100), 11);
  check_tries (profile, SIM_MS (10), SIM_MS (1), 11);
  check_tries (profile, SIM_MS (1009), SIM_MS (100), 11); /* whole milliseconds */
  /* A tenth of less than 1 ms: tries 1 ms apart, as many retries as milliseconds. */
  check_tries (profile, SIM_MS (9), SIM_MS (1), 10);
  check_tries (profile, SIM_MS (1), SIM_MS (1), 2);
  /* 2006: one send, the whole timeout. */
  profile.sa_tries_per_timeout = 0;
  check_tries (profile, SIM_MS (1000), SIM_MS (1000), 1);
  check_tries (profile, SIM_US (1500), SIM_US (1500), 1);
}
END_TEST

/* The timer wheel at 250 Hz: 100 ms are (floor (100 / 4) + 1) x 4 ms. */
START_TEST (client_tries_on_the_wheel)
{
  CmProfile profile = { .timing = CM_TIMING_LINUX, .hz = 250, .sa_tries_per_timeout = 10 };

  check_tries (profile, SIM_MS (1000), SIM_MS (104), 11);
}
END_TEST

/* The timer starts when the query has left: 290 ns at 8 Gb/s. */
START_TEST (client_waits_from_completion)
{
  Rig *rig = rig_new ();

  rig->fabric_params.rate_bps = G_GUINT64_CONSTANT (8000000000);
  rig_start (rig, FALSE, TRUE, 0);
  sa_client_query (rig->client, 1, SIM_MS (1000), 0);
  rig_run (rig);
  ck_assert_uint_eq (rig->n_sends, 11);
  for (guint i = 0; i < 11; i++)
    ck_assert_int_eq (rig->sends[i], i * (SIM_MS (100) + 290));
  check_mark (rig, 0, 11 * (SIM_MS (100) + 290), -ETIMEDOUT);
  rig_free (rig);
}
END_TEST

START_TEST (error_status)
{
  Rig *rig = rig_new ();

  rig->answer_error = TRUE;
  rig_start (rig, FALSE, TRUE, 0);
  sa_client_query (rig->client, 1, SIM_S (1), 0);
  rig_run (rig);
  ck_assert_uint_eq (rig->n_marks, 1);
  check_mark (rig, 0, 0, -EINVAL);
  ck_assert_uint_eq (rig->n_sends, 1);
  rig_free (rig);
}
END_TEST

/* The SA takes 250 ms: tries at 0, 100, 200, the first is answered at 250; the answers
 * to the others come at 500 and 750 and mean nothing, also to the next query, which
 * waits behind them from 300 to 1000 and has sent tries at 300, 400, .. 900 itself. */
START_TEST (late_responses)
{
  Rig *rig = rig_new ();

  rig->sa_params.service = sim_dist_constant (SIM_MS (250));
  rig_start (rig, TRUE, TRUE, 0);
  sa_client_query (rig->client, 1, SIM_S (1), 1);
  ck_assert_int_eq (sim_engine_run (rig->engine, SIM_MS (300)), SIM_STOP_UNTIL);
  ck_assert_uint_eq (rig->n_sends, 3);
  ck_assert_uint_eq (rig->n_marks, 1);
  check_mark (rig, 0, SIM_MS (250), 0);
  sa_client_query (rig->client, 1, SIM_S (1), 2);
  rig_run (rig);
  ck_assert_uint_eq (rig->n_marks, 2);
  check_mark (rig, 1, SIM_MS (1000), 0);
  ck_assert_uint_eq (rig->args[1], 2);
  for (guint i = 0; i < rig->n_sends; i++)
    ck_assert_int_eq (rig->sends[i], SIM_MS (100) * i);
  /* At 1000 ms the answer is on its way when the eighth try is due: both are events of
   * the same instant, and the answer, scheduled first, is still behind two more hops. */
  ck_assert_uint_eq (rig->n_sends, 3 + 8);
  ck_assert_uint_eq (sa_service_counters (rig->sa)->answered, 3 + 8);
  rig_free (rig);
}
END_TEST

START_TEST (cancelled)
{
  Rig *rig = rig_new ();
  SaQuery *query;

  rig->sa_params.service = sim_dist_constant (SIM_MS (250));
  rig_start (rig, TRUE, TRUE, 0);
  query = sa_client_query (rig->client, 1, SIM_S (1), 1);
  sim_engine_run (rig->engine, SIM_MS (150));
  sa_client_cancel (rig->client, query);
  rig_run (rig);
  ck_assert_uint_eq (rig->n_marks, 0);
  ck_assert_uint_eq (rig->n_sends, 2);
  ck_assert_uint_eq (sa_service_counters (rig->sa)->answered, 2);
  rig_free (rig);
}
END_TEST

/* Cancelling the query that is just being reported is harmless, and so is asking
 * again from there, for answers, failures and errors alike. */
START_TEST (done_may_call_back)
{
  Rig *rig = rig_new ();

  rig->again = 3;
  rig_start (rig, TRUE, TRUE, 0);
  rig->cancel = sa_client_query (rig->client, 1, SIM_S (1), 10);
  sim_engine_run (rig->engine, SIM_US (1500));
  ck_assert_uint_eq (rig->n_marks, 1);
  rig->cancel = NULL;
  rig_run (rig);
  ck_assert_uint_eq (rig->n_marks, 4);
  for (guint i = 0; i < 4; i++)
    {
      check_mark (rig, i, SIM_MS (i + 1), 0);
      ck_assert_uint_eq (rig->args[i], 10 + i);
    }
  rig_free (rig);
}
END_TEST

/* Many in flight: every answer finds its query, records are used again. */
START_TEST (many_queries)
{
  enum { N = 1000 };
  Rig *rig = rig_new ();

  rig->sa_params.service = sim_dist_constant (SIM_US (10));
  rig_start (rig, TRUE, TRUE, 0);
  for (guint round = 0; round < 2; round++)
    {
      SimTime start = sim_engine_now (rig->engine);

      ask (rig, N);
      rig_run (rig);
      ck_assert_uint_eq (rig->n_marks, N * (round + 1));
      for (guint i = 0; i < N; i++)
        {
          check_mark (rig, N * round + i, start + SIM_US (10) * (i + 1), 0);
          ck_assert_uint_eq (rig->args[N * round + i], i);
        }
    }
  ck_assert_uint_eq (rig->n_sends, 2 * N);
  rig_free (rig);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sa_client");
  TCase *client = tcase_create ("client");

  tcase_add_test (client, client_tries);
  tcase_add_test (client, client_tries_on_the_wheel);
  tcase_add_test (client, client_waits_from_completion);
  tcase_add_test (client, error_status);
  tcase_add_test (client, late_responses);
  tcase_add_test (client, cancelled);
  tcase_add_test (client, done_may_call_back);
  tcase_add_test (client, many_queries);
  suite_add_tcase (suite, client);
  return test_run (suite);
}

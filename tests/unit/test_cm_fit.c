/* Timers: schedules against what the kernel did, and arithmetics told apart by waits. */
#include "cm_fit.h"
#include "cm_schedule.h"
#include "test_sim.h"

/* ----- schedules ----- */

static CmScheduleParams
params_of (const char *profile, guint hz)
{
  const CmProfile *p = cm_profile_find (profile);

  return (CmScheduleParams){ .profile = p, .response_timeout = p->response_timeout,
                             .packet_lifetime = p->packet_lifetime,
                             .max_retries = p->max_retries, .hz = hz };
}

/* Measured with Linux 6.1 and 6.12 at HZ 250: first interval, later ones, give-up. */
START_TEST (schedules_of_captured_kernels)
{
  static const struct {
    const char *profile;
    SimTime first_least, first_most, later, end_least, end_most;
  } rows[] = {
    { "linux-6.1", SIM_MS (6140), SIM_MS (6404), SIM_MS (6400), SIM_MS (102100), SIM_MS (102410) },
    { "linux-6.12", SIM_MS (4604), SIM_MS (4868), SIM_MS (4864), SIM_MS (77560), SIM_MS (77830) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    CmScheduleParams params = params_of (rows[i].profile, 250);
    CmSchedule schedule;

    cm_schedule (&params, &schedule);
    ck_assert_uint_eq (schedule.sends, 16);
    ck_assert_int_eq (schedule.least[0], 0);
    ck_assert_int_eq (schedule.most[0], 0);
    ck_assert_int_ge (schedule.least[1], rows[i].first_least);
    ck_assert_int_le (schedule.most[1], rows[i].first_most);
    for (guint send = 2; send < 16; send++)
      ck_assert_int_eq (schedule.most[send] - schedule.most[send - 1], rows[i].later);
    ck_assert_int_ge (schedule.gives_up_least, rows[i].end_least);
    ck_assert_int_le (schedule.gives_up_most, rows[i].end_most);
  }
}
END_TEST

/* Nominal: 16 waits of 2 x 2^10 + 2^12 ms, or of 4.096 us x 2^20. */
START_TEST (nominal_schedules)
{
  CmScheduleParams params = params_of ("linux-6.1", 0);
  CmSchedule schedule;

  cm_schedule (&params, &schedule);
  ck_assert_int_eq (schedule.gives_up_least, SIM_MS (98304));
  ck_assert_int_eq (schedule.gives_up_most, SIM_MS (98304));
  ck_assert_int_eq (schedule.least[15], SIM_MS (92160));
  params = params_of ("spec", 250); /* which has no wheel */
  cm_schedule (&params, &schedule);
  ck_assert_int_eq (schedule.gives_up_most, 16 * G_GINT64_CONSTANT (4294967296));
  params = params_of ("linux-6.1", 0);
  params.max_retries = 0;
  cm_schedule (&params, &schedule);
  ck_assert_uint_eq (schedule.sends, 1);
  ck_assert_int_eq (schedule.gives_up_least, SIM_MS (6144));
}
END_TEST

/* MRA with code 24 after the second send: 65536 + 2048 ms from then on. */
START_TEST (schedule_with_an_mra)
{
  CmScheduleParams params = params_of ("linux-6.1", 0);
  CmSchedule schedule;

  params.mra_after = 2;
  params.mra_timeout = 24;
  cm_schedule (&params, &schedule);
  ck_assert_int_eq (schedule.least[2], SIM_MS (6144 + 67584));
  ck_assert_int_eq (schedule.gives_up_least, SIM_MS (6144 + 15 * 67584));
}
END_TEST

/* The proposal of 2024: four equal waits, doubling up to 60 s, an end after 300 s. */
START_TEST (schedule_with_a_deadline)
{
  CmScheduleParams params = params_of ("retry-proposal-2024", 0);
  CmSchedule schedule;

  cm_schedule (&params, &schedule);
  ck_assert_int_eq (schedule.least[4], 4 * SIM_MS (1536));
  ck_assert_int_eq (schedule.least[5], 6 * SIM_MS (1536));
  ck_assert_int_eq (schedule.least[6], 10 * SIM_MS (1536));
  ck_assert_int_eq (schedule.gives_up_least, SIM_S (300));
}
END_TEST

/* ----- fits ----- */

/* A conversation of repeated REQs at these times, without an observer. */
static CmConversation *
repeats (const SimTime *at, guint n)
{
  CmConversation *conversation = g_new0 (CmConversation, 1);
  CmConn *conn = &conversation->ends[CM_SIDE_ACTIVE].conn;

  conn->packet_lifetime = 18;
  conn->remote_response_timeout = 20;
  for (guint i = 0; i < n; i++)
    cm_conversation_note (
        conversation,
        &(CmSeen){ .at = at[i], .attr = IB_CM_REQ, .nth = i + 1,
                   .verdict = i ? CM_SEEN_REPEATED : CM_SEEN_EXPECTED,
                   .wait = i ? CM_WAIT_REQUEST : CM_WAIT_NONE,
                   .waited = i ? at[i] - at[i - 1] : 0 });
  return conversation;
}

/* Bit i of each: HZ 0, 100, 250, 1000 among the fits. */
static guint
fitting (const SimTime *at, guint n, guint64 *ret_profiles)
{
  CmConversation *conversation = repeats (at, n);
  guint found = 0, good;
  CmFitGroup group;

  conversation->req.attr = IB_CM_REQ; /* seen: what it asked for is known */
  cm_fit_init (&group);
  for (guint i = 1; i < n; i++)
    cm_fit_add (&group, conversation, i);
  good = cm_fit_sort (&group);
  for (guint i = 0; i < good; i++)
    found |= group.fits[i].hz == 0     ? 1u
             : group.fits[i].hz == 100 ? 2u
             : group.fits[i].hz == 250 ? 4u
                                       : 8u;
  *ret_profiles = cm_fit_mask (&group, good);
  cm_conversation_free (conversation);
  return found;
}

static guint64
bit_of (const char *name)
{
  for (guint i = 0; cm_profiles[i]; i++)
    if (g_str_equal (cm_profiles[i]->name, name))
      return G_GUINT64_CONSTANT (1) << i;
  g_assert_not_reached ();
}

START_TEST (waits_tell_arithmetics_apart)
{
  static const SimTime captured[] = { 0, SIM_MS (6297), SIM_MS (12698), SIM_MS (19097) };
  static const SimTime hz_1000[] = { 0, SIM_MS (6400), SIM_MS (13056), SIM_MS (19712) };
  static const SimTime nominal[] = { 0, SIM_MS (6145), SIM_MS (12290), SIM_MS (18434) };
  static const SimTime spec[] = { 0, SIM_MS (4296), SIM_MS (8591), SIM_MS (12886) };
  static const SimTime nothing[] = { 0, SIM_MS (5000), SIM_MS (10000), SIM_MS (15000) };
  guint64 profiles;

  /* 6400 ms is a step of the wheel at both frequencies. */
  ck_assert_uint_eq (fitting (captured, 4, &profiles), 2 | 4);
  ck_assert ((profiles & bit_of ("linux-6.1")) && !(profiles & bit_of ("spec")));
  ck_assert_uint_eq (fitting (hz_1000, 4, &profiles), 8);
  /* Kernels before 4.8 let a timer expire in the jiffy it is due. */
  ck_assert_uint_eq (fitting (nominal, 4, &profiles), 1);
  ck_assert ((profiles & bit_of ("ofed-1.1")) && !(profiles & bit_of ("linux-6.1")));
  ck_assert_uint_eq (fitting (spec, 4, &profiles), 1);
  ck_assert_uint_eq (profiles, bit_of ("spec"));
  ck_assert_uint_eq (fitting (nothing, 4, &profiles), 0);
  ck_assert_uint_eq (profiles, 0);
}
END_TEST

/* One late wait among many is forgiven, most of them are not. */
START_TEST (busy_hosts_are_forgiven)
{
  SimTime at[30];
  guint64 profiles;

  for (guint i = 0; i < 30; i++)
    at[i] = i * SIM_MS (6400);
  for (guint i = 15; i < 30; i++)
    at[i] += SIM_S (2);
  ck_assert_uint_eq (fitting (at, 30, &profiles), 2 | 4);
  for (guint i = 0; i < 30; i++)
    at[i] += i * SIM_S (2);
  ck_assert_uint_eq (fitting (at, 30, &profiles), 0);
}
END_TEST

/* By the fields of the REQ alone: the codes of 6.1 and of 6.12, and a stranger. */
START_TEST (fields_tell_profiles_apart)
{
  IbCmMsg req = { .attr = IB_CM_REQ, .remote_response_timeout = 20, .local_response_timeout = 20,
                  .max_cm_retries = 15, .local_ack_timeout = 19 };

  ck_assert (cm_fit_profiles (&req) & bit_of ("linux-6.1"));
  ck_assert (!(cm_fit_profiles (&req) & bit_of ("linux-6.12")));
  req.local_ack_timeout = 17;
  ck_assert (cm_fit_profiles (&req) & bit_of ("linux-6.12"));
  ck_assert (!(cm_fit_profiles (&req) & bit_of ("linux-6.1")));
  req.max_cm_retries = 3;
  ck_assert_uint_eq (cm_fit_profiles (&req), 0);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cm fit");
  TCase *tc = tcase_create ("fit");

  tcase_add_test (tc, schedules_of_captured_kernels);
  tcase_add_test (tc, nominal_schedules);
  tcase_add_test (tc, schedule_with_an_mra);
  tcase_add_test (tc, schedule_with_a_deadline);
  tcase_add_test (tc, waits_tell_arithmetics_apart);
  tcase_add_test (tc, busy_hosts_are_forgiven);
  tcase_add_test (tc, fields_tell_profiles_apart);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}

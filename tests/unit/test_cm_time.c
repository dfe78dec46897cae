/* Nominal timers against the reference tables, and the profiles. */
#include "test_cm.h"

/* Milliseconds of the four timers; columns: packet lifetime, response code, REQ and
 * active DREQ, REP and passive DREQ. */
START_TEST (response_timers)
{
  static const gint64 rows[][4] = {
    { 18, 20, 6144, 4096 },   /* rdma_cm with OpenSM's default, or RoCE on 6.1 */
    { 16, 20, 4608, 4096 },   /* RoCE on 6.12 */
    { 14, 20, 4224, 4096 },   /* a short path */
    { 18, 22, 18432, 16384 }, /* response code 22 */
    { 16, 22, 16896, 16384 },
    { 18, 18, 3072, 1024 },
    { 18, 10, 2052, 4 },
    { 0, 0, 3, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    guint lifetime = (guint) rows[i][0], code = (guint) rows[i][1];

    ck_assert_int_eq (cm_time_request (linux_6_1 (), lifetime, code), SIM_MS (rows[i][2]));
    ck_assert_int_eq (cm_time_response (linux_6_1 (), code), SIM_MS (rows[i][3]));
  }
}
END_TEST

START_TEST (mra_and_timewait)
{
  ck_assert_int_eq (cm_time_mra (linux_6_1 (), 24, 19), SIM_MS (67584));
  ck_assert_int_eq (cm_time_mra (linux_6_1 (), 10, 19), SIM_MS (2052));
  ck_assert_int_eq (cm_time_mra (linux_6_1 (), 24, 17), SIM_MS (66048));
  ck_assert_int_eq (cm_time_timewait (linux_6_1 (), 19), SIM_MS (2048));
  ck_assert_int_eq (cm_time_timewait (linux_6_1 (), 17), SIM_MS (512));
  ck_assert_int_eq (cm_time_timewait (linux_6_1 (), 21), SIM_MS (8192));
}
END_TEST

/* The wheel is not this file's business: both Linux timings have the same nominals. */
START_TEST (nominal_is_linux_without_wheel)
{
  CmProfile nominal = *linux_6_1 ();

  nominal.timing = CM_TIMING_LINUX_NOMINAL;
  ck_assert_int_eq (cm_time_request (&nominal, 18, 20), SIM_MS (6144));
  ck_assert_int_eq (cm_time_code (&nominal, 19), SIM_MS (2048));
}
END_TEST

/* Exact codes; the path does not count. */
START_TEST (spec_timers)
{
  const CmProfile *spec = cm_profile_find ("spec");

  ck_assert_int_eq (cm_time_request (spec, 18, 20), 4294967296);
  ck_assert_int_eq (cm_time_request (spec, 14, 20), 4294967296);
  ck_assert_int_eq (cm_time_response (spec, 20), 4294967296);
  ck_assert_int_eq (cm_time_timewait (spec, 19), 2147483648);
  ck_assert_int_eq (cm_time_mra (spec, 10, 19), 4194304 + 2147483648);
}
END_TEST

/* Give-up times of the reference: 16 waits. */
START_TEST (give_up_times)
{
  static const struct {
    guint lifetime, code;
    gint64 ms;
  } rows[] = { { 18, 20, 98304 }, { 16, 20, 73728 }, { 14, 20, 67584 }, { 18, 22, 294912 } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    CmConn a = end_a ();
    SimTime sum = 0;

    a.packet_lifetime = CM_CODE (rows[i].lifetime);
    a.remote_response_timeout = CM_CODE (rows[i].code);
    feed (&a, CM_EV_ULP_CONNECT, NULL);
    while (a.state == CM_STATE_REQ_SENT) {
      sum += cm_time_nominal (&a, linux_6_1 ());
      feed (&a, CM_EV_RESPONSE_TIMEOUT, NULL);
    }
    ck_assert_int_eq (sum, SIM_MS (rows[i].ms));
  }
}
END_TEST

/* ----- profiles ----- */

START_TEST (profiles_differ_as_the_kernels_do)
{
  const CmProfile *k61 = cm_profile_find ("linux-6.1"), *k612 = cm_profile_find ("linux-6.12"),
                  *spec = cm_profile_find ("spec");
  CmProfile as_61;

  ck_assert_ptr_null (cm_profile_find ("linux-7"));
  ck_assert_ptr_null (cm_profile_find (""));
  ck_assert_uint_eq (k61->packet_lifetime, 18);
  ck_assert_uint_eq (k61->timing, CM_TIMING_LINUX);
  ck_assert_uint_eq (k61->hz, 250);
  ck_assert_uint_eq (k612->packet_lifetime, 16);
  as_61 = *k612;
  as_61.packet_lifetime = 18;
  as_61.name = k61->name;
  as_61.help = k61->help;
  ck_assert_mem_eq (&as_61, k61, sizeof as_61);
  ck_assert_uint_eq (spec->timing, CM_TIMING_SPEC);
  for (guint i = 0; cm_profiles[i]; i++) {
    ck_assert_ptr_eq (cm_profile_find (cm_profiles[i]->name), cm_profiles[i]);
    ck_assert_uint_gt (strlen (cm_profiles[i]->help), 10);
  }
}
END_TEST

/* A row's default, read as the scenario reader would. */
static guint
default_of (const SimParam *param)
{
  if (param->kind == SIM_PARAM_BOOL)
    return strcmp (param->value, "true") == 0;
  if (param->kind == SIM_PARAM_UINT)
    return (guint) g_ascii_strtoull (param->value, NULL, 10);
  ck_assert_uint_eq (param->kind, SIM_PARAM_ENUM);
  for (guint i = 0; param->names[i]; i++)
    if (strcmp (param->names[i], param->value) == 0)
      return i;
  ck_abort_msg ("%s: default %s is none of the names", param->name, param->value);
}

/* Every field but name and help has its row, in the order of the struct; the defaults
 * are those of linux-6.1 and every profile is within the ranges. */
START_TEST (params_cover_the_profile)
{
  gsize offset = G_STRUCT_OFFSET (CmProfile, timing);
  const SimParam *param = cm_profile_params;

  G_STATIC_ASSERT (sizeof (guint) == sizeof (gboolean));
  for (; param->name; param++, offset += sizeof (guint)) {
    ck_assert_uint_eq (param->offset, offset);
    ck_assert_uint_gt (strlen (param->help), 10);
    ck_assert_msg (default_of (param) == G_STRUCT_MEMBER (guint, linux_6_1 (), offset),
                   "%s: default is not linux-6.1's", param->name);
    for (guint i = 0; cm_profiles[i] && param->kind == SIM_PARAM_UINT; i++) {
      guint value = G_STRUCT_MEMBER (guint, cm_profiles[i], offset);
      ck_assert (value >= param->min && value <= param->max);
    }
  }
  /* What is left is padding. */
  ck_assert_uint_lt (sizeof (CmProfile) - offset, sizeof (gpointer));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cm timers and profiles");
  TCase *timers = tcase_create ("timers"), *profiles = tcase_create ("profiles");

  tcase_add_test (timers, response_timers);
  tcase_add_test (timers, mra_and_timewait);
  tcase_add_test (timers, nominal_is_linux_without_wheel);
  tcase_add_test (timers, spec_timers);
  tcase_add_test (timers, give_up_times);
  suite_add_tcase (suite, timers);
  tcase_add_test (profiles, profiles_differ_as_the_kernels_do);
  tcase_add_test (profiles, params_cover_the_profile);
  suite_add_tcase (suite, profiles);
  return test_run (suite);
}

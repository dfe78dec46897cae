/* Numbers and names of the InfiniBand layer against reference tables. */
#include "ib_time.h"
#include "ib_types.h"
#include "test_sim.h"

/* The attribute ids of IBTA 12.6 are consecutive; every message fills the 232 bytes
 * after the MAD header. */
START_TEST (attributes_are_consecutive_and_fill_the_mad)
{
  guint next = 0x0010;

#define X(name, id, offset, size) \
  ck_assert_uint_eq (IB_CM_##name, next); \
  ck_assert_uint_eq ((offset) + (size), 232); \
  next++;
  IB_CM_ATTR_LIST (X)
#undef X
  ck_assert_uint_eq (next - 0x0010, IB_CM_ATTR_COUNT);
  ck_assert_uint_eq (IB_CM_ATTR_FIRST, 0x0010);
}
END_TEST

START_TEST (attributes_have_names)
{
  ck_assert_str_eq (ib_cm_attr_name (0x0010), "REQ");
  ck_assert_str_eq (ib_cm_attr_name (0x0012), "REJ");
  ck_assert_str_eq (ib_cm_attr_name (0x0016), "DREP");
  ck_assert_str_eq (ib_cm_attr_name (0x001A), "APR");
  ck_assert_str_eq (ib_cm_attr_name (0x000F), "?");
  ck_assert_str_eq (ib_cm_attr_name (0x001B), "?");
}
END_TEST

START_TEST (reasons_have_names)
{
  ck_assert_str_eq (ib_cm_rej_reason_name (IB_CM_REJ_NO_RESOURCES), "no resources");
  ck_assert_str_eq (ib_cm_rej_reason_name (IB_CM_REJ_TIMEOUT), "timeout");
  ck_assert_str_eq (ib_cm_rej_reason_name (8), "invalid service id");
  ck_assert_str_eq (ib_cm_rej_reason_name (10), "stale connection");
  ck_assert_str_eq (ib_cm_rej_reason_name (28), "consumer reject");
  ck_assert_str_eq (ib_cm_rej_reason_name (35), "vendor option not supported");
  ck_assert_str_eq (ib_cm_rej_reason_name (0), "unknown reason");
  ck_assert_str_eq (ib_cm_rej_reason_name (34), "unknown reason");
  ck_assert_str_eq (ib_cm_rej_reason_name (G_MAXUINT), "unknown reason");
}
END_TEST

/* 4.096 us x 2^n, worked out by hand. */
START_TEST (spec_times_are_exact)
{
  ck_assert_int_eq (ib_time_spec (0), 4096);
  ck_assert_int_eq (ib_time_spec (14), 67108864);
  ck_assert_int_eq (ib_time_spec (18), 1073741824);
  ck_assert_int_eq (ib_time_spec (20), 4294967296);
  ck_assert_int_eq (ib_time_spec (31), 8796093022208);
}
END_TEST

START_TEST (linux_times_are_milliseconds)
{
  static const struct {
    guint code;
    gint64 ms;
  } rows[] = { { 0, 1 },     { 7, 1 },     { 8, 1 },     { 9, 2 },      { 14, 64 },
               { 16, 256 },  { 17, 512 },  { 18, 1024 }, { 19, 2048 },  { 20, 4096 },
               { 21, 8192 }, { 22, 16384 }, { 24, 65536 }, { 31, 8388608 } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    ck_assert_int_eq (ib_time_linux (rows[i].code), rows[i].ms * 1000000);
}
END_TEST

/* (ack delay, packet lifetime) -> code, from the kernel's rule. */
START_TEST (ack_timeouts)
{
  static const guint rows[][3] = { { 0, 18, 19 },  { 15, 18, 19 }, { 17, 18, 19 }, { 18, 18, 20 },
                                   { 19, 18, 20 }, { 20, 18, 21 }, { 21, 18, 21 }, { 22, 18, 22 },
                                   { 10, 16, 17 }, { 15, 16, 17 }, { 16, 16, 18 }, { 0, 0, 2 },
                                   { 31, 18, 31 }, { 31, 31, 31 }, { 31, 30, 31 }, { 5, 0, 5 } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    ck_assert_uint_eq (ib_ack_timeout_linux (rows[i][0], rows[i][1]), rows[i][2]);
}
END_TEST

START_TEST (codes_have_five_bits)
{
  ib_time_spec (32);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("ib");
  TCase *tc = tcase_create ("ib");

  tcase_add_test (tc, attributes_are_consecutive_and_fill_the_mad);
  tcase_add_test (tc, attributes_have_names);
  tcase_add_test (tc, reasons_have_names);
  tcase_add_test (tc, spec_times_are_exact);
  tcase_add_test (tc, linux_times_are_milliseconds);
  tcase_add_test (tc, ack_timeouts);
  tcase_add_test_raise_signal (tc, codes_have_five_bits, SIGABRT);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}

/* Texts of times and saturating sums. */
#include "sim_time.h"

#include "test_sim.h"

typedef struct {
  SimTime t;
  const char *text;
} TextCase;

static const TextCase short_texts[] = {
  { 0, "0 s" },
  { 1, "1 ns" },
  { 999, "999 ns" },
  { 1000, "1 us" },
  { 1001, "1.001 us" },
  { 12345, "12.35 us" }, /* a half goes away from zero */
  { 12344, "12.34 us" },
  { 12500, "12.5 us" },
  { 99994, "99.99 us" },
  { 99995, "100 us" },
  { 123450, "123.5 us" },
  { 999949, "999.9 us" },
  { 999950, "1 ms" },
  { 1000000, "1 ms" },
  { SIM_MS (250), "250 ms" },
  { 999999999, "1 s" },
  { SIM_S (1), "1 s" },
  { 4294967296, "4.295 s" },
  { SIM_MS (6400), "6.4 s" },
  { SIM_MS (64550), "64.55 s" },
  { SIM_S (768), "768 s" },
  { 999950000000, "1000 s" },
  { 1234500000000, "1235 s" },
  { SIM_S (86400), "86400 s" },
  { SIM_S (-2), "-2 s" },
  { -1500, "-1.5 us" },
  { SIM_TIME_NEVER, "never" },
  { SIM_TIME_NEVER - 1, "9223372037 s" },
  { G_MININT64, "-9223372037 s" },
};

static const TextCase exact_texts[] = {
  { 0, "0.000000000" },
  { 1, "0.000000001" },
  { SIM_MS (6400), "6.400000000" },
  { 64552509000, "64.552509000" },
  { -1, "-0.000000001" },
  { SIM_TIME_NEVER, "never" },
  { SIM_TIME_NEVER - 1, "9223372036.854775806" },
  { G_MININT64, "-9223372036.854775808" },
};

START_TEST (short_text)
{
  char buf[SIM_TIME_TEXT_SIZE];

  ck_assert_ptr_eq (sim_time_format (short_texts[_i].t, buf, sizeof buf), buf);
  ck_assert_str_eq (buf, short_texts[_i].text);
}
END_TEST

START_TEST (exact_text)
{
  char buf[SIM_TIME_TEXT_SIZE];

  ck_assert_ptr_eq (sim_time_format_exact (exact_texts[_i].t, buf, sizeof buf), buf);
  ck_assert_str_eq (buf, exact_texts[_i].text);
}
END_TEST

/* A text read back is within half a unit of its last digit, at least 0.5e-3 relative. */
START_TEST (short_text_is_close)
{
  static const struct { const char *unit; double ns; } units[] = {
    { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 },
  };
  SimStream stream = test_stream ("time text");

  for (int i = 0; i < 20000; i++) {
    SimTime t = (SimTime) (sim_stream_next (&stream) >> (1 + sim_stream_below (&stream, 62)));
    char buf[SIM_TIME_TEXT_SIZE];
    char *end;
    double x = g_ascii_strtod (sim_time_format (t, buf, sizeof buf), &end);
    gsize u = 0;
    while (g_strcmp0 (end + 1, units[u].unit) != 0)
      ck_assert_msg (++u < G_N_ELEMENTS (units), "no unit in %s", buf);
    ck_assert_msg (fabs (x * units[u].ns - (double) t) <= (double) t * 0.5001e-3,
                   "%" G_GINT64_FORMAT " is written %s", t, buf);
    ck_assert_msg (t == 0 || x >= 1, "%s", buf);
    ck_assert_msg (x < 1000 || u == G_N_ELEMENTS (units) - 1, "%s", buf);
  }
}
END_TEST

START_TEST (short_buffer)
{
  char buf[4];

  ck_assert_str_eq (sim_time_format (12500, buf, sizeof buf), "12.");
  ck_assert_str_eq (sim_time_format (SIM_TIME_NEVER, buf, sizeof buf), "nev");
  ck_assert_str_eq (sim_time_format_exact (SIM_S (12), buf, sizeof buf), "12.");
}
END_TEST

START_TEST (sum_saturates)
{
  ck_assert_int_eq (sim_time_add (1, 2), 3);
  ck_assert_int_eq (sim_time_add (SIM_TIME_NEVER - 2, 1), SIM_TIME_NEVER - 1);
  ck_assert_int_eq (sim_time_add (SIM_TIME_NEVER - 2, 2), SIM_TIME_NEVER);
  ck_assert_int_eq (sim_time_add (SIM_TIME_NEVER - 2, 3), SIM_TIME_NEVER);
  ck_assert_int_eq (sim_time_add (SIM_TIME_NEVER, 0), SIM_TIME_NEVER);
  ck_assert_int_eq (sim_time_add (5, SIM_TIME_NEVER), SIM_TIME_NEVER);
  ck_assert_int_eq (sim_time_add (SIM_TIME_NEVER, SIM_TIME_NEVER), SIM_TIME_NEVER);
  ck_assert_double_eq (sim_time_to_seconds (SIM_MS (6400)), 6.4);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim_time");
  TCase *tc = tcase_create ("time");

  tcase_add_loop_test (tc, short_text, 0, G_N_ELEMENTS (short_texts));
  tcase_add_loop_test (tc, exact_text, 0, G_N_ELEMENTS (exact_texts));
  tcase_add_test (tc, short_text_is_close);
  tcase_add_test (tc, short_buffer);
  tcase_add_test (tc, sum_saturates);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}

/* Quantities: exact to the nanosecond, bit and byte; refused otherwise with words. */
#include "units.h"

#include <string.h>

#include "suggest.h"
#include "test_sim.h"

START_TEST (times)
{
  static const struct {
    const char *text;
    SimTime time;
  } cases[] = {
    { "0", 0 },
    { "0s", 0 },
    { "0.000", 0 },
    { "-0s", 0 },
    { "1ns", 1 },
    { "1.5us", 1500 },
    { "4.096us", 4096 },
    { "12ms", 12000000 },
    { "12 ms", 12000000 },
    { "+12ms", 12000000 },
    { ".5s", 500000000 },
    { "64.552509296s", G_GINT64_CONSTANT (64552509296) },
    /* 4.096 us x 2^20 x 16, as the specification has it. */
    { "68.719476736s", G_GINT64_CONSTANT (4096) << 24 },
    { "1.000000000000000000000s", 1000000000 },
    { "000000000000000000000000000000000000000001s", 1000000000 },
    { "1e-9s", 1 },
    { "2.5e3us", 2500000 },
    { "1min", G_GINT64_CONSTANT (60000000000) },
    { "0.1min", G_GINT64_CONSTANT (6000000000) },
    { "1.5h", G_GINT64_CONSTANT (5400000000000) },
    /* 1/3600 h = 1 s is no decimal; 1/1000 h = 3.6 s is one. */
    { "0.001h", G_GINT64_CONSTANT (3600000000) },
    /* The largest: a year of 365 days. */
    { "8760h", G_GINT64_CONSTANT (365) * 24 * 3600 * 1000000000 },
    { "31536000s", G_GINT64_CONSTANT (365) * 24 * 3600 * 1000000000 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    SimTime time = -1;
    char *wrong = units_parse_time (cases[i].text, &time);

    ck_assert_msg (!wrong, "%s", wrong);
    ck_assert_msg (time == cases[i].time, "%s is %" G_GINT64_FORMAT, cases[i].text, time);
  }
}
END_TEST

typedef struct {
  const char *text;
  const char *words; /* part of what must be said */
} Wrong;

START_TEST (wrong_times)
{
  static const Wrong cases[] = {
    { "", "is not a time; write a number with ns, us, ms, s, min, h, such as 5ms" },
    { "soon", "is not a time" },
    { "s", "is not a time" },
    { "nan", "is not a time" },
    { "infs", "is not a time" },
    { ".s", "is not a time" },
    { "5", "has no unit; write a time with ns, us, ms, s, min, h, such as 5ms" },
    { "5.s", "is not a unit" },
    { "0.5", "has no unit" },
    { "-5s", "is negative" },
    { "-0.000000000000000000000000000000000000001s", "is negative" },
    { "5sec",
      "\"sec\" is not a unit of a time; allowed: ns, us, ms, s, min, h; did you mean \"s\"?" },
    { "5 \302\265s", "did you mean \"us\"?" },
    { "5m", "did you mean \"min\"?" },
    { "5S", "did you mean \"s\"?" },
    { "5/s", "is not a unit" },
    { "5s s", "is not a unit" },
    { "0x10ms", "is not a unit" },
    { "2,5ms", "write the fraction with a point" },
    { "1.5ns", "is too fine" },
    { "64.5525092961s", "is too fine" },
    { "1e-10s", "is too fine" },
    { "1e-999999999999s", "is too fine" },
    /* A third of a nanosecond less than a second. */
    { "0.0002777777777778h", "is too fine" },
    { "9223372036854775807ns", "is too large" },
    { "9223372036.854775807s", "is too large" },
    { "8760.1h", "is too large; at most 8760h (a year)" },
    { "2562048h", "is too large" },
    { "1e999999999999s", "is too large" },
    { "99999999999999999999999999999999999999999999s", "too" },
    { "1.00000000000000000000000000000000000001s", "has too many digits" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    SimTime time = -1;
    char *wrong = units_parse_time (cases[i].text, &time);

    ck_assert_msg (wrong && strstr (wrong, cases[i].words), "%s: %s", cases[i].text, wrong);
    ck_assert_int_eq (time, -1);
    g_free (wrong);
  }
}
END_TEST

START_TEST (half_digits)
{
  ck_assert_double_eq (units_time_half_digit ("64.552509s"), 0.5e-6);
  ck_assert_double_eq (units_time_half_digit ("12ms"), 0.5e-3);
  ck_assert_double_eq (units_time_half_digit ("12.00ms"), 0.5e-5);
  ck_assert_double_eq (units_time_half_digit ("1.5e3us"), 0.5e-4);
  /* A tenth of a minute is six seconds. */
  ck_assert_double_eq (units_time_half_digit ("1.5min"), 3);
  ck_assert_double_eq (units_time_half_digit ("2h"), 1800);
}
END_TEST

START_TEST (rates)
{
  static const struct {
    const char *text;
    double rate;
  } cases[] = {
    { "200/s", 200 },  { "5k/s", 5000 },   { "0.25M/s", 250000 },
    { "30/min", 0.5 }, { "1800/h", 0.5 },  { "5 k /s", 5000 },
    { "0", 0 },        { "1.5e2/s", 150 },
  };
  static const Wrong wrongs[] = {
    { "200", "has no unit" },    { "-1/s", "is negative" },     { "5ms", "is not a rate" },
    { "fast", "is not a rate" }, { "1e400/s", "is too large" }, { "1e308k/s", "is too large" },
    { "5G/s", "is not a rate" },
  };
  double rate;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    char *wrong = units_parse_rate (cases[i].text, &rate);

    ck_assert_msg (!wrong, "%s", wrong);
    ck_assert_double_eq (rate, cases[i].rate);
  }
  for (guint i = 0; i < G_N_ELEMENTS (wrongs); i++) {
    char *wrong = units_parse_rate (wrongs[i].text, &rate);

    ck_assert_msg (wrong && strstr (wrong, wrongs[i].words), "%s: %s", wrongs[i].text, wrong);
    g_free (wrong);
  }
}
END_TEST

START_TEST (sizes_and_bit_rates)
{
  guint64 value;

  ck_assert_ptr_null (units_parse_size ("256B", &value));
  ck_assert_uint_eq (value, 256);
  ck_assert_ptr_null (units_parse_size ("1.5KiB", &value));
  ck_assert_uint_eq (value, 1536);
  ck_assert_ptr_null (units_parse_size ("1MB", &value));
  ck_assert_uint_eq (value, 1000000);
  ck_assert_ptr_null (units_parse_size ("2GiB", &value));
  ck_assert_uint_eq (value, G_GUINT64_CONSTANT (2147483648));
  ck_assert_ptr_null (units_parse_bitrate ("100Gbps", &value));
  ck_assert_uint_eq (value, G_GUINT64_CONSTANT (100000000000));
  ck_assert_ptr_null (units_parse_bitrate ("2.5kbps", &value));
  ck_assert_uint_eq (value, 2500);
  ck_assert_ptr_null (units_parse_bitrate ("18446744073709551615bps", &value));
  ck_assert_uint_eq (value, G_MAXUINT64);

  static const Wrong sizes[] = {
    { "4kib", "did you mean \"KiB\"?" },
    { "0.5B", "is too fine" },
    { "4096", "has no unit" },
    { "-1B", "is negative" },
    { "17179869184GiB", "is too large" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    char *wrong = units_parse_size (sizes[i].text, &value);

    ck_assert_msg (wrong && strstr (wrong, sizes[i].words), "%s: %s", sizes[i].text, wrong);
    g_free (wrong);
  }

  char *wrong = units_parse_bitrate ("100Gb/s", &value);
  ck_assert_ptr_nonnull (strstr (wrong, "did you mean \"Gbps\"?"));
  g_free (wrong);
  wrong = units_parse_bitrate ("18446744073709551616bps", &value);
  ck_assert_ptr_nonnull (strstr (wrong, "is too large"));
  g_free (wrong);
}
END_TEST

START_TEST (whole_numbers)
{
  guint64 value;

  ck_assert_ptr_null (units_parse_uint ("0", FALSE, &value));
  ck_assert_uint_eq (value, 0);
  ck_assert_ptr_null (units_parse_uint ("010", FALSE, &value));
  ck_assert_uint_eq (value, 10);
  ck_assert_ptr_null (units_parse_uint ("18446744073709551615", FALSE, &value));
  ck_assert_uint_eq (value, G_MAXUINT64);
  ck_assert_ptr_null (units_parse_uint ("0xff", FALSE, &value));
  ck_assert_uint_eq (value, 255);
  ck_assert_ptr_null (units_parse_uint ("0xFFFFFFFFFFFFFFFF", FALSE, &value));
  ck_assert_uint_eq (value, G_MAXUINT64);
  ck_assert_ptr_null (units_parse_uint ("2G", TRUE, &value));
  ck_assert_uint_eq (value, 2000000000);

  static const Wrong wrongs[] = {
    { "", "is not a whole number" },
    { "-1", "is negative" },
    { "1.5", "is not a whole number" },
    { "1e3", "is not a whole number" },
    { "5ms", "is not a whole number" },
    { "2G", "is not a whole number" },
    { "0x", "is not a hexadecimal number" },
    { "0xg", "is not a hexadecimal number" },
    { "0x10000000000000000", "is too large" },
    { "18446744073709551616", "is too large" },
    { "99999999999999999999999999", "is too large" },
    { "1 2", "is not a whole number" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (wrongs); i++) {
    char *wrong = units_parse_uint (wrongs[i].text, FALSE, &value);

    ck_assert_msg (wrong && strstr (wrong, wrongs[i].words), "%s: %s", wrongs[i].text, wrong);
    g_free (wrong);
  }
  char *wrong = units_parse_uint ("18446744074G", TRUE, &value);
  ck_assert_ptr_nonnull (strstr (wrong, "is too large"));
  g_free (wrong);
}
END_TEST

START_TEST (other_values)
{
  double value;
  gboolean truth;
  char *wrong;

  ck_assert_ptr_null (units_parse_probability ("1%", &value));
  ck_assert_double_eq (value, 0.01);
  ck_assert_ptr_null (units_parse_probability ("1", &value));
  ck_assert_double_eq (value, 1);
  static const char *const no_probabilities[] = { "1.0001", "-0.1", "101%", "nan", "x", "1%%" };
  for (guint i = 0; i < G_N_ELEMENTS (no_probabilities); i++) {
    wrong = units_parse_probability (no_probabilities[i], &value);
    ck_assert_msg (wrong && strstr (wrong, "write 0 to 1, or 0% to 100%"), "%s", wrong);
    g_free (wrong);
  }

  ck_assert_ptr_null (units_parse_double ("-2.5e-1", &value));
  ck_assert_double_eq (value, -0.25);
  static const char *const no_doubles[] = { "", "inf", "1e400", "2s", "0x1p3", "1 " };
  for (guint i = 0; i < G_N_ELEMENTS (no_doubles); i++) {
    wrong = units_parse_double (no_doubles[i], &value);
    ck_assert_ptr_nonnull (wrong);
    g_free (wrong);
  }

  ck_assert_ptr_null (units_parse_bool ("true", &truth));
  ck_assert_int_eq (truth, TRUE);
  ck_assert_ptr_null (units_parse_bool ("false", &truth));
  ck_assert_int_eq (truth, FALSE);
  wrong = units_parse_bool ("off", &truth);
  ck_assert_str_eq (wrong, "\"off\" is not allowed; write true or false; did you mean \"false\"?");
  g_free (wrong);
}
END_TEST

START_TEST (suggestions)
{
  static const char *const names[] = {
    "reject", "drop", "defer", "unlimited", "ulp-counted", NULL
  };
  char *clause;

  ck_assert_uint_eq (suggest_distance ("drop", "drop"), 0);
  ck_assert_uint_eq (suggest_distance ("Drop", "drop"), 1);
  ck_assert_uint_eq (suggest_distance ("dorp", "drop"), 2);
  ck_assert_uint_eq (suggest_distance ("", "drop"), 8);
  ck_assert_uint_eq (suggest_distance ("kitten", "sitting"), 6);

  ck_assert_str_eq (suggest_nearest ("rejct", names), "reject");
  ck_assert_str_eq (suggest_nearest ("DROP", names), "drop");
  ck_assert_str_eq (suggest_nearest ("counted", names), "ulp-counted");
  ck_assert_ptr_null (suggest_nearest ("x", names));
  ck_assert_ptr_null (suggest_nearest ("", names));
  ck_assert_ptr_null (suggest_nearest ("abandon", names));

  clause = suggest_clause ("dorp", names);
  ck_assert_str_eq (clause, "; allowed: reject, drop, defer, unlimited, ulp-counted; did you mean "
                            "\"drop\"?");
  g_free (clause);

  static const char *const strange[] = { "dr\top", NULL };
  clause = suggest_clause ("drop", strange);
  ck_assert_str_eq (clause, "; allowed: dr\\top; did you mean \"dr\\top\"?");
  g_free (clause);
}
END_TEST

START_TEST (quotes)
{
  static const struct {
    const char *text, *quoted;
  } cases[] = {
    { "plain", "\"plain\"" },
    { "a\nb\tc", "\"a\\nb\\tc\"" },
    { "\033[31m", "\"\\u001b[31m\"" },
    { "gr\303\274n", "\"gr\303\274n\"" },
    { "\377", "\"\\xff\"" },
    /* Right-to-left override and a line separator would disguise the line. */
    { "\342\200\256x", "\"\\u202ex\"" },
    { "\342\200\250", "\"\\u2028\"" },
  };
  char *quoted, *wide = g_strnfill (1000, 'w');

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    quoted = suggest_quote (cases[i].text);
    ck_assert_str_eq (quoted, cases[i].quoted);
    g_free (quoted);
  }
  quoted = suggest_quote (wide);
  ck_assert_uint_eq (strlen (quoted), 2 + 60 + 3);
  g_free (quoted);
  g_free (wide);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("units");
  TCase *tcase = tcase_create ("units");

  tcase_add_test (tcase, times);
  tcase_add_test (tcase, wrong_times);
  tcase_add_test (tcase, half_digits);
  tcase_add_test (tcase, rates);
  tcase_add_test (tcase, sizes_and_bit_rates);
  tcase_add_test (tcase, whole_numbers);
  tcase_add_test (tcase, other_values);
  tcase_add_test (tcase, suggestions);
  tcase_add_test (tcase, quotes);
  suite_add_tcase (suite, tcase);
  return test_run (suite);
}

/* Quantities as people write them: "64.552509296s", "5k/s", "100Gbps", "4KiB".
 *
 * Times, bit rates and sizes are whole numbers inside and are converted in exact
 * decimal arithmetic: what is written is what is simulated, and a fraction finer
 * than the unit inside is refused, not rounded.
 *
 * Every function returns NULL and sets its result, or returns what is wrong and
 * what is allowed, for a person, beginning with the text in quotes (transfer full). */
#pragma once

#include "sim_time.h"

/* A decimal number at the beginning of a text. */
typedef struct {
  gboolean negative;
  gboolean whole;             /* written without point and exponent */
  gboolean exact;             /* mantissa and exponent hold the number */
  unsigned __int128 mantissa; /* value = mantissa x 10^exponent; no trailing zeros */
  gint exponent;
  gint last_digit;            /* power of ten of the last digit written: -2 for 1.50 */
  double value;               /* nearest double; may be infinite */
} UnitsNumber;

/* Reads [+-]digits[.digits][e[+-]digits].  *ret_end: first character after it.
 * FALSE if the text does not begin with a number. */
gboolean units_scan_number (const char *text, UnitsNumber *ret_number, const char **ret_end);

/* The longest time one may write: a year.  A run of many of them still ends before the
 * clock does (292 years). */
#define UNITS_TIME_MAX SIM_S (31536000)

/* ns, us, ms, s, min, h; a bare 0; at most UNITS_TIME_MAX; not "never". */
char *units_parse_time (const char *text, SimTime *ret_time);
/* Half a unit of the last digit written, in seconds: 0.5e-6 for "64.552509s".
 * text: one that units_parse_time() accepts. */
double units_time_half_digit (const char *text);
/* Per second: 200/s, 5k/s, 10/min, 3.5/h; a bare 0. */
char *units_parse_rate (const char *text, double *ret_rate);
/* bps, kbps, Mbps, Gbps, Tbps; a bare 0. */
char *units_parse_bitrate (const char *text, guint64 *ret_bps);
/* B, KiB, MiB, GiB, KB, MB, GB; a bare 0. */
char *units_parse_size (const char *text, guint64 *ret_bytes);
/* Decimal digits, or 0x and hexadecimal digits; with suffixes also k, M, G. */
char *units_parse_uint (const char *text, gboolean suffixes, guint64 *ret_value);
/* A finite number without unit. */
char *units_parse_double (const char *text, double *ret_value);
/* 0 to 1, or 0% to 100%. */
char *units_parse_probability (const char *text, double *ret_value);
char *units_parse_bool (const char *text, gboolean *ret_value);

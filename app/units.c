#include "units.h"

#include "suggest.h"

#include <math.h>
#include <string.h>

/* 10^28 times the largest factor below (2^30) still fits in 128 bits. */
#define DIGITS_MAX 28
#define EXPONENT_MAX 100000

/* One unit is factor x 10^power of the unit inside. */
typedef struct {
  const char *name;
  guint64 factor;
  gint power;
} Unit;

#define UNIT(n, f, p) { .name = n, .factor = f, .power = p }
#define NO_UNIT { .name = NULL }

typedef struct {
  const char *noun;    /* "time" */
  const char *article; /* "a time" */
  const char *example; /* "5ms" */
  const char *least;   /* what a fraction may not be finer than */
  guint64 max;
  const char *max_text;
  const Unit *units;
  const char *const *meant; /* pairs: what people write, what they mean */
} Quantity;

static const Unit time_units[] = {
  UNIT ("ns", 1, 0),   UNIT ("us", 1, 3),  UNIT ("ms", 1, 6), UNIT ("s", 1, 9),
  UNIT ("min", 6, 10), UNIT ("h", 36, 11), NO_UNIT,
};
static const char *const time_meant[] = {
  "\302\265s", "us", "\316\274s", "us", "usec", "us", "nsec", "ns", "msec", "ms", "sec", "s",
  "secs", "s", "second", "s", "seconds", "s", "S", "s", "m", "min", "mins", "min", "minute", "min",
  "minutes", "min", "hr", "h", "hour", "h", "hours", "h", "d", "24h", "day", "24h", "days", "24h",
  NULL,
};
static const Quantity time_quantity = {
  .noun = "time",
  .article = "a time",
  .example = "5ms",
  .least = "1 ns",
  .max = UNITS_TIME_MAX,
  .max_text = "8760h (a year)",
  .units = time_units,
  .meant = time_meant,
};

static const Unit bitrate_units[] = {
  UNIT ("bps", 1, 0),  UNIT ("kbps", 1, 3),  UNIT ("Mbps", 1, 6),
  UNIT ("Gbps", 1, 9), UNIT ("Tbps", 1, 12), NO_UNIT,
};
static const char *const bitrate_meant[] = {
  "b/s", "bps", "bit/s", "bps", "kb/s", "kbps", "kbit/s", "kbps", "Kbps", "kbps", "Mb/s", "Mbps",
  "Mbit/s", "Mbps", "mbps", "Mbps", "Mbit", "Mbps", "Gb/s", "Gbps", "Gbit/s", "Gbps", "gbps",
  "Gbps", "Gbit", "Gbps", "Gb", "Gbps", "G", "Gbps", "Tb/s", "Tbps", NULL,
};
static const Quantity bitrate_quantity = {
  .noun = "bit rate",
  .article = "a bit rate",
  .example = "100Gbps",
  .least = "1 bps",
  .max = G_MAXUINT64,
  .max_text = "18446744Tbps",
  .units = bitrate_units,
  .meant = bitrate_meant,
};

static const Unit size_units[] = {
  UNIT ("B", 1, 0),  UNIT ("KiB", 1 << 10, 0), UNIT ("MiB", 1 << 20, 0), UNIT ("GiB", 1 << 30, 0),
  UNIT ("KB", 1, 3), UNIT ("MB", 1, 6),        UNIT ("GB", 1, 9),        NO_UNIT,
};
static const char *const size_meant[] = {
  "b", "B", "byte", "B", "bytes", "B", "kB", "KB", "k", "KiB", "K", "KiB", "M", "MiB", "G", "GiB",
  "kib", "KiB", "mib", "MiB", "gib", "GiB", "kb", "KB", "mb", "MB", "gb", "GB", NULL,
};
static const Quantity size_quantity = {
  .noun = "size",
  .article = "a size",
  .example = "4KiB",
  .least = "1 byte",
  .max = G_MAXUINT64,
  .max_text = "17179869183GiB",
  .units = size_units,
  .meant = size_meant,
};

/* ----- numbers ----- */

static const char *
skip_digits (const char *text)
{
  while (g_ascii_isdigit (*text))
    text++;
  return text;
}

/* Takes the digits of [from, to), a point among them or not. */
static void
take_digits (UnitsNumber *number, const char *from, const char *to)
{
  gint zeros = 0, digits = 0; /* zeros that wait for a further digit */
  gboolean fraction = FALSE;

  number->exact = TRUE;
  for (const char *p = from; p < to; p++) {
    if (*p == '.') {
      fraction = TRUE;
      continue;
    }
    number->exponent -= fraction;
    if (*p == '0') {
      zeros += number->mantissa > 0;
      continue;
    }
    digits += digits > 0 ? 1 + zeros : 1;
    if (digits > DIGITS_MAX) {
      number->exact = FALSE;
      zeros = 0;
      continue;
    }
    for (; zeros > 0; zeros--)
      number->mantissa *= 10;
    number->mantissa = number->mantissa * 10 + (guint) (*p - '0');
  }
  number->last_digit = number->exponent;
  number->exponent += zeros;
}

gboolean
units_scan_number (const char *text, UnitsNumber *ret_number, const char **ret_end)
{
  UnitsNumber number = { .whole = TRUE };
  const char *from = text + (*text == '+' || *text == '-'), *end = skip_digits (from);
  gint exponent = 0;
  char *copy;

  if (*end == '.' && g_ascii_isdigit (end[1])) {
    number.whole = FALSE;
    end = skip_digits (end + 1);
  }
  if (end == from)
    return FALSE;
  number.negative = *text == '-';
  take_digits (&number, from, end);
  if ((*end == 'e' || *end == 'E')
      && g_ascii_isdigit (end[1 + (end[1] == '+' || end[1] == '-')])) {
    gboolean negative = end[1] == '-';

    number.whole = FALSE;
    for (end += 1 + (end[1] == '+' || end[1] == '-'); g_ascii_isdigit (*end); end++)
      exponent = MIN (exponent * 10 + (*end - '0'), EXPONENT_MAX);
    if (negative)
      exponent = -exponent;
  }
  number.exponent += exponent;
  number.last_digit += exponent;
  copy = g_strndup (text, (gsize) (end - text));
  number.value = g_ascii_strtod (copy, NULL);
  g_free (copy);
  *ret_number = number;
  *ret_end = end;
  return TRUE;
}

/* ----- messages ----- */

static char *
problem (const char *text, const char *format, ...) G_GNUC_PRINTF (2, 3);

static char *
problem (const char *text, const char *format, ...)
{
  char *quoted = suggest_quote (text), *rest, *all;
  va_list args;

  va_start (args, format);
  rest = g_strdup_vprintf (format, args);
  va_end (args);
  all = g_strconcat (quoted, rest, NULL);
  g_free (quoted);
  g_free (rest);
  return all;
}

static char *
unit_names (const Quantity *quantity)
{
  GString *names = g_string_new (NULL);

  for (const Unit *unit = quantity->units; unit->name; unit++)
    g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", unit->name);
  return g_string_free (names, FALSE);
}

static char *
wrong_unit (const Quantity *quantity, const char *text, const char *unit)
{
  char *names = unit_names (quantity), *quoted = suggest_quote (unit), *message;
  const char *meant = NULL;

  for (guint i = 0; quantity->meant[i]; i += 2)
    if (!strcmp (unit, quantity->meant[i]))
      meant = quantity->meant[i + 1];
  message = problem (text, ": %s is not a unit of %s; allowed: %s%s%s%s", quoted, quantity->article,
                     names, meant ? "; did you mean \"" : "", meant ? meant : "",
                     meant ? "\"?" : "");
  g_free (names);
  g_free (quoted);
  return message;
}

static char *
no_unit (const Quantity *quantity, const char *text)
{
  char *names = unit_names (quantity), *message;

  if (strlen (text) > 20)
    message = problem (text, " has no unit; allowed: %s", names);
  else
    message = problem (text, " has no unit; write %s with %s, such as %s%s", quantity->article,
                       names, text, quantity->example + strspn (quantity->example, "0123456789"));
  g_free (names);
  return message;
}

static char *
not_a_number (const Quantity *quantity, const char *text)
{
  char *names = unit_names (quantity), *message;

  message = problem (text, " is not %s; write a number with %s, such as %s", quantity->article,
                     names, quantity->example);
  g_free (names);
  return message;
}

/* ----- quantities that are whole numbers inside ----- */

static char *
scale (const Quantity *quantity, const UnitsNumber *number, const Unit *unit, const char *text,
       guint64 *ret_value)
{
  unsigned __int128 value = number->mantissa * unit->factor;
  gint power = number->exponent + unit->power;

  if (!number->exact)
    return problem (text, " has too many digits; a %s is exact to %s", quantity->noun,
                    quantity->least);
  for (; power < 0 && value > 0; power++) {
    if (value % 10 != 0)
      return problem (text, " is too fine; a %s is a multiple of %s", quantity->noun,
                      quantity->least);
    value /= 10;
  }
  for (; power > 0 && value > 0 && value <= quantity->max; power--)
    value *= 10;
  if (value > quantity->max)
    return problem (text, " is too large; at most %s", quantity->max_text);
  *ret_value = (guint64) value;
  return NULL;
}

static char *
parse_quantity (const Quantity *quantity, const char *text, const Unit **ret_unit,
                guint64 *ret_value)
{
  UnitsNumber number;
  const char *end;

  if (!units_scan_number (text, &number, &end))
    return not_a_number (quantity, text);
  if (number.negative && (number.mantissa > 0 || !number.exact))
    return problem (text, " is negative; a %s is 0 or more", quantity->noun);
  if (*end == ',' && g_ascii_isdigit (end[1]))
    return problem (text, " has a comma; write the fraction with a point");
  while (*end == ' ')
    end++;
  if (*end == '\0') {
    if (number.mantissa > 0 || !number.exact)
      return no_unit (quantity, text);
    *ret_unit = quantity->units;
    *ret_value = 0;
    return NULL;
  }
  for (const Unit *unit = quantity->units; unit->name; unit++)
    if (!strcmp (unit->name, end)) {
      *ret_unit = unit;
      return scale (quantity, &number, unit, text, ret_value);
    }
  return wrong_unit (quantity, text, end);
}

char *
units_parse_time (const char *text, SimTime *ret_time)
{
  const Unit *unit;
  guint64 value;
  char *wrong = parse_quantity (&time_quantity, text, &unit, &value);

  if (!wrong)
    *ret_time = (SimTime) value;
  return wrong;
}

double
units_time_half_digit (const char *text)
{
  const Unit *unit;
  guint64 value;
  UnitsNumber number;
  const char *end;
  char half[32], *wrong = parse_quantity (&time_quantity, text, &unit, &value);
  gboolean scanned = units_scan_number (text, &number, &end);

  g_assert (!wrong && scanned);
  /* Half a unit inside is 0.5e-9 s. */
  g_snprintf (half, sizeof half, "0.5e%d", number.last_digit + unit->power - 9);
  return g_ascii_strtod (half, NULL) * (double) unit->factor;
}

char *
units_parse_bitrate (const char *text, guint64 *ret_bps)
{
  const Unit *unit;

  return parse_quantity (&bitrate_quantity, text, &unit, ret_bps);
}

char *
units_parse_size (const char *text, guint64 *ret_bytes)
{
  const Unit *unit;

  return parse_quantity (&size_quantity, text, &unit, ret_bytes);
}

/* ----- the others ----- */

char *
units_parse_rate (const char *text, double *ret_rate)
{
  UnitsNumber number;
  const char *end;
  double rate;

  if (!units_scan_number (text, &number, &end))
    return problem (text, " is not a rate; write a number with /s, /min or /h, such as 200/s");
  if (number.negative && number.value < 0)
    return problem (text, " is negative; a rate is 0 or more");
  rate = number.value;
  while (*end == ' ')
    end++;
  if (*end == '\0' && rate == 0) {
    *ret_rate = 0;
    return NULL;
  }
  if (*end == '\0')
    return problem (text, " has no unit; write a rate with /s, /min or /h, such as 200/s or 5k/s");
  if (*end == 'k' || *end == 'M')
    rate *= *end++ == 'k' ? 1e3 : 1e6;
  while (*end == ' ')
    end++;
  if (!strcmp (end, "/min"))
    rate /= 60;
  else if (!strcmp (end, "/h"))
    rate /= 3600;
  else if (strcmp (end, "/s"))
    return problem (text, " is not a rate; allowed: a number, k or M if you like, and /s, /min or "
                          "/h, such as 5k/s");
  if (!isfinite (rate))
    return problem (text, " is too large");
  *ret_rate = rate;
  return NULL;
}

static char *
parse_hexadecimal (const char *text, guint64 *ret_value)
{
  guint64 value = 0;

  for (const char *p = text + 2; *p || p == text + 2; p++) {
    if (!g_ascii_isxdigit (*p))
      return problem (text, " is not a hexadecimal number");
    if (value >> 60)
      return problem (text, " is too large; at most 0xffffffffffffffff");
    value = value << 4 | (guint64) g_ascii_xdigit_value (*p);
  }
  *ret_value = value;
  return NULL;
}

static guint64
suffix_factor (const char *suffix)
{
  if (!strcmp (suffix, "k"))
    return 1000;
  if (!strcmp (suffix, "M"))
    return 1000000;
  return strcmp (suffix, "G") ? 0 : 1000000000;
}

char *
units_parse_uint (const char *text, gboolean suffixes, guint64 *ret_value)
{
  const char *end = skip_digits (text);
  guint64 value = 0, factor = 1;
  UnitsNumber number;

  if (g_str_has_prefix (text, "0x"))
    return parse_hexadecimal (text, ret_value);
  if (suffixes && end > text && *end)
    factor = suffix_factor (end);
  else if (end == text || *end)
    factor = 0;
  if (factor == 0) {
    if (units_scan_number (text, &number, &end) && number.negative && *end == '\0')
      return problem (text, " is negative; write a whole number, 0 or more");
    return problem (text, " is not a whole number%s",
                    suffixes ? "; write digits, or digits with k, M or G" : "; write digits only");
  }
  for (const char *p = text; g_ascii_isdigit (*p); p++)
    if (!g_uint64_checked_mul (&value, value, 10)
        || !g_uint64_checked_add (&value, value, (guint64) (*p - '0')))
      return problem (text, " is too large; at most 18446744073709551615");
  if (!g_uint64_checked_mul (&value, value, factor))
    return problem (text, " is too large; at most 18446744073709551615");
  *ret_value = value;
  return NULL;
}

char *
units_parse_double (const char *text, double *ret_value)
{
  UnitsNumber number;
  const char *end;

  if (!units_scan_number (text, &number, &end) || *end)
    return problem (text, " is not a number; write a number without a unit, such as 0.5");
  if (!isfinite (number.value))
    return problem (text, " is too large");
  *ret_value = number.value;
  return NULL;
}

char *
units_parse_probability (const char *text, double *ret_value)
{
  UnitsNumber number;
  const char *end;
  double value;

  if (!units_scan_number (text, &number, &end) || (*end && strcmp (end, "%")))
    return problem (text, " is not a probability; write 0 to 1, or 0%% to 100%%");
  value = *end == '%' ? number.value / 100 : number.value;
  if (!(value >= 0 && value <= 1))
    return problem (text, " is outside the range of a probability; write 0 to 1, or 0%% to 100%%");
  *ret_value = value;
  return NULL;
}

char *
units_parse_bool (const char *text, gboolean *ret_value)
{
  static const char *const yes[] = { "yes", "on", "True", "TRUE", "Yes", "On", "1", "y", NULL };
  static const char *const no[] = { "no", "off", "False", "FALSE", "No", "Off", "0", "n", NULL };
  const char *meant = NULL;

  if (!strcmp (text, "true") || !strcmp (text, "false")) {
    *ret_value = *text == 't';
    return NULL;
  }
  if (g_strv_contains (yes, text))
    meant = "true";
  else if (g_strv_contains (no, text))
    meant = "false";
  return problem (text, " is not allowed; write true or false%s%s%s",
                  meant ? "; did you mean \"" : "", meant ? meant : "", meant ? "\"?" : "");
}

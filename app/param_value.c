/* Text to value, with the row's range. */
#include "param_value.h"

#include "suggest.h"
#include "units.h"

#include <math.h>
#include <string.h>

gboolean
param_kind_is_plain (SimParamKind kind)
{
  switch (kind) {
  case SIM_PARAM_BOOL:
  case SIM_PARAM_UINT:
  case SIM_PARAM_UINT64:
  case SIM_PARAM_DOUBLE:
  case SIM_PARAM_PROBABILITY:
  case SIM_PARAM_TIME:
  case SIM_PARAM_RATE:
  case SIM_PARAM_BITRATE:
  case SIM_PARAM_SIZE:
  case SIM_PARAM_STRING:
  case SIM_PARAM_ENUM:
    return TRUE;
  case SIM_PARAM_DIST:
  case SIM_PARAM_GROUP:
  case SIM_PARAM_LIST:
  case SIM_PARAM_UINT_LIST:
  case SIM_PARAM_CHOICE:
    return FALSE;
  }
  g_assert_not_reached ();
}

gboolean
param_allows_never (const SimParam *row)
{
  return row->kind == SIM_PARAM_TIME
         && (!g_strcmp0 (row->value, "never") || row->max >= (double) SIM_TIME_NEVER);
}

/* ----- ranges ----- */

static gboolean
has_range (const SimParam *row)
{
  return row->min != 0 || row->max != 0;
}

static gboolean
has_max (const SimParam *row)
{
  /* A row that only says a least value leaves max at 0; 9.2e18 is "any time". */
  return row->max >= row->min && row->max > 0
         && !(row->kind == SIM_PARAM_TIME && row->max >= 9.2e18);
}

typedef struct {
  double factor;
  const char *unit;
} Scale;

/* Largest first; the last one fits everything. */
static const Scale bitrate_scale[] = {
  { .factor = 1e12, .unit = "Tbps" }, { .factor = 1e9, .unit = "Gbps" },
  { .factor = 1e6, .unit = "Mbps" },  { .factor = 1e3, .unit = "kbps" },
  { .factor = 1, .unit = "bps" },
};
static const Scale size_scale[] = {
  { .factor = 1 << 30, .unit = "GiB" },
  { .factor = 1 << 20, .unit = "MiB" },
  { .factor = 1 << 10, .unit = "KiB" },
  { .factor = 1, .unit = "B" },
};
static const Scale rate_scale[] = { { .factor = 1, .unit = "/s" } };
static const Scale number_scale[] = { { .factor = 1, .unit = "" } };

static const Scale *
scale_of (SimParamKind kind)
{
  return kind == SIM_PARAM_BITRATE ? bitrate_scale
         : kind == SIM_PARAM_SIZE  ? size_scale
         : kind == SIM_PARAM_RATE  ? rate_scale
                                   : number_scale;
}

/* One bound as one would write it in a scenario. */
static char *
bound_text (const SimParam *row, double bound)
{
  char time[32], number[G_ASCII_DTOSTR_BUF_SIZE];
  const Scale *scale = scale_of (row->kind);

  if (row->kind == SIM_PARAM_TIME) {
    sim_time_format ((SimTime) bound, time, sizeof time);
    return g_strdup (time);
  }
  while (scale->factor > 1 && (bound < scale->factor || fmod (bound, scale->factor) != 0))
    scale++;
  bound /= scale->factor;
  if (fabs (bound) <= 1e15 && bound == floor (bound))
    g_snprintf (number, sizeof number, "%.0f", bound);
  else
    g_ascii_formatd (number, sizeof number, "%g", bound);
  return g_strconcat (number, scale->unit, NULL);
}

char *
param_range_text (const SimParam *row)
{
  char *min = bound_text (row, row->min), *max = bound_text (row, row->max), *text = NULL;

  if (has_range (row) && has_max (row) && row->min == row->max)
    text = g_strdup (max);
  else if (has_range (row) && has_max (row))
    text =
        row->min > 0 ? g_strdup_printf ("%s to %s", min, max) : g_strdup_printf ("at most %s", max);
  else if (has_range (row) && row->min > 0)
    text = g_strdup_printf ("at least %s", min);
  g_free (min);
  g_free (max);
  return text;
}

static char *
check_range (const SimParam *row, const char *text, double value)
{
  char *quoted, *range, *wrong;

  if (!has_range (row) || (value >= row->min && (!has_max (row) || value <= row->max)))
    return NULL;
  quoted = suggest_quote (text);
  range = param_range_text (row);
  wrong = g_strdup_printf ("%s is out of range; allowed: %s", quoted, range ? range : "0 or more");
  g_free (quoted);
  g_free (range);
  return wrong;
}

/* ----- kinds ----- */

static char *
parse_guint (const SimParam *row, const char *text, guint *ret_value)
{
  guint64 value;
  char *quoted, *wrong = units_parse_uint (text, FALSE, &value);

  if (!wrong)
    wrong = check_range (row, text, (double) value);
  if (!wrong && value > G_MAXUINT) {
    quoted = suggest_quote (text);
    wrong = g_strdup_printf ("%s is too large; at most %u", quoted, G_MAXUINT);
    g_free (quoted);
  }
  if (!wrong)
    *ret_value = (guint) value;
  return wrong;
}

static char *
parse_enum (const SimParam *row, const char *text, guint *ret_value)
{
  char *quoted, *clause, *wrong;

  for (guint i = 0; row->names[i]; i++)
    if (!strcmp (row->names[i], text)) {
      *ret_value = i;
      return NULL;
    }
  quoted = suggest_quote (text);
  clause = suggest_clause (text, row->names);
  wrong = g_strdup_printf ("unknown value %s%s", quoted, clause);
  g_free (quoted);
  g_free (clause);
  return wrong;
}

static char *
parse_time (const SimParam *row, const char *text, SimTime *ret_time)
{
  SimTime time;
  char *wrong, *more;

  if (!strcmp (text, "never")) {
    if (!param_allows_never (row))
      return g_strdup ("\"never\" is not allowed here; write a time such as 5ms");
    *ret_time = SIM_TIME_NEVER;
    return NULL;
  }
  wrong = units_parse_time (text, &time);
  if (wrong && param_allows_never (row) && !g_ascii_isdigit (*text)) {
    more = g_strconcat (wrong, ", or never", NULL);
    g_free (wrong);
    return more;
  }
  if (!wrong)
    wrong = check_range (row, text, (double) time);
  if (!wrong)
    *ret_time = time;
  return wrong;
}

static char *
parse_double (const SimParam *row, const char *text, double *ret_value)
{
  double value;
  char *wrong;

  if (row->kind == SIM_PARAM_RATE)
    wrong = units_parse_rate (text, &value);
  else if (row->kind == SIM_PARAM_PROBABILITY)
    wrong = units_parse_probability (text, &value);
  else
    wrong = units_parse_double (text, &value);
  if (!wrong)
    wrong = check_range (row, text, value);
  if (!wrong)
    *ret_value = value;
  return wrong;
}

static char *
parse_guint64 (const SimParam *row, const char *text, guint64 *ret_value)
{
  guint64 value;
  char *wrong;

  if (row->kind == SIM_PARAM_BITRATE)
    wrong = units_parse_bitrate (text, &value);
  else if (row->kind == SIM_PARAM_SIZE)
    wrong = units_parse_size (text, &value);
  else
    wrong = units_parse_uint (text, TRUE, &value);
  if (!wrong)
    wrong = check_range (row, text, (double) value);
  if (!wrong)
    *ret_value = value;
  return wrong;
}

/* Texts end up in tables, file names and pictures. */
static char *
parse_string (Arena *arena, const char *text, const char **ret_text)
{
  for (const char *p = text; *p; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);

    if (g_unichar_iscntrl (c) && c != '\n' && c != '\t')
      return g_strdup_printf ("the text has a control character, U+%04X", c);
  }
  *ret_text = arena_strdup (arena, text);
  return NULL;
}

char *
param_value_parse (Arena *arena, const SimParam *row, const char *text, gpointer target)
{
  gpointer field = (char *) target + row->offset;

  switch (row->kind) {
  case SIM_PARAM_BOOL:
    return units_parse_bool (text, field);
  case SIM_PARAM_UINT:
  case SIM_PARAM_UINT_LIST:
    return parse_guint (row, text, field);
  case SIM_PARAM_UINT64:
  case SIM_PARAM_BITRATE:
  case SIM_PARAM_SIZE:
    return parse_guint64 (row, text, field);
  case SIM_PARAM_DOUBLE:
  case SIM_PARAM_PROBABILITY:
  case SIM_PARAM_RATE:
    return parse_double (row, text, field);
  case SIM_PARAM_TIME:
    return parse_time (row, text, field);
  case SIM_PARAM_STRING:
    return parse_string (arena, text, field);
  case SIM_PARAM_ENUM:
    return parse_enum (row, text, field);
  case SIM_PARAM_DIST:
  case SIM_PARAM_GROUP:
  case SIM_PARAM_LIST:
  case SIM_PARAM_CHOICE:
    break;
  }
  g_assert_not_reached ();
}

char *
param_value_wanted (const SimParam *row)
{
  GString *names;

  switch (row->kind) {
  case SIM_PARAM_BOOL:
    return g_strdup ("true or false");
  case SIM_PARAM_UINT:
  case SIM_PARAM_UINT64:
    return g_strdup ("a whole number");
  case SIM_PARAM_DOUBLE:
    return g_strdup ("a number");
  case SIM_PARAM_PROBABILITY:
    return g_strdup ("a probability such as 0.01 or 1%");
  case SIM_PARAM_TIME:
    return g_strdup (param_allows_never (row) ? "a time such as 5ms, or never"
                                              : "a time such as 5ms");
  case SIM_PARAM_RATE:
    return g_strdup ("a rate such as 200/s");
  case SIM_PARAM_BITRATE:
    return g_strdup ("a bit rate such as 100Gbps");
  case SIM_PARAM_SIZE:
    return g_strdup ("a size such as 4KiB");
  case SIM_PARAM_STRING:
    return g_strdup ("text");
  case SIM_PARAM_DIST:
    return g_strdup ("a time such as 2ms, or a distribution such as {exponential: 2ms}");
  case SIM_PARAM_GROUP:
    return g_strdup ("a mapping");
  case SIM_PARAM_LIST:
    return g_strdup (row->keyed ? "a mapping" : "a list");
  case SIM_PARAM_UINT_LIST:
    return g_strdup ("a list of whole numbers");
  case SIM_PARAM_ENUM:
  case SIM_PARAM_CHOICE:
    names = g_string_new ("one of");
    for (guint i = 0; row->kind == SIM_PARAM_ENUM && row->names[i]; i++)
      g_string_append_printf (names, "%s %s", i > 0 ? "," : "", row->names[i]);
    for (guint i = 0; row->kind == SIM_PARAM_CHOICE && row->classes[i]; i++)
      g_string_append_printf (names, "%s %s", i > 0 ? "," : "", row->classes[i]->name);
    return g_string_free (names, FALSE);
  }
  g_assert_not_reached ();
}

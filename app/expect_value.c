#include "expect_value.h"

#include "units.h"

#include <math.h>
#include <string.h>

const char *
expect_value_example (MetricKind kind)
{
  switch (kind) {
  case METRIC_COUNT:
    return "a number, such as 512";
  case METRIC_TIME:
    return "a time, such as 12ms";
  case METRIC_RATIO:
    return "a ratio, such as 0.5 or 50%";
  case METRIC_REAL:
    return "a number, such as 1.5";
  }
  g_assert_not_reached ();
}

static char *
read_number (const char *text, MetricKind kind, double *ret_value, double *ret_half)
{
  UnitsNumber number;
  const char *end;
  gboolean percent;
  char half[32];

  if (!units_scan_number (text, &number, &end) || !isfinite (number.value))
    return g_strdup ("");
  percent = !strcmp (end, "%");
  if (*end && !(percent && kind == METRIC_RATIO))
    return g_strdup ("");
  *ret_value = percent ? number.value / 100 : number.value;
  *ret_half = 0;
  if (strchr (text, '.')) {
    g_snprintf (half, sizeof half, "0.5e%d", number.last_digit - (percent ? 2 : 0));
    *ret_half = g_ascii_strtod (half, NULL);
  }
  return NULL;
}

static char *
read_time (const char *text, double *ret_value, double *ret_half)
{
  SimTime time;
  char *wrong = units_parse_time (text, &time);

  if (!wrong) {
    *ret_value = sim_time_to_seconds (time);
    /* Without a point nothing was rounded, and times are whole nanoseconds. */
    *ret_half = strchr (text, '.') ? units_time_half_digit (text) : EXPECT_HALF_NANOSECOND;
  }
  return wrong;
}

char *
expect_value_parse (const char *text, MetricKind kind, double *ret_value, double *ret_half)
{
  return kind == METRIC_TIME ? read_time (text, ret_value, ret_half)
                             : read_number (text, kind, ret_value, ret_half);
}

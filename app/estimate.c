/* Unit, decimals and sign of an estimate. */
#include "estimate.h"

#include <math.h>
#include <string.h>

typedef struct {
  double factor;
  const char *name; /* with the blank before it */
} Unit;

static Unit
unit_of (MetricKind kind, EstimateStyle style, double magnitude)
{
  switch (kind) {
  case METRIC_COUNT:
  case METRIC_REAL:
    return (Unit){ 1, "" };
  case METRIC_RATIO:
    return (Unit){ 100, style == ESTIMATE_DIFFERENCE ? " pp" : " %" };
  case METRIC_TIME:
    if (magnitude >= 1 || magnitude == 0)
      return (Unit){ 1, " s" };
    if (magnitude >= 1e-3)
      return (Unit){ 1e3, " ms" };
    return magnitude >= 1e-6 ? (Unit){ 1e6, " us" } : (Unit){ 1e9, " ns" };
  }
  g_assert_not_reached ();
}

/* Decimals that show `digits` significant digits of x. */
static int
decimals_for (double x, int digits)
{
  return CLAMP (digits - 1 - (int) floor (log10 (x)), 0, 9);
}

/* Zeros at the end of the decimals say nothing about a value without an interval. */
static void
strip_zeros (char *text)
{
  gsize length = strlen (text);

  if (!strchr (text, '.'))
    return;
  while (text[length - 1] == '0')
    length--;
  if (text[length - 1] == '.')
    length--;
  text[length] = '\0';
}

char *
estimate_format (const SummaryStat *stat, MetricKind kind, EstimateStyle style, guint of)
{
  gboolean has_interval = stat->ci95 > 0;
  const char *sign = style == ESTIMATE_DIFFERENCE && stat->mean != 0 ? "+" : "";
  g_autofree char *number = NULL, *interval = NULL, *format = NULL, *count = NULL;
  double mean;
  Unit unit;
  int decimals;

  if (stat->n == 0)
    return g_strdup ("-");
  unit = unit_of (kind, style, fmax (fabs (stat->mean), has_interval ? stat->ci95 : 0));
  mean = stat->mean * unit.factor;
  if (has_interval)
    decimals = decimals_for (stat->ci95 * unit.factor, 2);
  else if (fabs (mean - rint (mean)) <= 1e-9 * fabs (mean))
    decimals = 0;
  else
    decimals = decimals_for (fabs (mean), 4);
  format = g_strdup_printf ("%%%s.%df", sign, decimals);
  number = g_strdup_printf (format, mean);
  if (has_interval)
    interval = g_strdup_printf (" \u00b1 %.*f", decimals, stat->ci95 * unit.factor);
  else
    strip_zeros (number);
  if (stat->n < of)
    count = g_strdup_printf (" (n = %u)", stat->n);
  return g_strconcat (number, interval ? interval : "", unit.name, count ? count : "", NULL);
}

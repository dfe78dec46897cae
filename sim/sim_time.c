/* Texts of simulated times, in integer arithmetic: the same digits everywhere. */
#include "sim_time.h"

typedef struct {
  const char *name;
  guint64 ns;
  guint decimals; /* that the unit has at most */
} TimeUnit;

static const TimeUnit units[] = {
  { .name = "ns", .ns = 1, .decimals = 0 },
  { .name = "us", .ns = 1000, .decimals = 3 },
  { .name = "ms", .ns = 1000000, .decimals = 6 },
  { .name = "s", .ns = 1000000000, .decimals = 9 },
};

static guint64
magnitude (SimTime t)
{
  return t < 0 ? -(guint64) t : (guint64) t;
}

/* Digits after the point that make four significant ones of a number >= 1. */
static guint
decimals_for (guint64 whole)
{
  return whole < 10 ? 3 : whole < 100 ? 2 : whole < 1000 ? 1 : 0;
}

char *
sim_time_format (SimTime t, char *buf, gsize size)
{
  guint64 ns = magnitude (t);
  gsize u = 0;

  if (t == SIM_TIME_NEVER || t == 0) {
    g_strlcpy (buf, t == 0 ? "0 s" : "never", size);
    return buf;
  }
  while (u + 1 < G_N_ELEMENTS (units) && ns >= units[u + 1].ns)
    u++;

  guint decimals = MIN (decimals_for (ns / units[u].ns), units[u].decimals);
  guint64 step = units[u].ns; /* of the last digit shown, in ns */
  for (guint i = 0; i < decimals; i++)
    step /= 10;
  guint64 scaled = ns / step + (ns % step * 2 >= step ? 1 : 0);
  if (scaled * step == units[u].ns * 1000 && u + 1 < G_N_ELEMENTS (units)) {
    u++; /* 999.96 us rounds to 1 ms */
    decimals = 0;
    scaled = 1;
  }
  while (decimals > 0 && scaled % 10 == 0) {
    scaled /= 10;
    decimals--;
  }

  guint64 one = 1;
  for (guint i = 0; i < decimals; i++)
    one *= 10;
  const char *sign = t < 0 ? "-" : "";
  if (decimals == 0)
    g_snprintf (buf, size, "%s%" G_GUINT64_FORMAT " %s", sign, scaled, units[u].name);
  else
    g_snprintf (buf, size, "%s%" G_GUINT64_FORMAT ".%0*" G_GUINT64_FORMAT " %s", sign, scaled / one,
                (int) decimals, scaled % one, units[u].name);
  return buf;
}

char *
sim_time_format_exact (SimTime t, char *buf, gsize size)
{
  guint64 ns = magnitude (t);

  if (t == SIM_TIME_NEVER)
    g_strlcpy (buf, "never", size);
  else
    g_snprintf (buf, size, "%s%" G_GUINT64_FORMAT ".%09" G_GUINT64_FORMAT, t < 0 ? "-" : "",
                ns / 1000000000, ns % 1000000000);
  return buf;
}

/* Simulated time: signed 64-bit nanoseconds since the start of the run (292 years).
 *
 * SIM_TIME_NEVER is the one reserved value: "does not happen".  Arithmetic that
 * would pass it saturates there, so a sum with NEVER is NEVER.  Negative values
 * are legal only as differences. */
#pragma once

#include <glib.h>

typedef gint64 SimTime;

#define SIM_TIME_NEVER G_MAXINT64
#define SIM_NS(n) ((SimTime) (n))
#define SIM_US(n) ((SimTime) (n) * 1000)
#define SIM_MS(n) ((SimTime) (n) * 1000000)
#define SIM_S(n) ((SimTime) (n) * 1000000000)

/* t + d for t >= 0, d >= 0; saturates at SIM_TIME_NEVER. */
static inline SimTime
sim_time_add (SimTime t, SimTime d)
{
  return d > SIM_TIME_NEVER - t ? SIM_TIME_NEVER : t + d;
}

static inline double
sim_time_to_seconds (SimTime t)
{
  return (double) t / 1e9;
}

/* Enough for both texts of any time. */
#define SIM_TIME_TEXT_SIZE 32

/* Writes a short text for people ("6.4 s", "250 ms", "12.5 us", "0 s", "never")
 * to buf and returns buf.  At most four significant digits, half rounded away from
 * zero, after the unit is chosen so that the number is in [1, 1000); seconds are the
 * largest unit and from 1000 on are whole. */
char *sim_time_format (SimTime t, char *buf, gsize size);

/* Writes t in seconds with all nine decimals ("6.400000000", "never"), exact, for
 * CSV. */
char *sim_time_format_exact (SimTime t, char *buf, gsize size);

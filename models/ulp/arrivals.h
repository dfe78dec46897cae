/* Arrival processes: when the connects of one `connects:` entry start.
 *
 * One row of arrivals.c each.  Times are absolute and never decrease. */
#pragma once

#include "sim_param.h"

/* One row of a trace: when, and from which host of the group. */
typedef struct {
  SimTime at;
  guint host;
} ArrivalTraceRow;

typedef struct {
  SimTime now;   /* time of the previous arrival; 0 before the first */
  guint64 index; /* of the arrival asked for */
} ArrivalCursor;

typedef struct {
  SimClassInfo info;
  /* Time of arrival cursor->index. */
  SimTime (*next) (gconstpointer params, const ArrivalCursor *cursor, SimStream *stream);
} ArrivalClass;

typedef struct {
  SimTime at;      /* first arrival */
  SimTime spacing; /* between arrivals */
} ArrivalBurstParams;

typedef struct {
  double rate; /* per second */
  SimTime start;
} ArrivalPoissonParams;

typedef struct {
  double from, to; /* per second: Poisson with a rate that goes from `from` to `to` ... */
  SimTime over;    /* ... linearly in this time, then stays */
  SimTime start;
} ArrivalRampParams;

typedef struct {
  double rate;     /* per second while on */
  SimTime on, off; /* constant lengths, starting with on */
  SimTime start;
} ArrivalOnOffParams;

typedef struct {
  double low, high;       /* per second */
  SimTime up, hold, down; /* low to high, at high, high to low; low ever after */
  SimTime start;
} ArrivalSwingParams;

typedef struct {
  const char *file; /* CSV, relative to the scenario: at_s[,host] */
  const GArray *rows; /* ArrivalTraceRow, read from the file by the application; borrowed */
} ArrivalTraceParams;

extern const ArrivalClass arrival_burst, arrival_poisson, arrival_ramp, arrival_on_off,
    arrival_swing, arrival_trace;
extern const SimClassInfo *const arrival_classes[];

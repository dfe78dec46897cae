/* A storm: a few exchanges between two hosts, each of them client and server, over a wire
 * that loses, repeats, delays and reorders for two minutes, with consumers that do anything
 * at any time meanwhile; then calm exchanges over a wire without faults; then the end.  All
 * of the real model: fabric, HCAs, CM agents, timers.
 *
 * A storm is a function of its plan.  Every choice is drawn from a stream named after what
 * it is about, so leaving an exchange or a fault out does not shift the others: that is what
 * shrinking does.  So a MAD's number is that of its exchange and its place in it. */
#pragma once

#include "cm_profile.h"
#include "sim_time.h"

/* Exchanges that begin amid the faults, and those that begin after them. */
#define STORM_MAD(exchange, place) ((exchange) *10000 + (place))
enum { STORM_WILD = 6, STORM_CALM = 4, STORM_EXCHANGES = STORM_WILD + STORM_CALM };

/* Rows of cm_machines that storms have used. */
enum { STORM_MACHINES = 3, STORM_ROWS = 192 };
typedef struct {
  guint8 seen[STORM_MACHINES][STORM_ROWS];
} StormCoverage;

typedef struct {
  guint64 seed;
  const CmProfile *profile;
  guint32 exchanges;       /* bit mask of those that take place */
  const GArray *faults;    /* guint, sorted: MADs that may meet one; NULL: all */
  gboolean forget_slots;   /* the server forgets a slot when a REP stays unanswered: a bug, for
                           * testing the test */
  StormCoverage *coverage; /* added to; may be NULL */
  gboolean print;          /* what happens, on standard output */
} StormPlan;

typedef struct {
  char *failure;  /* what did not hold; NULL: all did */
  GArray *faults; /* guint: MADs that met a fault */
} StormResult;

void storm_run (const StormPlan *plan, StormResult *ret_result);
void storm_result_clear (StormResult *result);

/* When an active end that gets no answer sends its REQs, and when it gives up: the state
 * machine itself, driven by nothing but its timer. */
#pragma once

#include "cm_fsm.h"

typedef struct {
  const CmProfile *profile;
  guint response_timeout, packet_lifetime, max_retries; /* codes, number */
  guint hz;           /* timer wheel; 0: none */
  guint mra_after;    /* an MRA comes right after this send; 0: none */
  guint mra_timeout;  /* its service timeout, a code */
} CmScheduleParams;

#define CM_SCHEDULE_SENDS 16

/* Times since the first send.  On a wheel they depend on when that was: the earliest and
 * the latest there can be. */
typedef struct {
  guint sends;
  SimTime least[CM_SCHEDULE_SENDS], most[CM_SCHEDULE_SENDS];
  SimTime gives_up_least, gives_up_most;
} CmSchedule;

void cm_schedule (const CmScheduleParams *params, CmSchedule *ret_schedule);

/* CM retry policies: how long to wait for an answer before sending again.
 *
 * One file and one row each.  The nominal interval comes from the profile's timer
 * arithmetic; the policy turns it into the interval of this attempt. */
#pragma once

#include "sim_param.h"
#include "sim_rng.h"

typedef struct {
  SimClassInfo info;
  /* sends: how often the message has been sent, 1 after the first time. */
  SimTime (*interval) (gconstpointer params, SimTime nominal, guint sends, SimStream *stream);
} RetryPolicy;

extern const RetryPolicy retry_fixed, retry_jitter;
extern const SimClassInfo *const retry_classes[];

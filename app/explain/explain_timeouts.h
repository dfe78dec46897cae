/* `cmsim explain timeouts`: when REQs go out and when the caller hears of it. */
#pragma once

#include <stdio.h>

#include "cm_schedule.h"

#define EXPLAIN_AS_PROFILE G_MAXUINT /* what each profile has itself */

typedef struct {
  guint response_timeout, packet_lifetime, max_retries; /* or EXPLAIN_AS_PROFILE */
  guint hz;              /* or EXPLAIN_AS_PROFILE */
  guint mra_timeout;     /* or EXPLAIN_AS_PROFILE */
  guint mra_after;       /* the send that is answered by it */
  const CmProfile *profile; /* NULL: all, side by side */
  gboolean csv;
} ExplainTimeouts;

void explain_timeouts_print (FILE *out, const ExplainTimeouts *options);

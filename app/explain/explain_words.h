/* Words and numbers that the reports share. */
#pragma once

#include <stdio.h>

#include "cm_fit.h"
#include "explain.h"

#define EXPLAIN_TEXT_BYTES 300

/* "12.345678": seconds, cut after the microsecond.  Returns buf, like the others here. */
const char *explain_seconds (SimTime time, char *buf, gsize size);
/* "TCP port 7471", "SDP port 5001", "service 0x...". */
const char *explain_service (guint64 service_id, char *buf, gsize size);
/* "rejected: reason 28 (consumer reject)". */
const char *explain_outcome (const CmConversation *conversation, char *buf, gsize size);
/* "a timer wheel of HZ 100 or 250, 6.400 s": the fits 0..n of the group, once sorted. */
const char *explain_fit (const CmFitGroup *group, guint n, char *buf, gsize size);

/* "linux-6.1, spec" of a mask of profiles; "" for none. */
void explain_profiles (guint64 mask, GString *out);

/* What waits a conversation shows, by kind. */
#define EXPLAIN_WAITS_MAX 8
typedef struct {
  guint16 attr;
  guint8 side, wait, mra_timeout;
  SimTime nominal; /* by the profile of the observer */
  CmFitGroup group;
  guint n_fits;    /* that fit, after sorting */
} ExplainWait;

/* Returns how many kinds there are, at most EXPLAIN_WAITS_MAX; *ret_profiles: those that
 * all of it fits, the REQ's fields too. */
guint explain_waits (const CmConversation *conversation, const CmProfile *profile,
                     ExplainWait *waits, guint64 *ret_profiles);

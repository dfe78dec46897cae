/* The retry policy of one active end at work: what cm_agent.c asks before and after it
 * sends, and the state that connects share.  Private to models/cm. */
#pragma once

#include "cm_event.h"
#include "cm_profile.h"
#include "cm_conn.h"
#include "retry.h"

/* States of the policies of one host. */
typedef struct CmRetryStates CmRetryStates;
/* One end's; NULL stands for the policy `fixed`. */
typedef struct CmRetry CmRetry;

void cm_retry_states_free (CmRetryStates *states);

/* FALSE: the policy changes nothing. */
gboolean cm_retry_is_needed (const SimChoice *choice);
/* states: the host's, made when it is first needed.  choice is borrowed, and needed. */
CmRetry *cm_retry_new (CmRetryStates **states, const SimChoice *choice, guint32 peer,
                       SimStreamKey key, guint64 stream);
void cm_retry_free (CmRetry *retry);

/* Interval after the send just made. */
SimTime cm_retry_interval (CmRetry *retry, const CmConn *conn, const CmProfile *profile,
                           SimTime now, SimTime nominal);
/* The interval is over without an answer: may it be sent again? */
RetryVerdict cm_retry_expired (CmRetry *retry, const CmConn *conn, const CmProfile *profile,
                               SimTime now);
/* The end, in state `from` before, has handled an event. */
void cm_retry_observe (CmRetry *retry, CmState from, const CmConn *conn, CmEventType event,
                       const CmProfile *profile, SimTime now);

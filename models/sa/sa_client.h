/* SA client of one host: sends path queries, joins and leaves, retries, reports.
 *
 * Linux 6.1: a caller's timeout T is the whole budget, T/10 per try, 11 sends
 * (sa_query.c).  2006: one send, T.  Timers through mad_timer.h. */
#pragma once

#include "hca.h"
#include "mad_timer.h"

/* What the clients of hosts with the same profile share. */
typedef struct SaClientGroup SaClientGroup;
typedef struct SaClient SaClient;
typedef struct SaQuery SaQuery; /* in flight; owned by the client */

typedef struct {
  /* status: 0, or -ETIMEDOUT (no answer), -EINVAL (error status).  resp: NULL
   * unless status is 0.  The query is gone when this returns. */
  void (*done) (gpointer owner, guint64 arg, gint status, const IbSaMsg *resp);
} SaClientOps;

/* A join or leave: msg is what is sent, method included; the client fills in the port and the
 * transaction. */
typedef struct {
  IbSaMsg msg;
  void (*done) (gpointer owner, gint status, const IbSaMsg *resp); /* as SaClientOps */
  gpointer owner;
} SaRequest;

/* profile is borrowed. */
SaClientGroup *sa_client_group_new (SimEngine *engine, IbLid sm_lid, const CmProfile *profile,
                                    const SaClientOps *ops, gpointer owner);
void sa_client_group_free (SaClientGroup *group); /* after its clients */
SaClient *sa_client_new (SaClientGroup *group, Hca *hca, SimTime jiffies_offset);
void sa_client_free (SaClient *client);
/* timeout: the caller's T, see above.  Sends at once. */
SaQuery *sa_client_query (SaClient *client, IbLid destination, SimTime timeout, guint64 arg);
/* The same for a join or leave; the request is borrowed until done() or the cancellation. */
SaQuery *sa_client_request (SaClient *client, SaRequest *request, SimTime timeout);
/* No answer will be reported.  May be called from done() of the query itself. */
void sa_client_cancel (SaClient *client, SaQuery *query);
guint sa_client_sends (const SaClient *client);

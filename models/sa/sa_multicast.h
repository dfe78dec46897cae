/* A port's multicast memberships, shared by all who use it: Linux's ib_sa multicast module.
 *
 * Users of a group are counted by join state: the subnet administrator hears of the first one
 * and, when the last has gone, of that.  One request of a group is on its way at a time; whoever
 * comes meanwhile waits for it and is served without one of its own if he can be. */
#pragma once

#include "sa_client.h"

typedef struct SaMulticast SaMulticast;
typedef struct SaMember SaMember; /* one user's membership, until sa_multicast_leave() */

typedef struct {
  /* status 0: the user is in; record is the group's, with all join states the port holds.  Else
   * record is NULL: -ETIMEDOUT, -EINVAL (refused, or the group has other values), and later, at a
   * member, -ENETRESET: it is not in any more.  Never inside sa_multicast_join(); the user may
   * leave here. */
  void (*changed) (gpointer owner, SaMember *member, gint status, const IbSaMsg *record);
} SaMemberOps;

/* Of all ports that share them. */
typedef struct {
  guint64 joins, shared; /* users let in; of them, without a request */
} SaMulticastCounters;

/* client and counters are borrowed. */
SaMulticast *sa_multicast_new (SimEngine *engine, SaClient *client, SaMulticastCounters *counters);
void sa_multicast_free (SaMulticast *multicast);

/* wanted: MGID (zero: a new group), one join state, and what `given` says. */
SaMember *sa_multicast_join (SaMulticast *multicast, const IbSaMsg *wanted, const SaMemberOps *ops,
                             gpointer owner);
/* A membership from before the run, without a message; `record` with its join state. */
SaMember *sa_multicast_adopt (SaMulticast *multicast, const IbSaMsg *record, const SaMemberOps *ops,
                              gpointer owner);
/* silent: the subnet administrator does not hear of it. */
void sa_multicast_leave (SaMember *member, gboolean silent);
/* Record of a group that the port is in; NULL: it is not. */
const IbSaMsg *sa_multicast_find (const SaMulticast *multicast, const IbGid *mgid);
/* Port error, LID change, or the subnet manager asks to register again: the port is in no group
 * any more. */
void sa_multicast_reset (SaMulticast *multicast);

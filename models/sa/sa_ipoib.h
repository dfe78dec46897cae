/* IPoIB of a port, as far as multicast goes: it is in its broadcast group and in groups that IP
 * applications join, and tries until it is.  The record of the broadcast group is what others go
 * by. */
#pragma once

#include "sa_multicast.h"

typedef struct SaIpoib SaIpoib;
typedef struct SaIpoibGroup SaIpoibGroup;

/* The interface is in the group; again after it was not. */
typedef void (*SaIpoibJoined) (gpointer owner);

/* broadcast: the record of the group if it has been in it since before the run; NULL: the
 * interface comes up `up` from now and then joins. */
SaIpoib *sa_ipoib_new (SimEngine *engine, SaMulticast *multicast, const IbSaMsg *broadcast,
                       SimTime up);
void sa_ipoib_free (SaIpoib *ipoib); /* before `multicast` */
/* Record of the broadcast group; NULL while the interface is not in it. */
const IbSaMsg *sa_ipoib_broadcast (const SaIpoib *ipoib);
SaIpoibGroup *sa_ipoib_join (SaIpoib *ipoib, const IbGid *mgid, SaIpoibJoined joined,
                             gpointer owner);
void sa_ipoib_leave (SaIpoibGroup *group);

/* The multicast groups of a subnet, as its manager keeps them: who is in them, and how. */
#pragma once

#include "ib_types.h"

typedef struct {
  guint limit;             /* groups at once: multicast LIDs; the broadcast group has one */
  gboolean send_only_full; /* knows that join state */
  guint32 broadcast_qkey;
} SaGroupsParams;

typedef struct SaGroups SaGroups;

/* params is borrowed.  There is IPoIB's broadcast group from the start. */
SaGroups *sa_groups_new (const SaGroupsParams *params);
void sa_groups_free (SaGroups *groups);
/* Answers a Set or Delete of port request->slid: ret_response has method, status and record. */
void sa_groups_answer (SaGroups *groups, const IbSaMsg *request, IbSaMsg *ret_response);
/* Another subnet manager has taken over, which knows nothing of groups but the broadcast one. */
void sa_groups_forget (SaGroups *groups);
guint sa_groups_count (const SaGroups *groups);
/* Record of the broadcast group, without join state. */
void sa_groups_broadcast (const SaGroupsParams *params, IbSaMsg *ret_record);

/* After OpenSM osm_sa_mcmember_record.c: a group comes with its first full member and goes with
 * its last one. */
#include "sa_groups.h"

/* The first of the 16382 multicast LIDs (IBTA 4.1.3). */
#define MLID_FIRST 0xc000
/* The partition's default for multicast (OpenSM): 2048 bytes, 10 Gb/s. */
#define MTU_DEFAULT 4
#define RATE_DEFAULT 3
#define LIFETIME_DEFAULT 18

/* Members for whose sake a group exists. */
#define KEEPS_GROUP (IB_JOIN_FULL | IB_JOIN_SEND_ONLY_FULL)

typedef struct {
  IbGid mgid; /* the key; record.group.mgid is the same */
  IbSaMsg record;
  GHashTable *members; /* LID -> join state; looked up only */
  guint keepers;       /* members that keep it */
  gboolean stays;      /* without any */
} Group;

struct SaGroups {
  const SaGroupsParams *params;
  GTree *by_mgid; /* IbGid * -> Group */
  guint8 *mlids;  /* in use */
  guint count;
  guint64 assigned; /* MGIDs named so far */
};

static gint
compare (gconstpointer a, gconstpointer b, gpointer data G_GNUC_UNUSED)
{
  return ib_gid_compare (a, b);
}

static void
group_free (gpointer data)
{
  Group *group = data;

  g_hash_table_unref (group->members);
  g_free (group);
}

/* ----- groups ----- */

static guint
free_mlid (const SaGroups *groups)
{
  guint n = 0;

  while (groups->mlids[n])
    n++;
  return n;
}

static Group *
group_new (SaGroups *groups, const IbSaMsg *request)
{
  Group *group = g_new0 (Group, 1);
  guint mlid = free_mlid (groups);

  group->record = (IbSaMsg){
    .packet_lifetime = LIFETIME_DEFAULT,
    .mtu = request->group.given & IB_SA_GIVEN_RATE ? request->mtu : MTU_DEFAULT,
    .rate = request->group.given & IB_SA_GIVEN_RATE ? request->rate : RATE_DEFAULT,
    .sl = request->sl,
    .group = { .mgid = request->group.mgid,
               .qkey = request->group.qkey,
               .mlid = (guint16) (MLID_FIRST + mlid) },
  };
  if (ib_gid_is_zero (&group->record.group.mgid))
    group->record.group.mgid = ib_mgid_assigned (++groups->assigned);
  group->mgid = group->record.group.mgid;
  group->members = g_hash_table_new (NULL, NULL);
  groups->mlids[mlid] = TRUE;
  groups->count++;
  g_tree_insert (groups->by_mgid, &group->mgid, group);
  return group;
}

static void
group_drop_if_empty (SaGroups *groups, Group *group)
{
  if (group->keepers > 0 || group->stays)
    return;
  groups->mlids[group->record.group.mlid - MLID_FIRST] = FALSE;
  groups->count--;
  g_tree_remove (groups->by_mgid, &group->mgid);
}

static void
add_broadcast (SaGroups *groups)
{
  IbSaMsg record;

  sa_groups_broadcast (groups->params, &record);
  group_new (groups, &record)->stays = TRUE;
}

/* ----- members ----- */

static guint
state_of (const Group *group, IbLid lid)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (group->members, GUINT_TO_POINTER (lid)));
}

static void
set_state (Group *group, IbLid lid, guint state)
{
  gboolean kept = state_of (group, lid) & KEEPS_GROUP, keeps = state & KEEPS_GROUP;

  if (state > 0)
    g_hash_table_insert (group->members, GUINT_TO_POINTER (lid), GUINT_TO_POINTER (state));
  else
    g_hash_table_remove (group->members, GUINT_TO_POINTER (lid));
  group->keepers += (keeps && !kept) - (kept && !keeps);
}

/* validate_more_comp_fields: what the request names must be what the group has. */
static gboolean
agrees (const Group *group, const IbSaMsg *request)
{
  const IbSaMsg *record = &group->record;

  if (request->group.given & IB_SA_GIVEN_PATH &&
      (request->group.qkey != record->group.qkey || request->sl != record->sl))
    return FALSE;
  return !(request->group.given & IB_SA_GIVEN_RATE) ||
         (request->mtu == record->mtu && request->rate == record->rate);
}

static guint16
join (SaGroups *groups, const IbSaMsg *request, IbSaMsg *response)
{
  guint wanted = request->group.join_state;
  Group *group = g_tree_lookup (groups->by_mgid, &request->group.mgid);

  if (wanted == 0 || (wanted & IB_JOIN_SEND_ONLY_FULL && !groups->params->send_only_full))
    return IB_SA_STATUS_REQ_INVALID;
  if (group && !agrees (group, request))
    return IB_SA_STATUS_REQ_INVALID;
  if (!group) {
    if (!(wanted & KEEPS_GROUP))
      return IB_SA_STATUS_REQ_INVALID;
    if (!(request->group.given & IB_SA_GIVEN_PATH))
      return IB_SA_STATUS_INSUFFICIENT_COMPONENTS;
    if (groups->count >= groups->params->limit)
      return IB_SA_STATUS_NO_RESOURCES;
    group = group_new (groups, request);
  }
  set_state (group, request->slid, state_of (group, request->slid) | wanted);
  *response = group->record;
  response->group.join_state = (guint8) state_of (group, request->slid);
  return IB_SA_STATUS_OK;
}

static guint16
leave (SaGroups *groups, const IbSaMsg *request, IbSaMsg *response)
{
  Group *group = g_tree_lookup (groups->by_mgid, &request->group.mgid);
  guint held = group ? state_of (group, request->slid) : 0;

  if (!(held & request->group.join_state))
    return IB_SA_STATUS_REQ_INVALID;
  set_state (group, request->slid, held & ~(guint) request->group.join_state);
  *response = group->record;
  response->group.join_state = (guint8) state_of (group, request->slid);
  group_drop_if_empty (groups, group);
  return IB_SA_STATUS_OK;
}

void
sa_groups_answer (SaGroups *groups, const IbSaMsg *request, IbSaMsg *ret_response)
{
  guint16 status;

  *ret_response = *request;
  status = request->method == IB_SA_JOIN ? join (groups, request, ret_response)
                                         : leave (groups, request, ret_response);
  ret_response->status = status;
  ret_response->group.given = request->group.given;
  ret_response->method = (guint8) (request->method + 1);
}

/* ----- life ----- */

void
sa_groups_broadcast (const SaGroupsParams *params, IbSaMsg *ret_record)
{
  *ret_record = (IbSaMsg){
    .packet_lifetime = LIFETIME_DEFAULT,
    .mtu = MTU_DEFAULT,
    .rate = RATE_DEFAULT,
    .group = { .mgid = ib_mgid_broadcast (), .qkey = params->broadcast_qkey, .mlid = MLID_FIRST },
  };
}

SaGroups *
sa_groups_new (const SaGroupsParams *params)
{
  SaGroups *groups = g_new0 (SaGroups, 1);

  groups->params = params;
  sa_groups_forget (groups);
  return groups;
}

void
sa_groups_forget (SaGroups *groups)
{
  g_clear_pointer (&groups->by_mgid, g_tree_unref);
  g_free (groups->mlids);
  groups->by_mgid = g_tree_new_full (compare, NULL, NULL, group_free);
  groups->mlids = g_new0 (guint8, groups->params->limit + 1); /* one is always free */
  groups->count = 0;
  add_broadcast (groups);
}

void
sa_groups_free (SaGroups *groups)
{
  if (!groups)
    return;
  g_tree_unref (groups->by_mgid);
  g_free (groups->mlids);
  g_free (groups);
}

guint
sa_groups_count (const SaGroups *groups)
{
  return groups->count;
}

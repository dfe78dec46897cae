/* After Linux 6.1 drivers/infiniband/core/multicast.c. */
#include "sa_multicast.h"

#include <errno.h>

#include "footprint.h"

#define TIMEOUT SIM_MS (3000)
#define LEAVE_RETRIES 3

typedef enum {
  MEMBER_JOINING, /* in `pending`, or refused */
  MEMBER_JOINED,  /* in `active` */
  MEMBER_ERROR,   /* was */
} MemberState;

typedef struct Group Group;

struct SaMember {
  Group *group;
  const SaMemberOps *ops;
  gpointer owner;
  IbSaMsg wanted;
  GQueue *queue; /* `pending` or `active`; NULL: neither */
  GList link;    /* in it */
  GList all;     /* in SaMulticast.members */
  guint8 state;  /* MemberState */
};

struct Group {
  SaMulticast *multicast;
  IbGid mgid;     /* key; zero: not known yet */
  IbSaMsg record; /* of the answer; join_state: what the port holds */
  GQueue pending, active;
  SaMember *last_join;
  SaRequest request;
  SaQuery *query; /* on its way */
  SimEventId work;
  guint users[IB_JOIN_STATES]; /* in `active`, by join state */
  guint members;               /* that have not left */
  guint retries;               /* of leaves */
  gboolean busy;
  gboolean failed; /* of an event: its members are to be told */
  GList link;      /* in SaMulticast.groups */
};

struct SaMulticast {
  SimEngine *engine;
  SaClient *client;
  SaMulticastCounters *counters;
  GTree *by_mgid; /* IbGid * -> Group */
  GQueue groups, members;
};

static gint
compare (gconstpointer a, gconstpointer b)
{
  return ib_gid_compare (a, b);
}

/* ----- groups ----- */

static Group *
group_new (SaMulticast *multicast, const IbGid *mgid)
{
  Group *group = g_new0 (Group, 1);

  group->multicast = multicast;
  group->mgid = group->record.group.mgid = *mgid;
  group->retries = LEAVE_RETRIES;
  group->work = SIM_EVENT_NONE;
  group->link.data = group;
  g_queue_push_tail_link (&multicast->groups, &group->link);
  if (!ib_gid_is_zero (mgid))
    g_tree_insert (multicast->by_mgid, &group->mgid, group);
  return group;
}

static void
group_free (Group *group)
{
  SaMulticast *multicast = group->multicast;

  if (g_tree_lookup (multicast->by_mgid, &group->mgid) == group)
    g_tree_remove (multicast->by_mgid, &group->mgid);
  g_queue_unlink (&multicast->groups, &group->link);
  g_free (group);
}

static void
group_free_if_unused (Group *group)
{
  if (group->members == 0 && !group->busy)
    group_free (group);
}

/* A group of the subnet administrator's own choice gets its name with the answer. */
static void
group_rename (Group *group, const IbGid *mgid)
{
  GTree *tree = group->multicast->by_mgid;

  if (ib_gid_equal (&group->mgid, mgid))
    return;
  group->mgid = *mgid;
  if (!g_tree_lookup (tree, mgid))
    g_tree_insert (tree, &group->mgid, group);
}

/* Join states that the port holds for nobody. */
static guint
unused_states (const Group *group)
{
  guint unused = 0;

  for (guint i = 0; i < IB_JOIN_STATES; i++)
    if (group->users[i] == 0)
      unused |= 1u << i;
  return unused & group->record.group.join_state;
}

/* ----- members ----- */

static void
member_move (SaMember *member, GQueue *queue)
{
  if (member->queue)
    g_queue_unlink (member->queue, &member->link);
  member->queue = queue;
  if (queue)
    g_queue_push_tail_link (queue, &member->link);
}

static void
count_users (const SaMember *member, gint change)
{
  for (guint i = 0; i < IB_JOIN_STATES; i++)
    if (member->wanted.group.join_state & 1u << i)
      member->group->users[i] += (guint) change;
}

static void
member_let_in (SaMember *member)
{
  count_users (member, 1);
  member->state = MEMBER_JOINED;
  member_move (member, &member->group->active);
}

static void
member_tell (SaMember *member, gint status)
{
  member->ops->changed (member->owner, member, status, status == 0 ? &member->group->record : NULL);
}

/* cmp_rec */
static gboolean
agrees (const IbSaMsg *record, const IbSaMsg *wanted)
{
  if (wanted->group.given & IB_SA_GIVEN_PATH &&
      (wanted->group.qkey != record->group.qkey || wanted->sl != record->sl))
    return FALSE;
  return !(wanted->group.given & IB_SA_GIVEN_RATE) ||
         (wanted->mtu == record->mtu && wanted->rate == record->rate);
}

/* ----- a group's work ----- */

static void group_work (Group *group);

static void
send_request (Group *group, SimTime timeout)
{
  group->query = sa_client_request (group->multicast->client, &group->request, timeout);
}

/* The answer is the one waiting first's, unless he has left meanwhile. */
static void
join_done (gpointer owner, gint status, const IbSaMsg *resp)
{
  Group *group = owner;
  SaMember *member = g_queue_peek_head (&group->pending);

  group->query = NULL;
  if (status == 0) {
    group_rename (group, &resp->group.mgid);
    group->record = *resp;
  } else if (member && member == group->last_join) {
    member_move (member, NULL);
    member_tell (member, status);
  }
  group_work (group);
}

static void
leave_done (gpointer owner, gint status, const IbSaMsg *resp G_GNUC_UNUSED)
{
  Group *group = owner;

  group->query = NULL;
  if (status != 0 && group->retries > 0) {
    group->retries--;
    send_request (group, TIMEOUT);
  } else {
    group_work (group);
  }
}

static void
send_join (Group *group, SaMember *member)
{
  group->last_join = member;
  group->request = (SaRequest){ .msg = member->wanted, .done = join_done, .owner = group };
  group->request.msg.method = IB_SA_JOIN;
  /* With the first of its kind too: Linux asks for all that the member wants. */
  send_request (group, TIMEOUT);
}

static void
send_leave (Group *group, guint states)
{
  group->request = (SaRequest){ .done = leave_done, .owner = group };
  group->request.msg.method = IB_SA_LEAVE;
  group->request.msg.group = (IbSaGroup){ .mgid = group->mgid, .join_state = (guint8) states };
  send_request (group, TIMEOUT);
}

/* process_group_error: members are out, one by one, and may join again here. */
static void
tell_of_failure (Group *group)
{
  SaMember *member;

  group->failed = FALSE;
  while ((member = g_queue_peek_head (&group->active))) {
    count_users (member, -1);
    member->state = MEMBER_ERROR;
    member_move (member, NULL);
    member_tell (member, -ENETRESET);
  }
  group->record.group.join_state = 0;
}

/* FALSE: a request is on its way. */
static gboolean
serve (Group *group, SaMember *member)
{
  guint wanted = member->wanted.group.join_state;

  if ((group->record.group.join_state & wanted) != wanted) {
    send_join (group, member);
    return FALSE;
  }
  if (!agrees (&group->record, &member->wanted)) {
    member_move (member, NULL);
    member_tell (member, -EINVAL);
    return TRUE;
  }
  group->multicast->counters->joins++;
  group->multicast->counters->shared += group->last_join != member;
  group->last_join = NULL;
  member_let_in (member);
  member_tell (member, 0);
  return TRUE;
}

/* mcast_work_handler */
static void
group_work (Group *group)
{
  SaMember *member;
  guint unused;

  while (group->failed || group->pending.head) {
    if (group->failed) {
      tell_of_failure (group);
      continue;
    }
    member = g_queue_peek_head (&group->pending);
    if (!serve (group, member))
      return;
  }
  unused = unused_states (group);
  if (unused > 0) {
    group->record.group.join_state &= (guint8) ~unused;
    send_leave (group, unused);
    return;
  }
  group->busy = FALSE;
  group_free_if_unused (group);
}

static void
work_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Group *group = owner;

  group->work = SIM_EVENT_NONE;
  group_work (group);
}

static const SimEventClass work_event = { .name = "sa-multicast-work",
                                          .code = 0x53410002, /* "SA" 2 */
                                          .fire = work_fire };

/* In the work queue, unless the group is at work already. */
static void
group_queue (Group *group)
{
  if (group->busy)
    return;
  group->busy = TRUE;
  group->work = sim_engine_schedule_after (group->multicast->engine, 0, &work_event, group, 0);
}

/* ----- users ----- */

static SaMember *
member_new (SaMulticast *multicast, const IbSaMsg *wanted, const SaMemberOps *ops, gpointer owner)
{
  const IbGid *mgid = &wanted->group.mgid;
  Group *group = ib_gid_is_zero (mgid) ? NULL : g_tree_lookup (multicast->by_mgid, mgid);
  SaMember *member = g_new0 (SaMember, 1);

  if (!group)
    group = group_new (multicast, mgid);
  group->members++;
  *member = (SaMember){ .group = group, .ops = ops, .owner = owner, .wanted = *wanted };
  member->link.data = member->all.data = member;
  g_queue_push_tail_link (&multicast->members, &member->all);
  return member;
}

SaMember *
sa_multicast_join (SaMulticast *multicast, const IbSaMsg *wanted, const SaMemberOps *ops,
                   gpointer owner)
{
  SaMember *member = member_new (multicast, wanted, ops, owner);

  member_move (member, &member->group->pending);
  group_queue (member->group);
  return member;
}

SaMember *
sa_multicast_adopt (SaMulticast *multicast, const IbSaMsg *record, const SaMemberOps *ops,
                    gpointer owner)
{
  SaMember *member = member_new (multicast, record, ops, owner);

  member->group->record = *record;
  member_let_in (member);
  return member;
}

void
sa_multicast_leave (SaMember *member, gboolean silent)
{
  Group *group = member->group;

  if (member->state == MEMBER_JOINED)
    count_users (member, -1);
  member_move (member, NULL);
  if (group->last_join == member)
    group->last_join = NULL;
  if (silent)
    group->record.group.join_state &= (guint8) ~unused_states (group);
  g_queue_unlink (&group->multicast->members, &member->all);
  g_free (member);
  group->members--;
  group_queue (group);
}

const IbSaMsg *
sa_multicast_find (const SaMulticast *multicast, const IbGid *mgid)
{
  const Group *group = g_tree_lookup (multicast->by_mgid, mgid);

  return group && group->record.group.join_state > 0 && !group->failed ? &group->record : NULL;
}

void
sa_multicast_reset (SaMulticast *multicast)
{
  for (GList *l = multicast->groups.head; l; l = l->next) {
    Group *group = l->data;

    group_queue (group);
    group->failed = TRUE;
  }
}

/* ----- life ----- */

SaMulticast *
sa_multicast_new (SimEngine *engine, SaClient *client, SaMulticastCounters *counters)
{
  SaMulticast *multicast = g_new0 (SaMulticast, 1);

  multicast->engine = engine;
  multicast->client = client;
  multicast->counters = counters;
  multicast->by_mgid = g_tree_new (compare);
  return multicast;
}

/* Requests and work left over go with the client and the engine. */
void
sa_multicast_free (SaMulticast *multicast)
{
  if (!multicast)
    return;
  while (multicast->members.head) {
    SaMember *member = multicast->members.head->data;
    g_queue_unlink (&multicast->members, &member->all);
    g_free (member);
  }
  while (multicast->groups.head)
    group_free (multicast->groups.head->data);
  g_tree_unref (multicast->by_mgid);
  g_free (multicast);
}

/* ----- memory ----- */

/* A node of the tree, and what allocations take besides. */
enum { NODE = 64, BLOCK = 16 };

gsize
sa_member_footprint (void)
{
  return sizeof (SaMember) + BLOCK;
}

gsize
sa_group_footprint (void)
{
  return sizeof (Group) + NODE + 2 * BLOCK + sa_query_footprint ();
}

gsize
sa_multicast_footprint (void)
{
  return sizeof (SaMulticast) + sa_member_footprint () + sa_group_footprint () + NODE + 2 * BLOCK;
}

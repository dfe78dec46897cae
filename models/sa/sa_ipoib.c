/* After Linux 6.1 ipoib_multicast.c: the broadcast group first, the others when it is there; a
 * join that failed again after 2, 4, 8, 16, 16 ... s; one that was lost with the subnet manager
 * or the port at once. */
#include "sa_ipoib.h"

#include <errno.h>

#include "footprint.h"

#define BACKOFF_FIRST 2
#define BACKOFF_MAX 16

struct SaIpoibGroup {
  SaIpoib *ipoib;
  IbGid mgid;
  SaMember *member; /* NULL: waits to join */
  SaIpoibJoined joined;
  gpointer owner;
  SimEventId again; /* timer of the back-off */
  guint backoff;    /* seconds: the next wait */
  gboolean is_in;
  GList link; /* in SaIpoib.groups */
};

struct SaIpoib {
  SimEngine *engine;
  SaMulticast *multicast;
  SaIpoibGroup broadcast;
  GQueue groups; /* others */
};

static void try_to_join (SaIpoibGroup *group);

static void
again_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  SaIpoibGroup *group = owner;

  group->again = SIM_EVENT_NONE;
  try_to_join (group);
}

static const SimEventClass again_event = { .name = "ipoib-join-again",
                                           .code = 0x53410003, /* "SA" 3 */
                                           .fire = again_fire };

static void
wait_and_try (SaIpoibGroup *group, SimTime wait)
{
  group->again = sim_engine_schedule_after (group->ipoib->engine, wait, &again_event, group, 0);
}

static void
is_in (SaIpoibGroup *group)
{
  SaIpoib *ipoib = group->ipoib;

  group->is_in = TRUE;
  group->backoff = BACKOFF_FIRST;
  if (group == &ipoib->broadcast)
    for (GList *l = ipoib->groups.head; l; l = l->next)
      try_to_join (l->data);
  if (group->joined)
    group->joined (group->owner);
}

static void
member_changed (gpointer owner, SaMember *member, gint status, const IbSaMsg *record G_GNUC_UNUSED)
{
  SaIpoibGroup *group = owner;

  if (status == 0) {
    is_in (group);
    return;
  }
  group->is_in = FALSE;
  group->member = NULL;
  sa_multicast_leave (member, FALSE);
  if (status == -ENETRESET) {
    try_to_join (group);
    return;
  }
  wait_and_try (group, SIM_S ((SimTime) group->backoff));
  group->backoff = MIN (2 * group->backoff, BACKOFF_MAX);
}

static const SaMemberOps member_ops = { .changed = member_changed };

/* Of the broadcast group only its name is given: the subnet manager made it. */
static void
try_to_join (SaIpoibGroup *group)
{
  SaIpoib *ipoib = group->ipoib;
  const IbSaMsg *broadcast = sa_ipoib_broadcast (ipoib);
  IbSaMsg wanted = { .group = { .given = 0 } };

  if (group->member || group->again != SIM_EVENT_NONE)
    return;
  if (group != &ipoib->broadcast) {
    if (!broadcast)
      return;
    wanted = *broadcast;
    wanted.group.given = IB_SA_GIVEN_PATH | IB_SA_GIVEN_RATE;
  }
  wanted.group.mgid = group->mgid;
  wanted.group.mlid = 0;
  wanted.group.join_state = IB_JOIN_FULL;
  group->member = sa_multicast_join (ipoib->multicast, &wanted, &member_ops, group);
}

const IbSaMsg *
sa_ipoib_broadcast (const SaIpoib *ipoib)
{
  return ipoib->broadcast.is_in ? sa_multicast_find (ipoib->multicast, &ipoib->broadcast.mgid)
                                : NULL;
}

SaIpoibGroup *
sa_ipoib_join (SaIpoib *ipoib, const IbGid *mgid, SaIpoibJoined joined, gpointer owner)
{
  SaIpoibGroup *group = g_new0 (SaIpoibGroup, 1);

  *group = (SaIpoibGroup){ .ipoib = ipoib,
                           .mgid = *mgid,
                           .joined = joined,
                           .owner = owner,
                           .again = SIM_EVENT_NONE,
                           .backoff = BACKOFF_FIRST };
  group->link.data = group;
  g_queue_push_tail_link (&ipoib->groups, &group->link);
  try_to_join (group);
  return group;
}

void
sa_ipoib_leave (SaIpoibGroup *group)
{
  if (group->again != SIM_EVENT_NONE)
    sim_engine_cancel (group->ipoib->engine, group->again);
  if (group->member)
    sa_multicast_leave (group->member, FALSE);
  g_queue_unlink (&group->ipoib->groups, &group->link);
  g_free (group);
}

SaIpoib *
sa_ipoib_new (SimEngine *engine, SaMulticast *multicast, const IbSaMsg *broadcast, SimTime up)
{
  SaIpoib *ipoib = g_new0 (SaIpoib, 1);
  SaIpoibGroup *group = &ipoib->broadcast;

  ipoib->engine = engine;
  ipoib->multicast = multicast;
  *group = (SaIpoibGroup){
    .ipoib = ipoib, .mgid = ib_mgid_broadcast (), .again = SIM_EVENT_NONE, .backoff = BACKOFF_FIRST
  };
  if (broadcast) {
    IbSaMsg record = *broadcast;

    record.group.join_state = IB_JOIN_FULL;
    group->member = sa_multicast_adopt (multicast, &record, &member_ops, group);
    group->is_in = TRUE;
  } else if (up != SIM_TIME_NEVER) {
    wait_and_try (group, up);
  }
  return ipoib;
}

void
sa_ipoib_free (SaIpoib *ipoib)
{
  if (!ipoib)
    return;
  while (ipoib->groups.head) {
    SaIpoibGroup *group = ipoib->groups.head->data;
    g_queue_unlink (&ipoib->groups, &group->link);
    g_free (group);
  }
  g_free (ipoib);
}

gsize
sa_ipoib_footprint (void)
{
  return sizeof (SaIpoib);
}

gsize
sa_ipoib_group_footprint (void)
{
  return sizeof (SaIpoibGroup) + sa_member_footprint ();
}

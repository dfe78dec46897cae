/* Multicast of the RDMA CM: joins of ids, over the port's memberships and beside its IPoIB.
 * After Linux 6.1 cma.c rdma_join_multicast and cma_ib_mc_handler. */
#include "cma_private.h"

#include <errno.h>

#include "footprint.h"

typedef struct CmaJoin CmaJoin;

struct CmaJoin {
  CmaId *id;
  CmaJoin *next; /* of the id, the latest first */
  CmaJoinParams params;
  CmaGroup group;
  SaMember *member; /* NULL: RoCE */
  SimEventId event; /* RoCE: the work queue */
  GList all;        /* in CmaMulticast.all */
};

/* Of a host that has to do with multicast. */
struct CmaMulticast {
  Cma *cma;
  SaMulticast *sa; /* NULL: RoCE */
  SaIpoib *ipoib;
  GHashTable *joins;       /* CmaId -> its latest CmaJoin; looked up only */
  GQueue all;              /* CmaJoin */
  const CmaGroup *current; /* being told of */
};

static void
join_free (CmaMulticast *multicast, CmaJoin *join)
{
  g_queue_unlink (&multicast->all, &join->all);
  g_free (join);
}

/* ----- of the host ----- */

static void
begin_ib (CmaMulticast *multicast)
{
  Cma *cma = multicast->cma;
  SimEngine *engine = cma->config->engine;
  SimTime up = cma->config->host->ipoib_up;
  IbSaMsg broadcast;

  sa_groups_broadcast (cma->config->sa_groups, &broadcast);
  multicast->sa = sa_multicast_new (engine, cma->sa, &cma->config->multicast);
  multicast->ipoib = sa_ipoib_new (engine, multicast->sa, up == 0 ? &broadcast : NULL, up);
}

/* Only hosts that are asked for it have any of this. */
static CmaMulticast *
multicast_of (Cma *cma)
{
  CmaMulticast *multicast = cma->multicast;

  if (multicast)
    return multicast;
  multicast = cma->multicast = g_new0 (CmaMulticast, 1);
  multicast->cma = cma;
  multicast->joins = g_hash_table_new (NULL, NULL);
  if (cma->sa)
    begin_ib (multicast);
  return multicast;
}

void
cma_multicast_begin (Cma *cma)
{
  if (!cma->config->tcp)
    multicast_of (cma);
}

void
cma_multicast_free (CmaMulticast *multicast)
{
  if (!multicast)
    return;
  while (multicast->all.head)
    join_free (multicast, multicast->all.head->data);
  g_hash_table_unref (multicast->joins);
  sa_ipoib_free (multicast->ipoib);
  sa_multicast_free (multicast->sa);
  g_free (multicast);
}

void
cma_multicast_reset (Cma *cma)
{
  if (cma->multicast && cma->multicast->sa)
    sa_multicast_reset (cma->multicast->sa);
}

gboolean
cma_ipoib_comes_up (const Cma *cma)
{
  return cma->sa && cma->config->host->ipoib_up != SIM_TIME_NEVER;
}

gboolean
cma_ipoib_join (Cma *cma, const IbGroupAddress *address, SaIpoibJoined joined, gpointer owner)
{
  CmaMulticast *multicast;
  IbGid mgid = ib_mgid_of (address, IB_MGID_IPOIB);

  if (!cma_ipoib_comes_up (cma))
    return FALSE;
  multicast = multicast_of (cma);
  sa_ipoib_join (multicast->ipoib, &mgid, joined, owner);
  return TRUE;
}

/* ----- events ----- */

const CmaGroup *
cma_multicast_tell (Cma *cma, const CmaGroup *group)
{
  CmaMulticast *multicast = cma->multicast;
  const CmaGroup *before;

  if (!multicast)
    return NULL;
  before = multicast->current;
  multicast->current = group;
  return before;
}

const CmaGroup *
cma_multicast_current (const Cma *cma)
{
  return cma->multicast ? cma->multicast->current : NULL;
}

const CmaGroup *
cma_id_group (const CmaId *id)
{
  const CmaGroup *group = cma_multicast_current (id->cma);

  return group && group->qpn ? group : NULL;
}

static void
deliver (CmaJoin *join, CmaEventType type, gint status)
{
  CmaId *id = join->id;
  Cma *cma = id->cma;
  const CmaGroup *before = cma_multicast_tell (cma, &join->group);

  cma_deliver (id, type, status);
  cma_multicast_tell (cma, before);
  cma_release_if_destroyed (id);
}

static void
member_changed (gpointer owner, SaMember *member G_GNUC_UNUSED, gint status, const IbSaMsg *record)
{
  CmaJoin *join = owner;

  if (status != 0) {
    join->group.qpn = 0;
    deliver (join, CMA_MULTICAST_ERROR, status);
    return;
  }
  join->group = (CmaGroup){ .qpn = CMA_MULTICAST_QPN,
                            .qkey = record->group.qkey,
                            .mlid = record->group.mlid,
                            .mgid = record->group.mgid };
  deliver (join, CMA_MULTICAST_JOIN, 0);
}

static const SaMemberOps member_ops = { .changed = member_changed };

static void
roce_joined_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  CmaJoin *join = owner;

  join->event = SIM_EVENT_NONE;
  deliver (join, CMA_MULTICAST_JOIN, 0);
}

static const SimEventClass roce_joined_event = { .name = "cma-roce-joined",
                                                 .code = 0x603,
                                                 .fire = roce_joined_fire };

/* ----- joins ----- */

static CmaJoin *
join_new (CmaId *id, const CmaJoinParams *params)
{
  CmaMulticast *multicast = id->cma->multicast;
  CmaJoin *join = g_new0 (CmaJoin, 1);

  join->id = id;
  join->all.data = join;
  g_queue_push_tail_link (&multicast->all, &join->all);
  join->params = *params;
  join->event = SIM_EVENT_NONE;
  join->next = g_hash_table_lookup (multicast->joins, id);
  g_hash_table_insert (multicast->joins, id, join);
  id->joins = TRUE;
  return join;
}

static void
join_end (CmaJoin *join, gboolean lost)
{
  if (join->id->queued)
    cma_channel_forget_group (join->id, &join->group);
  if (join->event != SIM_EVENT_NONE)
    sim_engine_cancel (join->id->cma->config->engine, join->event);
  if (join->member)
    sa_multicast_leave (join->member, lost);
  join_free (join->id->cma->multicast, join);
}

/* cma_iboe_join_multicast: nobody is asked; the IGMP report is not part of the model. */
static gint
join_roce (CmaId *id, const CmaJoinParams *params)
{
  CmaJoin *join = join_new (id, params);

  join->group = (CmaGroup){ .qpn = CMA_MULTICAST_QPN,
                            .qkey = params->space == CMA_PORT_SPACE_UDP ? CMA_UDP_QKEY : 0,
                            .mgid = ib_mgid_roce (&params->address) };
  join->event = sim_engine_schedule_after (id->cma->config->engine, 0, &roce_joined_event, join, 0);
  return 0;
}

/* cma_join_ib_multicast: what it asks for is the broadcast group's, but the Q_Key of port space
 * UDP is the RDMA CM's own. */
static gint
join_ib (CmaId *id, const CmaJoinParams *params)
{
  CmaMulticast *multicast = id->cma->multicast;
  const IbSaMsg *broadcast = sa_ipoib_broadcast (multicast->ipoib);
  gboolean udp = params->space == CMA_PORT_SPACE_UDP;
  IbSaMsg wanted;
  CmaJoin *join;

  if (!broadcast)
    return -EADDRNOTAVAIL;
  if (params->join_state == IB_JOIN_SEND_ONLY_FULL && !id->cma->config->sa_groups->send_only_full)
    return -EOPNOTSUPP;
  wanted = *broadcast;
  wanted.group =
      (IbSaGroup){ .mgid = ib_mgid_of (&params->address, udp ? IB_MGID_RDMA_CM : IB_MGID_IPOIB),
                   .qkey = udp ? CMA_UDP_QKEY : broadcast->group.qkey,
                   .join_state = (guint8) params->join_state,
                   .given = IB_SA_GIVEN_PATH | (udp ? 0 : IB_SA_GIVEN_RATE) };
  join = join_new (id, params);
  join->member = sa_multicast_join (multicast->sa, &wanted, &member_ops, join);
  return 0;
}

gint
cma_join_multicast (CmaId *id, const CmaJoinParams *params)
{
  if (id->cma->config->tcp)
    return -ENOSYS;
  if (!id->bound || !cma_space_is_ud (params->space))
    return -EINVAL;
  multicast_of (id->cma);
  return id->cma->sa ? join_ib (id, params) : join_roce (id, params);
}

static gboolean
same_address (const IbGroupAddress *a, const IbGroupAddress *b)
{
  return a->family == b->family && ib_gid_equal (&a->address, &b->address);
}

static void
set_first (CmaId *id, CmaJoin *first)
{
  GHashTable *joins = id->cma->multicast->joins;

  if (first)
    g_hash_table_insert (joins, id, first);
  else
    g_hash_table_remove (joins, id);
  id->joins = first != NULL;
}

gint
cma_leave_multicast (CmaId *id, const IbGroupAddress *address)
{
  CmaJoin *before = NULL, *join;

  if (!id->joins)
    return -EADDRNOTAVAIL;
  for (join = g_hash_table_lookup (id->cma->multicast->joins, id);
       join && !same_address (&join->params.address, address); join = join->next)
    before = join;
  if (!join)
    return -EADDRNOTAVAIL;
  if (before)
    before->next = join->next;
  else
    set_first (id, join->next);
  join_end (join, FALSE);
  return 0;
}

void
cma_multicast_drop (CmaId *id, gboolean lost)
{
  CmaJoin *join = g_hash_table_lookup (id->cma->multicast->joins, id);

  set_first (id, NULL);
  while (join) {
    CmaJoin *next = join->next;
    join_end (join, lost);
    join = next;
  }
}

/* ----- memory ----- */

/* A small hash table and its first places; one more place in it. */
enum { TABLE = 320, PLACE = 40, BLOCK = 16 };

gsize
cma_multicast_footprint (void)
{
  return sizeof (CmaMulticast) + TABLE + 2 * BLOCK + sa_multicast_footprint () +
         sa_ipoib_footprint ();
}

gsize
cma_join_footprint (FabricTransport transport)
{
  gboolean asks = transport == FABRIC_TRANSPORT_IB;

  return sizeof (CmaJoin) + PLACE + BLOCK + (asks ? sa_member_footprint () : 0);
}

#include "multicast.h"

#include <errno.h>

#include "footprint.h"

/* One application. */
typedef struct {
  Multicast *multicast;
  CmaId *id;       /* NULL: none, or IPoIB's */
  SimEventId step; /* its next call */
  SimEventId doom; /* destroy_after */
} Member;

struct Multicast {
  MulticastConfig config;
  const MulticastOps *ops;
  gpointer owner;
  const ArrivalClass *arrivals;
  ArrivalCursor cursor;
  SimStream arrival_stream;
  CmaJoinParams join;
  Member *members;
  MulticastRecord *records;
  guint n;
  MulticastCounters counters;
};

static guint
index_of (const Member *member)
{
  return (guint) (member - member->multicast->members);
}

static MulticastRecord *
record_of (const Member *member)
{
  return &member->multicast->records[index_of (member)];
}

static void
trace (Member *member, const char *event, gint status, const CmaGroup *group)
{
  const Multicast *multicast = member->multicast;

  if (multicast->ops->app_event)
    multicast->ops->app_event (multicast->owner, multicast, index_of (member), event, status,
                               group);
}

static void
cancel (Member *member, SimEventId *event)
{
  if (*event != SIM_EVENT_NONE)
    sim_engine_cancel (member->multicast->config.engine, *event);
  *event = SIM_EVENT_NONE;
}

static void
schedule (Member *member, SimEventId *event, SimTime after, const SimEventClass *klass)
{
  cancel (member, event);
  *event = sim_engine_schedule_after (member->multicast->config.engine, after, klass, member, 0);
}

/* ----- the end of an id ----- */

static void
drop_id (Member *member)
{
  CmaId *id = member->id;

  cancel (member, &member->step);
  cancel (member, &member->doom);
  member->id = NULL;
  if (id)
    cma_destroy (id);
}

static const SimEventClass attempt_event;

/* again: another call may succeed. */
static void
attempt_failed (Member *member, gint status, gboolean again)
{
  const MulticastParams *params = member->multicast->config.params;
  MulticastRecord *record = record_of (member);

  drop_id (member);
  record->status = status;
  if (again && params->retry_after != SIM_TIME_NEVER &&
      (params->attempts == 0 || record->attempts < params->attempts))
    schedule (member, &member->step, params->retry_after, &attempt_event);
  else
    record->end = MULTICAST_FAILED;
}

static void
leave_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Member *member = owner;
  Multicast *multicast = member->multicast;

  member->step = SIM_EVENT_NONE;
  trace (member, "LEAVE_MULTICAST", 0, NULL);
  multicast->counters.leaves++;
  cma_leave_multicast (member->id, &multicast->join.address);
  record_of (member)->end = MULTICAST_LEFT;
  drop_id (member);
}

static const SimEventClass leave_event = { .name = "multicast-leave",
                                           .code = 0x710,
                                           .fire = leave_fire };

static void
doom_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Member *member = owner;

  member->doom = SIM_EVENT_NONE;
  trace (member, "DESTROY", 0, NULL);
  record_of (member)->end = MULTICAST_LEFT;
  drop_id (member);
}

static const SimEventClass doom_event = { .name = "multicast-destroy",
                                          .code = 0x711,
                                          .fire = doom_fire };

/* ----- joining ----- */

static Cma *
host_of (const Member *member)
{
  return member->multicast->config.hosts[record_of (member)->host];
}

/* Of the calls that fail only those do not fail for ever that wait for IPoIB. */
static gboolean
may_be_back (const Member *member, gint status)
{
  return status == -EADDRNOTAVAIL && cma_ipoib_comes_up (host_of (member));
}

static void
call_join (Member *member)
{
  Multicast *multicast = member->multicast;
  SimTime doom = multicast->config.params->destroy_after;
  gint rc = cma_join_multicast (member->id, &multicast->join);

  trace (member, "JOIN_MULTICAST", rc, NULL);
  if (rc != 0) {
    multicast->counters.refused++;
    attempt_failed (member, rc, may_be_back (member, rc));
  } else if (doom != SIM_TIME_NEVER && member->doom == SIM_EVENT_NONE) {
    schedule (member, &member->doom, doom, &doom_event);
  }
}

/* Joining now: once more for one that was in, or for one whose join was lost on its way. */
static void
join_again (Member *member)
{
  cma_leave_multicast (member->id, &member->multicast->join.address);
  cancel (member, &member->step);
  record_of (member)->end = MULTICAST_WAITING;
  call_join (member);
}

static void
is_in (Member *member)
{
  Multicast *multicast = member->multicast;
  MulticastRecord *record = record_of (member);
  SimTime stays = multicast->config.params->leave_after;

  multicast->counters.joins++;
  record->end = MULTICAST_IN;
  if (record->joined == SIM_TIME_NEVER)
    record->joined = sim_engine_now (multicast->config.engine);
  if (stays != SIM_TIME_NEVER && member->id)
    schedule (member, &member->step, stays, &leave_event);
}

static void
failed (Member *member, gint status)
{
  Multicast *multicast = member->multicast;
  gboolean reset = status == -ENETRESET;

  multicast->counters.errors++;
  multicast->counters.resets += reset;
  if (reset && multicast->config.params->rejoin)
    join_again (member);
  else
    attempt_failed (member, status, TRUE);
}

static void
cma_event (gpointer owner, CmaId *id, CmaEventType type, gint status)
{
  Member *member = owner;

  switch (type) {
  case CMA_ADDR_RESOLVED:
    call_join (member);
    break;
  case CMA_ADDR_ERROR:
    attempt_failed (member, status, TRUE);
    break;
  case CMA_MULTICAST_JOIN:
    trace (member, cma_event_name (type), status, cma_id_group (id));
    is_in (member);
    break;
  case CMA_MULTICAST_ERROR:
    trace (member, cma_event_name (type), status, NULL);
    failed (member, status);
    break;
  case CMA_ROUTE_RESOLVED:
  case CMA_ROUTE_ERROR:
  case CMA_CONNECT_REQUEST:
  case CMA_CONNECT_RESPONSE:
  case CMA_UNREACHABLE:
  case CMA_REJECTED:
  case CMA_ESTABLISHED:
  case CMA_DISCONNECTED:
  case CMA_TIMEWAIT_EXIT:
  case CMA_PATH_OFFERED:
  case CMA_PATH_ANSWERED:
    g_assert_not_reached (); /* it asks for no route and connects to nobody */
  }
}

static CmaChannel *
channel_of (gpointer owner, CmaEventType type G_GNUC_UNUSED)
{
  const Member *member = owner;
  CmaChannel **channels = member->multicast->config.channels;

  return channels ? channels[record_of (member)->host] : NULL;
}

static const CmaIdOps id_ops = { .event = cma_event, .channel = channel_of };

static void
id_created_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Member *member = owner;

  member->step = SIM_EVENT_NONE;
  if (member->multicast->config.params->resolve) {
    cma_resolve_group (member->id);
    return;
  }
  cma_bind (member->id);
  call_join (member);
}

static const SimEventClass id_created_event = { .name = "multicast-id-created",
                                                .code = 0x712,
                                                .fire = id_created_fire };

static void
ipoib_is_in (gpointer owner)
{
  Member *member = owner;

  trace (member, "IPOIB_JOINED", 0, NULL);
  is_in (member);
}

static void
join_by_ipoib (Member *member)
{
  const CmaJoinParams *join = &member->multicast->join;

  if (cma_ipoib_join (host_of (member), &join->address, ipoib_is_in, member))
    return;
  member->multicast->counters.refused++;
  record_of (member)->end = MULTICAST_FAILED;
  record_of (member)->status = -ENODEV;
}

static void
attempt_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Member *member = owner;
  MulticastRecord *record = record_of (member);

  member->step = SIM_EVENT_NONE;
  if (record->attempts < G_MAXUINT16)
    record->attempts++;
  if (member->multicast->config.params->by == MULTICAST_BY_IPOIB) {
    join_by_ipoib (member);
    return;
  }
  member->id = cma_id_new (host_of (member), &id_ops, member);
  schedule (member, &member->step, cma_create_cost (host_of (member)), &id_created_event);
}

static const SimEventClass attempt_event = { .name = "multicast-attempt",
                                             .code = 0x713,
                                             .fire = attempt_fire };

/* ----- arrivals ----- */

static void schedule_arrival (Multicast *multicast);

static void
arrival_fire (gpointer owner, guint64 arg)
{
  Multicast *multicast = owner;
  Member *member = &multicast->members[arg];

  multicast->cursor.now = sim_engine_now (multicast->config.engine);
  multicast->cursor.index = arg + 1;
  schedule_arrival (multicast);
  record_of (member)->start = multicast->cursor.now;
  attempt_fire (member, 0);
}

static const SimEventClass arrival_event = { .name = "multicast-arrival",
                                             .code = 0x714,
                                             .fire = arrival_fire };

static void
schedule_arrival (Multicast *multicast)
{
  const MulticastConfig *config = &multicast->config;
  SimTime at;

  if (multicast->cursor.index >= multicast->n)
    return;
  at = multicast->arrivals->next (config->params->arrivals.params, &multicast->cursor,
                                  &multicast->arrival_stream);
  if (at != SIM_TIME_NEVER)
    sim_engine_schedule_at (config->engine, at, &arrival_event, multicast, multicast->cursor.index);
}

/* ----- life ----- */

static CmaPortSpace
space_of (MulticastSpace space)
{
  switch (space) {
  case MULTICAST_SPACE_UDP:
    return CMA_PORT_SPACE_UDP;
  case MULTICAST_SPACE_IPOIB:
    return CMA_PORT_SPACE_IPOIB;
  case MULTICAST_SPACE_TCP:
    return CMA_PORT_SPACE_TCP;
  }
  g_assert_not_reached ();
}

Multicast *
multicast_new (const MulticastConfig *config, const MulticastOps *ops, gpointer owner)
{
  const MulticastParams *params = config->params;
  Multicast *multicast = g_new0 (Multicast, 1);
  gboolean parsed = ib_group_parse (params->group, &multicast->join.address);

  g_assert (parsed); /* checked with the scenario */
  multicast->config = *config;
  multicast->ops = ops;
  multicast->owner = owner;
  multicast->arrivals = (const ArrivalClass *) params->arrivals.klass;
  multicast->join.space = space_of ((MulticastSpace) params->port_space);
  multicast->join.join_state = params->join_state == MULTICAST_FULL ? IB_JOIN_FULL
                                                                    : IB_JOIN_SEND_ONLY_FULL;
  sim_stream_init (&multicast->arrival_stream,
                   sim_stream_key (config->seed, config->replication, "multicast", "arrivals"),
                   config->entry);
  multicast->n = config->n_hosts * params->per_host;
  multicast->members = g_new0 (Member, MAX (multicast->n, 1));
  multicast->records = g_new0 (MulticastRecord, MAX (multicast->n, 1));
  for (guint i = 0; i < multicast->n; i++) {
    multicast->members[i] =
        (Member){ .multicast = multicast, .step = SIM_EVENT_NONE, .doom = SIM_EVENT_NONE };
    multicast->records[i] = (MulticastRecord){ .host = i % config->n_hosts,
                                               .start = SIM_TIME_NEVER,
                                               .joined = SIM_TIME_NEVER };
  }
  return multicast;
}

void
multicast_start (Multicast *multicast)
{
  schedule_arrival (multicast);
}

void
multicast_free (Multicast *multicast)
{
  if (!multicast)
    return;
  g_free (multicast->config.channels);
  g_free (multicast->members);
  g_free (multicast->records);
  g_free (multicast);
}

guint
multicast_entry (const Multicast *multicast)
{
  return multicast->config.entry;
}

guint
multicast_members (const Multicast *multicast)
{
  return multicast->n;
}

const MulticastRecord *
multicast_record (const Multicast *multicast, guint member)
{
  g_assert (member < multicast->n);
  return &multicast->records[member];
}

const MulticastCounters *
multicast_counters (const Multicast *multicast)
{
  return &multicast->counters;
}

/* Members of a port share its group, unless the subnet administrator names one for each. */
gsize
multicast_footprint (const MulticastParams *params, guint hosts, FabricTransport transport)
{
  gsize members = (gsize) hosts * params->per_host,
        bytes = sizeof (Member) + sizeof (MulticastRecord);
  IbGroupAddress address;
  gboolean own = ib_group_parse (params->group, &address) && ib_gid_is_zero (&address.address);

  if (params->by == MULTICAST_BY_IPOIB)
    bytes += sa_ipoib_group_footprint ();
  else
    bytes += cma_id_footprint (transport) + cma_join_footprint (transport);
  bytes *= members;
  if (transport == FABRIC_TRANSPORT_IB)
    bytes += (own ? members : hosts) * sa_group_footprint ();
  return bytes;
}

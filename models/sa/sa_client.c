/* The SA client: one MAD agent with its queries in flight.
 *
 * A transaction id is (serial number, slot of the query's record).  A response to a
 * query that is over matches no record in use and is ignored.  Records are shared by all
 * hosts: most ask once. */
#include "sa_client.h"

#include <errno.h>

#include "footprint.h"

typedef enum {
  QUERY_FREE,
  QUERY_WAITING,
  QUERY_OVER, /* its owner is being told */
} QueryState;

struct SaQuery {
  MadWait wait; /* first, so that a wait is its query */
  SaClient *client;
  guint8 state;      /* QueryState */
  guint8 method;     /* IbSaMethod */
  guint32 next_free; /* slot + 1 */
  guint64 tid;
  union {
    IbLid destination;  /* path query */
    SaRequest *request; /* join or leave */
  };
  SimTime try_timeout;
  guint64 retries; /* left */
  guint64 arg;
};

/* There may be millions, nearly all without a query. */
struct SaClient {
  SaClientGroup *group;
  Hca *hca;
  MadTimers timers;
  guint32 serial; /* of the latest query */
  guint32 sends;
};

struct SaClientGroup {
  IbLid sm_lid;
  const CmProfile *profile;
  const SaClientOps *ops;
  gpointer owner;
  MadClock *clock;
  SimSlab clients, records;
  GPtrArray *queries; /* SaQuery by slot */
  guint32 free;       /* slot + 1 of the first record that is free; 0: none */
};

static SaQuery *
query_take (SaClient *client)
{
  SaClientGroup *group = client->group;
  guint32 slot = group->free ? group->free - 1 : group->queries->len;
  SaQuery *query;

  if (group->free) {
    query = g_ptr_array_index (group->queries, slot);
    group->free = query->next_free;
  } else {
    query = sim_slab_take (&group->records);
    g_ptr_array_add (group->queries, query);
  }
  *query = (SaQuery){ .client = client,
                      .state = QUERY_WAITING,
                      .tid = (guint64) ++client->serial << 32 | slot };
  return query;
}

static void
query_put (SaQuery *query)
{
  SaClientGroup *group = query->client->group;

  query->state = QUERY_FREE;
  query->next_free = group->free;
  group->free = (guint32) query->tid + 1;
}

/* NULL: the response is late or for somebody else. */
static SaQuery *
query_find (const SaClient *client, guint64 tid)
{
  guint32 slot = (guint32) tid;
  SaQuery *query;

  if (slot >= client->group->queries->len)
    return NULL;
  query = g_ptr_array_index (client->group->queries, slot);
  return query->state == QUERY_WAITING && query->client == client && query->tid == tid ? query
                                                                                      : NULL;
}

static void
query_send (SaQuery *query)
{
  SaClient *client = query->client;
  IbMad mad = { .destination = client->group->sm_lid, .mgmt_class = IB_MGMT_CLASS_SUBN_ADM };

  if (query->method == IB_SA_GET_PATH)
    mad.sa = (IbSaMsg){ .dlid = query->destination };
  else
    mad.sa = query->request->msg;
  mad.sa.method = query->method;
  mad.sa.slid = hca_lid (client->hca);
  mad.sa.tid = query->tid;
  client->sends++;
  mad_timers_start (&client->timers, &query->wait, hca_gsi_send (client->hca, &mad),
                    query->try_timeout);
}

/* The record may be used again only when the owner has been told, so that an owner
 * who cancels what has just ended does no harm. */
static void
query_done (SaQuery *query, gint status, const IbSaMsg *resp)
{
  const SaClientGroup *group = query->client->group;

  query->state = QUERY_OVER;
  if (query->method == IB_SA_GET_PATH)
    group->ops->done (group->owner, query->arg, status, resp);
  else
    query->request->done (query->request->owner, status, resp);
  query_put (query);
}

static void
sa_client_expired (gpointer owner G_GNUC_UNUSED, MadWait *wait)
{
  SaQuery *query = (SaQuery *) wait;

  if (query->retries == 0) {
    query_done (query, -ETIMEDOUT, NULL);
    return;
  }
  query->retries--;
  query_send (query);
}

static const MadTimerOps sa_timer_ops = {
  .expired = sa_client_expired,
};

static void
sa_client_receive (gpointer owner, const IbMad *mad)
{
  SaClient *client = owner;
  SaQuery *query;

  query = query_find (client, mad->sa.tid);
  if (query == NULL || mad->sa.method != query->method + 1)
    return;
  mad_timers_stop (&client->timers, &query->wait);
  if (mad->sa.status != 0)
    query_done (query, -EINVAL, NULL);
  else
    query_done (query, 0, &mad->sa);
}

static const HcaGsiOps sa_client_gsi_ops = {
  .receive = sa_client_receive,
};

SaClientGroup *
sa_client_group_new (SimEngine *engine, IbLid sm_lid, const CmProfile *profile,
                     const SaClientOps *ops, gpointer owner)
{
  SaClientGroup *group = g_new0 (SaClientGroup, 1);

  group->sm_lid = sm_lid;
  group->profile = profile;
  group->ops = ops;
  group->owner = owner;
  group->clock = mad_clock_new (engine, profile->timing, profile->hz, &sa_timer_ops, group);
  sim_slab_init (&group->clients, sim_engine_arena (engine), sizeof (SaClient));
  sim_slab_init (&group->records, sim_engine_arena (engine), sizeof (SaQuery));
  group->queries = g_ptr_array_new ();
  return group;
}

void
sa_client_group_free (SaClientGroup *group)
{
  if (!group)
    return;
  mad_clock_free (group->clock);
  sim_slab_clear (&group->clients);
  sim_slab_clear (&group->records);
  g_ptr_array_unref (group->queries);
  g_free (group);
}

SaClient *
sa_client_new (SaClientGroup *group, Hca *hca, SimTime jiffies_offset)
{
  SaClient *client = sim_slab_take (&group->clients);

  *client = (SaClient){ .group = group, .hca = hca };
  mad_timers_init (&client->timers, group->clock, jiffies_offset);
  hca_gsi_register (hca, IB_MGMT_CLASS_SUBN_ADM, &sa_client_gsi_ops, client);
  return client;
}

void
sa_client_free (SaClient *client)
{
  if (!client)
    return;
  mad_timers_clear (&client->timers);
  sim_slab_put (&client->group->clients, client);
}

/* sa_query.c send_mad(): a tenth of the caller's timeout per try, in whole
 * milliseconds, and ten retries; if that is less than one, 1 ms and as many retries
 * as the timeout has milliseconds. */
static void
query_schedule (SaQuery *query, SimTime timeout)
{
  guint tries = query->client->group->profile->sa_tries_per_timeout;
  guint64 timeout_ms = (guint64) (timeout / SIM_MS (1));

  if (tries == 0) {
    query->try_timeout = timeout;
    query->retries = 0;
  } else if (timeout_ms < tries) {
    query->try_timeout = SIM_MS (1);
    query->retries = timeout_ms;
  } else {
    query->try_timeout = SIM_MS (timeout_ms / tries);
    query->retries = tries;
  }
}

SaQuery *
sa_client_query (SaClient *client, IbLid destination, SimTime timeout, guint64 arg)
{
  SaQuery *query = query_take (client);

  query->method = IB_SA_GET_PATH;
  query->destination = destination;
  query->arg = arg;
  query_schedule (query, timeout);
  query_send (query);
  return query;
}

SaQuery *
sa_client_request (SaClient *client, SaRequest *request, SimTime timeout)
{
  SaQuery *query = query_take (client);

  query->method = request->msg.method;
  query->request = request;
  query_schedule (query, timeout);
  query_send (query);
  return query;
}

void
sa_client_cancel (SaClient *client, SaQuery *query)
{
  g_assert (query->client == client);
  if (query->state == QUERY_OVER)
    return;
  g_assert (query->state == QUERY_WAITING);
  mad_timers_stop (&client->timers, &query->wait);
  query_put (query);
}

guint
sa_client_sends (const SaClient *client)
{
  return client->sends;
}

/* ----- memory ----- */

gsize
sa_client_footprint (void)
{
  return sizeof (SaClient);
}

/* The record with its place in the table, and the query itself at the SA. */
gsize
sa_query_footprint (void)
{
  return sizeof (SaQuery) + sizeof (gpointer) + mad_wait_footprint () + mad_pool_footprint ();
}

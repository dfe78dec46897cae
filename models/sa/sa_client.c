/* The SA client: one MAD agent with its queries in flight.
 *
 * A transaction id is (serial number, slot of the query's record).  A response to a
 * query that is over matches no record in use and is ignored.  The records exist only
 * while there are queries: most hosts ask once. */
#include "sa_client.h"

#include <errno.h>

typedef enum {
  QUERY_FREE,
  QUERY_WAITING,
  QUERY_OVER, /* its owner is being told */
} QueryState;

struct SaQuery {
  MadWait wait; /* first, so that a wait is its query */
  SaClient *client;
  QueryState state;
  guint32 slot;
  guint64 tid;
  SaQuery *next_free;
  IbLid destination;
  SimTime try_timeout;
  guint64 retries; /* left */
  guint64 arg;
};

struct SaClient {
  Hca *hca;
  IbLid sm_lid;
  const CmProfile *profile;
  const SaClientOps *ops;
  gpointer owner;
  MadTimers *timers;
  GPtrArray *queries; /* SaQuery by slot; NULL while there are none */
  SaQuery *free;
  guint32 in_use;
  guint32 serial; /* of the latest query */
  guint64 sends;
};

static SaQuery *
query_take (SaClient *client)
{
  SaQuery *query = client->free;

  if (client->queries == NULL)
    client->queries = g_ptr_array_new_with_free_func (g_free);
  if (query == NULL) {
    query = g_new0 (SaQuery, 1);
    query->client = client;
    query->slot = client->queries->len;
    g_ptr_array_add (client->queries, query);
  } else {
    client->free = query->next_free;
  }
  query->state = QUERY_WAITING;
  query->tid = (guint64) ++client->serial << 32 | query->slot;
  client->in_use++;
  return query;
}

static void
query_put (SaQuery *query)
{
  SaClient *client = query->client;

  query->state = QUERY_FREE;
  query->next_free = client->free;
  client->free = query;
  if (--client->in_use == 0) {
    g_ptr_array_unref (client->queries);
    client->queries = NULL;
    client->free = NULL;
  }
}

/* NULL: the response is late or for somebody else. */
static SaQuery *
query_find (const SaClient *client, guint64 tid)
{
  guint32 slot = (guint32) tid;
  SaQuery *query;

  if (client->queries == NULL || slot >= client->queries->len)
    return NULL;
  query = client->queries->pdata[slot];
  return query->state == QUERY_WAITING && query->tid == tid ? query : NULL;
}

static void
query_send (SaQuery *query)
{
  SaClient *client = query->client;
  IbMad mad = { .destination = client->sm_lid, .mgmt_class = IB_MGMT_CLASS_SUBN_ADM };

  mad.sa = (IbSaMsg){
    .method = IB_SA_GET_PATH,
    .dlid = query->destination,
    .slid = hca_lid (client->hca),
    .tid = query->tid,
  };
  client->sends++;
  mad_timers_start (client->timers, &query->wait, hca_gsi_send (client->hca, &mad),
                    query->try_timeout);
}

/* The record may be used again only when the owner has been told, so that an owner
 * who cancels what has just ended does no harm. */
static void
query_done (SaQuery *query, gint status, const IbSaMsg *resp)
{
  SaClient *client = query->client;

  query->state = QUERY_OVER;
  client->ops->done (client->owner, query->arg, status, resp);
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

  if (mad->sa.method != IB_SA_GET_PATH_RESP)
    return;
  query = query_find (client, mad->sa.tid);
  if (query == NULL)
    return;
  mad_timers_stop (client->timers, &query->wait);
  if (mad->sa.status != 0)
    query_done (query, -EINVAL, NULL);
  else
    query_done (query, 0, &mad->sa);
}

static const HcaGsiOps sa_client_gsi_ops = {
  .receive = sa_client_receive,
};

SaClient *
sa_client_new (SimEngine *engine, Hca *hca, IbLid sm_lid, const CmProfile *profile,
               SimTime jiffies_offset, const SaClientOps *ops, gpointer owner)
{
  SaClient *client = g_new0 (SaClient, 1);

  client->hca = hca;
  client->sm_lid = sm_lid;
  client->profile = profile;
  client->ops = ops;
  client->owner = owner;
  client->timers =
      mad_timers_new (engine, profile->timing, profile->hz, jiffies_offset, &sa_timer_ops, client);
  hca_gsi_register (hca, IB_MGMT_CLASS_SUBN_ADM, &sa_client_gsi_ops, client);
  return client;
}

void
sa_client_free (SaClient *client)
{
  if (!client)
    return;
  mad_timers_free (client->timers);
  if (client->queries != NULL)
    g_ptr_array_unref (client->queries);
  g_free (client);
}

/* sa_query.c send_mad(): a tenth of the caller's timeout per try, in whole
 * milliseconds, and ten retries; if that is less than one, 1 ms and as many retries
 * as the timeout has milliseconds. */
static void
query_schedule (SaQuery *query, SimTime timeout)
{
  guint tries = query->client->profile->sa_tries_per_timeout;
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

  query->destination = destination;
  query->arg = arg;
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
  mad_timers_stop (client->timers, &query->wait);
  query_put (query);
}

guint64
sa_client_sends (const SaClient *client)
{
  return client->sends;
}

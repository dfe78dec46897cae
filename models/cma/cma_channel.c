#include "cma_channel.h"

#include "cma_private.h"

typedef struct Queued Queued;

struct Queued {
  CmaChannel *channel;
  CmaId *id;
  const CmaGroup *group; /* multicast: that of the join */
  SimTime at;
  CmaEventType type;
  gint status;
  Queued *same; /* the id's next one */
  GList link;   /* in CmaChannel.events */
};

struct CmaChannel {
  SimEngine *engine;
  guint limit;
  const CmaChannelOps *ops;
  gpointer consumer;
  GQueue events;
  SimSlab slab; /* Queued */
  CmaChannelCounters counters;
};

/* ----- the events of an id ----- */

static GHashTable *
queued_of (CmaId *id)
{
  CmaConfig *config = id->cma->config;

  if (!config->queued)
    config->queued = g_hash_table_new (NULL, NULL);
  return config->queued;
}

static void
append (Queued *event)
{
  GHashTable *queued = queued_of (event->id);
  Queued *first = g_hash_table_lookup (queued, event->id);

  if (!first) {
    g_hash_table_insert (queued, event->id, event);
    event->id->queued = TRUE;
    return;
  }
  while (first->same)
    first = first->same;
  first->same = event;
}

static void
set_first (CmaId *id, Queued *first)
{
  if (first)
    g_hash_table_insert (queued_of (id), id, first);
  else
    g_hash_table_remove (queued_of (id), id);
  id->queued = first != NULL;
}

static void
take_out (Queued *event)
{
  g_queue_unlink (&event->channel->events, &event->link);
  sim_slab_put (&event->channel->slab, event);
}

/* Those of a group, or all of them. */
static void
forget (CmaId *id, const CmaGroup *group)
{
  Queued *event = g_hash_table_lookup (queued_of (id), id), *kept = NULL, *last = NULL;

  while (event) {
    Queued *next = event->same;

    if (!group || event->group == group) {
      take_out (event);
    } else {
      event->same = NULL;
      if (last)
        last->same = event;
      else
        kept = event;
      last = event;
    }
    event = next;
  }
  set_first (id, kept);
}

void
cma_channel_forget (CmaId *id)
{
  forget (id, NULL);
}

void
cma_channel_forget_group (CmaId *id, const CmaGroup *group)
{
  forget (id, group);
}

/* ----- the channel ----- */

static void
put (CmaChannel *channel, CmaId *id, CmaEventType type, gint status, const CmaGroup *group)
{
  Queued *event = sim_slab_take (&channel->slab);

  *event = (Queued){ .channel = channel,
                     .id = id,
                     .group = group,
                     .at = sim_engine_now (channel->engine),
                     .type = type,
                     .status = status };
  event->link.data = event;
  g_queue_push_tail_link (&channel->events, &event->link);
  append (event);
  channel->counters.length_max = MAX (channel->counters.length_max, channel->events.length);
}

void
cma_channel_put (CmaChannel *channel, CmaId *id, CmaEventType type, gint status,
                 const CmaGroup *group)
{
  if (cma_channel_is_full (channel)) {
    channel->counters.lost++;
    return;
  }
  put (channel, id, type, status, group);
  channel->ops->arrived (channel->consumer);
}

void
cma_channel_put_request (CmaChannel *channel, CmaId *id)
{
  put (channel, id, CMA_CONNECT_REQUEST, 0, NULL);
  channel->ops->arrived (channel->consumer);
}

guint
cma_channel_length (const CmaChannel *channel)
{
  return channel->events.length;
}

gboolean
cma_channel_is_full (const CmaChannel *channel)
{
  return channel->limit > 0 && channel->events.length >= channel->limit;
}

gboolean
cma_channel_next_is_request (const CmaChannel *channel)
{
  const Queued *event = channel->events.head->data;

  return event->type == CMA_CONNECT_REQUEST;
}

CmaId *
cma_channel_read (CmaChannel *channel)
{
  Queued *head = channel->events.head->data, event = *head;
  SimTime waited = sim_engine_now (channel->engine) - event.at;

  g_assert (g_hash_table_lookup (queued_of (event.id), event.id) == head);
  set_first (event.id, event.same);
  take_out (head);
  channel->counters.read++;
  channel->counters.wait += waited;
  channel->counters.wait_max = MAX (channel->counters.wait_max, waited);
  if (event.type == CMA_CONNECT_REQUEST)
    return event.id;
  cma_deliver_read (event.id, event.type, event.status, event.group);
  return NULL;
}

const CmaChannelCounters *
cma_channel_counters (const CmaChannel *channel)
{
  return &channel->counters;
}

void
cma_channel_restart_max (CmaChannel *channel)
{
  channel->counters.length_max = channel->events.length;
  channel->counters.wait_max = 0;
}

CmaChannel *
cma_channel_new (SimEngine *engine, guint limit, const CmaChannelOps *ops, gpointer consumer)
{
  CmaChannel *channel = g_new0 (CmaChannel, 1);

  channel->engine = engine;
  channel->limit = limit;
  channel->ops = ops;
  channel->consumer = consumer;
  sim_slab_init (&channel->slab, sim_engine_arena (engine), sizeof (Queued));
  return channel;
}

void
cma_channel_free (CmaChannel *channel)
{
  if (!channel)
    return;
  sim_slab_clear (&channel->slab);
  g_free (channel);
}

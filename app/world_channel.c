/* Event channels of a world in which all events wait. */
#include "world_private.h"

#include <string.h>

/* The listener whose application reads a channel; checked with the scenario. */
static CmaChannel *
find_channel (const World *world, const char *name, const Cma *host)
{
  for (guint i = 0; i < world->n_listeners; i++) {
    Listener *listener = world->listeners[i].listener;

    if (listener_channel (listener) && listener_has_channel (listener, name, host, 0))
      return listener_channel (listener);
  }
  g_assert_not_reached ();
}

CmaChannel **
world_channels (const World *world, const WorldGroup *group, const char *name)
{
  CmaChannel **channels;

  if (!*name)
    return NULL;
  channels = g_new (CmaChannel *, MAX (group->count, 1));
  for (guint i = 0; i < group->count; i++)
    channels[i] = find_channel (world, name, world->hosts[group->first_host + i]);
  return channels;
}

gboolean
world_has_channels (const World *world)
{
  for (guint i = 0; i < world->n_listeners; i++)
    if (listener_channel (world->listeners[i].listener))
      return TRUE;
  return FALSE;
}

void
world_count_channels (const World *world, WorldCounters *counters)
{
  CmaChannelCounters *sum = &counters->channels;

  for (guint i = 0; i < world->n_listeners; i++) {
    const CmaChannel *channel = listener_channel (world->listeners[i].listener);
    const CmaChannelCounters *c;

    if (!channel)
      continue;
    c = cma_channel_counters (channel);
    sum->read += c->read;
    sum->lost += c->lost;
    sum->length_max = MAX (sum->length_max, c->length_max);
    sum->wait += c->wait;
    sum->wait_max = MAX (sum->wait_max, c->wait_max);
  }
}

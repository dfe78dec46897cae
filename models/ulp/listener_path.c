/* Alternate paths that the peer offers: the application's MRA and APR to a LAP. */
#include "listener_private.h"

static SimEventId
pending (const Request *request)
{
  GHashTable *paths = request->listener->paths;
  const SimEventId *event = paths ? g_hash_table_lookup (paths, request) : NULL;

  return event ? *event : SIM_EVENT_NONE;
}

static void
path_answer_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Request *request = owner;
  Listener *listener = request->listener;

  g_hash_table_remove (listener->paths, request);
  /* -EINVAL: the connection is going down, or gone. */
  cma_answer_alternate (request->id, listener_accept (listener)->path_answer);
}

static const SimEventClass path_answer_event = { .name = "listener-path-answer",
                                                 .code = 0x80c,
                                                 .fire = path_answer_fire };

void
listener_path_offered (Request *request)
{
  Listener *listener = request->listener;
  const ListenerAcceptParams *accept = listener_accept (listener);
  SimEventId event;

  if (accept->path_mra > 0)
    cma_delay_alternate (request->id, accept->path_mra);
  if (accept->path_answer == LISTENER_PATH_NEVER)
    return;
  /* Until it is answered the CM takes a further LAP for a duplicate. */
  g_assert (pending (request) == SIM_EVENT_NONE);
  event = sim_engine_schedule_after (
      listener->config.engine, sim_dist_sample (&accept->path_service, &listener->path_stream),
      &path_answer_event, request, 0);
  if (!listener->paths)
    listener->paths = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_hash_table_insert (listener->paths, request, g_memdup2 (&event, sizeof event));
}

void
listener_path_cancel (Request *request)
{
  SimEventId event = pending (request);

  if (event == SIM_EVENT_NONE)
    return;
  sim_engine_cancel (request->listener->config.engine, event);
  g_hash_table_remove (request->listener->paths, request);
}

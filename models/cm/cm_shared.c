/* The agents' life, and what few of them have. */
#include "cm_shared.h"

#include "footprint.h"

/* ----- retries ----- */

static void
free_retry (gpointer retry)
{
  cm_retry_free (retry);
}

CmRetry *
cm_shared_retry (const CmId *id)
{
  if (!id->has_retry)
    return NULL;
  return g_hash_table_lookup (cm_id_shared (id)->retries, GUINT_TO_POINTER (cm_id_slot (id)));
}

void
cm_shared_set_retry (CmId *id, CmRetry *retry)
{
  CmShared *shared = cm_id_shared (id);

  if (!retry)
    return;
  if (!shared->retries)
    shared->retries = g_hash_table_new_full (NULL, NULL, NULL, free_retry);
  g_hash_table_insert (shared->retries, GUINT_TO_POINTER (cm_id_slot (id)), retry);
  id->has_retry = TRUE;
}

/* ----- life ----- */

typedef struct {
  const CmProfile *profile;
  MadClock *clock;
} CmClock;

static void
free_clock (gpointer data)
{
  CmClock *clock = data;

  mad_clock_free (clock->clock);
  g_free (clock);
}

/* Few: one per profile that hosts have. */
static MadClock *
clock_for (CmShared *shared, const CmProfile *profile)
{
  CmClock *clock;

  for (guint i = 0; i < shared->clocks->len; i++) {
    clock = g_ptr_array_index (shared->clocks, i);
    if (clock->profile == profile)
      return clock->clock;
  }
  clock = g_new (CmClock, 1);
  clock->profile = profile;
  clock->clock =
      mad_clock_new (shared->engine, profile->timing, profile->hz, &cm_pending_timer_ops, shared);
  g_ptr_array_add (shared->clocks, clock);
  return clock->clock;
}

CmShared *
cm_shared_new (SimEngine *engine, const CmProfile *profile)
{
  CmShared *shared = g_new0 (CmShared, 1);

  shared->engine = engine;
  shared->profile = profile;
  shared->clocks = g_ptr_array_new_with_free_func (free_clock);
  sim_numbered_init (&shared->agents, sim_engine_arena (engine), sizeof (CmAgent));
  sim_numbered_init (&shared->timewaits, sim_engine_arena (engine), sizeof (SimEventId));
  cm_pending_init (shared);
  return shared;
}

void
cm_shared_free (CmShared *shared)
{
  if (!shared)
    return;
  cm_pending_clear (shared);
  sim_numbered_clear (&shared->timewaits);
  if (shared->retries)
    g_hash_table_destroy (shared->retries);
  for (guint kind = 0; kind < CM_INDEX_N; kind++)
    cm_index_clear (shared, &shared->indices[kind]);
  cm_ids_free (shared);
  sim_numbered_clear (&shared->agents);
  g_ptr_array_free (shared->clocks, TRUE);
  g_free (shared);
}

void
cm_shared_observe (CmShared *shared, const CmObserverOps *ops, gpointer owner)
{
  shared->observer = ops;
  shared->observer_owner = owner;
}

void
cm_shared_expect (CmShared *shared, guint ids)
{
  g_assert (shared->n_slots == 0);
  for (guint kind = 0; kind < CM_INDEX_N; kind++)
    cm_index_expect (shared, &shared->indices[kind], MIN (ids, 1u << CM_SLOT_BITS));
}

const CmCounters *
cm_shared_counters (const CmShared *shared)
{
  return &shared->counters;
}

guint
cm_shared_ids (const CmShared *shared)
{
  return shared->alive;
}

CmAgent *
cm_agent_new (CmShared *shared, const CmProfile *profile, Hca *hca, guint index,
              SimTime jiffies_offset, const CmConsumerOps *ops)
{
  CmAgent *agent = sim_numbered_make (&shared->agents, index + 1);

  g_assert (index + 1 < 1u << CM_AGENT_BITS && !agent->shared);
  g_assert (!shared->ops || shared->ops == ops);
  shared->ops = ops;
  *agent = (CmAgent){
    .shared = shared, .profile = profile ? profile : shared->profile, .hca = hca, .index = index
  };
  mad_timers_init (&agent->timers, clock_for (shared, agent->profile), jiffies_offset);
  hca_gsi_register (hca, IB_MGMT_CLASS_CM, &cm_receive_ops, agent);
  return agent;
}

static void
free_extra (CmAgentExtra *extra)
{
  if (!extra)
    return;
  if (extra->listeners)
    g_hash_table_destroy (extra->listeners);
  if (extra->peers)
    g_ptr_array_free (extra->peers, TRUE);
  g_free (extra->few_ids);
  cm_retry_states_free (extra->retry_states);
  g_free (extra);
}

void
cm_agent_limit_memory (CmAgent *agent, const HostMemoryParams *params, SimStreamKey key)
{
  if (params->fails > 0)
    host_memory_init (&cm_agent_extra (agent)->memory, params, key, agent->index);
}

gboolean
cm_agent_no_memory (CmAgent *agent)
{
  return agent->extra && agent->extra->memory.params &&
         host_memory_fails (&agent->extra->memory, sim_engine_now (agent->shared->engine));
}

void
cm_agent_answer (CmAgent *agent, IbMad *mad)
{
  if (cm_agent_no_memory (agent))
    agent->shared->counters.unsent++;
  else
    cm_agent_send (agent, mad);
}

void
cm_agent_free (CmAgent *agent)
{
  if (!agent)
    return;
  free_extra (agent->extra);
  mad_timers_clear (&agent->timers);
  agent->shared = NULL; /* another may have its index */
}

CmAgentExtra *
cm_agent_extra (CmAgent *agent)
{
  if (!agent->extra)
    agent->extra = g_new0 (CmAgentExtra, 1);
  return agent->extra;
}

void
cm_agent_limit_ids (CmAgent *agent, guint n)
{
  CmAgentExtra *extra = cm_agent_extra (agent);

  g_assert (!extra->few_ids && n > 0);
  extra->few_ids = g_new0 (guint32, n);
  extra->n_few_ids = n;
}

void
cm_agent_listen (CmAgent *agent, guint64 service_id, gpointer listener)
{
  CmAgentExtra *extra = cm_agent_extra (agent);

  if (!extra->listeners)
    extra->listeners = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  gboolean fresh = g_hash_table_insert (
      extra->listeners, g_memdup2 (&(gint64){ (gint64) service_id }, sizeof (gint64)), listener);
  g_assert (fresh);
}

void
cm_agent_unlisten (CmAgent *agent, guint64 service_id)
{
  gint64 key = (gint64) service_id;
  gboolean found = g_hash_table_remove (agent->extra->listeners, &key);

  g_assert (found);
}

/* ----- peer to peer ----- */

void
cm_agent_add_peer (CmAgent *agent, CmId *id)
{
  CmAgentExtra *extra = cm_agent_extra (agent);

  if (!extra->peers)
    extra->peers = g_ptr_array_new ();
  g_ptr_array_add (extra->peers, id);
}

CmId *
cm_agent_find_peer (const CmAgent *agent, guint64 service_id, IbLid source)
{
  const GPtrArray *peers = agent->extra ? agent->extra->peers : NULL;

  for (guint i = 0; peers && i < peers->len; i++) {
    CmId *id = g_ptr_array_index (peers, i);
    gboolean waits = id->conn.state == CM_STATE_REQ_SENT || id->conn.state == CM_STATE_MRA_REQ_RCVD;

    if (waits && id->conn.service_id == service_id && id->remote == source)
      return id;
  }
  return NULL;
}

SimTime
cm_agent_send (CmAgent *agent, IbMad *mad)
{
  guint row = mad->cm.attr - IB_CM_ATTR_FIRST;

  agent->shared->counters.sent[row]++;
  if (mad->cm.sends > 1)
    agent->shared->counters.retries[row]++;
  return hca_gsi_send (agent->hca, mad);
}

/* ----- memory ----- */

gsize
cm_agent_footprint (void)
{
  return sizeof (CmAgent);
}

/* Tables are at least half full, and four fifths where the number of ids was told. */
gsize
cm_id_footprint (void)
{
  return CM_PAGE_BYTES / CM_PAGE_IDS + 1 + CM_INDEX_N * 2 * sizeof (guint32);
}

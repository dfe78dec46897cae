/* Pool of the CM ids, and the agents' life. */
#include "cm_shared.h"

#include "footprint.h"
#include "sim_prefetch.h"

enum { RESTING = 64 };

/* ----- numbers ----- */

/* A communication id is, from the low bits up, 24 bits of the slot's number + 1, the
 * generation, and what is left of the number; never 0. */
enum { LOW_BITS = 24 };

#define LOW_MASK ((1u << LOW_BITS) - 1)
#define SLOT_MASK ((1u << CM_SLOT_BITS) - 1)
#define GENERATION_MASK ((1u << CM_GENERATION_BITS) - 1)

/* A constant per host, as Linux does with its random operand, so that ids of different
 * hosts look different. */
static guint32
mask_of (const CmAgent *agent)
{
  return (agent->index + 1) * 0x9e3779b1u & LOW_MASK;
}

static guint32
comm_id (const CmAgent *agent, guint32 slot, guint32 generation)
{
  guint32 number = slot + 1;

  return ((number >> LOW_BITS << (LOW_BITS + CM_GENERATION_BITS)) | generation << LOW_BITS |
          (number & LOW_MASK)) ^ mask_of (agent);
}

/* The next free one of few, in turn; with all of them in use there is one more. */
static guint32
few_id (CmAgent *agent, CmId *id)
{
  CmAgentExtra *few = agent->extra;
  guint i = 0, number = few->next_few_id;

  for (; i < few->n_few_ids && few->few_ids[number]; i++)
    number = (number + 1) % few->n_few_ids;
  if (i == few->n_few_ids) {
    number = few->n_few_ids++;
    few->few_ids = g_renew (guint32, few->few_ids, few->n_few_ids);
  }
  few->few_ids[number] = id->slot + 1;
  few->next_few_id = (number + 1) % few->n_few_ids;
  return ((1u << 31) | (number + 1)) ^ mask_of (agent);
}

static guint32
few_index (const CmAgent *agent, guint32 local_id)
{
  return (local_id ^ mask_of (agent) ^ (1u << 31)) - 1;
}

void
cm_shared_free_number (CmId *id)
{
  CmAgent *agent = id->agent;
  guint32 number;

  if (!cm_agent_has_few_ids (agent))
    return;
  number = few_index (agent, id->conn.local_id);
  if (agent->extra->few_ids[number] == id->slot + 1u)
    agent->extra->few_ids[number] = 0;
}

/* Of an agent with more than few ids. */
static guint32
slot_of (const CmAgent *agent, guint32 local_id)
{
  guint32 low = (local_id ^ mask_of (agent)) & LOW_MASK;

  return (local_id >> (LOW_BITS + CM_GENERATION_BITS) << LOW_BITS | low) - 1;
}

void
cm_shared_expect_own (const CmShared *shared, const CmAgent *agent, guint32 local_id)
{
  guint32 slot = slot_of (agent, local_id);

  if (slot < shared->n_slots) {
    const CmId *id = cm_shared_id (shared, slot);

    sim_prefetch (id);
    sim_prefetch ((const char *) (id + 1) - 1);
  }
}

CmId *
cm_shared_find (CmShared *shared, const CmAgent *agent, guint32 local_id)
{
  guint32 slot;
  CmId *id;

  if (cm_agent_has_few_ids (agent)) {
    const CmAgentExtra *few = agent->extra;
    guint32 number = few_index (agent, local_id);

    if (number >= few->n_few_ids || few->few_ids[number] == 0)
      return NULL;
    return cm_shared_id (shared, few->few_ids[number] - 1);
  }
  slot = slot_of (agent, local_id);
  if (slot >= shared->n_slots)
    return NULL;
  id = cm_shared_id (shared, slot);
  return id->agent == agent && id->conn.local_id == local_id ? id : NULL;
}

/* ----- pool ----- */

static CmId *
take_free (CmShared *shared)
{
  CmId *id = cm_shared_id (shared, shared->free_first - 1);

  shared->free_first = id->next_free;
  if (!shared->free_first)
    shared->free_last = 0;
  shared->n_free--;
  return id;
}

static gsize
chunk_bytes (guint chunk)
{
  return ((gsize) CM_CHUNK_FIRST << chunk) * sizeof (CmId);
}

/* Before a slot is used for the first time. */
static void
add_chunk (CmShared *shared, guint32 slot)
{
  guint32 place = slot + CM_CHUNK_FIRST;

  if ((place & (place - 1)) == 0) { /* the first one of its chunk */
    guint chunk = (guint) __builtin_ctz (place / CM_CHUNK_FIRST);

    shared->chunks[chunk] = sim_block_new (chunk_bytes (chunk));
  }
}

CmId *
cm_shared_alloc (CmShared *shared, CmAgent *agent, IbLid remote)
{
  CmId *id;
  guint32 slot;
  guint32 generation = 0;

  /* A slot rests until many others have been used, so a communication id comes
   * back late (Linux allocates cyclically). */
  if (shared->n_free > RESTING) {
    id = take_free (shared);
    slot = id->slot;
    generation = (id->generation + 1u) & GENERATION_MASK;
  } else {
    slot = shared->n_slots++;
    g_assert (slot < SLOT_MASK);
    add_chunk (shared, slot);
    id = cm_shared_id (shared, slot);
  }
  g_assert (remote < 1u << 24);
  *id = (CmId){
    .agent = agent,
    .remote = remote & 0xffffff,
    .slot = slot & SLOT_MASK,
    .generation = generation & GENERATION_MASK,
  };
  id->conn.local_id = comm_id (agent, slot, generation);
  if (id->conn.local_id == 0) { /* the mask hit: the next generation differs */
    id->generation++;
    id->conn.local_id = comm_id (agent, slot, id->generation);
  }
  if (cm_agent_has_few_ids (agent))
    id->conn.local_id = few_id (agent, id);
  shared->alive++;
  return id;
}

void
cm_shared_release (CmShared *shared, CmId *id)
{
  g_assert (id->agent != NULL && !id->waits_by);
  cm_shared_unindex (shared, id);
  cm_shared_free_number (id);
  if (id->has_retry)
    g_hash_table_remove (shared->retries, GUINT_TO_POINTER (id->slot));
  if (id->conn.peer)
    g_ptr_array_remove (id->agent->extra->peers, id);
  id->agent = NULL;
  shared->alive--;
  id->next_free = 0;
  if (shared->free_last)
    cm_shared_id (shared, shared->free_last - 1)->next_free = id->slot + 1;
  else
    shared->free_first = id->slot + 1;
  shared->free_last = id->slot + 1;
  shared->n_free++;
}

void
cm_shared_lose (CmShared *shared, CmId *id)
{
  cm_pending_stop (id);
  if (id->in_timewait) {
    sim_engine_cancel (shared->engine,
                       *(SimEventId *) sim_numbered_at (&shared->timewaits, id->waits_by));
    cm_shared_leave_timewait (shared, id);
  }
  cm_shared_release (shared, id);
}

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
  return g_hash_table_lookup (id->agent->shared->retries, GUINT_TO_POINTER (id->slot));
}

void
cm_shared_set_retry (CmId *id, CmRetry *retry)
{
  CmShared *shared = id->agent->shared;

  if (!retry)
    return;
  if (!shared->retries)
    shared->retries = g_hash_table_new_full (NULL, NULL, NULL, free_retry);
  g_hash_table_insert (shared->retries, GUINT_TO_POINTER (id->slot), retry);
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
  sim_slab_init (&shared->agents, sizeof (CmAgent));
  sim_numbered_init (&shared->timewaits, sizeof (SimEventId));
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
    cm_index_clear (&shared->indices[kind]);
  for (guint c = 0; c < CM_CHUNKS; c++)
    sim_block_free (shared->chunks[c], chunk_bytes (c));
  sim_slab_clear (&shared->agents);
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
    cm_index_expect (&shared->indices[kind], MIN (ids, 1u << CM_SLOT_BITS));
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
  CmAgent *agent = sim_slab_take (&shared->agents);

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
  sim_slab_put (&agent->shared->agents, agent);
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
  return sizeof (CmId) + CM_INDEX_N * 2 * sizeof (guint32);
}

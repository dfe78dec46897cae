/* Pool and search tables of the CM ids. */
#include "cm_shared.h"

enum { CHUNK = 256, SLOT_BITS = 24 };

/* ----- pool ----- */

static CmId *
slot_id (const CmShared *shared, guint32 slot)
{
  CmId *chunk = g_ptr_array_index (shared->chunks, slot / CHUNK);

  return &chunk[slot % CHUNK];
}

/* Communication ids are never 0.  The slot is in the low bits, xor-ed with a
 * constant per host as Linux does with its random operand, so that ids of
 * different hosts look different. */
static guint32
comm_id (const CmAgent *agent, guint32 slot, guint8 generation)
{
  guint32 mask = (agent->index + 1) * 0x9e3779b1u;

  return (((guint32) generation << SLOT_BITS) | (slot + 1)) ^ (mask & 0x00ffffffu);
}

CmId *
cm_shared_alloc (CmShared *shared, CmAgent *agent, IbLid remote)
{
  CmId *id;
  guint32 slot;
  guint8 generation = 0;

  /* A slot rests until many others have been used, so a communication id comes
   * back late (Linux allocates cyclically). */
  if (shared->free_slots.length > 64) {
    slot = GPOINTER_TO_UINT (g_queue_pop_head (&shared->free_slots));
    id = slot_id (shared, slot);
    generation = (guint8) (id->generation + 1);
  } else {
    slot = shared->n_slots++;
    g_assert (slot < (1u << SLOT_BITS) - 1);
    if (slot % CHUNK == 0)
      g_ptr_array_add (shared->chunks, g_new0 (CmId, CHUNK));
    id = slot_id (shared, slot);
  }
  *id = (CmId){ .agent = agent, .remote = remote, .slot = slot, .generation = generation };
  id->conn.local_id = comm_id (agent, slot, generation);
  if (id->conn.local_id == 0) /* the mask hit: the next generation differs */
    id->conn.local_id = comm_id (agent, slot, ++id->generation);
  id->conn.local_ca_guid = hca_guid (agent->hca);
  shared->alive++;
  return id;
}

void
cm_shared_release (CmShared *shared, CmId *id)
{
  g_assert (id->agent != NULL && !mad_wait_is_running (&id->wait));
  g_assert (id->timewait == SIM_EVENT_NONE);
  cm_shared_unindex (shared, id);
  g_clear_pointer (&id->retry, cm_retry_free);
  id->agent = NULL;
  shared->alive--;
  g_queue_push_tail (&shared->free_slots, GUINT_TO_POINTER (id->slot));
}

CmId *
cm_shared_find (CmShared *shared, const CmAgent *agent, guint32 local_id)
{
  guint32 mask = (agent->index + 1) * 0x9e3779b1u;
  guint32 slot = ((local_id ^ (mask & 0x00ffffffu)) & ((1u << SLOT_BITS) - 1)) - 1;

  if (slot >= shared->n_slots)
    return NULL;
  CmId *id = slot_id (shared, slot);
  return id->agent == agent && id->conn.local_id == local_id ? id : NULL;
}

/* ----- tables ----- */

static guint
mix_hash (const CmId *id, guint32 number)
{
  guint64 h = id->conn.remote_ca_guid * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  h ^= ((guint64) number << 32 | id->agent->index) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  h ^= h >> 29;
  h *= G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return (guint) (h >> 32);
}

static guint
remote_id_hash (gconstpointer key)
{
  const CmId *id = key;

  return mix_hash (id, id->conn.remote_id);
}

static gboolean
remote_id_equal (gconstpointer a, gconstpointer b)
{
  const CmId *x = a, *y = b;

  return x->conn.remote_id == y->conn.remote_id &&
         x->conn.remote_ca_guid == y->conn.remote_ca_guid && x->agent == y->agent;
}

static guint
remote_qpn_hash (gconstpointer key)
{
  const CmId *id = key;

  return mix_hash (id, id->conn.remote_qpn);
}

static gboolean
remote_qpn_equal (gconstpointer a, gconstpointer b)
{
  const CmId *x = a, *y = b;

  return x->conn.remote_qpn == y->conn.remote_qpn &&
         x->conn.remote_ca_guid == y->conn.remote_ca_guid && x->agent == y->agent;
}

void
cm_shared_index (CmShared *shared, CmId *id)
{
  g_assert (!id->indexed);
  g_hash_table_add (shared->by_remote_id, id);
  g_hash_table_add (shared->by_remote_qpn, id);
  id->indexed = TRUE;
}

void
cm_shared_unindex (CmShared *shared, CmId *id)
{
  if (!id->indexed)
    return;
  g_hash_table_remove (shared->by_remote_id, id);
  g_hash_table_remove (shared->by_remote_qpn, id);
  id->indexed = FALSE;
}

CmId *
cm_shared_find_remote_id (CmShared *shared, CmAgent *agent, guint64 ca_guid, guint32 remote_id)
{
  CmId key = { .agent = agent, .conn = { .remote_ca_guid = ca_guid, .remote_id = remote_id } };

  return g_hash_table_lookup (shared->by_remote_id, &key);
}

CmId *
cm_shared_find_remote_qpn (CmShared *shared, CmAgent *agent, guint64 ca_guid, guint32 qpn)
{
  CmId key = { .agent = agent, .conn = { .remote_ca_guid = ca_guid, .remote_qpn = qpn } };

  return g_hash_table_lookup (shared->by_remote_qpn, &key);
}

/* ----- life ----- */

CmShared *
cm_shared_new (SimEngine *engine, const CmProfile *profile)
{
  CmShared *shared = g_new0 (CmShared, 1);

  shared->engine = engine;
  shared->profile = profile;
  shared->by_remote_id = g_hash_table_new (remote_id_hash, remote_id_equal);
  shared->by_remote_qpn = g_hash_table_new (remote_qpn_hash, remote_qpn_equal);
  shared->chunks = g_ptr_array_new_with_free_func (g_free);
  g_queue_init (&shared->free_slots);
  return shared;
}

void
cm_shared_free (CmShared *shared)
{
  if (!shared)
    return;
  for (guint32 slot = 0; slot < shared->n_slots; slot++)
    cm_retry_free (slot_id (shared, slot)->retry);
  g_hash_table_destroy (shared->by_remote_id);
  g_hash_table_destroy (shared->by_remote_qpn);
  g_ptr_array_free (shared->chunks, TRUE);
  g_queue_clear (&shared->free_slots);
  g_free (shared);
}

void
cm_shared_observe (CmShared *shared, const CmObserverOps *ops, gpointer owner)
{
  shared->observer = ops;
  shared->observer_owner = owner;
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
cm_agent_new (CmShared *shared, Hca *hca, guint index, SimTime jiffies_offset,
              const CmConsumerOps *ops)
{
  CmAgent *agent = g_new0 (CmAgent, 1);

  agent->shared = shared;
  agent->hca = hca;
  agent->index = index;
  agent->ops = ops;
  agent->timers = mad_timers_new (shared->engine, shared->profile->timing, shared->profile->hz,
                                  jiffies_offset, &cm_agent_timer_ops, agent);
  hca_gsi_register (hca, IB_MGMT_CLASS_CM, &cm_receive_ops, agent);
  return agent;
}

void
cm_agent_free (CmAgent *agent)
{
  if (!agent)
    return;
  if (agent->listeners)
    g_hash_table_destroy (agent->listeners);
  cm_retry_states_free (agent->retry_states);
  mad_timers_free (agent->timers);
  g_free (agent);
}

void
cm_agent_listen (CmAgent *agent, guint64 service_id, gpointer listener)
{
  if (!agent->listeners)
    agent->listeners = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  gboolean fresh = g_hash_table_insert (
      agent->listeners, g_memdup2 (&(gint64){ (gint64) service_id }, sizeof (gint64)), listener);
  g_assert (fresh);
}

void
cm_agent_unlisten (CmAgent *agent, guint64 service_id)
{
  gint64 key = (gint64) service_id;
  gboolean found = g_hash_table_remove (agent->listeners, &key);

  g_assert (found);
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

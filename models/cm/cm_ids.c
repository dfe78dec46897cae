/* The ids: their numbers, on the wire and in the pool. */
#include "cm_shared.h"

#include "sim_prefetch.h"

enum { RESTING = 64 };

/* ----- numbers ----- */

/* A communication id is, from the low bits up, 24 bits of the slot's number + 1, the
 * generation, and what is left of the number; never 0. */
enum { LOW_BITS = 24 };

#define LOW_MASK ((1u << LOW_BITS) - 1)
#define AGENT_MASK ((1u << CM_AGENT_BITS) - 1)
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
  few->few_ids[number] = cm_id_slot (id) + 1;
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
  CmAgent *agent = cm_id_agent (id);
  guint32 number;

  if (!cm_agent_has_few_ids (agent))
    return;
  number = few_index (agent, id->conn.local_id);
  if (agent->extra->few_ids[number] == cm_id_slot (id) + 1)
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
    sim_prefetch (cm_id_page (id));
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
  return id->agent == agent->index + 1 && id->conn.local_id == local_id ? id : NULL;
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
chunk_pages (guint chunk)
{
  return (gsize) CM_CHUNK_FIRST << chunk;
}

/* Before a slot is used for the first time. */
static void
add_slot (CmShared *shared, guint32 slot)
{
  guint32 place = slot / CM_PAGE_IDS + CM_CHUNK_FIRST;
  CmIdPage *page;

  if (slot % CM_PAGE_IDS != 0)
    return;
  if ((place & (place - 1)) == 0) { /* the first page of its chunk */
    guint chunk = (guint) __builtin_ctz (place / CM_CHUNK_FIRST);

    shared->chunks[chunk] =
        sim_block_new_pages (sim_engine_arena (shared->engine), chunk_pages (chunk));
  }
  page = cm_id_page (cm_shared_id (shared, slot));
  page->shared = shared;
  page->first_slot = slot;
}

void
cm_ids_free (CmShared *shared)
{
  for (guint c = 0; c < CM_CHUNKS && shared->chunks[c]; c++)
    sim_block_free_pages (sim_engine_arena (shared->engine), shared->chunks[c], chunk_pages (c));
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
    slot = cm_id_slot (id);
    generation = (id->generation + 1u) & GENERATION_MASK;
  } else {
    slot = shared->n_slots++;
    g_assert (slot < SLOT_MASK);
    add_slot (shared, slot);
    id = cm_shared_id (shared, slot);
  }
  g_assert (remote < 1u << 24);
  *id = (CmId){
    .agent = (agent->index + 1) & AGENT_MASK,
    .remote = remote & 0xffffff,
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
  g_assert (id->agent != 0 && !id->waits_by);
  cm_shared_unindex (shared, id);
  cm_shared_free_number (id);
  if (id->has_retry)
    g_hash_table_remove (shared->retries, GUINT_TO_POINTER (cm_id_slot (id)));
  if (id->conn.peer)
    g_ptr_array_remove (cm_id_agent (id)->extra->peers, id);
  id->agent = 0;
  shared->alive--;
  id->next_free = 0;
  if (shared->free_last)
    cm_shared_id (shared, shared->free_last - 1)->next_free = cm_id_slot (id) + 1;
  else
    shared->free_first = cm_id_slot (id) + 1;
  shared->free_last = cm_id_slot (id) + 1;
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

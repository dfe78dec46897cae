/* The search tables: open addressing, four bytes an entry, so that a search that finds nothing,
 * as nearly all do, touches one cache line and no id.
 *
 * The upper half of a key's hash says where in a table of any size the search begins, the
 * lower half gives the bits that stand in the entry with the number of the id.  Of several ids
 * with one key the one that came last is found. */
#include "cm_shared.h"

#include "sim_prefetch.h"

enum { FIRST_SIZE = 64, AHEAD = 16 };

#define EMPTY 0u
#define LINK_MASK ((1u << CM_SLOT_BITS) - 1)
#define REMOVED (~LINK_MASK) /* no id, and the search goes on */

typedef struct {
  gboolean sidr;
  guint64 local, remote; /* number of the agent, CA GUID; SIDR: LID */
  guint32 number;        /* communication id, request id or QPN */
} Key;

static Key
key_of (const CmId *id, CmIndexKind kind)
{
  return (Key){ .sidr = id->sidr,
                .local = id->agent,
                .remote = id->sidr ? id->remote : id->conn.remote_ca_guid,
                .number = kind == CM_INDEX_ID ? id->conn.remote_id : id->conn.remote_qpn };
}

static guint64
hash (const Key *key)
{
  guint64 h = (key->remote ^ (guint64) key->sidr << 63) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  h ^= ((guint64) key->number << 32 ^ key->local) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  h ^= h >> 29;
  return h * G_GUINT64_CONSTANT (0x94d049bb133111eb);
}

static inline guint32
first_place (const CmIndex *index, guint64 h)
{
  return (guint32) ((h >> 32) * index->size >> 32);
}

static inline guint32
next_place (const CmIndex *index, guint32 i)
{
  return i + 1 < index->size ? i + 1 : 0;
}

static inline guint32
entry_of (const CmId *id, guint64 h)
{
  return ((guint32) h & ~LINK_MASK) | (cm_id_slot (id) + 1);
}

static gboolean
equal (const Key *a, const Key *b)
{
  return a->number == b->number && a->remote == b->remote && a->local == b->local &&
         a->sidr == b->sidr;
}

static inline gboolean
is_id (guint32 entry)
{
  return (entry & LINK_MASK) != 0;
}

/* Whether the id of an entry has that key; the upper bits spare nearly all looks at ids. */
static gboolean
matches (const CmShared *shared, guint32 entry, const Key *key, guint64 h, CmIndexKind kind)
{
  Key other;

  if (((entry ^ (guint32) h) & ~LINK_MASK) != 0 || !is_id (entry))
    return FALSE;
  other = key_of (cm_shared_id (shared, (entry & LINK_MASK) - 1), kind);
  return equal (key, &other);
}

/* The id comes before others of its key, which move on. */
static void
put (const CmShared *shared, CmIndex *index, const CmId *id, CmIndexKind kind)
{
  Key key = key_of (id, kind);
  guint64 h = hash (&key);
  guint32 i = first_place (index, h), entry = entry_of (id, h);

  while (is_id (index->entries[i])) {
    if (matches (shared, index->entries[i], &key, h, kind)) {
      guint32 older = index->entries[i];

      index->entries[i] = entry;
      entry = older;
    }
    i = next_place (index, i);
  }
  index->used += index->entries[i] == EMPTY;
  index->entries[i] = entry;
}

/* The id comes after all that are there. */
static void
append (CmIndex *index, const CmId *id, CmIndexKind kind)
{
  Key key = key_of (id, kind);
  guint64 h = hash (&key);
  guint32 i = first_place (index, h);

  while (index->entries[i] != EMPTY)
    i = next_place (index, i);
  index->entries[i] = entry_of (id, h);
  index->used++;
}

static void
make_table (const CmShared *shared, CmIndex *index, guint64 size)
{
  size = MAX (size, FIRST_SIZE);
  g_assert (size < G_MAXUINT32);
  index->size = (guint32) size;
  index->used = 0;
  index->entries = sim_block_new (sim_engine_arena (shared->engine), size * sizeof (guint32));
}

/* Entries for so many ids; in use are four fifths at most. */
static guint64
size_for (guint64 ids)
{
  return (5 * ids + 3) / 4;
}

/* Room for one more, and for half as many again.  The old entries are gone through from an
 * empty one on, so that ids of one key keep their order. */
static void
make_room (CmShared *shared, CmIndexKind kind)
{
  CmIndex *index = &shared->indices[kind], old = *index;
  guint32 i = 0, ahead = 0;

  make_table (shared, index, size_for ((guint64) old.count + old.count / 2 + 1));
  while (old.size > 0 && old.entries[i] != EMPTY)
    i++;
  if (old.size > 0)
    ahead = (guint32) (((guint64) i + AHEAD) % old.size);
  for (guint32 n = 0; n < old.size; n++) {
    guint32 entry = old.entries[i], later = old.entries[ahead];

    if (is_id (later))
      sim_prefetch (cm_shared_id (shared, (later & LINK_MASK) - 1));
    if (is_id (entry))
      append (index, cm_shared_id (shared, (entry & LINK_MASK) - 1), kind);
    i = next_place (&old, i);
    ahead = next_place (&old, ahead);
  }
  cm_index_clear (shared, &old);
}

static void
add (CmShared *shared, CmId *id, CmIndexKind kind)
{
  CmIndex *index = &shared->indices[kind];

  if (5 * (guint64) (index->used + 1) > 4 * (guint64) index->size)
    make_room (shared, kind);
  put (shared, index, id, kind);
  index->count++;
}

static void
remove_ (CmShared *shared, CmId *id, CmIndexKind kind)
{
  CmIndex *index = &shared->indices[kind];
  Key key = key_of (id, kind);
  guint32 i = first_place (index, hash (&key)), own = cm_id_slot (id) + 1;

  while ((index->entries[i] & LINK_MASK) != own) {
    g_assert (index->entries[i] != EMPTY);
    i = next_place (index, i);
  }
  index->count--;
  index->entries[i] = REMOVED;
  /* Nothing is behind it: this entry and the removed ones before it are empty. */
  if (index->entries[next_place (index, i)] != EMPTY)
    return;
  for (; index->entries[i] == REMOVED; i = i > 0 ? i - 1 : index->size - 1) {
    index->entries[i] = EMPTY;
    index->used--;
  }
}

static CmId *
find (const CmShared *shared, const Key *key, CmIndexKind kind)
{
  const CmIndex *index = &shared->indices[kind];
  guint64 h = hash (key);

  if (index->size == 0)
    return NULL;
  for (guint32 i = first_place (index, h); index->entries[i] != EMPTY; i = next_place (index, i))
    if (matches (shared, index->entries[i], key, h, kind))
      return cm_shared_id (shared, (index->entries[i] & LINK_MASK) - 1);
  return NULL;
}

/* Memory that is not used stays untouched, so a table for too many costs nothing but
 * distance. */
void
cm_index_expect (CmShared *shared, CmIndex *index, guint32 ids)
{
  g_assert (index->size == 0);
  make_table (shared, index, size_for ((guint64) ids + 1));
}

void
cm_index_clear (CmShared *shared, CmIndex *index)
{
  sim_block_free (sim_engine_arena (shared->engine), index->entries,
                  index->size * sizeof (guint32));
}

void
cm_shared_index (CmShared *shared, CmId *id)
{
  g_assert (!id->indexed);
  add (shared, id, CM_INDEX_ID);
  if (!id->sidr)
    add (shared, id, CM_INDEX_QPN);
  id->indexed = TRUE;
}

void
cm_shared_unindex (CmShared *shared, CmId *id)
{
  if (!id->indexed)
    return;
  remove_ (shared, id, CM_INDEX_ID);
  if (!id->sidr)
    remove_ (shared, id, CM_INDEX_QPN);
  id->indexed = FALSE;
}

static Key
peer_key (const CmAgent *agent, guint64 ca_guid, guint32 number)
{
  return (Key){ .local = agent->index + 1, .remote = ca_guid, .number = number };
}

static void
expect (const CmIndex *index, Key key)
{
  if (index->size > 0)
    sim_prefetch (&index->entries[first_place (index, hash (&key))]);
}

void
cm_shared_expect_remote (const CmShared *shared, const CmAgent *agent, const IbCmMsg *msg)
{
  expect (&shared->indices[CM_INDEX_ID], peer_key (agent, msg->ca_guid, msg->local_id));
  expect (&shared->indices[CM_INDEX_QPN], peer_key (agent, msg->ca_guid, msg->qpn));
}

CmId *
cm_shared_find_remote_id (const CmShared *shared, CmAgent *agent, guint64 ca_guid,
                          guint32 remote_id)
{
  Key key = peer_key (agent, ca_guid, remote_id);

  return find (shared, &key, CM_INDEX_ID);
}

CmId *
cm_shared_find_remote_qpn (const CmShared *shared, CmAgent *agent, guint64 ca_guid, guint32 qpn)
{
  Key key = peer_key (agent, ca_guid, qpn);

  return find (shared, &key, CM_INDEX_QPN);
}

CmId *
cm_shared_find_request (const CmShared *shared, CmAgent *agent, IbLid source, guint32 request_id)
{
  return find (
      shared,
      &(Key){
          .local = agent->index + 1, .sidr = TRUE, .remote = source, .number = request_id },
      CM_INDEX_ID);
}

/* The search tables: chained hash tables whose links are in the ids. */
#include "cm_shared.h"

enum { FIRST_SIZE = 64 };

typedef struct {
  guint32 agent;
  gboolean sidr;
  guint64 remote; /* CA GUID; SIDR: LID */
  guint32 number; /* communication id, request id or QPN */
} Key;

static Key
key_of (const CmId *id, CmIndexKind kind)
{
  return (Key){ .agent = id->agent->index,
                .sidr = id->sidr,
                .remote = id->sidr ? id->remote : id->conn.remote_ca_guid,
                .number = kind == CM_INDEX_ID ? id->conn.remote_id : id->conn.remote_qpn };
}

static guint32
hash (const Key *key)
{
  guint64 h = (key->remote ^ (guint64) key->sidr << 63) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  h ^= ((guint64) key->number << 32 | key->agent) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  h ^= h >> 29;
  h *= G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return (guint32) (h >> 32);
}

static gboolean
equal (const Key *a, const Key *b)
{
  return a->number == b->number && a->remote == b->remote && a->agent == b->agent &&
         a->sidr == b->sidr;
}

static guint32 *
head_of (const CmIndex *index, const Key *key)
{
  return &index->heads[hash (key) & (index->size - 1)];
}

static void
link_in (CmIndex *index, CmId *id, CmIndexKind kind)
{
  Key key = key_of (id, kind);
  guint32 *head = head_of (index, &key);

  id->next[kind] = *head;
  *head = id->slot + 1;
}

/* One head per two ids at least, one each right after growing. */
static void
grow (CmShared *shared, CmIndexKind kind)
{
  CmIndex *index = &shared->indices[kind];
  CmIndex larger = { .size = index->size ? 2 * index->size : FIRST_SIZE, .count = index->count };

  larger.heads = g_new0 (guint32, larger.size);
  for (guint32 i = 0; i < index->size; i++)
    for (guint32 link = index->heads[i], next; link; link = next) {
      CmId *id = cm_shared_id (shared, link - 1);

      next = id->next[kind];
      link_in (&larger, id, kind);
    }
  g_free (index->heads);
  *index = larger;
}

static void
add (CmShared *shared, CmId *id, CmIndexKind kind)
{
  CmIndex *index = &shared->indices[kind];

  if (index->count >= 2 * index->size)
    grow (shared, kind);
  link_in (index, id, kind);
  index->count++;
}

static void
remove_ (CmShared *shared, CmId *id, CmIndexKind kind)
{
  CmIndex *index = &shared->indices[kind];
  Key key = key_of (id, kind);
  guint32 *link = head_of (index, &key);

  while (*link != id->slot + 1u) {
    g_assert (*link);
    link = &cm_shared_id (shared, *link - 1)->next[kind];
  }
  *link = id->next[kind];
  index->count--;
}

static CmId *
find (const CmShared *shared, const Key *key, CmIndexKind kind)
{
  const CmIndex *index = &shared->indices[kind];
  guint32 link = index->size ? *head_of (index, key) : 0;

  while (link) {
    CmId *id = cm_shared_id (shared, link - 1);
    Key other = key_of (id, kind);

    if (equal (key, &other))
      return id;
    link = id->next[kind];
  }
  return NULL;
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

CmId *
cm_shared_find_remote_id (const CmShared *shared, CmAgent *agent, guint64 ca_guid,
                          guint32 remote_id)
{
  return find (shared, &(Key){ .agent = agent->index, .remote = ca_guid, .number = remote_id },
               CM_INDEX_ID);
}

CmId *
cm_shared_find_remote_qpn (const CmShared *shared, CmAgent *agent, guint64 ca_guid, guint32 qpn)
{
  return find (shared, &(Key){ .agent = agent->index, .remote = ca_guid, .number = qpn },
               CM_INDEX_QPN);
}

CmId *
cm_shared_find_request (const CmShared *shared, CmAgent *agent, IbLid source, guint32 request_id)
{
  return find (shared,
               &(Key){ .agent = agent->index, .sidr = TRUE, .remote = source,
                       .number = request_id },
               CM_INDEX_ID);
}

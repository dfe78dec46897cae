/* What each process of a mesh has under way to each other. */
#include "mesh.h"

enum {
  UNDER_WAY = 1 << 0, /* a REQ was sent and has not failed */
  ADMITTED = 1 << 1,  /* the peer has taken it */
  LOST = 1 << 2,      /* the peer has refused it in favour of its own */
};

struct Mesh {
  guint processes, per_host;
  IbLid first_lid;
  guint8 *pairs;       /* from x processes + to */
  GHashTable *senders; /* (LID, communication id) -> process + 1; looked up only */
};

static guint8 *
pair_of (const Mesh *mesh, guint from, guint to)
{
  g_assert (from < mesh->processes && to < mesh->processes);
  return &mesh->pairs[(gsize) from * mesh->processes + to];
}

static gpointer
sender_key (IbLid lid, guint32 comm_id)
{
  return GSIZE_TO_POINTER ((guint64) lid << 32 | comm_id);
}

guint64
mesh_footprint (guint64 processes)
{
  return sizeof (Mesh) + processes * processes;
}

Mesh *
mesh_new (guint processes, guint per_host, IbLid first_lid)
{
  Mesh *mesh = g_new (Mesh, 1);

  *mesh = (Mesh){ .processes = processes, .per_host = per_host, .first_lid = first_lid };
  mesh->pairs = g_new0 (guint8, (gsize) processes * processes);
  mesh->senders = g_hash_table_new (g_direct_hash, g_direct_equal);
  return mesh;
}

void
mesh_free (Mesh *mesh)
{
  if (!mesh)
    return;
  g_hash_table_destroy (mesh->senders);
  g_free (mesh->pairs);
  g_free (mesh);
}

gboolean
mesh_wants (const Mesh *mesh, guint from, guint to)
{
  return !(*pair_of (mesh, to, from) & ADMITTED);
}

void
mesh_begin (Mesh *mesh, guint from, guint to, guint32 comm_id)
{
  *pair_of (mesh, from, to) |= UNDER_WAY;
  g_hash_table_insert (mesh->senders,
                       sender_key (mesh->first_lid + from / mesh->per_host, comm_id),
                       GUINT_TO_POINTER (from + 1));
}

void
mesh_end (Mesh *mesh, guint from, guint to)
{
  *pair_of (mesh, from, to) &= (guint8) ~UNDER_WAY;
}

gboolean
mesh_admit (Mesh *mesh, guint to, IbLid source, guint32 comm_id)
{
  gpointer found = g_hash_table_lookup (mesh->senders, sender_key (source, comm_id));
  guint from = GPOINTER_TO_UINT (found) - 1;

  if (!found)
    return TRUE; /* not one of the mesh */
  if (to < from && *pair_of (mesh, to, from) & UNDER_WAY) {
    *pair_of (mesh, from, to) |= LOST;
    return FALSE;
  }
  *pair_of (mesh, from, to) |= ADMITTED;
  return TRUE;
}

gboolean
mesh_lost (const Mesh *mesh, guint from, guint to)
{
  return (*pair_of (mesh, from, to) & LOST) != 0;
}

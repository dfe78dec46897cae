/* A mesh: processes that connect to each other at the same time, and the rule that leaves
 * each pair one connection.
 *
 * A process that gets a request from a peer to which it has a connect of its own under way
 * compares addresses (here: numbers).  The connect of the lower one stays; the other's
 * request is refused with REJ 28, and its private data say why.  The higher one does not
 * touch its own connect but waits for that refusal, so no REJ ever comes for an id that is
 * gone.  Source: libfabric rxm_conn.c rxm_process_connreq. */
#pragma once

#include "cma.h"

typedef struct Mesh Mesh;

/* processes in all, per_host of them on each host; host 0 has LID first_lid. */
/* Bytes of one, without what its connects add. */
guint64 mesh_footprint (guint64 processes);
Mesh *mesh_new (guint processes, guint per_host, IbLid first_lid);
void mesh_free (Mesh *mesh);
/* FALSE if the peer's connection is there already: nothing to connect. */
gboolean mesh_wants (const Mesh *mesh, guint from, guint to);
/* from has sent a REQ to `to` with this communication id. */
void mesh_begin (Mesh *mesh, guint from, guint to, guint32 comm_id);
/* It failed: from has nothing under way to `to` any more. */
void mesh_end (Mesh *mesh, guint from, guint to);
/* A REQ from a host, with its communication id, for process `to`: FALSE if it loses. */
gboolean mesh_admit (Mesh *mesh, guint to, IbLid source, guint32 comm_id);
/* The last REQ from `from` to `to` lost. */
gboolean mesh_lost (const Mesh *mesh, guint from, guint to);

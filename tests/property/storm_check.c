/* What must hold in every storm. */
#include "storm_private.h"

/* Whatever was lost, doubled or late: two ends that take each other for peers are those of
 * one exchange, and know each other's numbers. */
void
storm_check_pair (StormEnd *end)
{
  Storm *storm = end->storm;
  const CmConn *conn = cm_id_conn (end->id);
  const StormEnd *peer = storm_find (storm, 1 - end->host, conn->remote_id);

  if (!peer) {
    storm_fail (storm, "host %u, id %08x has peer %08x, which never was", end->host, end->local_id,
                conn->remote_id);
    return;
  }
  if (peer->number != end->number)
    storm_fail (storm, "host %u, id %08x of exchange %u has a peer of exchange %u", end->host,
                end->local_id, end->number, peer->number);
  if (conn->remote_qpn != peer->qpn)
    storm_fail (storm, "host %u, id %08x has peer QPN %u, which is %u", end->host, end->local_id,
                conn->remote_qpn, peer->qpn);
  if (peer->id && cm_id_conn (peer->id)->remote_id != end->local_id)
    storm_fail (storm, "host %u, id %08x has peer %08x, whose peer is %08x", end->host,
                end->local_id, conn->remote_id, cm_id_conn (peer->id)->remote_id);
}

static gboolean
is_established (const StormEnd *end)
{
  return end->id && cm_id_conn (end->id)->state == CM_STATE_ESTABLISHED;
}

/* An end that is ESTABLISHED has a peer that is so too, or one that is over for a reason of
 * its own: its consumer let go or its retries ran out, and the news was lost; or its REP was
 * stale when it came first, and not when it came again. */
static void
check_views (const StormEnd *end)
{
  Storm *storm = end->storm;
  const StormEnd *peer;

  if (!is_established (end))
    return;
  peer = storm_find (storm, 1 - end->host, cm_id_conn (end->id)->remote_id);
  if (!peer)
    storm_fail (storm, "host %u, id %08x is connected to nobody", end->host, end->local_id);
  else if (!is_established (peer) && (peer->over == OVER_NOT || peer->over == OVER_TOLD))
    storm_fail (storm, "exchange %u: host %u is connected, host %u is not", end->number, end->host,
                peer->host);
}

/* What began after the faults has succeeded, on both sides. */
static void
check_calm (const StormEnd *end)
{
  Storm *storm = end->storm;

  if (storm->exchanges[end->number].kind == KIND_SIDR ? !end->confirmed : !is_established (end))
    storm_fail (storm, "exchange %u, begun when nothing was lost any more, has failed",
                end->number);
}

void
storm_check_agreement (Storm *storm)
{
  for (guint i = 0; i < storm->ends->len; i++) {
    const StormEnd *end = g_ptr_array_index (storm->ends, i);

    if (end->client && !end->decided)
      storm_fail (storm, "exchange %u is undecided on host %u", end->number, end->host);
    if (end->ends > 1 || end->exits > 1)
      storm_fail (storm, "host %u, id %08x has ended %u times, left timewait %u times", end->host,
                  end->local_id, end->ends, end->exits);
    check_views (end);
    if (end->client && storm_calm (end->number))
      check_calm (end);
  }
}

void
storm_check_end (Storm *storm)
{
  if (cm_shared_counters (storm->cm)->misuse)
    storm_fail (storm, "a message or timer met a state that it must not");
  if (cm_shared_ids (storm->cm))
    storm_fail (storm, "%u ids are left", cm_shared_ids (storm->cm));
  for (guint host = 0; host < 2; host++)
    if (storm->slots[host])
      storm_fail (storm, "host %u: %u slots were not given back", host, storm->slots[host]);
}

/* Two hosts and a wire for test_cm_pair.c, without an engine.  The small agent follows the
 * kernel's matching rules (cm_match_req, cm_rep_handler, cm_acquire_rejected_id). */
#pragma once

#include "cm_observer.h"
#include "cm_stateless.h"
#include "test_cm.h"

enum { ENDS = 512, WIRE = 4096, LOG = 512 };

#define FAULTS_UNTIL SIM_S (120)

typedef struct {
  CmConn conn;
  gboolean alive, held, indexed, bound;
  SimTime response_at, timewait_at, act_at, deadline;
  CmEvent act;       /* what the consumer does next */
  gboolean left;     /* the consumer has ended it */
  guint reps, ends, exits; /* news: REP_RECEIVED; that it has ended; TIMEWAIT_EXIT */
} End;

typedef struct {
  guint64 guid;
  End ends[ENDS];
  guint n;
} Host;

typedef struct {
  SimTime at;
  guint to;
  IbCmMsg msg;
} Flight;

typedef struct {
  SimStream stream;
  CmProfile profile;
  SimTime now;
  Host hosts[2];
  Flight wire[WIRE];
  guint in_flight;
  Flight log[LOG]; /* sent before; may come once more at any time */
  guint logged;
  double loss, duplication;
  gboolean (*seen)[CM_EV_COUNT]; /* cells met, over all seeds */
  CmObserver *observer; /* watches the wire */
  guint32 packets;
} World;

static void feed_end (World *world, guint host, End *end, CmEvent event);
/* A REQ that is neither duplicate nor stale. */
static void receive_new_req (World *world, guint host, const IbCmMsg *req);

static guint64
below (World *world, guint64 n)
{
  return sim_stream_below (&world->stream, n);
}

static gboolean
faulty (const World *world)
{
  return world->now < FAULTS_UNTIL;
}

/* ----- wire ----- */

static void
fly (World *world, guint to, const IbCmMsg *msg)
{
  SimTime delay = SIM_MS (1) + (SimTime) below (world, 10000000);

  if (faulty (world) && below (world, 8) == 0)
    delay += SIM_MS ((SimTime) below (world, 20000));
  ck_assert_uint_lt (world->in_flight, WIRE);
  world->wire[world->in_flight++] = (Flight){ world->now + delay, to, *msg };
}

static void
show (World *world, guint to, const IbCmMsg *msg)
{
  CmSighting sighting = { .at = world->now, .psn = ++world->packets, .msg = *msg };

  ib_address_from_lid ((guint16) (2 - to), &sighting.source);
  ib_address_from_lid ((guint16) (1 + to), &sighting.destination);
  cm_observer_see (world->observer, &sighting);
}

static void
transmit (World *world, guint to, const IbCmMsg *msg)
{
  show (world, to, msg);
  if (world->logged < LOG)
    world->log[world->logged++] = (Flight){ 0, to, *msg };
  if (!faulty (world) || !sim_stream_chance (&world->stream, world->loss))
    fly (world, to, msg);
  while (faulty (world) && sim_stream_chance (&world->stream, world->duplication)) {
    const Flight *old = &world->log[below (world, world->logged)];
    fly (world, old->to, &old->msg);
  }
}

/* ----- ends ----- */
static End *
new_end (World *world, guint host)
{
  Host *h = &world->hosts[host];
  End *end = &h->ends[h->n];

  ck_assert_uint_lt (h->n, ENDS);
  *end = (End){ .alive = TRUE,
                .response_at = SIM_TIME_NEVER,
                .timewait_at = SIM_TIME_NEVER,
                .act_at = SIM_TIME_NEVER,
                .deadline = SIM_TIME_NEVER };
  end->conn.local_id = (host + 1) << 16 | ++h->n;
  return end;
}

/* The smallest QPN that no living end of the host uses: old ones come back soon. */
static void
bind_qp (Host *host, End *end)
{
  guint32 qpn = 0;
  gboolean used = TRUE;

  while (used) {
    qpn++;
    used = FALSE;
    for (guint i = 0; i < host->n; i++)
      used |= host->ends[i].alive && host->ends[i].bound && host->ends[i].conn.local_qpn == qpn;
  }
  end->bound = TRUE;
  end->conn.local_qpn = CM_24_BITS (qpn);
}

static End *
find (World *world, guint host, guint32 local_id)
{
  guint32 number = local_id & 0xffff;

  if (local_id >> 16 != host + 1 || number == 0 || number > world->hosts[host].n)
    return NULL;
  return &world->hosts[host].ends[number - 1];
}

/* By either; 0 matches none. */
static End *
find_indexed (Host *host, guint64 guid, guint32 remote_id, guint32 remote_qpn)
{
  for (guint i = 0; i < host->n; i++) {
    const CmConn *conn = &host->ends[i].conn;

    if (host->ends[i].indexed && conn->remote_ca_guid == guid &&
        (conn->remote_id == remote_id || conn->remote_qpn == remote_qpn))
      return &host->ends[i];
  }
  return NULL;
}

/* ----- receiving ----- */

static void
stale (World *world, guint host, End *old)
{
  if (world->profile.dreq_on_stale && old->conn.state == CM_STATE_ESTABLISHED)
    feed_end (world, host, old, (CmEvent){ .type = CM_EV_ULP_DISCONNECT });
}

static void
receive_req (World *world, guint host, const IbCmMsg *req)
{
  End *end = find_indexed (&world->hosts[host], req->ca_guid, req->local_id, 0);
  IbCmMsg answer;

  if (end) {
    feed_end (world, host, end, (CmEvent){ .type = CM_EV_RX_REQ, .msg = req });
    return;
  }
  end = find_indexed (&world->hosts[host], req->ca_guid, 0, req->qpn);
  if (end && world->profile.duplicate_by_qpn) {
    feed_end (world, host, end, (CmEvent){ .type = CM_EV_RX_REQ, .msg = req });
    return;
  }
  if (!end) {
    receive_new_req (world, host, req);
    return;
  }
  cm_stateless_rej (req, IB_CM_REJ_STALE_CONNECTION, &answer);
  transmit (world, 1 - host, &answer);
  stale (world, host, end);
}

static void
receive_rep (World *world, guint host, const IbCmMsg *rep)
{
  End *end = find (world, host, rep->remote_id), *old = NULL;
  CmEvent event = { .type = CM_EV_RX_REP, .msg = rep };

  if (!end || !end->alive || (end->conn.remote_id && end->conn.remote_id != rep->local_id))
    return;
  if (end->conn.remote_id == 0) {
    if (find_indexed (&world->hosts[host], rep->ca_guid, rep->local_id, 0))
      return;
    old = find_indexed (&world->hosts[host], rep->ca_guid, 0, rep->qpn);
  }
  if (old)
    event.type = CM_EV_RX_REP_STALE;
  feed_end (world, host, end, event);
  if (old)
    stale (world, host, old);
}

/* The end that a message other than a REQ or REP belongs to, or NULL. */
static End *
find_receiver (World *world, guint host, const IbCmMsg *msg)
{
  End *end = find (world, host, msg->remote_id);
  gboolean of_req = (msg->attr == IB_CM_MRA || msg->attr == IB_CM_REJ) &&
                    msg->message == IB_CM_MESSAGE_REQ;

  if (msg->attr == IB_CM_REJ && msg->reason == IB_CM_REJ_TIMEOUT)
    return find_indexed (&world->hosts[host], msg->ca_guid, msg->local_id, 0);
  if (!end || !end->alive || end->conn.remote_id != (of_req ? 0 : msg->local_id))
    return NULL;
  return end;
}

static void
receive (World *world, guint host, const IbCmMsg *msg)
{
  static const CmEventType events[] = {
    [IB_CM_MRA - IB_CM_REQ] = CM_EV_RX_MRA,   [IB_CM_REJ - IB_CM_REQ] = CM_EV_RX_REJ,
    [IB_CM_RTU - IB_CM_REQ] = CM_EV_RX_RTU,   [IB_CM_DREQ - IB_CM_REQ] = CM_EV_RX_DREQ,
    [IB_CM_DREP - IB_CM_REQ] = CM_EV_RX_DREP,
  };
  End *end;
  IbCmMsg answer;

  if (msg->attr == IB_CM_REQ) {
    receive_req (world, host, msg);
  } else if (msg->attr == IB_CM_REP) {
    receive_rep (world, host, msg);
  } else if ((end = find_receiver (world, host, msg)) != NULL) {
    feed_end (world, host, end, (CmEvent){ .type = events[msg->attr - IB_CM_REQ], .msg = msg });
  } else if (msg->attr == IB_CM_DREQ && world->profile.drep_for_unknown) {
    cm_stateless_drep (msg, &answer);
    transmit (world, 1 - host, &answer);
  }
}

/* What ib_mad keeps of a send with a time-out (mad.c ib_mad_send_wr_private), and its flow
 * control (since about 6.17): at most profile->mads_outstanding of an agent's sends wait for
 * an answer, the others, repeats too, stand in one queue, first in, first out. */
#include "cm_build.h"
#include "cm_shared.h"
#include "footprint.h"

struct CmPending {
  MadWait wait; /* running unless queued */
  CmId *id;
  SimTime interval;       /* queued: the wait that follows the send */
  SimTime deadline;       /* no try from then on; SIM_TIME_NEVER: none */
  CmPending *prev, *next; /* queued: in the agent's queue */
  IbCmMsg *queued;        /* the message; NULL: it has been sent */
};

/* ----- records ----- */

static CmPending *
pending_of (const CmId *id)
{
  if (!id->waits_by || id->in_timewait)
    return NULL;
  return sim_numbered_at (&cm_id_shared (id)->pending, id->waits_by);
}

static CmPending *
new_pending (CmId *id)
{
  SimNumbered *records = &cm_id_shared (id)->pending;
  CmPending *pending;

  g_assert (!id->waits_by);
  id->waits_by = sim_numbered_take (records);
  pending = sim_numbered_at (records, id->waits_by);
  *pending = (CmPending){ .id = id, .deadline = SIM_TIME_NEVER };
  return pending;
}

static void
forget (CmPending *pending)
{
  CmId *id = pending->id;

  g_clear_pointer (&pending->queued, g_free);
  sim_numbered_put (&cm_id_shared (id)->pending, id->waits_by);
  id->waits_by = 0;
}

void
cm_pending_init (CmShared *shared)
{
  sim_numbered_init (&shared->pending, sim_engine_arena (shared->engine), sizeof (CmPending));
}

void
cm_pending_clear (CmShared *shared)
{
  for (guint32 slot = 0; slot < shared->n_slots; slot++) {
    const CmId *id = cm_shared_id (shared, slot);

    if (id->waits_by && !id->in_timewait)
      g_free (((CmPending *) sim_numbered_at (&shared->pending, id->waits_by))->queued);
  }
  sim_numbered_clear (&shared->pending);
}

/* ----- sending ----- */

static void
send_now (CmPending *pending, const IbCmMsg *msg, SimTime interval)
{
  CmId *id = pending->id;
  CmAgent *agent = cm_id_agent (id);
  SimTime now = sim_engine_now (agent->shared->engine);
  guint deadline_ms = agent->profile->deadline_ms;
  IbMad mad = { .destination = id->remote, .mgmt_class = IB_MGMT_CLASS_CM, .cm = *msg };
  SimTime sent;

  cm_build_sign (&mad.cm, hca_guid (agent->hca));
  sent = cm_agent_send (agent, &mad);
  sent = MAX (sent, now);
  interval = cm_retry_interval (cm_shared_retry (id), &id->conn, agent->profile, now, interval);
  if (deadline_ms > 0) {
    if (msg->sends == 1)
      pending->deadline = sim_time_add (sent, SIM_MS ((SimTime) deadline_ms));
    interval = MAX (MIN (interval, pending->deadline - sent), 0);
  }
  agent->outstanding++;
  mad_timers_start (&agent->timers, &pending->wait, sent, interval);
}

static void
enqueue (CmPending *pending, const IbCmMsg *msg, SimTime interval)
{
  CmAgentExtra *queue = cm_agent_extra (cm_id_agent (pending->id));

  pending->queued = g_memdup2 (msg, sizeof *msg);
  pending->interval = interval;
  pending->next = NULL;
  pending->prev = queue->queue_last;
  if (queue->queue_last)
    queue->queue_last->next = pending;
  else
    queue->queue_first = pending;
  queue->queue_last = pending;
}

static void
dequeue (CmPending *pending)
{
  CmAgentExtra *queue = cm_id_agent (pending->id)->extra;

  if (pending->prev)
    pending->prev->next = pending->next;
  else
    queue->queue_first = pending->next;
  if (pending->next)
    pending->next->prev = pending->prev;
  else
    queue->queue_last = pending->prev;
}

static gboolean
is_full (const CmAgent *agent)
{
  guint limit = agent->profile->mads_outstanding;

  return limit > 0 && agent->outstanding >= limit;
}

/* mad.c mad_is_for_backlog: nobody overtakes the queue. */
void
cm_pending_send (CmId *id, const IbCmMsg *msg, SimTime interval)
{
  CmPending *pending = new_pending (id);

  if (msg->sends > 1)
    pending->deadline = cm_id_shared (id)->deadline;
  if (cm_agent_queues (cm_id_agent (id)) || is_full (cm_id_agent (id)))
    enqueue (pending, msg, interval);
  else
    send_now (pending, msg, interval);
}

void
cm_pending_pump (CmAgent *agent)
{
  while (cm_agent_queues (agent) && !is_full (agent)) {
    CmPending *pending = agent->extra->queue_first;
    IbCmMsg *msg = g_steal_pointer (&pending->queued);

    dequeue (pending);
    send_now (pending, msg, pending->interval);
    g_free (msg);
  }
}

/* ----- waiting ----- */

void
cm_pending_stretch (CmId *id, SimTime interval)
{
  CmPending *pending = pending_of (id);
  CmAgent *agent = cm_id_agent (id);

  if (pending->deadline != SIM_TIME_NEVER)
    pending->deadline = sim_time_add (pending->deadline, interval);
  if (pending->queued)
    pending->interval = interval;
  else
    mad_timers_start (&agent->timers, &pending->wait, sim_engine_now (agent->shared->engine),
                      interval);
}

void
cm_pending_stop (CmId *id)
{
  CmPending *pending = pending_of (id);
  CmAgent *agent = cm_id_agent (id);

  if (!pending)
    return;
  if (pending->queued) {
    dequeue (pending);
  } else {
    mad_timers_stop (&agent->timers, &pending->wait);
    agent->outstanding--;
  }
  forget (pending);
}

static void
expired (gpointer owner G_GNUC_UNUSED, MadWait *wait)
{
  CmPending *pending = (CmPending *) ((char *) wait - G_STRUCT_OFFSET (CmPending, wait));
  CmId *id = pending->id;
  CmAgent *agent = cm_id_agent (id);
  SimTime now = sim_engine_now (agent->shared->engine);
  RetryVerdict verdict = cm_retry_expired (cm_shared_retry (id), &id->conn, agent->profile, now);
  gboolean last = now >= pending->deadline || verdict.answer == RETRY_GIVE_UP;

  if (verdict.answer == RETRY_WAIT && !last) {
    mad_timers_start (&agent->timers, wait, now, verdict.wait);
    return;
  }
  agent->outstanding--;
  agent->shared->deadline = pending->deadline; /* of the repeat */
  forget (pending);
  cm_agent_feed_timeout (id, last);
  cm_pending_pump (agent);
}

const MadTimerOps cm_pending_timer_ops = { .expired = expired };

gsize
cm_waiting_footprint (void)
{
  return sizeof (CmPending) + mad_wait_footprint ();
}

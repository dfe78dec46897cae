/* QP1 and the software right above it: what a MAD goes through between the wire
 * and the agent of its management class.
 *
 * Both stages of a MAD received, the completion handler and the CM's work queue,
 * are first-in first-out, so their times are known on arrival and one event at the
 * end of the last stage is enough; none if no stage takes time. */
#include "hca_private.h"

/* A host speaks CM or TCP, one or the other. */
static gboolean
is_sa (guint mgmt_class)
{
  return mgmt_class == IB_MGMT_CLASS_SUBN_ADM;
}

/* Number of the operations in the group. */
static guint32
number_of (HcaGroup *group, const HcaGsiOps *ops)
{
  for (guint32 i = 1; i <= group->n_ops; i++)
    if (group->ops[i] == ops)
      return i;
  g_assert (group->n_ops < HCA_OPS_MAX);
  group->ops[++group->n_ops] = ops;
  return group->n_ops;
}

void
hca_gsi_register (Hca *hca, IbMgmtClass mgmt_class, const HcaGsiOps *ops, gpointer owner)
{
  guint32 number = number_of (hca->group, ops);

  g_assert ((is_sa (mgmt_class) ? hca->sa_ops : hca->cm_ops) == 0);
  if (is_sa (mgmt_class)) {
    hca->sa_ops = number & HCA_OPS_MAX;
    hca->sa_owner = owner;
  } else {
    hca->cm_ops = number & HCA_OPS_MAX;
    hca->cm_owner = owner;
  }
}

/* To the agent of its class. */
static void
hand_on (Hca *hca, guint32 slot)
{
  MadPool *pool = fabric_mad_pool (hca->group->fabric);
  const IbMad *mad = mad_pool_at (pool, slot);
  gboolean sa = is_sa (mad->mgmt_class);
  guint32 ops = sa ? hca->sa_ops : hca->cm_ops;

  if (ops)
    hca->group->ops[ops]->receive (sa ? hca->sa_owner : hca->cm_owner, mad);
  mad_pool_drop (pool, slot);
}

static void
hca_gsi_receive (gpointer owner, guint64 arg)
{
  hand_on (owner, (guint32) arg);
}

static const SimEventClass hca_gsi_receive_event = {
  .name = "hca-receive",
  .code = 0x48434101, /* "HCA" 1 */
  .fire = hca_gsi_receive,
};

void
hca_gsi_arrive (gpointer owner, guint32 slot)
{
  Hca *hca = owner;
  HcaGroup *group = hca->group;
  MadPool *pool = fabric_mad_pool (group->fabric);
  const IbMad *mad = mad_pool_at (pool, slot);
  const HcaParams *params = group->params;
  HcaCounters *counters = &group->counters;
  SimTime now = sim_engine_now (group->engine);
  gboolean cm = mad->mgmt_class == IB_MGMT_CLASS_CM;
  /* Drawn also for a MAD that is then lost: the draws follow the order of arrival,
   * whatever the size of the ring. */
  SimTime mad_service = sim_dist_sample_resting (&params->mad_service, group->mad_service,
                                                 hca->index, &hca->mad_service);
  SimTime cm_service = cm ? sim_dist_sample_resting (&params->cm_service, group->cm_service,
                                                     hca->index, &hca->cm_service)
                          : 0;
  guint present = sim_line_present (&hca->handler, now);
  SimTime handled, done;

  if (present >= params->recv_ring) {
    counters->receive_overruns++;
    mad_pool_drop (pool, slot);
    return;
  }
  handled = sim_line_offer (&hca->handler, now, mad_service);
  counters->received++;
  counters->receive_ring_max = MAX (counters->receive_ring_max, present + 1);
  counters->mad_busy += mad_service;
  if (hca->meters != NULL && hca->meters->receive != NULL)
    hca_meter_use (hca->meters->receive, now, now, handled);

  done = handled;
  if (cm) {
    /* One handler, first-in first-out: its ends never decrease, so the work queue
     * is offered its jobs in order although they lie in the future. */
    done = hca_stage_offer (&hca->cm_queue, params->cm_workers, handled, cm_service);
    counters->cm_busy += cm_service;
    if (group->ops[hca->cm_ops] && group->ops[hca->cm_ops]->expect)
      group->ops[hca->cm_ops]->expect (hca->cm_owner, mad);
  }
  if (done == now)
    hand_on (hca, slot);
  else
    sim_engine_schedule_at (group->engine, done, &hca_gsi_receive_event, hca, slot);
}

SimTime
hca_gsi_send (Hca *hca, IbMad *mad)
{
  HcaGroup *group = hca->group;
  HcaCounters *counters = &group->counters;
  SimTime now = sim_engine_now (group->engine);
  guint ring = group->params->send_ring;
  guint waiting = sim_line_present (&hca->sends, now);
  SimTime posted = now;
  SimTime completion;

  mad->source = hca->lid;
  completion = fabric_send (group->fabric, mad);
  if (waiting >= ring) {
    /* It waits in software for the slot of the MAD `ring` places before it.  The
     * link sends in order of posting, so this changes nothing on the wire. */
    posted = sim_line_end (&hca->sends, waiting - ring);
    counters->send_waits++;
  }
  counters->sent++;
  counters->send_ring_max = MAX (counters->send_ring_max, MIN (waiting + 1, ring));
  sim_line_push (&hca->sends, now, completion);
  if (hca->meters != NULL && hca->meters->send != NULL)
    hca_meter_use (hca->meters->send, now, posted, completion);
  return completion;
}

/* QP1 and the software right above it: what a MAD goes through between the wire
 * and the agent of its management class.
 *
 * Both stages of a MAD received, the completion handler and the CM's work queue,
 * are first-in first-out, so their times are known on arrival and one event at the
 * end of the last stage is enough.  That event comes also when all services take
 * no time: an agent never runs inside another one's send. */
#include "hca_private.h"

static HcaAgent *
hca_agent (Hca *hca, guint mgmt_class)
{
  switch ((IbMgmtClass) mgmt_class)
    {
    case IB_MGMT_CLASS_CM:
      return &hca->cm_agent;
    case IB_MGMT_CLASS_SUBN_ADM:
      return &hca->sa_agent;
    }
  g_assert_not_reached ();
}

void
hca_gsi_register (Hca *hca, IbMgmtClass mgmt_class, const HcaGsiOps *ops, gpointer owner)
{
  HcaAgent *agent = hca_agent (hca, mgmt_class);

  g_assert (agent->ops == NULL);
  *agent = (HcaAgent) { .ops = ops, .owner = owner };
}

static void
hca_gsi_receive (gpointer owner, guint64 arg)
{
  Hca *hca = owner;
  const HcaAgent *agent;
  IbMad mad;

  mad_pool_take (fabric_mad_pool (hca->fabric), (guint32) arg, &mad);
  agent = hca_agent (hca, mad.mgmt_class);
  if (agent->ops != NULL)
    agent->ops->receive (agent->owner, &mad);
}

static const SimEventClass hca_gsi_receive_event = {
  .name = "hca-receive",
  .code = 0x48434101, /* "HCA" 1 */
  .fire = hca_gsi_receive,
};

void
hca_gsi_arrive (gpointer owner, const IbMad *mad)
{
  Hca *hca = owner;
  HcaCounters *counters = &hca->counters;
  SimTime now = sim_engine_now (hca->engine);
  gboolean cm = mad->mgmt_class == IB_MGMT_CLASS_CM;
  /* Drawn also for a MAD that is then lost: the draws follow the order of arrival,
   * whatever the size of the ring. */
  SimTime mad_service = sim_dist_sample (&hca->params->mad_service, &hca->mad_service);
  SimTime cm_service = cm ? sim_dist_sample (&hca->params->cm_service, &hca->cm_service) : 0;
  SimFifoSlot handled, worked;
  SimTime done;

  if (!sim_fifo_offer (hca->handler, now, mad_service, &handled))
    {
      counters->receive_overruns++;
      return;
    }
  counters->received++;
  counters->receive_ring_max = sim_fifo_max_present (hca->handler);
  counters->mad_busy = sim_fifo_busy_time (hca->handler);
  if (hca->receive_meter != NULL)
    hca_meter_use (hca->receive_meter, now, now, handled.end);

  done = handled.end;
  if (cm)
    {
      /* One handler, first-in first-out: its ends never decrease, so the work queue
       * is offered its jobs in order although they lie in the future. */
      gboolean taken = sim_fifo_offer (hca->cm_queue, handled.end, cm_service, &worked);

      g_assert (taken);
      counters->cm_busy = sim_fifo_busy_time (hca->cm_queue);
      done = worked.end;
    }
  sim_engine_schedule_at (hca->engine, done, &hca_gsi_receive_event, hca,
                          mad_pool_put (fabric_mad_pool (hca->fabric), mad));
}

static SimTime
sends_at (const HcaSends *sends, guint i)
{
  return sends->times[(sends->head + i) & (sends->size - 1)];
}

static void
sends_retire (HcaSends *sends, SimTime now)
{
  while (sends->count > 0 && sends_at (sends, 0) <= now)
    {
      sends->head = (sends->head + 1) & (sends->size - 1);
      sends->count--;
    }
}

static void
sends_push (HcaSends *sends, SimTime completion)
{
  if (sends->count == sends->size)
    {
      guint size = sends->size == 0 ? 8 : sends->size * 2;
      SimTime *times = g_new (SimTime, size);

      for (guint i = 0; i < sends->count; i++)
        times[i] = sends_at (sends, i);
      g_free (sends->times);
      *sends = (HcaSends) { .times = times, .count = sends->count, .size = size };
    }
  sends->times[(sends->head + sends->count) & (sends->size - 1)] = completion;
  sends->count++;
}

SimTime
hca_gsi_send (Hca *hca, IbMad *mad)
{
  HcaSends *sends = &hca->sends;
  SimTime now = sim_engine_now (hca->engine);
  guint ring = hca->params->send_ring;
  SimTime posted = now;
  SimTime completion;

  mad->source = hca->lid;
  completion = fabric_send (hca->fabric, mad);
  sends_retire (sends, now);
  if (sends->count >= ring)
    {
      /* It waits in software for the slot of the MAD `ring` places before it.  The
       * link sends in order of posting, so this changes nothing on the wire. */
      posted = sends_at (sends, sends->count - ring);
      hca->counters.send_waits++;
    }
  hca->counters.sent++;
  hca->counters.send_ring_max = MAX (hca->counters.send_ring_max, MIN (sends->count + 1, ring));
  sends_push (sends, completion);
  if (hca->send_meter != NULL)
    hca_meter_use (hca->send_meter, now, posted, completion);
  return completion;
}

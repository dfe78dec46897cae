/* The command interface: QP create and modify, `commands` callers at a time. */
#include "hca_private.h"

/* The commands of one call belong to one QP, whose transitions cannot overlap: they
 * are one job of the interface, as long as all of them together. */
static SimTime
command_service (Hca *hca, HcaCommand command, guint n)
{
  const SimDist *dist = NULL;
  SimStream *stream = NULL;
  SimTime service = 0;

  switch (command)
    {
    case HCA_COMMAND_QP_CREATE:
      dist = &hca->params->qp_create;
      stream = &hca->qp_create;
      break;
    case HCA_COMMAND_QP_MODIFY:
      dist = &hca->params->qp_modify;
      stream = &hca->qp_modify;
      break;
    }
  g_assert (dist != NULL);
  for (guint i = 0; i < n; i++)
    service = sim_time_add (service, sim_dist_sample (dist, stream));
  return service;
}

SimEventId
hca_command (Hca *hca, HcaCommand command, guint n, const SimEventClass *klass, gpointer owner,
             guint64 arg)
{
  SimTime now = sim_engine_now (hca->engine);
  SimTime service = command_service (hca, command, n);
  SimFifoSlot slot;
  gboolean taken = sim_fifo_offer (hca->commands, now, service, &slot);

  g_assert (taken);
  hca->counters.commands += n;
  hca->counters.command_busy = sim_fifo_busy_time (hca->commands);
  return sim_engine_schedule_at (hca->engine, slot.end, klass, owner, arg);
}

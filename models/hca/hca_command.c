/* The command interface: QP create and modify, `commands` callers at a time. */
#include "hca_private.h"

/* The commands of one call belong to one QP, whose transitions cannot overlap: they
 * are one job of the interface, as long as all of them together. */
static SimTime
command_service (Hca *hca, HcaCommand command, guint n)
{
  const HcaGroup *group = hca->group;
  SimTime service = 0;

  switch (command) {
  case HCA_COMMAND_QP_CREATE:
    for (guint i = 0; i < n; i++)
      service = sim_time_add (service,
                              sim_dist_sample_resting (&group->params->qp_create, group->qp_create,
                                                       hca->index, &hca->qp_create));
    break;
  case HCA_COMMAND_QP_MODIFY:
    for (guint i = 0; i < n; i++)
      service = sim_time_add (service,
                              sim_dist_sample_resting (&group->params->qp_modify, group->qp_modify,
                                                       hca->index, &hca->qp_modify));
    break;
  }
  return service;
}

SimEventId
hca_command (Hca *hca, HcaCommand command, guint n, const SimEventClass *klass, gpointer owner,
             guint64 arg)
{
  HcaGroup *group = hca->group;
  SimTime service = command_service (hca, command, n);
  SimTime end = hca_stage_offer (&hca->commands, group->params->commands,
                                 sim_engine_now (group->engine), service);

  group->counters.commands += n;
  group->counters.command_busy += service;
  return sim_engine_schedule_at (group->engine, end, klass, owner, arg);
}

/* What a scenario says about the wire: rules of loss, messages made by hand. */
#include "scenario_check_private.h"

#include <string.h>

#include "loss_rules.h"
#include "suggest.h"

/* ----- what the wire loses ----- */

/* A group of hosts, or one host of it. */
gboolean
scenario_check_host_is_known (const Check *check, const char *name)
{
  const GArray *hosts = check->model->hosts;
  guint first, count;

  for (guint i = 0; i < hosts->len; i++) {
    const HostGroupParams *group = &g_array_index (hosts, HostGroupParams, i);
    if (loss_name_resolve (name, group->name, group->count, &first, &count))
      return TRUE;
  }
  return FALSE;
}

/* "client.9" of four: the group is there, the host is not. */
gboolean
scenario_check_unknown_host (Check *check, const char *path, const char *name)
{
  const GArray *hosts = check->model->hosts;
  const char *dot = strrchr (name, '.');
  guint64 index;

  for (guint i = 0; dot && i < hosts->len; i++) {
    const HostGroupParams *group = &g_array_index (hosts, HostGroupParams, i);

    if (strlen (group->name) == (gsize) (dot - name) && g_str_has_prefix (name, group->name) &&
        g_ascii_string_to_unsigned (dot + 1, 10, 0, G_MAXUINT64, &index, NULL))
      return scenario_check_refuse (
          check, path, "there is no host %" G_GUINT64_FORMAT "; group %s has %u, numbered from 0",
          index, group->name, group->count);
  }
  return scenario_check_unknown_group (check, path, name);
}

/* "any" and "sm" too. */
static gboolean
loss_name_is_known (const Check *check, const char *name)
{
  guint first, count;

  return strcmp (name, LOSS_ANY_HOST) == 0 || loss_name_resolve (name, "sm", 1, &first, &count) ||
         scenario_check_host_is_known (check, name);
}

gboolean
scenario_check_loss (Check *check)
{
  const SimChoice *loss = &check->model->fabric.loss;
  const LossRulesParams *params = loss->params;

  if (loss->klass != &loss_rules.info)
    return TRUE;
  for (guint i = 0; i < params->rules->len; i++) {
    const LossRule *rule = &g_array_index (params->rules, LossRule, i);
    char path[64];

    if (rule->last > 0 && rule->last < rule->first)
      return scenario_check_refuse (check, ENTRY_PATH (path, "fabric.loss.rules", i, "last"),
                                    "%u is before first, %u", rule->last, rule->first);
    if (rule->action != LOSS_ACTION_DROP && rule->delay == 0)
      return scenario_check_refuse (check, ENTRY_PATH (path, "fabric.loss.rules", i, "delay"),
                                    "the action needs a delay, such as 10ms");
    if (!loss_name_is_known (check, rule->from))
      return scenario_check_unknown_host (check, ENTRY_PATH (path, "fabric.loss.rules", i, "from"),
                                          rule->from);
    if (!loss_name_is_known (check, rule->to))
      return scenario_check_unknown_host (check, ENTRY_PATH (path, "fabric.loss.rules", i, "to"),
                                          rule->to);
  }
  return TRUE;
}

/* ----- event channels ----- */

/* What ends with a process that reads a channel is what its listeners have accepted: the owners of
 * other ids on the channel are other entries, which would go on. */
static gboolean
check_reader_stays (Check *check, const char *list, guint i, const char *group, const char *channel)
{
  const GArray *listeners = check->model->listeners;
  char path[64];

  for (guint k = 0; k < listeners->len; k++) {
    const ListenerParams *listener = &g_array_index (listeners, ListenerParams, k);

    if (strcmp (listener->on, group) == 0 && strcmp (listener->channel, channel) == 0 &&
        listener->accept.exit_after != SIM_TIME_NEVER)
      return scenario_check_refuse (check, ENTRY_PATH (path, list, i, "channel"),
                                    "the process of listeners.%u, which reads it, ends with "
                                    "accept.exit_after, and this entry would go on; leave out one "
                                    "of the two",
                                    k);
  }
  return TRUE;
}

gboolean
scenario_check_channel (Check *check, const char *list, guint i, const char *group,
                        const char *channel)
{
  const GArray *listeners = check->model->listeners;
  char path[64], *quoted;

  if (!*channel)
    return TRUE;
  for (guint k = 0; k < listeners->len; k++) {
    const ListenerParams *listener = &g_array_index (listeners, ListenerParams, k);

    if (strcmp (listener->on, group) != 0 || strcmp (listener->channel, channel) != 0)
      continue;
    if (listener->channel_events != LISTENER_EVENTS_ALL)
      return scenario_check_refuse (check, ENTRY_PATH (path, list, i, "channel"),
                                    "it is the channel of listeners.%u, where only requests wait; "
                                    "set channel_events: all there",
                                    k);
    return check_reader_stays (check, list, i, group, channel);
  }
  quoted = suggest_quote (channel);
  scenario_check_refuse (check, ENTRY_PATH (path, list, i, "channel"),
                         "no listener of the same hosts has an event channel %s", quoted);
  g_free (quoted);
  return FALSE;
}

/* ----- messages made by hand ----- */

gboolean
scenario_check_handmade (Check *check)
{
  const GArray *list = check->model->handmade;
  char path[64];

  for (guint i = 0; i < list->len; i++) {
    const HandmadeParams *params = &g_array_index (list, HandmadeParams, i);

    if (!scenario_check_host_is_known (check, params->from))
      return scenario_check_unknown_host (check, ENTRY_PATH (path, "handmade", i, "from"),
                                          params->from);
    if (!scenario_check_host_is_known (check, params->to))
      return scenario_check_unknown_host (check, ENTRY_PATH (path, "handmade", i, "to"),
                                          params->to);
    if (!scenario_check_ulp (check, ENTRY_PATH (path, "handmade", i, "ulp"), params->ulp))
      return FALSE;
  }
  return TRUE;
}

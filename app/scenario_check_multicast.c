/* What a scenario says about multicast groups. */
#include "scenario_check_private.h"

#include "arrivals.h"
#include "suggest.h"

#define MEMBERS_MAX 16000000

static gboolean
check_group (Check *check, guint i, const MulticastParams *params)
{
  IbGroupAddress address;
  char path[64], *quoted;

  ENTRY_PATH (path, "multicast", i, "group");
  if (!ib_group_parse (params->group, &address)) {
    quoted = suggest_quote (params->group);
    scenario_check_refuse (check, path,
                           "%s is no multicast address; write one such as 239.1.2.3, ff15::1, "
                           "0.0.0.0 or ib:ff12:401b:ffff::1",
                           quoted);
    g_free (quoted);
    return FALSE;
  }
  if (params->by == MULTICAST_BY_IPOIB &&
      (address.family == IB_GROUP_GID || ib_gid_is_zero (&address.address)))
    return scenario_check_refuse (
        check, path, "IPoIB joins groups of IP: an address in 224.0.0.0/4 or ff00::/8");
  return TRUE;
}

/* A member that fails at once would fail for ever at the same time. */
static gboolean
check_retries (Check *check, guint i, const MulticastParams *params)
{
  char path[64];

  if (params->by == MULTICAST_BY_IPOIB)
    return TRUE;
  if (params->retry_after == 0 && params->attempts == 0)
    return scenario_check_refuse (check, ENTRY_PATH (path, "multicast", i, "retry_after"),
                                  "0s and any number of attempts: time would not pass; write a "
                                  "time, such as 100ms, or set attempts");
  return TRUE;
}

static gboolean
check_entry (Check *check, GHashTable *names, guint i, guint64 *total)
{
  const MulticastParams *params = &g_array_index (check->model->multicast, MulticastParams, i);
  const HostGroupParams *group = g_hash_table_lookup (check->groups, params->from);
  char path[64];

  if (!group)
    return scenario_check_unknown_group (check, ENTRY_PATH (path, "multicast", i, "from"),
                                         params->from);
  if (!scenario_check_name (check, names, "multicast", i, params->name) ||
      !check_group (check, i, params) || !check_retries (check, i, params))
    return FALSE;
  if (params->arrivals.klass == &arrival_trace.info)
    return scenario_check_refuse (check, ENTRY_PATH (path, "multicast", i, "arrivals"),
                                  "a trace is of connects; members come in another way");
  if (!scenario_check_channel (check, "multicast", i, params->from, params->channel))
    return FALSE;
  *total += (guint64) group->count * params->per_host;
  return *total <= MEMBERS_MAX ||
         scenario_check_refuse (check, ENTRY_PATH (path, "multicast", i, "per_host"),
                                "%" G_GUINT64_FORMAT " members in all; at most %d", *total,
                                MEMBERS_MAX);
}

gboolean
scenario_check_multicast (Check *check, GHashTable *names)
{
  guint64 total = 0;

  for (guint i = 0; i < check->model->multicast->len; i++)
    if (!check_entry (check, names, i, &total))
      return FALSE;
  return TRUE;
}

/* What the files that check a scenario share. */
#pragma once

#include "scenario_read.h"

typedef struct {
  const ScenarioModel *model;
  const YamlNode *root;
  GHashTable *groups; /* name -> HostGroupParams; looked up only */
  GError **error;
} Check;

/* `path` of entry i of a list: connects.2.from. */
#define ENTRY_PATH(buffer, list, i, key) \
  (g_snprintf (buffer, sizeof buffer, "%s.%u.%s", list, i, key), buffer)

/* Refuses the scenario: FALSE.  The message begins with the path, as for single values. */
gboolean scenario_check_refuse (Check *check, const char *path, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
gboolean scenario_check_unknown_group (Check *check, const char *path, const char *name);
/* The name of an upper-layer protocol. */
gboolean scenario_check_ulp (Check *check, const char *path, const char *name);
/* A group of hosts, or one host of it. */
gboolean scenario_check_host_is_known (const Check *check, const char *name);
/* Refuses a name that is neither. */
gboolean scenario_check_unknown_host (Check *check, const char *path, const char *name);

/* scenario_check_wire.c */
gboolean scenario_check_loss (Check *check);
gboolean scenario_check_handmade (Check *check);
/* The event channel that entry i of a list names, or "": a listener of the group has it, with all
 * events. */
gboolean scenario_check_channel (Check *check, const char *list, guint i, const char *group,
                                 const char *channel);
/* scenario_check_multicast.c */
gboolean scenario_check_multicast (Check *check, GHashTable *names);
/* Entry i of the list has this name, which no other has; `names` collects them. */
gboolean scenario_check_name (Check *check, GHashTable *names, const char *list, guint i,
                              const char *name);

/* Where a connect goes: "group:port" or "group.index:port". */
#pragma once

#include <glib.h>

typedef struct {
  char *group;      /* (transfer full) */
  gboolean indexed; /* one host of the group, else all in turn */
  guint index;
  guint port;       /* 1 to 65535 */
} ScenarioTarget;

/* FALSE if the text has neither form. */
gboolean scenario_target_parse (const char *text, ScenarioTarget *ret_target);
void scenario_target_clear (ScenarioTarget *target);

/* Overrides: `listeners.0.backlog.limit: 256` applied to a tree before it is read. */
#pragma once

#include "param_reader.h"
#include "yaml_edit.h"

typedef struct {
  const char *path;       /* dotted */
  YamlNode *value;
  const YamlPlace *place; /* of the path */
} ScenarioOverride;

/* Applies one override to *root, whose nodes of other editions stay as they are.  What
 * the file wrote in short form (a class without parameters, a host count) is written out
 * when a part of it is overridden, and a part of a default starts from the default.
 * A step that no rows know is put where the path says; the reader refuses it. */
gboolean scenario_override_apply (ParamReader *reader, Arena *arena, guint edition,
                                  const SimParam *rows, const ScenarioOverride *override,
                                  YamlNode **root, GError **error);

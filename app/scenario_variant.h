/* From a tree to the scenario's variants. */
#pragma once

#include "scenario_override.h"
#include "scenario_read.h"

/* Reads the variants that `compare:` names, or the one there is without it, and fills the
 * head of the scenario.  settings: trees of the values, with their paths. */
gboolean scenario_variants_read (ScenarioReading *reading, YamlNode *root,
                                 const ScenarioOverride *settings, guint n_settings,
                                 Scenario *scenario, GError **error);

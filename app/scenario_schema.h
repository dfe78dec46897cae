/* What a scenario file may hold: the rows of its top level. */
#pragma once

#include "scenario.h"

/* A file for one variant: the head, which all variants share, and the model. */
typedef struct {
  guint version;
  const char *question;
  guint64 seed;
  guint replications;
  ScenarioModel model;
} ScenarioDocument;

/* Rows of ScenarioDocument, in the order of the reference.  `profile`, `compare`,
 * `matrix` and `expect` are read by code of their own; the latter three have no rows. */
extern const SimParam scenario_rows[];

/* The rows of `profile:` with `base` in front, which fills CmProfile.name. */
const SimParam *scenario_profile_rows (struct Arena *arena);

/* Keys that a variant cannot change. */
gboolean scenario_key_is_common (const char *key);

/* `matrix:`: axes, and a variant for every combination of their values. */
#pragma once

#include "scenario_read.h"

/* A value of an axis: its name, and the overrides it stands for. */
typedef struct {
  const YamlNode *key;
  const YamlNode *overrides; /* a mapping, or nothing */
} MatrixValue;

typedef struct {
  const char *name;
  guint n;
  MatrixValue *values;
} MatrixAxis;

/* Reads the axes, and sets those of the scenario. */
gboolean scenario_matrix_read (ScenarioReading *reading, const YamlNode *matrix,
                               MatrixAxis **ret_axes, guint *ret_n, Scenario *scenario,
                               GError **error);

/* The next place in row-major order; FALSE behind the last one. */
gboolean scenario_matrix_next (const MatrixAxis *axes, guint n_axes, guint *at);
/* "A,B,C"; in the arena. */
const char *scenario_matrix_name (Arena *arena, const MatrixAxis *axes, guint n_axes,
                                  const guint *at);

/* Makes a cell's tree name its trace files as they are called beside the cell's own file, and
 * notes them. */
gboolean scenario_matrix_gather (ScenarioReading *reading, guint edition,
                                 const ScenarioModel *model, Scenario *scenario, YamlNode **tree,
                                 GError **error);
/* Every cell as a file of its own: fills ScenarioVariant.yaml.  trees: their trees. */
void scenario_matrix_write (ScenarioReading *reading, const GPtrArray *trees, Scenario *scenario);

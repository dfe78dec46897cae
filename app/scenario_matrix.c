/* Axes of `matrix:`.
 *
 *   AXIS: {VALUE: {PATH: value, ...}, ...}     what each value changes
 *   AXIS: {set: PATH, to: [value, ...]}        one path, and what it is set to */
#include "scenario_matrix.h"

#include <string.h>

#include "matrix.h"
#include "suggest.h"
#include "yaml_edit.h"

#define AXES_MAX 8
#define CELLS_MAX 4096
#define NAME_MAX_LENGTH 40

/* Names stand in names of files and in lines of `expect:`, where "any" is a word. */
static gboolean
check_name (const char *axis, const YamlNode *key, GError **error)
{
  gsize length = strlen (key->text);
  char *quoted;

  if (length > 0 && length <= NAME_MAX_LENGTH && g_ascii_isalnum (key->text[0]) &&
      strspn (key->text, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "-_.+") == length &&
      strcmp (key->text, SCENARIO_ANY_VALUE) != 0)
    return TRUE;
  quoted = suggest_quote (key->text);
  diagnose_refuse (
      error, &key->place,
      "matrix%s%s: %s cannot be a name; allowed: letters, digits and - _ . +, at most %d, the "
      "first a letter or a digit, and not \"" SCENARIO_ANY_VALUE "\"",
      axis ? "." : "", axis ? axis : "", quoted, NAME_MAX_LENGTH);
  g_free (quoted);
  return FALSE;
}

/* The tables have a column for each axis, beside those that say what came out. */
static gboolean
check_axis_name (const YamlNode *key, GError **error)
{
  g_autofree char *fixed = NULL;

  if (!check_name (NULL, key, error))
    return FALSE;
  if (!matrix_column_is_fixed (key->text))
    return TRUE;
  fixed = matrix_fixed_columns ();
  return diagnose_refuse (error, &key->place,
                          "matrix: an axis cannot be named \"%s\", as a column of matrix.csv is; "
                          "not allowed: %s",
                          key->text, fixed);
}

/* ----- {set: PATH, to: [...]} ----- */

static gboolean
is_short (const YamlNode *axis)
{
  const YamlNode *set = yaml_node_get (axis, "set");

  return set && set->kind == YAML_TREE_SCALAR;
}

/* The name of a value: itself, or of a choice with parameters its class. */
static const YamlNode *
name_of (const YamlNode *value)
{
  return value->kind == YAML_TREE_MAPPING && value->n == 1 ? value->keys[0] : value;
}

static gboolean
read_short (ScenarioReading *reading, const YamlNode *node, MatrixAxis *axis, GError **error)
{
  const YamlNode *set = yaml_node_get (node, "set"), *to = yaml_node_get (node, "to");

  for (guint i = 0; i < node->n; i++)
    if (node->items[i] != set && node->items[i] != to)
      return diagnose_refuse (error, &node->keys[i]->place,
                              "matrix.%s: there is no key \"%s\" beside set; allowed: set, to",
                              axis->name, node->keys[i]->text);
  if (!to)
    return diagnose_refuse (error, &node->place,
                            "matrix.%s: to is missing; write {set: PATH, to: [VALUE, ...]}",
                            axis->name);
  if (to->kind != YAML_TREE_SEQUENCE || to->n == 0)
    return diagnose_refuse (error, &to->place,
                            "matrix.%s.to: expected a list of one value or more, such as "
                            "[VALUE, ...]; found %s",
                            axis->name,
                            to->kind == YAML_TREE_SEQUENCE ? "an empty list"
                                                           : yaml_node_describe (to));
  axis->n = to->n;
  axis->values = arena_alloc (reading->arena, to->n * sizeof *axis->values);
  for (guint i = 0; i < to->n; i++) {
    YamlNode *overrides = yaml_edit_mapping (reading->arena, &to->items[i]->place, 0);

    if (name_of (to->items[i])->kind != YAML_TREE_SCALAR)
      return diagnose_refuse (
          error, &to->items[i]->place,
          "matrix.%s: expected a plain value; a list or a mapping needs a name: write "
          "NAME: {PATH: VALUE}",
          axis->name);
    yaml_edit_put (reading->arena, overrides, set->text, &set->place, to->items[i]);
    axis->values[i] = (MatrixValue){ name_of (to->items[i]), overrides };
  }
  return TRUE;
}

/* ----- {VALUE: {PATH: value}} ----- */

static gboolean
read_long (ScenarioReading *reading, const YamlNode *node, MatrixAxis *axis, GError **error)
{
  axis->n = node->n;
  axis->values = arena_alloc (reading->arena, node->n * sizeof *axis->values);
  for (guint i = 0; i < node->n; i++) {
    const YamlNode *overrides = node->items[i];

    if (overrides->kind != YAML_TREE_MAPPING && !yaml_node_is_null (overrides))
      return diagnose_refuse (error, &overrides->place,
                              "matrix.%s.%s: expected a mapping of paths to values, such as "
                              "{listeners.0.backlog.limit: 256}; found %s",
                              axis->name, node->keys[i]->text, yaml_node_describe (overrides));
    axis->values[i] = (MatrixValue){ node->keys[i], overrides };
  }
  return TRUE;
}

static gboolean
check_values (const MatrixAxis *axis, GError **error)
{
  for (guint i = 0; i < axis->n; i++) {
    if (!check_name (axis->name, axis->values[i].key, error))
      return FALSE;
    for (guint k = 0; k < i; k++)
      if (strcmp (axis->values[i].key->text, axis->values[k].key->text) == 0)
        return diagnose_refuse (error, &axis->values[i].key->place,
                                "matrix.%s: \"%s\" is there twice", axis->name,
                                axis->values[i].key->text);
  }
  return TRUE;
}

static gboolean
read_axis (ScenarioReading *reading, const YamlNode *key, const YamlNode *node, MatrixAxis *axis,
           GError **error)
{
  if (!check_axis_name (key, error))
    return FALSE;
  axis->name = key->text;
  if (node->kind != YAML_TREE_MAPPING || node->n == 0)
    return diagnose_refuse (
        error, &node->place,
        "matrix.%s: expected the values of the axis, {NAME: {PATH: VALUE}, ...} or "
        "{set: PATH, to: [VALUE, ...]}; found %s",
        key->text, node->kind == YAML_TREE_MAPPING ? "none" : yaml_node_describe (node));
  return (is_short (node) ? read_short : read_long) (reading, node, axis, error) &&
         check_values (axis, error);
}

/* ----- the axes ----- */

static void
set_axes (ScenarioReading *reading, const MatrixAxis *axes, guint n, Scenario *scenario)
{
  scenario->n_axes = n;
  scenario->axes = arena_alloc (reading->arena, n * sizeof *scenario->axes);
  for (guint a = 0; a < n; a++) {
    const char **values = arena_alloc (reading->arena, (axes[a].n + 1) * sizeof *values);

    for (guint i = 0; i < axes[a].n; i++)
      values[i] = axes[a].values[i].key->text;
    scenario->axes[a] = (ScenarioAxis){ axes[a].name, axes[a].n, values };
  }
}

gboolean
scenario_matrix_read (ScenarioReading *reading, const YamlNode *matrix, MatrixAxis **ret_axes,
                      guint *ret_n, Scenario *scenario, GError **error)
{
  MatrixAxis *axes;
  guint64 cells = 1;

  if (matrix->kind != YAML_TREE_MAPPING || matrix->n == 0)
    return diagnose_refuse (error, &matrix->place, "matrix: expected a mapping of axes; found %s",
                            matrix->kind == YAML_TREE_MAPPING ? "none"
                                                              : yaml_node_describe (matrix));
  if (matrix->n > AXES_MAX)
    return diagnose_refuse (error, &matrix->place, "matrix: %u axes; at most %d", matrix->n,
                            AXES_MAX);
  axes = arena_alloc (reading->arena, matrix->n * sizeof *axes);
  for (guint a = 0; a < matrix->n; a++) {
    if (!read_axis (reading, matrix->keys[a], matrix->items[a], &axes[a], error))
      return FALSE;
    cells *= axes[a].n;
    if (cells > CELLS_MAX)
      return diagnose_refuse (error, &matrix->place, "matrix: more than %d cells", CELLS_MAX);
  }
  set_axes (reading, axes, matrix->n, scenario);
  *ret_axes = axes;
  *ret_n = matrix->n;
  return TRUE;
}

gboolean
scenario_matrix_next (const MatrixAxis *axes, guint n_axes, guint *at)
{
  for (guint a = n_axes; a > 0; a--) {
    if (++at[a - 1] < axes[a - 1].n)
      return TRUE;
    at[a - 1] = 0;
  }
  return FALSE;
}

const char *
scenario_matrix_name (Arena *arena, const MatrixAxis *axes, guint n_axes, const guint *at)
{
  GString *name = g_string_new (NULL);
  const char *kept;

  for (guint a = 0; a < n_axes; a++)
    g_string_append_printf (name, "%s%s", a > 0 ? "," : "", axes[a].values[at[a]].key->text);
  kept = arena_strdup (arena, name->str);
  g_string_free (name, TRUE);
  return kept;
}

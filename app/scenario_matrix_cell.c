/* A cell as a scenario of its own. */
#include <string.h>

#include "expect_cell.h"
#include "expect_parse.h"
#include "matrix.h"
#include "scenario_matrix.h"
#include "scenario_override.h"
#include "yaml_write.h"

static void
write_head (GString *out, const Scenario *scenario, const ScenarioVariant *cell)
{
  g_string_append_printf (out, "# A cell of the matrix %s:", scenario->name);
  for (guint a = 0; a < scenario->n_axes; a++)
    g_string_append_printf (out, "%s %s %s", a > 0 ? "," : "", scenario->axes[a].name,
                            scenario->axes[a].values[cell->at[a]]);
  g_string_append (out, ".\n");
}

static void
write_tree (GString *out, const YamlNode *tree)
{
  YamlNode kept = *tree;
  guint n = 0;

  kept.keys = g_new (YamlNode *, tree->n);
  kept.items = g_new (YamlNode *, tree->n);
  for (guint i = 0; i < tree->n; i++) {
    if (!strcmp (tree->keys[i]->text, "matrix") || !strcmp (tree->keys[i]->text, "expect"))
      continue;
    kept.keys[n] = tree->keys[i];
    kept.items[n++] = tree->items[i];
  }
  kept.n = n;
  yaml_write (out, &kept, 0);
  g_free (kept.keys);
  g_free (kept.items);
}

/* Its lines, without the cell's name. */
static void
write_expects (GString *out, const Scenario *scenario, const ScenarioVariant *cell)
{
  gboolean first = TRUE;

  for (guint i = 0; i < scenario->expects->len; i++) {
    const Expect *expect = g_ptr_array_index (scenario->expects, i);
    const char *line = expect->text;

    if (expect->variant) {
      if (!expect_cell_matches (expect->variant, cell->name))
        continue;
      line = strchr (line, ':') + 1;
      line += strspn (line, " ");
    }
    g_string_append_printf (out, "%s  - %s\n", first ? "expect:\n" : "", line);
    first = FALSE;
  }
}

/* ----- the files it reads ----- */

static gboolean
name_is_free (const Scenario *scenario, const char *name)
{
  for (guint i = 0; i < scenario->cell_files->len; i++)
    if (!strcmp (((const ScenarioCellFile *) scenario->cell_files->pdata[i])->name, name))
      return FALSE;
  return TRUE;
}

/* log.csv; log-2.csv if that is another file's name. */
static const char *
new_name (const ScenarioReading *reading, const Scenario *scenario, const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  const char *dot = strrchr (base, '.');
  int stem = dot && dot > base ? (int) (dot - base) : (int) strlen (base);
  const char *name = arena_printf (reading->arena, "%.*s" MATRIX_CELL_FILE, stem, base);

  for (guint n = 2; !name_is_free (scenario, name); n++)
    name = arena_printf (reading->arena, "%.*s-%u" MATRIX_CELL_FILE, stem, base, n);
  return name;
}

static const char *
cell_file (const ScenarioReading *reading, Scenario *scenario, const char *file)
{
  g_autofree char *path = scenario_trace_path (reading, file);
  ScenarioCellFile *new;

  for (guint i = 0; i < scenario->cell_files->len; i++) {
    const ScenarioCellFile *known = g_ptr_array_index (scenario->cell_files, i);

    if (!strcmp (known->path, path))
      return known->name;
  }
  new = arena_alloc (reading->arena, sizeof *new);
  new->path = arena_strdup (reading->arena, path);
  new->name = new_name (reading, scenario, path);
  g_ptr_array_add (scenario->cell_files, new);
  return new->name;
}

gboolean
scenario_matrix_gather (ScenarioReading *reading, guint edition, const ScenarioModel *model,
                        Scenario *scenario, YamlNode **tree, GError **error)
{
  for (guint i = 0; i < model->connects->len; i++) {
    const ConnectParams *connect = &g_array_index (model->connects, ConnectParams, i);
    const char *file;
    YamlNode *value;
    ScenarioOverride override;

    if (connect->arrivals.klass != &arrival_trace.info)
      continue;
    file = ((const ArrivalTraceParams *) connect->arrivals.params)->file;
    value = arena_alloc (reading->arena, sizeof *value);
    *value = (YamlNode){ .kind = YAML_TREE_SCALAR,
                         .place = (*tree)->place,
                         .text = cell_file (reading, scenario, file),
                         .depth = 1,
                         .nodes = 1 };
    override = (ScenarioOverride){
      .path = arena_printf (reading->arena, "connects.%u.arrivals.trace.file", i),
      .value = value,
      .place = &value->place,
    };
    if (!scenario_override_apply (reading->reader, reading->arena, edition, scenario_rows,
                                  &override, tree, error))
      return FALSE;
  }
  return TRUE;
}

/* ----- all of them ----- */

void
scenario_matrix_write (ScenarioReading *reading, const GPtrArray *trees, Scenario *scenario)
{
  for (guint i = 0; i < trees->len; i++) {
    ScenarioVariant *cell = g_ptr_array_index (scenario->variants, i);
    GString *out = g_string_new (NULL);

    write_head (out, scenario, cell);
    write_tree (out, g_ptr_array_index (trees, i));
    write_expects (out, scenario, cell);
    cell->yaml = arena_strndup (reading->arena, out->str, out->len);
    g_string_free (out, TRUE);
  }
}

/* A cell as a scenario of its own. */
#include <string.h>

#include "expect_cell.h"
#include "expect_parse.h"
#include "scenario_matrix.h"
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

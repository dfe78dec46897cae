/* Nodes that name a class: choices, and distributions, which a plain time may stand for. */
#include "param_dist.h"
#include "param_reader_private.h"
#include "param_value.h"
#include "suggest.h"

#include <string.h>

static gboolean
unknown_class (ParamReader *reader, const YamlNode *name, const SimClassInfo *const *classes)
{
  GPtrArray *names = g_ptr_array_new ();
  char *quoted = suggest_quote (name->text), *clause;

  for (; *classes; classes++)
    g_ptr_array_add (names, (gpointer) (*classes)->name);
  g_ptr_array_add (names, NULL);
  clause = suggest_clause (name->text, (const char *const *) names->pdata);
  param_refuse (reader, &name->place, "unknown value %s%s", quoted, clause);
  g_free (quoted);
  g_free (clause);
  g_ptr_array_unref (names);
  return FALSE;
}

static gboolean
read_class (ParamReader *reader, const YamlNode *name, const YamlNode *value,
            const SimClassInfo *klass, gpointer params)
{
  static const SimParam no_rows[] = { { .name = NULL } };
  gsize length;

  if (!klass->params && value && !yaml_node_is_null (value)
      && !(value->kind == YAML_TREE_MAPPING && value->n == 0))
    return param_refuse (reader, &value->place, "\"%s\" takes no parameters; write %s alone",
                         klass->name, klass->name);
  length = param_enter (reader, klass->name);
  return param_leave (reader, length,
                      param_read_struct (reader, value, &name->place,
                                         klass->params ? klass->params : no_rows, klass->main_param,
                                         FALSE, params));
}

/* Finds the class a node names and fills its parameters. */
gboolean
param_read_choice (ParamReader *reader, const YamlNode *node, const SimClassInfo *const *classes,
                   const char *wanted, SimChoice *ret_choice)
{
  const YamlNode *name = node, *value = NULL;
  gpointer params;

  if (node->kind == YAML_TREE_MAPPING && node->n == 1) {
    name = node->keys[0];
    value = node->items[0];
  } else if (node->kind == YAML_TREE_MAPPING) {
    return param_refuse (reader, &node->place, "a mapping of %u keys, expected %s", node->n,
                         wanted);
  } else if (node->kind == YAML_TREE_SEQUENCE || yaml_node_is_null (node)) {
    return param_wrong_kind (reader, node, wanted);
  }
  ret_choice->klass = param_find_class (classes, name->text);
  if (!ret_choice->klass)
    return unknown_class (reader, name, classes);
  params = arena_alloc (reader->arena, ret_choice->klass->params_size);
  ret_choice->params = params;
  return read_class (reader, name, value, ret_choice->klass, params);
}

gboolean
param_read_dist (ParamReader *reader, const YamlNode *node, const SimParam *row, SimDist *ret_dist)
{
  static const SimParam constant = { .name = "value", .kind = SIM_PARAM_TIME };
  char *wrong, *wanted;
  SimChoice choice;
  SimTime value;
  gboolean good;

  if (node->kind == YAML_TREE_SCALAR && !yaml_node_is_null (node)
      && !param_find_class (param_dist_classes, node->text)) {
    wrong = param_value_parse (reader->arena, &constant, node->text, &value);
    if (wrong)
      param_refuse (
          reader, &node->place, "%s%s", wrong,
          g_ascii_isdigit (*node->text) ? "" : ", or a distribution such as {exponential: 2ms}");
    else
      *ret_dist = sim_dist_constant (value);
    good = !wrong;
    g_free (wrong);
    return good;
  }
  wanted = param_value_wanted (row);
  reader->positional++;
  good = param_read_choice (reader, node, param_dist_classes, wanted, &choice);
  reader->positional--;
  g_free (wanted);
  if (!good)
    return FALSE;
  wrong = param_dist_build (reader->arena, choice.klass, choice.params, ret_dist);
  if (wrong)
    param_refuse (reader, &node->place, "%s", wrong);
  good = !wrong;
  g_free (wrong);
  return good;
}

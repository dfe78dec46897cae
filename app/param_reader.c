/* One function per kind of node; single values are param_value.c's. */
#include "param_reader.h"

#include "param_dist.h"
#include "param_value.h"
#include "suggest.h"

#include <string.h>

#define KEYS_LISTED_MAX 8

struct ParamReader {
  Arena *arena;
  GHashTable *defaults; /* text -> YamlNode; looked up only */
  GString *path;        /* of what is being read */
  guint positional;     /* > 0: a struct may be written as a list in the order of its rows */
  GError **error;
};

static gboolean read_row (ParamReader *reader, const YamlNode *node, const YamlPlace *place,
                          const SimParam *row, gpointer target);

ParamReader *
param_reader_new (Arena *arena)
{
  ParamReader *reader = g_new0 (ParamReader, 1);

  reader->arena = arena;
  reader->defaults = g_hash_table_new (g_str_hash, g_str_equal);
  reader->path = g_string_new (NULL);
  return reader;
}

void
param_reader_free (ParamReader *reader)
{
  if (!reader)
    return;
  g_hash_table_unref (reader->defaults);
  g_string_free (reader->path, TRUE);
  g_free (reader);
}

const SimParam *
param_find (const SimParam *rows, const char *name)
{
  for (; rows->name; rows++)
    if (!strcmp (rows->name, name))
      return rows;
  return NULL;
}

const SimClassInfo *
param_find_class (const SimClassInfo *const *classes, const char *name)
{
  for (; *classes; classes++)
    if (!strcmp ((*classes)->name, name))
      return *classes;
  return NULL;
}

YamlNode *
param_reader_default (ParamReader *reader, const char *text)
{
  YamlNode *node = g_hash_table_lookup (reader->defaults, text);
  YamlPlace place = { .file = "default" };
  GError *error = NULL;

  if (node)
    return node;
  node = yaml_tree_parse (reader->arena, &place, text, strlen (text), &error);
  if (!node)
    g_error ("%s", error->message);
  g_hash_table_insert (reader->defaults, (gpointer) text, node);
  return node;
}

/* ----- messages ----- */

static gboolean G_GNUC_PRINTF (3, 4)
refuse (ParamReader *reader, const YamlPlace *place, const char *format, ...)
{
  va_list args;
  char *text;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  diagnose_value (reader->error, place, reader->path->str, text);
  g_free (text);
  return FALSE;
}

static gsize
enter (ParamReader *reader, const char *name)
{
  gsize length = reader->path->len;

  g_string_append_printf (reader->path, "%s%s", length > 0 ? "." : "", name);
  return length;
}

/* A name that the file gave. */
static gsize
enter_key (ParamReader *reader, const char *key)
{
  char *shown = suggest_shorten (key);
  gsize length = enter (reader, shown);

  g_free (shown);
  return length;
}

static gsize
enter_item (ParamReader *reader, guint index)
{
  char name[16];

  g_snprintf (name, sizeof name, "%u", index);
  return enter (reader, name);
}

static gboolean
leave (ParamReader *reader, gsize length, gboolean good)
{
  g_string_truncate (reader->path, length);
  return good;
}

static gboolean
wrong_kind (ParamReader *reader, const YamlNode *node, const char *wanted)
{
  if (yaml_node_is_null (node))
    return refuse (reader, &node->place, "has no value; write %s", wanted);
  return refuse (reader, &node->place, "expected %s; found %s", wanted, yaml_node_describe (node));
}

/* ----- keys ----- */

/* "backlog" if a group among the rows, or a group in a group, has a row of that name. */
static char *
find_in_groups (const SimParam *rows, const char *name)
{
  for (; rows->name; rows++) {
    char *below, *path;

    if (rows->kind != SIM_PARAM_GROUP || !rows->rows)
      continue;
    if (param_find (rows->rows, name))
      return g_strdup (rows->name);
    below = find_in_groups (rows->rows, name);
    if (below) {
      path = g_strconcat (rows->name, ".", below, NULL);
      g_free (below);
      return path;
    }
  }
  return NULL;
}

static gboolean
unknown_key (ParamReader *reader, const YamlNode *key, const SimParam *rows)
{
  GPtrArray *names = g_ptr_array_new ();
  char *quoted = suggest_quote (key->text), *group = find_in_groups (rows, key->text), *clause;
  const char *where = reader->path->len > 0 ? reader->path->str : "the scenario";

  for (; rows->name; rows++)
    g_ptr_array_add (names, (gpointer) rows->name);
  g_ptr_array_add (names, NULL);
  clause = suggest_clause (key->text, (const char *const *) names->pdata);
  if (group)
    diagnose (reader->error, SCENARIO_ERROR_VALUE, &key->place,
              "unknown key %s in %s; it belongs in %s.%s", quoted, where, where, group);
  else
    diagnose (reader->error, SCENARIO_ERROR_VALUE, &key->place, "unknown key %s in %s%s", quoted,
              where, clause);
  g_free (quoted);
  g_free (group);
  g_free (clause);
  g_ptr_array_unref (names);
  return FALSE;
}

static gboolean
check_keys (ParamReader *reader, const YamlNode *mapping, const SimParam *rows)
{
  for (guint i = 0; i < mapping->n; i++)
    if (!param_find (rows, mapping->keys[i]->text))
      return unknown_key (reader, mapping->keys[i], rows);
  return TRUE;
}

/* ----- structs ----- */

static gboolean
missing (ParamReader *reader, const YamlPlace *place, const SimParam *row)
{
  char *wanted = param_value_wanted (row);

  refuse (reader, place, "\"%s\" is missing; it takes %s: %s", row->name, wanted, row->help);
  g_free (wanted);
  return FALSE;
}

/* A row that was not written. */
static gboolean
read_default (ParamReader *reader, const YamlPlace *place, const SimParam *row, gpointer target)
{
  char *wrong;

  if (!row->value)
    return row->kind == SIM_PARAM_GROUP ? read_row (reader, NULL, place, row, target)
                                        : missing (reader, place, row);
  if (param_kind_is_plain (row->kind)) {
    wrong = param_value_parse (reader->arena, row, row->value, target);
    if (wrong)
      g_error ("default of %s: %s", row->name, wrong);
    return TRUE;
  }
  if (!read_row (reader, param_reader_default (reader, row->value), place, row, target))
    g_error ("default of %s: \"%s\" is not valid", row->name, row->value);
  return TRUE;
}

/* The node of a row in a struct that is written as a list. */
static gboolean
read_in_order (ParamReader *reader, const YamlNode *node, const SimParam *rows, gpointer target)
{
  GString *names = g_string_new (NULL);
  guint n = 0;
  gboolean good;

  for (; rows[n].name; n++)
    g_string_append_printf (names, "%s%s", n > 0 ? ", " : "", rows[n].name);
  good = node->n == n
         || refuse (reader, &node->place, "%u values, expected %u: [%s]", node->n, n, names->str);
  for (guint i = 0; good && i < n; i++)
    good = read_row (reader, node->items[i], &node->place, &rows[i], target);
  g_string_free (names, TRUE);
  return good;
}

/* Neither a mapping nor what could stand for one. */
static gboolean
not_a_struct (ParamReader *reader, const YamlNode *node, const SimParam *rows,
              const char *main_param)
{
  GString *wanted = g_string_new ("a mapping with");

  for (guint i = 0; rows[i].name && i <= KEYS_LISTED_MAX; i++)
    g_string_append_printf (wanted, "%s %s", i > 0 ? "," : "",
                            i < KEYS_LISTED_MAX ? rows[i].name : "...");
  if (main_param)
    g_string_append_printf (wanted, ", or a value for %s alone", main_param);
  wrong_kind (reader, node, wanted->str);
  g_string_free (wanted, TRUE);
  return FALSE;
}

/* Can a node that is not a mapping stand for this row? */
static gboolean
takes (const SimParam *row, const YamlNode *node)
{
  if (node->kind == YAML_TREE_SCALAR)
    return row->kind != SIM_PARAM_GROUP && row->kind != SIM_PARAM_LIST;
  return row->kind == SIM_PARAM_LIST || row->kind == SIM_PARAM_UINT_LIST;
}

static gboolean
read_struct (ParamReader *reader, const YamlNode *node, const YamlPlace *place, const SimParam *rows,
             const char *main_param, gboolean keep, gpointer target)
{
  const SimParam *main_row = NULL;

  if (node && yaml_node_is_null (node))
    node = NULL;
  if (node)
    place = &node->place;
  if (node && node->kind == YAML_TREE_MAPPING && !check_keys (reader, node, rows))
    return FALSE;
  if (node && node->kind != YAML_TREE_MAPPING) {
    main_row = main_param ? param_find (rows, main_param) : NULL;
    if (!main_row || !takes (main_row, node)) {
      if (reader->positional > 0 && node->kind == YAML_TREE_SEQUENCE)
        return read_in_order (reader, node, rows, target);
      return not_a_struct (reader, node, rows, main_param);
    }
  }
  for (const SimParam *row = rows; row->name; row++) {
    const YamlNode *child = node;

    if (node && main_row)
      child = row == main_row ? node : NULL;
    else if (node)
      child = yaml_node_get (node, row->name);
    if (child ? !read_row (reader, child, place, row, target)
              : !keep && !read_default (reader, place, row, target))
      return FALSE;
  }
  return TRUE;
}

/* ----- single values and lists ----- */

static gboolean
read_plain (ParamReader *reader, const YamlNode *node, const SimParam *row, gpointer target)
{
  char *wrong;
  gboolean good;

  if (node->kind != YAML_TREE_SCALAR || yaml_node_is_null (node)) {
    wrong = param_value_wanted (row);
    wrong_kind (reader, node, wrong);
    g_free (wrong);
    return FALSE;
  }
  wrong = param_value_parse (reader->arena, row, node->text, target);
  good = !wrong || refuse (reader, &node->place, "%s", wrong);
  g_free (wrong);
  return good;
}

static void
free_array (gpointer array)
{
  g_array_unref (array);
}

static GArray *
new_array (ParamReader *reader, gsize item_size, guint n)
{
  GArray *array = g_array_sized_new (FALSE, TRUE, (guint) item_size, n);

  arena_own (reader->arena, array, free_array);
  return g_array_set_size (array, n);
}

static gboolean
read_list (ParamReader *reader, const YamlNode *node, const SimParam *row, gpointer target)
{
  GArray *array;

  if (row->keyed && node->kind != YAML_TREE_MAPPING)
    return wrong_kind (reader, node, "a mapping of names");
  if (!row->keyed && node->kind != YAML_TREE_SEQUENCE)
    return wrong_kind (reader, node, "a list, each item behind a \"-\"");
  array = new_array (reader, row->item_size, node->n);
  for (guint i = 0; i < node->n; i++) {
    const YamlNode *item = node->items[i];
    gpointer place = array->data + i * row->item_size;
    gsize length = row->keyed ? enter_key (reader, node->keys[i]->text) : enter_item (reader, i);

    if (row->keyed)
      *(const char **) place = arena_strdup (reader->arena, node->keys[i]->text);
    if (!leave (reader, length,
                yaml_node_is_null (item)
                    ? wrong_kind (reader, item, row->keyed ? "a number or a mapping" : "a mapping")
                    : read_struct (reader, item, &node->place, row->rows, row->main_param, FALSE,
                                   place)))
      return FALSE;
  }
  *(GArray **) target = array;
  return TRUE;
}

static gboolean
read_uint_list (ParamReader *reader, const YamlNode *node, const SimParam *row, gpointer target)
{
  SimParam element = *row;
  gboolean single = node->kind == YAML_TREE_SCALAR && !yaml_node_is_null (node);
  GArray *array;

  if (node->kind != YAML_TREE_SEQUENCE && !single)
    return wrong_kind (reader, node, "a list of whole numbers, such as [3, 28]");
  element.offset = 0;
  element.kind = SIM_PARAM_UINT;
  array = new_array (reader, sizeof (guint), single ? 1 : node->n);
  for (guint i = 0; i < array->len; i++) {
    gsize length = enter_item (reader, i);

    if (!leave (reader, length,
                read_plain (reader, single ? node : node->items[i], &element,
                            &g_array_index (array, guint, i))))
      return FALSE;
  }
  *(GArray **) target = array;
  return TRUE;
}

/* ----- choices and distributions ----- */

static gboolean
unknown_class (ParamReader *reader, const YamlNode *name, const SimClassInfo *const *classes)
{
  GPtrArray *names = g_ptr_array_new ();
  char *quoted = suggest_quote (name->text), *clause;

  for (; *classes; classes++)
    g_ptr_array_add (names, (gpointer) (*classes)->name);
  g_ptr_array_add (names, NULL);
  clause = suggest_clause (name->text, (const char *const *) names->pdata);
  refuse (reader, &name->place, "unknown value %s%s", quoted, clause);
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
    return refuse (reader, &value->place, "\"%s\" takes no parameters; write %s alone", klass->name,
                   klass->name);
  length = enter (reader, klass->name);
  return leave (reader, length,
                read_struct (reader, value, &name->place, klass->params ? klass->params : no_rows,
                             klass->main_param, FALSE, params));
}

/* Finds the class a node names and fills its parameters. */
static gboolean
read_choice (ParamReader *reader, const YamlNode *node, const SimClassInfo *const *classes,
             const char *wanted, SimChoice *ret_choice)
{
  const YamlNode *name = node, *value = NULL;
  gpointer params;

  if (node->kind == YAML_TREE_MAPPING && node->n == 1) {
    name = node->keys[0];
    value = node->items[0];
  } else if (node->kind == YAML_TREE_MAPPING) {
    return refuse (reader, &node->place, "a mapping of %u keys, expected %s", node->n, wanted);
  } else if (node->kind == YAML_TREE_SEQUENCE || yaml_node_is_null (node)) {
    return wrong_kind (reader, node, wanted);
  }
  ret_choice->klass = param_find_class (classes, name->text);
  if (!ret_choice->klass)
    return unknown_class (reader, name, classes);
  params = arena_alloc (reader->arena, ret_choice->klass->params_size);
  ret_choice->params = params;
  return read_class (reader, name, value, ret_choice->klass, params);
}

static gboolean
read_dist (ParamReader *reader, const YamlNode *node, const SimParam *row, SimDist *ret_dist)
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
      refuse (reader, &node->place, "%s%s", wrong,
              g_ascii_isdigit (*node->text) ? "" : ", or a distribution such as {exponential: 2ms}");
    else
      *ret_dist = sim_dist_constant (value);
    good = !wrong;
    g_free (wrong);
    return good;
  }
  wanted = param_value_wanted (row);
  reader->positional++;
  good = read_choice (reader, node, param_dist_classes, wanted, &choice);
  reader->positional--;
  g_free (wanted);
  if (!good)
    return FALSE;
  wrong = param_dist_build (reader->arena, choice.klass, choice.params, ret_dist);
  if (wrong)
    refuse (reader, &node->place, "%s", wrong);
  good = !wrong;
  g_free (wrong);
  return good;
}

/* ----- rows ----- */

/* node: may be NULL for a GROUP only. */
static gboolean
read_row (ParamReader *reader, const YamlNode *node, const YamlPlace *place, const SimParam *row,
          gpointer target)
{
  gpointer field = (char *) target + row->offset;
  gsize length = enter (reader, row->name);
  char *wanted;
  gboolean good = FALSE;

  switch (row->kind) {
  case SIM_PARAM_GROUP:
    good = read_struct (reader, node, place, row->rows, row->main_param, FALSE, field);
    break;
  case SIM_PARAM_LIST:
    good = read_list (reader, node, row, field);
    break;
  case SIM_PARAM_UINT_LIST:
    good = read_uint_list (reader, node, row, field);
    break;
  case SIM_PARAM_DIST:
    good = read_dist (reader, node, row, field);
    break;
  case SIM_PARAM_CHOICE:
    wanted = param_value_wanted (row);
    good = read_choice (reader, node, row->classes, wanted, field);
    g_free (wanted);
    break;
  case SIM_PARAM_BOOL:
  case SIM_PARAM_UINT:
  case SIM_PARAM_UINT64:
  case SIM_PARAM_DOUBLE:
  case SIM_PARAM_PROBABILITY:
  case SIM_PARAM_TIME:
  case SIM_PARAM_RATE:
  case SIM_PARAM_BITRATE:
  case SIM_PARAM_SIZE:
  case SIM_PARAM_STRING:
  case SIM_PARAM_ENUM:
    good = read_plain (reader, node, row, target);
    break;
  }
  return leave (reader, length, good);
}

/* ----- public ----- */

gboolean
param_reader_fill (ParamReader *reader, const YamlNode *node, const char *path, const SimParam *rows,
                   gboolean keep, gpointer target, GError **error)
{
  static const YamlPlace nowhere = { .file = "default" };

  reader->error = error;
  g_string_assign (reader->path, path);
  return read_struct (reader, node, node ? &node->place : &nowhere, rows, NULL, keep, target);
}

gboolean
param_reader_row (ParamReader *reader, const YamlNode *mapping, const SimParam *row, gpointer target,
                  GError **error)
{
  const YamlNode *node = yaml_node_get (mapping, row->name);

  reader->error = error;
  g_string_truncate (reader->path, 0);
  return node ? read_row (reader, node, &mapping->place, row, target)
              : read_default (reader, &mapping->place, row, target);
}

gboolean
param_reader_check_keys (ParamReader *reader, const YamlNode *mapping, const char *path,
                         const SimParam *rows, GError **error)
{
  reader->error = error;
  g_string_assign (reader->path, path);
  return check_keys (reader, mapping, rows);
}

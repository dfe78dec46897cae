/* One function per kind of node; single values are param_value.c's, classes
 * param_choice.c's. */
#include "param_reader_private.h"
#include "param_value.h"

#include <string.h>

#define KEYS_LISTED_MAX 8

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

/* ----- structs ----- */

static gboolean
missing (ParamReader *reader, const YamlPlace *place, const SimParam *row)
{
  char *wanted = param_value_wanted (row);

  param_refuse (reader, place, "\"%s\" is missing; it takes %s: %s", row->name, wanted, row->help);
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
         || param_refuse (reader, &node->place, "%u values, expected %u: [%s]", node->n, n,
                          names->str);
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
  param_wrong_kind (reader, node, wanted->str);
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

gboolean
param_read_struct (ParamReader *reader, const YamlNode *node, const YamlPlace *place,
                   const SimParam *rows, const char *main_param, gboolean keep, gpointer target)
{
  const SimParam *main_row = NULL;

  if (node && yaml_node_is_null (node))
    node = NULL;
  if (node)
    place = &node->place;
  if (node && node->kind == YAML_TREE_MAPPING && !param_check_keys (reader, node, rows))
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

/* "text" alone helps nobody: the row says what text. */
static gboolean
not_text (ParamReader *reader, const YamlNode *node, const SimParam *row)
{
  gboolean null = yaml_node_is_null (node);

  return param_refuse (reader, &node->place, "%s%s; it takes text: %s",
                       null ? "has no value" : "found ", null ? "" : yaml_node_describe (node),
                       row->help);
}

static gboolean
read_plain (ParamReader *reader, const YamlNode *node, const SimParam *row, gpointer target)
{
  char *wrong;
  gboolean good;

  if (node->kind != YAML_TREE_SCALAR || yaml_node_is_null (node)) {
    if (row->kind == SIM_PARAM_STRING)
      return not_text (reader, node, row);
    wrong = param_value_wanted (row);
    param_wrong_kind (reader, node, wrong);
    g_free (wrong);
    return FALSE;
  }
  wrong = param_value_parse (reader->arena, row, node->text, target);
  good = !wrong || param_refuse (reader, &node->place, "%s", wrong);
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
    return param_wrong_kind (reader, node, "a mapping of names");
  if (!row->keyed && node->kind != YAML_TREE_SEQUENCE)
    return param_wrong_kind (reader, node, "a list, each item behind a \"-\"");
  array = new_array (reader, row->item_size, node->n);
  for (guint i = 0; i < node->n; i++) {
    const YamlNode *item = node->items[i];
    gpointer place = array->data + i * row->item_size;
    gsize length =
        row->keyed ? param_enter_key (reader, node->keys[i]->text) : param_enter_item (reader, i);

    if (row->keyed)
      *(const char **) place = arena_strdup (reader->arena, node->keys[i]->text);
    if (!param_leave (reader, length,
                      yaml_node_is_null (item)
                          ? param_wrong_kind (reader, item,
                                              row->keyed ? "a number or a mapping" : "a mapping")
                          : param_read_struct (reader, item, &node->place, row->rows,
                                               row->main_param, FALSE, place)))
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
    return param_wrong_kind (reader, node, "a list of whole numbers, such as [3, 28]");
  element.offset = 0;
  element.kind = SIM_PARAM_UINT;
  array = new_array (reader, sizeof (guint), single ? 1 : node->n);
  for (guint i = 0; i < array->len; i++) {
    gsize length = param_enter_item (reader, i);

    if (!param_leave (reader, length,
                      read_plain (reader, single ? node : node->items[i], &element,
                                  &g_array_index (array, guint, i))))
      return FALSE;
  }
  *(GArray **) target = array;
  return TRUE;
}

/* ----- rows ----- */

/* node: may be NULL for a GROUP only. */
static gboolean
read_row (ParamReader *reader, const YamlNode *node, const YamlPlace *place, const SimParam *row,
          gpointer target)
{
  gpointer field = (char *) target + row->offset;
  gsize length = param_enter (reader, row->name);
  char *wanted;
  gboolean good = FALSE;

  switch (row->kind) {
  case SIM_PARAM_GROUP:
    good = param_read_struct (reader, node, place, row->rows, row->main_param, FALSE, field);
    break;
  case SIM_PARAM_LIST:
    good = read_list (reader, node, row, field);
    break;
  case SIM_PARAM_UINT_LIST:
    good = read_uint_list (reader, node, row, field);
    break;
  case SIM_PARAM_DIST:
    good = param_read_dist (reader, node, row, field);
    break;
  case SIM_PARAM_CHOICE:
    wanted = param_value_wanted (row);
    good = param_read_choice (reader, node, row->classes, wanted, field);
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
  return param_leave (reader, length, good);
}

/* ----- public ----- */

gboolean
param_reader_fill (ParamReader *reader, const YamlNode *node, const char *path,
                   const SimParam *rows, gboolean keep, gpointer target, GError **error)
{
  static const YamlPlace nowhere = { .file = "default" };

  reader->error = error;
  g_string_assign (reader->path, path);
  return param_read_struct (reader, node, node ? &node->place : &nowhere, rows, NULL, keep, target);
}

gboolean
param_reader_row (ParamReader *reader, const YamlNode *mapping, const SimParam *row,
                  gpointer target, GError **error)
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
  return param_check_keys (reader, mapping, rows);
}

/* What a ParamReader says when something is wrong, and about which path. */
#include "param_reader_private.h"
#include "suggest.h"

#include <string.h>

gboolean
param_refuse (ParamReader *reader, const YamlPlace *place, const char *format, ...)
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

gsize
param_enter (ParamReader *reader, const char *name)
{
  gsize length = reader->path->len;

  g_string_append_printf (reader->path, "%s%s", length > 0 ? "." : "", name);
  return length;
}

/* A name that the file gave. */
gsize
param_enter_key (ParamReader *reader, const char *key)
{
  char *shown = suggest_shorten (key);
  gsize length = param_enter (reader, shown);

  g_free (shown);
  return length;
}

gsize
param_enter_item (ParamReader *reader, guint index)
{
  char name[16];

  g_snprintf (name, sizeof name, "%u", index);
  return param_enter (reader, name);
}

gboolean
param_leave (ParamReader *reader, gsize length, gboolean good)
{
  g_string_truncate (reader->path, length);
  return good;
}

gboolean
param_wrong_kind (ParamReader *reader, const YamlNode *node, const char *wanted)
{
  if (yaml_node_is_null (node))
    return param_refuse (reader, &node->place, "has no value; write %s", wanted);
  return param_refuse (reader, &node->place, "expected %s; found %s", wanted,
                       yaml_node_describe (node));
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

gboolean
param_check_keys (ParamReader *reader, const YamlNode *mapping, const SimParam *rows)
{
  for (guint i = 0; i < mapping->n; i++)
    if (!param_find (rows, mapping->keys[i]->text))
      return unknown_key (reader, mapping->keys[i], rows);
  return TRUE;
}

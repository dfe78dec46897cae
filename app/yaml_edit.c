#include "yaml_edit.h"

#include <string.h>

static YamlNode **
copy_list (Arena *arena, YamlNode **list, guint n, guint capacity)
{
  YamlNode **copy = arena_alloc (arena, capacity * sizeof *copy);

  if (n > 0)
    memcpy (copy, list, n * sizeof *copy);
  return copy;
}

static void
set_capacity (Arena *arena, YamlNode *node, guint capacity)
{
  node->items = copy_list (arena, node->items, node->n, capacity);
  if (node->kind == YAML_TREE_MAPPING)
    node->keys = copy_list (arena, node->keys, node->n, capacity);
  node->capacity = capacity;
}

YamlNode *
yaml_edit_own (Arena *arena, YamlNode *node, guint edition)
{
  YamlNode *own;

  if (node->edition == edition)
    return node;
  own = arena_alloc (arena, sizeof *own);
  *own = *node;
  own->edition = edition;
  set_capacity (arena, own, own->n);
  return own;
}

YamlNode *
yaml_edit_mapping (Arena *arena, const YamlPlace *place, guint edition)
{
  YamlNode *mapping = arena_alloc (arena, sizeof *mapping);

  mapping->kind = YAML_TREE_MAPPING;
  mapping->place = *place;
  mapping->depth = mapping->nodes = 1;
  mapping->edition = edition;
  return mapping;
}

void
yaml_edit_put (Arena *arena, YamlNode *mapping, const char *key, const YamlPlace *place,
               YamlNode *value)
{
  YamlNode *name;

  g_assert (mapping->kind == YAML_TREE_MAPPING);
  for (guint i = 0; i < mapping->n; i++)
    if (!strcmp (mapping->keys[i]->text, key)) {
      mapping->items[i] = value;
      return;
    }
  if (mapping->n == mapping->capacity)
    set_capacity (arena, mapping, MAX (4, 2 * mapping->n));
  name = arena_alloc (arena, sizeof *name);
  *name = (YamlNode){ .kind = YAML_TREE_SCALAR,
                      .plain = TRUE,
                      .place = *place,
                      .depth = 1,
                      .nodes = 1,
                      .text = arena_strdup (arena, key) };
  mapping->keys[mapping->n] = name;
  mapping->items[mapping->n++] = value;
}

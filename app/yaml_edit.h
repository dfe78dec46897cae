/* Changing a tree without changing what shares its nodes.
 *
 * An edition is a number that one version of a tree has for the nodes that are its
 * own.  Nodes of other editions are copied before they are changed, one level deep;
 * a new edition of a large tree costs the nodes on the changed paths. */
#pragma once

#include "yaml_tree.h"

/* A node of the edition: the node itself, or a copy. */
YamlNode *yaml_edit_own (Arena *arena, YamlNode *node, guint edition);
YamlNode *yaml_edit_mapping (Arena *arena, const YamlPlace *place, guint edition);
/* Sets a key of a mapping of the edition: replaces its value, or adds it at the end
 * (the key then stands at `place`). */
void yaml_edit_put (Arena *arena, YamlNode *mapping, const char *key, const YamlPlace *place,
                    YamlNode *value);

/* A YAML document as a tree, with the place of every node.
 *
 * The tree is what the scenario reader works on; it knows nothing of libyaml.
 * Nodes are immutable and may be shared (an alias is a second pointer to its
 * anchor's node); an edit copies the nodes on its path, see yaml_edit.h.
 *
 * Refused, each with its place: anything that is not UTF-8 text, more than one
 * document, tags, merge keys, duplicate keys, keys that are not plain text, nesting
 * deeper than YAML_TREE_DEPTH_MAX, and more than YAML_TREE_NODES_MAX nodes with every
 * alias counted as a copy. */
#pragma once

#include "arena.h"

#define YAML_TREE_DEPTH_MAX 64
#define YAML_TREE_NODES_MAX 100000

typedef enum {
  YAML_TREE_SCALAR,
  YAML_TREE_SEQUENCE,
  YAML_TREE_MAPPING,
} YamlKind;

/* Where a node was written. */
typedef struct {
  const char *file;    /* as a person wants it printed */
  const char *setting; /* the option that it came with, "--set PATH"; NULL: from the file */
  guint line, column;  /* from 1 */
} YamlPlace;

typedef struct YamlNode YamlNode;

struct YamlNode {
  YamlKind kind;
  gboolean plain; /* SCALAR: without quotes */
  YamlPlace place;
  const char *text; /* SCALAR */
  guint n;          /* SEQUENCE, MAPPING: children */
  YamlNode **items; /* SEQUENCE: items; MAPPING: values */
  YamlNode **keys;  /* MAPPING: keys, all SCALAR and different */
  guint depth;      /* levels below this node, itself included */
  guint nodes;    /* nodes below, itself included, aliases counted as copies; 0 while it is read */
  guint edition;  /* see yaml_edit.h */
  guint capacity; /* of items and keys, when edited */
};

/* place: of the first character, and what to call the source.  NULL and an error of
 * one line that begins with the place. */
YamlNode *yaml_tree_parse (Arena *arena, const YamlPlace *place, const char *data, gsize length,
                           GError **error);

/* The value of a key, or NULL; also NULL if the node is not a mapping. */
YamlNode *yaml_node_get (const YamlNode *mapping, const char *key);
/* The key's own node, or NULL. */
YamlNode *yaml_node_key (const YamlNode *mapping, const char *key);
/* Follows a dotted path as far as it goes: the deepest node that exists. */
const YamlNode *yaml_node_at (const YamlNode *node, const char *path);
/* Nothing written, ~ or null. */
gboolean yaml_node_is_null (const YamlNode *node);
/* "a list", "a mapping", "text", "nothing". */
const char *yaml_node_describe (const YamlNode *node);

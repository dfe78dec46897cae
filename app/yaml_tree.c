/* libyaml's events become a tree.  The only file that includes yaml.h. */
#include "yaml_tree.h"

#include "diagnose.h"
#include "suggest.h"

#include <string.h>
#include <yaml.h>

/* A collection that is being read. */
typedef struct {
  YamlNode *node;
  GPtrArray *keys, *items;
  GHashTable *seen; /* keys so far; looked up only */
  YamlNode *key;    /* read, its value not yet */
} Level;

typedef struct {
  Arena *arena;
  YamlPlace start;
  yaml_parser_t parser;
  Level levels[YAML_TREE_DEPTH_MAX];
  guint n_levels;
  guint nodes;         /* so far, aliases counted as copies */
  GHashTable *anchors; /* name -> node */
  YamlNode *root;
  GError **error;
} Reader;

/* ----- text ----- */

static gboolean
is_allowed (gunichar c)
{
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c <= 0x7e) || c == 0x85
         || (c >= 0xa0 && c <= 0xfffd && c != 0xfeff) || c >= 0x10000;
}

static gboolean
wrong_byte (Reader *reader, YamlPlace place, const char *at, const char *end)
{
  if (at < end && *at == '\0')
    diagnose (reader->error, SCENARIO_ERROR_SYNTAX, &place, "a NUL byte; a scenario is UTF-8 text");
  else
    diagnose (reader->error, SCENARIO_ERROR_SYNTAX, &place,
              "the byte 0x%02x is not UTF-8; save the file as UTF-8", (guint) (guchar) *at);
  return FALSE;
}

/* libyaml would find these too, but without the place. */
static gboolean
check_text (Reader *reader, const char *data, gsize length)
{
  const char *end = data + length, *valid, *p = data;
  YamlPlace place = reader->start;

  if (length >= 2 && (!memcmp (data, "\377\376", 2) || !memcmp (data, "\376\377", 2))) {
    diagnose (reader->error, SCENARIO_ERROR_SYNTAX, &place, "UTF-16; save the file as UTF-8");
    return FALSE;
  }
  g_utf8_validate_len (data, length, &valid);
  for (; p < valid; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);

    if (!is_allowed (c)) {
      diagnose (reader->error, SCENARIO_ERROR_SYNTAX, &place,
                "the control character U+%04X; a scenario is plain text", c);
      return FALSE;
    }
    place.column++;
    if (c == '\n') {
      place.line++;
      place.column = 1;
    }
  }
  return valid == end || wrong_byte (reader, place, valid, end);
}

/* ----- places and errors ----- */

static YamlPlace
place_of (const Reader *reader, const yaml_mark_t *mark)
{
  YamlPlace place = reader->start;

  place.line = (guint) mark->line + 1;
  place.column = (guint) mark->column + 1;
  return place;
}

typedef struct {
  const char *problem;
  const char *hint;
} Hint;

static const Hint hints[] = {
  { .problem = "mapping values are not allowed",
    .hint =
        "text that contains \": \" needs quotes, and keys of one mapping the same indentation" },
  { .problem = "tab character", .hint = "indent with spaces" },
  { .problem = "did not find expected ',' or", .hint = "is a bracket not closed?" },
  { .problem = "did not find expected key", .hint = "check indentation, brackets and quotes" },
  { .problem = "did not find expected '-'", .hint = "check the indentation" },
  { .problem = "unexpected end of stream", .hint = "is a quote not closed?" },
  { .problem = "block sequence entries", .hint = "start the list on a line of its own" },
  { .problem = "could not find expected ':'", .hint = "a key ends with a colon and a space" },
  { .problem = "did not find expected node content", .hint = "is a value missing?" },
  { .problem = "did not find expected <document start>", .hint = "check the indentation" },
};

static const char *
hint_for (const Reader *reader, const char *problem, const char *data, gsize length)
{
  gsize at = reader->parser.problem_mark.index;

  /* The mark counts characters; the hint is only about ASCII ones, so a wrong guess
   * after other characters is harmless. */
  if (strstr (problem, "cannot start any token"))
    return at < length && data[at] == '\t' ? "indent with spaces, not tabs"
                                           : "text that starts with % @ or ` needs quotes";
  for (guint i = 0; i < G_N_ELEMENTS (hints); i++)
    if (strstr (problem, hints[i].problem))
      return hints[i].hint;
  return NULL;
}

static gboolean
syntax_error (Reader *reader, const char *data, gsize length)
{
  const yaml_parser_t *parser = &reader->parser;
  const char *problem = parser->problem ? parser->problem : "cannot be read";
  const char *hint = hint_for (reader, problem, data, length);
  YamlPlace place = place_of (reader, &parser->problem_mark);
  GString *context = g_string_new (NULL);

  if (parser->context && parser->context_mark.line != parser->problem_mark.line)
    g_string_append_printf (context, " (%s that starts on line %u)", parser->context,
                            (guint) parser->context_mark.line + 1);
  diagnose (reader->error, SCENARIO_ERROR_SYNTAX, &place, "not valid YAML: %s%s%s%s", problem,
            context->str, hint ? "; " : "", hint ? hint : "");
  g_string_free (context, TRUE);
  return FALSE;
}

static gboolean G_GNUC_PRINTF (3, 4)
refuse (Reader *reader, const YamlPlace *place, const char *format, ...)
{
  va_list args;
  char *text;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  diagnose (reader->error, SCENARIO_ERROR_SYNTAX, place, "%s", text);
  g_free (text);
  return FALSE;
}

/* ----- building ----- */

static gboolean
count_nodes (Reader *reader, const YamlPlace *place, guint n)
{
  reader->nodes = n > YAML_TREE_NODES_MAX - reader->nodes ? G_MAXUINT : reader->nodes + n;
  return reader->nodes <= YAML_TREE_NODES_MAX
         || refuse (reader, place, "too large: more than %d values, each alias counted as a copy",
                    YAML_TREE_NODES_MAX);
}

static gboolean
check_depth (Reader *reader, const YamlPlace *place, guint below)
{
  return reader->n_levels + below <= YAML_TREE_DEPTH_MAX
         || refuse (reader, place, "nested too deeply; at most %d levels", YAML_TREE_DEPTH_MAX);
}

static gboolean
take_key (Reader *reader, Level *level, YamlNode *node, const YamlPlace *place)
{
  YamlNode *first;
  char *quoted;

  if (node->kind != YAML_TREE_SCALAR)
    return refuse (reader, place, "%s as a key; a key is plain text", yaml_node_describe (node));
  if (node->plain && !strcmp (node->text, "<<"))
    return refuse (reader, place,
                   "the merge key << is not supported; use an alias as the value of a "
                   "key, or write the keys out");
  first = g_hash_table_lookup (level->seen, node->text);
  if (first) {
    quoted = suggest_quote (node->text);
    refuse (reader, place, "the key %s is there twice, first on line %u; keep one", quoted,
            first->place.line);
    g_free (quoted);
    return FALSE;
  }
  g_hash_table_insert (level->seen, (gpointer) node->text, node);
  level->key = node;
  return TRUE;
}

/* Puts a node (a new one, or an alias's) where the document has it. */
static gboolean
take_node (Reader *reader, YamlNode *node, const YamlPlace *place)
{
  Level *level;

  if (reader->n_levels == 0) {
    reader->root = node;
    return TRUE;
  }
  level = &reader->levels[reader->n_levels - 1];
  if (level->node->kind == YAML_TREE_MAPPING && !level->key)
    return take_key (reader, level, node, place);
  if (level->key)
    g_ptr_array_add (level->keys, level->key);
  level->key = NULL;
  g_ptr_array_add (level->items, node);
  return TRUE;
}

static YamlNode *
new_node (Reader *reader, const yaml_event_t *event, YamlKind kind, const char *anchor,
          const char *tag)
{
  YamlNode *node = arena_alloc (reader->arena, sizeof *node);
  char *quoted;

  node->kind = kind;
  node->place = place_of (reader, &event->start_mark);
  node->depth = 1;
  if (tag) {
    quoted = suggest_quote (tag);
    refuse (reader, &node->place, "the tag %s is not supported; write the value without a tag",
            quoted);
    g_free (quoted);
    return NULL;
  }
  if (!count_nodes (reader, &node->place, 1) || !check_depth (reader, &node->place, 1))
    return NULL;
  if (anchor)
    g_hash_table_replace (reader->anchors, g_strdup (anchor), node);
  return node;
}

static gboolean
open_level (Reader *reader, YamlNode *node)
{
  Level *level;

  /* Known to its parent from the start, so that places of keys are checked in order. */
  if (!node || !take_node (reader, node, &node->place))
    return FALSE;
  level = &reader->levels[reader->n_levels++];
  *level = (Level){ .node = node, .items = g_ptr_array_new () };
  if (node->kind == YAML_TREE_MAPPING) {
    level->keys = g_ptr_array_new ();
    level->seen = g_hash_table_new (g_str_hash, g_str_equal);
  }
  return TRUE;
}

static YamlNode **
keep (Arena *arena, const GPtrArray *nodes)
{
  YamlNode **kept = arena_alloc (arena, nodes->len * sizeof *kept);

  for (guint i = 0; i < nodes->len; i++)
    kept[i] = g_ptr_array_index (nodes, i);
  return kept;
}

static void
clear_level (Level *level)
{
  g_ptr_array_unref (level->items);
  if (level->keys)
    g_ptr_array_unref (level->keys);
  if (level->seen)
    g_hash_table_unref (level->seen);
}

static void
close_level (Reader *reader)
{
  Level *level = &reader->levels[--reader->n_levels];
  YamlNode *node = level->node;

  node->n = level->items->len;
  node->items = keep (reader->arena, level->items);
  node->nodes = 1 + (level->keys ? node->n : 0);
  if (level->keys)
    node->keys = keep (reader->arena, level->keys);
  for (guint i = 0; i < node->n; i++) {
    node->nodes += node->items[i]->nodes;
    node->depth = MAX (node->depth, 1 + node->items[i]->depth);
  }
  clear_level (level);
}

static gboolean
take_scalar (Reader *reader, const yaml_event_t *event)
{
  YamlNode *node =
      new_node (reader, event, YAML_TREE_SCALAR, (const char *) event->data.scalar.anchor,
                (const char *) event->data.scalar.tag);
  const char *value = (const char *) event->data.scalar.value;

  if (!node)
    return FALSE;
  node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
  node->text = arena_strndup (reader->arena, value, event->data.scalar.length);
  node->nodes = 1;
  /* "\0" in double quotes. */
  if (strlen (node->text) != event->data.scalar.length)
    return refuse (reader, &node->place, "text with a NUL character");
  return take_node (reader, node, &node->place);
}

static gboolean
take_alias (Reader *reader, const yaml_event_t *event)
{
  const char *name = (const char *) event->data.alias.anchor;
  YamlPlace place = place_of (reader, &event->start_mark);
  YamlNode *node = g_hash_table_lookup (reader->anchors, name);
  char *quoted = suggest_quote (name);
  gboolean known = FALSE;

  if (!node)
    refuse (reader, &place, "no anchor %s before this alias", quoted);
  else if (node->nodes == 0)
    refuse (reader, &place, "the anchor %s contains itself", quoted);
  else
    known = TRUE;
  g_free (quoted);
  return known && count_nodes (reader, &place, node->nodes)
         && check_depth (reader, &place, node->depth) && take_node (reader, node, &place);
}

/* ----- events ----- */

static gboolean
take_event (Reader *reader, const yaml_event_t *event)
{
  YamlPlace place = place_of (reader, &event->start_mark);

  switch (event->type) {
  case YAML_STREAM_START_EVENT:
  case YAML_STREAM_END_EVENT:
  case YAML_DOCUMENT_END_EVENT:
  case YAML_NO_EVENT:
    return TRUE;
  case YAML_DOCUMENT_START_EVENT:
    return !reader->root
           || refuse (reader, &place, "a second document; a scenario file has only one");
  case YAML_ALIAS_EVENT:
    return take_alias (reader, event);
  case YAML_SCALAR_EVENT:
    return take_scalar (reader, event);
  case YAML_SEQUENCE_START_EVENT:
    return open_level (reader, new_node (reader, event, YAML_TREE_SEQUENCE,
                                         (const char *) event->data.sequence_start.anchor,
                                         (const char *) event->data.sequence_start.tag));
  case YAML_MAPPING_START_EVENT:
    return open_level (reader, new_node (reader, event, YAML_TREE_MAPPING,
                                         (const char *) event->data.mapping_start.anchor,
                                         (const char *) event->data.mapping_start.tag));
  case YAML_SEQUENCE_END_EVENT:
  case YAML_MAPPING_END_EVENT:
    close_level (reader);
    return TRUE;
  }
  g_assert_not_reached ();
}

static gboolean
read_events (Reader *reader, const char *data, gsize length)
{
  gboolean good = TRUE, end = FALSE;

  while (good && !end) {
    yaml_event_t event;

    if (!yaml_parser_parse (&reader->parser, &event))
      return syntax_error (reader, data, length);
    good = take_event (reader, &event);
    end = event.type == YAML_STREAM_END_EVENT;
    yaml_event_delete (&event);
  }
  return good;
}

YamlNode *
yaml_tree_parse (Arena *arena, const YamlPlace *place, const char *data, gsize length,
                 GError **error)
{
  Reader reader = { .arena = arena, .start = *place, .error = error };
  gboolean good;

  reader.start.line = reader.start.column = 1;
  /* A byte order mark is allowed and says nothing. */
  if (length >= 3 && !memcmp (data, "\357\273\277", 3)) {
    data += 3;
    length -= 3;
  }
  if (!check_text (&reader, data, length))
    return NULL;
  good = yaml_parser_initialize (&reader.parser);
  g_assert (good); /* fails for want of memory only */
  yaml_parser_set_encoding (&reader.parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string (&reader.parser, (const unsigned char *) data, length);
  reader.anchors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  good = read_events (&reader, data, length);
  while (reader.n_levels > 0)
    clear_level (&reader.levels[--reader.n_levels]);
  if (good && !reader.root)
    good = refuse (&reader, &reader.start,
                   place->setting ? "no value" : "empty; a scenario starts with \"cmsim: 1\"");
  g_hash_table_unref (reader.anchors);
  yaml_parser_delete (&reader.parser);
  return good ? reader.root : NULL;
}

/* ----- looking at a tree ----- */

static gint
find_key (const YamlNode *mapping, const char *key)
{
  if (mapping->kind == YAML_TREE_MAPPING)
    for (guint i = 0; i < mapping->n; i++)
      if (!strcmp (mapping->keys[i]->text, key))
        return (gint) i;
  return -1;
}

YamlNode *
yaml_node_get (const YamlNode *mapping, const char *key)
{
  gint i = find_key (mapping, key);

  return i < 0 ? NULL : mapping->items[i];
}

YamlNode *
yaml_node_key (const YamlNode *mapping, const char *key)
{
  gint i = find_key (mapping, key);

  return i < 0 ? NULL : mapping->keys[i];
}

const YamlNode *
yaml_node_at (const YamlNode *node, const char *path)
{
  char **steps = g_strsplit (path, ".", -1);

  for (guint i = 0; steps[i]; i++) {
    const YamlNode *next = NULL;
    guint64 index;

    if (node->kind == YAML_TREE_MAPPING)
      next = yaml_node_get (node, steps[i]);
    else if (node->kind == YAML_TREE_SEQUENCE && node->n > 0
             && g_ascii_string_to_unsigned (steps[i], 10, 0, node->n - 1, &index, NULL))
      next = node->items[index];
    if (!next)
      break;
    node = next;
  }
  g_strfreev (steps);
  return node;
}

gboolean
yaml_node_is_null (const YamlNode *node)
{
  static const char *const nulls[] = { "", "~", "null", "Null", "NULL", NULL };

  return node->kind == YAML_TREE_SCALAR && node->plain && g_strv_contains (nulls, node->text);
}

const char *
yaml_node_describe (const YamlNode *node)
{
  switch (node->kind) {
  case YAML_TREE_SCALAR:
    return yaml_node_is_null (node) ? "nothing" : "text";
  case YAML_TREE_SEQUENCE:
    return "a list";
  case YAML_TREE_MAPPING:
    return "a mapping";
  }
  g_assert_not_reached ();
}

/* Text that was plain stays plain: block style needs no quotes that flow style did not. */
#include "yaml_write.h"

static void
write_quoted (GString *out, const char *text)
{
  g_string_append_c (out, '"');
  for (const char *c = text; *c; c++)
    if (*c == '"' || *c == '\\')
      g_string_append_printf (out, "\\%c", *c);
    else if (*c == '\n')
      g_string_append (out, "\\n");
    else if (*c == '\t')
      g_string_append (out, "\\t");
    else
      g_string_append_c (out, *c);
  g_string_append_c (out, '"');
}

static void
write_scalar (GString *out, const YamlNode *node)
{
  if (!node->plain)
    write_quoted (out, node->text);
  else
    g_string_append (out, *node->text ? node->text : "~");
}

static void
write_indent (GString *out, guint indent)
{
  for (guint i = 0; i < indent; i++)
    g_string_append_c (out, ' ');
}

static void write_items (GString *out, const YamlNode *node, guint indent, gboolean at_place);

/* Behind "key:" or "-"; ends the line. */
static void
write_value (GString *out, const YamlNode *node, guint indent, gboolean in_list)
{
  if (node->kind == YAML_TREE_SCALAR) {
    g_string_append_c (out, ' ');
    write_scalar (out, node);
    g_string_append_c (out, '\n');
  } else if (node->n == 0) {
    g_string_append (out, node->kind == YAML_TREE_MAPPING ? " {}\n" : " []\n");
  } else if (in_list) {
    g_string_append_c (out, ' ');
    write_items (out, node, indent + 2, TRUE);
  } else {
    g_string_append_c (out, '\n');
    write_items (out, node, indent + 2, FALSE);
  }
}

/* at_place: the first line is indented already. */
static void
write_items (GString *out, const YamlNode *node, guint indent, gboolean at_place)
{
  for (guint i = 0; i < node->n; i++) {
    write_indent (out, i == 0 && at_place ? 0 : indent);
    if (node->kind == YAML_TREE_MAPPING) {
      write_scalar (out, node->keys[i]);
      g_string_append_c (out, ':');
    } else {
      g_string_append_c (out, '-');
    }
    write_value (out, node->items[i], indent, node->kind == YAML_TREE_SEQUENCE);
  }
}

void
yaml_write (GString *out, const YamlNode *mapping, guint indent)
{
  write_items (out, mapping, indent, FALSE);
}

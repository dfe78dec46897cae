#include "scenario_override.h"

#include "param_dist.h"
#include "suggest.h"

#include <string.h>

/* What the rows say about a place in the tree. */
typedef enum {
  SHAPE_STRUCT, /* rows, main_param */
  SHAPE_LIST,   /* items are SHAPE_STRUCT */
  SHAPE_NAMES,  /* keyed list */
  SHAPE_CHOICE, /* classes */
  SHAPE_UINTS,
  SHAPE_VALUE, /* nothing below */
} ShapeKind;

typedef struct {
  ShapeKind kind;
  const SimParam *rows;
  const char *main_param;
  const SimClassInfo *const *classes;
  gboolean in_order; /* a struct may be a list in the order of its rows */
} Shape;

typedef struct {
  ParamReader *reader;
  Arena *arena;
  guint edition;
  const ScenarioOverride *override;
  char **steps;
  guint n_steps;
  GError **error;
} Walk;

static YamlNode *walk (Walk *w, YamlNode *node, const Shape *shape, guint step);

static Shape
shape_of (const SimParam *row)
{
  Shape shape = { .rows = row->rows, .main_param = row->main_param, .classes = row->classes };

  switch (row->kind) {
  case SIM_PARAM_GROUP:
    shape.kind = SHAPE_STRUCT;
    return shape;
  case SIM_PARAM_LIST:
    shape.kind = row->keyed ? SHAPE_NAMES : SHAPE_LIST;
    return shape;
  case SIM_PARAM_CHOICE:
    shape.kind = SHAPE_CHOICE;
    return shape;
  case SIM_PARAM_DIST:
    shape.kind = SHAPE_CHOICE;
    shape.classes = param_dist_classes;
    shape.in_order = TRUE;
    return shape;
  case SIM_PARAM_UINT_LIST:
    shape.kind = SHAPE_UINTS;
    return shape;
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
    shape.kind = SHAPE_VALUE;
    return shape;
  }
  g_assert_not_reached ();
}

static YamlNode *G_GNUC_PRINTF (2, 3)
refuse (Walk *w, const char *format, ...)
{
  const ScenarioOverride *override = w->override;
  char *text, *quoted = suggest_quote (override->path);
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  /* For --set the path is the place. */
  if (override->place->setting)
    diagnose (w->error, SCENARIO_ERROR_VALUE, override->place, "%s", text);
  else
    diagnose (w->error, SCENARIO_ERROR_VALUE, override->place, "%s: %s", quoted, text);
  g_free (text);
  g_free (quoted);
  return NULL;
}

/* The steps before this one, for messages. */
static char *
path_before (const Walk *w, guint step)
{
  GString *path = g_string_new (NULL);
  char *shown;

  for (guint i = 0; i < step; i++)
    g_string_append_printf (path, "%s%s", i > 0 ? "." : "", w->steps[i]);
  shown = suggest_shorten (path->str);
  g_string_free (path, TRUE);
  return shown;
}

/* ----- structs ----- */

/* A node of this edition that has keys: what was written in short form is written out. */
static YamlNode *
as_mapping (Walk *w, YamlNode *node, const Shape *shape)
{
  YamlNode *mapping;

  if (node && node->kind == YAML_TREE_MAPPING)
    return yaml_edit_own (w->arena, node, w->edition);
  mapping = yaml_edit_mapping (w->arena, node ? &node->place : w->override->place, w->edition);
  if (!node || yaml_node_is_null (node))
    return mapping;
  if (node->kind == YAML_TREE_SEQUENCE && shape->in_order)
    for (guint i = 0; i < node->n && shape->rows[i].name; i++)
      yaml_edit_put (w->arena, mapping, shape->rows[i].name, &node->place, node->items[i]);
  else if (shape->main_param)
    yaml_edit_put (w->arena, mapping, shape->main_param, &node->place, node);
  else
    return NULL;
  return mapping;
}

static YamlNode *
walk_struct (Walk *w, YamlNode *node, const Shape *shape, guint step)
{
  const char *name = w->steps[step];
  const SimParam *row = shape->rows ? param_find (shape->rows, name) : NULL;
  YamlNode *mapping = as_mapping (w, node, shape), *child;
  char *path, *quoted;
  Shape below;

  if (!mapping) {
    path = path_before (w, step);
    quoted = suggest_quote (name);
    refuse (w, "%s is %s and has no key %s", path, yaml_node_describe (node), quoted);
    g_free (path);
    g_free (quoted);
    return NULL;
  }
  if (row) {
    below = shape_of (row);
    child = yaml_node_get (mapping, name);
    if (!child && row->value && step + 1 < w->n_steps) {
      child = yaml_edit_own (w->arena, param_reader_default (w->reader, row->value), w->edition);
      child->place = *w->override->place;
    }
    child = walk (w, child, &below, step + 1);
  } else {
    child = w->override->value;
  }
  if (child)
    yaml_edit_put (w->arena, mapping, name, w->override->place, child);
  return child ? mapping : NULL;
}

/* ----- lists ----- */

static YamlNode *
walk_list (Walk *w, YamlNode *node, const Shape *shape, guint step)
{
  const Shape item = { .kind = shape->kind == SHAPE_UINTS ? SHAPE_VALUE : SHAPE_STRUCT,
                       .rows = shape->rows,
                       .main_param = shape->main_param,
                       .in_order = shape->in_order };
  guint n = node && node->kind == YAML_TREE_SEQUENCE ? node->n : 0;
  char *path, *quoted;
  guint64 index;
  YamlNode *list, *child;

  if (n == 0 || !g_ascii_string_to_unsigned (w->steps[step], 10, 0, n - 1, &index, NULL)) {
    path = path_before (w, step);
    quoted = suggest_quote (w->steps[step]);
    if (n == 0)
      refuse (w, "%s has no elements, so no %s", path, quoted);
    else
      refuse (w, "%s is not an element of %s; it has %u, numbered 0 to %u", quoted, path, n, n - 1);
    g_free (path);
    g_free (quoted);
    return NULL;
  }
  list = yaml_edit_own (w->arena, node, w->edition);
  child = walk (w, list->items[index], &item, step + 1);
  if (child)
    list->items[index] = child;
  return child ? list : NULL;
}

static YamlNode *
walk_names (Walk *w, YamlNode *node, const Shape *shape, guint step)
{
  const Shape item = { .kind = SHAPE_STRUCT, .rows = shape->rows, .main_param = shape->main_param };
  char *quoted, *clause, *path;
  YamlNode *names, *child;
  GPtrArray *known;

  child = node ? yaml_node_get (node, w->steps[step]) : NULL;
  if (!child) {
    known = g_ptr_array_new ();
    for (guint i = 0; node && node->kind == YAML_TREE_MAPPING && i < node->n; i++)
      g_ptr_array_add (known, (gpointer) node->keys[i]->text);
    g_ptr_array_add (known, NULL);
    quoted = suggest_quote (w->steps[step]);
    path = path_before (w, step);
    clause = suggest_clause (w->steps[step], (const char *const *) known->pdata);
    refuse (w, "there is no %s in %s%s", quoted, path, clause);
    g_free (quoted);
    g_free (path);
    g_free (clause);
    g_ptr_array_unref (known);
    return NULL;
  }
  names = yaml_edit_own (w->arena, node, w->edition);
  child = walk (w, child, &item, step + 1);
  if (child)
    yaml_edit_put (w->arena, names, w->steps[step], w->override->place, child);
  return child ? names : NULL;
}

/* ----- choices ----- */

/* The parameters the tree has for a class, if that is the class it names. */
static YamlNode *
params_of (const YamlNode *node, const char *name)
{
  if (!node || node->kind != YAML_TREE_MAPPING || node->n != 1
      || strcmp (node->keys[0]->text, name))
    return NULL;
  return node->items[0];
}

static YamlNode *
walk_choice (Walk *w, YamlNode *node, const Shape *shape, guint step)
{
  const char *name = w->steps[step];
  const SimClassInfo *klass = param_find_class (shape->classes, name);
  Shape below = { .kind = SHAPE_STRUCT, .in_order = shape->in_order };
  YamlNode *choice, *child;

  if (klass && !klass->params && step + 1 < w->n_steps)
    return refuse (w, "\"%s\" takes no parameters", name);
  choice = yaml_edit_mapping (w->arena, w->override->place, w->edition);
  child = w->override->value;
  if (klass) {
    below.rows = klass->params;
    below.main_param = klass->main_param;
    child = walk (w, params_of (node, name), &below, step + 1);
  }
  if (child)
    yaml_edit_put (w->arena, choice, name, w->override->place, child);
  return child ? choice : NULL;
}

/* ----- the walk ----- */

/* The node that shall stand where `node` (NULL: nothing) stood; NULL: an error. */
static YamlNode *
walk (Walk *w, YamlNode *node, const Shape *shape, guint step)
{
  char *path;

  if (step == w->n_steps)
    return w->override->value;
  switch (shape->kind) {
  case SHAPE_STRUCT:
    return walk_struct (w, node, shape, step);
  case SHAPE_LIST:
  case SHAPE_UINTS:
    return walk_list (w, node, shape, step);
  case SHAPE_NAMES:
    return walk_names (w, node, shape, step);
  case SHAPE_CHOICE:
    return walk_choice (w, node, shape, step);
  case SHAPE_VALUE:
    path = path_before (w, step);
    refuse (w, "%s is a single value; nothing stands below it", path);
    g_free (path);
    return NULL;
  }
  g_assert_not_reached ();
}

gboolean
scenario_override_apply (ParamReader *reader, Arena *arena, guint edition, const SimParam *rows,
                         const ScenarioOverride *override, YamlNode **root, GError **error)
{
  const Shape top = { .kind = SHAPE_STRUCT, .rows = rows };
  Walk w = {
    .reader = reader, .arena = arena, .edition = edition, .override = override, .error = error
  };
  gboolean empty = FALSE;
  YamlNode *changed = NULL;

  w.steps = g_strsplit (override->path, ".", -1);
  w.n_steps = g_strv_length (w.steps);
  for (guint i = 0; i < w.n_steps; i++)
    empty |= *w.steps[i] == '\0';
  if (empty || w.n_steps == 0)
    refuse (&w, "not a path; write keys and numbers of list elements joined by dots, such as "
                "listeners.0.backlog.limit");
  else
    changed = walk (&w, *root, &top, 0);
  g_strfreev (w.steps);
  if (changed)
    *root = changed;
  return changed != NULL;
}

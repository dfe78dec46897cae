/* The reader, shared by the files it is made of. */
#pragma once

#include "param_reader.h"

struct ParamReader {
  Arena *arena;
  GHashTable *defaults; /* text -> YamlNode; looked up only */
  GString *path;        /* of what is being read */
  guint positional;     /* > 0: a struct may be written as a list in the order of its rows */
  GError **error;
};

/* Each refusal sets the error and returns FALSE. */
gboolean param_refuse (ParamReader *reader, const YamlPlace *place, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* wanted: "a list" */
gboolean param_wrong_kind (ParamReader *reader, const YamlNode *node, const char *wanted);
gboolean param_check_keys (ParamReader *reader, const YamlNode *mapping, const SimParam *rows);

/* One step down the path; what they return goes to param_leave(), which hands on `good`. */
gsize param_enter (ParamReader *reader, const char *name);
gsize param_enter_key (ParamReader *reader, const char *key); /* a name that the file gave */
gsize param_enter_item (ParamReader *reader, guint index);
gboolean param_leave (ParamReader *reader, gsize length, gboolean good);

/* node: NULL for nothing; place: where to say that something is missing then. */
gboolean param_read_struct (ParamReader *reader, const YamlNode *node, const YamlPlace *place,
                            const SimParam *rows, const char *main_param, gboolean keep,
                            gpointer target);
/* wanted: what the classes are, for messages. */
gboolean param_read_choice (ParamReader *reader, const YamlNode *node,
                            const SimClassInfo *const *classes, const char *wanted,
                            SimChoice *ret_choice);
gboolean param_read_dist (ParamReader *reader, const YamlNode *node, const SimParam *row,
                          SimDist *ret_dist);

/* Fills structs from a YAML tree by their SimParam rows.
 *
 * Generic: what a scenario may say is in the rows alone.  Defaults are the rows'
 * own texts, read by the same code.  Strings, lists and parameter structs of
 * classes live in the arena. */
#pragma once

#include "diagnose.h"
#include "sim_param.h"

typedef struct ParamReader ParamReader;

/* arena: borrowed, must outlive what is read. */
ParamReader *param_reader_new (Arena *arena);
void param_reader_free (ParamReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ParamReader, param_reader_free)

/* Fills target, a struct described by rows.  node: a mapping, or NULL for defaults
 * only.  path: of the node, for messages; "" at the top.  keep: a row that is not
 * written leaves its field alone instead of setting the default. */
gboolean param_reader_fill (ParamReader *reader, const YamlNode *node, const char *path,
                            const SimParam *rows, gboolean keep, gpointer target, GError **error);

/* Reads one row of a struct from the mapping that holds its key or not. */
gboolean param_reader_row (ParamReader *reader, const YamlNode *mapping, const SimParam *row,
                           gpointer target, GError **error);

/* Is every key of the mapping one of the rows' names? */
gboolean param_reader_check_keys (ParamReader *reader, const YamlNode *mapping, const char *path,
                                  const SimParam *rows, GError **error);

/* A tree for a default's text (borrowed from the reader's arena); the text is one
 * that a module wrote, so a mistake in it is a programmer's. */
YamlNode *param_reader_default (ParamReader *reader, const char *text);

const SimParam *param_find (const SimParam *rows, const char *name);
const SimClassInfo *param_find_class (const SimClassInfo *const *classes, const char *name);
gboolean param_allows_never (const SimParam *row);
/* "1 to 65535", "at most 1 h", in the row's own unit; NULL if the kind's own
 * range applies. (transfer full) */
char *param_range_text (const SimParam *row);

/* Single values of SimParam rows, from text to their C type. */
#pragma once

#include "param_reader.h"

/* kind: one that a plain text fills (BOOL to ENUM without DIST).  Writes to the field
 * of the row in target.  NULL, or what is wrong (transfer full). */
char *param_value_parse (Arena *arena, const SimParam *row, const char *text, gpointer target);
/* Is the kind one of those? */
gboolean param_kind_is_plain (SimParamKind kind);
/* "a time such as 5ms": what one writes for the row. (transfer full) */
char *param_value_wanted (const SimParam *row);

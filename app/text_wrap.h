/* Text for people in lines of limited width. */
#pragma once

#include <glib.h>

/* Words of `text` in lines of at most `columns` characters (a longer word stays
 * whole), separated by '\n'; what does not fit in max_lines is replaced by " ...".
 * (transfer full) */
char *text_wrap (const char *text, guint columns, guint max_lines);

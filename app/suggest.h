/* Words for someone who mistyped a name: the nearest valid one, the valid ones. */
#pragma once

#include <glib.h>

/* Edits (insert, delete, replace, swap neighbours; case counts half) that turn one
 * word into the other, in halves. */
guint suggest_distance (const char *a, const char *b);

/* The name nearest to word, or NULL if none is near enough to be meant.
 * names: NULL-terminated. */
const char *suggest_nearest (const char *word, const char *const *names);

/* `; allowed: a, b, c; did you mean "b"?`, without the list when it would be long
 * and without the question when nothing is near. (transfer full) */
char *suggest_clause (const char *word, const char *const *names);

/* The text for an error message of one line: control characters and bytes that are not
 * UTF-8 escaped. (transfer full) */
char *suggest_escape (const char *text);
/* The same, cut after 60 characters. (transfer full) */
char *suggest_shorten (const char *text);
/* The same in double quotes. (transfer full) */
char *suggest_quote (const char *text);

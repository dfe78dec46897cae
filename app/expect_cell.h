/* Which cells of a matrix a line of `expect:` is about: for each axis a value, "sdp-*"
 * for all that begin so, "any" for all, or several of these joined by "|"; the axes joined by
 * commas. */
#pragma once

#include "scenario.h"

/* Does the pattern hold for the variant of that name?  A name without commas holds for
 * itself. */
gboolean expect_cell_matches (const char *pattern, const char *name);
/* What is wrong with a pattern for these axes, with *ret_at where it begins in it; NULL:
 * nothing. (transfer full) */
char *expect_cell_check (const char *pattern, const ScenarioAxis *axes, guint n_axes,
                         gsize *ret_at);

/* A claim and what came of it, as a section of docs/verdicts.md: the claim and the verdict from
 * the scenario's first comments, its figure, its numbers, its expectations. */
#pragma once

#include "output.h"

/* The paragraph of the comments at the top of a scenario that begins with this word, without it
 * and in one line; NULL if there is none. (transfer full) */
char *verdicts_paragraph (const char *yaml, const char *word);

/* Lines of those comments. */
guint verdicts_comment_lines (const char *yaml);

/* yaml: text of the scenario's file.  images: folder of the figures, NAME.png for each scenario. */
void verdicts_append (GString *out, const OutputRun *run, const char *yaml, const char *images);

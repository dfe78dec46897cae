/* Reading along a line of `expect:`; for the parser alone. */
#pragma once

#include "expect_parse.h"

typedef struct {
  Arena *arena;
  const char *text, *at; /* the line, and how far it is read */
  YamlPlace place;       /* of the line */
  gboolean on_one_line;  /* columns count from place */
  const char *const *variants;
  const ScenarioAxis *axes; /* of a matrix */
  guint n_axes;
  Expect *expect;
  GError **error;
} ExpectParser;

/* Sets the error, at a place of the line.  FALSE. */
gboolean expect_refuse (ExpectParser *parser, const char *at, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
void expect_skip_spaces (ExpectParser *parser);
/* Is the token next?  Then it is read. */
gboolean expect_take (ExpectParser *parser, const char *token);
/* A word of the characters of names; "" if there is none. (transfer full) */
char *expect_take_word (ExpectParser *parser, const char **ret_start);
/* "there is no WHAT WORD...", with the names there are.  FALSE. */
gboolean expect_unknown_name (ExpectParser *parser, const char *at, const char *what,
                              const char *word, const char *const *names, const char *command);

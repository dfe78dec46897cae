#include "expect_scan.h"

#include <string.h>

#include "diagnose.h"
#include "suggest.h"

gboolean
expect_refuse (ExpectParser *parser, const char *at, const char *format, ...)
{
  YamlPlace place = parser->place;
  va_list args;
  char *text;

  if (parser->on_one_line)
    place.column += (guint) g_utf8_strlen (parser->text, at - parser->text);
  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  diagnose (parser->error, SCENARIO_ERROR_VALUE, &place, "expect: %s", text);
  g_free (text);
  return FALSE;
}

void
expect_skip_spaces (ExpectParser *parser)
{
  while (*parser->at == ' ')
    parser->at++;
}

gboolean
expect_take (ExpectParser *parser, const char *token)
{
  expect_skip_spaces (parser);
  if (!g_str_has_prefix (parser->at, token))
    return FALSE;
  parser->at += strlen (token);
  return TRUE;
}

/* A word of the characters of names; "" if there is none. (transfer full) */
char *
expect_take_word (ExpectParser *parser, const char **ret_start)
{
  gsize length;

  expect_skip_spaces (parser);
  *ret_start = parser->at;
  length = strspn (parser->at, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "-_.+");
  parser->at += length;
  return g_strndup (*ret_start, length);
}

gboolean
expect_unknown_name (ExpectParser *parser, const char *at, const char *what, const char *word,
                     const char *const *names, const char *command)
{
  char *quoted = suggest_quote (word), *clause = suggest_clause (word, names);

  expect_refuse (parser, at, "there is no %s %s%s%s", what, quoted, command, clause);
  g_free (quoted);
  g_free (clause);
  return FALSE;
}

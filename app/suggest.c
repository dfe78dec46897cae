/* Optimal string alignment distance, with a change of case at half price: "Drop"
 * is nearer to "drop" than to "stop". */
#include "suggest.h"

#include <string.h>

#define WORD_MAX 64        /* longer words are not misspelt names */
#define NAMES_LISTED_MAX 20
#define SHORT_MAX 60

static guint
replace_cost (char a, char b)
{
  if (a == b)
    return 0;
  return g_ascii_tolower (a) == g_ascii_tolower (b) ? 1 : 2;
}

guint
suggest_distance (const char *a, const char *b)
{
  gsize n_a = strlen (a), n_b = strlen (b);
  guint before[WORD_MAX + 1], last[WORD_MAX + 1], row[WORD_MAX + 1];

  if (n_a > WORD_MAX || n_b > WORD_MAX)
    return 2 * WORD_MAX;
  for (guint j = 0; j <= n_b; j++) {
    before[j] = 0;
    last[j] = 2 * j;
  }
  for (guint i = 1; i <= n_a; i++) {
    row[0] = 2 * i;
    for (guint j = 1; j <= n_b; j++) {
      row[j] = MIN (last[j], row[j - 1]) + 2;
      row[j] = MIN (row[j], last[j - 1] + replace_cost (a[i - 1], b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = MIN (row[j], before[j - 2] + 2);
    }
    memcpy (before, last, sizeof before);
    memcpy (last, row, sizeof last);
  }
  return last[n_b];
}

const char *
suggest_nearest (const char *word, const char *const *names)
{
  const char *nearest = NULL;
  /* One slip in three letters, and never a word that shares nothing. */
  guint limit = 2 * (guint) MAX (1, MIN (strlen (word), WORD_MAX) / 3);
  guint least = limit + 1;

  for (guint i = 0; names[i]; i++) {
    guint distance = suggest_distance (word, names[i]);

    if (!g_ascii_strcasecmp (word, names[i]))
      return names[i];
    if (distance < least && distance < 2 * MAX (strlen (word), strlen (names[i]))) {
      least = distance;
      nearest = names[i];
    }
  }
  if (nearest || strlen (word) < 3)
    return nearest;
  /* A part of a name, or a name with something behind it. */
  for (guint i = 0; names[i]; i++)
    if (strstr (names[i], word) || (strlen (names[i]) >= 3 && g_str_has_prefix (word, names[i])))
      return names[i];
  return NULL;
}

/* Names may be a file's own. */
static void
append_name (GString *clause, const char *before, const char *name, const char *after)
{
  char *shown = suggest_shorten (name);

  g_string_append_printf (clause, "%s%s%s", before, shown, after);
  g_free (shown);
}

char *
suggest_clause (const char *word, const char *const *names)
{
  GString *clause = g_string_new (NULL);
  const char *nearest = suggest_nearest (word, names);
  guint n = 0;

  while (names[n])
    n++;
  for (guint i = 0; n <= NAMES_LISTED_MAX && i < n; i++)
    append_name (clause, i > 0 ? ", " : "; allowed: ", names[i], "");
  if (nearest)
    append_name (clause, "; did you mean \"", nearest, "\"?");
  return g_string_free (clause, FALSE);
}

/* Appends at most n_max characters of the text. */
static void
append_escaped (GString *escaped, const char *text, guint n_max)
{
  for (guint n = 0; *text; n++) {
    gunichar c = g_utf8_get_char_validated (text, -1);

    if (n >= n_max) {
      g_string_append (escaped, "...");
      return;
    }
    if (c == (gunichar) -1 || c == (gunichar) -2) {
      g_string_append_printf (escaped, "\\x%02x", (guint) (guchar) *text++);
      continue;
    }
    if (c == '\n')
      g_string_append (escaped, "\\n");
    else if (c == '\t')
      g_string_append (escaped, "\\t");
    else if (c < 0x20 || (c >= 0x7f && c < 0xa0) || !g_unichar_isdefined (c)
             || g_unichar_type (c) == G_UNICODE_FORMAT
             || g_unichar_type (c) == G_UNICODE_LINE_SEPARATOR
             || g_unichar_type (c) == G_UNICODE_PARAGRAPH_SEPARATOR)
      g_string_append_printf (escaped, "\\u%04x", c);
    else
      g_string_append_unichar (escaped, c);
    text = g_utf8_next_char (text);
  }
}

char *
suggest_escape (const char *text)
{
  GString *escaped = g_string_new (NULL);

  append_escaped (escaped, text, G_MAXUINT);
  return g_string_free (escaped, FALSE);
}

char *
suggest_shorten (const char *text)
{
  GString *shortened = g_string_new (NULL);

  append_escaped (shortened, text, SHORT_MAX);
  return g_string_free (shortened, FALSE);
}

char *
suggest_quote (const char *text)
{
  GString *quoted = g_string_new ("\"");

  append_escaped (quoted, text, SHORT_MAX);
  g_string_append_c (quoted, '"');
  return g_string_free (quoted, FALSE);
}

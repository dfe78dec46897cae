#include "expect_cell.h"

#include <string.h>

#include "suggest.h"

static gboolean
word_matches (const char *word, gsize length, const char *value, gsize value_length)
{
  if (length == strlen (SCENARIO_ANY_VALUE) && memcmp (word, SCENARIO_ANY_VALUE, length) == 0)
    return TRUE;
  if (length > 1 && word[length - 1] == '*')
    return value_length >= length - 1 && memcmp (word, value, length - 1) == 0;
  return length == value_length && memcmp (word, value, length) == 0;
}

/* Is the value, of a length, one of the words joined by "|"? */
static gboolean
field_matches (const char *field, gsize field_length, const char *value, gsize value_length)
{
  const char *end = field + field_length;

  while (field <= end) {
    const char *bar = memchr (field, '|', (gsize) (end - field));
    gsize length = (gsize) ((bar ? bar : end) - field);

    if (word_matches (field, length, value, value_length))
      return TRUE;
    field += length + 1;
  }
  return FALSE;
}

gboolean
expect_cell_matches (const char *pattern, const char *name)
{
  if (strcmp (pattern, name) == 0)
    return TRUE;
  for (;;) {
    gsize field = strcspn (pattern, ","), value = strcspn (name, ",");

    if (!field_matches (pattern, field, name, value) || pattern[field] != name[value])
      return FALSE;
    if (!pattern[field])
      return TRUE;
    pattern += field + 1;
    name += value + 1;
  }
}

static char *
unknown_value (const ScenarioAxis *axis, const char *word)
{
  char *quoted = suggest_quote (word), *clause = suggest_clause (word, axis->values), *text;

  text = g_strdup_printf ("there is no %s %s%s", axis->name, quoted, clause);
  g_free (quoted);
  g_free (clause);
  return text;
}

static gboolean
word_is_known (const char *word, const ScenarioAxis *axis)
{
  for (guint i = 0; i < axis->n; i++)
    if (word_matches (word, strlen (word), axis->values[i], strlen (axis->values[i])))
      return TRUE;
  return FALSE;
}

static char *
check_field (const char *field, const ScenarioAxis *axis)
{
  char **words = g_strsplit (field, "|", -1), *wrong = NULL;

  if (!*field)
    wrong = unknown_value (axis, field);
  for (guint i = 0; words[i] && !wrong; i++)
    if (!word_is_known (words[i], axis))
      wrong = unknown_value (axis, words[i]);
  g_strfreev (words);
  return wrong;
}

char *
expect_cell_check (const char *pattern, const ScenarioAxis *axes, guint n_axes, gsize *ret_at)
{
  char **fields = g_strsplit (pattern, ",", -1), *wrong = NULL;
  guint n = g_strv_length (fields);

  *ret_at = 0;
  if (n != n_axes) {
    GString *names = g_string_new (NULL);

    for (guint a = 0; a < n_axes; a++)
      g_string_append_printf (names, "%s%s", a > 0 ? "," : "", axes[a].name);
    wrong = g_strdup_printf ("a cell is named by %u value%s: %s; \"" SCENARIO_ANY_VALUE
                             "\" stands for all of an axis",
                             n_axes, n_axes == 1 ? "" : "s", names->str);
    g_string_free (names, TRUE);
  }
  for (guint a = 0; a < n && !wrong; a++) {
    wrong = check_field (fields[a], &axes[a]);
    if (!wrong)
      *ret_at += strlen (fields[a]) + 1;
  }
  g_strfreev (fields);
  return wrong;
}

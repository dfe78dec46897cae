/* Greedy line breaking. */
#include "text_wrap.h"

char *
text_wrap (const char *text, guint columns, guint max_lines)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \t\r\n", -1);
  GString *wrapped = g_string_new (NULL);
  glong column = 0;
  guint lines = 1;

  for (guint i = 0; words[i]; i++) {
    glong width = g_utf8_strlen (words[i], -1);

    if (width == 0)
      continue;
    if (column > 0 && column + 1 + width > columns) {
      if (lines == max_lines) {
        g_string_append (wrapped, " ...");
        break;
      }
      g_string_append_c (wrapped, '\n');
      lines++;
      column = 0;
    } else if (column > 0) {
      g_string_append_c (wrapped, ' ');
      column++;
    }
    g_string_append (wrapped, words[i]);
    column += width;
  }
  return g_string_free (wrapped, FALSE);
}

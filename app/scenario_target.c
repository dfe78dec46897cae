#include "scenario_target.h"

#include <string.h>

gboolean
scenario_target_parse (const char *text, ScenarioTarget *ret_target)
{
  const char *colon = strchr (text, ':'), *dot = strchr (text, '.'), *end = colon;
  ScenarioTarget target = { .indexed = FALSE };
  guint64 port, index = 0;
  char *number;
  gboolean good;

  if (!colon || !g_ascii_string_to_unsigned (colon + 1, 10, 1, 65535, &port, NULL))
    return FALSE;
  if (dot && dot < colon) {
    number = g_strndup (dot + 1, (gsize) (colon - dot - 1));
    good = g_ascii_string_to_unsigned (number, 10, 0, G_MAXUINT, &index, NULL);
    g_free (number);
    if (!good)
      return FALSE;
    target.indexed = TRUE;
    end = dot;
  }
  if (end == text)
    return FALSE;
  target.group = g_strndup (text, (gsize) (end - text));
  target.index = (guint) index;
  target.port = (guint) port;
  *ret_target = target;
  return TRUE;
}

void
scenario_target_clear (ScenarioTarget *target)
{
  g_clear_pointer (&target->group, g_free);
}

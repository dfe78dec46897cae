#include "diagnose.h"

G_DEFINE_QUARK (scenario - error - quark, scenario_error)

void
diagnose (GError **error, ScenarioError code, const YamlPlace *place, const char *format, ...)
{
  va_list args;
  char *text;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  if (place->setting)
    g_set_error (error, SCENARIO_ERROR, code, "%s: %s", place->setting, text);
  else
    g_set_error (error, SCENARIO_ERROR, code, "%s:%u:%u: %s", place->file, place->line,
                 place->column, text);
  g_free (text);
}

gboolean
diagnose_refuse (GError **error, const YamlPlace *place, const char *format, ...)
{
  va_list args;
  char *text;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  diagnose (error, SCENARIO_ERROR_VALUE, place, "%s", text);
  g_free (text);
  return FALSE;
}

void
diagnose_value (GError **error, const YamlPlace *place, const char *path, const char *text)
{
  if (!*path || (place->setting && g_str_has_suffix (place->setting, path)))
    diagnose (error, SCENARIO_ERROR_VALUE, place, "%s", text);
  else
    diagnose (error, SCENARIO_ERROR_VALUE, place, "%s: %s", path, text);
}

/* Trace files: `at_s[,host]`, a line per connect. */
#include "scenario_read.h"

#include "suggest.h"
#include "text_file.h"
#include "units.h"

#include <string.h>

/* A host column that is not there: the hosts take turns. */
#define NO_HOST G_MAXUINT

typedef struct {
  YamlPlace place; /* of the field that is being read */
  gboolean has_host;
  guint hosts; /* in the group */
  GArray *rows;
  GError **error;
} Trace;

static gboolean G_GNUC_PRINTF (2, 3)
refuse (Trace *trace, const char *format, ...)
{
  va_list args;
  char *text;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  diagnose (trace->error, SCENARIO_ERROR_VALUE, &trace->place, "%s", text);
  g_free (text);
  return FALSE;
}

static gboolean
read_header (Trace *trace, const char *line)
{
  char *quoted;

  trace->has_host = !strcmp (line, "at_s,host");
  if (trace->has_host || !strcmp (line, "at_s"))
    return TRUE;
  quoted = suggest_quote (line);
  refuse (trace, "the header is %s; write at_s or at_s,host", quoted);
  g_free (quoted);
  return FALSE;
}

static gboolean
wrong_time (Trace *trace, const char *field, const char *wrong)
{
  char *quoted = suggest_quote (field);

  refuse (trace, "%s %s", quoted, wrong);
  g_free (quoted);
  return FALSE;
}

static gboolean
read_time (Trace *trace, const char *field, SimTime *ret_at)
{
  char seconds[64], *wrong;
  UnitsNumber number;
  const char *end;

  if (!units_scan_number (field, &number, &end) || *end
      || g_snprintf (seconds, sizeof seconds, "%ss", field) >= (gint) sizeof seconds)
    return wrong_time (trace, field, "is not a number of seconds");
  wrong = units_parse_time (seconds, ret_at);
  if (wrong) {
    refuse (trace, "%s", wrong);
    g_free (wrong);
    return FALSE;
  }
  if (trace->rows->len > 0
      && *ret_at < g_array_index (trace->rows, ArrivalTraceRow, trace->rows->len - 1).at)
    return wrong_time (trace, field, "is before the line above; times do not decrease");
  return TRUE;
}

static gboolean
read_host (Trace *trace, const char *field, guint *ret_host)
{
  guint64 host;
  char *wrong = units_parse_uint (field, FALSE, &host);

  if (wrong) {
    refuse (trace, "%s", wrong);
    g_free (wrong);
    return FALSE;
  }
  if (host >= trace->hosts)
    return refuse (trace,
                   "there is no host %" G_GUINT64_FORMAT "; the group has %u, numbered from 0",
                   host, trace->hosts);
  *ret_host = (guint) host;
  return TRUE;
}

static gboolean
read_line (Trace *trace, char *line)
{
  char *comma = strchr (line, ',');
  ArrivalTraceRow row = { .host = trace->rows->len % trace->hosts };

  if (!comma != !trace->has_host || (comma && strchr (comma + 1, ',')))
    return refuse (trace, "expected %s",
                   trace->has_host ? "two fields, at_s,host" : "one field, at_s");
  if (comma)
    *comma = '\0';
  if (!read_time (trace, g_strstrip (line), &row.at))
    return FALSE;
  if (comma) {
    trace->place.column = (guint) (comma - line) + 2;
    if (!read_host (trace, g_strstrip (comma + 1), &row.host))
      return FALSE;
  }
  g_array_append_val (trace->rows, row);
  return TRUE;
}

static gboolean
read_text (Trace *trace, char *text)
{
  gboolean header = FALSE;

  while (text) {
    char *line = text, *end = strchr (text, '\n');

    text = end ? end + 1 : NULL;
    if (end)
      *end = '\0';
    trace->place.line++;
    trace->place.column = 1;
    if (line[0] == '\0' || line[0] == '#' || !strcmp (line, "\r"))
      continue;
    line[strcspn (line, "\r")] = '\0';
    if (header ? !read_line (trace, line) : !read_header (trace, line))
      return FALSE;
    header = TRUE;
  }
  return trace->rows->len > 0
         || refuse (trace, "no arrivals; write at_s or at_s,host and a line for "
                           "each connect");
}

static void
free_rows (gpointer rows)
{
  g_array_unref (rows);
}

char *
scenario_trace_path (const ScenarioReading *reading, const char *file)
{
  g_autofree char *folder = g_path_get_dirname (reading->path);

  return g_path_is_absolute (file) || !strcmp (folder, ".") ? g_strdup (file)
                                                            : g_build_filename (folder, file, NULL);
}

static const GArray *
load_file (ScenarioReading *reading, const char *file, guint hosts, const YamlNode *root,
           const char *where, GError **error)
{
  char *key, *path = scenario_trace_path (reading, file), *data, *shown;
  Trace trace = { .hosts = hosts, .error = error };
  GError *wrong = NULL;
  gsize length;
  gboolean good;

  key = arena_printf (reading->arena, "%u/%s", hosts, path);
  trace.rows = g_hash_table_lookup (reading->traces, key);
  if (trace.rows) {
    g_free (path);
    return trace.rows;
  }
  data = text_file_read (path, &length, &wrong);
  shown = suggest_escape (path);
  trace.place.file = arena_strdup (reading->arena, shown);
  g_free (shown);
  g_free (path);
  if (!data) {
    diagnose_value (error, &yaml_node_at (root, where)->place, where, wrong->message);
    g_error_free (wrong);
    return NULL;
  }
  trace.rows = g_array_new (FALSE, FALSE, sizeof (ArrivalTraceRow));
  arena_own (reading->arena, trace.rows, free_rows);
  reading->hash = scenario_hash_add (reading->hash, data, length);
  if (strlen (data) == length) {
    good = read_text (&trace, data);
  } else {
    trace.place.line = trace.place.column = 1;
    good = refuse (&trace, "holds a NUL byte; a trace is a CSV text");
  }
  g_free (data);
  if (!good)
    return NULL;
  g_hash_table_insert (reading->traces, key, trace.rows);
  return trace.rows;
}

static guint
group_size (const ScenarioModel *model, const char *name)
{
  for (guint i = 0; i < model->hosts->len; i++)
    if (!strcmp (g_array_index (model->hosts, HostGroupParams, i).name, name))
      return g_array_index (model->hosts, HostGroupParams, i).count;
  g_assert_not_reached (); /* checked before */
}

static gboolean
wrong_number (const YamlNode *root, guint i, const char *key, const char *text, GError **error)
{
  char path[64];

  g_snprintf (path, sizeof path, "connects.%u.%s", i, key);
  diagnose_value (error, &yaml_node_at (root, path)->place, path, text);
  return FALSE;
}

static gboolean
load_connect (ScenarioReading *reading, const ScenarioModel *model, const YamlNode *root, guint i,
              GError **error)
{
  ConnectParams *connect = &g_array_index (model->connects, ConnectParams, i);
  /* The parameters are the arena's, and filled by us. */
  ArrivalTraceParams *params = (ArrivalTraceParams *) connect->arrivals.params;
  char text[100];

  g_snprintf (text, sizeof text, "connects.%u.arrivals.trace.file", i);
  params->rows =
      load_file (reading, params->file, group_size (model, connect->from), root, text, error);
  if (!params->rows)
    return FALSE;
  if (connect->per_host != 1)
    return wrong_number (root, i, "per_host",
                         "the trace says how many connects there are; leave per_host out",
                         error);
  if (connect->number > params->rows->len) {
    g_snprintf (text, sizeof text, "%u is more than the %u arrivals of the trace", connect->number,
                params->rows->len);
    return wrong_number (root, i, "number", text, error);
  }
  if (connect->number == 0)
    connect->number = params->rows->len;
  return TRUE;
}

gboolean
scenario_trace_load (ScenarioReading *reading, ScenarioModel *model, const YamlNode *root,
                     GError **error)
{
  for (guint i = 0; i < model->connects->len; i++)
    if (g_array_index (model->connects, ConnectParams, i).arrivals.klass == &arrival_trace.info
        && !load_connect (reading, model, root, i, error))
      return FALSE;
  return TRUE;
}

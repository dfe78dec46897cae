/* connections.csv: a row per connect of the recorded replications.
 *
 * A million rows of twenty fields: a row is put together in a buffer, without printf. */
#include <string.h>

#include "output.h"
#include "output_file.h"

/* What the rows of an entry begin with, quoted where needed. */
typedef struct {
  const ConnectParams *params;
  char *name, *from;
} Entry;

typedef struct {
  char *end;
  char bytes[1024]; /* the numbers of a row; its names are written by themselves */
} Row;

/* ----- text ----- */

static char *
csv_field (const char *text)
{
  GString *field;

  if (!strpbrk (text, ",\"\r\n"))
    return g_strdup (text);
  field = g_string_new ("\"");
  for (const char *c = text; *c; c++) {
    if (*c == '"')
      g_string_append_c (field, '"');
    g_string_append_c (field, *c);
  }
  g_string_append_c (field, '"');
  return g_string_free (field, FALSE);
}

static inline void
put_char (Row *row, char c)
{
  *row->end++ = c;
}

static inline void
put_text (Row *row, const char *text)
{
  gsize n = strlen (text);

  memcpy (row->end, text, n);
  row->end += n;
}

static inline void
put_number (Row *row, guint64 number)
{
  char digits[20];
  guint n = 0;

  do {
    digits[n++] = (char) ('0' + number % 10);
    number /= 10;
  } while (number > 0);
  while (n > 0)
    *row->end++ = digits[--n];
}

/* A comma, and the seconds with all nine decimals; empty where the time does not exist. */
static inline void
put_time (Row *row, SimTime t)
{
  guint32 fraction;

  put_char (row, ',');
  if (t == SIM_TIME_NEVER)
    return;
  put_number (row, (guint64) t / 1000000000);
  put_char (row, '.');
  fraction = (guint32) (t % 1000000000);
  for (guint digit = 9; digit > 0; digit--) {
    row->end[digit - 1] = (char) ('0' + fraction % 10);
    fraction /= 10;
  }
  row->end += 9;
}

/* ----- rows ----- */

static const char *
outcome_name (ConnectCause cause)
{
  if (cause == CONNECT_ESTABLISHED)
    return "established";
  if (cause == CONNECT_SUPERSEDED)
    return "superseded";
  return cause == CONNECT_PENDING ? "pending" : "failed";
}

static void
put_record (Row *row, const ConnectParams *params, const ConnectRecord *record)
{
  SimTime start = record->steps[CONNECT_STEP_START];

  put_char (row, '.');
  put_number (row, record->host);
  put_char (row, ',');
  put_text (row, outcome_name (record->cause));
  put_char (row, ',');
  put_text (row, connect_cause_name (record->cause));
  put_char (row, ',');
  if (record->cause == CONNECT_REFUSED)
    put_number (row, record->reason);
  put_char (row, ',');
  put_text (row, connect_errno_name (params, record));
  put_char (row, ',');
  put_number (row, record->attempts);
  put_char (row, ',');
  put_number (row, record->reqs);
  put_time (row, record->end == SIM_TIME_NEVER ? SIM_TIME_NEVER : record->end - start);
  for (guint step = 0; step < CONNECT_STEP_COUNT; step++)
    put_time (row, record->steps[step]);
  put_char (row, '\n');
}

static void
write_replication (OutputFile *file, const ConnectRecords *connects, const char *head,
                   const Entry *entries)
{
  Row row;

  for (guint i = 0; i < connect_records_count (connects); i++) {
    ConnectRecord record = connect_records_get (connects, i);
    const Entry *entry = &entries[record.entry];

    if (record.steps[CONNECT_STEP_START] == SIM_TIME_NEVER)
      continue; /* the run ended before it began */
    output_file_text (file, head);
    output_file_text (file, entry->name);
    row.end = row.bytes;
    put_char (&row, ',');
    put_number (&row, record.index);
    put_char (&row, ',');
    output_file_bytes (file, row.bytes, (gsize) (row.end - row.bytes));
    output_file_text (file, entry->from);
    row.end = row.bytes;
    put_record (&row, entry->params, &record);
    output_file_bytes (file, row.bytes, (gsize) (row.end - row.bytes));
  }
}

static Entry *
entries_new (const GArray *connects)
{
  Entry *entries = g_new (Entry, connects->len);

  for (guint i = 0; i < connects->len; i++) {
    const ConnectParams *params = &g_array_index (connects, ConnectParams, i);

    entries[i].params = params;
    entries[i].name = params->name ? csv_field (params->name) : g_strdup_printf ("connects.%u", i);
    entries[i].from = csv_field (params->from);
  }
  return entries;
}

static void
entries_free (Entry *entries, guint n)
{
  for (guint i = 0; i < n; i++) {
    g_free (entries[i].name);
    g_free (entries[i].from);
  }
  g_free (entries);
}

static void
write_variant (OutputFile *file, const OutputRun *run, guint v)
{
  const ScenarioVariant *variant = g_ptr_array_index (run->scenario->variants, v);
  Entry *entries = entries_new (variant->model.connects);
  g_autofree char *name = csv_field (variant->name);

  for (guint r = 0; r < run->results->recorded; r++) {
    g_autofree char *head = g_strdup_printf ("%s,%u,", name, r);

    write_replication (file, runner_cell (run->results, v, r)->world->connects, head, entries);
  }
  entries_free (entries, variant->model.connects->len);
}

static gboolean
connections_csv_write (const OutputRun *run, const char *dir, GError **error)
{
  OutputFile *file = output_file_new (dir, output_connections_csv.name);

  output_file_text (file, "variant,replication,entry,number,host,outcome,cause,reason,errno,"
                          "attempts,reqs,latency_s");
  for (guint step = 0; step < CONNECT_STEP_COUNT; step++)
    output_file_printf (file, ",%s_s", connect_step_name (step));
  output_file_text (file, "\n");
  for (guint v = 0; v < run->results->variants; v++)
    write_variant (file, run, v);
  return output_file_close (file, error);
}

const OutputWriter output_connections_csv = {
  .name = "connections.csv",
  .help = "a row per connect: who, how it ended, what it sent, when each step was done",
  .write = connections_csv_write,
};

/* Tables of times: a line for each send, a column for each profile that differs. */
#include "explain_timeouts.h"

#include <string.h>

typedef enum {
  NOMINAL,
  WHEEL,
  NOMINAL_MRA,
  WHEEL_MRA,
  TABLES
} Table;

/* One profile, with what was given on the command line. */
typedef struct {
  CmScheduleParams params; /* without wheel and MRA */
  guint hz, mra_timeout;
  CmSchedule schedules[TABLES];
} Row;

static guint
choose (guint given, guint own)
{
  return given == EXPLAIN_AS_PROFILE ? own : given;
}

static void
fill (Row *row, const CmProfile *profile, const ExplainTimeouts *options)
{
  row->hz = choose (options->hz, profile->hz);
  row->mra_timeout = choose (options->mra_timeout, profile->mra_service_timeout);
  row->params = (CmScheduleParams){
    .profile = profile,
    .response_timeout = choose (options->response_timeout, profile->response_timeout),
    .packet_lifetime = choose (options->packet_lifetime, profile->packet_lifetime),
    .max_retries = choose (options->max_retries, profile->max_retries),
  };
  for (guint table = 0; table < TABLES; table++) {
    CmScheduleParams params = row->params;

    if (table == WHEEL || table == WHEEL_MRA)
      params.hz = row->hz;
    if (table == NOMINAL_MRA || table == WHEEL_MRA) {
      params.mra_after = options->mra_after;
      params.mra_timeout = row->mra_timeout;
    }
    cm_schedule (&params, &row->schedules[table]);
  }
}

static GArray *
make_rows (const ExplainTimeouts *options)
{
  GArray *rows = g_array_new (FALSE, TRUE, sizeof (Row));

  for (guint i = 0; cm_profiles[i]; i++) {
    if (options->profile && options->profile != cm_profiles[i])
      continue;
    g_array_set_size (rows, rows->len + 1);
    fill (&g_array_index (rows, Row, rows->len - 1), cm_profiles[i], options);
  }
  return rows;
}

/* ----- text ----- */

#define SCHEDULE(rows, row, table) (&g_array_index (rows, Row, row).schedules[table])

static void
print_seconds (char *buf, gsize size, SimTime least, SimTime most)
{
  guint64 a = (guint64) (least + 500000) / 1000000, b = (guint64) (most + 500000) / 1000000;

  if (a == b)
    g_snprintf (buf, size, "%" G_GUINT64_FORMAT ".%03u", a / 1000, (guint) (a % 1000));
  else
    g_snprintf (buf, size, "%" G_GUINT64_FORMAT ".%03u-%" G_GUINT64_FORMAT ".%03u", a / 1000,
                (guint) (a % 1000), b / 1000, (guint) (b % 1000));
}

static gboolean
same_schedule (const CmSchedule *a, const CmSchedule *b)
{
  return memcmp (a, b, sizeof *a) == 0;
}

/* Profiles that send at the same times share a column: its first one stands for it. */
static gboolean
has_column (const GArray *rows, Table table, guint row)
{
  for (guint i = 0; i < row; i++)
    if (same_schedule (SCHEDULE (rows, i, table), SCHEDULE (rows, row, table)))
      return FALSE;
  return TRUE;
}

static void
print_columns (FILE *out, const GArray *rows, Table table)
{
  fprintf (out, "%-9s", "");
  for (guint row = 0; row < rows->len; row++) {
    char letters[32] = "";

    if (!has_column (rows, table, row))
      continue;
    for (guint i = row, n = 0; i < rows->len; i++)
      if (same_schedule (SCHEDULE (rows, i, table), SCHEDULE (rows, row, table)))
        letters[n++] = (char) ('a' + i);
    fprintf (out, " %18s", letters);
  }
  fprintf (out, "\n");
}

static void
print_line (FILE *out, const GArray *rows, Table table, const char *head, guint send)
{
  fprintf (out, "%-9s", head);
  for (guint row = 0; row < rows->len; row++) {
    const CmSchedule *schedule = SCHEDULE (rows, row, table);
    char text[48] = "";

    if (!has_column (rows, table, row))
      continue;
    if (send == CM_SCHEDULE_SENDS)
      print_seconds (text, sizeof text, schedule->gives_up_least, schedule->gives_up_most);
    else if (send < schedule->sends)
      print_seconds (text, sizeof text, schedule->least[send], schedule->most[send]);
    fprintf (out, " %18s", text);
  }
  fprintf (out, "\n");
}

static void
print_table (FILE *out, const GArray *rows, Table table, const char *title)
{
  guint most = 0;
  char head[16];

  fprintf (out, "\n%s, seconds:\n", title);
  print_columns (out, rows, table);
  for (guint row = 0; row < rows->len; row++)
    most = MAX (most, SCHEDULE (rows, row, table)->sends);
  for (guint send = 0; send < most; send++) {
    g_snprintf (head, sizeof head, "send %u", send + 1);
    print_line (out, rows, table, head, send);
  }
  print_line (out, rows, table, "gives up", CM_SCHEDULE_SENDS);
}

static void
print_row (FILE *out, const Row *row, guint i)
{
  const CmScheduleParams *params = &row->params;
  const CmProfile *profile = params->profile;
  SimTime request
      = cm_time_request (profile, params->packet_lifetime, params->response_timeout);
  SimTime mra = cm_time_code (profile, row->mra_timeout);
  char wait[48], asked[48];

  print_seconds (wait, sizeof wait, request, request);
  print_seconds (asked, sizeof asked, mra, mra);
  fprintf (out, "%c  %-20s response %u, lifetime %u, %u retries: a wait is %s s; ",
           (int) ('a' + i), profile->name, params->response_timeout, params->packet_lifetime,
           params->max_retries, wait);
  if (profile->timing == CM_TIMING_LINUX)
    fprintf (out, "wheel at HZ %u", row->hz);
  else
    fprintf (out, "no wheel");
  fprintf (out, "; MRA %u: %s s\n", row->mra_timeout, asked);
}

static void
print_text (FILE *out, const GArray *rows, guint mra_after)
{
  char title[64];

  fprintf (out, "When a REQ that nobody answers is sent, and when its sender gives up.\n\n");
  for (guint row = 0; row < rows->len; row++)
    print_row (out, &g_array_index (rows, Row, row), row);
  print_table (out, rows, NOMINAL, "No MRA, nominal");
  print_table (out, rows, WHEEL, "No MRA, on the timer wheel");
  g_snprintf (title, sizeof title, "MRA after send %u, nominal", mra_after);
  print_table (out, rows, NOMINAL_MRA, title);
  g_snprintf (title, sizeof title, "MRA after send %u, on the timer wheel", mra_after);
  print_table (out, rows, WHEEL_MRA, title);
}

/* ----- CSV ----- */

static void
print_csv_row (FILE *out, const CmProfile *profile, Table table, const char *what, SimTime least,
               SimTime most)
{
  fprintf (out, "%s,%s,%s,%s,%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT "\n", profile->name,
           table == NOMINAL || table == NOMINAL_MRA ? "nominal" : "wheel",
           table == NOMINAL_MRA || table == WHEEL_MRA ? "yes" : "no", what, least, most);
}

static void
print_csv (FILE *out, const GArray *rows)
{
  fprintf (out, "profile,timers,mra,send,least_ns,most_ns\n");
  for (guint row = 0; row < rows->len; row++)
    for (guint table = 0; table < TABLES; table++) {
      const CmProfile *profile = g_array_index (rows, Row, row).params.profile;
      const CmSchedule *schedule = SCHEDULE (rows, row, table);

      for (guint send = 0; send < schedule->sends; send++) {
        char what[16];

        g_snprintf (what, sizeof what, "%u", send + 1);
        print_csv_row (out, profile, table, what, schedule->least[send], schedule->most[send]);
      }
      print_csv_row (out, profile, table, "gives up", schedule->gives_up_least,
                     schedule->gives_up_most);
    }
}

void
explain_timeouts_print (FILE *out, const ExplainTimeouts *options)
{
  GArray *rows = make_rows (options);

  if (options->csv)
    print_csv (out, rows);
  else
    print_text (out, rows, options->mra_after);
  g_array_free (rows, TRUE);
}

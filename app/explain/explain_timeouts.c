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

typedef struct {
  const CmProfile *first;
  GString *names;
  CmScheduleParams params; /* without wheel and MRA */
  guint hz, mra_timeout;
  CmSchedule schedules[TABLES];
} Column;

static guint
choose (guint given, guint own)
{
  return given == EXPLAIN_AS_PROFILE ? own : given;
}

static void
fill (Column *column, const CmProfile *profile, const ExplainTimeouts *options)
{
  column->first = profile;
  column->hz = choose (options->hz, profile->hz);
  column->mra_timeout = choose (options->mra_timeout, profile->mra_service_timeout);
  column->params = (CmScheduleParams){
    .profile = profile,
    .response_timeout = choose (options->response_timeout, profile->response_timeout),
    .packet_lifetime = choose (options->packet_lifetime, profile->packet_lifetime),
    .max_retries = choose (options->max_retries, profile->max_retries),
  };
  for (guint table = 0; table < TABLES; table++) {
    CmScheduleParams params = column->params;

    if (table == WHEEL || table == WHEEL_MRA)
      params.hz = column->hz;
    if (table == NOMINAL_MRA || table == WHEEL_MRA) {
      params.mra_after = options->mra_after;
      params.mra_timeout = column->mra_timeout;
    }
    cm_schedule (&params, &column->schedules[table]);
  }
}

/* Profiles that send at the same times share a column. */
static GArray *
make_columns (const ExplainTimeouts *options)
{
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (Column));

  for (guint i = 0; cm_profiles[i]; i++) {
    Column column;
    guint c = 0;

    if (options->profile && options->profile != cm_profiles[i])
      continue;
    memset (&column, 0, sizeof column);
    fill (&column, cm_profiles[i], options);
    while (c < columns->len && memcmp (g_array_index (columns, Column, c).schedules,
                                       column.schedules, sizeof column.schedules) != 0)
      c++;
    if (c < columns->len) {
      g_string_append_printf (g_array_index (columns, Column, c).names, ", %s",
                              cm_profiles[i]->name);
      continue;
    }
    column.names = g_string_new (cm_profiles[i]->name);
    g_array_append_val (columns, column);
  }
  return columns;
}

/* ----- text ----- */

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

static void
print_line (FILE *out, const GArray *columns, Table table, const char *head, guint send)
{
  fprintf (out, "%-10s", head);
  for (guint c = 0; c < columns->len; c++) {
    const CmSchedule *schedule = &g_array_index (columns, Column, c).schedules[table];
    char text[48] = "";

    if (send == CM_SCHEDULE_SENDS)
      print_seconds (text, sizeof text, schedule->gives_up_least, schedule->gives_up_most);
    else if (send < schedule->sends)
      print_seconds (text, sizeof text, schedule->least[send], schedule->most[send]);
    fprintf (out, " %19s", text);
  }
  fprintf (out, "\n");
}

static guint
most_sends (const GArray *columns, Table table)
{
  guint most = 0;

  for (guint c = 0; c < columns->len; c++)
    most = MAX (most, g_array_index (columns, Column, c).schedules[table].sends);
  return most;
}

static void
print_table (FILE *out, const GArray *columns, Table table, const char *title)
{
  char head[16];

  fprintf (out, "\n%s, seconds:\n%-10s", title, "");
  for (guint c = 0; c < columns->len; c++)
    fprintf (out, "                 (%c)", (int) ('a' + c));
  fprintf (out, "\n");
  for (guint send = 0; send < most_sends (columns, table); send++) {
    g_snprintf (head, sizeof head, "send %u", send + 1);
    print_line (out, columns, table, head, send);
  }
  print_line (out, columns, table, "gives up", CM_SCHEDULE_SENDS);
}

static void
print_column (FILE *out, const Column *column, guint c)
{
  const CmScheduleParams *params = &column->params;
  gboolean spec = params->profile->timing == CM_TIMING_SPEC;
  char wait[48], mra[48];

  print_seconds (wait, sizeof wait,
                 cm_time_request (params->profile, params->packet_lifetime,
                                  params->response_timeout),
                 cm_time_request (params->profile, params->packet_lifetime,
                                  params->response_timeout));
  print_seconds (mra, sizeof mra, cm_time_code (params->profile, column->mra_timeout),
                 cm_time_code (params->profile, column->mra_timeout));
  fprintf (out,
           "(%c) %s\n    response timeout %u, packet lifetime %u, %u retries: a wait is %s s; ",
           (int) ('a' + c), column->names->str, params->response_timeout,
           params->packet_lifetime, params->max_retries, wait);
  if (spec)
    fprintf (out, "exact timers");
  else
    fprintf (out, "timer wheel at HZ %u", column->hz);
  fprintf (out, "\n    an MRA says time code %u, %s s\n", column->mra_timeout, mra);
}

static void
print_text (FILE *out, const GArray *columns, guint mra_after)
{
  char title[64];

  fprintf (out, "When a REQ that nobody answers is sent, and when its sender gives up.\n\n");
  for (guint c = 0; c < columns->len; c++)
    print_column (out, &g_array_index (columns, Column, c), c);
  print_table (out, columns, NOMINAL, "No MRA, nominal");
  print_table (out, columns, WHEEL, "No MRA, on the timer wheel");
  g_snprintf (title, sizeof title, "MRA after send %u, nominal", mra_after);
  print_table (out, columns, NOMINAL_MRA, title);
  g_snprintf (title, sizeof title, "MRA after send %u, on the timer wheel", mra_after);
  print_table (out, columns, WHEEL_MRA, title);
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
print_csv (FILE *out, const ExplainTimeouts *options)
{
  fprintf (out, "profile,timers,mra,send,least_ns,most_ns\n");
  for (guint i = 0; cm_profiles[i]; i++) {
    Column column;

    if (options->profile && options->profile != cm_profiles[i])
      continue;
    fill (&column, cm_profiles[i], options);
    for (guint table = 0; table < TABLES; table++) {
      const CmSchedule *schedule = &column.schedules[table];

      for (guint send = 0; send < schedule->sends; send++) {
        char what[16];

        g_snprintf (what, sizeof what, "%u", send + 1);
        print_csv_row (out, cm_profiles[i], table, what, schedule->least[send],
                       schedule->most[send]);
      }
      print_csv_row (out, cm_profiles[i], table, "gives up", schedule->gives_up_least,
                     schedule->gives_up_most);
    }
  }
}

void
explain_timeouts_print (FILE *out, const ExplainTimeouts *options)
{
  GArray *columns;

  if (options->csv) {
    print_csv (out, options);
    return;
  }
  columns = make_columns (options);
  print_text (out, columns, options->mra_after);
  for (guint c = 0; c < columns->len; c++)
    g_string_free (g_array_index (columns, Column, c).names, TRUE);
  g_array_free (columns, TRUE);
}

/* Captured experiments.  Owns the format of their two CSV files. */
#include "capture.h"

#include <string.h>

G_DEFINE_QUARK (capture-error-quark, capture_error)

/*  t_ms,dir,msg,nth,tid,local_id,remote_id,action,fields  */
enum {
  MAD_TIME, MAD_DIR, MAD_MSG, MAD_NTH, MAD_TID, MAD_LOCAL, MAD_REMOTE, MAD_ACTION, MAD_FIELDS,
  MAD_COLUMNS
};
/*  t_ms,host,role,conn,event,status,guest_mono_us,extra  */
enum { EV_TIME, EV_HOST, EV_ROLE, EV_CONN, EV_EVENT, EV_STATUS, EV_MONO, EV_EXTRA, EV_COLUMNS };

typedef struct {
  KernelLog *log;
  GArray *claimed;  /* guint: the `nth` column, for each MAD */
  GArray *qpns;     /* guint64: QPN of each connect's first REQ, 0 where a line is no first REQ */
  GArray *servers;  /* guint: connect of each server-side connection, by its number */
  GArray *decided;  /* gboolean, for each connect started by the client */
} Reader;

static gboolean
parse_time (const char *text, SimTime *ret_time)
{
  char *end;
  double ms = g_ascii_strtod (text, &end);

  if (end == text || *end)
    return FALSE;
  *ret_time = (SimTime) (ms * 1e6 + (ms < 0 ? -0.5 : 0.5));
  return TRUE;
}

static gboolean
parse_number (const char *text, guint base, gint64 *ret_number)
{
  char *end;

  *ret_number = g_ascii_strtoll (text, &end, base);
  return end != text && !*end;
}

/* "reason" of "msg_rejected=0 info_len=0 reason=8" is 8; FALSE if it is not there. */
static gboolean
field (const char *fields, const char *name, guint64 *ret_value)
{
  g_auto (GStrv) words = g_strsplit (fields, " ", -1);
  gsize length = strlen (name);

  for (guint i = 0; words[i]; i++)
    if (g_str_has_prefix (words[i], name) && words[i][length] == '=') {
      const char *value = words[i] + length + 1;
      *ret_value = g_ascii_strtoull (value, NULL, g_str_has_prefix (value, "0x") ? 16 : 10);
      return TRUE;
    }
  return FALSE;
}

static guint
attr_find (const char *name)
{
  for (guint i = 0; i < IB_CM_ATTR_COUNT; i++)
    if (g_str_equal (ib_cm_attr_name (IB_CM_ATTR_FIRST + i), name))
      return IB_CM_ATTR_FIRST + i;
  return 0;
}

static gboolean
parse_answer (const char *fields, KernelMad *mad)
{
  guint64 message, code;

  if (mad->attr == IB_CM_REJ) {
    if (!field (fields, "msg_rejected", &message) || !field (fields, "reason", &code))
      return FALSE;
  } else if (mad->attr == IB_CM_MRA) {
    if (!field (fields, "msg_mraed", &message) || !field (fields, "service_to", &code))
      return FALSE;
  } else
    return TRUE;
  mad->message = (guint8) message;
  mad->code = (guint16) code;
  return TRUE;
}

static gboolean
parse_req (const char *fields, KernelMad *mad)
{
  guint64 timeout, retries;

  if (!field (fields, "local_cm_resp_to", &timeout) || !field (fields, "max_cm_retries", &retries))
    return FALSE;
  mad->response_timeout = (guint8) timeout;
  mad->max_retries = (guint8) retries;
  return TRUE;
}

static gboolean
parse_mad (Reader *reader, char **columns)
{
  KernelMad mad = { 0 };
  gint64 nth, local, remote;
  guint64 qpn = 0;

  if (g_strv_length (columns) != MAD_COLUMNS || !parse_time (columns[MAD_TIME], &mad.at)
      || !parse_number (columns[MAD_NTH], 10, &nth)
      || !parse_number (columns[MAD_LOCAL], 16, &local)
      || !parse_number (columns[MAD_REMOTE], 16, &remote))
    return FALSE;
  if (g_str_equal (columns[MAD_DIR], "A>B"))
    mad.side = KERNEL_SIDE_A;
  else if (g_str_equal (columns[MAD_DIR], "B>A"))
    mad.side = KERNEL_SIDE_B;
  else
    return FALSE;
  mad.attr = (guint16) attr_find (columns[MAD_MSG]);
  mad.local_id = (guint32) local;
  mad.remote_id = (guint32) remote;
  mad.lost = g_str_equal (columns[MAD_ACTION], "drop");
  if (!mad.attr || !parse_answer (columns[MAD_FIELDS], &mad)
      || (mad.attr == IB_CM_REQ && !parse_req (columns[MAD_FIELDS], &mad)))
    return FALSE;
  if (reader->log->mads->len == 0)
    reader->log->client = mad.side;
  if (mad.attr == IB_CM_REQ && nth == 1 && !field (columns[MAD_FIELDS], "qpn", &qpn))
    return FALSE;
  if (qpn)
    g_array_append_val (reader->qpns, qpn);
  guint claimed = (guint) nth;
  g_array_append_val (reader->claimed, claimed);
  g_array_append_val (reader->log->mads, mad);
  return TRUE;
}

/* The server numbers its connections in the order it reads the requests, and says
 * with the request which QPN the client gave. */
static gboolean
note_request (Reader *reader, guint server_conn, const char *extra)
{
  guint64 qpn;

  if (!field (extra, "peer_qpn", &qpn))
    return FALSE;
  for (guint i = 0; i < reader->qpns->len; i++)
    if (g_array_index (reader->qpns, guint64, i) == qpn) {
      if (reader->servers->len <= server_conn)
        g_array_set_size (reader->servers, server_conn + 1);
      g_array_index (reader->servers, guint, server_conn) = i;
      return TRUE;
    }
  return FALSE;
}

static void
add_event (Reader *reader, SimTime at, KernelSide side, guint conn, KernelEventType type,
           gint status)
{
  KernelEvent event = { .at = at, .side = side, .conn = conn, .type = type, .status = status };

  g_array_append_val (reader->log->events, event);
  if (side != reader->log->client)
    return;
  if (reader->decided->len <= conn)
    g_array_set_size (reader->decided, conn + 1);
  g_array_index (reader->decided, gboolean, conn) = TRUE;
}

/* The client's process ends: it gives up what the CM has not decided. */
static void
give_up_rest (Reader *reader, SimTime at)
{
  for (guint conn = 0; conn < reader->qpns->len; conn++)
    if (conn >= reader->decided->len || !g_array_index (reader->decided, gboolean, conn))
      add_event (reader, at, reader->log->client, conn, KERNEL_EVENT_GAVE_UP, 0);
}

/* Reads `setup: srv[-b 16 -T] cli[-c 1]`: the programs report events, stock ones run
 * under `timeout` do not, and without srv[] or cli[] that side is a hand-built peer.  With
 * -T a program waits for TIMEWAIT_EXIT before it destroys an id. */
static void
note_program (KernelLog *log, KernelSide side, const char *setup)
{
  const char *start = strstr (setup, side == log->client ? "cli[" : "srv[");
  const char *end = start ? strchr (start, ']') : NULL;

  log->watched[side] = log->sees_timewait[side] = FALSE;
  log->handmade[side] = !end;
  if (!end)
    return;
  g_autofree char *options = g_strndup (start, (gsize) (end - start));
  g_auto (GStrv) words = g_strsplit_set (options, " [", -1);
  log->watched[side] = !g_strv_contains ((const char *const *) words, "timeout");
  log->sees_timewait[side] = g_strv_contains ((const char *const *) words, "-T");
}

/* An event is late by the way from the program to the recorder: the least late one
 * shows best how the guest's clock stands to the recorder's. */
static void
note_clock (Reader *reader, SimTime at, const char *host, SimTime guest)
{
  KernelSide side = g_str_equal (host, "A") ? KERNEL_SIDE_A : KERNEL_SIDE_B;
  SimTime *clock = &reader->log->guest_clock[side];

  if (*clock == SIM_TIME_NEVER || guest - at > *clock)
    *clock = guest - at;
}

static gboolean
parse_clock (Reader *reader, char **columns)
{
  gint64 guest_us;
  SimTime at;

  if (g_strv_length (columns) != EV_COLUMNS || !parse_time (columns[EV_TIME], &at)
      || !parse_number (columns[EV_MONO], 10, &guest_us))
    return FALSE;
  if (!g_str_equal (columns[EV_ROLE], "wire"))
    note_clock (reader, at, columns[EV_HOST], SIM_US (guest_us));
  return TRUE;
}

/* When it happened by the guest's clock, which the recorder's is behind. */
static SimTime
event_time (const Reader *reader, SimTime at, const char *host, SimTime guest)
{
  SimTime clock
      = reader->log->guest_clock[g_str_equal (host, "A") ? KERNEL_SIDE_A : KERNEL_SIDE_B];

  return clock == SIM_TIME_NEVER ? at : MIN (at, guest - clock);
}

static gboolean
parse_event (Reader *reader, char **columns)
{
  SimTime at;
  gint64 conn, status, guest_us;

  if (g_strv_length (columns) != EV_COLUMNS || !parse_time (columns[EV_TIME], &at)
      || !parse_number (columns[EV_CONN], 10, &conn)
      || !parse_number (columns[EV_STATUS], 10, &status)
      || !parse_number (columns[EV_MONO], 10, &guest_us))
    return FALSE;

  const char *name = columns[EV_EVENT];
  if (!g_str_equal (columns[EV_ROLE], "wire"))
    at = event_time (reader, at, columns[EV_HOST], SIM_US (guest_us));
  gboolean server = g_str_equal (columns[EV_ROLE], "srv");
  if (g_str_equal (name, "NOTE")) {
    for (guint side = 0; side < KERNEL_SIDES; side++)
      note_program (reader->log, side, columns[EV_EXTRA]);
    return TRUE;
  }
  if (g_str_equal (name, "ACCEPT_FAIL"))
    reader->log->accepts_failed++;
  if (g_str_equal (name, "TIME_LIMIT"))
    give_up_rest (reader, at);
  KernelEventType type = g_str_equal (name, "CANCEL") ? KERNEL_EVENT_GAVE_UP
                                                      : kernel_event_find (name);
  if (type == KERNEL_EVENT_N)
    return TRUE;
  if (conn < 0)
    return FALSE;
  if (type == KERNEL_EVENT_CONNECT_REQUEST
      && !note_request (reader, (guint) conn, columns[EV_EXTRA]))
    return FALSE;
  if (server && (guint) conn >= reader->servers->len)
    return FALSE;
  if (!server && type == KERNEL_EVENT_ESTABLISHED)
    type = KERNEL_EVENT_CONNECT_RESPONSE;
  KernelSide client = reader->log->client;
  add_event (reader, at, server ? (KernelSide) !client : client,
             server ? g_array_index (reader->servers, guint, conn) : (guint) conn, type,
             (gint) status);
  return TRUE;
}

static gboolean
parse_lines (Reader *reader, const char *text, const char *what, guint columns,
             gboolean (*parse) (Reader *, char **), GError **error)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 1; lines[i]; i++) {
    if (!*lines[i])
      continue;
    g_auto (GStrv) cells = g_strsplit (lines[i], ",", (gint) columns);
    if (parse (reader, cells))
      continue;
    g_set_error (error, CAPTURE_ERROR, CAPTURE_ERROR_FORMAT, "%s:%u: not understood: %s", what,
                 i + 1, lines[i]);
    return FALSE;
  }
  return TRUE;
}

/* The recorder counted the sends of each MAD too: it must have come to the same. */
static gboolean
check_sends (const Reader *reader, GError **error)
{
  for (guint i = 0; i < reader->log->mads->len; i++)
    if (kernel_log_mad (reader->log, i)->nth != g_array_index (reader->claimed, guint, i)) {
      g_set_error (error, CAPTURE_ERROR, CAPTURE_ERROR_FORMAT,
                   "mads:%u: send %u of its MAD, the file says %u", i + 2,
                   kernel_log_mad (reader->log, i)->nth,
                   g_array_index (reader->claimed, guint, i));
      return FALSE;
    }
  return TRUE;
}

KernelLog *
capture_parse (const char *mads_csv, const char *events_csv, GError **error)
{
  g_autoptr (KernelLog) log = kernel_log_new ();
  g_autoptr (GArray) claimed = g_array_new (FALSE, TRUE, sizeof (guint));
  g_autoptr (GArray) qpns = g_array_new (FALSE, TRUE, sizeof (guint64));
  g_autoptr (GArray) servers = g_array_new (FALSE, TRUE, sizeof (guint));
  g_autoptr (GArray) decided = g_array_new (FALSE, TRUE, sizeof (gboolean));
  Reader reader = { log, claimed, qpns, servers, decided };

  if (!parse_lines (&reader, mads_csv, "mads", MAD_COLUMNS, parse_mad, error)
      || !parse_lines (&reader, events_csv, "events", EV_COLUMNS, parse_clock, error)
      || !parse_lines (&reader, events_csv, "events", EV_COLUMNS, parse_event, error))
    return NULL;
  if (!kernel_log_finish (log)) {
    g_set_error_literal (error, CAPTURE_ERROR, CAPTURE_ERROR_FORMAT,
                         "mads: a MAD belongs to no connect");
    return NULL;
  }
  return check_sends (&reader, error) ? g_steal_pointer (&log) : NULL;
}

KernelLog *
capture_read (const char *folder, const char *name, GError **error)
{
  g_autofree char *mads_name = g_strdup_printf ("%s/%s.mads.csv", folder, name);
  g_autofree char *events_name = g_strdup_printf ("%s/%s.events.csv", folder, name);
  g_autofree char *mads = NULL, *events = NULL;

  if (!g_file_get_contents (mads_name, &mads, NULL, error)
      || !g_file_get_contents (events_name, &events, NULL, error))
    return NULL;
  return capture_parse (mads, events, error);
}

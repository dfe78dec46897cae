/* cmsim trace: one replication, message by message and event by event. */
#include "cmd_memory.h"
#include "cmd_scenario.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "trace_ladder.h"
#include "trace_text.h"
#include "wire_capture.h"
#include "world.h"

#define NAMES_LISTED_MAX 8

typedef struct {
  const ScenarioModel *model;
  gint64 only;           /* connect to show; CMD_UNSET: all */
  GHashTable *by_id;     /* (client LID, its communication id) -> connect + 1 */
  GHashTable *by_qpn;    /* (client host, its QPN) -> connect + 1 */
  guint calling;         /* the connect whose REQ goes out next, or WORLD_NO_CONNECT */
  WireCapture *capture;  /* of --pcap and --ladder; NULL */
  gboolean ladder;
} Trace;

typedef struct {
  gint64 replication, only;
  char *pcap, *pcap_format; /* file; its kind, NULL: as the scenario's transport */
  gboolean ladder;          /* instead of lines: ladders of what is shown */
  char *memory_limit;
} TraceOptions;

/* ----- which connect a message or an event belongs to ----- */

static guint64 *
key_of (guint32 host, guint32 number)
{
  guint64 key = (guint64) host << 32 | number;

  return g_memdup2 (&key, sizeof key);
}

static guint
lookup (GHashTable *table, guint32 host, guint32 number)
{
  guint64 key = (guint64) host << 32 | number;

  return GPOINTER_TO_UINT (g_hash_table_lookup (table, &key));
}

static guint
first_lid (const Trace *trace)
{
  char *name = world_host_name (trace->model, 1);
  guint first = g_strcmp0 (name, "sm") == 0 ? 2 : 1;

  g_free (name);
  return first;
}

/* A connect is known by its sender's communication id, a stream by its socket; the first
 * message of one is that of the connect whose call is under way. */
static guint
connect_of (Trace *trace, const IbMad *mad)
{
  gboolean stream = mad->mgmt_class == IB_MGMT_CLASS_TCP;
  guint32 own = stream ? mad->tcp.from : mad->cm.local_id;
  guint32 remote = stream ? mad->tcp.to : mad->cm.remote_id;
  guint32 qpn = stream ? mad->tcp.from : mad->cm.qpn;
  /* An id may come back: a REQ sent for the first time begins anew. */
  gboolean first = stream ? mad->tcp.kind == IB_TCP_SYN && !lookup (trace->by_id, mad->source, own)
                          : mad->cm.attr == IB_CM_REQ && mad->cm.sends == 1;
  guint found;

  if (first) {
    g_hash_table_insert (trace->by_id, key_of (mad->source, own),
                         GUINT_TO_POINTER (trace->calling + 1));
    g_hash_table_insert (trace->by_qpn, key_of (mad->source - first_lid (trace), qpn),
                         GUINT_TO_POINTER (trace->calling + 1));
  }
  /* Sockets of both sides are numbered alike: the peer's number decides. */
  found = stream && remote ? 0 : lookup (trace->by_id, mad->source, own);
  found = found ? found : lookup (trace->by_id, mad->destination, remote);
  return found ? found : lookup (trace->by_id, mad->source, own);
}

static gboolean
shown (const Trace *trace, guint connect)
{
  return trace->only == CMD_UNSET || (connect > 0 && connect - 1 == (guint64) trace->only);
}

/* ----- lines ----- */

static void
print_head (SimTime now, guint connect)
{
  char time[32], number[16] = "";

  if (connect > 0)
    g_snprintf (number, sizeof number, "#%u", connect - 1);
  printf ("%16s  %-7s", sim_time_format_exact (now, time, sizeof time), number);
}

static guint
sends_of (const IbMad *mad)
{
  switch ((IbMgmtClass) mad->mgmt_class) {
  case IB_MGMT_CLASS_CM:
    return mad->cm.sends;
  case IB_MGMT_CLASS_TCP:
    return mad->tcp.sends;
  case IB_MGMT_CLASS_SUBN_ADM:
    return 1;
  }
  g_assert_not_reached ();
}

static void
on_wire (gpointer owner, SimTime now, const IbMad *mad, FabricFate fate)
{
  Trace *trace = owner;
  guint connect = mad->mgmt_class == IB_MGMT_CLASS_SUBN_ADM ? 0 : connect_of (trace, mad);
  char *source, *destination, *route;

  if (trace->capture && (!trace->ladder || shown (trace, connect)))
    wire_capture_mad (trace->capture, now, mad);
  if (trace->ladder || !shown (trace, connect))
    return;
  source = world_host_name (trace->model, mad->source);
  destination = world_host_name (trace->model, mad->destination);
  route = g_strdup_printf ("%s > %s", source, destination);
  print_head (now, connect);
  printf ("  %-24s  %s", route,
          trace_text_name (mad));
  if (sends_of (mad) > 1)
    printf (" (send %u)", sends_of (mad));
  trace_text_fields (mad);
  printf ("%s\n", trace_text_fate (fate));
  g_free (route);
  g_free (destination);
  g_free (source);
}

/* An application that is in a multicast group, or wants to be. */
static void
print_member (const Trace *trace, SimTime now, const WorldAppEvent *event)
{
  char *host;

  if (trace->ladder || trace->only != CMD_UNSET)
    return;
  host = world_host_name (trace->model, event->host);
  print_head (now, 0);
  printf ("  %-24s  %s", host, event->event);
  if (event->status != 0)
    printf (" %d", event->status);
  if (event->group)
    trace_text_group (event->group);
  putchar ('\n');
  g_free (host);
}

static void
on_app_event (gpointer owner, SimTime now, const WorldAppEvent *event)
{
  Trace *trace = owner;

  if (event->member) {
    print_member (trace, now, event);
    return;
  }

  guint connect = event->server ? lookup (trace->by_qpn, event->host, event->qpn)
                                : event->connect + 1;

  if (!event->server)
    trace->calling = event->connect;
  if (trace->ladder || !shown (trace, connect))
    return;
  print_head (now, connect);
  printf ("  %-24s  %s", event->server ? "server application" : "client application",
          event->event);
  if (event->status != 0)
    printf (" %d", event->status);
  putchar ('\n');
}

/* ----- the command ----- */

static void
print_outcomes (const Trace *trace, const WorldResult *result)
{
  for (guint i = 0; i < connect_records_count (result->connects); i++) {
    ConnectRecord whole = connect_records_get (result->connects, i), *record = &whole;
    char time[32];

    if (!shown (trace, i + 1) || record->steps[CONNECT_STEP_START] == SIM_TIME_NEVER)
      continue;
    printf ("#%u: %s", i, connect_cause_name (record->cause));
    if (record->cause == CONNECT_REFUSED && record->reason > 0)
      printf (" (reason %u)", record->reason);
    if (record->decided)
      printf (" after %s",
              sim_time_format (record->end - record->steps[CONNECT_STEP_START], time, sizeof time));
    printf (", %u REQ%s in %u attempt%s\n", record->reqs, record->reqs == 1 ? "" : "s",
            record->attempts, record->attempts == 1 ? "" : "s");
  }
}

/* FALSE, after one line of error, if --pcap cannot be had. */
static gboolean
open_capture (Trace *trace, const TraceOptions *options)
{
  const ScenarioModel *model = trace->model;
  WireCaptureParams params = { .mtu = model->sa.mtu, .rate = model->sa.rate, .sl = model->sa.sl };
  GError *error = NULL;

  if (!options->pcap)
    return TRUE;
  if (model->fabric.transport == FABRIC_TRANSPORT_IWARP ||
      model->fabric.transport == FABRIC_TRANSPORT_TCP) {
    cmd_error (&cmd_trace,
               "%s: only the wire of `fabric.transport: ib` and `roce` can be "
               "captured",
               options->ladder ? "--ladder" : "--pcap");
    return FALSE;
  }
  params.format = model->fabric.transport == FABRIC_TRANSPORT_ROCE ? WIRE_CAPTURE_ROCE
                                                                  : WIRE_CAPTURE_ERF;
  if (options->pcap_format)
    params.format = strcmp (options->pcap_format, "erf") == 0 ? WIRE_CAPTURE_ERF
                                                              : WIRE_CAPTURE_ROCE;
  trace->capture = wire_capture_open (options->pcap, &params, &error);
  if (trace->capture)
    return TRUE;
  cmd_error (&cmd_trace, "%s", error->message);
  g_error_free (error);
  return FALSE;
}

static CmdExit
close_capture (Trace *trace)
{
  GError *error = NULL;
  CmdExit code = CMD_OK;

  if (trace->capture && !wire_capture_close (trace->capture, TRUE, &error)) {
    cmd_error (&cmd_trace, "%s", error->message);
    code = g_error_matches (error, CAPTURE_ERROR, CAPTURE_ERROR_FULL) ? CMD_LIMIT : CMD_BAD_INPUT;
    g_error_free (error);
  }
  return code;
}

/* The capture of --ladder is a file that goes away again. */
static gboolean
begin_ladders (TraceOptions *options)
{
  GError *error = NULL;

  if (!options->ladder)
    return TRUE;
  options->pcap = trace_ladder_begin (&error);
  if (options->pcap)
    return TRUE;
  cmd_error (&cmd_trace, "%s", error->message);
  g_error_free (error);
  return FALSE;
}

/* What the hosts of the first entry run; messages made by hand have no CM behind them. */
static const CmProfile *
client_profile (const ScenarioModel *model)
{
  const char *from;

  if (model->connects->len == 0)
    return &model->profile;
  from = g_array_index (model->connects, ConnectParams, 0).from;
  for (guint i = 0; i < model->hosts->len; i++) {
    const HostGroupParams *group = &g_array_index (model->hosts, HostGroupParams, i);

    if (strcmp (group->name, from) == 0)
      return scenario_host_profile (model, group);
  }
  g_assert_not_reached (); /* checked with the scenario */
}

static CmdExit
print_ladders (const ScenarioModel *model, const TraceOptions *options)
{
  const CmProfile *profile = client_profile (model);
  GError *error = NULL;

  if (trace_ladder_print (options->pcap, profile, &error))
    return CMD_OK;
  cmd_error (&cmd_trace, "%s", error->message);
  g_error_free (error);
  return CMD_BAD_INPUT;
}

/* One variant is run.  The first is the default; of several that were asked for none is. */
static gboolean
choose_variant (Scenario *scenario, char **asked)
{
  g_autoptr (GString) names = NULL;

  if (asked && scenario->variants->len > 1) {
    names = g_string_new (NULL);
    for (guint i = 0; i < scenario->variants->len && i < NAMES_LISTED_MAX; i++)
      g_string_append_printf (
          names, "%s%s", i > 0 ? " " : "",
          ((const ScenarioVariant *) g_ptr_array_index (scenario->variants, i))->name);
    cmd_error (&cmd_trace, "--variant names %u variants, and one is run; choose one of: %s%s",
               scenario->variants->len, names->str,
               scenario->variants->len > NAMES_LISTED_MAX ? " ..." : "");
    return FALSE;
  }
  g_ptr_array_set_size (scenario->variants, 1);
  return TRUE;
}

/* Chooses what is run, and sees to it that it fits. */
static gboolean
prepare (Scenario *scenario, char **asked, guint64 memory, CmdExit *ret_code)
{
  *ret_code = CMD_BAD_INPUT;
  cmd_scenario_notes (scenario);
  if (!choose_variant (scenario, asked))
    return FALSE;
  scenario->replications = 1;
  *ret_code = CMD_LIMIT;
  return cmd_memory_check (&cmd_trace, scenario, 1, memory);
}

/* What the run says of itself, the worst last. */
static CmdExit
judge (const WorldResult *result, const char *broken, gint64 only)
{
  CmdExit code = CMD_OK;

  if (only >= connect_records_count (result->connects)) {
    cmd_error (&cmd_trace, "--connect %" G_GINT64_FORMAT ": there are %u connects, counted from 0",
               only, connect_records_count (result->connects));
    code = CMD_BAD_INPUT;
  }
  if (result->stop == SIM_STOP_EVENT_LIMIT) {
    cmd_error (&cmd_trace, "stopped at run.event_limit");
    code = CMD_LIMIT;
  }
  if (broken) {
    cmd_error (&cmd_trace, "internal invariant broken: %s", broken);
    code = CMD_BROKEN;
  }
  return code;
}

static CmdExit
trace_run (const Scenario *scenario, const TraceOptions *trace_options)
{
  static const WorldObserverOps observer = { .wire = on_wire, .app_event = on_app_event };
  const ScenarioVariant *variant = g_ptr_array_index (scenario->variants, 0);
  guint32 replication = (guint32) trace_options->replication;
  Trace trace = { .model = &variant->model,
                  .only = trace_options->only,
                  .calling = WORLD_NO_CONNECT,
                  .ladder = trace_options->ladder };
  WorldOptions options = { .observer = &observer, .observer_owner = &trace };
  char *broken = NULL;
  WorldResult *result;
  CmdExit code, written;

  if (!open_capture (&trace, trace_options))
    return CMD_BAD_INPUT;
  trace.by_id = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  trace.by_qpn = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  printf ("variant %s, replication %u\n", variant->name, replication);
  result = world_run (&variant->model, scenario->seed, replication, &options, &broken);
  written = close_capture (&trace);
  if (trace_options->ladder && written == CMD_OK)
    written = print_ladders (&variant->model, trace_options);
  print_outcomes (&trace, result);
  printf ("fingerprint %016" G_GINT64_MODIFIER "x, %" G_GUINT64_FORMAT " events\n",
          result->fingerprint, result->events);
  code = judge (result, broken, trace_options->only);
  g_free (broken);
  world_result_free (result);
  g_hash_table_destroy (trace.by_id);
  g_hash_table_destroy (trace.by_qpn);
  return code != CMD_OK ? code : written;
}

static gboolean
check_options (const TraceOptions *options)
{
  if (options->replication < 0 || options->replication > G_MAXUINT32 ||
      (options->only < 0 && options->only != CMD_UNSET)) {
    cmd_error (&cmd_trace, "--replication and --connect take a number from 0 on");
    return FALSE;
  }
  if (options->pcap && options->ladder) {
    cmd_error (&cmd_trace, "--pcap and --ladder exclude each other");
    return FALSE;
  }
  if (options->pcap_format && strcmp (options->pcap_format, "roce") != 0 &&
      strcmp (options->pcap_format, "erf") != 0) {
    cmd_error (&cmd_trace, "--pcap-format takes roce or erf");
    return FALSE;
  }
  return TRUE;
}

static CmdExit
run_trace (char **arguments)
{
  CmdScenario options = { .set = NULL };
  TraceOptions trace = { .only = CMD_UNSET };
  const GOptionEntry entries[] = {
    CMD_SCENARIO_SET (&options),
    CMD_SCENARIO_SEED (&options),
    CMD_SCENARIO_VARIANT (&options, "this variant instead of the first"),
    { .long_name = "replication", .arg = G_OPTION_ARG_INT64, .arg_data = &trace.replication,
      .arg_description = "K", .description = "this replication instead of the first, 0" },
    { .long_name = "connect", .arg = G_OPTION_ARG_INT64, .arg_data = &trace.only,
      .arg_description = "N", .description = "only what belongs to this connect, counted from 0" },
    { .long_name = "pcap", .arg = G_OPTION_ARG_FILENAME, .arg_data = &trace.pcap,
      .arg_description = "FILE", .description = "write all messages to a capture file" },
    { .long_name = "pcap-format", .arg = G_OPTION_ARG_FILENAME, .arg_data = &trace.pcap_format,
      .arg_description = "KIND",
      .description = "roce or erf instead of what the scenario's transport is" },
    { .long_name = "ladder",
      .arg = G_OPTION_ARG_NONE,
      .arg_data = &trace.ladder,
      .description = "ladder diagrams of the conversations instead of a line per message" },
    CMD_MEMORY_LIMIT (&trace.memory_limit),
    G_OPTION_ENTRY_NULL,
  };
  CmdExit code = CMD_BAD_INPUT;
  guint64 memory;
  CmdParse parse;
  char **paths;

  parse = cmd_parse (&cmd_trace, arguments, entries, 1, 1, &paths);
  if (parse != CMD_PARSE_GO) {
    code = cmd_parse_exit (parse);
  } else {
    Scenario *scenario = check_options (&trace) &&
                                 cmd_memory_read (&cmd_trace, trace.memory_limit, &memory) &&
                                 begin_ladders (&trace)
                             ? cmd_scenario_load (&cmd_trace, paths[0], &options)
                             : NULL;

    if (scenario && prepare (scenario, options.variants, memory, &code))
      code = trace_run (scenario, &trace);
    scenario_free (scenario);
    g_strfreev (paths);
  }
  if (trace.ladder && trace.pcap)
    g_unlink (trace.pcap);
  g_free (trace.pcap);
  g_free (trace.pcap_format);
  g_free (trace.memory_limit);
  cmd_scenario_clear (&options);
  return code;
}

const Command cmd_trace = {
  .name = "trace",
  .arguments = "SCENARIO",
  .help = "Runs one replication of one variant and prints its messages and events.",
  .run = run_trace,
};

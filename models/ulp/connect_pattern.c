/* Who connects to whom: the number of connects of an entry, the process each belongs to and
 * the one it goes to.  Process p is process p % per_host of host p / per_host; connects are
 * dealt out to the processes in turn. */
#include "connector_private.h"

static const ArrivalTraceParams *
trace_of (const ConnectParams *params)
{
  return params->arrivals.klass == &arrival_trace.info ? params->arrivals.params : NULL;
}

guint64
connect_count (const ConnectParams *params, guint hosts)
{
  guint64 processes = (guint64) hosts * params->processes;

  if (trace_of (params))
    return trace_of (params)->rows ? trace_of (params)->rows->len : 0;
  switch ((ConnectPattern) params->pattern) {
  case CONNECT_PATTERN_TURN:
  case CONNECT_PATTERN_RANDOM:
    return params->number > 0 ? params->number : processes * params->per_host;
  case CONNECT_PATTERN_ALL_TO_ALL:
    return processes * (processes - 1);
  case CONNECT_PATTERN_RING:
    return processes;
  }
  g_assert_not_reached ();
}

static guint
processes_of (const Connector *connector)
{
  return connector->config.n_hosts * connector->config.params->processes;
}

guint
connect_process (const Connect *connect)
{
  return connect_index (connect) % processes_of (connect_connector (connect));
}

guint32
connector_host_of (const ConnectorConfig *config, guint index)
{
  guint processes = config->n_hosts * config->params->processes;

  if (trace_of (config->params))
    return g_array_index (trace_of (config->params)->rows, ArrivalTraceRow, index).host;
  return index % processes / config->params->processes;
}

/* Any other process, each as likely. */
static guint
draw_peer (const Connect *connect, guint from, guint processes)
{
  const ConnectorConfig *config = &connect_connector (connect)->config;
  SimStream stream;

  sim_stream_init (&stream, sim_stream_key (config->seed, config->replication, "connect", "peer"),
                   connect_number (connect));
  return (from + 1 + (guint) sim_stream_below (&stream, processes - 1)) % processes;
}

guint
connect_peer_process (const Connect *connect)
{
  guint processes = processes_of (connect_connector (connect));
  guint from = connect_process (connect), round = connect_index (connect) / processes;

  switch ((ConnectPattern) connect_connector (connect)->config.params->pattern) {
  case CONNECT_PATTERN_TURN:
    break;
  case CONNECT_PATTERN_ALL_TO_ALL:
    return (from + 1 + round) % processes;
  case CONNECT_PATTERN_RING:
    return (from + 1) % processes;
  case CONNECT_PATTERN_RANDOM:
    return draw_peer (connect, from, processes);
  }
  g_assert_not_reached (); /* in turn: hosts, not processes */
}

ConnectPlace
connect_place (const Connect *connect)
{
  const ConnectorConfig *config = &connect_connector (connect)->config;
  const ConnectorTarget *target = connect->redirected ? &config->redirect : &config->target;
  guint per_host = config->params->processes;
  guint peer;

  /* A REJ names a port, not a service. */
  if (connect->redirected && connect_redirect (connect))
    return (ConnectPlace){ .host = connect_redirect (connect), .port = config->target.port };
  if (config->params->pattern == CONNECT_PATTERN_TURN || connect->redirected)
    return (ConnectPlace){ .host = target->hosts[connect_index (connect) % target->n],
                           .port = target->port };
  peer = connect_peer_process (connect);
  return (ConnectPlace){ .host = target->hosts[peer / per_host],
                         .port = target->port + peer % per_host };
}

/* storm: a connection storm on the real models, to compare with the same storm written by hand.
 *
 *   storm --n N --arrival burst|RATE --backlog B --workers W --accept-us S --loss P --t-ms T
 *         --seed K [--hosts H]
 *
 * N clients connect to one listener through address resolution, path query, CM and work queues,
 * from H hosts with a CM worker for each of their clients (1024 hosts, or as many as there are
 * clients); docs/performance-storm.md says how the set-up maps onto the models.  Prints one
 * line of key=value pairs.  wall_s is from building the hosts to the quantile; rss_kib and
 * rss0_kib are the peak resident set at the end and before. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_measure.h"
#include "cma_qpns.h"
#include "connector.h"
#include "listener.h"
#include "sa_service.h"
#include "scenario.h"
#include "sim_select.h"

enum {
  PORT = 7471,
  NOMINAL_T_MS = 6144,
  EVENTS_PER_CONNECT = 13,
  HOSTS = 1024,
  CM_WORKERS_MAX = 4096, /* of a host */
};

#define FAILED ((SimTime) -1) /* in place of a latency */

typedef struct {
  guint n, hosts, backlog, workers;
  double rate; /* per second; 0: burst */
  double accept_us, loss, t_ms;
  guint64 seed;
  const char *arrival;
} Options;

typedef struct {
  SimTime interval;
} FixedParams;

typedef struct {
  Scenario *scenario;
  ScenarioModel *model;
  FixedParams req_timer;
  /* The world. */
  SimEngine *engine;
  SimArena *arena;
  Fabric *fabric;
  CmShared *cm;
  HcaGroup *sm_group, *server_group, *client_group;
  Hca *sm_hca;
  SaService *sa;
  CmaConfig server_config, client_config;
  Cma *server, **clients;
  guint hosts; /* of clients */
  IbLid first_client;
  ConnectRecords *records;
  Listener *listener;
  Connector *connector;
  /* What is counted. */
  guint *sent;        /* REQs of each host so far */
  guint32 *client;    /* of each QP: `sent` x hosts + host */
  SimTime *latencies; /* + 1 of each client, when the server has handled the RTU; 0: not over */
  guint established, failed, sa_timeouts, unreachable, connected;
} Storm;

/* ----- the two things that the storm has and the tables of the models have not ----- */

/* A path query is sent again after 100 ms, ten times; nothing else is tried again. */
static const UlpReaction reactions[] = {
  ULP_REJECTED (ULP_ANY_REASON, ULP_FAIL, "ECONNREFUSED"),
  ULP_ON (UNREACHABLE, ULP_FAIL, "ETIMEDOUT"),
  ULP_ON (ADDRESS_ERROR, ULP_FAIL, "ETIMEDOUT"),
  ULP_ON (ROUTE_ERROR, ULP_FAIL, "ETIMEDOUT"),
  ULP_ON (CONNECT_ERROR, ULP_FAIL, "ETIMEDOUT"),
  ULP_ON (WATCHDOG, ULP_FAIL, "ETIMEDOUT"),
  ULP_REACTIONS_END,
};

static const UlpClass storm_ulp = {
  .info = { .name = "storm" },
  .space = CMA_PORT_SPACE_TCP,
  .address_timeout = SIM_S (1),
  .route_timeout = SIM_S (1),
  .reactions = reactions,
};

/* A REQ timer that no time code stands for. */
static SimTime
fixed_interval (gconstpointer params, gpointer state G_GNUC_UNUSED,
                const RetryView *view G_GNUC_UNUSED, SimStream *stream G_GNUC_UNUSED)
{
  return ((const FixedParams *) params)->interval;
}

static const RetryPolicy storm_req_timer = { .info = { .name = "storm" },
                                             .interval = fixed_interval };

/* ----- news ----- */

static void
fail (Storm *storm, guint client)
{
  if (storm->latencies[client] != 0)
    return;
  storm->latencies[client] = FAILED;
  storm->failed++;
}

static void
started (gpointer owner G_GNUC_UNUSED, guint record G_GNUC_UNUSED)
{
}

static void
decided (gpointer owner, guint record)
{
  Storm *storm = owner;
  ConnectCause cause = connect_records_cause (storm->records, record);

  if (cause == CONNECT_ESTABLISHED) { /* the RTU is on its way */
    storm->connected++;
    return;
  }
  storm->sa_timeouts += cause == CONNECT_SA_TIMEOUT;
  storm->unreachable += cause == CONNECT_UNREACHABLE;
  fail (storm, record);
}

/* The REQ is on its way, with the next QP of its host. */
static void
client_event (gpointer owner, guint record, const char *event, gint status G_GNUC_UNUSED)
{
  Storm *storm = owner;

  if (g_str_equal (event, "CONNECT")) {
    guint host = connect_records_host (storm->records, record);

    storm->client[(gsize) storm->sent[host]++ * storm->hosts + host] = record;
  }
}

static guint
client_of (const Storm *storm, IbLid peer, guint32 qpn)
{
  return storm->client[(gsize) (qpn - CMA_QPN_FIRST) * storm->hosts + (peer - storm->first_client)];
}

static void
no_levels (gpointer owner G_GNUC_UNUSED, Listener *listener G_GNUC_UNUSED,
           guint backlog G_GNUC_UNUSED, guint busy G_GNUC_UNUSED)
{
}

static void
server_event (gpointer owner, Listener *listener G_GNUC_UNUSED, IbLid peer, guint32 qpn,
              const char *event, gint status G_GNUC_UNUSED)
{
  Storm *storm = owner;

  if (event[0] == 'E' && g_str_equal (event, "ESTABLISHED")) {
    guint client = client_of (storm, peer, qpn);
    SimTime start = connect_records_started (storm->records, client);

    if (storm->latencies[client] != 0)
      return;
    storm->latencies[client] = sim_engine_now (storm->engine) - start + 1;
    storm->established++;
  } else if (event[0] == 'U' && g_str_equal (event, "UNREACHABLE")) {
    fail (storm, client_of (storm, peer, qpn)); /* no RTU for the last REP */
  }
}

static const ConnectorOps connector_ops = { .started = started,
                                            .decided = decided,
                                            .app_event = client_event };
static const ListenerOps listener_ops = { .levels = no_levels, .app_event = server_event };

/* ----- the scenario ----- */

/* As a scenario would have it; what it does not name has the defaults of `cmsim reference`. */
static const char scenario_text[] =
    "cmsim: 1\n"
    "question: How fast is a storm on the real models?\n"
    "profile: {base: linux-6.1, timing: linux-nominal, mra_for_duplicates: false}\n"
    "fabric: {latency: 1.5us, rate: 0, loss: {bernoulli: %.9g}}\n"
    "sa: {workers: 1, service: {exponential: 20us}, wait_limit: never, packet_lifetime: 18}\n"
    "sm: {hca: &adapter {recv_ring: 1048576, send_ring: 1048576, mad_service: 0s,\n"
    "     cm_service: &mad {lognormal: {median: 10us, sigma: 0.5}}}}\n"
    "hosts:\n"
    "  server: {count: 1, hca: *adapter, address: {delay: 4us, probes: 1}, timer_phase: 0s,\n"
    "           create_id: 0s}\n"
    "  client: {count: %u, address: {delay: 4us, probes: 1}, timer_phase: 0s, create_id: 0s,\n"
    "           hca: {recv_ring: 1048576, send_ring: 1048576, mad_service: 0s, cm_service: *mad,\n"
    "                 cm_workers: %u}}\n"
    "listeners:\n"
    "  - {on: server, service: 7471, backlog: {limit: %u, counts: unaccepted, full: drop},\n"
    "     accept: {workers: %u, service: {exponential: %.9gus}, wake: 0s, qp: false}}\n"
    "connects:\n"
    "  - {from: client, to: \"server:7471\", number: %u, arrivals: %s, qp: false,\n"
    "     rtu_delay: 400us}\n";

static guint
clients_per_host (const Options *options)
{
  return (options->n + options->hosts - 1) / options->hosts;
}

static gboolean
configure (Storm *storm, const Options *options)
{
  g_autofree char *arrivals =
      options->rate > 0 ? g_strdup_printf ("{poisson: %.9g/s}", options->rate) : g_strdup ("burst");
  g_autofree char *text = g_strdup_printf (
      scenario_text, options->loss, options->hosts, clients_per_host (options), options->backlog,
      options->workers, options->accept_us, options->n, arrivals);
  GError *error = NULL;
  ConnectParams *connect;

  storm->scenario = scenario_load_buffer ("storm", text, strlen (text), NULL, 0, &error);
  if (!storm->scenario) {
    fprintf (stderr, "storm: %s\n", error->message);
    g_error_free (error);
    return FALSE;
  }
  storm->model = &((ScenarioVariant *) g_ptr_array_index (storm->scenario->variants, 0))->model;
  if (options->loss == 0)
    storm->model->fabric.loss = (SimChoice){ .klass = &loss_none.info };
  connect = &g_array_index (storm->model->connects, ConnectParams, 0);
  connect->ulp = (SimChoice){ .klass = &storm_ulp.info };
  storm->req_timer.interval = (SimTime) llround (options->t_ms * 1e6);
  if (options->t_ms != NOMINAL_T_MS)
    connect->retry = (SimChoice){ .klass = &storm_req_timer.info, .params = &storm->req_timer };
  return TRUE;
}

/* ----- the world ----- */

static const HostGroupParams *
group_params (const Storm *storm, guint group)
{
  return &g_array_index (storm->model->hosts, HostGroupParams, group);
}

static CmaConfig
host_config (Storm *storm, const HostGroupParams *params, HcaGroup *group)
{
  return (CmaConfig){ .engine = storm->engine,
                      .fabric = storm->fabric,
                      .cm = storm->cm,
                      .profile = &storm->model->profile,
                      .host = params,
                      .hca_group = group,
                      .sm_lid = hca_lid (storm->sm_hca) };
}

static void
build_hosts (Storm *storm, const Options *options)
{
  storm->engine = sim_engine_new (NULL, 0);
  storm->arena = sim_arena_new ();
  sim_engine_use_arena (storm->engine, storm->arena);
  storm->fabric = fabric_new (storm->engine, &storm->model->fabric, options->seed, 0);
  storm->cm = cm_shared_new (storm->engine, &storm->model->profile);
  cm_shared_expect (storm->cm, 2 * options->n);
  storm->sm_group =
      hca_group_new (storm->engine, storm->fabric, &storm->model->sm.hca, options->seed, 0);
  storm->server_group =
      hca_group_new (storm->engine, storm->fabric, &group_params (storm, 0)->hca, options->seed, 0);
  storm->client_group =
      hca_group_new (storm->engine, storm->fabric, &group_params (storm, 1)->hca, options->seed, 0);
  storm->sm_hca = hca_new (storm->sm_group, options->hosts + 1);
  storm->sa = sa_service_new (storm->engine, storm->sm_hca, &storm->model->sa, options->seed, 0);
  storm->server_config = host_config (storm, group_params (storm, 0), storm->server_group);
  storm->client_config = host_config (storm, group_params (storm, 1), storm->client_group);
  cma_config_init (&storm->server_config, options->seed, 0);
  cma_config_init (&storm->client_config, options->seed, 0);
  storm->server = cma_new (&storm->server_config, 0);
  storm->hosts = options->hosts;
  storm->clients = g_new (Cma *, options->hosts);
  for (guint i = 0; i < options->hosts; i++)
    storm->clients[i] = cma_new (&storm->client_config, i + 1);
  storm->first_client = hca_lid (cma_hca (storm->clients[0]));
}

static gsize
client_bytes (const Options *options)
{
  return (gsize) clients_per_host (options) * options->hosts * sizeof (guint32);
}

static void
build_applications (Storm *storm, const Options *options)
{
  ListenerConfig listener = { .engine = storm->engine,
                              .params = &g_array_index (storm->model->listeners, ListenerParams, 0),
                              .profile = &storm->model->profile,
                              .host = storm->server,
                              .seed = options->seed };
  ConnectorConfig connector = {
    .engine = storm->engine,
    .params = &g_array_index (storm->model->connects, ConnectParams, 0),
    .profile = &storm->model->profile,
    .hosts = storm->clients,
    .n_hosts = options->hosts,
    .target = { .hosts = g_new (IbLid, 1), .n = 1, .port = PORT },
    .n_records = options->n,
    .seed = options->seed,
  };

  storm->latencies = sim_block_new (NULL, options->n * sizeof (SimTime));
  storm->sent = g_new0 (guint, options->hosts);
  storm->client = sim_block_new (NULL, client_bytes (options));
  storm->records = connect_records_new (options->n);
  connector.records = storm->records;
  connector.target.hosts[0] = hca_lid (cma_hca (storm->server));
  storm->listener = listener_new (&listener, &listener_ops, storm);
  storm->connector = connector_new (&connector, &connector_ops, storm);
}

static void
clear (Storm *storm, const Options *options)
{
  connector_free (storm->connector);
  listener_free (storm->listener);
  connect_records_free (storm->records);
  for (guint i = 0; i < options->hosts; i++)
    cma_free (storm->clients[i]);
  cma_free (storm->server);
  g_free (storm->clients);
  sa_service_free (storm->sa);
  hca_free (storm->sm_hca);
  hca_group_free (storm->sm_group);
  hca_group_free (storm->server_group);
  hca_group_free (storm->client_group);
  cma_config_clear (&storm->server_config);
  cma_config_clear (&storm->client_config);
  cm_shared_free (storm->cm);
  fabric_free (storm->fabric);
  sim_engine_free (storm->engine);
  sim_arena_free (storm->arena);
  sim_block_free (NULL, storm->latencies, options->n * sizeof (SimTime));
  sim_block_free (NULL, storm->client, client_bytes (options));
  g_free (storm->sent);
  scenario_free (storm->scenario);
}

/* ----- report ----- */

/* What would be events of the storm written by hand: each arrival and end of a service, each
 * end of the QP transitions, and each timer that fires. */
static guint64
events_of (const Storm *storm, guint n)
{
  enum {
    REQ = IB_CM_REQ - IB_CM_ATTR_FIRST,
    REP = IB_CM_REP - IB_CM_ATTR_FIRST,
    RTU = IB_CM_RTU - IB_CM_ATTR_FIRST
  };
  const CmCounters *cm = cm_shared_counters (storm->cm);
  const HcaCounters *client = hca_group_counters (storm->client_group);
  const SaCounters *sa = sa_service_counters (storm->sa);
  const ListenerCounters *server = listener_counters (storm->listener);
  guint64 queries_sent = client->sent - cm->sent[REQ] - cm->sent[RTU];
  guint64 answers = client->received - cm->received[REP];
  guint64 query_timers = queries_sent - n + storm->sa_timeouts;
  guint64 req_timers = cm->retries[REQ] + storm->unreachable;
  guint64 rep_timers = cm->retries[REP] + server->ghosts;

  return 2 * (guint64) n + 2 * sa->queries + answers +
         2 * (cm->received[REQ] + cm->received[REP] + cm->received[RTU]) + server->accepts +
         storm->connected + query_timers + req_timers + rep_timers;
}

static int
run (const Options *options)
{
  Storm storm = { .engine = NULL };
  long kib0, kib;
  double begun, seconds, mean = 0, p99 = 0, end;
  const CmCounters *cm;
  guint64 events;

  if (!configure (&storm, options))
    return 2;
  kib0 = peak_kib ();
  begun = wall_seconds ();
  build_hosts (&storm, options);
  build_applications (&storm, options);
  connector_start (storm.connector);
  sim_engine_run (storm.engine, SIM_TIME_NEVER);
  for (guint i = 0, done = 0; i < options->n; i++)
    if (storm.latencies[i] > 0) {
      storm.latencies[done] = storm.latencies[i] - 1;
      mean += (double) storm.latencies[done++];
    }
  if (storm.established > 0) {
    mean /= storm.established;
    p99 = (double) sim_select (storm.latencies, storm.established,
                               (gsize) ceil (0.99 * storm.established) - 1);
  }
  seconds = wall_seconds () - begun;
  kib = peak_kib ();
  cm = cm_shared_counters (storm.cm);
  events = events_of (&storm, options->n);
  end = (double) sim_engine_now (storm.engine) * 1e-9;
  if (storm.established + storm.failed != options->n || cm->misuse > 0) {
    fputs ("storm: a connect ended in no way, or the CM was misused\n", stderr);
    return 1;
  }
  if (options->loss == 0 && listener_counters (storm.listener)->dropped == 0 &&
      events != (guint64) EVENTS_PER_CONNECT * options->n) {
    fputs ("storm: a connect without loss and drops takes 13 events\n", stderr);
    return 1;
  }
  printf ("impl=cmsim n=%u arrival=%s backlog=%u workers=%u accept_us=%g loss=%g t_ms=%g "
          "seed=%" G_GUINT64_FORMAT " established=%u failed=%u reqs=%" G_GUINT64_FORMAT
          " drops=%" G_GUINT64_FORMAT " mean_us=%.3f p99_us=%.3f max_backlog=%u end_s=%.9f"
          " events=%" G_GUINT64_FORMAT " kernel_events=%" G_GUINT64_FORMAT
          " wall_s=%.6f connects_per_s=%.0f events_per_s=%.0f rss_kib=%ld rss0_kib=%ld\n",
          options->n, options->arrival, options->backlog, options->workers, options->accept_us,
          options->loss, options->t_ms, options->seed, storm.established, storm.failed,
          cm->sent[IB_CM_REQ - IB_CM_ATTR_FIRST], listener_counters (storm.listener)->dropped,
          mean / 1e3, p99 / 1e3, listener_counters (storm.listener)->backlog_max, end, events,
          sim_engine_events (storm.engine), seconds, options->n / seconds,
          (double) events / seconds, kib, kib0);
  clear (&storm, options);
  return 0;
}

/* ----- command line ----- */

static int
usage (void)
{
  fputs ("usage: storm --n N --arrival burst|RATE --backlog B --workers W --accept-us S"
         " --loss P --t-ms T --seed K [--hosts H]\n",
         stderr);
  return 2;
}

static gboolean
parse (Options *options, const char *key, const char *value)
{
  char *end;
  double number = g_ascii_strtod (value, &end);
  gboolean burst = g_str_equal (key, "--arrival") && g_str_equal (value, "burst");

  if (!burst && (end == value || *end || !(number >= 0)))
    return FALSE;
  if (g_str_equal (key, "--n"))
    options->n = (guint) number;
  else if (g_str_equal (key, "--arrival"))
    options->rate = burst ? 0 : number, options->arrival = value;
  else if (g_str_equal (key, "--hosts"))
    options->hosts = (guint) number;
  else if (g_str_equal (key, "--backlog"))
    options->backlog = (guint) number;
  else if (g_str_equal (key, "--workers"))
    options->workers = (guint) number;
  else if (g_str_equal (key, "--accept-us"))
    options->accept_us = number;
  else if (g_str_equal (key, "--loss"))
    options->loss = number;
  else if (g_str_equal (key, "--t-ms"))
    options->t_ms = number;
  else if (g_str_equal (key, "--seed"))
    options->seed = (guint64) number;
  else
    return FALSE;
  return TRUE;
}

int
main (int argc, char **argv)
{
  Options options = { .n = 1000,
                      .backlog = 128,
                      .workers = 4,
                      .accept_us = 200,
                      .t_ms = NOMINAL_T_MS,
                      .seed = 1,
                      .arrival = "burst" };

  for (int i = 1; i < argc; i += 2)
    if (i + 1 == argc || !parse (&options, argv[i], argv[i + 1]))
      return usage ();
  if (options.hosts == 0)
    options.hosts = MAX (HOSTS, (options.n + CM_WORKERS_MAX - 1) / CM_WORKERS_MAX);
  options.hosts = MIN (options.hosts, options.n);
  if (options.n < 1 || options.workers < 1 || options.backlog < 1)
    return usage ();
  return run (&options);
}

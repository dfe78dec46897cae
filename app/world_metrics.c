/* Reading the metrics out of a world that has run. */
#include "world_private.h"

#include "sim_select.h"

#include <math.h>

/* ----- counters since the end of the warm-up ----- */

static void
add_hca (HcaCounters *sum, const HcaCounters *c)
{
  sum->received += c->received;
  sum->receive_overruns += c->receive_overruns;
  sum->sent += c->sent;
  sum->send_waits += c->send_waits;
  sum->commands += c->commands;
  sum->receive_ring_max = MAX (sum->receive_ring_max, c->receive_ring_max);
  sum->send_ring_max = MAX (sum->send_ring_max, c->send_ring_max);
}

static void
add_listener (ListenerCounters *sum, const ListenerCounters *c)
{
  sum->requests += c->requests;
  sum->dropped += c->dropped + c->deferred_dropped;
  sum->rejected += c->rejected + c->deferred_rejected;
  sum->deferred += c->deferred;
  sum->accepts += c->accepts;
  sum->kept += c->kept;
  sum->destroyed += c->destroyed;
  sum->scripts_failed += c->scripts_failed;
  sum->accepts_failed += c->accepts_failed;
  sum->ghosts += c->ghosts;
  sum->taken += c->taken;
  sum->take_wait += c->take_wait;
  sum->take_wait_max = MAX (sum->take_wait_max, c->take_wait_max);
}

static void
add_paths (ConnectPathCounters *sum, const ConnectPathCounters *c)
{
  sum->loaded += c->loaded;
  sum->refused += c->refused;
  sum->wait += c->wait;
  sum->wait_max = MAX (sum->wait_max, c->wait_max);
}

void
world_counters (const World *world, WorldCounters *ret_counters)
{
  WorldCounters c = { .cm = *cm_shared_counters (world->cm), .lost = fabric_lost (world->fabric) };

  for (guint i = 0; i < world->groups->len; i++)
    add_hca (&c.hca, hca_group_counters (g_array_index (world->groups, WorldGroup, i).hca_group));
  if (world->sm_hca)
    add_hca (&c.hca, hca_group_counters (world->sm_hca_group));
  for (guint i = 0; i < world->n_listeners; i++)
    add_listener (&c.listeners, listener_counters (world->listeners[i].listener));
  for (guint i = 0; i < world->model->connects->len; i++)
    add_paths (&c.paths, connector_paths (world->connectors[i]));
  if (world->tcp)
    c.tcp = *tcp_shared_counters (world->tcp);
  if (world->sa)
    c.sa = *sa_service_counters (world->sa);
  world_count_multicast (world, &c);
  world_count_channels (world, &c);
  *ret_counters = c;
}

/* ----- outcomes and latencies ----- */

typedef struct {
  guint64 causes[CONNECT_CAUSE_COUNT];
  guint64 started, attempts, reqs;
  GArray *latencies;                         /* SimTime, established connects */
  SimTally latency, failure;                 /* seconds */
  double waits, waits_squared, longest_wait; /* of all that started, seconds */
  SimTime first_req;
} Outcomes;

static void
add_wait (Outcomes *out, SimTime wait)
{
  double seconds = sim_time_to_seconds (wait);

  out->waits += seconds;
  out->waits_squared += seconds * seconds;
  out->longest_wait = MAX (out->longest_wait, seconds);
}

static void
collect (const World *world, Outcomes *out)
{
  SimTime now = world->end;
  const ConnectRecords *connects = world->result->connects;

  for (guint i = 0; i < connect_records_count (connects); i++) {
    ConnectRecord whole = connect_records_get (connects, i), *record = &whole;
    SimTime start = record->steps[CONNECT_STEP_START];

    if (start == SIM_TIME_NEVER || start < world->model->run.warm_up)
      continue;
    out->started++;
    out->causes[record->cause]++;
    out->attempts += record->attempts;
    out->reqs += record->reqs;
    add_wait (out, (record->cause == CONNECT_PENDING ? now : record->end) - start);
    out->first_req = MIN (out->first_req, record->steps[CONNECT_STEP_CONNECT]);
    if (record->cause == CONNECT_PENDING)
      continue;
    SimTime took = record->end - start;
    if (record->cause == CONNECT_ESTABLISHED) {
      g_array_append_val (out->latencies, took);
      sim_tally_add (&out->latency, sim_time_to_seconds (took));
    } else {
      sim_tally_add (&out->failure, sim_time_to_seconds (took));
    }
  }
}

/* The ceil (q n)-th smallest; sorting a million latencies would take longer than a tenth of
 * the run that made them.  *from: places below it hold only smaller times. */
static double
quantile (GArray *times, guint numerator, guint denominator, gsize *from)
{
  guint64 rank = ((guint64) times->len * numerator + denominator - 1) / denominator;
  gsize k = MAX (rank, 1) - 1;

  if (times->len == 0)
    return NAN;
  SimTime *rest = (SimTime *) (void *) times->data + *from;
  SimTime value = sim_select (rest, times->len - *from, k - *from);

  *from = k;
  return sim_time_to_seconds (value);
}

static double
time_or_nan (SimTime t)
{
  return t == SIM_TIME_NEVER ? NAN : sim_time_to_seconds (t);
}

static double
count (guint64 now, guint64 at_warm)
{
  return (double) (now - at_warm);
}

void
world_read_outcomes (const World *world)
{
  double *m = world->result->metrics;
  gsize from = 0;
  Outcomes out = { .latencies = g_array_sized_new (
                       FALSE, FALSE, sizeof (SimTime),
                       connect_records_count (world->result->connects)),
                   .first_req = SIM_TIME_NEVER };

  sim_tally_init (&out.latency);
  sim_tally_init (&out.failure);
  collect (world, &out);

  m[METRIC_CONNECTS] = (double) out.started;
  m[METRIC_ESTABLISHED] = (double) out.causes[CONNECT_ESTABLISHED];
  m[METRIC_REFUSED] = (double) out.causes[CONNECT_REFUSED];
  m[METRIC_UNREACHABLE] = (double) out.causes[CONNECT_UNREACHABLE];
  m[METRIC_SA_TIMEOUT] = (double) out.causes[CONNECT_SA_TIMEOUT];
  m[METRIC_ADDRESS_TIMEOUT] = (double) out.causes[CONNECT_ADDRESS_TIMEOUT];
  m[METRIC_GAVE_UP] = (double) out.causes[CONNECT_GAVE_UP];
  m[METRIC_SUPERSEDED] = (double) out.causes[CONNECT_SUPERSEDED];
  m[METRIC_PENDING] = (double) out.causes[CONNECT_PENDING];
  m[METRIC_FAILED] =
      (double) (out.started - out.causes[CONNECT_ESTABLISHED] - out.causes[CONNECT_SUPERSEDED] -
                out.causes[CONNECT_PENDING]);
  m[METRIC_SUCCESS] =
      out.started > 0 ? (double) out.causes[CONNECT_ESTABLISHED] / (double) out.started : NAN;
  m[METRIC_LATENCY_MEAN] = out.latency.n > 0 ? out.latency.mean : NAN;
  m[METRIC_LATENCY_P50] = quantile (out.latencies, 50, 100, &from);
  m[METRIC_LATENCY_P95] = quantile (out.latencies, 95, 100, &from);
  m[METRIC_LATENCY_P99] = quantile (out.latencies, 99, 100, &from);
  m[METRIC_LATENCY_MIN] = out.latency.n > 0 ? out.latency.min : NAN;
  m[METRIC_LATENCY_MAX] = out.latency.n > 0 ? out.latency.max : NAN;
  m[METRIC_FAILURE_MEAN] = out.failure.n > 0 ? out.failure.mean : NAN;
  m[METRIC_FAILURE_MAX] = out.failure.n > 0 ? out.failure.max : NAN;
  m[METRIC_STARVATION] = out.started > 0 ? out.longest_wait : NAN;
  if (out.started > 0)
    m[METRIC_FAIRNESS] =
        out.waits > 0 ? out.waits * out.waits / ((double) out.started * out.waits_squared) : 1;
  if (world->last_established != SIM_TIME_NEVER && out.first_req != SIM_TIME_NEVER)
    m[METRIC_CONNECT_SPAN] = sim_time_to_seconds (world->last_established - out.first_req);
  m[METRIC_ATTEMPTS] = (double) out.attempts;
  m[METRIC_REQS_PER_CONNECT] = out.started > 0 ? (double) out.reqs / (double) out.started : NAN;
  g_array_free (out.latencies, TRUE);
}

static void
read_paths (const ConnectPathCounters *now, const ConnectPathCounters *then, double *m)
{
  double answered = count (now->loaded + now->refused, then->loaded + then->refused);

  m[METRIC_PATHS_LOADED] = count (now->loaded, then->loaded);
  m[METRIC_PATHS_REFUSED] = count (now->refused, then->refused);
  if (answered > 0) {
    m[METRIC_PATH_WAIT_MEAN] = sim_time_to_seconds (now->wait - then->wait) / answered;
    m[METRIC_PATH_WAIT_MAX] = sim_time_to_seconds (now->wait_max);
  }
}

static double
sent (const CmCounters *now, const CmCounters *then, IbCmAttr attr)
{
  guint row = attr - IB_CM_ATTR_FIRST;

  return count (now->sent[row], then->sent[row]);
}

static void
read_messages (const WorldCounters *now, const WorldCounters *then, double *m)
{
  const guint req = IB_CM_REQ - IB_CM_ATTR_FIRST, sidr = IB_CM_SIDR_REQ - IB_CM_ATTR_FIRST;
  const guint lap = IB_CM_LAP - IB_CM_ATTR_FIRST;

  m[METRIC_REQS] = sent (&now->cm, &then->cm, IB_CM_REQ) +
                   sent (&now->cm, &then->cm, IB_CM_SIDR_REQ);
  m[METRIC_REQ_RETRIES] = count (now->cm.retries[req], then->cm.retries[req]) +
                          count (now->cm.retries[sidr], then->cm.retries[sidr]);
  m[METRIC_REPS] = sent (&now->cm, &then->cm, IB_CM_REP) +
                   sent (&now->cm, &then->cm, IB_CM_SIDR_REP);
  m[METRIC_REJS] = sent (&now->cm, &then->cm, IB_CM_REJ);
  m[METRIC_UNSENT] = count (now->cm.unsent, then->cm.unsent);
  m[METRIC_REQS_WITHOUT_MEMORY] =
      count (now->cm.reqs_without_memory, then->cm.reqs_without_memory);
  m[METRIC_REJS_UNMATCHED] = count (now->cm.rejs_unmatched, then->cm.rejs_unmatched);
  m[METRIC_MRAS] = sent (&now->cm, &then->cm, IB_CM_MRA);
  m[METRIC_RTUS] = sent (&now->cm, &then->cm, IB_CM_RTU);
  m[METRIC_DREQS] = sent (&now->cm, &then->cm, IB_CM_DREQ);
  m[METRIC_DREPS] = sent (&now->cm, &then->cm, IB_CM_DREP);
  m[METRIC_LAPS] = sent (&now->cm, &then->cm, IB_CM_LAP);
  m[METRIC_LAP_RETRIES] = count (now->cm.retries[lap], then->cm.retries[lap]);
  m[METRIC_APRS] = sent (&now->cm, &then->cm, IB_CM_APR);
  m[METRIC_CM_MADS] = 0;
  for (guint row = 0; row < IB_CM_ATTR_COUNT; row++)
    m[METRIC_CM_MADS] += count (now->cm.sent[row], then->cm.sent[row]);
  m[METRIC_MADS_LOST] = count (now->lost, then->lost);
}

/* TCP's counterparts: SYN for REQ, SYN-ACK for REP, ACK for RTU, FIN for DREQ; RSTs and MPA
 * rejects for REJ. */
static void
read_segments (const TcpCounters *now, const TcpCounters *then, double *m)
{
#define SENT(kind) count (now->sent[IB_TCP_##kind], then->sent[IB_TCP_##kind])
  m[METRIC_REQS] = SENT (SYN);
  m[METRIC_REQ_RETRIES] = count (now->retries[IB_TCP_SYN], then->retries[IB_TCP_SYN]);
  m[METRIC_REPS] = SENT (SYN_ACK);
  m[METRIC_REJS] = SENT (RST) + SENT (MPA_REJECT);
  m[METRIC_RTUS] = SENT (ACK);
  m[METRIC_DREQS] = SENT (FIN);
#undef SENT
  m[METRIC_CM_MADS] = 0;
  for (guint kind = 0; kind < IB_TCP_KIND_COUNT; kind++)
    m[METRIC_CM_MADS] += count (now->sent[kind], then->sent[kind]);
}

static void
read_channels (const CmaChannelCounters *now, const CmaChannelCounters *then, double *m)
{
  double events = count (now->read, then->read);

  m[METRIC_CHANNEL_READ] = events;
  m[METRIC_CHANNEL_LOST] = count (now->lost, then->lost);
  m[METRIC_CHANNEL_MAX] = now->length_max;
  if (events > 0) {
    m[METRIC_CHANNEL_WAIT_MEAN] = sim_time_to_seconds (now->wait - then->wait) / events;
    m[METRIC_CHANNEL_WAIT_MAX] = sim_time_to_seconds (now->wait_max);
  }
}

void
world_read_metrics (World *world)
{
  double *m = world->result->metrics;
  SimTime now = sim_engine_now (world->engine);
  WorldCounters c;
  const WorldCounters *w = &world->at_warm;

  for (guint i = 0; i < METRIC_N; i++)
    m[i] = NAN;
  world_counters (world, &c);
  read_messages (&c, w, m);
  if (world->tcp)
    read_segments (&c.tcp, &w->tcp, m);
  m[METRIC_FIRST_ESTABLISHED] = time_or_nan (world->first_established);
  m[METRIC_LAST_ESTABLISHED] = time_or_nan (world->last_established);
  m[METRIC_LAST_DECIDED] = time_or_nan (world->last_decided);
  m[METRIC_END] = sim_time_to_seconds (now);
  m[METRIC_REQUESTS] = count (c.listeners.requests, w->listeners.requests);
  m[METRIC_DROPS] = count (c.listeners.dropped, w->listeners.dropped);
  m[METRIC_SCRIPTS_FAILED] = (double) c.listeners.scripts_failed;
  for (guint i = 0; i < world->model->connects->len; i++)
    m[METRIC_SCRIPTS_FAILED] += connector_scripts_failed (world->connectors[i]);
  m[METRIC_KEPT] = count (c.listeners.kept, w->listeners.kept);
  m[METRIC_DESTROYS] = count (c.listeners.destroyed, w->listeners.destroyed);
  m[METRIC_REJECTS] = count (c.listeners.rejected, w->listeners.rejected);
  m[METRIC_DEFERS] = count (c.listeners.deferred, w->listeners.deferred);
  m[METRIC_ACCEPTS] = count (c.listeners.accepts, w->listeners.accepts);
  m[METRIC_ACCEPTS_WASTED] = count (c.listeners.accepts_failed + c.listeners.ghosts,
                                    w->listeners.accepts_failed + w->listeners.ghosts);
  m[METRIC_TAKEN] = count (c.listeners.taken, w->listeners.taken);
  if (m[METRIC_TAKEN] > 0) {
    m[METRIC_TAKE_WAIT_MEAN] =
        sim_time_to_seconds (c.listeners.take_wait - w->listeners.take_wait) / m[METRIC_TAKEN];
    m[METRIC_TAKE_WAIT_MAX] = sim_time_to_seconds (c.listeners.take_wait_max);
  }
  read_paths (&c.paths, &w->paths, m);
  m[METRIC_BACKLOG_MEAN] = sim_time_avg_mean (&world->backlog, now);
  m[METRIC_BACKLOG_MAX] = world->backlog_max;
  m[METRIC_SERVER_IDLE] = world->last_decided == SIM_TIME_NEVER ? NAN : world->idle_at_decided;
  m[METRIC_IDLE_WAITING] = sim_time_avg_mean (&world->idle_waiting, now) *
                           sim_time_to_seconds (now - world->idle_waiting.since);
  m[METRIC_QP1_OVERRUNS] = count (c.hca.receive_overruns, w->hca.receive_overruns);
  m[METRIC_QP1_RECV_MAX] = c.hca.receive_ring_max;
  m[METRIC_QP1_SEND_MAX] = c.hca.send_ring_max;
  m[METRIC_QP_COMMANDS] = count (c.hca.commands, w->hca.commands);
  m[METRIC_SA_QUERIES] = count (c.sa.queries, w->sa.queries);
  m[METRIC_SA_DROPPED] = count (c.sa.dropped, w->sa.dropped);
  m[METRIC_SA_QUEUE_MAX] = c.sa.queue_max;
  world_read_multicast (world, &c, m);
  if (world_has_channels (world))
    read_channels (&c.channels, &w->channels, m);
  m[METRIC_EVENTS] = (double) world->result->events;
}

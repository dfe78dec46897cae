/* Metrics: what one replication of one variant came to, by name.
 *
 * The rows below are the only list: expectations, tables, summary.json and the
 * reference page read it.  Values are doubles; times are in seconds; NAN means
 * "nothing to measure" (no connect established, for instance). */
#pragma once

#include <glib.h>

typedef enum {
  METRIC_COUNT, /* whole number */
  METRIC_TIME,  /* seconds */
  METRIC_RATIO, /* 0..1 */
  METRIC_REAL,
} MetricKind;

/*  id                    name                   kind   help */
#define METRIC_LIST(X) \
  X (CONNECTS,            "connects",            COUNT, "connects started") \
  X (ESTABLISHED,         "established",         COUNT, "connects that were established") \
  X (REFUSED,             "refused",             COUNT, "connects that ended with a REJ") \
  X (UNREACHABLE, "unreachable", COUNT, \
     "connects whose REQ retries were exhausted") \
  X (SA_TIMEOUT,          "sa_timeout",          COUNT, "connects without a path record in time") \
  X (ADDRESS_TIMEOUT, "address_timeout", COUNT, \
     "connects whose address was not resolved in time") \
  X (GAVE_UP,             "gave_up",             COUNT, "connects the application gave up itself") \
  X (SUPERSEDED, "superseded", COUNT, \
     "connects in whose place the peer's connect to here stays") \
  X (PENDING,             "pending",             COUNT, "connects not decided when the run ended") \
  X (FAILED, "failed", COUNT, \
     "connects that ended without a connection") \
  X (SUCCESS,             "success",             RATIO, "established / connects") \
  X (LATENCY_MEAN, "latency.mean", TIME, \
     "start to established, mean over established connects") \
  X (LATENCY_P50,         "latency.p50",         TIME,  "median of the same") \
  X (LATENCY_P95,         "latency.p95",         TIME,  "95 % quantile of the same") \
  X (LATENCY_P99,         "latency.p99",         TIME,  "99 % quantile of the same") \
  X (LATENCY_MAX,         "latency.max",         TIME,  "longest of the same") \
  X (LATENCY_MIN,         "latency.min",         TIME,  "shortest of the same") \
  X (FAILURE_MEAN, "failure.mean", TIME, \
     "start to the failure, mean over failed connects") \
  X (FAILURE_MAX,         "failure.max",         TIME,  "longest of the same") \
  X (STARVATION, "starvation", TIME, \
     "longest that a connect waited for its end, failed and pending ones included") \
  X (FAIRNESS, "fairness", REAL, \
     "Jain's index of those waits: 1 if all are equal, 1/n if one has it all") \
  X (FIRST_ESTABLISHED,   "first_established",   TIME,  "when the first connect was established") \
  X (LAST_ESTABLISHED,    "last_established",    TIME,  "when the last connect was established") \
  X (LAST_DECIDED,        "last_decided",        TIME,  "when the last connect ended, either way") \
  X (CONNECT_SPAN, "connect_span", TIME, \
     "from the first REQ to the last connect established") \
  X (END,                 "end",                 TIME,  "when the run ended") \
  X (ATTEMPTS,            "attempts",            COUNT, "rdma_cm ids used by all connects") \
  X (REQS,                "reqs",                COUNT, \
     "REQs (UD: SIDR_REQs) sent, retransmissions included") \
  X (REQS_PER_CONNECT,    "reqs_per_connect",    REAL,  "reqs / connects") \
  X (REQ_RETRIES,         "req_retries",         COUNT, "REQ retransmissions") \
  X (REPS,                "reps",                COUNT, "REPs (UD: SIDR_REPs) sent") \
  X (REJS,                "rejs",                COUNT, "REJs sent") \
  X (REJS_UNMATCHED, "rejs_unmatched", COUNT, \
     "REJs that matched no connection where they arrived") \
  X (UNSENT,              "unsent",              COUNT, \
     "CM answers that there was no memory to send") \
  X (REQS_WITHOUT_MEMORY, "reqs_without_memory", COUNT, \
     "REQs lost where there was no memory for their id") \
  X (MRAS,                "mras",                COUNT, "MRAs sent") \
  X (RTUS,                "rtus",                COUNT, "RTUs sent") \
  X (DREQS,               "dreqs",               COUNT, "DREQs sent") \
  X (DREPS,               "dreps",               COUNT, "DREPs sent") \
  X (LAPS,                "laps",                COUNT, "LAPs sent, retransmissions included") \
  X (LAP_RETRIES,         "lap_retries",         COUNT, "LAP retransmissions") \
  X (APRS,                "aprs",                COUNT, "APRs sent") \
  X (PATHS_LOADED,        "paths_loaded",        COUNT, "alternate paths that an APR took") \
  X (PATHS_REFUSED,       "paths_refused",       COUNT, "alternate paths that an APR refused") \
  X (PATH_WAIT_MEAN, "path_wait.mean", TIME, "from the first LAP to its APR, mean") \
  X (PATH_WAIT_MAX, "path_wait.max", TIME, "longest of the same, the warm-up included") \
  X (CM_MADS,             "cm_mads",             COUNT, "CM messages sent, all kinds") \
  X (MADS_LOST,           "mads_lost",           COUNT, "MADs the wire lost") \
  X (REQUESTS, "requests", COUNT, \
     "REQs that reached a listener as new requests") \
  X (DROPS,               "drops",               COUNT, "REQs dropped silently by a full backlog") \
  X (KEPT,                "kept",                COUNT, \
     "REQs that a full backlog kept without an answer") \
  X (DESTROYS, "destroys", COUNT, \
     "REQs whose id the consumer of a full backlog destroyed") \
  X (REJECTS, "rejects", COUNT, \
     "REQs answered with a REJ by a full backlog") \
  X (DEFERS,              "defers",              COUNT, "REQs deferred by a full backlog") \
  X (ACCEPTS,             "accepts",             COUNT, "requests the server accepted") \
  X (ACCEPTS_WASTED, "accepts_wasted", COUNT, \
     "requests the server worked on whose client had gone") \
  X (SCRIPTS_FAILED, "scripts_failed", COUNT, \
     "scripts of connects and requests that did not go as written") \
  X (CHANNEL_READ, "channel.read", COUNT, \
     "events read from channels where all events wait") \
  X (CHANNEL_LOST, "channel.lost", COUNT, \
     "events, requests aside, that found no room in such a channel") \
  X (CHANNEL_MAX, "channel.max", COUNT, "most events in such a channel at once") \
  X (CHANNEL_WAIT_MEAN, "channel.wait.mean", TIME, \
     "from an event's coming to its being read, mean") \
  X (CHANNEL_WAIT_MAX, "channel.wait.max", TIME, "longest of the same") \
  X (TAKEN, "taken", COUNT, \
     "connections the application took that its protocol had accepted early") \
  X (TAKE_WAIT_MEAN, "take_wait.mean", TIME, \
     "from an early connection's RTU to its being taken, mean") \
  X (TAKE_WAIT_MAX, "take_wait.max", TIME, "longest of the same, the warm-up included") \
  X (BACKLOG_MEAN, "backlog.mean", REAL, \
     "backlog slots in use, mean over time, all listeners") \
  X (BACKLOG_MAX, "backlog.max", COUNT, \
     "most backlog slots in use at one listener") \
  X (SERVER_IDLE, "server_idle", RATIO, \
     "share of the time until last_decided in which no accept worker was busy") \
  X (IDLE_WAITING, "idle_waiting", TIME, \
     "time in which no accept worker was busy though connects were pending") \
  X (QP1_OVERRUNS, "qp1.overruns", COUNT, \
     "MADs lost for want of a QP1 receive buffer") \
  X (QP1_RECV_MAX, "qp1.recv_max", COUNT, \
     "most QP1 receive buffers in use on one host") \
  X (QP1_SEND_MAX,        "qp1.send_max",        COUNT, "most QP1 send slots in use on one host") \
  X (QP_COMMANDS,         "qp_commands",         COUNT, "QP create and modify commands") \
  X (SA_QUERIES,          "sa.queries",          COUNT, "path queries that reached the SA") \
  X (SA_DROPPED,          "sa.dropped",          COUNT, "path queries the SA dropped") \
  X (SA_QUEUE_MAX,        "sa.queue_max",        COUNT, "most path queries at the SA at once") \
  X (SA_JOINS, "sa.joins", COUNT, \
     "joins of multicast groups that reached the SA, repeats included") \
  X (SA_LEAVES,           "sa.leaves",           COUNT, "leaves that reached the SA, likewise") \
  X (SA_SETS_DROPPED,     "sa.sets_dropped",     COUNT, "joins and leaves the SA dropped") \
  X (SA_SETS_REFUSED, "sa.sets_refused", COUNT, \
     "joins and leaves the SA answered with an error") \
  X (SA_SET_QUEUE_MAX,    "sa.set_queue_max",    COUNT, "most joins and leaves at the SA at once") \
  X (SA_GROUPS_MAX,       "sa.groups_max",       COUNT, "most multicast groups at once") \
  X (MEMBERS,             "members",             COUNT, "members of `multicast` that came") \
  X (MEMBERS_IN,          "members.in",          COUNT, "of them, in their group at the end") \
  X (MEMBERS_LEFT,        "members.left",        COUNT, "of them, left by themselves") \
  X (MEMBERS_FAILED,      "members.failed",      COUNT, "of them, without success") \
  X (JOINS,               "joins",               COUNT, "MULTICAST_JOIN events") \
  X (JOIN_ERRORS,         "join_errors",         COUNT, "MULTICAST_ERROR events") \
  X (JOIN_RESETS, "join_resets", COUNT, \
     "of them, -ENETRESET: the membership was lost") \
  X (JOINS_REFUSED,       "joins_refused",       COUNT, "calls to join that failed") \
  X (JOINS_SHARED, "joins_shared", COUNT, \
     "joins that the port's other members made needless to ask the SA for") \
  X (LEAVES,              "leaves",              COUNT, "calls to leave a group") \
  X (JOIN_LATENCY_MEAN, "join_latency.mean", TIME, \
     "a member's coming to its first MULTICAST_JOIN, mean") \
  X (JOIN_LATENCY_P50,    "join_latency.p50",    TIME, "median of the same") \
  X (JOIN_LATENCY_P95,    "join_latency.p95",    TIME, "95 % quantile of the same") \
  X (JOIN_LATENCY_MAX,    "join_latency.max",    TIME, "longest of the same") \
  X (LAST_JOINED, "last_joined", TIME, \
     "when the last member was in for the first time") \
  X (EVENTS,              "events",              COUNT, "simulator events")

typedef enum {
#define X(id, name, kind, help) METRIC_##id,
  METRIC_LIST (X)
#undef X
  METRIC_N
} MetricId;

typedef struct {
  const char *name;
  MetricKind kind;
  const char *help;
} MetricInfo;

extern const MetricInfo metric_infos[METRIC_N];
/* METRIC_N if there is none of that name. */
MetricId metric_find (const char *name);

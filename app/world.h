/* A world: all entities of one replication of one variant, built from a
 * ScenarioModel, run, and read out. */
#pragma once

#include "connect_records.h"
#include "metrics.h"
#include "scenario.h"
#include "sim_series.h"

/* Levels recorded over time (names in series.csv). */
#define WORLD_SERIES_LIST(X) \
  X (BACKLOG,   "backlog",   "backlog slots in use")            \
  X (PENDING,   "pending",   "connects started and not decided") \
  X (ESTABLISHED, "established", "connects established so far")  \
  X (REQS,      "reqs",      "REQs sent so far")                 \
  X (SA_QUEUE,  "sa_queue",  "path queries at the SA")           \
  X (QP1_RECV,  "qp1_recv",  "QP1 receive buffers in use, server hosts") \
  X (QP1_SEND,  "qp1_send",  "QP1 send slots in use, server hosts") \
  X (STARTED,   "started",   "connects started so far")

typedef enum {
#define X(id, name, help) WORLD_SERIES_##id,
  WORLD_SERIES_LIST (X)
#undef X
  WORLD_SERIES_N
} WorldSeriesId;

extern const char *const world_series_names[WORLD_SERIES_N];
extern const char *const world_series_help[WORLD_SERIES_N];

/* Everything one replication leaves behind. */
typedef struct {
  SimStop stop;
  double metrics[METRIC_N];
  guint64 fingerprint;
  guint64 events;
  ConnectRecords *connects; /* in order of entry and index */
  SimSeries *series[WORLD_SERIES_N]; /* NULL unless asked for */
} WorldResult;

/* An application got a CM event, or did something. */
typedef struct {
  gboolean server;   /* the passive side's application */
  gboolean member;   /* of a multicast group: `connect` is WORLD_NO_CONNECT */
  guint connect;     /* number of the connect in WorldResult.connects; server: WORLD_NO_CONNECT */
  guint host;        /* client: within its group; server: number of the peer among all hosts;
                      * member: LID of its host */
  guint32 qpn;       /* server: the peer's QPN, given to its attempts in order from 0x1000 on */
  const char *event; /* "CONNECT_RESPONSE", ...; calls: "CONNECT", "ACCEPT_CALL", ... */
  gint status;
  const CmaGroup *group; /* MULTICAST_JOIN: where to send; else NULL */
} WorldAppEvent;
#define WORLD_NO_CONNECT G_MAXUINT

/* What a watcher may see while the world runs; each may be NULL. */
typedef struct {
  /* A MAD was put on the wire. */
  void (*wire) (gpointer owner, SimTime now, const IbMad *mad, FabricFate fate);
  void (*app_event) (gpointer owner, SimTime now, const WorldAppEvent *event);
} WorldObserverOps;

typedef struct {
  gboolean series;      /* record the levels */
  const SimFelClass *fel; /* NULL: default */
  SimArena *arena; /* NULL: none; the worlds of a thread, one after the other, may share it */
  const volatile gint *stop_flag; /* may be NULL */
  SimProgress *progress; /* where the run is, for a progress line; may be NULL */
  const WorldObserverOps *observer;  /* may be NULL */
  gpointer observer_owner;
} WorldOptions;

/* Builds, runs, reads out and frees one replication.  Checks the built-in
 * invariants; a broken one is written to *ret_broken (transfer full) and the
 * result is still returned. */
WorldResult *world_run (const ScenarioModel *model, guint64 seed, guint32 replication,
                        const WorldOptions *options, char **ret_broken);
void world_result_free (WorldResult *result);

/* "client.3", "server.0", "sm" of a LID in a world built from this model.
 * (transfer full) */
char *world_host_name (const ScenarioModel *model, IbLid lid);

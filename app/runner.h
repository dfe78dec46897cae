/* The runner: variants x replications over worker threads.
 *
 * Results are stored by index and do not depend on the number of workers.  Kept
 * of a replication: its metrics and its outcomes; the records of its connects
 * only for the first replications (see RUNNER_RECORDS_MAX), the levels over time
 * only for replication 0, and not of a matrix. */
#pragma once

#include "world.h"

/* Connect records are kept for as many first replications as fit in this number
 * over all variants, at least for replication 0. */
#define RUNNER_RECORDS_MAX 200000

/* So many connects of one replication ended this way. */
typedef struct {
  ConnectCause cause;
  guint reason; /* REJ reason, CONNECT_REFUSED only; else 0 */
  guint64 count;
} RunnerOutcome;

/* So many connects of one replication gave their application this errno. */
typedef struct {
  const char *name; /* "ECONNREFUSED"; static */
  guint64 count;
} RunnerErrno;

/* By cause, then reason. */
gint runner_outcome_compare (gconstpointer a, gconstpointer b);

typedef struct {
  WorldResult *world; /* world->connects is NULL unless kept */
  GArray *outcomes;   /* RunnerOutcome, sorted, each count > 0 */
  GArray *errnos;     /* RunnerErrno, sorted by name, each count > 0 */
} RunnerCell;

/* TRUE for a connect that the metrics count: started, and not in the warm-up. */
gboolean runner_record_counts (const ScenarioModel *model, const ConnectRecord *record);

typedef enum {
  RUNNER_COMPLETE,
  RUNNER_INTERRUPTED, /* the tick said so */
  RUNNER_EVENT_LIMIT, /* a replication reached run.event_limit */
  RUNNER_BROKEN,      /* a built-in invariant did not hold */
} RunnerEnd;

typedef struct {
  guint variants;
  guint replications; /* asked for */
  guint complete;     /* the first so many are there, for every variant */
  guint recorded;     /* the first so many of these have records of their connects */
  RunnerEnd end;
  guint end_variant, end_replication; /* EVENT_LIMIT, BROKEN: the first that met it */
  char *broken;       /* BROKEN: what did not hold */
  RunnerCell *cells;  /* replication x variants + variant; see runner_cell() */
} RunnerResults;

/* How far it is, for a progress line. */
typedef struct {
  guint replications;
  guint replications_done; /* so many times the number of variants */
  double done;             /* share of the work, 0..1, as far as one can tell */
  guint64 events;
  SimTime now;             /* simulated time in the oldest replication that is running */
  double seconds;          /* wall-clock time since the start */
} RunnerProgress;

typedef struct {
  guint jobs;             /* worker threads, >= 1 */
  const SimFelClass *fel; /* NULL: default */
  /* Called in the caller's thread about ten times a second; FALSE: stop.  May be NULL. */
  gboolean (*tick) (gpointer owner, const RunnerProgress *progress);
  gpointer tick_owner;
  /* What runs one replication; NULL: world_run. */
  WorldResult *(*run) (const ScenarioModel *model, guint64 seed, guint32 replication,
                       const WorldOptions *options, char **ret_broken);
} RunnerOptions;

/* Connects of one replication. */
guint64 runner_connects (const ScenarioModel *model);
/* How many first replications keep the records of their connects. */
guint runner_recorded (const Scenario *scenario);

RunnerResults *runner_run (const Scenario *scenario, const RunnerOptions *options);
void runner_results_free (RunnerResults *results);

/* The cell of a complete replication, or of the one that ended the run. */
const RunnerCell *runner_cell (const RunnerResults *results, guint variant, guint replication);

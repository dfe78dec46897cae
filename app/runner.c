/* Owns the worker threads and the table of results.  Jobs are handed out
 * replication by replication, all variants of one before the next, so that a run
 * that ends early still has whole replications to compare. */
#include "runner.h"

#include <string.h>

#define TICK_US (100 * G_TIME_SPAN_MILLISECOND)

typedef struct {
  const Scenario *scenario;
  const RunnerOptions *options;
  RunnerResults *results;
  guint64 jobs;

  GMutex lock; /* for all below */
  GCond changed;
  guint64 next_job;
  guint64 jobs_done;
  guint64 events;    /* of the jobs done */
  guint running;     /* worker threads that have not ended */
  guint64 first_bad; /* lowest job that met the event limit or a broken invariant, or `jobs` */
  gboolean bad_is_broken;
  char *broken;

  gint stop; /* atomic; watched by every world */
} Runner;

typedef struct {
  Runner *runner;
  GThread *thread;
  guint64 job; /* running, or `jobs`; under the lock */
  SimProgress progress;
  SimArena *arena; /* of its worlds */
} RunnerWorker;

gint
runner_outcome_compare (gconstpointer a, gconstpointer b)
{
  const RunnerOutcome *x = a, *y = b;

  if (x->cause != y->cause)
    return x->cause < y->cause ? -1 : 1;
  return x->reason < y->reason ? -1 : x->reason > y->reason;
}

gboolean
runner_record_counts (const ScenarioModel *model, const ConnectRecord *record)
{
  SimTime start = record->steps[CONNECT_STEP_START];

  return start != SIM_TIME_NEVER && start >= model->run.warm_up;
}

/* Few outcomes, many records: a linear search per record is fine. */
static GArray *
count_outcomes (const ScenarioModel *model, const ConnectRecords *connects)
{
  GArray *outcomes = g_array_new (FALSE, FALSE, sizeof (RunnerOutcome));

  for (guint i = 0; i < connect_records_count (connects); i++) {
    ConnectRecord whole = connect_records_get (connects, i), *record = &whole;
    RunnerOutcome outcome = {
      .cause = record->cause,
      .reason = record->cause == CONNECT_REFUSED ? record->reason : 0,
      .count = 1,
    };
    guint k = 0;

    if (!runner_record_counts (model, record))
      continue;
    while (k < outcomes->len
           && runner_outcome_compare (&g_array_index (outcomes, RunnerOutcome, k), &outcome))
      k++;
    if (k < outcomes->len)
      g_array_index (outcomes, RunnerOutcome, k).count++;
    else
      g_array_append_val (outcomes, outcome);
  }
  g_array_sort (outcomes, runner_outcome_compare);
  return outcomes;
}

static gint
compare_errnos (gconstpointer a, gconstpointer b)
{
  return strcmp (((const RunnerErrno *) a)->name, ((const RunnerErrno *) b)->name);
}

static GArray *
count_errnos (const ScenarioModel *model, const ConnectRecords *connects)
{
  GArray *errnos = g_array_new (FALSE, FALSE, sizeof (RunnerErrno));

  for (guint i = 0; i < connect_records_count (connects); i++) {
    ConnectRecord whole = connect_records_get (connects, i), *record = &whole;
    const char *name =
        connect_errno_name (&g_array_index (model->connects, ConnectParams, record->entry), record);
    guint k = 0;

    if (!*name || !runner_record_counts (model, record))
      continue;
    while (k < errnos->len && strcmp (g_array_index (errnos, RunnerErrno, k).name, name) != 0)
      k++;
    if (k == errnos->len)
      g_array_append_val (errnos, ((RunnerErrno){ name, 0 }));
    g_array_index (errnos, RunnerErrno, k).count++;
  }
  g_array_sort (errnos, compare_errnos);
  return errnos;
}

static guint64
connects_of_entry (const ScenarioModel *model, const ConnectParams *params)
{
  for (guint i = 0; i < model->hosts->len; i++) {
    const HostGroupParams *group = &g_array_index (model->hosts, HostGroupParams, i);

    if (g_strcmp0 (group->name, params->from) == 0)
      return connect_count (params, group->count);
  }
  return 0;
}

guint64
runner_connects (const ScenarioModel *model)
{
  guint64 connects = 0;

  for (guint i = 0; i < model->connects->len; i++)
    connects += connects_of_entry (model, &g_array_index (model->connects, ConnectParams, i));
  return connects;
}

guint
runner_recorded (const Scenario *scenario)
{
  guint64 rows = 0;

  for (guint v = 0; v < scenario->variants->len; v++) {
    const ScenarioVariant *variant = g_ptr_array_index (scenario->variants, v);

    rows += runner_connects (&variant->model);
  }
  return (guint) CLAMP (RUNNER_RECORDS_MAX / MAX (rows, 1), 1, scenario->replications);
}

/* A job that ends badly stops the handing-out; jobs before it, which are running
 * or done, still end, so that the lowest bad job is always the same one. */
static void
note_bad (Runner *runner, guint64 job, char *broken)
{
  if (job < runner->first_bad) {
    runner->first_bad = job;
    runner->bad_is_broken = broken != NULL;
    g_free (runner->broken);
    runner->broken = broken;
  } else
    g_free (broken);
}

static void
run_job (RunnerWorker *worker, guint64 job)
{
  Runner *runner = worker->runner;
  RunnerResults *results = runner->results;
  guint variant_index = (guint) (job % results->variants);
  guint replication = (guint) (job / results->variants);
  const ScenarioVariant *variant = g_ptr_array_index (runner->scenario->variants, variant_index);
  WorldOptions options = {
    /* A matrix has too many variants for curves. */
    .series = replication == 0 && runner->scenario->n_axes == 0,
    .fel = runner->options->fel,
    .arena = worker->arena,
    .stop_flag = &runner->stop,
    .progress = &worker->progress,
  };
  char *broken = NULL;
  WorldResult *world = (runner->options->run ? runner->options->run : world_run) (
      &variant->model, runner->scenario->seed, replication, &options, &broken);
  RunnerCell *cell = &results->cells[job];

  cell->world = world;
  cell->outcomes = count_outcomes (&variant->model, world->connects);
  cell->errnos = count_errnos (&variant->model, world->connects);
  if (replication >= results->recorded)
    g_clear_pointer (&world->connects, connect_records_free);

  g_mutex_lock (&runner->lock);
  if (broken || world->stop == SIM_STOP_EVENT_LIMIT)
    note_bad (runner, job, broken);
  runner->jobs_done++;
  runner->events += world->events;
  worker->job = runner->jobs;
  g_mutex_unlock (&runner->lock);
}

static gpointer
worker_main (gpointer data)
{
  RunnerWorker *worker = data;
  Runner *runner = worker->runner;

  worker->arena = sim_arena_new ();
  g_mutex_lock (&runner->lock);
  while (runner->next_job < runner->first_bad && !g_atomic_int_get (&runner->stop)) {
    guint64 job = runner->next_job++;

    worker->job = job;
    worker->progress = (SimProgress){ .events = 0 };
    g_mutex_unlock (&runner->lock);
    run_job (worker, job);
    g_mutex_lock (&runner->lock);
  }
  runner->running--;
  g_cond_signal (&runner->changed);
  g_mutex_unlock (&runner->lock);
  sim_arena_free (worker->arena);
  return NULL;
}

/* Under the lock. */
static RunnerProgress
look (Runner *runner, RunnerWorker *workers, guint n_workers, double seconds)
{
  RunnerProgress progress = {
    .replications = runner->results->replications,
    .replications_done = (guint) (runner->jobs_done / runner->results->variants),
    .done = (double) runner->jobs_done,
    .events = runner->events,
    .seconds = seconds,
  };
  guint64 oldest = runner->jobs;

  for (guint i = 0; i < n_workers; i++) {
    RunnerWorker *worker = &workers[i];
    SimTime now = __atomic_load_n (&worker->progress.now, __ATOMIC_RELAXED);
    const ScenarioVariant *variant;

    if (worker->job == runner->jobs)
      continue;
    variant = g_ptr_array_index (runner->scenario->variants,
                                 worker->job % runner->results->variants);
    progress.events += __atomic_load_n (&worker->progress.events, __ATOMIC_RELAXED);
    if (variant->model.run.until != SIM_TIME_NEVER)
      progress.done += (double) now / (double) variant->model.run.until;
    if (worker->job < oldest)
      progress.now = now;
    oldest = MIN (oldest, worker->job);
  }
  progress.done /= (double) runner->jobs;
  return progress;
}

/* Waits for the workers; ticks meanwhile. */
static void
wait_for_workers (Runner *runner, RunnerWorker *workers, guint n_workers)
{
  gint64 start = g_get_monotonic_time ();
  gint64 next_tick = start + TICK_US;

  g_mutex_lock (&runner->lock);
  while (runner->running > 0) {
    gint64 now;

    if (g_cond_wait_until (&runner->changed, &runner->lock, next_tick))
      continue;
    now = g_get_monotonic_time ();
    next_tick = now + TICK_US;
    if (runner->options->tick) {
      RunnerProgress progress = look (runner, workers, n_workers,
                                      (double) (now - start) / G_TIME_SPAN_SECOND);

      g_mutex_unlock (&runner->lock);
      if (!runner->options->tick (runner->options->tick_owner, &progress))
        g_atomic_int_set (&runner->stop, 1);
      g_mutex_lock (&runner->lock);
    }
  }
  g_mutex_unlock (&runner->lock);
}

static gboolean
cell_is_complete (const RunnerCell *cell)
{
  return cell->world && (cell->world->stop == SIM_STOP_IDLE || cell->world->stop == SIM_STOP_UNTIL);
}

/* Says how the run ended and how many first replications are whole. */
static void
conclude (Runner *runner)
{
  RunnerResults *results = runner->results;
  guint64 whole = 0;

  while (whole < runner->first_bad && cell_is_complete (&results->cells[whole]))
    whole++;
  results->complete = (guint) (whole / results->variants);
  results->recorded = MIN (results->recorded, results->complete);
  if (whole == runner->jobs)
    results->end = RUNNER_COMPLETE;
  else if (whole < runner->first_bad)
    results->end = RUNNER_INTERRUPTED;
  else {
    results->end = runner->bad_is_broken ? RUNNER_BROKEN : RUNNER_EVENT_LIMIT;
    results->end_variant = (guint) (whole % results->variants);
    results->end_replication = (guint) (whole / results->variants);
    results->broken = g_steal_pointer (&runner->broken);
  }
  g_clear_pointer (&runner->broken, g_free);
}

RunnerResults *
runner_run (const Scenario *scenario, const RunnerOptions *options)
{
  RunnerResults *results = g_new0 (RunnerResults, 1);
  Runner runner = { .scenario = scenario, .options = options, .results = results };
  guint n_workers;
  RunnerWorker *workers;

  g_assert (scenario->variants->len > 0 && scenario->replications > 0 && options->jobs > 0);
  results->variants = scenario->variants->len;
  results->replications = scenario->replications;
  results->recorded = runner_recorded (scenario);
  runner.jobs = (guint64) results->variants * results->replications;
  runner.first_bad = runner.jobs;
  results->cells = g_new0 (RunnerCell, runner.jobs);
  g_mutex_init (&runner.lock);
  g_cond_init (&runner.changed);

  n_workers = (guint) MIN (options->jobs, runner.jobs);
  runner.running = n_workers;
  workers = g_new0 (RunnerWorker, n_workers);
  for (guint i = 0; i < n_workers; i++) {
    workers[i].runner = &runner;
    workers[i].job = runner.jobs;
    workers[i].thread = g_thread_new ("replication", worker_main, &workers[i]);
  }
  wait_for_workers (&runner, workers, n_workers);
  for (guint i = 0; i < n_workers; i++)
    g_thread_join (workers[i].thread);
  conclude (&runner);

  g_free (workers);
  g_cond_clear (&runner.changed);
  g_mutex_clear (&runner.lock);
  return results;
}

void
runner_results_free (RunnerResults *results)
{
  gsize jobs;

  if (!results)
    return;
  jobs = (gsize) results->variants * results->replications;
  for (gsize i = 0; i < jobs; i++) {
    g_clear_pointer (&results->cells[i].world, world_result_free);
    g_clear_pointer (&results->cells[i].outcomes, g_array_unref);
    g_clear_pointer (&results->cells[i].errnos, g_array_unref);
  }
  g_free (results->cells);
  g_free (results->broken);
  g_free (results);
}

const RunnerCell *
runner_cell (const RunnerResults *results, guint variant, guint replication)
{
  g_assert (variant < results->variants && replication < results->replications);
  return &results->cells[(gsize) replication * results->variants + variant];
}

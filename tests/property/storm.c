/* The world of a storm: wire, hosts, schedule. */
#include "storm_private.h"

#include <stdio.h>

enum { EVENT_LIMIT = 2000000 };

/* ----- failure ----- */

void
storm_fail (Storm *storm, const char *format, ...)
{
  va_list arguments;

  if (storm->result->failure)
    return;
  va_start (arguments, format);
  storm->result->failure = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  sim_engine_stop (storm->engine);
}

/* ----- the wire ----- */

gboolean
storm_faulty (const Storm *storm)
{
  return sim_engine_now (storm->engine) < STORM_FAULTS_UNTIL;
}

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint x = *(const guint *) a, y = *(const guint *) b;

  return x < y ? -1 : x > y;
}

static gboolean
may_fail (const Storm *storm, guint number)
{
  GArray *faults = (GArray *) storm->plan->faults;

  return !faults || g_array_binary_search (faults, &number, compare_numbers, NULL);
}

/* A MAD that names neither end by an id that is known is the first of its exchange. */
static guint
exchange_of (const Storm *storm, const IbMad *mad)
{
  const StormEnd *end = storm_find (storm, mad->source - 1, mad->cm.local_id);

  if (!end)
    end = storm_find (storm, mad->destination - 1, mad->cm.remote_id);
  return end ? end->number : storm->beginning;
}

static void
judge (gconstpointer params, gpointer shared G_GNUC_UNUSED, gpointer state G_GNUC_UNUSED,
       const IbMad *mad, SimStream *port G_GNUC_UNUSED, LossFate *fate)
{
  Storm *storm = ((const struct WireParams *) params)->storm;
  guint exchange = exchange_of (storm, mad), number;
  SimStream stream;

  number = STORM_MAD (exchange, storm->exchanges[exchange].mads++);
  storm->mad = number;
  if (!storm_faulty (storm) || !may_fail (storm, number))
    return;
  sim_stream_init (&stream, sim_stream_key (storm->plan->seed, 0, "storm", "wire"), number);
  fate->drop = sim_stream_chance (&stream, storm->loss);
  if (sim_stream_chance (&stream, storm->duplication)) {
    fate->copies = 1 + (guint) sim_stream_below (&stream, 2);
    fate->copy_delay = (SimTime) sim_stream_below (&stream, (guint64) SIM_S (15)) + 1;
  }
  if (sim_stream_chance (&stream, storm->lateness))
    fate->extra_delay = (SimTime) sim_stream_below (&stream, (guint64) SIM_S (20)) + 1;
  if (fate->drop || fate->copies || fate->extra_delay)
    g_array_append_val (storm->result->faults, number);
}

static const LossClass wire_class = {
  .info = { .name = "storm",
            .help = "The storm's faults.",
            .params_size = sizeof (struct WireParams) },
  .judge = judge,
};

static const char *
fate_text (FabricFate fate)
{
  static const char *const texts[] = { [FABRIC_FATE_DELIVERED] = "",
                                       [FABRIC_FATE_DROPPED] = ", lost",
                                       [FABRIC_FATE_DELAYED] = ", delayed",
                                       [FABRIC_FATE_DUPLICATED] = ", doubled" };

  return texts[fate];
}

static void
print_mad (gpointer owner, SimTime now, const IbMad *mad, FabricFate fate)
{
  const Storm *storm = owner;

  printf ("%12.6f s  %u -> %u  MAD %5u %s %u, %08x to %08x%s\n", (double) now / SIM_S (1),
          mad->source - 1, mad->destination - 1, storm->mad, ib_cm_attr_name (mad->cm.attr),
          mad->cm.sends, mad->cm.local_id, mad->cm.remote_id, fate_text (fate));
}

static const FabricObserverOps print_ops = { .sent = print_mad };

static void
note_row (StormCoverage *coverage, const CmFsmRow *row)
{
  for (guint i = 0; cm_machines[i]; i++) {
    const CmMachine *machine = cm_machines[i];
    guint n = machine->n_events * CM_FSM_EVENT_ROWS;

    g_assert (i < STORM_MACHINES && n <= STORM_ROWS);
    if (row >= machine->rows && row < machine->rows + n)
      coverage->seen[i][row - machine->rows] = TRUE;
  }
}

static void
transition (gpointer owner, SimTime now, guint host, const CmConn *conn, const CmFsmRow *row,
            CmState from)
{
  const Storm *storm = owner;

  if (storm->plan->coverage)
    note_row (storm->plan->coverage, row);
  if (!storm->plan->print)
    return;
  printf ("%12.6f s  %u            %08x %s: %u -> %u, LAP %u\n", (double) now / SIM_S (1), host,
          conn->local_id, row->handler_name ? row->handler_name : row->clause, from, conn->state,
          conn->lap_state);
}

static const CmObserverOps observer_ops = { .transition = transition };

/* ----- ends ----- */

StormEnd *
storm_end_new (Storm *storm, guint host, guint number, gboolean client)
{
  StormEnd *end = g_new0 (StormEnd, 1);
  Exchange *exchange = &storm->exchanges[number];

  *end = (StormEnd){ .storm = storm,
                     .index = storm->ends->len,
                     .host = host,
                     .number = number,
                     .client = client,
                     .act = SIM_EVENT_NONE };
  sim_stream_init (&end->stream, sim_stream_key (storm->plan->seed, 0, "storm", "end"),
                   (guint64) number << 32 | exchange->ends++);
  g_ptr_array_add (storm->ends, end);
  return end;
}

StormEnd *
storm_find (const Storm *storm, guint host, guint32 local_id)
{
  for (guint i = 0; i < storm->ends->len; i++) {
    StormEnd *end = g_ptr_array_index (storm->ends, i);

    if (end->host == host && end->local_id == local_id)
      return end;
  }
  return NULL;
}

/* ----- the schedule ----- */

static void
begin_fire (gpointer owner, guint64 arg)
{
  storm_begin (owner, (guint) (arg >> 1), arg & 1);
}

static const SimEventClass begin_event = { .name = "begin", .code = 1, .fire = begin_fire };

static void
check_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Storm *storm = owner;

  storm_check_agreement (storm);
  storm->closing = TRUE;
  for (guint i = 0; i < storm->ends->len; i++) {
    StormEnd *end = g_ptr_array_index (storm->ends, i);

    if (end->id)
      storm_destroy (end);
  }
}

static const SimEventClass check_event = { .name = "check", .code = 2, .fire = check_fire };

/* Peer to peer both sides begin, in the calm at the same instant: their REQs cross. */
static void
plan_exchange (Storm *storm, guint number)
{
  static const Kind wild[] = { KIND_CONNECT, KIND_CONNECT, KIND_CONNECT, KIND_PEER, KIND_SIDR };
  Exchange *exchange = &storm->exchanges[number];
  SimStream stream;

  sim_stream_init (&stream, sim_stream_key (storm->plan->seed, 0, "storm", "exchange"), number);
  exchange->kind = wild[sim_stream_below (&stream, G_N_ELEMENTS (wild))];
  exchange->host = (guint) sim_stream_below (&stream, 2);
  exchange->at[0] = storm_calm (number) ? STORM_FAULTS_UNTIL + SIM_S (30) : 0;
  exchange->at[0] += (SimTime) sim_stream_below (&stream, (guint64) SIM_S (60));
  exchange->at[1] = exchange->at[0];
  if (!storm_calm (number))
    exchange->at[1] += (SimTime) sim_stream_below (&stream, 2) *
                       (SimTime) sim_stream_below (&stream, (guint64) SIM_S (8));
}

static void
schedule (Storm *storm)
{
  for (guint number = 0; number < STORM_EXCHANGES; number++) {
    const Exchange *exchange = &storm->exchanges[number];

    plan_exchange (storm, number);
    if (!(storm->plan->exchanges >> number & 1))
      continue;
    for (guint host = 0; host < 2; host++)
      if (exchange->kind == KIND_PEER || host == exchange->host)
        sim_engine_schedule_at (storm->engine, exchange->at[host], &begin_event, storm,
                                number << 1 | host);
  }
  sim_engine_schedule_at (storm->engine, STORM_CHECK_AT, &check_event, storm, 0);
}

/* ----- life ----- */

static void
draw_weather (Storm *storm)
{
  SimStream stream;

  sim_stream_init (&stream, sim_stream_key (storm->plan->seed, 0, "storm", "weather"), 0);
  storm->loss = 0.2 * (double) sim_stream_below (&stream, 4);
  storm->duplication = 0.2 * (double) sim_stream_below (&stream, 3);
  storm->lateness = 0.15 * (double) sim_stream_below (&stream, 3);
  storm->profile = *storm->plan->profile;
  /* So few that exchanges wait for each other. */
  if (storm->profile.mads_outstanding)
    storm->profile.mads_outstanding = 3;
}

static void
build (Storm *storm)
{
  SimTime phase;
  SimStream stream;

  storm->wire.storm = storm;
  storm->fabric_params = (FabricParams){
    .latency = sim_dist_uniform (SIM_US (1), SIM_MS (5)),
    .loss = { .klass = &wire_class.info, .params = &storm->wire },
  };
  storm->hca_params = (HcaParams){ .recv_ring = 512,
                                   .send_ring = 128,
                                   .mad_service = sim_dist_constant (SIM_US (1)),
                                   .cm_service = sim_dist_constant (SIM_US (10)),
                                   .cm_workers = 1 + storm->profile.cm_workers / 4,
                                   .qp_create = sim_dist_constant (0),
                                   .qp_modify = sim_dist_constant (0),
                                   .commands = 1 };
  storm->engine = sim_engine_new (NULL, EVENT_LIMIT);
  storm->fabric = fabric_new (storm->engine, &storm->fabric_params, storm->plan->seed, 0);
  storm->group =
      hca_group_new (storm->engine, storm->fabric, &storm->hca_params, storm->plan->seed, 0);
  storm->cm = cm_shared_new (storm->engine, &storm->profile);
  storm->ends = g_ptr_array_new_with_free_func (g_free);
  sim_stream_init (&stream, sim_stream_key (storm->plan->seed, 0, "storm", "phase"), 0);
  for (guint host = 0; host < 2; host++) {
    phase = (SimTime) sim_stream_below (&stream, (guint64) SIM_S (100));
    storm->hcas[host] = hca_new (storm->group, host);
    storm->agents[host] =
        cm_agent_new (storm->cm, NULL, storm->hcas[host], host, phase, &storm_consumer_ops);
  }
  cm_shared_observe (storm->cm, &observer_ops, storm);
  if (storm->plan->print)
    fabric_observe (storm->fabric, &print_ops, storm);
}

static void
demolish (Storm *storm)
{
  for (guint host = 0; host < 2; host++) {
    cm_agent_free (storm->agents[host]);
    hca_free (storm->hcas[host]);
  }
  cm_shared_free (storm->cm);
  hca_group_free (storm->group);
  fabric_free (storm->fabric);
  sim_engine_free (storm->engine);
  g_ptr_array_unref (storm->ends);
}

static void
listen (Storm *storm)
{
  for (guint host = 0; host < 2; host++)
    for (guint64 service_id = KIND_CONNECT; service_id <= KIND_SIDR; service_id++) {
      Storm **listener = g_new (Storm *, 1);

      *listener = storm;
      if (service_id == KIND_PEER)
        g_free (listener);
      else
        cm_agent_listen (storm->agents[host], 1 + service_id, listener);
    }
}

void
storm_run (const StormPlan *plan, StormResult *ret_result)
{
  Storm storm = { .plan = plan, .result = ret_result };
  SimStop stop;

  *ret_result = (StormResult){ .faults = g_array_new (FALSE, FALSE, sizeof (guint)) };
  draw_weather (&storm);
  build (&storm);
  listen (&storm);
  schedule (&storm);
  stop = sim_engine_run (storm.engine, SIM_TIME_NEVER);
  if (stop == SIM_STOP_EVENT_LIMIT)
    storm_fail (&storm, "it does not end");
  else if (stop == SIM_STOP_IDLE)
    storm_check_end (&storm);
  demolish (&storm);
}

void
storm_result_clear (StormResult *result)
{
  g_free (result->failure);
  g_array_unref (result->faults);
}

/* Members of multicast groups in a world, and their share of the metrics. */
#include "world_private.h"

#include "sim_select.h"

static gboolean
script_joins (const ConnectParams *params)
{
  const GArray *steps;

  if (params->ulp.klass != &ulp_script.info)
    return FALSE;
  steps = ((const UlpScriptParams *) params->ulp.params)->steps;
  for (guint i = 0; i < steps->len; i++)
    if (g_array_index (steps, ScriptStep, i).call == SCRIPT_CALL_JOIN)
      return TRUE;
  return FALSE;
}

gboolean
world_needs_multicast (const ScenarioModel *model)
{
  for (guint i = 0; i < model->connects->len; i++)
    if (script_joins (&g_array_index (model->connects, ConnectParams, i)))
      return TRUE;
  return model->multicast->len > 0;
}

/* ----- memberships that are lost ----- */

/* Every port hears of it at once: SMPs are no part of the model. */
static void
reregister_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  World *world = owner;

  sa_service_forget_groups (world->sa);
  for (guint i = 0; i < world->n_hosts; i++)
    cma_multicast_reset (world->hosts[i]);
}

static const SimEventClass reregister_event = { .name = "sm-reregister",
                                                .code = 0x902,
                                                .fire = reregister_fire };

static void
port_error_fire (gpointer owner, guint64 arg)
{
  World *world = owner;
  const WorldGroup *group = &g_array_index (world->groups, WorldGroup, (guint) arg);

  for (guint i = 0; i < group->count; i++)
    cma_multicast_reset (world->hosts[group->first_host + i]);
}

static const SimEventClass port_error_event = { .name = "port-error",
                                                .code = 0x903,
                                                .fire = port_error_fire };

static void
schedule_resets (World *world)
{
  SimTime reregister_at = world->model->sa.reregister_at;

  if (world->sa && reregister_at != SIM_TIME_NEVER)
    sim_engine_schedule_at (world->engine, reregister_at, &reregister_event, world, 0);
  for (guint i = 0; i < world->groups->len; i++) {
    SimTime at = g_array_index (world->groups, WorldGroup, i).params->port_error_at;

    if (at != SIM_TIME_NEVER)
      sim_engine_schedule_at (world->engine, at, &port_error_event, world, i);
  }
}

void
world_build_multicast (World *world)
{
  const GArray *list = world->model->multicast;
  const WorldObserverOps *observer = world->options->observer;

  world->multicast = g_new0 (Multicast *, MAX (list->len, 1));
  if (!world_needs_multicast (world->model))
    return;
  for (guint i = 0; i < world->n_hosts; i++)
    cma_multicast_begin (world->hosts[i]);
  for (guint i = 0; i < list->len; i++) {
    const MulticastParams *params = &g_array_index (list, MulticastParams, i);
    const WorldGroup *from = world_find_group (world, params->from);
    MulticastConfig config = { .engine = world->engine,
                               .params = params,
                               .hosts = world->hosts + from->first_host,
                               .n_hosts = from->count,
                               .channels = world_channels (world, from, params->channel),
                               .entry = i,
                               .seed = world->seed,
                               .replication = world->replication };

    world->multicast[i] =
        multicast_new (&config, &world_multicast_ops[observer && observer->app_event], world);
  }
  schedule_resets (world);
}

/* ----- news ----- */

static void
member_event (gpointer owner, const Multicast *multicast, guint member, const char *event,
              gint status, const CmaGroup *group)
{
  World *world = owner;
  const MulticastParams *params =
      &g_array_index (world->model->multicast, MulticastParams, multicast_entry (multicast));
  const WorldGroup *from = world_find_group (world, params->from);
  WorldAppEvent news = { .member = TRUE,
                         .connect = WORLD_NO_CONNECT,
                         .host = from->first_lid + multicast_record (multicast, member)->host,
                         .event = event,
                         .status = status,
                         .group = group };

  world->options->observer->app_event (world->options->observer_owner,
                                       sim_engine_now (world->engine), &news);
}

const MulticastOps world_multicast_ops[2] = { { .app_event = NULL },
                                              { .app_event = member_event } };

/* ----- metrics ----- */

void
world_count_multicast (const World *world, WorldCounters *counters)
{
  for (guint i = 0; i < world->model->multicast->len; i++) {
    const MulticastCounters *c = multicast_counters (world->multicast[i]);

    counters->multicast.joins += c->joins;
    counters->multicast.errors += c->errors;
    counters->multicast.resets += c->resets;
    counters->multicast.refused += c->refused;
    counters->multicast.leaves += c->leaves;
  }
  for (guint i = 0; i < world->groups->len; i++) {
    const CmaConfig *config = g_array_index (world->groups, WorldGroup, i).config;

    counters->members.joins += config->multicast.joins;
    counters->members.shared += config->multicast.shared;
  }
}

/* The ceil (q n)-th smallest. */
static double
quantile (GArray *times, guint percent)
{
  gsize rank = ((gsize) times->len * percent + 99) / 100;
  SimTime *all = (SimTime *) (void *) times->data;

  return sim_time_to_seconds (sim_select (all, times->len, MAX (rank, 1) - 1));
}

static void
read_members (const World *world, double *m)
{
  GArray *latencies = g_array_new (FALSE, FALSE, sizeof (SimTime));
  guint64 came = 0, ends[MULTICAST_FAILED + 1] = { 0 };
  SimTime last = SIM_TIME_NEVER;
  double sum = 0;

  for (guint i = 0; i < world->model->multicast->len; i++)
    for (guint k = 0; k < multicast_members (world->multicast[i]); k++) {
      const MulticastRecord *record = multicast_record (world->multicast[i], k);
      SimTime took = record->joined - record->start;

      if (record->start == SIM_TIME_NEVER || record->start < world->model->run.warm_up)
        continue;
      came++;
      ends[record->end]++;
      if (record->joined == SIM_TIME_NEVER)
        continue;
      last = last == SIM_TIME_NEVER ? record->joined : MAX (last, record->joined);
      sum += sim_time_to_seconds (took);
      g_array_append_val (latencies, took);
    }
  m[METRIC_MEMBERS] = (double) came;
  m[METRIC_MEMBERS_IN] = (double) ends[MULTICAST_IN];
  m[METRIC_MEMBERS_LEFT] = (double) ends[MULTICAST_LEFT];
  m[METRIC_MEMBERS_FAILED] = (double) ends[MULTICAST_FAILED];
  if (latencies->len > 0) {
    m[METRIC_JOIN_LATENCY_MEAN] = sum / latencies->len;
    m[METRIC_JOIN_LATENCY_P50] = quantile (latencies, 50);
    m[METRIC_JOIN_LATENCY_P95] = quantile (latencies, 95);
    m[METRIC_JOIN_LATENCY_MAX] = quantile (latencies, 100);
    m[METRIC_LAST_JOINED] = sim_time_to_seconds (last);
  }
  g_array_free (latencies, TRUE);
}

void
world_read_multicast (const World *world, const WorldCounters *now, double *m)
{
  const WorldCounters *then = &world->at_warm;

  if (!world_needs_multicast (world->model))
    return;
#define SINCE(field) ((double) (now->field - then->field))
  m[METRIC_SA_JOINS] = SINCE (sa.joins);
  m[METRIC_SA_LEAVES] = SINCE (sa.leaves);
  m[METRIC_SA_SETS_DROPPED] = SINCE (sa.sets_dropped);
  m[METRIC_SA_SETS_REFUSED] = SINCE (sa.sets_refused);
  m[METRIC_SA_SET_QUEUE_MAX] = now->sa.set_queue_max;
  m[METRIC_SA_GROUPS_MAX] = now->sa.groups_max;
  m[METRIC_JOINS] = SINCE (multicast.joins);
  m[METRIC_JOIN_ERRORS] = SINCE (multicast.errors);
  m[METRIC_JOIN_RESETS] = SINCE (multicast.resets);
  m[METRIC_JOINS_REFUSED] = SINCE (multicast.refused);
  m[METRIC_JOINS_SHARED] = SINCE (members.shared);
  m[METRIC_LEAVES] = SINCE (multicast.leaves);
#undef SINCE
  read_members (world, m);
}

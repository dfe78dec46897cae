/* Building the entities of one replication. */
#include "world_private.h"

#include <string.h>

#include "loss_rules.h"
#include "scenario_target.h"

enum { SERIES_BINS = 4096, SERIES_FIRST_WIDTH = 1000 /* ns */ };

/* Connects from which on tables are made as large as they may get; below, they grow at no
 * cost. */
enum { LARGE = 10000 };

/* ----- building ----- */

static gboolean
needs_sa (const ScenarioModel *model)
{
  if (model->fabric.transport != FABRIC_TRANSPORT_IB)
    return FALSE;
  for (guint i = 0; i < model->connects->len; i++) {
    const ConnectParams *params = &g_array_index (model->connects, ConnectParams, i);

    if (params->resolve || params->ulp.klass == &ulp_script.info)
      return TRUE;
  }
  return world_needs_multicast (model);
}

static guint
count_hosts (const ScenarioModel *model)
{
  guint n = 0;

  for (guint i = 0; i < model->hosts->len; i++)
    n += g_array_index (model->hosts, HostGroupParams, i).count;
  return n;
}

static void
build_sm (World *world)
{

  world->sm_hca_group = hca_group_new (world->engine, world->fabric, &world->model->sm.hca,
                                       world->seed, world->replication);
  world->sm_hca = hca_new (world->sm_hca_group, world->n_hosts);
  fabric_name_ports (world->fabric, "sm", hca_lid (world->sm_hca), 1);
  world->sa = sa_service_new (world->engine, world->sm_hca, &world->model->sa, world->seed,
                              world->replication);
  if (world->options->series)
    sa_service_observe (world->sa, &world_sa_ops, world);
}

static void
build_group (World *world, const HostGroupParams *params, guint first_host)
{
  WorldGroup group = { .params = params, .first_host = first_host, .count = params->count };

  group.hca_group =
      hca_group_new (world->engine, world->fabric, &params->hca, world->seed, world->replication);
  group.config = g_new (CmaConfig, 1);
  *group.config = (CmaConfig){
    .engine = world->engine,
    .fabric = world->fabric,
    .cm = world->cm,
    .profile = scenario_host_profile (world->model, params),
    .host = params,
    .hca_group = group.hca_group,
    .sm_lid = world->sm_hca ? hca_lid (world->sm_hca) : 0,
    .tcp = world->tcp,
    .sa_groups = &world->model->sa.groups,
  };
  cma_config_init (group.config, world->seed, world->replication);
  for (guint i = 0; i < params->count; i++)
    world->hosts[first_host + i] = cma_new (group.config, first_host + i);
  if (params->count > 0) {
    group.first_lid = hca_lid (cma_hca (world->hosts[first_host]));
    fabric_name_ports (world->fabric, params->name, group.first_lid, params->count);
  }
  g_array_append_val (world->groups, group);
}

static void
build_hosts (World *world)
{
  guint first_host = 0;

  world->hosts = g_new0 (Cma *, MAX (world->n_hosts, 1));
  for (guint g = 0; g < world->model->hosts->len; g++) {
    const HostGroupParams *params = &g_array_index (world->model->hosts, HostGroupParams, g);
    build_group (world, params, first_host);
    first_host += params->count;
  }
}

const WorldGroup *
world_find_group (const World *world, const char *name)
{
  for (guint i = 0; i < world->groups->len; i++) {
    const WorldGroup *group = &g_array_index (world->groups, WorldGroup, i);
    if (strcmp (group->params->name, name) == 0)
      return group;
  }
  g_assert_not_reached (); /* names were checked with the scenario */
}

/* "group" or "group.index", checked with the scenario: the first host it means. */
static const WorldGroup *
find_host (const World *world, const char *name, guint *ret_index)
{
  guint count;

  for (guint i = 0; i < world->groups->len; i++) {
    const WorldGroup *group = &g_array_index (world->groups, WorldGroup, i);
    if (loss_name_resolve (name, group->params->name, group->count, ret_index, &count))
      return group;
  }
  g_assert_not_reached ();
}

static IbLid
find_lid (const World *world, const char *name)
{
  guint index;
  const WorldGroup *group = find_host (world, name, &index);

  return group->first_lid + index;
}

static guint
port_of (const char *to)
{
  ScenarioTarget target;
  gboolean parsed = scenario_target_parse (to, &target);
  guint port = target.port;

  g_assert (parsed);
  scenario_target_clear (&target);
  return port;
}

static void
build_meshes (World *world)
{
  const GArray *list = world->model->connects;

  world->meshes = g_new0 (Mesh *, MAX (list->len, 1));
  for (guint i = 0; i < list->len; i++) {
    const ConnectParams *params = &g_array_index (list, ConnectParams, i);
    const WorldGroup *group = world_find_group (world, params->from);

    if (params->tie_break == CONNECT_TIE_BREAK_ADDRESS)
      world->meshes[i] =
          mesh_new (group->count * params->processes, params->processes, group->first_lid);
  }
}

/* Listener n of an entry serves a process of the mesh that connects to its port. */
static void
join_mesh (const World *world, const ListenerParams *params, guint n, ListenerConfig *config)
{
  guint port = params->service + config->process;

  for (guint i = 0; i < world->model->connects->len; i++) {
    const ConnectParams *connect = &g_array_index (world->model->connects, ConnectParams, i);
    guint first = port_of (connect->to);

    if (!world->meshes[i] || strcmp (connect->from, params->on) != 0 || port < first ||
        port >= first + connect->processes)
      continue;
    config->mesh = world->meshes[i];
    config->mesh_process = n / params->processes * connect->processes + port - first;
  }
}

/* Of the first `n` listeners, the one whose event channel this one shares. */
static Listener *
find_channel (const World *world, guint n, const ListenerConfig *config)
{
  const char *channel = config->params->channel;

  for (guint i = 0; *channel && i < n; i++)
    if (listener_has_channel (world->listeners[i].listener, channel, config->host,
                              config->process))
      return world->listeners[i].listener;
  return NULL;
}

static void
build_listeners (World *world)
{
  const GArray *list = world->model->listeners;
  const WorldObserverOps *observer = world->options->observer;

  for (guint i = 0; i < list->len; i++) {
    const ListenerParams *params = &g_array_index (list, ListenerParams, i);
    world->n_listeners += world_find_group (world, params->on)->count * params->processes;
  }
  world->listeners = g_new0 (WorldListener, MAX (world->n_listeners, 1));
  for (guint i = 0, next = 0; i < list->len; i++) {
    const ListenerParams *params = &g_array_index (list, ListenerParams, i);
    const WorldGroup *group = world_find_group (world, params->on);

    for (guint n = 0; n < group->count * params->processes; n++, next++) {
      ListenerConfig config = {
        .engine = world->engine,
        .params = params,
        .profile = group->config->profile,
        .host = world->hosts[group->first_host + n / params->processes],
        .process = n % params->processes,
        .redirect = *params->redirect_to ? find_lid (world, params->redirect_to) : 0,
        .seed = world->seed,
        .replication = world->replication,
      };
      WorldListener *wl = &world->listeners[next];
      config.channel_of = find_channel (world, next, &config);
      join_mesh (world, params, n, &config);
      wl->world = world;
      wl->listener =
          listener_new (&config, &world_listener_ops[observer && observer->app_event], wl);
      if (world->options->series)
        hca_observe (cma_hca (config.host), world->meters[0], world->meters[1]);
    }
  }
}

static ConnectorTarget
resolve_target (World *world, const char *to)
{
  ScenarioTarget target;
  gboolean parsed = scenario_target_parse (to, &target);

  g_assert (parsed); /* checked with the scenario */
  const WorldGroup *group = world_find_group (world, target.group);
  guint first = target.indexed ? target.index : 0;
  guint count = target.indexed ? 1 : group->count;
  ConnectorTarget result = { .hosts = g_new (IbLid, count), .n = count, .port = target.port };

  for (guint i = 0; i < count; i++)
    result.hosts[i] = group->first_lid + first + i;
  scenario_target_clear (&target);
  return result;
}

static guint
connects_of (const World *world, const ConnectParams *params)
{
  return (guint) connect_count (params, world_find_group (world, params->from)->count);
}

static void
build_connectors (World *world)
{
  const GArray *list = world->model->connects;
  const WorldObserverOps *observer = world->options->observer;
  guint total = 0;

  for (guint i = 0; i < list->len; i++)
    total += connects_of (world, &g_array_index (list, ConnectParams, i));
  world->result->connects = connect_records_new (total);
  if (total >= LARGE)
    cm_shared_expect (world->cm, 2 * MIN (total, G_MAXUINT / 2));
  world->connectors = g_new0 (Connector *, MAX (list->len, 1));
  for (guint i = 0, first = 0; i < list->len; i++) {
    const ConnectParams *params = &g_array_index (list, ConnectParams, i);
    const WorldGroup *from = world_find_group (world, params->from);
    ConnectorConfig config = {
      .engine = world->engine,
      .params = params,
      .profile = from->config->profile,
      .hosts = world->hosts + from->first_host,
      .n_hosts = from->count,
      .target = resolve_target (world, params->to),
      .channels = world_channels (world, from, params->channel),
      .mesh = world->meshes[i],
      .entry = i,
      .first_index = first,
      .records = world->result->connects,
      .n_records = connects_of (world, params),
      .seed = world->seed,
      .replication = world->replication,
    };
    if (*params->redirect_to)
      config.redirect = resolve_target (world, params->redirect_to);
    world->connectors[i] =
        connector_new (&config, &world_connector_ops[observer && observer->app_event], world);
    first += config.n_records;
  }
}

static void
build_handmade (World *world)
{
  const GArray *list = world->model->handmade;

  world->handmade = g_new0 (Handmade *, MAX (list->len, 1));
  for (guint i = 0; i < list->len; i++) {
    const HandmadeParams *params = &g_array_index (list, HandmadeParams, i);
    guint index;
    const WorldGroup *from = find_host (world, params->from, &index);

    world->handmade[i] =
        handmade_new (world->engine, params, cma_hca (world->hosts[from->first_host + index]),
                      find_lid (world, params->to));
  }
}

static void
build_series (World *world)
{
  for (guint i = 0; i < WORLD_SERIES_N; i++)
    world->result->series[i] = sim_series_new (SERIES_FIRST_WIDTH, SERIES_BINS, 0);
  world->meters[0] = hca_meter_new (&world_meter_ops[0], world);
  world->meters[1] = hca_meter_new (&world_meter_ops[1], world);
}

void
world_build (World *world)
{
  const WorldOptions *options = world->options;

  world->engine = sim_engine_new (options->fel, world->model->run.event_limit);
  sim_engine_use_arena (world->engine, options->arena);
  if (options->stop_flag)
    sim_engine_watch (world->engine, options->stop_flag);
  sim_engine_report (world->engine, options->progress);
  world->fabric =
      fabric_new (world->engine, &world->model->fabric, world->seed, world->replication);
  if (options->series || (options->observer && options->observer->wire))
    fabric_observe (world->fabric, &world_wire_ops, world);
  if (options->series)
    build_series (world);
  world->cm = cm_shared_new (world->engine, &world->model->profile);
  if (world->model->fabric.transport == FABRIC_TRANSPORT_IWARP)
    world->tcp = tcp_shared_new (world->engine, &world->model->tcp, TCP_MPA);
  else if (world->model->fabric.transport == FABRIC_TRANSPORT_TCP)
    world->tcp = tcp_shared_new (world->engine, &world->model->tcp, TCP_PLAIN);
  world->groups = g_array_new (FALSE, FALSE, sizeof (WorldGroup));
  world->n_hosts = count_hosts (world->model);
  sim_time_avg_init (&world->backlog, 0, 0);
  sim_time_avg_init (&world->idle, 0, 1);
  sim_time_avg_init (&world->idle_waiting, 0, 0);
  world->first_established = SIM_TIME_NEVER;
  world->last_established = world->last_decided = SIM_TIME_NEVER;
  if (needs_sa (world->model))
    build_sm (world);
  build_hosts (world);
  build_meshes (world);
  build_listeners (world);
  build_connectors (world);
  build_handmade (world);
  world_build_multicast (world);
}

char *
world_host_name (const ScenarioModel *model, IbLid lid)
{
  IbLid first = 1;

  if (needs_sa (model)) {
    if (lid == first)
      return g_strdup ("sm");
    first++;
  }
  for (guint i = 0; i < model->hosts->len; i++) {
    const HostGroupParams *group = &g_array_index (model->hosts, HostGroupParams, i);
    if (lid >= first && lid - first < group->count)
      return g_strdup_printf ("%s.%u", group->name, lid - first);
    first += group->count;
  }
  return g_strdup_printf ("lid %u", lid);
}

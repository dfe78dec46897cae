/* Adds up what the entities of a scenario take; their sizes come from the models. */
#include "memory_need.h"

#include <unistd.h>

#include "footprint.h"
#include "runner.h"
#include "sim_series.h"

#define MIB ((guint64) 1 << 20)

/* The program, its libraries, a thread's stack and small worlds. */
#define PROCESS_BYTES (16 * MIB)
/* An event: its record and its place in the event list. */
#define EVENT_BYTES 64
/* What the world notes of a listener, and its blocks' own. */
#define LISTENER_BYTES 64
/* Levels over time of replication 0, and what is copied of them to be drawn. */
#define SERIES_BYTES (2 * MIB)
/* Latencies that quantiles and the curve are made from. */
#define LATENCY_BYTES sizeof (SimTime)

static guint64
hosts_of (const ScenarioModel *model)
{
  guint64 hosts = 1; /* the subnet manager's */

  for (guint i = 0; i < model->hosts->len; i++)
    hosts += g_array_index (model->hosts, HostGroupParams, i).count;
  return hosts;
}

static guint64
hosts_in_group (const ScenarioModel *model, const char *name)
{
  for (guint i = 0; i < model->hosts->len; i++) {
    const HostGroupParams *group = &g_array_index (model->hosts, HostGroupParams, i);

    if (g_strcmp0 (group->name, name) == 0)
      return group->count;
  }
  return 0;
}

/* One per process of each host.  *ret_bytes: of all of them, without their requests. */
static guint64
listeners_of (const ScenarioModel *model, guint64 *ret_bytes)
{
  guint64 listeners = 0;

  *ret_bytes = 0;
  for (guint i = 0; i < model->listeners->len; i++) {
    const ListenerParams *params = &g_array_index (model->listeners, ListenerParams, i);
    guint64 n = hosts_in_group (model, params->on) * params->processes;

    listeners += n;
    *ret_bytes += n * (listener_footprint (params) + LISTENER_BYTES);
  }
  return listeners;
}

/* What processes that connect to each other know of each other. */
static guint64
meshes_bytes (const ScenarioModel *model)
{
  guint64 bytes = 0;

  for (guint i = 0; i < model->connects->len; i++) {
    const ConnectParams *params = &g_array_index (model->connects, ConnectParams, i);

    if (params->tie_break == CONNECT_TIE_BREAK_ADDRESS)
      bytes += mesh_footprint (hosts_in_group (model, params->from) * params->processes);
  }
  return bytes;
}

/* Members of groups, and what hosts have for their sake.  *ret_members: how many. */
static guint64
multicast_bytes (const ScenarioModel *model, guint64 hosts, guint64 *ret_members)
{
  FabricTransport transport = (FabricTransport) model->fabric.transport;
  guint64 bytes = hosts * cma_multicast_footprint ();

  *ret_members = 0;

  for (guint i = 0; i < model->multicast->len; i++) {
    const MulticastParams *params = &g_array_index (model->multicast, MulticastParams, i);
    guint64 from = hosts_in_group (model, params->from);

    *ret_members += from * params->per_host;
    bytes += multicast_footprint (params, (guint) from, transport);
  }
  if (model->multicast->len == 0)
    return 0;
  return bytes + *ret_members * (LATENCY_BYTES + EVENT_BYTES);
}

/* One replication at its largest. */
static guint64
world_bytes (const ScenarioModel *model, guint64 hosts, guint64 connects)
{
  FabricTransport transport = (FabricTransport) model->fabric.transport;
  guint64 host = cma_host_footprint (transport) + sizeof (gpointer);
  /* All of them wait for their path ... */
  guint64 asking = cma_id_footprint (transport) + sa_query_footprint () + 2 * EVENT_BYTES;
  /* ... or are open, and one end of each waits for an answer. */
  guint64 open = 2 * cma_id_footprint (transport) + listener_request_footprint () +
                 cm_waiting_footprint () + EVENT_BYTES;

  return hosts * host +
         connects * (connector_connect_footprint () + LATENCY_BYTES + MAX (asking, open));
}

static MemoryNeed
variant_need (const ScenarioVariant *variant, guint64 *ret_world)
{
  const ScenarioModel *model = &variant->model;
  guint64 listening, joining;
  MemoryNeed need = { .hosts = hosts_of (model),
                      .listeners = listeners_of (model, &listening),
                      .connects = runner_connects (model) };

  joining = multicast_bytes (model, need.hosts, &need.members);
  *ret_world = world_bytes (model, need.hosts, need.connects) + listening + meshes_bytes (model) +
               joining;
  return need;
}

MemoryNeed
memory_need (const Scenario *scenario, guint jobs)
{
  MemoryNeed largest = { .bytes = 0 };
  guint64 all = (guint64) scenario->variants->len * scenario->replications;
  guint64 world = 0, kept = 0;

  for (guint v = 0; v < scenario->variants->len; v++) {
    guint64 bytes;
    MemoryNeed need = variant_need (g_ptr_array_index (scenario->variants, v), &bytes);

    kept += need.connects * runner_recorded (scenario) *
                (connect_record_footprint () + LATENCY_BYTES) +
            SERIES_BYTES;
    if (bytes > world) {
      world = bytes;
      largest = need;
    }
  }
  largest.at_once = (guint) MIN (jobs, all);
  largest.bytes = PROCESS_BYTES + largest.at_once * world + kept;
  return largest;
}

guint64
memory_physical (void)
{
  long pages = sysconf (_SC_PHYS_PAGES), size = sysconf (_SC_PAGESIZE);

  return pages > 0 && size > 0 ? (guint64) pages * (guint64) size : G_MAXUINT64;
}

guint64
memory_limit_default (void)
{
  guint64 physical = memory_physical ();

  return physical == G_MAXUINT64 ? physical : physical / 5 * 4;
}

char *
memory_format (guint64 bytes)
{
  if (bytes < MIB && bytes % 1024 != 0)
    return g_strdup_printf ("%" G_GUINT64_FORMAT " B", bytes);
  if (bytes < MIB)
    return g_strdup_printf ("%" G_GUINT64_FORMAT " KiB", bytes / 1024);
  if (bytes < 1024 * MIB)
    return g_strdup_printf ("%" G_GUINT64_FORMAT " MiB", (bytes + MIB - 1) / MIB);
  return g_strdup_printf ("%.1f GiB", (double) bytes / (double) (1024 * MIB));
}

#include "scenario_schema.h"

#include "arena.h"

#include <string.h>

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (ScenarioRun, field)
static const SimParam run_rows[] = {
  { ROW (until), .kind = SIM_PARAM_TIME, .value = "never",
    .help = "Simulated time at which a replication ends; never: when nothing is left to do." },
  { ROW (warm_up), .kind = SIM_PARAM_TIME, .value = "0s",
    .help = "Statistics start here; what happened before is not counted." },
  { ROW (event_limit), .kind = SIM_PARAM_UINT64, .value = "2G", .min = 1, .max = 1e15,
    .help = "Events after which a replication is given up; exit code 4." },
  { .name = NULL },
};
#undef ROW

#define HEAD(field) .offset = G_STRUCT_OFFSET (ScenarioDocument, field)
#define MODEL(field) .name = #field, .offset = G_STRUCT_OFFSET (ScenarioDocument, model.field)
const SimParam scenario_rows[] = {
  { .name = "cmsim",
    HEAD (version),
    .kind = SIM_PARAM_UINT,
    .min = 1,
    .max = 1,
    .help = "Version of the format: 1." },
  { .name = "question",
    HEAD (question),
    .kind = SIM_PARAM_STRING,
    .help = "What the scenario asks, in a sentence; the headline of the results." },
  { .name = "seed",
    HEAD (seed),
    .kind = SIM_PARAM_UINT64,
    .value = "1",
    .help = "Seed of all random streams; the same seed gives the same results." },
  { .name = "replications",
    HEAD (replications),
    .kind = SIM_PARAM_UINT,
    .value = "1",
    .min = 1,
    .max = 100000,
    .help = "Runs of each variant, each with its own random streams." },
  { MODEL (run), .kind = SIM_PARAM_GROUP, .rows = run_rows, .help = "Length of a replication." },
  { MODEL (profile), .kind = SIM_PARAM_GROUP, .rows = cm_profile_params, .main_param = "base",
    .help = "The CM implementation: a profile's name, or `base` and what differs from it." },
  { MODEL (fabric), .kind = SIM_PARAM_GROUP, .rows = fabric_params, .help = "The wire." },
  { MODEL (sa), .kind = SIM_PARAM_GROUP, .rows = sa_params, .help = "The subnet administrator." },
  { MODEL (tcp), .kind = SIM_PARAM_GROUP, .rows = tcp_params,
    .help = "TCP, for `fabric.transport: iwarp` and `tcp`." },
  { MODEL (sm), .kind = SIM_PARAM_GROUP, .rows = host_params,
    .help = "The host that the subnet administrator runs on." },
  { MODEL (hosts), .kind = SIM_PARAM_LIST, .rows = host_params, .main_param = "count",
    .keyed = TRUE, .item_size = sizeof (HostGroupParams),
    .help = "Host groups: a name and the number of hosts, or a mapping." },
  { MODEL (listeners), .kind = SIM_PARAM_LIST, .value = "[]", .rows = listener_params,
    .item_size = sizeof (ListenerParams), .help = "Services that accept connections." },
  { MODEL (connects), .kind = SIM_PARAM_LIST, .value = "[]", .rows = connect_params,
    .item_size = sizeof (ConnectParams), .help = "Who connects where, when and how." },
  { MODEL (handmade), .kind = SIM_PARAM_LIST, .value = "[]", .rows = handmade_params,
    .item_size = sizeof (HandmadeParams),
    .help = "CM messages made by hand: a host sends each once, and its CM knows nothing of them." },
  { MODEL (multicast), .kind = SIM_PARAM_LIST, .value = "[]", .rows = multicast_params,
    .item_size = sizeof (MulticastParams), .help = "Who joins which multicast group, and when." },
  { .name = "compare",
    .kind = SIM_PARAM_GROUP,
    .value = "{}",
    .help = "Variants: a name, and what it changes as a mapping of dotted paths to values." },
  { .name = "matrix",
    .kind = SIM_PARAM_GROUP,
    .value = "{}",
    .help = "Axes, each with named values that change something; every combination is run." },
  { .name = "expect",
    .kind = SIM_PARAM_GROUP,
    .value = "[]",
    .help = "What must come out; one line each, see Expectations." },
  { .name = NULL },
};

static const SimParam base_row = {
  .name = "base", .kind = SIM_PARAM_STRING, .offset = G_STRUCT_OFFSET (CmProfile, name),
  .value = "linux-6.1", .help = "The profile to start from; `cmsim list profiles`.",
};

const SimParam *
scenario_profile_rows (struct Arena *arena)
{
  SimParam *rows;
  guint n = 0;

  while (cm_profile_params[n].name)
    n++;
  rows = arena_alloc (arena, (n + 2) * sizeof *rows);
  rows[0] = base_row;
  memcpy (rows + 1, cm_profile_params, (n + 1) * sizeof *rows);
  return rows;
}

gboolean
scenario_key_is_common (const char *key)
{
  static const char *const common[] = { "cmsim",   "question", "seed",   "replications",
                                        "compare", "matrix",   "expect", NULL };

  return g_strv_contains (common, key);
}

/* Parameter rows of a host group. */
#include "host.h"

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (HostAddressParams, field)
static const SimParam address_params[] = {
  { ROW (delay), .kind = SIM_PARAM_DIST, .value = "14us",
    .help = "Address resolution with the neighbour known.",
    .source = "measured, ConnectX-4 kernel log" },
  { ROW (unanswered), .kind = SIM_PARAM_PROBABILITY, .value = "0",
    .help = "Probability that a neighbour probe stays unanswered." },
  { ROW (probes), .kind = SIM_PARAM_UINT, .value = "3", .min = 1, .max = 100,
    .help = "Neighbour probes sent.", .source = "Linux default (mcast_solicit)" },
  { ROW (interval), .kind = SIM_PARAM_TIME, .value = "1s", .min = 1, .max = 9.2e18,
    .help = "Time between neighbour probes.", .source = "Linux default (retrans_time)" },
  { .name = NULL },
};
#undef ROW

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (HostGroupParams, field)
const SimParam host_params[] = {
  { ROW (count), .kind = SIM_PARAM_UINT, .value = "1", .min = 1, .max = 16000000,
    .help = "Number of hosts in the group." },
  { ROW (profile), .kind = SIM_PARAM_STRING, .value = "",
    .help = "The CM implementation of these hosts: a profile's name; empty: as the scenario's "
            "`profile`." },
  { ROW (hca), .kind = SIM_PARAM_GROUP, .rows = hca_params, .help = "The host channel adapter." },
  { ROW (address), .kind = SIM_PARAM_GROUP, .rows = address_params,
    .help = "Address resolution (IP to GID)." },
  { ROW (create_id), .kind = SIM_PARAM_DIST, .value = "1us",
    .help = "Cost of creating an rdma_cm id.", .source = "measured, rdma-core pull request 1448" },
  { ROW (memory), .kind = SIM_PARAM_GROUP, .rows = host_memory_params,
    .help = "Memory that runs short." },
  { ROW (comm_ids), .kind = SIM_PARAM_UINT, .value = "0", .max = 1e6,
    .help = "The CM hands out so many communication ids in turn, each again as soon as its "
            "application has destroyed the id, timewait or not; more only while all are in use.  "
            "0: none comes back soon." },
  { ROW (ipoib_up), .kind = SIM_PARAM_TIME, .value = "0s", .max = (double) SIM_TIME_NEVER,
    .help = "When IPoIB comes up and joins its broadcast group, which the RDMA CM's joins need on "
            "InfiniBand; 0: before the run; never: there is no IPoIB.",
    .source = "Linux cma.c cma_join_ib_multicast" },
  { ROW (port_error_at), .kind = SIM_PARAM_TIME, .value = "never",
    .help = "The port has an error, or gets another LID, and is up again at once: its multicast "
            "memberships are lost, and nothing else.",
    .source = "Linux multicast.c mcast_event_handler" },
  { ROW (timer_phase), .kind = SIM_PARAM_TIME, .value = "never",
    .help = "Kernel time at the start of the run, which fixes the phase of the timer wheel; never: "
            "drawn for each host." },
  { .name = NULL },
};
#undef ROW

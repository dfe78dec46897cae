/* Parameter rows of a `multicast:` entry. */
#include "multicast.h"

static const char *const by_names[] = { "rdma-cm", "ipoib", NULL };
static const char *const space_names[] = { "udp", "ipoib", "tcp", NULL };
static const char *const state_names[] = { "full", "send-only", NULL };

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (MulticastParams, field)
const SimParam multicast_params[] = {
  { ROW (name), .kind = SIM_PARAM_STRING, .value = "",
    .help = "Name of the entry, for whoever reads the file; no two have the same." },
  { ROW (from), .kind = SIM_PARAM_STRING, .help = "Host group that joins." },
  { ROW (group), .kind = SIM_PARAM_STRING,
    .help = "The group: an IPv4 or IPv6 multicast address, which says what its MGID is; "
            "\"ib:\" and a MGID (AF_IB); 0.0.0.0: the subnet administrator names one. IPv6 is "
            "written in hexadecimal words to its end, not as in \"ff02::239.1.1.1\".",
    .source = "Linux cma.c cma_set_mgid; RFC 4391" },
  { ROW (by), .kind = SIM_PARAM_ENUM, .value = "rdma-cm", .names = by_names,
    .help = "rdma-cm: ids of the RDMA CM join; ipoib: the host's IPoIB joins, as for an IP socket, "
            "tries until it is in and stays in." },
  { ROW (port_space), .kind = SIM_PARAM_ENUM, .value = "udp", .names = space_names,
    .help = "Port space of the ids: udp has MGIDs and a Q_Key of its own, ipoib those of IPoIB; in "
            "tcp no id can join.",
    .source = "Linux cma.c cma_join_ib_multicast" },
  { ROW (join_state), .kind = SIM_PARAM_ENUM, .value = "full", .names = state_names,
    .help = "send-only: a send-only full member, which not every subnet administrator knows.",
    .source = "Linux rdma_cm.h enum rdma_join_state" },
  { ROW (arrivals), .kind = SIM_PARAM_CHOICE, .value = "burst", .classes = arrival_classes,
    .help = "When the members come; not from a trace." },
  { ROW (per_host), .kind = SIM_PARAM_UINT, .value = "1", .min = 1, .max = 1e6,
    .help = "Members on each host of `from`." },
  { ROW (channel), .kind = SIM_PARAM_STRING, .value = "",
    .help = "Its events wait in an event channel, as those of `connects.channel`." },
  { ROW (resolve), .kind = SIM_PARAM_BOOL, .value = "true",
    .help = "Resolves the group's address before it joins; false: binds to a local one." },
  { ROW (rejoin), .kind = SIM_PARAM_BOOL, .value = "true",
    .help = "Leaves and joins again at MULTICAST_ERROR -ENETRESET." },
  { ROW (retry_after), .kind = SIM_PARAM_TIME, .value = "never",
    .help = "A join that failed is tried again, with a new id, so long after; never: not at all. "
            "A call that fails is tried again only if it failed for want of an IPoIB that is up "
            "or will be: what the host or its transport cannot do stays so." },
  { ROW (attempts), .kind = SIM_PARAM_UINT, .value = "0", .max = 65535,
    .help = "Most ids of a member; 0: any number." },
  { ROW (leave_after), .kind = SIM_PARAM_TIME, .value = "never",
    .help = "Leaves the group so long after MULTICAST_JOIN and destroys its id." },
  { ROW (destroy_after), .kind = SIM_PARAM_TIME, .value = "never",
    .help = "Destroys its id so long after the call to join, whatever has become of it." },
  { .name = NULL },
};
#undef ROW

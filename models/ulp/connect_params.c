/* Parameter rows of a `connects:` entry, and the names of outcomes and steps. */
#include "connect.h"
#include "retry.h"

static const char *const pattern_names[] = { "turn", "all-to-all", "ring", "random", NULL };
static const char *const tie_break_names[] = { "none", "address", NULL };

static const char *const wrong_names[] = {
#define X(name, text, reason) text,
  IB_CM_WRONG_LIST (X)
#undef X
  NULL,
};

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (ConnectParams, field)
const SimParam connect_params[] = {
  { ROW (name), .kind = SIM_PARAM_STRING, .value = "", .help = "Name in results." },
  { ROW (from), .kind = SIM_PARAM_STRING, .help = "Host group that connects." },
  { ROW (to), .kind = SIM_PARAM_STRING,
    .help = "Where to: group:port (the hosts of the group in turn) or group.index:port." },
  { ROW (ulp), .kind = SIM_PARAM_CHOICE, .value = "generic", .classes = ulp_classes,
    .help = "Upper-layer protocol: what it makes of a failure." },
  { ROW (arrivals), .kind = SIM_PARAM_CHOICE, .value = "burst", .classes = arrival_classes,
    .help = "When the connects start." },
  { ROW (retry), .kind = SIM_PARAM_CHOICE, .value = "fixed", .classes = retry_classes,
    .help = "How the CM spaces its retransmissions." },
  { ROW (pattern), .kind = SIM_PARAM_ENUM, .value = "turn", .names = pattern_names,
    .help =
        "turn: to the hosts of `to` in turn; all-to-all: every process to every other; ring: "
        "each to the next; random: each to any other.  The last three need `to` to be the whole "
        "group `from`." },
  { ROW (processes), .kind = SIM_PARAM_UINT, .value = "1", .min = 1, .max = 65535,
    .help =
        "Processes on each host; with a pattern, each is reached on a port of its own, from the "
        "port of `to` on." },
  { ROW (tie_break), .kind = SIM_PARAM_ENUM, .value = "none", .names = tie_break_names,
    .help =
        "Two processes that connect to each other: none, they get two connections; address, the "
        "connect of the lower one stays and the other is refused with REJ 28.",
    .source = "libfabric rxm_conn.c" },
  { ROW (lockstep), .kind = SIM_PARAM_BOOL, .value = "false",
    .help = "All connects of the entry finish a step (address, route, QP) before any starts the "
            "next.",
    .source = "rdma-core cmtime.c" },
  { ROW (window), .kind = SIM_PARAM_UINT, .value = "0", .max = 1e8,
    .help =
        "So many connects of the entry wait for their REP at a time, the others before their REQ; "
        "0: all at once." },
  { ROW (per_host), .kind = SIM_PARAM_UINT, .value = "1", .min = 1, .max = 1e7,
    .help = "Connects per process of `from`." },
  { ROW (number), .kind = SIM_PARAM_UINT, .value = "0", .max = 1e8,
    .help = "Connects in all, given to the hosts in turn; 0: hosts x per_host." },
  { ROW (ud), .kind = SIM_PARAM_BOOL, .value = "false",
    .help = "Asks for a UD service by SIDR instead of connecting; \"established\" when it has the "
            "service's QPN, \"unreachable\" when the answer is no.",
    .source = "Linux cma.c cma_resolve_ib_udp" },
  { ROW (qp), .kind = SIM_PARAM_BOOL, .value = "true",
    .help = "Creates a QP and moves it to INIT, RTR and RTS (HCA commands)." },
  { ROW (resolve), .kind = SIM_PARAM_BOOL, .value = "true",
    .help = "Resolves the address and, on InfiniBand, queries the path first." },
  { ROW (rtu_delay), .kind = SIM_PARAM_TIME, .value = "0s",
    .help = "The application's time from the REP to its RTU." },
  { ROW (wrong), .kind = SIM_PARAM_ENUM, .value = "nothing", .names = wrong_names,
    .help = "A field of its REQs that the server cannot go along with; what the server's CM makes "
            "of it is in the profile (`path_check`, `class_version_rej`, `ip_cm_version_rej`).",
    .source = "IBTA 12.6.7.2" },
  { ROW (alternate_path_after), .kind = SIM_PARAM_TIME, .value = "never",
    .help = "The active side offers an alternate path (LAP) so long after its RTU; RoCE ports "
            "ignore it.",
    .source = "IBTA 12.8.1; Linux ib_send_cm_lap, up to 5.x" },
  { ROW (data_after), .kind = SIM_PARAM_TIME, .value = "never",
    .help = "The active side's first data reaches the server so long after the RTU was sent; see "
            "`hca.comm_est`." },
  { ROW (hold), .kind = SIM_PARAM_TIME, .value = "never",
    .help = "The active side disconnects so long after the connection was established." },
  { ROW (answer_disconnect), .kind = SIM_PARAM_BOOL, .value = "true",
    .help = "Calls disconnect when the peer did, which sends the DREP." },
  { ROW (give_up_after), .kind = SIM_PARAM_TIME, .value = "never",
    .help = "The application destroys the id when a connect took longer than this." },
  { ROW (exit_after), .kind = SIM_PARAM_TIME, .value = "never",
    .help =
        "The process ends so long after it started to connect and destroys its id, connected or "
        "not." },
  { ROW (crash_after), .kind = SIM_PARAM_TIME, .value = "never",
    .help = "The host crashes so long after the connect started: its id is gone, without a message "
            "to the peer." },
  { ROW (qpn), .kind = SIM_PARAM_UINT, .value = "0", .max = 0xffffff,
    .help = "QPN of every attempt, as if the adapter gave the same one out again; 0: the host's "
            "next." },
  { ROW (answer_within), .kind = SIM_PARAM_TIME, .value = "0s",
    .help = "Longest wait of an attempt from its REQ to the REP; then the id is destroyed and the "
            "upper-layer protocol decides; 0: the protocol's own watchdog." },
  { ROW (redirect_to), .kind = SIM_PARAM_STRING, .value = "",
    .help = "Where a REJ 24 or 25 sends a protocol that follows it, as `to`, if the REJ itself "
            "names no port (`listeners.redirect_to`); empty: nowhere." },
  { ROW (port_space), .kind = SIM_PARAM_ENUM, .value = "ulp", .names = ulp_port_space_names,
    .help = "Port space of the service id; ulp: the protocol's.",
    .source = "Linux rdma_cm.h enum rdma_ucm_port_space" },
  { ROW (channel), .kind = SIM_PARAM_STRING, .value = "",
    .help = "Its events wait in the event channel of that name, which a listener of the same hosts "
            "has with `channel_events: all`, until the listener's application reads them; empty: "
            "it hears of them at once.",
    .source = "Linux ucma.c" },
  { ROW (path_lifetime), .kind = SIM_PARAM_UINT, .value = "255", .max = 255,
    .help = "The application supplies the path, with this packet lifetime, 0 to 31: nobody is "
            "asked for a route; 255: it does not.",
    .source = "Linux ucma.c RDMA_OPTION_IB_PATH" },
  { ROW (max_retries), .kind = SIM_PARAM_UINT, .value = "255", .max = 255,
    .help = "CM retries of the REQ; more than 15, which it has no room for, are 15; 255: the "
            "protocol's or the profile's." },
  { ROW (response_timeout), .kind = SIM_PARAM_UINT, .value = "255", .max = 255,
    .help = "Response-timeout code in the REQ, 0 to 31; 255: the protocol's or the profile's." },
  { .name = NULL },
};
#undef ROW

const char *
connect_cause_name (ConnectCause cause)
{
  static const char *const names[] = {
#define X(name, text, help) [CONNECT_##name] = text,
    CONNECT_CAUSE_LIST (X)
#undef X
  };

  g_assert (cause < CONNECT_CAUSE_COUNT);
  return names[cause];
}

const char *
connect_step_name (ConnectStep step)
{
  static const char *const names[] = {
#define X(name, text) [CONNECT_STEP_##name] = text,
    CONNECT_STEP_LIST (X)
#undef X
  };

  g_assert (step < CONNECT_STEP_COUNT);
  return names[step];
}

const char *
connect_errno_name (const ConnectParams *params, const ConnectRecord *record)
{
  const UlpClass *ulp = (const UlpClass *) params->ulp.klass;
  UlpEnd end = ULP_END_ESTABLISHED;

  switch ((ConnectCause) record->cause) {
  case CONNECT_ESTABLISHED:
    return "";
  case CONNECT_PENDING:
    return "";
  case CONNECT_GAVE_UP:
    end = ULP_END_WATCHDOG;
    break;
  case CONNECT_REFUSED:
    end = ULP_END_REJECTED;
    break;
  case CONNECT_UNREACHABLE:
    end = ULP_END_UNREACHABLE;
    break;
  case CONNECT_SA_TIMEOUT:
    end = ULP_END_ROUTE_ERROR;
    break;
  case CONNECT_ADDRESS_TIMEOUT:
    end = ULP_END_ADDRESS_ERROR;
    break;
  case CONNECT_SUPERSEDED:
    return "";
  case CONNECT_CAUSE_COUNT:
    g_assert_not_reached ();
  }
  return ulp_errno_name (ulp, end, record->reason);
}

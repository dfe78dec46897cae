/* Parameter rows of a listener. */
#include "listener.h"

static const char *const counts_names[] = { "unread", "unaccepted", "half-open", "untaken",
                                           NULL };
static const char *const read_names[] = { "serial", "at-once", NULL };
static const char *const events_names[] = { "requests", "all", NULL };
static const char *const early_names[] = { "no", "yes", "ulp", NULL };
static const char *const answer_names[] = { "accept", "reject", "never", NULL };

static const char *const path_answer_names[] = {
#define X(name, text) [IB_CM_APR_##name] = text,
  LISTENER_PATH_ANSWER_LIST (X)
#undef X
  [LISTENER_PATH_NEVER] = "never",
  NULL,
};

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (ListenerBacklogParams, field)
static const SimParam backlog_params[] = {
  { ROW (limit), .kind = SIM_PARAM_UINT, .value = "0", .max = 1e9,
    .help = "Slots; 0: the largest the profile allows.", .source = "Linux ucma_listen" },
  { ROW (counts), .kind = SIM_PARAM_ENUM, .value = "unread", .names = counts_names,
    .help = "What holds a slot: unread (until the application fetches the request), unaccepted "
            "(until it answers), half-open (until the RTU), untaken (until the application takes "
            "the connection; with `early`, that is after the RTU).",
    .source = "Linux ucma.c counts unread requests" },
  { ROW (full), .kind = SIM_PARAM_CHOICE, .value = "drop", .classes = backlog_classes,
    .help = "What a request gets when no slot is free." },
  { .name = NULL },
};
#undef ROW

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (ListenerAcceptParams, field)
static const SimParam accept_params[] = {
  { ROW (workers), .kind = SIM_PARAM_UINT, .value = "1", .max = 1e6,
    .help = "Threads that read requests and answer them; 0: nobody ever reads one." },
  { ROW (unlimited), .kind = SIM_PARAM_BOOL, .value = "false",
    .help = "A thread for every request." },
  { ROW (service), .kind = SIM_PARAM_DIST, .value = "0s",
    .help = "The application's time from taking a request to its answer." },
  { ROW (read), .kind = SIM_PARAM_ENUM, .value = "serial", .names = read_names,
    .help = "serial: a free worker reads one request, works, answers; at-once: requests are read "
            "as they come and wait for a worker." },
  { ROW (early), .kind = SIM_PARAM_ENUM, .value = "no", .names = early_names,
    .help = "yes: the protocol's kernel part answers REP in its callback, and the application "
            "takes established connections; ulp: as the listener's protocol does.",
    .source = "OFED sdp_cma.c accepts in the callback" },
  { ROW (starts_after), .kind = SIM_PARAM_TIME, .value = "0s",
    .help = "Reading starts this long after the first request arrived." },
  { ROW (event_service), .kind = SIM_PARAM_DIST, .value = "0s",
    .help = "With `channel_events: all`, the application's time for an event that is no request, "
            "from its reading on." },
  { ROW (wake), .kind = SIM_PARAM_DIST, .value = "0s",
    .help =
        "Time until a worker that waits for an event has read it (thread wake-up): requests that "
        "come meanwhile hold their slots." },
  { ROW (answer), .kind = SIM_PARAM_ENUM, .value = "accept", .names = answer_names,
    .help = "What the application says." },
  { ROW (reject_reason), .kind = SIM_PARAM_UINT, .value = "28", .min = 1, .max = 65535,
    .help = "REJ reason of `answer: reject`.", .source = "Linux rdma_reject: 28" },
  { ROW (qp), .kind = SIM_PARAM_BOOL, .value = "true",
    .help = "Creates a QP and moves it to INIT, RTR and RTS before the REP (HCA commands)." },
  { ROW (answer_disconnect), .kind = SIM_PARAM_BOOL, .value = "true",
    .help = "Calls disconnect when the peer did, which sends the DREP." },
  { ROW (hold), .kind = SIM_PARAM_TIME, .value = "never",
    .help = "This side disconnects so long after the connection was established." },
  { ROW (script), .kind = SIM_PARAM_LIST, .value = "[]", .rows = script_step_params,
    .item_size = sizeof (ScriptStep),
    .help = "What the application does with each request, step by step from its arrival on, in "
            "place of workers, service and answer; see the protocol `script` of `connects`." },
  { ROW (close_after), .kind = SIM_PARAM_TIME, .value = "never",
    .help = "The application destroys its listener this long after the first request arrived: "
            "requests that it has not read are refused, those it has read go on.",
    .source = "Linux ucma.c ucma_destroy_id, ucma_cleanup_ctx_events" },
  { ROW (path_answer), .kind = SIM_PARAM_ENUM, .value = "loaded", .names = path_answer_names,
    .help = "Status of the APR that answers a LAP (`connects.alternate_path_after`), or never.",
    .source = "IBTA 12.8.2" },
  { ROW (path_service), .kind = SIM_PARAM_DIST, .value = "0s",
    .help = "The application's time from the LAP to the APR." },
  { ROW (path_mra), .kind = SIM_PARAM_UINT, .value = "0", .max = 31,
    .help = "Time code of an MRA that answers the LAP at once and asks for so much time; 0: none.",
    .source = "IBTA 12.6.6" },
  { ROW (exit_after), .kind = SIM_PARAM_TIME, .value = "never",
    .help = "The process ends this long after the first request arrived and destroys its ids." },
  { .name = NULL },
};
#undef ROW

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (ListenerParams, field)
const SimParam listener_params[] = {
  { ROW (name), .kind = SIM_PARAM_STRING, .value = "", .help = "Name in results." },
  { ROW (on), .kind = SIM_PARAM_STRING, .help = "Host group; every host of it listens." },
  { ROW (service), .kind = SIM_PARAM_UINT, .min = 1, .max = 65535, .help = "Port." },
  { ROW (processes), .kind = SIM_PARAM_UINT, .value = "1", .min = 1, .max = 65535,
    .help = "Processes on each host, each with this listener on a port of its own, from `service` "
            "on." },
  { ROW (ulp), .kind = SIM_PARAM_STRING, .value = "generic",
    .help = "Upper-layer protocol: gives the port space of the service id, and what `ulp` stands "
            "for in `backlog.full` and `accept.early`." },
  { ROW (ud), .kind = SIM_PARAM_BOOL, .value = "false",
    .help = "A UD service: requests are SIDR_REQs, and whatever a full backlog says is status 2 at "
            "once.",
    .source = "Linux cm.c cm_destroy_id: IB_SIDR_REJECT, also for -ENOMEM" },
  { ROW (redirect_to), .kind = SIM_PARAM_STRING, .value = "",
    .help = "Port that REJs 24 and 25 name, in ClassPortInfo or as a GID: a host group, for its "
            "first host, or one host (group.index); empty: none.",
    .source = "IBTA 12.6.7.2" },
  { ROW (port_space), .kind = SIM_PARAM_ENUM, .value = "ulp", .names = ulp_port_space_names,
    .help = "Port space of the service id; ulp: the protocol's.",
    .source = "Linux rdma_cm.h enum rdma_ucm_port_space" },
  { ROW (channel), .kind = SIM_PARAM_STRING, .value = "",
    .help = "Event channel: listeners of a host and process with the same one have their requests "
            "read and answered by one application, in order, that of the first of them; empty: "
            "each has its own." },
  { ROW (channel_events), .kind = SIM_PARAM_ENUM, .value = "requests", .names = events_names,
    .help = "What waits in the channel of the first listener to be read: requests, while all other "
            "events are heard of at once; or all events of all ids on it, in the order in which "
            "they came, each of which takes its reader some time (`accept.event_service`).",
    .source = "Linux ucma.c ucma_event_handler" },
  { ROW (channel_limit), .kind = SIM_PARAM_UINT, .value = "0", .max = 1e9,
    .help = "Unread requests, or events, that the channel of the first listener holds; there is no "
            "memory for a further one: a request is dropped, another event lost; 0: any number.",
    .source = "assumption: Linux bounds requests by the backlogs only" },
  { ROW (backlog), .kind = SIM_PARAM_GROUP, .rows = backlog_params, .help = "The listen backlog." },
  { ROW (accept), .kind = SIM_PARAM_GROUP, .rows = accept_params,
    .help = "The application that reads and answers requests." },
  { .name = NULL },
};
#undef ROW

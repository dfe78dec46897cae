/* 9P over RDMA of Linux: the mount waits for the connection without a limit of its own and
 * fails with it. */
#include "ulp.h"

typedef struct {
  SimTime remount;
  guint mounts;
} P9Params;

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (P9Params, field)
static const SimParam p9_params[] = {
  { ROW (remount), .kind = SIM_PARAM_TIME, .value = "never",
    .help = "Wait before whoever mounts tries again; never: nobody does." },
  { ROW (mounts), .kind = SIM_PARAM_UINT, .value = "10", .min = 1, .max = 65535,
    .help = "Tries at most, the first included (assumed)." },
  { .name = NULL },
};
#undef ROW

/* rdma_create_trans: whatever the event was. */
static const UlpReaction reactions[] = {
  ULP_REJECTED (ULP_ANY_REASON, ULP_RETRY, "ENOTCONN"),
  ULP_ON (UNREACHABLE, ULP_RETRY, "ENOTCONN"),
  ULP_ON (ADDRESS_ERROR, ULP_RETRY, "ENOTCONN"),
  ULP_ON (ROUTE_ERROR, ULP_RETRY, "ENOTCONN"),
  ULP_ON (CONNECT_ERROR, ULP_RETRY, "ENOTCONN"),
  ULP_ON (WATCHDOG, ULP_RETRY, "ENOTCONN"),
  ULP_REACTIONS_END,
};

static UlpSchedule
schedule (gconstpointer params, const UlpOutcome *outcome G_GNUC_UNUSED)
{
  const P9Params *p = params;

  if (p->remount == SIM_TIME_NEVER)
    return (UlpSchedule){ .attempts = 1 };
  return (UlpSchedule){ .first = p->remount, .attempts = p->mounts };
}

const UlpClass ulp_9p = {
  .info = {
    .name = "9p",
    .help = "9P over RDMA: any REJ or error is ENOTCONN, and the mount fails; it is not tried "
            "again unless somebody mounts again.",
    .source = "Linux 6.1 net/9p/trans_rdma.c rdma_create_trans (P9_RDMA_TIMEOUT 30 s)",
    .params = p9_params,
    .params_size = sizeof (P9Params),
    .main_param = "remount",
  },
  .space = CMA_PORT_SPACE_TCP,
  .address_timeout = SIM_S (30),
  .route_timeout = SIM_S (30),
  .reactions = reactions,
  .schedule = schedule,
  .listen = {
    .full = { .answer = BACKLOG_DROP },
    .counts = BACKLOG_COUNTS_UNREAD,
    .source = "its servers are in user space; Linux ucma.c: a full backlog returns -ENOMEM",
  },
};

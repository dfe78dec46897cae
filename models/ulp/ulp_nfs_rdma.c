/* NFS over RDMA: the transport reconnects for as long as anybody wants the mount. */
#include "ulp.h"

static const UlpReaction reactions[] = {
  ULP_REJECTED (IB_CM_REJ_STALE_CONNECTION, ULP_RETRY, "ENOTCONN"),
  ULP_REJECTED (ULP_ANY_REASON, ULP_RETRY, "ECONNREFUSED"),
  ULP_ON (UNREACHABLE, ULP_RETRY, "ENETUNREACH"),
  ULP_ON (ADDRESS_ERROR, ULP_RETRY, "EPROTO"),
  ULP_ON (ROUTE_ERROR, ULP_RETRY, "EPROTO"),
  ULP_ON (CONNECT_ERROR, ULP_RETRY, "ENOTCONN"),
  ULP_ON (WATCHDOG, ULP_RETRY, "ETIMEDOUT"),
  ULP_REACTIONS_END,
};

/* RPCRDMA_INIT_REEST_TO and RPCRDMA_MAX_REEST_TO. */
static UlpSchedule
schedule (gconstpointer params G_GNUC_UNUSED, const UlpOutcome *outcome G_GNUC_UNUSED)
{
  return (UlpSchedule){ .first = SIM_S (5), .factor = 2, .cap = SIM_S (30) };
}

const UlpClass ulp_nfs_rdma = {
  .info = {
    .name = "nfs-rdma",
    .help = "NFS/RDMA client of Linux: reconnects after any failure, 5 s later, doubling to 30 s.",
    .source = "Linux 6.1 net/sunrpc/xprtrdma (verbs.c, transport.c, xprt_rdma.h)",
  },
  .space = CMA_PORT_SPACE_TCP,
  .address_timeout = SIM_MS (5000),
  .route_timeout = SIM_MS (5000),
  .reactions = reactions,
  .schedule = schedule,
  .listen = {
    .full = { .answer = BACKLOG_ADMIT },
    .counts = BACKLOG_COUNTS_UNACCEPTED,
    .source = "Linux 6.1 svc_rdma_transport.c: the accept queue is not bounded; no memory: REJ 28",
  },
};

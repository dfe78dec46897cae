/* Reliable Datagram Sockets: drops the connection and makes it anew whatever went wrong. */
#include "ulp.h"

static const UlpReaction reactions[] = {
  ULP_REJECTED (ULP_ANY_REASON, ULP_RETRY, "EAGAIN"),
  ULP_ON (UNREACHABLE, ULP_RETRY, "EAGAIN"),
  ULP_ON (ADDRESS_ERROR, ULP_RETRY, "EAGAIN"),
  ULP_ON (ROUTE_ERROR, ULP_RETRY, "EAGAIN"),
  ULP_ON (CONNECT_ERROR, ULP_RETRY, "EAGAIN"),
  ULP_ON (WATCHDOG, ULP_RETRY, "EAGAIN"),
  ULP_REACTIONS_END,
};

/* rds_queue_reconnect: the first at once, then uniform in [0, cur); cur starts at 1 ms and
 * doubles to 1 s. */
static UlpSchedule
schedule (gconstpointer params G_GNUC_UNUSED, const UlpOutcome *outcome)
{
  if (outcome->attempts == 1)
    return (UlpSchedule){ .first = 0 };
  return (UlpSchedule){ .first = SIM_US (500), .factor = 2, .cap = SIM_S (1),
                        .jitter = ULP_JITTER_FULL };
}

const UlpClass ulp_rds = {
  .info = {
    .name = "rds",
    .help = "RDS: after any failure a new connect, the first at once, then after up to 1 ms, "
            "doubling to 1 s.",
    .source = "Linux 6.1 net/rds/threads.c rds_queue_reconnect",
  },
  .space = CMA_PORT_SPACE_TCP,
  .address_timeout = SIM_MS (5000),
  .route_timeout = SIM_MS (5000), /* RDS_RDMA_RESOLVE_TIMEOUT_MS */
  .reactions = reactions,
  .schedule = schedule,
  .listen = {
    .full = { .answer = BACKLOG_REJECT, .reason = IB_CM_REJ_CONSUMER },
    .counts = BACKLOG_COUNTS_UNACCEPTED,
    .source = "Linux 6.1 net/rds/ib_cm.c: REJ 28 with its protocol version",
  },
};

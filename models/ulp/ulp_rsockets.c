/* rsockets of librdmacm: sockets over RDMA CM in user space. */
#include "ulp.h"

static const UlpReaction reactions[] = {
  ULP_REJECTED (ULP_ANY_REASON, ULP_FAIL, "ECONNREFUSED"),
  ULP_ON (UNREACHABLE, ULP_FAIL, "ETIMEDOUT"),
  ULP_ON (ADDRESS_ERROR, ULP_RETRY, "ETIMEDOUT"),
  ULP_ON (ROUTE_ERROR, ULP_RETRY, "ETIMEDOUT"),
  ULP_ON (CONNECT_ERROR, ULP_FAIL, "ECONNREFUSED"),
  ULP_ON (WATCHDOG, ULP_FAIL, "ETIMEDOUT"),
  ULP_REACTIONS_END,
};

/* RS_CONN_RETRIES: 6 more resolutions, at once. */
static UlpSchedule
schedule (gconstpointer params G_GNUC_UNUSED, const UlpOutcome *outcome G_GNUC_UNUSED)
{
  return (UlpSchedule){ .attempts = 7 };
}

const UlpClass ulp_rsockets = {
  .info = {
    .name = "rsockets",
    .help = "rsockets: any REJ is ECONNREFUSED, no retry; unresolved addresses and routes are "
            "tried 6 times more.",
    .source = "rdma-core librdmacm/rsocket.c (RS_CONN_RETRIES; its timeouts double, here they "
              "stay 1 s)",
  },
  .space = CMA_PORT_SPACE_TCP,
  .address_timeout = SIM_MS (1000),
  .route_timeout = SIM_MS (1000),
  .reactions = reactions,
  .schedule = schedule,
  .listen = {
    .full = { .answer = BACKLOG_DROP },
    .counts = BACKLOG_COUNTS_UNREAD,
    .source = "Linux ucma.c: a full backlog returns -ENOMEM",
  },
};

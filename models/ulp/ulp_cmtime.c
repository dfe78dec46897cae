/* cmtime, the connection-rate test of rdma-core: exits on any failure of a connect; address and
 * route are tried twice more. */
#include "ulp.h"

static const UlpReaction reactions[] = {
  ULP_REJECTED (ULP_ANY_REASON, ULP_FAIL, "exit(1)"),
  ULP_ON (UNREACHABLE, ULP_FAIL, "exit(1)"),
  ULP_ON (ADDRESS_ERROR, ULP_RETRY, "exit(1)"),
  ULP_ON (ROUTE_ERROR, ULP_RETRY, "exit(1)"),
  ULP_ON (CONNECT_ERROR, ULP_FAIL, "exit(1)"),
  ULP_ON (WATCHDOG, ULP_FAIL, "exit(1)"),
  ULP_REACTIONS_END,
};

static UlpSchedule
schedule (gconstpointer params G_GNUC_UNUSED, const UlpOutcome *outcome G_GNUC_UNUSED)
{
  return (UlpSchedule){ .attempts = 3 };
}

const UlpClass ulp_cmtime = {
  .info = {
    .name = "cmtime",
    .help = "cmtime: any REJ or error of the connect ends it; address and route are tried twice "
            "more.",
    .source = "rdma-core librdmacm/examples/cmtime.c (timeout 2000 ms, 2 retries, listen (0))",
  },
  .space = CMA_PORT_SPACE_TCP,
  .address_timeout = SIM_MS (2000),
  .route_timeout = SIM_MS (2000),
  .reactions = reactions,
  .schedule = schedule,
  .listen = {
    .full = { .answer = BACKLOG_DROP },
    .counts = BACKLOG_COUNTS_UNREAD,
    .source = "Linux ucma.c: a full backlog returns -ENOMEM",
  },
};

/* UCX over RDMA CM: what to do about a failure is the user's business. */
#include "ulp.h"

/* Its own listener says no with REJ 28 and a mark in the private data. */
static const UlpReaction reactions[] = {
  ULP_REJECTED (IB_CM_REJ_CONSUMER, ULP_FAIL, "UCS_ERR_REJECTED"),
  ULP_REJECTED (ULP_ANY_REASON, ULP_FAIL, "UCS_ERR_CONNECTION_RESET"),
  ULP_ON (UNREACHABLE, ULP_FAIL, "UCS_ERR_UNREACHABLE"),
  ULP_ON (ADDRESS_ERROR, ULP_FAIL, "UCS_ERR_UNREACHABLE"),
  ULP_ON (ROUTE_ERROR, ULP_FAIL, "UCS_ERR_UNREACHABLE"),
  ULP_ON (CONNECT_ERROR, ULP_FAIL, "UCS_ERR_CONNECTION_RESET"),
  ULP_ON (WATCHDOG, ULP_FAIL, "UCS_ERR_ENDPOINT_TIMEOUT"),
  ULP_REACTIONS_END,
};

const UlpClass ulp_ucx = {
  .info = {
    .name = "ucx",
    .help = "UCX: its own refusal is UCS_ERR_REJECTED, any other REJ UCS_ERR_CONNECTION_RESET; no "
            "retry.",
    .source = "UCX src/uct/ib/rdmacm/rdmacm_cm.c (resolve timeout 10 s)",
  },
  .space = CMA_PORT_SPACE_TCP,
  .address_timeout = SIM_S (10),
  .route_timeout = SIM_S (10),
  .reactions = reactions,
  .listen = {
    .full = { .answer = BACKLOG_DROP },
    .counts = BACKLOG_COUNTS_UNREAD,
    .source = "UCX listens with the kernel's maximum; Linux ucma.c drops beyond it",
  },
};

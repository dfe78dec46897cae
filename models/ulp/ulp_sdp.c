/* Sockets Direct Protocol, active side: every REJ is final whatever its reason.
 * Source: OFED 1.1 to MLNX 4.6 sdp_cma.c; no implementation retries.  Passive side: the
 * child is accepted in the callback and waits in a queue that nothing bounds. */
#include "ulp.h"

const UlpReaction ulp_sdp_reactions[] = {
  ULP_REJECTED (ULP_ANY_REASON, ULP_FAIL, "ECONNREFUSED"),
  ULP_ON (UNREACHABLE, ULP_FAIL, "ENETUNREACH"),
  ULP_ON (ADDRESS_ERROR, ULP_FAIL, "ENETUNREACH"),
  ULP_ON (ROUTE_ERROR, ULP_FAIL, "ETIMEDOUT"),
  ULP_ON (CONNECT_ERROR, ULP_FAIL, "ETIMEDOUT"),
  ULP_ON (WATCHDOG, ULP_FAIL, "ETIMEDOUT"),
  ULP_REACTIONS_END,
};

const UlpClass ulp_sdp = {
  .info = {
    .name = "sdp",
    .help = "SDP: any REJ is ECONNREFUSED at once, exhausted retries are ENETUNREACH; no retry.",
    .source = "OFED 1.1 to MLNX 4.6 sdp_cma.c, FreeBSD ofed",
  },
  .space = CMA_PORT_SPACE_SDP,
  .address_timeout = SIM_MS (1000),
  .route_timeout = SIM_MS (1000),
  .reactions = ulp_sdp_reactions,
  .listen = {
    .full = { .answer = BACKLOG_ADMIT },
    .counts = BACKLOG_COUNTS_UNTAKEN,
    .accept_early = TRUE,
    .source = "OFED sdp_cma.c sdp_connect_handler: accepts at once; the check for a full accept "
              "queue is disabled",
  },
};

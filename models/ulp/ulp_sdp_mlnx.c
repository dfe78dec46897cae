/* SDP of MLNX OFED: its RDMA CM asks with response-timeout code 22, so the first repeat of a
 * REQ comes after 18.4 s and the end after 295 s. */
#include "ulp.h"

const UlpClass ulp_sdp_mlnx = {
  .info = {
    .name = "sdp-mlnx",
    .help = "SDP as in MLNX OFED 4.6: response-timeout code 22, no retry after any REJ; accepts "
            "at once, no limit.",
    .source = "MLNX OFED 4.6 ulp/sdp/sdp_cma.c; core/cma.c CMA_CM_RESPONSE_TIMEOUT 22",
  },
  .space = CMA_PORT_SPACE_SDP,
  .address_timeout = SIM_MS (1000),
  .route_timeout = SIM_MS (1000),
  .response_timeout = 22,
  .reactions = ulp_sdp_reactions,
  .listen = {
    .full = { .answer = BACKLOG_ADMIT },
    .counts = BACKLOG_COUNTS_UNTAKEN,
    .accept_early = TRUE,
    .source = "MLNX sdp_cma.c: the check for a full accept queue was removed",
  },
};

/* SDP of OFED 1.4 (el5-274): as in 2006, with a keepalive and a bounded FIN wait. */
#include "ulp.h"

const UlpClass ulp_sdp_ofed_1_4 = {
  .info = {
    .name = "sdp-ofed-1.4",
    .help = "SDP as in OFED 1.4: no retry after any REJ; accepts at once, its accept queue is "
            "not bounded.",
    .source = "OFED 1.4 (el5-274) ulp/sdp/sdp_cma.c",
  },
  .space = CMA_PORT_SPACE_SDP,
  .address_timeout = SIM_MS (1000),
  .route_timeout = SIM_MS (1000),
  .reactions = ulp_sdp_reactions,
  .listen = {
    .full = { .answer = BACKLOG_ADMIT },
    .counts = BACKLOG_COUNTS_UNTAKEN,
    .accept_early = TRUE,
    .source = "el5-274 sdp_cma.c: the accept queue's limit is still disabled",
  },
};

/* SDP of OFED 1.1 (el5-8, 2006): the code the discussion of that year was about. */
#include "ulp.h"

const UlpClass ulp_sdp_ofed_2006 = {
  .info = {
    .name = "sdp-ofed-2006",
    .help = "SDP as in OFED 1.1, 2006: no retry after any REJ; accepts at once, its accept "
            "queue is not bounded.",
    .source = "OFED 1.1 (el5-8) ulp/sdp/sdp_cma.c",
  },
  .space = CMA_PORT_SPACE_SDP,
  .address_timeout = SIM_MS (1000),
  .route_timeout = SIM_MS (1000),
  .reactions = ulp_sdp_reactions,
  .listen = {
    .full = { .answer = BACKLOG_ADMIT },
    .counts = BACKLOG_COUNTS_UNTAKEN,
    .accept_early = TRUE,
    .source = "el5-8 sdp_cma.c: the accept queue's limit is code that is disabled, marked as a "
              "to-do",
  },
};

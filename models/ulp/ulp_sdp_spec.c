/* An SDP by the book: no implementation, but what IBTA chapter 12 has for a passive side
 * that cannot take a request now, and a REP when the application accepts. */
#include "ulp.h"

const UlpClass ulp_sdp_spec = {
  .info = {
    .name = "sdp-spec",
    .help = "SDP as the CM specification suggests it: REJ 3 when full, REP when the application "
            "accepts; active side as OFED's.",
    .source = "IBTA vol. 1, 12.6.7.2 (reason 3) and annex A4; no implementation",
  },
  .space = CMA_PORT_SPACE_SDP,
  .address_timeout = SIM_MS (1000),
  .route_timeout = SIM_MS (1000),
  .reactions = ulp_sdp_reactions,
  .listen = {
    .full = { .answer = BACKLOG_REJECT, .reason = IB_CM_REJ_NO_RESOURCES },
    .counts = BACKLOG_COUNTS_UNACCEPTED,
    .source = "IBTA 12.6.7.2: no resources available",
  },
};

/* SDP of illumos and Solaris: its sources are closed, so only what the IB CM below it does is
 * known: REJ 3 when it runs out of communication ids.  The active side is assumed to be as
 * everywhere. */
#include "ulp.h"

const UlpClass ulp_sdp_illumos = {
  .info = {
    .name = "sdp-illumos",
    .help = "SDP of illumos as far as known: its CM says REJ 3 without resources; the active "
            "side is assumed to be as OFED's.",
    .source = "illumos-gate ibcm; sdpib itself is closed",
  },
  .space = CMA_PORT_SPACE_SDP,
  .address_timeout = SIM_MS (1000),
  .route_timeout = SIM_MS (1000),
  .reactions = ulp_sdp_reactions,
  .listen = {
    .full = { .answer = BACKLOG_REJECT, .reason = IB_CM_REJ_NO_RESOURCES },
    .counts = BACKLOG_COUNTS_UNACCEPTED,
    .source = "illumos-gate ibcm_impl: REJ 3 when no comm id is left",
  },
};

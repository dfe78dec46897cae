/* SDP of FreeBSD: the socket layer makes no new socket when a listener holds more than one
 * and a half times its backlog, and the handler turns that into a REJ. */
#include "ulp.h"

const UlpClass ulp_sdp_freebsd = {
  .info = {
    .name = "sdp-freebsd",
    .help = "SDP as in FreeBSD: no retry after any REJ; accepts at once, beyond 1.5 x backlog "
            "it answers REJ 28.",
    .source = "FreeBSD sys/ofed/drivers/infiniband/ulp/sdp",
  },
  .space = CMA_PORT_SPACE_SDP,
  .address_timeout = SIM_MS (1000),
  .route_timeout = SIM_MS (1000),
  .reactions = ulp_sdp_reactions,
  .listen = {
    .full = { .answer = BACKLOG_REJECT, .reason = IB_CM_REJ_CONSUMER },
    .limit_percent = 150, /* refused when more than that wait: one more gets in */
    .limit_plus = 1,
    .counts = BACKLOG_COUNTS_UNTAKEN,
    .accept_early = TRUE,
    .source = "FreeBSD sonewconn: none beyond 3/2 of the limit; sdp_connect_handler rejects",
  },
};

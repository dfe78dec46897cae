/* Winsock Direct of WinOF: the idea of SDP with a wire protocol of its own, so the two do not
 * find each other.  Its CM repeats a REQ 4 times. */
#include "ulp.h"

static const UlpReaction reactions[] = {
  ULP_REJECTED (IB_CM_REJ_TIMEOUT, ULP_FAIL, "WSAETIMEDOUT"),
  ULP_REJECTED (ULP_ANY_REASON, ULP_FAIL, "WSAECONNREFUSED"),
  ULP_ON (UNREACHABLE, ULP_FAIL, "WSAETIMEDOUT"),
  ULP_ON (ADDRESS_ERROR, ULP_FAIL, "WSAEHOSTUNREACH"),
  ULP_ON (ROUTE_ERROR, ULP_FAIL, "WSAEHOSTUNREACH"),
  ULP_ON (CONNECT_ERROR, ULP_FAIL, "WSAECONNREFUSED"),
  ULP_ON (WATCHDOG, ULP_FAIL, "WSAETIMEDOUT"),
  ULP_REACTIONS_END,
};

const UlpClass ulp_wsd = {
  .info = {
    .name = "wsd",
    .help = "Winsock Direct: 4 CM retries, no retry of its own; REJ 28 when its listen list is "
            "full.",
    .source = "WinOF ulp/wsd; what exhausted retries and unresolved addresses give is assumed",
  },
  .space = CMA_PORT_SPACE_WSD,
  .address_timeout = SIM_MS (1000),
  .route_timeout = SIM_MS (1000),
  .response_timeout = 18, /* max (18, packet lifetime + 2) */
  .response_over_path = 2,
  .max_retries = 4,
  .reactions = reactions,
  .listen = {
    .full = { .answer = BACKLOG_REJECT, .reason = IB_CM_REJ_CONSUMER },
    .counts = BACKLOG_COUNTS_UNACCEPTED,
    .source = "WinOF wsd: listen list count >= backlog is REJ 28; no memory REJ 3, no QP REJ 1",
  },
};

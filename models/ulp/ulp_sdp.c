/* Sockets Direct Protocol, active side: every REJ is final whatever its reason.
 * Source: OFED 1.1 to MLNX 4.6 sdp_cma.c; no implementation retries. */
#include "ulp.h"

static UlpDecision
sdp_decide (gconstpointer params G_GNUC_UNUSED, const UlpOutcome *outcome G_GNUC_UNUSED,
            SimStream *stream G_GNUC_UNUSED)
{
  return (UlpDecision){ .retry = FALSE };
}

static const char *
sdp_errno_name (const UlpOutcome *outcome)
{
  switch (outcome->end) {
  case ULP_END_ESTABLISHED:
    return "";
  case ULP_END_REJECTED:
    return "ECONNREFUSED";
  case ULP_END_UNREACHABLE:
  case ULP_END_ADDRESS_ERROR:
    return "ENETUNREACH";
  case ULP_END_ROUTE_ERROR:
  case ULP_END_CONNECT_ERROR:
    return "ETIMEDOUT";
  }
  g_assert_not_reached ();
}

const UlpClass ulp_sdp = {
  .info = {
    .name = "sdp",
    .help = "SDP: any REJ is ECONNREFUSED at once, exhausted retries are ENETUNREACH; no retry.",
    .source = "OFED 1.1 to MLNX 4.6 sdp_cma.c, FreeBSD ofed",
  },
  .address_timeout = SIM_MS (1000),
  .route_timeout = SIM_MS (1000),
  .decide = sdp_decide,
  .errno_name = sdp_errno_name,
};

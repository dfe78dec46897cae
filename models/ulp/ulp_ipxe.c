/* iPXE, which boots over InfiniBand: its own CM makes errors of four kinds of REJ and repeats no
 * connect; booting from an SRP target tries again by itself. */
#include "ulp.h"

typedef struct {
  guint boot_retries;
  SimTime delay;
} IpxeParams;

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (IpxeParams, field)
static const SimParam ipxe_params[] = {
  { ROW (boot_retries), .kind = SIM_PARAM_UINT, .value = "0", .max = 1000,
    .help = "Connects that booting from a target tries more after a failure." },
  { ROW (delay), .kind = SIM_PARAM_TIME, .value = "1s",
    .help = "Wait before each of them (assumed)." },
  { .name = NULL },
};
#undef ROW

/* A REJ 28 is left to the protocol above, which reads its private data. */
static const UlpReaction reactions[] = {
  ULP_REJECTED (IB_CM_REJ_INVALID_SERVICE_ID, ULP_RETRY, "ENODEV"),
  ULP_REJECTED (IB_CM_REJ_STALE_CONNECTION, ULP_RETRY, "EALREADY"),
  ULP_REJECTED (IB_CM_REJ_CONSUMER, ULP_RETRY, "(the protocol's own)"),
  ULP_REJECTED (ULP_ANY_REASON, ULP_RETRY, "EPERM"),
  ULP_ON (UNREACHABLE, ULP_RETRY, "ETIMEDOUT"),
  ULP_ON (ADDRESS_ERROR, ULP_RETRY, "ETIMEDOUT"),
  ULP_ON (ROUTE_ERROR, ULP_RETRY, "ETIMEDOUT"),
  ULP_ON (CONNECT_ERROR, ULP_RETRY, "EPERM"),
  ULP_ON (WATCHDOG, ULP_RETRY, "ETIMEDOUT"),
  ULP_REACTIONS_END,
};

static UlpSchedule
schedule (gconstpointer params, const UlpOutcome *outcome G_GNUC_UNUSED)
{
  const IpxeParams *p = params;

  return (UlpSchedule){ .first = p->delay, .attempts = p->boot_retries + 1 };
}

const UlpClass ulp_ipxe = {
  .info = {
    .name = "ipxe",
    .help = "iPXE: REJ 8 is ENODEV, 10 EALREADY, 28 the protocol's own affair, any other EPERM; no "
            "retry but that of the boot.",
    .source = "iPXE src/net/infiniband/ib_cm.c; what time-outs give is assumed",
    .params = ipxe_params,
    .params_size = sizeof (IpxeParams),
    .main_param = "boot_retries",
  },
  .space = CMA_PORT_SPACE_TCP,
  .address_timeout = SIM_MS (1000),
  .route_timeout = SIM_MS (1000),
  .max_retries = 15,
  .reactions = reactions,
  .schedule = schedule,
  .listen = {
    .full = { .answer = BACKLOG_REJECT, .reason = IB_CM_REJ_INVALID_SERVICE_ID },
    .counts = BACKLOG_COUNTS_UNACCEPTED,
    .source = "iPXE only connects: whoever listens in its place is assumed to say REJ 8",
  },
};

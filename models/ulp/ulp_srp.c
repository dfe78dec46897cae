/* SCSI RDMA Protocol: the only protocol that follows a redirect. */
#include "ulp.h"

enum { MODE_LOGIN, MODE_RECONNECT };

typedef struct {
  guint mode;
  SimTime reconnect_delay;
} SrpParams;

static const char *const mode_names[] = { "login", "reconnect", NULL };

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (SrpParams, field)
static const SimParam srp_params[] = {
  { ROW (mode), .kind = SIM_PARAM_ENUM, .value = "login", .names = mode_names,
    .help = "login: a failure is final; reconnect: a target that was logged in before." },
  { ROW (reconnect_delay), .kind = SIM_PARAM_TIME, .value = "10s",
    .help = "Wait before each reconnect.", .source = "Linux scsi_transport_srp reconnect_delay" },
  { .name = NULL },
};
#undef ROW

static const UlpReaction reactions[] = {
  ULP_REJECTED (IB_CM_REJ_PORT_CM_REDIRECT, ULP_REDIRECT, "ECONNRESET"),
  ULP_REJECTED (IB_CM_REJ_PORT_REDIRECT, ULP_REDIRECT, "ECONNRESET"),
  ULP_REJECTED (IB_CM_REJ_STALE_CONNECTION, ULP_FAIL, "ECONNRESET"),
  ULP_REJECTED (ULP_ANY_REASON, ULP_RETRY, "ECONNRESET"),
  ULP_ON (UNREACHABLE, ULP_RETRY, "ENODEV"),
  ULP_ON (ADDRESS_ERROR, ULP_RETRY, "ENODEV"),
  ULP_ON (ROUTE_ERROR, ULP_RETRY, "ENODEV"),
  ULP_ON (CONNECT_ERROR, ULP_RETRY, "ENODEV"),
  ULP_ON (WATCHDOG, ULP_RETRY, "ETIMEDOUT"),
  ULP_REACTIONS_END,
};

static UlpSchedule
schedule (gconstpointer params, const UlpOutcome *outcome G_GNUC_UNUSED)
{
  const SrpParams *p = params;

  if (p->mode == MODE_LOGIN)
    return (UlpSchedule){ .attempts = 1 };
  return (UlpSchedule){ .first = p->reconnect_delay };
}

const UlpClass ulp_srp = {
  .info = {
    .name = "srp",
    .help = "SRP: follows REJ 24 and 25 to another port at once, gives up on REJ 10; others are "
            "ECONNRESET, with a reconnect every 10 s if it was logged in before.",
    .source = "Linux 6.1 drivers/infiniband/ulp/srp/ib_srp.c srp_ib_cm_rej_handler",
    .params = srp_params,
    .params_size = sizeof (SrpParams),
    .main_param = "mode",
  },
  .space = CMA_PORT_SPACE_TCP,
  .address_timeout = SIM_MS (1000),
  .route_timeout = SIM_MS (1000), /* SRP_PATH_REC_TIMEOUT_MS */
  .reactions = reactions,
  .schedule = schedule,
  .listen = {
    .full = { .answer = BACKLOG_REJECT, .reason = IB_CM_REJ_CONSUMER },
    .counts = BACKLOG_COUNTS_UNACCEPTED,
    .source = "Linux 6.1 ib_srpt.c: REJ 28 with a login reject",
  },
};

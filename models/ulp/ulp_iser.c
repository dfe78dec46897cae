/* iSER: any failure is an I/O error of the connect; the daemon above logs in again. */
#include "ulp.h"

typedef struct {
  guint login_retries;
  SimTime delay;
} IserParams;

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (IserParams, field)
static const SimParam iser_params[] = {
  { ROW (login_retries), .kind = SIM_PARAM_UINT, .value = "8", .max = 1000,
    .help = "Logins the daemon tries again.",
    .source = "open-iscsi node.session.initial_login_retry_max" },
  { ROW (delay), .kind = SIM_PARAM_TIME, .value = "1s",
    .help = "Wait before each of them (assumed)." },
  { .name = NULL },
};
#undef ROW

static const UlpReaction reactions[] = {
  ULP_REJECTED (ULP_ANY_REASON, ULP_RETRY, "EIO"),
  ULP_ON (UNREACHABLE, ULP_RETRY, "EIO"),
  ULP_ON (ADDRESS_ERROR, ULP_RETRY, "EIO"),
  ULP_ON (ROUTE_ERROR, ULP_RETRY, "EIO"),
  ULP_ON (CONNECT_ERROR, ULP_RETRY, "EIO"),
  ULP_ON (WATCHDOG, ULP_RETRY, "EIO"),
  ULP_REACTIONS_END,
};

static UlpSchedule
schedule (gconstpointer params, const UlpOutcome *outcome G_GNUC_UNUSED)
{
  const IserParams *p = params;

  return (UlpSchedule){ .first = p->delay, .attempts = p->login_retries + 1 };
}

const UlpClass ulp_iser = {
  .info = {
    .name = "iser",
    .help = "iSER: any REJ or error fails the connect; iscsid logs in again.",
    .source = "Linux 6.1 drivers/infiniband/ulp/iser/iser_verbs.c iser_connect_error; open-iscsi",
    .params = iser_params,
    .params_size = sizeof (IserParams),
    .main_param = "login_retries",
  },
  .space = CMA_PORT_SPACE_TCP,
  .address_timeout = SIM_MS (1000),
  .route_timeout = SIM_MS (1000),
  .reactions = reactions,
  .schedule = schedule,
  .listen = {
    .full = { .answer = BACKLOG_REJECT, .reason = IB_CM_REJ_CONSUMER },
    .counts = BACKLOG_COUNTS_UNACCEPTED,
    .source = "Linux 6.1 ib_isert.c: REJ 28; rdma_listen(0)",
  },
};

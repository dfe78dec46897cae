/* libfabric, provider rxm over verbs: a refused connect is made again by the next operation on
 * that peer. */
#include "ulp.h"

typedef struct {
  SimTime next_operation;
  guint operations;
} RxmParams;

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (RxmParams, field)
static const SimParam rxm_params[] = {
  { ROW (next_operation), .kind = SIM_PARAM_TIME, .value = "1ms",
    .help = "Time until the application operates on the peer again." },
  { ROW (operations), .kind = SIM_PARAM_UINT, .value = "10000", .min = 1, .max = 65535,
    .help = "Operations before it gives up." },
  { .name = NULL },
};
#undef ROW

static const UlpReaction reactions[] = {
  ULP_REJECTED (ULP_ANY_REASON, ULP_RETRY, "FI_ECONNREFUSED"),
  ULP_ON (UNREACHABLE, ULP_RETRY, "FI_ETIMEDOUT"),
  ULP_ON (ADDRESS_ERROR, ULP_RETRY, "FI_ETIMEDOUT"),
  ULP_ON (ROUTE_ERROR, ULP_RETRY, "FI_ETIMEDOUT"),
  ULP_ON (CONNECT_ERROR, ULP_RETRY, "FI_ECONNREFUSED"),
  ULP_ON (WATCHDOG, ULP_RETRY, "FI_ETIMEDOUT"),
  ULP_REACTIONS_END,
};

static UlpSchedule
schedule (gconstpointer params, const UlpOutcome *outcome G_GNUC_UNUSED)
{
  const RxmParams *p = params;

  return (UlpSchedule){ .first = p->next_operation, .attempts = p->operations };
}

const UlpClass ulp_rxm = {
  .info = {
    .name = "libfabric-rxm",
    .help = "libfabric rxm over verbs: any REJ is FI_ECONNREFUSED; the next operation connects "
            "again.",
    .source = "libfabric prov/rxm/src/rxm_conn.c, prov/verbs (resolve 2000 ms)",
    .params = rxm_params,
    .params_size = sizeof (RxmParams),
    .main_param = "next_operation",
  },
  .space = CMA_PORT_SPACE_TCP,
  .address_timeout = SIM_MS (2000),
  .route_timeout = SIM_MS (2000),
  .reactions = reactions,
  .schedule = schedule,
  .listen = {
    .full = { .answer = BACKLOG_DROP },
    .counts = BACKLOG_COUNTS_UNREAD,
    .source = "Linux ucma.c: a full backlog returns -ENOMEM",
  },
};

/* Lustre's LNet over InfiniBand.  Its own reason travels in the private data of REJ 28; here
 * a parameter says which one the peer gives. */
#include "ulp.h"

typedef struct {
  gboolean reconnect_after_28;
  SimTime watchdog_budget;
} LustreParams;

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (LustreParams, field)
static const SimParam lustre_params[] = {
  { ROW (reconnect_after_28), .kind = SIM_PARAM_BOOL, .value = "false",
    .help = "The private data of a REJ 28 says race, stale, version, queue size or fragments: it "
            "connects again; otherwise no resources or fatal: refused." },
  { ROW (watchdog_budget), .kind = SIM_PARAM_TIME, .value = "50s", .min = 1, .max = 9.2e18,
    .help = "It gives up this long after the first attempt.",
    .source = "Lustre lnd_timeout, 50 s; the reconnect's own limit is assumed" },
  { .name = NULL },
};
#undef ROW

static const UlpReaction reactions[] = {
  ULP_REJECTED (IB_CM_REJ_STALE_CONNECTION, ULP_RETRY, "ECONNREFUSED"),
  ULP_REJECTED (IB_CM_REJ_INVALID_SERVICE_ID, ULP_FAIL, "EHOSTUNREACH"),
  ULP_REJECTED (IB_CM_REJ_CONSUMER, ULP_RETRY, "ECONNREFUSED"),
  ULP_REJECTED (ULP_ANY_REASON, ULP_FAIL, "ECONNREFUSED"),
  ULP_ON (UNREACHABLE, ULP_FAIL, "ENETDOWN"),
  ULP_ON (ADDRESS_ERROR, ULP_FAIL, "ETIMEDOUT"),
  ULP_ON (ROUTE_ERROR, ULP_FAIL, "ETIMEDOUT"),
  ULP_ON (CONNECT_ERROR, ULP_FAIL, "ENOTCONN"),
  ULP_ON (WATCHDOG, ULP_FAIL, "ETIMEDOUT"),
  ULP_REACTIONS_END,
};

/* The interval grows after a few rejections (LU-5718, LU-7569); its steps are assumed. */
static UlpSchedule
schedule (gconstpointer params, const UlpOutcome *outcome)
{
  const LustreParams *p = params;

  if (outcome->reason == IB_CM_REJ_CONSUMER && !p->reconnect_after_28)
    return (UlpSchedule){ .attempts = 1 };
  return (UlpSchedule){ .first = SIM_S (1), .factor = 2, .cap = SIM_S (16),
                        .budget = p->watchdog_budget };
}

const UlpClass ulp_lustre = {
  .info = {
    .name = "lustre-o2iblnd",
    .help = "Lustre o2iblnd: connects again after REJ 10 and some of REJ 28, REJ 8 is "
            "EHOSTUNREACH, 3 and all others ECONNREFUSED; waits 12 s for an answer.",
    .source = "Lustre lnet/klnds/o2iblnd/o2iblnd_cb.c; LU-17480 (limit of max (5 s, lnd_timeout / "
              "4) on rdma_connect)",
    .params = lustre_params,
    .params_size = sizeof (LustreParams),
    .main_param = "reconnect_after_28",
  },
  .space = CMA_PORT_SPACE_TCP,
  .address_timeout = SIM_MS (5000),
  .route_timeout = SIM_MS (5000),
  .watchdog = SIM_S (12),
  .reactions = reactions,
  .schedule = schedule,
  .listen = {
    .full = { .answer = BACKLOG_REJECT, .reason = IB_CM_REJ_CONSUMER },
    .counts = BACKLOG_COUNTS_UNACCEPTED,
    .source = "Lustre kiblnd_reject: always REJ 28, its own reason in the data",
  },
};

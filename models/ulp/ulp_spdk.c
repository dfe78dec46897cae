/* NVMe over RDMA of SPDK: five quick retries after a stale connection; the block device above
 * may reconnect by its own policy. */
#include "ulp.h"

typedef struct {
  SimTime reconnect_delay, loss_timeout;
} SpdkParams;

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (SpdkParams, field)
static const SimParam spdk_params[] = {
  { ROW (reconnect_delay), .kind = SIM_PARAM_TIME, .value = "never",
    .help = "The block device's wait before each reconnect; never: it does not reconnect." },
  { ROW (loss_timeout), .kind = SIM_PARAM_TIME, .value = "never", .min = 1, .max = 9.3e18,
    .help = "The block device gives up this long after the first attempt; never: it does not." },
  { .name = NULL },
};
#undef ROW

static const UlpReaction reactions[] = {
  ULP_REJECTED (IB_CM_REJ_STALE_CONNECTION, ULP_RETRY, "ESTALE"),
  ULP_REJECTED (ULP_ANY_REASON, ULP_RETRY, "EBADMSG"),
  ULP_ON (UNREACHABLE, ULP_RETRY, "EBADMSG"),
  ULP_ON (ADDRESS_ERROR, ULP_RETRY, "EBADMSG"),
  ULP_ON (ROUTE_ERROR, ULP_RETRY, "EBADMSG"),
  ULP_ON (CONNECT_ERROR, ULP_RETRY, "EBADMSG"),
  ULP_ON (WATCHDOG, ULP_RETRY, "ETIMEDOUT"),
  ULP_REACTIONS_END,
};

/* NVME_RDMA_STALE_CONN_RETRY_MAX and _DELAY_US. */
static UlpSchedule
schedule (gconstpointer params, const UlpOutcome *outcome)
{
  const SpdkParams *p = params;
  gboolean stale = outcome->end == ULP_END_REJECTED &&
                   outcome->reason == IB_CM_REJ_STALE_CONNECTION;

  if (stale && outcome->attempts <= 5)
    return (UlpSchedule){ .first = SIM_MS (10) };
  if (p->reconnect_delay == SIM_TIME_NEVER)
    return (UlpSchedule){ .attempts = 1 };
  return (UlpSchedule){ .first = p->reconnect_delay,
                        .budget = p->loss_timeout == SIM_TIME_NEVER ? 0 : p->loss_timeout };
}

const UlpClass ulp_spdk = {
  .info = {
    .name = "spdk",
    .help = "SPDK NVMe/RDMA: after REJ 10 five retries 10 ms apart, else it fails; waits 1 s for "
            "an event; the block device may reconnect.",
    .source = "SPDK lib/nvme/nvme_rdma.c (NVME_RDMA_STALE_CONN_RETRY_MAX, "
              "NVME_RDMA_QPAIR_CM_EVENT_TIMEOUT_US)",
    .params = spdk_params,
    .params_size = sizeof (SpdkParams),
    .main_param = "reconnect_delay",
  },
  .space = CMA_PORT_SPACE_TCP,
  .address_timeout = SIM_MS (1000),
  .route_timeout = SIM_MS (1000),
  .watchdog = SIM_S (1),
  .reactions = reactions,
  .schedule = schedule,
  .listen = {
    .full = { .answer = BACKLOG_DROP },
    .limit = 100,
    .counts = BACKLOG_COUNTS_UNREAD,
    .source = "SPDK lib/nvmf/rdma.c: acceptor backlog 100 in ucma; REJ 28 with NO_RESOURCES later",
  },
};

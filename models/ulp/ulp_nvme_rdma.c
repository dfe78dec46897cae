/* NVMe over RDMA of Linux: the first connect fails for good; a controller that was connected
 * reconnects every 10 s for 10 minutes. */
#include "ulp.h"

enum { MODE_CONNECT, MODE_RECONNECT };

typedef struct {
  guint mode;
  SimTime reconnect_delay, loss_timeout;
} NvmeParams;

static const char *const mode_names[] = { "connect", "reconnect", NULL };

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (NvmeParams, field)
static const SimParam nvme_params[] = {
  { ROW (mode), .kind = SIM_PARAM_ENUM, .value = "connect", .names = mode_names,
    .help = "connect: a failure is final; reconnect: a controller that has lost its connection." },
  { ROW (reconnect_delay), .kind = SIM_PARAM_TIME, .value = "10s",
    .help = "Wait before each reconnect.", .source = "Linux nvmf NVMF_DEF_RECONNECT_DELAY" },
  { ROW (loss_timeout), .kind = SIM_PARAM_TIME, .value = "600s", .min = 1, .max = 9.2e18,
    .help = "Reconnects end this long after the first.",
    .source = "Linux nvmf NVMF_DEF_CTRL_LOSS_TMO" },
  { .name = NULL },
};
#undef ROW

static const UlpReaction reactions[] = {
  ULP_REJECTED (ULP_ANY_REASON, ULP_RETRY, "ECONNRESET"),
  ULP_ON (UNREACHABLE, ULP_RETRY, "ECONNRESET"),
  ULP_ON (ADDRESS_ERROR, ULP_RETRY, "ECONNRESET"),
  ULP_ON (ROUTE_ERROR, ULP_RETRY, "ECONNRESET"),
  ULP_ON (CONNECT_ERROR, ULP_RETRY, "ECONNRESET"),
  ULP_ON (WATCHDOG, ULP_RETRY, "ETIMEDOUT"),
  ULP_REACTIONS_END,
};

static UlpSchedule
schedule (gconstpointer params, const UlpOutcome *outcome G_GNUC_UNUSED)
{
  const NvmeParams *p = params;

  if (p->mode == MODE_CONNECT)
    return (UlpSchedule){ .attempts = 1 };
  return (UlpSchedule){ .first = p->reconnect_delay, .budget = p->loss_timeout };
}

const UlpClass ulp_nvme_rdma = {
  .info = {
    .name = "nvme-rdma",
    .help = "NVMe/RDMA host of Linux: any REJ is ECONNRESET; reconnects every 10 s for 600 s if it "
            "was connected before.",
    .source = "Linux 6.1 drivers/nvme/host/rdma.c, fabrics.h",
    .params = nvme_params,
    .params_size = sizeof (NvmeParams),
    .main_param = "mode",
  },
  .space = CMA_PORT_SPACE_TCP,
  .address_timeout = SIM_MS (3000),
  .route_timeout = SIM_MS (3000),
  .reactions = reactions,
  .schedule = schedule,
  .listen = {
    .full = { .answer = BACKLOG_REJECT, .reason = IB_CM_REJ_CONSUMER },
    .limit = 128,
    .counts = BACKLOG_COUNTS_UNACCEPTED,
    .source = "Linux nvmet-rdma: listen(128) does nothing on InfiniBand; more than 128 queues in "
              "tear-down, or no memory, is REJ 28",
  },
};

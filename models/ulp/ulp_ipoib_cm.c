/* IP over InfiniBand, connected mode: no application waits; the next packet for the neighbour
 * connects again. */
#include "ulp.h"

typedef struct {
  SimTime next_packet;
  guint packets;
} IpoibParams;

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (IpoibParams, field)
static const SimParam ipoib_params[] = {
  { ROW (next_packet), .kind = SIM_PARAM_TIME, .value = "1s",
    .help = "Time to the next packet for that neighbour." },
  { ROW (packets), .kind = SIM_PARAM_UINT, .value = "60", .min = 1, .max = 65535,
    .help = "Packets the hosts above send before they lose interest." },
  { .name = NULL },
};
#undef ROW

static const UlpReaction reactions[] = {
  ULP_REJECTED (ULP_ANY_REASON, ULP_RETRY, "(packets dropped)"),
  ULP_ON (UNREACHABLE, ULP_RETRY, "(packets dropped)"),
  ULP_ON (ADDRESS_ERROR, ULP_RETRY, "(packets dropped)"),
  ULP_ON (ROUTE_ERROR, ULP_RETRY, "(packets dropped)"),
  ULP_ON (CONNECT_ERROR, ULP_RETRY, "(packets dropped)"),
  ULP_ON (WATCHDOG, ULP_RETRY, "(packets dropped)"),
  ULP_REACTIONS_END,
};

static UlpSchedule
schedule (gconstpointer params, const UlpOutcome *outcome G_GNUC_UNUSED)
{
  const IpoibParams *p = params;

  return (UlpSchedule){ .first = p->next_packet, .attempts = p->packets };
}

const UlpClass ulp_ipoib_cm = {
  .info = {
    .name = "ipoib-cm",
    .help = "IPoIB connected mode: any REJ or error tears the connection's send side down; the "
            "next packet for the neighbour connects again.",
    .source = "Linux 6.1 drivers/infiniband/ulp/ipoib/ipoib_cm.c ipoib_cm_tx_handler",
    .params = ipoib_params,
    .params_size = sizeof (IpoibParams),
    .main_param = "next_packet",
  },
  .space = CMA_PORT_SPACE_IPOIB_CM,
  .address_timeout = SIM_MS (1000),
  .route_timeout = SIM_MS (1000),
  .response_timeout = 20,
  .max_retries = 15,
  .reactions = reactions,
  .schedule = schedule,
  .listen = {
    .full = { .answer = BACKLOG_REJECT, .reason = IB_CM_REJ_NO_QP },
    .counts = BACKLOG_COUNTS_UNACCEPTED,
    .source = "Linux 6.1 ipoib_cm.c: REJ 1",
  },
};

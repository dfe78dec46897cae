/* SMB Direct of Linux: a mount that fails is over; a session that was there connects again every
 * 3 s for as long as it is wanted. */
#include "ulp.h"

enum { MODE_MOUNT, MODE_RECONNECT };

typedef struct {
  guint mode;
  SimTime delay;
} SmbParams;

static const char *const mode_names[] = { "mount", "reconnect", NULL };

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (SmbParams, field)
static const SimParam smb_params[] = {
  { ROW (mode), .kind = SIM_PARAM_ENUM, .value = "mount", .names = mode_names,
    .help = "mount: a failure is final; reconnect: a session that has lost its connection." },
  { ROW (delay), .kind = SIM_PARAM_TIME, .value = "3s", .help = "Wait before each reconnect.",
    .source = "Linux 6.1 fs/cifs/connect.c cifs_reconnect" },
  { .name = NULL },
};
#undef ROW

/* smbd_get_connection: NULL whatever the event was. */
static const UlpReaction reactions[] = {
  ULP_REJECTED (ULP_ANY_REASON, ULP_RETRY, "ENOENT"),
  ULP_ON (UNREACHABLE, ULP_RETRY, "ENOENT"),
  ULP_ON (ADDRESS_ERROR, ULP_RETRY, "ENOENT"),
  ULP_ON (ROUTE_ERROR, ULP_RETRY, "ENOENT"),
  ULP_ON (CONNECT_ERROR, ULP_RETRY, "ENOENT"),
  ULP_ON (WATCHDOG, ULP_RETRY, "ENOENT"),
  ULP_REACTIONS_END,
};

static UlpSchedule
schedule (gconstpointer params, const UlpOutcome *outcome G_GNUC_UNUSED)
{
  const SmbParams *p = params;

  if (p->mode == MODE_MOUNT)
    return (UlpSchedule){ .attempts = 1 };
  return (UlpSchedule){ .first = p->delay };
}

const UlpClass ulp_smbdirect = {
  .info = {
    .name = "smbdirect",
    .help = "SMB Direct client: any REJ or error fails the mount (its second port is not tried "
            "here); a session that was there reconnects every 3 s.",
    .source = "Linux 6.1 fs/cifs/smbdirect.c (RDMA_RESOLVE_TIMEOUT 5 s), connect.c",
    .params = smb_params,
    .params_size = sizeof (SmbParams),
    .main_param = "mode",
  },
  .space = CMA_PORT_SPACE_TCP,
  .address_timeout = SIM_S (5),
  .route_timeout = SIM_S (5),
  .reactions = reactions,
  .schedule = schedule,
  .listen = {
    .full = { .answer = BACKLOG_REJECT, .reason = IB_CM_REJ_CONSUMER },
    .counts = BACKLOG_COUNTS_UNACCEPTED,
    .source = "Linux 6.1 fs/ksmbd/transport_rdma.c: a handler that fails is REJ 28 (rdma_cm)",
  },
};

/* A consumer that does what a script says, for tests. */
#include "ulp.h"

static const UlpReaction reactions[] = {
  ULP_REJECTED (ULP_ANY_REASON, ULP_FAIL, "ECONNREFUSED"),
  ULP_ON (UNREACHABLE, ULP_FAIL, "ETIMEDOUT"),
  ULP_ON (ADDRESS_ERROR, ULP_FAIL, "ETIMEDOUT"),
  ULP_ON (ROUTE_ERROR, ULP_FAIL, "ETIMEDOUT"),
  ULP_ON (CONNECT_ERROR, ULP_FAIL, "ETIMEDOUT"),
  ULP_ON (WATCHDOG, ULP_FAIL, "ETIMEDOUT"),
  ULP_REACTIONS_END,
};

static const SimParam script_params[] = {
  { .name = "steps",
    .offset = G_STRUCT_OFFSET (UlpScriptParams, steps),
    .kind = SIM_PARAM_LIST,
    .rows = script_step_params,
    .item_size = sizeof (ScriptStep),
    .help = "Calls and events of each connect, in order." },
  { .name = NULL },
};

const UlpClass ulp_script = {
  .info = {
    .name = "script",
    .help = "A consumer that makes the calls of a script at its times and checks the events it "
            "gets; retries nothing.",
    .source = "none: for tests, in the manner of packetdrill",
    .params = script_params,
    .params_size = sizeof (UlpScriptParams),
    .main_param = "steps",
  },
  .space = CMA_PORT_SPACE_TCP,
  .address_timeout = SIM_MS (2000),
  .route_timeout = SIM_MS (2000),
  .reactions = reactions,
  .listen = {
    .full = { .answer = BACKLOG_DROP },
    .counts = BACKLOG_COUNTS_UNREAD,
    .source = "none: for experiments, as a user-space listener",
  },
};

/* The profiles, one row each, and the parameters that override their fields.
 * Sources of the numbers: Linux drivers/infiniband/core cma.c (response timeout,
 * retries, MRA setting, RoCE packet lifetime), sa_query.c (tries per timeout) and
 * ucma.c (backlog). */
#include "cm_profile.h"

#include <string.h>

#include "ib_cm_msg.h"

#define FIELDS_COMMON \
  .hz = 250, .response_timeout = 20, .max_retries = 15, .mra_service_timeout = 24, \
  .mra_for_duplicates = TRUE, .mra_before_callback = FALSE, .drop_on_no_memory = TRUE, \
  .destroy_mra_received_rej = IB_CM_REJ_TIMEOUT, .drep_for_unknown = TRUE, \
  .dreq_on_stale = TRUE, .target_ack_delay = 15, .ca_ack_delay = 15, \
  .sa_tries_per_timeout = 10, .ucma_backlog_max = 1024

static const CmProfile linux_6_1 = {
  .name = "linux-6.1",
  .help = "Linux 6.1 and its timer wheel; RoCE packet lifetime code 18",
  .timing = CM_TIMING_LINUX,
  .packet_lifetime = 18,
  FIELDS_COMMON,
};

static const CmProfile linux_6_12 = {
  .name = "linux-6.12",
  .help = "Linux 6.12: as 6.1 with RoCE packet lifetime code 16",
  .timing = CM_TIMING_LINUX,
  .packet_lifetime = 16,
  FIELDS_COMMON,
};

static const CmProfile spec = {
  .name = "spec",
  .help = "IBTA timers, exact, the response timeout alone; otherwise as Linux 6.1",
  .timing = CM_TIMING_SPEC,
  .packet_lifetime = 18,
  FIELDS_COMMON,
};

const CmProfile *const cm_profiles[] = { &linux_6_1, &linux_6_12, &spec, NULL };

const CmProfile *
cm_profile_find (const char *name)
{
  for (guint i = 0; cm_profiles[i]; i++)
    if (strcmp (cm_profiles[i]->name, name) == 0)
      return cm_profiles[i];
  return NULL;
}

static const char *const timing_names[] = {
  [CM_TIMING_SPEC] = "spec",
  [CM_TIMING_LINUX_NOMINAL] = "linux-nominal",
  [CM_TIMING_LINUX] = "linux",
  NULL,
};

/* A row without `base:` overrides linux-6.1, so its values are the defaults. */
#define FIELD(field) .name = #field, .offset = G_STRUCT_OFFSET (CmProfile, field)
#define CODE(field, default_, text) \
  { FIELD (field), .kind = SIM_PARAM_UINT, .value = default_, .min = 0, .max = 31, .help = text }
#define FLAG(field, default_, text) \
  { FIELD (field), .kind = SIM_PARAM_BOOL, .value = default_, .help = text }

const SimParam cm_profile_params[] = {
  { FIELD (timing), .kind = SIM_PARAM_ENUM, .value = "linux", .names = timing_names,
    .help = "timer arithmetic: exact codes, Linux's milliseconds, or those on its timer wheel" },
  { FIELD (hz), .kind = SIM_PARAM_UINT, .value = "250", .min = 10, .max = 10000,
    .help = "timer interrupts per second; only `timing: linux` has them", .source = "CONFIG_HZ" },
  CODE (response_timeout, "20", "time code in both response-timeout fields of a REQ"),
  { FIELD (max_retries), .kind = SIM_PARAM_UINT, .value = "15", .min = 0, .max = 15,
    .help = "retries of REQ, REP and DREQ: one send more than that",
    .source = "cma.c CMA_MAX_CM_RETRIES" },
  CODE (packet_lifetime, "18", "time code of a path that no path record describes (RoCE)"),
  CODE (mra_service_timeout, "24", "time code in an MRA"),
  FLAG (mra_for_duplicates, "true", "an MRA is prepared and answers a duplicate REQ or REP"),
  FLAG (mra_before_callback, "false",
        "the MRA is prepared before the consumer is asked: its \"no memory\" becomes REJ 28"),
  FLAG (drop_on_no_memory, "true", "a consumer without memory drops the REQ; otherwise REJ 28"),
  { FIELD (destroy_mra_received_rej), .kind = SIM_PARAM_UINT, .value = "4", .min = 1,
    .max = 65535, .help = "reason of the REJ when an id that was told to wait is destroyed" },
  FLAG (drep_for_unknown, "true", "a DREQ for an unknown connection is answered"),
  FLAG (dreq_on_stale, "true", "a stale hit disconnects the old connection"),
  CODE (target_ack_delay, "15", "time code put in the REP"),
  CODE (ca_ack_delay, "15", "time code of the own channel adapter's ACK delay"),
  { FIELD (sa_tries_per_timeout), .kind = SIM_PARAM_UINT, .value = "10", .min = 0, .max = 1000,
    .help = "a path query's timeout is cut into so many tries, and one more is made; 0: one try" },
  { FIELD (ucma_backlog_max), .kind = SIM_PARAM_UINT, .value = "1024", .min = 1,
    .max = 2147483647, .help = "largest backlog of a user-space listener, also used for 0",
    .source = "net.rdma_ucm.max_backlog" },
  { .name = NULL },
};

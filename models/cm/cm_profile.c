/* The parameters that override a profile's fields, and access to the profiles. */
#include "cm_profile_rows.h"

#include <string.h>

static const char *const timing_names[] = {
  [CM_TIMING_SPEC] = "spec",
  [CM_TIMING_LINUX_NOMINAL] = "linux-nominal",
  [CM_TIMING_LINUX] = "linux",
  NULL,
};

static const char *const path_check_names[] = {
  [CM_PATH_CHECK_SILENT] = "silent",
  [CM_PATH_CHECK_GIDS] = "gids",
  [CM_PATH_CHECK_ALL] = "all",
  NULL,
};

/* A row without `base:` overrides linux-6.1, so its values are the defaults. */
#define FIELD(field) .name = #field, .offset = G_STRUCT_OFFSET (CmProfile, field)
#define CODE(field, default_, text) \
  { FIELD (field), .kind = SIM_PARAM_UINT, .value = default_, .min = 0, .max = 31, .help = text }
#define FLAG(field, default_, text) \
  { FIELD (field), .kind = SIM_PARAM_BOOL, .value = default_, .help = text }
#define COUNT(field, default_, least, most, text) \
  { FIELD (field), .kind = SIM_PARAM_UINT, .value = default_, .min = least, .max = most, \
    .help = text }

const SimParam cm_profile_params[] = {
  { FIELD (timing), .kind = SIM_PARAM_ENUM, .value = "linux", .names = timing_names,
    .help = "timer arithmetic: exact codes, Linux's milliseconds, or those on its timer wheel" },
  COUNT (hz, "250", 10, 10000, "timer interrupts per second; only `timing: linux` has them"),
  CODE (response_timeout, "20", "time code in both response-timeout fields of a REQ"),
  COUNT (max_retries, "15", 0, 15, "retries of REQ, REP and DREQ: one send more than that"),
  CODE (packet_lifetime, "18", "time code of a path that no path record describes (RoCE)"),
  CODE (target_ack_delay, "15", "time code put in the REP"),
  CODE (ca_ack_delay, "15", "time code of the own channel adapter's ACK delay"),
  FLAG (ack_delay_in_timeouts, "true",
        "the ACK timeout of REQ and timewait counts the adapters' delays; otherwise it is the "
        "packet lifetime's code plus one"),
  CODE (max_timeout, "31", "time code that caps every timer and the codes in a REQ; 31: no cap"),
  COUNT (backoff_after, "0", 0, 255,
         "equal waits before each wait is twice the one before; 0: all are equal"),
  COUNT (backoff_cap_ms, "60000", 1, 86400000, "longest wait of a back-off, in milliseconds"),
  COUNT (deadline_ms, "0", 0, 86400000,
         "milliseconds after the first send at which a message is given up; 0: no deadline"),
  FLAG (mra_for_duplicates, "true", "an MRA is prepared and answers a duplicate REQ or REP"),
  FLAG (mra_before_callback, "false",
        "the MRA is prepared before the consumer is asked: its \"no memory\" becomes REJ 28"),
  CODE (mra_service_timeout, "24", "time code in an MRA"),
  COUNT (mra_limit_ms, "0", 0, 86400000,
         "longest wait, in milliseconds, that a received MRA can ask for; 0: no limit"),
  FLAG (mra_once, "false",
        "a received MRA lengthens the wait in progress only, moves the deadline and restarts the "
        "back-off; otherwise it replaces this wait and all later ones"),
  FLAG (drop_on_no_memory, "true", "a consumer without memory drops the REQ; otherwise REJ 28"),
  FLAG (destroy_rejects, "true", "an id that is destroyed before it is connected sends a REJ"),
  COUNT (destroy_mra_received_rej, "4", 1, 65535,
         "reason of the REJ when an id that was told to wait is destroyed"),
  FLAG (sidr_unknown_answered, "true",
        "a SIDR_REQ for a service that nobody offers is answered with status 1"),
  { FIELD (path_check), .kind = SIM_PARAM_ENUM, .value = "gids", .names = path_check_names,
    .help = "what is looked at in the paths of a REQ: silent, GIDs, and a wrong one is dropped; "
            "gids, it is answered REJ 12 or 18; all, each field that has a REJ reason" },
  FLAG (class_version_rej, "false",
        "a REQ of another class version is answered REJ 31; otherwise it is dropped"),
  FLAG (ip_cm_version_rej, "true",
        "a REQ whose RDMA CM header has another version is answered REJ 28; otherwise it counts "
        "as \"no memory\""),
  FLAG (duplicate_by_qpn, "false",
        "a REQ with a QPN in use is taken for a duplicate; otherwise it is answered REJ 10"),
  FLAG (dreq_on_stale, "true", "a stale hit disconnects the old connection"),
  FLAG (drep_for_unknown, "true", "a DREQ for an unknown connection is answered"),
  COUNT (ucma_backlog_max, "1024", 1, 2147483647,
         "largest backlog of a user-space listener, also used for 0"),
  FLAG (ucma_full_no_memory, "true",
        "a full backlog of a user-space listener counts as \"no memory\"; otherwise REJ 28"),
  COUNT (cm_workers, "1", 1, 4096, "CM messages that a host works on at a time"),
  COUNT (mads_outstanding, "0", 0, 1000000,
         "CM messages of a host that may wait for an answer at a time, more queue; 0: no limit"),
  COUNT (sa_tries_per_timeout, "10", 0, 1000,
         "a path query's timeout is cut into so many tries, and one more is made; 0: one try"),
  { .name = NULL },
};

static guint
field_value (const CmProfile *profile, const SimParam *field)
{
  return G_STRUCT_MEMBER (guint, profile, field->offset);
}

const CmProfile *
cm_profile_find (const char *name)
{
  for (guint i = 0; cm_profiles[i]; i++)
    if (strcmp (cm_profiles[i]->name, name) == 0)
      return cm_profiles[i];
  return NULL;
}

const char *
cm_profile_source (const CmProfile *profile, const SimParam *field)
{
  for (guint i = 0; cm_profiles[i]; i++)
    if (cm_profiles[i] == profile)
      return cm_profile_sources[i][field - cm_profile_params];
  g_assert_not_reached ();
}

char *
cm_profile_value (const CmProfile *profile, const SimParam *field)
{
  guint value = field_value (profile, field);

  if (field->kind == SIM_PARAM_ENUM)
    return g_strdup (field->names[value]);
  if (field->kind == SIM_PARAM_BOOL)
    return g_strdup (value ? "true" : "false");
  return g_strdup_printf ("%u", value);
}

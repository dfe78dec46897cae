/* The table of where options have an effect.  What has no row has one everywhere.
 *
 * tests/unit/test_scope.c runs each row where it is heeded and where it is not. */
#include "scenario_scope.h"

#define IB SCOPE_TRANSPORT (IB)
#define ROCE SCOPE_TRANSPORT (ROCE)
#define IWARP SCOPE_TRANSPORT (IWARP)
#define TCP SCOPE_TRANSPORT (TCP)
/* The CM and its messages, queue pairs, streams. */
#define CM (IB | ROCE)
#define QP (IB | ROCE | IWARP)
#define STREAM (IWARP | TCP)

#define UD SCOPE_UD
#define SCRIPT SCOPE_SCRIPT
#define ALONE SCOPE_ALONE
#define IPOIB SCOPE_IPOIB

#define MSG(name) SCOPE_MESSAGE (name)

/* clang-format off */
const ScopeRow scenario_scope_rows[] = {
  /* The host's CM.  On streams only what ucma does with a backlog is left of a profile. */
  { "profile.timing", .transports = CM },
  { "profile.hz", .transports = CM },
  { "profile.response_timeout", .transports = CM },
  { "profile.max_retries", .transports = CM },
  { "profile.packet_lifetime", .transports = CM },
  { "profile.target_ack_delay", .transports = CM },
  { "profile.ca_ack_delay", .transports = CM },
  { "profile.ack_delay_in_timeouts", .transports = CM },
  { "profile.max_timeout", .transports = CM },
  { "profile.backoff_after", .transports = CM },
  { "profile.backoff_cap_ms", .transports = CM },
  { "profile.deadline_ms", .transports = CM },
  { "profile.mra_for_duplicates", .transports = CM },
  { "profile.mra_before_callback", .transports = CM },
  { "profile.mra_service_timeout", .transports = CM },
  { "profile.mra_limit_ms", .transports = CM },
  { "profile.mra_once", .transports = CM },
  { "profile.drop_on_no_memory", .transports = CM },
  { "profile.destroy_rejects", .transports = CM },
  { "profile.destroy_mra_received_rej", .transports = CM },
  { "profile.sidr_unknown_answered", .transports = CM },
  { "profile.path_check", .transports = CM },
  { "profile.class_version_rej", .transports = CM },
  { "profile.ip_cm_version_rej", .transports = CM },
  { "profile.duplicate_by_qpn", .transports = CM },
  { "profile.dreq_on_stale", .transports = CM },
  { "profile.drep_for_unknown", .transports = CM },
  { "profile.ucma_full_no_memory", .transports = QP },
  { "profile.cm_workers", .transports = CM },
  { "profile.mads_outstanding", .transports = CM },
  { "profile.sa_tries_per_timeout", .transports = IB },

  { "fabric.loss.rules.rules.*.message", .value = "sa", .transports = IB },
  { "fabric.loss.rules.rules.*.message", .transports = CM },

  { "sa.workers", .transports = IB },
  { "sa.service", .transports = IB },
  { "sa.queue_limit", .transports = IB },
  { "sa.wait_limit", .transports = IB },
  { "sa.packet_lifetime", .transports = IB },
  { "sa.overload", .transports = IB },
  { "sa.set_workers", .transports = IB },
  { "sa.set_service", .transports = IB },
  { "sa.groups", .transports = IB },
  { "sa.send_only_full", .transports = IB },
  { "sa.broadcast_qkey", .transports = IB },
  { "sa.reregister_at", .transports = IB },
  { "sm.hca", .transports = IB },

  { "tcp.syn_retries", .transports = STREAM },
  { "tcp.synack_retries", .transports = STREAM },
  { "tcp.syn_backlog", .transports = STREAM },
  { "tcp.rto", .transports = STREAM },
  { "tcp.data_rto", .transports = STREAM },
  { "tcp.data_retries", .transports = STREAM },
  { "tcp.time_wait", .transports = STREAM },
  { "tcp.keepalive", .transports = STREAM },

  { "hosts.*.hca.cm_service", .transports = CM },
  { "hosts.*.hca.cm_workers", .transports = CM },
  { "hosts.*.hca.qp_create", .transports = QP },
  { "hosts.*.hca.qp_modify", .transports = QP },
  { "hosts.*.hca.commands", .transports = QP },
  { "hosts.*.hca.qpn_reuse", .transports = CM },
  { "hosts.*.hca.qpn_timewait", .transports = CM },
  { "hosts.*.hca.comm_est", .transports = CM },
  { "hosts.*.memory.fails", .transports = CM },
  { "hosts.*.memory.from", .transports = CM },
  { "hosts.*.memory.until", .transports = CM },
  { "hosts.*.comm_ids", .transports = CM },
  { "hosts.*.timer_phase", .transports = CM },
  { "hosts.*.ipoib_up", .transports = IB },
  { "hosts.*.port_error_at", .transports = IB },

  /* The passive side.  SIDR has one answer and no connection. */
  { "listeners.*.ulp", .value = "script", .needs = SCRIPT },
  { "listeners.*.ud", .transports = CM, .required = TRUE },
  { "listeners.*.redirect_to", .transports = CM, .never = UD },
  { "listeners.*.channel_limit", .never = ALONE },
  { "listeners.*.backlog.full.keep", .transports = CM, .never = UD, .required = TRUE },
  { "listeners.*.backlog.full.defer", .never = UD },
  { "listeners.*.backlog.full.reject.retry_after", .transports = CM, .never = UD },
  { "listeners.*.backlog.full.reject.spacing", .transports = CM, .never = UD },
  { "listeners.*.backlog.full.defer.reason", .transports = CM, .never = UD },
  { "listeners.*.backlog.full.ulp-counted.reason", .transports = CM, .never = UD },
  { "listeners.*.backlog.full.script.answers.*.answer", .value = "mra", .transports = CM,
    .never = UD, .required = TRUE },
  { "listeners.*.backlog.full.script.answers.*.reason", .transports = CM, .never = UD },
  { "listeners.*.accept.workers", .never = ALONE },
  { "listeners.*.accept.unlimited", .never = ALONE },
  { "listeners.*.accept.service", .never = SCRIPT },
  { "listeners.*.accept.event_service", .needs = SCOPE_EVENTS },
  { "listeners.*.accept.read", .never = ALONE },
  { "listeners.*.accept.early", .never = SCRIPT | UD },
  { "listeners.*.accept.starts_after", .never = ALONE },
  { "listeners.*.accept.wake", .never = ALONE },
  { "listeners.*.accept.answer", .never = SCRIPT },
  { "listeners.*.accept.reject_reason", .transports = CM, .never = SCRIPT | UD },
  { "listeners.*.accept.qp", .transports = QP, .never = SCRIPT },
  { "listeners.*.accept.answer_disconnect", .never = SCRIPT | UD },
  { "listeners.*.accept.hold", .never = SCRIPT | UD },
  { "listeners.*.accept.path_answer", .transports = IB, .never = SCRIPT | UD },
  { "listeners.*.accept.path_service", .transports = IB, .never = SCRIPT | UD },
  { "listeners.*.accept.path_mra", .transports = IB, .never = SCRIPT | UD },

  /* The active side. */
  { "connects.*.retry", .transports = CM, .never = UD },
  { "connects.*.tie_break", .never = UD },
  { "connects.*.lockstep", .never = SCRIPT },
  { "connects.*.window", .never = SCRIPT },
  { "connects.*.ud", .transports = CM, .required = TRUE },
  { "connects.*.qp", .transports = QP, .never = SCRIPT },
  { "connects.*.resolve", .never = SCRIPT },
  { "connects.*.rtu_delay", .never = SCRIPT | UD },
  { "connects.*.wrong", .transports = CM, .never = UD, .required = TRUE },
  { "connects.*.alternate_path_after", .transports = CM, .never = SCRIPT | UD, .required = TRUE },
  { "connects.*.data_after", .transports = CM, .never = SCRIPT | UD },
  { "connects.*.hold", .never = SCRIPT | UD },
  { "connects.*.answer_disconnect", .never = SCRIPT | UD },
  { "connects.*.qpn", .transports = CM, .never = UD },
  { "connects.*.answer_within", .never = SCRIPT },
  { "connects.*.redirect_to", .transports = CM, .needs = SCOPE_FOLLOWS, .never = SCRIPT | UD },
  { "connects.*.path_lifetime", .transports = CM, .needs = SCOPE_RESOLVES, .never = SCRIPT },
  { "connects.*.max_retries", .transports = CM },
  { "connects.*.response_timeout", .transports = CM },

  /* Groups: on RoCE a join is the host's own affair, and nobody ends a membership. */
  { "multicast.*.by", .value = "ipoib", .transports = IB, .required = TRUE },
  { "multicast.*.port_space", .never = IPOIB },
  { "multicast.*.join_state", .transports = IB, .never = IPOIB },
  { "multicast.*.channel", .never = IPOIB },
  { "multicast.*.resolve", .never = IPOIB },
  { "multicast.*.rejoin", .transports = IB, .never = IPOIB },
  { "multicast.*.retry_after", .never = IPOIB },
  { "multicast.*.attempts", .needs = SCOPE_RETRIES, .never = IPOIB },
  { "multicast.*.leave_after", .transports = CM, .never = IPOIB | SCOPE_GOES },
  { "multicast.*.destroy_after", .transports = CM, .never = IPOIB },

  /* Messages made by hand: the fields that a message has. */
  { "handmade.*.message", .transports = CM, .required = TRUE },
  { "handmade.*.remote_id", .messages = MSG (MRA) | MSG (REJ) | MSG (REP) | MSG (RTU) | MSG (DREQ) |
    MSG (DREP) | MSG (SIDR_REP) | MSG (LAP) | MSG (APR) },
  { "handmade.*.qpn", .messages = MSG (REQ) | MSG (REP) | MSG (DREQ) | MSG (SIDR_REP) | MSG (LAP) },
  { "handmade.*.service", .messages = MSG (REQ) | MSG (SIDR_REQ) },
  { "handmade.*.ulp", .messages = MSG (REQ) },
  { "handmade.*.response_timeout", .messages = MSG (REQ) },
  { "handmade.*.max_retries", .messages = MSG (REQ) },
  { "handmade.*.ack_timeout", .messages = MSG (REQ) },
  { "handmade.*.wrong", .messages = MSG (REQ) },
  { "handmade.*.reason", .messages = MSG (REJ) | MSG (SIDR_REP) | MSG (APR) },
  { "handmade.*.about", .messages = MSG (MRA) | MSG (REJ) },
  { "handmade.*.service_timeout", .messages = MSG (MRA) },
  { .path = NULL },
};
/* clang-format on */

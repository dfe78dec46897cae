/* The profiles as sets of rows: V (field, value, source).  A set covers one topic; a
 * profile is one set of each topic.  Files are those of drivers/infiniband/core.
 *
 * Sources by their short names: "captures": Linux 6.1 and 6.12 over software RoCE,
 * recorded on the wire.  el5-8, -53, -92, -274: Red Hat kernels 2.6.18-N.el5, whose
 * InfiniBand is that of OFED 1.1, 1.2, 1.3, 1.4. */
#include "cm_profile_rows.h"

#include "ib_cm_msg.h"

/* ----- timing, hz ----- */

#define WHEEL(V) \
  V (timing, CM_TIMING_LINUX, "kernel/time/timer.c since 4.8; captures: 6.144 s is 6.400 s") \
  V (hz, 250, "Debian's CONFIG_HZ; captures")
#define WHEEL_1000(V) \
  V (timing, CM_TIMING_LINUX, "kernel/time/timer.c since 4.8") \
  V (hz, 1000, "Red Hat's CONFIG_HZ; fits the 18.5 s of libfabric issue 10566")
#define DUE_JIFFY(V) \
  V (timing, CM_TIMING_LINUX_NOMINAL, "kernel/timer.c before 4.8: expires in the jiffy it is due") \
  V (hz, 1000, "Red Hat's CONFIG_HZ; without effect in this timing")
#define EXACT(V) \
  V (timing, CM_TIMING_SPEC, "IBTA 12.7: 4.096 us x 2^n") \
  V (hz, 250, "without effect in this timing")

/* ----- response_timeout, max_retries, packet_lifetime ----- */

#define RESPONSE_20(V) \
  V (response_timeout, 20, "cma.c CMA_CM_RESPONSE_TIMEOUT") \
  V (max_retries, 15, "cma.c CMA_MAX_CM_RETRIES")
#define RESPONSE_22(V) \
  V (response_timeout, 22, "MLNX_OFED 4.6 cma.c CMA_CM_RESPONSE_TIMEOUT") \
  V (max_retries, 15, "MLNX_OFED 4.6 cma.c CMA_MAX_CM_RETRIES")
#define RESPONSE_18(V) \
  V (response_timeout, 18, "series of Dec 2024, patch 9: \"roughly 1s\", TCP's first time-out") \
  V (max_retries, 15, "cma.c CMA_MAX_CM_RETRIES")
#define LIFETIME_18(V) \
  V (packet_lifetime, 18, "cma.c CMA_IBOE_PACKET_LIFETIME; captures of 6.1")
#define LIFETIME_16(V) \
  V (packet_lifetime, 16, "cma.c CMA_IBOE_PACKET_LIFETIME; captures of 6.12")
#define LIFETIME_OPENSM(V) \
  V (packet_lifetime, 18, "OpenSM's default for a path; there was no RoCE")

/* ----- target_ack_delay, ca_ack_delay, ack_delay_in_timeouts ----- */

#define ACK_DELAY(V) \
  V (target_ack_delay, 15, "cm.c cm_format_rep: the device's; captures (software RoCE)") \
  V (ca_ack_delay, 15, "rxe_param.h; adapters differ") \
  V (ack_delay_in_timeouts, TRUE, "cm.c cm_ack_timeout")
#define ACK_DELAY_2006(V) \
  V (target_ack_delay, 20, "el5-8, el5-53: the response timeout's code stands there") \
  V (ca_ack_delay, 15, "without effect when timeouts do not count it") \
  V (ack_delay_in_timeouts, FALSE, "el5-8 cm.c: min (31, packet lifetime + 1)")

/* ----- max_timeout ----- */

#define UNCAPPED(V) V (max_timeout, 31, "cm.c: no limit")
#define CAPPED(V) V (max_timeout, 21, "el5-53 to el5-274: module parameter max_timeout, 8192 ms")

/* ----- backoff_after, backoff_cap_ms, deadline_ms ----- */

#define LINEAR(V) \
  V (backoff_after, 0, "mad.c retry_send: no back-off") \
  V (backoff_cap_ms, 60000, "without effect when nothing backs off") \
  V (deadline_ms, 0, "mad.c: retries alone end a request")
#define BACKING_OFF(V) \
  V (backoff_after, 4, "series of Dec 2024, patch 7: IB_MAD_LINEAR_TIMEOUTS_DEFAULT") \
  V (backoff_cap_ms, 60000, "series of Dec 2024, patch 7: IB_MAD_MAX_TIMEOUT_MS") \
  V (deadline_ms, 300000, "series of Dec 2024, patch 2: at most 5 min (its patch 6: 70 s for CM)")

/* ----- the MRA fields ----- */

#define MRA_AFTER(V) \
  V (mra_for_duplicates, TRUE, "cma.c: IB_CM_MRA_FLAG_DELAY; captures") \
  V (mra_before_callback, FALSE, "cma.c since ead595aeb097 (2008)") \
  V (mra_service_timeout, 24, "cma.c CMA_CM_MRA_SETTING; captures") \
  V (mra_limit_ms, 0, "cm.c cm_mra_handler: no limit") \
  V (mra_once, FALSE, "mad.c ib_modify_mad; captures")
#define MRA_PREPARED(V) \
  V (mra_for_duplicates, TRUE, "a14a188879c8 (6.16): ib_prepare_cm_mra") \
  V (mra_before_callback, FALSE, "cma.c since ead595aeb097 (2008)") \
  V (mra_service_timeout, 24, "a14a188879c8 (6.16): the fixed setting") \
  V (mra_limit_ms, 0, "cm.c cm_mra_handler: no limit") \
  V (mra_once, FALSE, "mad.c ib_modify_mad")
#define MRA_BEFORE(V) \
  V (mra_for_duplicates, TRUE, "2.6.24 cma.c") \
  V (mra_before_callback, TRUE, "2.6.24 cma.c cma_req_handler: ib_send_cm_mra, then the handler") \
  V (mra_service_timeout, 24, "2.6.24 cma.c CMA_CM_MRA_SETTING") \
  V (mra_limit_ms, 0, "2.6.24 cm.c: no limit") \
  V (mra_once, FALSE, "mad.c ib_modify_mad")
#define MRA_OFED_1_4(V) \
  V (mra_for_duplicates, TRUE, "el5-92 on") \
  V (mra_before_callback, FALSE, "el5-92 on: after the handler") \
  V (mra_service_timeout, 24, "el5-92 on: cma.c CMA_CM_MRA_SETTING") \
  V (mra_limit_ms, 0, "max_timeout limits it") \
  V (mra_once, FALSE, "mad.c ib_modify_mad")
#define MRA_OFED_1_2(V) \
  V (mra_for_duplicates, FALSE, "el5-53 cma.c sends no MRA") \
  V (mra_before_callback, FALSE, "el5-53 cma.c sends no MRA") \
  V (mra_service_timeout, 24, "without effect: no MRA is sent") \
  V (mra_limit_ms, 0, "max_timeout limits it") \
  V (mra_once, FALSE, "mad.c ib_modify_mad")
#define MRA_OFED_1_1(V) \
  V (mra_for_duplicates, FALSE, "el5-8 cma.c sends no MRA") \
  V (mra_before_callback, FALSE, "el5-8 cma.c sends no MRA") \
  V (mra_service_timeout, 24, "without effect: no MRA is sent") \
  V (mra_limit_ms, 30000, "el5-8 cm.c mra_timeout_limit") \
  V (mra_once, FALSE, "mad.c ib_modify_mad")
#define MRA_2006(V) \
  V (mra_for_duplicates, FALSE, "2.6.17 cma.c sends no MRA") \
  V (mra_before_callback, FALSE, "2.6.17 cma.c sends no MRA") \
  V (mra_service_timeout, 24, "without effect: no MRA is sent") \
  V (mra_limit_ms, 0, "2.6.17 cm.c cm_mra_handler: no limit") \
  V (mra_once, FALSE, "mad.c ib_modify_mad")
#define MRA_ONCE(V) \
  V (mra_for_duplicates, TRUE, "cma.c: IB_CM_MRA_FLAG_DELAY") \
  V (mra_before_callback, FALSE, "cma.c since ead595aeb097 (2008)") \
  V (mra_service_timeout, 24, "cma.c CMA_CM_MRA_SETTING") \
  V (mra_limit_ms, 0, "cm.c cm_mra_handler: no limit") \
  V (mra_once, TRUE, "series of Dec 2024, patches 1, 2 and 7")

/* ----- drop_on_no_memory, destroy_rejects, destroy_mra_received_rej, sidr_unknown_answered -- */

#define REFUSAL(V) \
  V (drop_on_no_memory, TRUE, "cm.c cm_destroy_id: -ENOMEM in REQ_RCVD; captures") \
  V (destroy_rejects, TRUE, "cm.c cm_destroy_id: REJ 4 or 28 by state") \
  V (destroy_mra_received_rej, IB_CM_REJ_TIMEOUT, "cm.c cm_destroy_id; captures") \
  V (sidr_unknown_answered, TRUE, "cm.c cm_sidr_req_handler: IB_SIDR_UNSUPPORTED")
#define REFUSAL_2007(V) \
  V (drop_on_no_memory, TRUE, "cm.c cm_destroy_id since 2.6.18-rc2: -ENOMEM in REQ_RCVD") \
  V (destroy_rejects, TRUE, "cm.c cm_destroy_id: REJ 4 or 28 by state") \
  V (destroy_mra_received_rej, IB_CM_REJ_CONSUMER, "cm.c cm_destroy_id: with REP_SENT") \
  V (sidr_unknown_answered, TRUE, "cm.c cm_sidr_req_handler: IB_SIDR_UNSUPPORTED")
#define REFUSAL_OFED_1_1(V) \
  V (drop_on_no_memory, TRUE, "el5-8 cm.c; mainline since 2.6.18-rc2") \
  V (destroy_rejects, TRUE, "cm.c cm_destroy_id: REJ 4 or 28 by state") \
  V (destroy_mra_received_rej, IB_CM_REJ_CONSUMER, "el5-8 cm.c cm_destroy_id") \
  V (sidr_unknown_answered, FALSE, "assumed as in 2.6.17: \"todo: reply with no match\"")
#define REFUSAL_2006(V) \
  V (drop_on_no_memory, FALSE, "cm.c ib_destroy_cm_id up to 2.6.18-rc1 does not know why") \
  V (destroy_rejects, TRUE, "cm.c cm_destroy_id: REJ 4 or 28 by state") \
  V (destroy_mra_received_rej, IB_CM_REJ_CONSUMER, "2.6.17 cm.c ib_destroy_cm_id") \
  V (sidr_unknown_answered, FALSE, "2.6.17 cm.c: \"todo: reply with no match\"")

/* ----- path_check, class_version_rej, ip_cm_version_rej ----- */

#define CHECKS(V) \
  V (path_check, CM_PATH_CHECK_GIDS, "cm.c cm_req_handler: REJ 12 and 18, other fields not read") \
  V (class_version_rej, FALSE, "mad.c: no agent takes it; captures") \
  V (ip_cm_version_rej, TRUE, "cma.c cma_ib_req_handler: -EINVAL; captures")
#define CHECKS_2007(V) \
  V (path_check, CM_PATH_CHECK_GIDS, "el5-53 on cm.c cm_req_handler: REJ 12 and 18") \
  V (class_version_rej, FALSE, "mad.c: no agent takes it") \
  V (ip_cm_version_rej, FALSE, "cma.c: read while the child is made, so -ENOMEM (2.6.24, el5)")
#define CHECKS_2006(V) \
  V (path_check, CM_PATH_CHECK_SILENT, "el5-8 cm.c, 2.6.17: dropped") \
  V (class_version_rej, FALSE, "mad.c: no agent takes it") \
  V (ip_cm_version_rej, FALSE, "cma.c: read while the child is made, so -ENOMEM (el5-8)")
#define CHECKS_SPEC(V) \
  V (path_check, CM_PATH_CHECK_ALL, "IBTA 12.6.7.2: a reason for each field") \
  V (class_version_rej, TRUE, "IBTA 12.6.7.2: reason 31; illumos sends it") \
  V (ip_cm_version_rej, TRUE, "IBTA annex A11: the consumer refuses it")

/* ----- duplicate_by_qpn, dreq_on_stale, drep_for_unknown ----- */

#define PAST(V) \
  V (duplicate_by_qpn, FALSE, "cm.c cm_match_req: two checks; captures") \
  V (dreq_on_stale, TRUE, "cm.c cm_match_req: ib_send_cm_dreq; IBTA 12.9.8.3.1") \
  V (drep_for_unknown, TRUE, "cm.c cm_dreq_handler: cm_issue_drep; captures")
#define PAST_2007(V) \
  V (duplicate_by_qpn, FALSE, "el5-53 on, 2.6.24: two checks in cm_match_req") \
  V (dreq_on_stale, FALSE, "cm.c: none; gap reported on the list in Dec 2007") \
  V (drep_for_unknown, TRUE, "cm.c since 2.6.19-rc2")
#define PAST_2006(V) \
  V (duplicate_by_qpn, TRUE, "2.6.17, el5-8 cm.c cm_match_req: one check for both") \
  V (dreq_on_stale, FALSE, "cm.c: none") \
  V (drep_for_unknown, FALSE, "cm.c before 2.6.19-rc2: ignored")

/* ----- ucma_backlog_max, ucma_full_no_memory ----- */

#define UCMA(V) \
  V (ucma_backlog_max, 1024, "net.rdma_ucm.max_backlog since 97cb7e40c696 (2011); captures") \
  V (ucma_full_no_memory, TRUE, "ucma.c: -ENOMEM; captures")
#define UCMA_128(V) \
  V (ucma_backlog_max, 128, "ucma.c UCMA_MAX_BACKLOG") \
  V (ucma_full_no_memory, TRUE, "ucma.c: -ENOMEM (el5-53, 2.6.24)")
#define UCMA_QUOTA(V) \
  V (ucma_backlog_max, 128, "ucma.c UCMA_MAX_BACKLOG") \
  V (ucma_full_no_memory, FALSE, "ucma.c: -EDQUOT (el5-8, mainline up to 2.6.20)")

/* ----- cm_workers, mads_outstanding, sa_tries_per_timeout ----- */

#define ONE_WORKER(V) V (cm_workers, 1, "cm.c ib_cm_init: alloc_workqueue (\"ib_cm\", 0, 1)")
#define WORKER_PER_CPU(V) \
  V (cm_workers, 4, "cm.c ib_cm_init: create_workqueue, a thread per CPU; 4 CPUs assumed")
#define OUTSTANDING_ANY(V) V (mads_outstanding, 0, "mad.c: no limit")
#define OUTSTANDING_128(V) \
  V (mads_outstanding, 128, "mad.c since about 6.17: receive ring 512 / SOL_FC_MAX_DEFAULT_FRAC")
#define SA_TENTHS(V) V (sa_tries_per_timeout, 10, "sa_query.c: timeout / 10, 10 retries")
#define SA_ONCE(V) V (sa_tries_per_timeout, 0, "sa_query.c: one send with the caller's timeout")

/* ----- the profiles ----- */

#define LINUX_6_1(V) \
  WHEEL (V) RESPONSE_20 (V) LIFETIME_18 (V) ACK_DELAY (V) UNCAPPED (V) LINEAR (V) MRA_AFTER (V) \
  REFUSAL (V) CHECKS (V) PAST (V) UCMA (V) ONE_WORKER (V) OUTSTANDING_ANY (V) SA_TENTHS (V)
#define LINUX_6_12(V) \
  WHEEL (V) RESPONSE_20 (V) LIFETIME_16 (V) ACK_DELAY (V) UNCAPPED (V) LINEAR (V) MRA_AFTER (V) \
  REFUSAL (V) CHECKS (V) PAST (V) UCMA (V) ONE_WORKER (V) OUTSTANDING_ANY (V) SA_TENTHS (V)
#define LINUX_6_17(V) \
  WHEEL (V) RESPONSE_20 (V) LIFETIME_16 (V) ACK_DELAY (V) UNCAPPED (V) LINEAR (V) \
  MRA_PREPARED (V) REFUSAL (V) CHECKS (V) PAST (V) UCMA (V) ONE_WORKER (V) \
  OUTSTANDING_128 (V) SA_TENTHS (V)
#define RETRY_PROPOSAL(V) \
  WHEEL (V) RESPONSE_18 (V) LIFETIME_16 (V) ACK_DELAY (V) UNCAPPED (V) BACKING_OFF (V) \
  MRA_ONCE (V) REFUSAL (V) CHECKS (V) PAST (V) UCMA (V) ONE_WORKER (V) \
  OUTSTANDING_ANY (V) SA_TENTHS (V)
#define MLNX_4_6(V) \
  WHEEL_1000 (V) RESPONSE_22 (V) LIFETIME_18 (V) ACK_DELAY (V) UNCAPPED (V) LINEAR (V) \
  MRA_AFTER (V) REFUSAL (V) CHECKS (V) PAST (V) UCMA (V) ONE_WORKER (V) \
  OUTSTANDING_ANY (V) SA_ONCE (V)
#define LINUX_2_6_24(V) \
  DUE_JIFFY (V) RESPONSE_20 (V) LIFETIME_OPENSM (V) ACK_DELAY (V) UNCAPPED (V) LINEAR (V) \
  MRA_BEFORE (V) REFUSAL_2007 (V) CHECKS_2007 (V) PAST_2007 (V) UCMA_128 (V) WORKER_PER_CPU (V) \
  OUTSTANDING_ANY (V) SA_ONCE (V)
#define OFED_1_4(V) \
  DUE_JIFFY (V) RESPONSE_20 (V) LIFETIME_OPENSM (V) ACK_DELAY (V) CAPPED (V) LINEAR (V) \
  MRA_OFED_1_4 (V) REFUSAL_2007 (V) CHECKS_2007 (V) PAST_2007 (V) UCMA_128 (V) WORKER_PER_CPU (V) \
  OUTSTANDING_ANY (V) SA_ONCE (V)
#define OFED_1_2(V) \
  DUE_JIFFY (V) RESPONSE_20 (V) LIFETIME_OPENSM (V) ACK_DELAY_2006 (V) CAPPED (V) LINEAR (V) \
  MRA_OFED_1_2 (V) REFUSAL_2007 (V) CHECKS_2007 (V) PAST_2007 (V) UCMA_128 (V) WORKER_PER_CPU (V) \
  OUTSTANDING_ANY (V) SA_ONCE (V)
#define OFED_1_1(V) \
  DUE_JIFFY (V) RESPONSE_20 (V) LIFETIME_OPENSM (V) ACK_DELAY_2006 (V) UNCAPPED (V) LINEAR (V) \
  MRA_OFED_1_1 (V) REFUSAL_OFED_1_1 (V) CHECKS_2006 (V) PAST_2006 (V) \
  UCMA_QUOTA (V) WORKER_PER_CPU (V) \
  OUTSTANDING_ANY (V) SA_ONCE (V)
#define LINUX_2_6_17(V) \
  DUE_JIFFY (V) RESPONSE_20 (V) LIFETIME_OPENSM (V) ACK_DELAY_2006 (V) UNCAPPED (V) LINEAR (V) \
  MRA_2006 (V) REFUSAL_2006 (V) CHECKS_2006 (V) PAST_2006 (V) UCMA_QUOTA (V) WORKER_PER_CPU (V) \
  OUTSTANDING_ANY (V) SA_ONCE (V)
#define SPEC(V) \
  EXACT (V) RESPONSE_20 (V) LIFETIME_18 (V) ACK_DELAY (V) UNCAPPED (V) LINEAR (V) MRA_AFTER (V) \
  REFUSAL (V) CHECKS_SPEC (V) PAST (V) UCMA (V) ONE_WORKER (V) OUTSTANDING_ANY (V) SA_TENTHS (V)

/* clang-format off */
#define PROFILES(X) \
  X (linux_6_1, LINUX_6_1, "linux-6.1", \
     "Linux 6.1 and its timer wheel; RoCE packet lifetime code 18") \
  X (linux_6_12, LINUX_6_12, "linux-6.12", \
     "Linux 6.12: as 6.1 with RoCE packet lifetime code 16") \
  X (linux_6_17, LINUX_6_17, "linux-6.17", \
     "Linux 6.17: as 6.12, at most 128 CM messages of a host wait for an answer") \
  X (spec, SPEC, "spec", \
     "IBTA timers, exact, the response timeout alone; every REJ reason; otherwise Linux 6.1") \
  X (linux_2_6_17, LINUX_2_6_17, "linux-2.6.17", \
     "Linux 2.6.16 and 2.6.17 (2006): a consumer without memory is REJ 28, no MRA") \
  X (ofed_1_1, OFED_1_1, "ofed-1.1", \
     "OFED 1.1 (2006): silent drop for kernel consumers, REJ 28 from a full user backlog") \
  X (ofed_1_2, OFED_1_2, "ofed-1.2", \
     "OFED 1.2 (2007): silent drop throughout; every timer capped at code 21") \
  X (linux_2_6_24, LINUX_2_6_24, "linux-2.6.24", \
     "Linux 2.6.24 (2008): the MRA is prepared first, so a full backlog is REJ 28") \
  X (ofed_1_4, OFED_1_4, "ofed-1.4", \
     "OFED 1.4 (2008): as 1.2, with MRAs in answer to duplicates") \
  X (mlnx_4_6, MLNX_4_6, "mlnx-4.6", \
     "MLNX_OFED 4.6 (2019): response timeout code 22") \
  X (retry_proposal, RETRY_PROPOSAL, "retry-proposal-2024", \
     "The series of Dec 2024: 4 equal waits, then doubling, a deadline, response timeout code 18")
/* clang-format on */

#define VALUE(field, value, source) .field = value,
#define INDEX(field) \
  ((G_STRUCT_OFFSET (CmProfile, field) - G_STRUCT_OFFSET (CmProfile, timing)) / sizeof (guint))
#define SOURCE(field, value, source) [INDEX (field)] = source,

#define X(id, rows, name_, help_) \
  static const CmProfile id = { .name = name_, .help = help_, rows (VALUE) };
PROFILES (X)
#undef X

const CmProfile *const cm_profiles[] = {
#define X(id, rows, name, help) &id,
  PROFILES (X)
#undef X
  NULL,
};

const char *const cm_profile_sources[][CM_PROFILE_FIELDS] = {
#define X(id, rows, name, help) { rows (SOURCE) },
  PROFILES (X)
#undef X
};

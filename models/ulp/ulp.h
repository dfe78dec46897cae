/* Upper-layer protocols: how an application connects, what it makes of each outcome, and
 * how its passive side says that it is too busy.
 *
 * One file with a `const UlpClass` and a row in ulp_table.c.  The active side answers one
 * question: an attempt ended this way, what now?  Most answer it by a table of reactions
 * and a schedule. */
#pragma once

#include "backlog.h"
#include "cma.h"
#include "script.h"

/* How one attempt (one rdma_cm_id) ended. */
typedef enum {
  ULP_END_ESTABLISHED,
  ULP_END_REJECTED,      /* reason */
  ULP_END_UNREACHABLE,   /* REQ retries exhausted */
  ULP_END_ADDRESS_ERROR, /* address resolution timed out */
  ULP_END_ROUTE_ERROR,   /* path query timed out */
  ULP_END_CONNECT_ERROR,
  ULP_END_WATCHDOG,      /* no answer within the protocol's own limit */
} UlpEnd;

typedef struct {
  UlpEnd end;
  guint reason;        /* REJECTED */
  SimTime retry_after; /* REJECTED: the REJ's busy hint; 0: none */
  guint attempts;      /* made so far, this one included */
  SimTime since_start; /* since the first attempt began */
} UlpOutcome;

typedef struct {
  gboolean retry;    /* a new attempt, with a new id, after `delay` */
  gboolean redirect; /* ... where the REJ says */
  SimTime delay;
} UlpDecision;

typedef enum {
  ULP_FAIL,
  ULP_RETRY,    /* by the schedule */
  ULP_REDIRECT, /* at once, to the place the REJ names */
} UlpAction;

#define ULP_ANY_REASON 0

typedef struct {
  UlpEnd end;
  guint reason;     /* REJECTED: this one; ULP_ANY_REASON: all that no row before names */
  UlpAction action;
  const char *errno_name; /* what the application sees if that is the end ("ECONNREFUSED") */
} UlpReaction;

typedef enum {
  ULP_JITTER_NONE,
  ULP_JITTER_FULL, /* uniform in [0, wait] */
} UlpJitter;

/* When the next attempt starts. */
typedef struct {
  SimTime first;  /* wait before the second attempt */
  double factor;  /* each further wait is so many times the one before; 0: 1 */
  SimTime cap;    /* longest wait; 0: none */
  UlpJitter jitter;
  guint attempts; /* at most, the first included; 0: no limit */
  SimTime budget; /* no attempt starts later than this after the first; 0: no limit */
} UlpSchedule;

/* The passive side, for listeners that do `as the ULP does`. */
typedef struct {
  BacklogVerdict full;  /* ADMIT: no limit is enforced */
  guint limit;          /* its own; 0: what the application asked for */
  guint limit_percent;  /* of that; 0: 100 */
  guint limit_plus;     /* and so many more */
  BacklogCounts counts;
  gboolean accept_early; /* the REP goes out in the callback, before the application accepts */
  const char *source;
} UlpListen;

typedef struct {
  SimClassInfo info;
  CmaPortSpace space;
  SimTime address_timeout, route_timeout; /* of rdma_resolve_addr / _route */
  SimTime watchdog;       /* longest wait from the REQ to the REP; 0: none */
  guint response_timeout; /* code it puts in its REQs; 0: the profile's */
  guint response_over_path; /* that is the least: so much over the path's lifetime code; 0: no */
  guint max_retries;      /* CM retries it asks for; 0: the profile's */
  const UlpReaction *reactions; /* to ESTABLISHED: none; ends with errno_name NULL */
  /* Waits between attempts; NULL: there is one attempt. */
  UlpSchedule (*schedule) (gconstpointer params, const UlpOutcome *outcome);
  /* NULL: by reactions and schedule. */
  UlpDecision (*decide) (gconstpointer params, const UlpOutcome *outcome, SimStream *stream);
  UlpListen listen;
} UlpClass;

extern const UlpClass ulp_sdp, ulp_sdp_ofed_2006, ulp_sdp_ofed_1_4, ulp_sdp_mlnx, ulp_sdp_freebsd,
    ulp_sdp_spec, ulp_sdp_illumos, ulp_wsd, ulp_rsockets, ulp_nvme_rdma, ulp_spdk, ulp_iser,
    ulp_srp, ulp_nfs_rdma, ulp_rds, ulp_lustre, ulp_ipoib_cm, ulp_rxm, ulp_ucx, ulp_mpi, ulp_cmtime,
    ulp_9p, ulp_smbdirect, ulp_ipxe, ulp_script, ulp_generic;
extern const SimClassInfo *const ulp_classes[];

const UlpClass *ulp_find (const char *name); /* NULL if there is none of that name */
/* Port space of its services; ud: of those resolved by SIDR. */
CmaPortSpace ulp_space (const UlpClass *ulp, gboolean ud);
/* What a scenario may choose in its place. */
typedef enum {
  ULP_PORT_SPACE_OWN, /* the protocol's */
  ULP_PORT_SPACE_TCP,
  ULP_PORT_SPACE_UDP,
  ULP_PORT_SPACE_IPOIB,
  ULP_PORT_SPACE_IB,
  ULP_PORT_SPACE_SDP,
} UlpPortSpace;

extern const char *const ulp_port_space_names[];
CmaPortSpace ulp_space_chosen (const UlpClass *ulp, gboolean ud, UlpPortSpace chosen);
/* The row for an outcome that is not ESTABLISHED. */
const UlpReaction *ulp_reaction (const UlpClass *ulp, UlpEnd end, guint reason);
UlpDecision ulp_decide (const UlpClass *ulp, gconstpointer params, const UlpOutcome *outcome,
                        SimStream *stream);
/* errno name the application sees for a final outcome; "" if established. */
const char *ulp_errno_name (const UlpClass *ulp, UlpEnd end, guint reason);

/* What `script` has: calls and events of each connect. */
typedef struct {
  GArray *steps; /* ScriptStep */
} UlpScriptParams;

/* --- For the rows */

/* What SDP of OFED makes of each outcome; the variants share it. */
extern const UlpReaction ulp_sdp_reactions[];

#define ULP_REJECTED(reason_, action_, errno_) \
  { .end = ULP_END_REJECTED, .reason = reason_, .action = action_, .errno_name = errno_ }
#define ULP_ON(end_, action_, errno_) \
  { .end = ULP_END_##end_, .action = action_, .errno_name = errno_ }
#define ULP_REACTIONS_END { .errno_name = NULL }

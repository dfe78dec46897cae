/* Profiles: what an implementation of a given era does, as data.
 *
 * A profile is a set of rows (field, value, source); the code reads the fields and never
 * asks which profile it has.  Every field can be overridden in a scenario. */
#pragma once

#include "sim_param.h"

/* What a CM looks at in the paths of a REQ before it asks its consumer. */
typedef enum {
  CM_PATH_CHECK_SILENT, /* GIDs; a REQ with a GID that is not the port's is dropped */
  CM_PATH_CHECK_GIDS,   /* GIDs; it is answered REJ 12 or 18 */
  CM_PATH_CHECK_ALL,    /* every field that a REJ reason is for (IBTA 12.6.7.2) */
} CmPathCheck;

typedef enum {
  CM_TIMING_SPEC,          /* 4.096 us x 2^n; the response timeout alone */
  CM_TIMING_LINUX_NOMINAL, /* 2^(n-8) ms; REQ and active DREQ add 2 x packet lifetime */
  CM_TIMING_LINUX,         /* the same, on the kernel's timer wheel, one timer per host */
} CmTiming;

/* All fields but name and help are four bytes wide, in the order of cm_profile_params. */
typedef struct CmProfile {
  const char *name;
  const char *help;
  /* Timers. */
  guint timing;                    /* CmTiming */
  guint hz;                        /* LINUX: timer interrupts per second */
  guint response_timeout;          /* code put in both response-timeout fields of a REQ */
  guint max_retries;               /* of REQ, REP, DREQ: sends = 1 + retries */
  guint packet_lifetime;           /* code, where no path record says it (RoCE) */
  guint target_ack_delay;          /* code put in the REP */
  guint ca_ack_delay;              /* own CA's ack delay code */
  gboolean ack_delay_in_timeouts;  /* ACK timeout (REQ, timewait, MRA) counts the CAs' delays;
                                    * else it is the packet lifetime's code + 1 */
  guint max_timeout;               /* code that caps every timer and the REQ's codes; 31: none */
  guint backoff_after;             /* equal waits before each is twice the last; 0: never */
  guint backoff_cap_ms;            /* longest wait of a back-off */
  guint deadline_ms;               /* no try begins so long after the first; 0: none */
  /* MRA. */
  gboolean mra_for_duplicates;     /* rdma_cm prepares an MRA: it answers a duplicate REQ or REP */
  gboolean mra_before_callback;    /* prepared before the consumer is asked: REJ for -ENOMEM */
  guint mra_service_timeout;       /* code in the MRA */
  guint mra_limit_ms;              /* longest wait that a received MRA can ask for; 0: any */
  gboolean mra_once;               /* a received MRA lengthens the wait in progress only, moves
                                    * the deadline and restarts the back-off */
  /* Refusal. */
  gboolean drop_on_no_memory;      /* -ENOMEM from the consumer is silent (else REJ 28) */
  gboolean destroy_rejects;        /* an id destroyed before it is connected says so by a REJ */
  guint destroy_mra_received_rej;  /* REJ reason if destroyed in MRA_REQ_RCVD */
  gboolean sidr_unknown_answered;  /* SIDR_REP 1 where nobody listens; else silence */
  guint path_check;                /* CmPathCheck */
  gboolean class_version_rej;      /* a REQ of another class version: REJ 31; else silence */
  gboolean ip_cm_version_rej;      /* a private-data header of another version: REJ 28; else the
                                    * consumer's "no memory" */
  /* The past. */
  gboolean duplicate_by_qpn;       /* a REQ with a QPN in use counts as a duplicate, not REJ 10 */
  gboolean dreq_on_stale;          /* a stale hit sends a DREQ on the old connection */
  gboolean drep_for_unknown;       /* a DREQ for no known id is answered */
  /* Capacity. */
  guint ucma_backlog_max;          /* largest user-space backlog, also used for 0 */
  gboolean ucma_full_no_memory;    /* a full user-space backlog says -ENOMEM; else REJ 28 */
  guint cm_workers;                /* CM messages a host works on at a time */
  guint mads_outstanding;          /* MADs waiting for an answer, per CM agent; 0: any number */
  guint sa_tries_per_timeout;      /* 10: T/10 per try, 11 sends (6.1); 0: one send with T */
} CmProfile;

/* All profiles, NULL-terminated. */
extern const CmProfile *const cm_profiles[];
const CmProfile *cm_profile_find (const char *name);
/* Rows that override the fields above in a scenario (`profile: {base: .., hz: ..}`). */
extern const SimParam cm_profile_params[];
/* Where the value of a field of one of cm_profiles comes from. */
const char *cm_profile_source (const CmProfile *profile, const SimParam *field);
/* The value as one would write it in a scenario.  (transfer full) */
char *cm_profile_value (const CmProfile *profile, const SimParam *field);

/* Profiles: what an implementation of a given era does, as data.
 *
 * A profile is a row; the code reads the fields and never asks which profile it
 * has.  Every field of a row can be overridden in a scenario. */
#pragma once

#include "sim_param.h"

typedef enum {
  CM_TIMING_SPEC,          /* 4.096 us x 2^n; the response timeout alone */
  CM_TIMING_LINUX_NOMINAL, /* 2^(n-8) ms; REQ and active DREQ add 2 x packet lifetime */
  CM_TIMING_LINUX,         /* the same, on the kernel's timer wheel, one timer per host */
} CmTiming;

typedef struct CmProfile {
  const char *name;
  const char *help;
  guint timing;                    /* CmTiming */
  guint hz;                        /* LINUX: timer interrupts per second */
  guint response_timeout;          /* code put in both response-timeout fields of a REQ */
  guint max_retries;               /* of REQ, REP, DREQ: sends = 1 + retries */
  guint packet_lifetime;           /* code, where no path record says it (RoCE) */
  guint mra_service_timeout;       /* code in the MRA */
  gboolean mra_for_duplicates;     /* rdma_cm prepares an MRA: it answers a duplicate REQ or REP */
  gboolean mra_before_callback;    /* prepared before the consumer is asked: REJ for -ENOMEM */
  gboolean drop_on_no_memory;      /* -ENOMEM from the consumer is silent (else REJ 28) */
  guint destroy_mra_received_rej;  /* REJ reason if destroyed in MRA_REQ_RCVD: 4, old kernels 28 */
  gboolean drep_for_unknown;       /* a DREQ for no known id is answered */
  gboolean dreq_on_stale;          /* a stale hit sends a DREQ on the old connection */
  guint target_ack_delay;          /* code put in the REP */
  guint ca_ack_delay;              /* own CA's ack delay code */
  guint sa_tries_per_timeout;      /* 10: T/10 per try, 11 sends (6.1); 0: one send with T */
  guint ucma_backlog_max;          /* largest user-space backlog, also used for 0 */
} CmProfile;

/* All profiles, NULL-terminated. */
extern const CmProfile *const cm_profiles[];
const CmProfile *cm_profile_find (const char *name);
/* Rows that override the fields above in a scenario (`profile: {base: .., hz: ..}`). */
extern const SimParam cm_profile_params[];

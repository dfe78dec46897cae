/* One end of a connection, as the IB CM sees it: a plain value.
 *
 * No pointer into an engine, no timer, no list: it can be copied, compared and
 * hashed.  Only cm_fsm_step() changes `state`, only cm_lap_step() `lap_state` of an
 * established end.  An end of a SIDR exchange is the same value with a CmSidrState in
 * `state`, changed by cm_sidr_step() alone.
 *
 * The owner sets the local id of a new end; before ULP_CONNECT also service_id,
 * local_qpn, local_psn, packet_lifetime, both response timeouts, max_cm_retries, wrong and
 * peer; before ULP_ACCEPT local_qpn and local_psn; before SIDR_EV_ULP_RESOLVE service_id,
 * local_response_timeout and max_cm_retries; before SIDR_EV_ULP_REPLY local_qpn. */
#pragma once

#include "cm_profile.h"
#include "sim_time.h"

#define CM_STATE_LIST(X) \
  X (IDLE)         \
  X (REQ_SENT)     \
  X (REQ_RCVD)     \
  X (MRA_REQ_SENT) \
  X (MRA_REQ_RCVD) \
  X (REP_SENT)     \
  X (REP_RCVD)     \
  X (MRA_REP_SENT) \
  X (MRA_REP_RCVD) \
  X (ESTABLISHED)  \
  X (DREQ_SENT)    \
  X (DREQ_RCVD)    \
  X (TIMEWAIT)

typedef enum {
#define X(name) CM_STATE_##name,
  CM_STATE_LIST (X)
#undef X
  CM_STATE_COUNT
} CmState;

/* Alternate paths: LAP and APR; used while ESTABLISHED, else UNINIT. */
#define CM_LAP_STATE_LIST(X) \
  X (UNINIT)       \
  X (IDLE)         \
  X (SENT)         \
  X (RCVD)         \
  X (MRA_LAP_SENT) \
  X (MRA_LAP_RCVD)

typedef enum {
#define X(name) CM_LAP_STATE_##name,
  CM_LAP_STATE_LIST (X)
#undef X
  CM_LAP_STATE_COUNT
} CmLapState;

/* What says how long an end waits for an answer, by the profile's arithmetic of timers
 * (cm_time_nominal). */
typedef enum {
  CM_WAIT_NONE,     /* it does not wait */
  CM_WAIT_REQUEST,  /* REQ, and LAP and DREQ of the active side */
  CM_WAIT_RESPONSE, /* REP, SIDR_REQ, and LAP and DREQ of the passive side */
  CM_WAIT_MRA,      /* an MRA has replaced it */
} CmWaitKind;

/* There may be millions of ends: fields are as wide as on the wire, and those of 64 bits begin at
 * any multiple of 4 bytes. */
typedef guint64 CmField64 __attribute__ ((aligned (4)));

#define CM_CODE(code) ((code) & 31u)       /* a time code, for a field of 5 bits */
#define CM_RETRIES(retries) ((retries) & 15u)
#define CM_24_BITS(number) ((number) & 0xffffffu) /* a QPN */
#define CM_STATE_BITS(state) ((state) & 15u)

typedef struct {
  guint32 state : 4;              /* CmState */
  guint32 lap_state : 3;          /* CmLapState */
  guint32 active : 1;             /* this end sent the REQ that counts */
  guint32 deferred : 1;           /* passive: held by a defer policy without a slot */
  guint32 peer : 1;               /* peer to peer: the other side's REQ may cross this one's */
  guint32 redirected : 1;         /* the REJ that ended it had reason 24 or 25 */
  guint32 wait : 2;               /* CmWaitKind of the message being waited on */
  guint32 mra_received : 5;       /* CM_WAIT_MRA: the MRA's code */
  guint32 retries_left : 5;       /* of the message being waited on */
  guint32 waits : 5;              /* for it, before the one in progress, since the back-off began */
  guint32 max_cm_retries : 4;
  guint32 remote_response_timeout : 5; /* codes, as in the REQ */
  guint32 local_response_timeout : 5;
  guint32 packet_lifetime : 5;    /* code of the path (passive: from the REQ's ACK timeout) */
  guint32 ack_timeout : 5;        /* code; "av.timeout" of Linux: timewait and MRA */
  union {
    guint8 mra_service_timeout;   /* code sent for duplicates while an MRA is prepared */
    guint8 wrong;                 /* active, until the REP: IbCmWrong of its REQs */
  };
  guint32 local_qpn : 24;
  guint8 sends;                   /* of that message; else of the RTU, MRA or DREP being repeated */
  guint32 remote_qpn : 24;
  guint8 sends_total;             /* REQs or SIDR_REQs sent so far (active) */
  guint32 local_id, remote_id;
  union {
    guint32 local_psn;            /* starting PSN this end puts in its REQ or REP */
    guint32 retry_after_us;       /* of the REJ that ended it: busy hint; 0: none */
    guint32 redirect;             /* redirected: LID it named; 0: none */
  };
  union {
    CmField64 service_id;         /* active, until the REP; SIDR */
    CmField64 remote_ca_guid;     /* once the REQ or REP of the peer was taken */
  };
  CmField64 tid;                  /* of the REQ; once a DREQ or LAP was taken, of that */
} CmConn;

G_STATIC_ASSERT (CM_STATE_COUNT <= 16 && CM_LAP_STATE_COUNT <= 8);

extern const char *const cm_state_names[CM_STATE_COUNT],
    *const cm_lap_state_names[CM_LAP_STATE_COUNT];
const char *cm_state_name (CmState state);

/* Communication-management messages (IBTA vol. 1, chapter 12) as values, and the
 * names and numbers that go with them.  Source of the numbers: IBTA 12.6, 12.6.7.2
 * as used by Linux include/rdma/ibta_vol1_c12.h and ib_cm.h. */
#pragma once

#include <glib.h>

/*             name      attribute id, private data offset and size (bytes after the MAD header) */
#define IB_CM_ATTR_LIST(X) \
  X (REQ,      0x0010, 140,  92) \
  X (MRA,      0x0011,  10, 222) \
  X (REJ,      0x0012,  84, 148) \
  X (REP,      0x0013,  36, 196) \
  X (RTU,      0x0014,   8, 224) \
  X (DREQ,     0x0015,  12, 220) \
  X (DREP,     0x0016,   8, 224) \
  X (SIDR_REQ, 0x0017,  16, 216) \
  X (SIDR_REP, 0x0018,  96, 136) \
  X (LAP,      0x0019,  64, 168) \
  X (APR,      0x001A,  84, 148)

typedef enum {
#define X(name, id, offset, size) IB_CM_##name = id,
  IB_CM_ATTR_LIST (X)
#undef X
} IbCmAttr;
#define IB_CM_ATTR_FIRST IB_CM_REQ
#define IB_CM_ATTR_COUNT 11

/* "Message MRAed" and "message REJected". */
typedef enum {
  IB_CM_MESSAGE_REQ = 0,
  IB_CM_MESSAGE_REP = 1,
  IB_CM_MESSAGE_OTHER = 2,
} IbCmMessage;

typedef enum {
  IB_CM_REJ_NO_QP = 1,
  IB_CM_REJ_NO_RESOURCES = 3,
  IB_CM_REJ_TIMEOUT = 4,
  IB_CM_REJ_INVALID_SERVICE_ID = 8,
  IB_CM_REJ_STALE_CONNECTION = 10,
  IB_CM_REJ_CONSUMER = 28,
} IbCmRejReason;

typedef struct {
  guint16 attr;      /* IbCmAttr */
  guint16 reason;    /* REJ: reason code; SIDR_REP, APR: status */
  guint8 message;    /* MRA, REJ: IbCmMessage */
  guint8 service_timeout;            /* MRA: 5-bit time code */
  guint8 remote_response_timeout;    /* REQ: 5-bit time code, drives the REQ timer */
  guint8 local_response_timeout;     /* REQ: 5-bit time code, drives the passive side's timers */
  guint8 max_cm_retries;             /* REQ: 0..15 */
  guint8 local_ack_timeout;          /* REQ: 5-bit time code of the primary path */
  guint8 target_ack_delay;           /* REP: 5-bit time code */
  guint8 retry_count, rnr_retry_count;
  guint8 responder_resources, initiator_depth;
  guint8 sends;      /* how often this message has been sent, 1 = first; not on the wire */
  guint32 local_id;  /* sender's communication id; 0 if it has none; SIDR_REQ: request id */
  guint32 remote_id; /* receiver's communication id; 0 in a REQ; SIDR_REP: request id */
  guint32 qpn;       /* REQ, REP, SIDR_REP: sender's QPN; DREQ, LAP: receiver's QPN */
  union {
    guint32 starting_psn;   /* REQ, REP */
    guint32 retry_after_us; /* REJ: busy hint in the private data; 0: none */
  };
  guint64 tid;
  guint64 service_id; /* REQ, SIDR */
  guint64 ca_guid;    /* REQ, REP: sender's; REJ 4: sender's, in the ARI */
} IbCmMsg;

/* "REQ"; "?" for an unknown id. */
const char *ib_cm_attr_name (guint attr);
/* The reason's standard name ("no resources"), or "unknown reason". */
const char *ib_cm_rej_reason_name (guint reason);

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
  IB_CM_REJ_PRIMARY_GID = 12,
  IB_CM_REJ_PRIMARY_LID = 13,
  IB_CM_REJ_PRIMARY_SL = 14,
  IB_CM_REJ_PRIMARY_TRAFFIC_CLASS = 15,
  IB_CM_REJ_PRIMARY_HOP_LIMIT = 16,
  IB_CM_REJ_PRIMARY_RATE = 17,
  IB_CM_REJ_ALTERNATE_GID = 18,
  IB_CM_REJ_ALTERNATE_LID = 19,
  IB_CM_REJ_ALTERNATE_SL = 20,
  IB_CM_REJ_ALTERNATE_TRAFFIC_CLASS = 21,
  IB_CM_REJ_ALTERNATE_HOP_LIMIT = 22,
  IB_CM_REJ_ALTERNATE_RATE = 23,
  IB_CM_REJ_PORT_CM_REDIRECT = 24,
  IB_CM_REJ_PORT_REDIRECT = 25,
  IB_CM_REJ_MTU = 26,
  IB_CM_REJ_CONSUMER = 28,
  IB_CM_REJ_CLASS_VERSION = 31,
  IB_CM_REJ_PRIMARY_FLOW_LABEL = 32,
  IB_CM_REJ_ALTERNATE_FLOW_LABEL = 33,
} IbCmRejReason;
#define IB_CM_REJ_REASON_MAX 35

/* What the additional information of a REJ holds (IBTA 12.6.7.2): text, bytes. */
#define IB_CM_ARI_LIST(X) \
  X (NONE,            "nothing",                   0) \
  X (CA_GUID,         "CA GUID of the sender",     8) \
  X (GID,             "a GID that is accepted",   16) \
  X (LID,             "a LID that is accepted",    2) \
  X (VALUE,           "a value that is accepted",  1) \
  X (FLOW_LABEL,      "a value that is accepted",  3) \
  X (CLASS_VERSION,   "highest version supported", 1) \
  X (CLASS_PORT_INFO, "ClassPortInfo",            72)

typedef enum {
#define X(name, text, bytes) IB_CM_ARI_##name,
  IB_CM_ARI_LIST (X)
#undef X
  IB_CM_ARI_COUNT
} IbCmAri;

/* What a REQ may say that its receiver cannot go along with, and the REJ that answers it. */
#define IB_CM_WRONG_LIST(X) \
  X (NOTHING,                 "nothing",                 0)  \
  X (CLASS_VERSION,           "class-version",           31) \
  X (IP_CM_VERSION,           "ip-cm-version",           28) \
  X (MTU,                     "mtu",                     26) \
  X (PRIMARY_GID,             "primary-gid",             12) \
  X (PRIMARY_LID,             "primary-lid",             13) \
  X (PRIMARY_SL,              "primary-sl",              14) \
  X (PRIMARY_TRAFFIC_CLASS,   "primary-traffic-class",   15) \
  X (PRIMARY_HOP_LIMIT,       "primary-hop-limit",       16) \
  X (PRIMARY_RATE,            "primary-rate",            17) \
  X (PRIMARY_FLOW_LABEL,      "primary-flow-label",      32) \
  X (ALTERNATE_GID,           "alternate-gid",           18) \
  X (ALTERNATE_LID,           "alternate-lid",           19) \
  X (ALTERNATE_SL,            "alternate-sl",            20) \
  X (ALTERNATE_TRAFFIC_CLASS, "alternate-traffic-class", 21) \
  X (ALTERNATE_HOP_LIMIT,     "alternate-hop-limit",     22) \
  X (ALTERNATE_RATE,          "alternate-rate",          23) \
  X (ALTERNATE_FLOW_LABEL,    "alternate-flow-label",    33)

typedef enum {
#define X(name, text, reason) IB_CM_WRONG_##name,
  IB_CM_WRONG_LIST (X)
#undef X
  IB_CM_WRONG_COUNT
} IbCmWrong;

/* The version of the CM's messages (IBTA 12.6.1). */
#define IB_CM_CLASS_VERSION 2

/* SIDR_REP (IBTA 12.11.2; Linux enum ib_cm_sidr_status). */
#define IB_CM_SIDR_STATUS_LIST(X) \
  X (SUCCESS,             0, "valid QPN returned")       \
  X (UNSUPPORTED,         1, "service id not supported") \
  X (REJECT,              2, "rejected by the service")  \
  X (NO_QP,               3, "no QP available")          \
  X (REDIRECT,            4, "redirect")                 \
  X (UNSUPPORTED_VERSION, 5, "unsupported version")

typedef enum {
#define X(name, number, text) IB_CM_SIDR_##name = number,
  IB_CM_SIDR_STATUS_LIST (X)
#undef X
} IbCmSidrStatus;

/* APR (IBTA 12.8.2; Linux enum ib_cm_apr_status). */
#define IB_CM_APR_STATUS_LIST(X) \
  X (SUCCESS,         0, "alternate path loaded")                 \
  X (INVALID_ID,      1, "invalid communication id")              \
  X (UNSUPPORTED,     2, "alternate paths unsupported")           \
  X (REJECT,          3, "rejected")                              \
  X (REDIRECT,        4, "redirect")                              \
  X (CURRENT_PATH,    5, "the proposed path is the current one")  \
  X (WRONG_QPN,       6, "QPN or EECN does not match")            \
  X (LID,             7, "LID rejected")                          \
  X (GID,             8, "GID rejected")                          \
  X (FLOW_LABEL,      9, "flow label rejected")                   \
  X (TRAFFIC_CLASS,  10, "traffic class rejected")                \
  X (HOP_LIMIT,      11, "hop limit rejected")                    \
  X (RATE,           12, "rate rejected")                         \
  X (SL,             13, "SL rejected")

typedef enum {
#define X(name, number, text) IB_CM_APR_##name = number,
  IB_CM_APR_STATUS_LIST (X)
#undef X
} IbCmAprStatus;

typedef struct {
  guint16 attr;      /* IbCmAttr */
  guint16 reason;    /* REJ: reason code; SIDR_REP, APR: status */
  guint8 message;    /* MRA, REJ: IbCmMessage */
  union {
    guint8 service_timeout;          /* MRA: 5-bit time code */
    guint8 wrong;                    /* REQ: IbCmWrong, made by ib_cm_req_make_wrong() */
  };
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
  union {
    guint64 ca_guid;  /* REQ, REP: sender's; REJ 4: sender's, in the ARI */
    guint64 redirect; /* REJ 24, 25: LID of the port that the ARI names; 0: none */
  };
} IbCmMsg;

/* "REQ"; "?" for an unknown id. */
const char *ib_cm_attr_name (guint attr);
/* The reason's standard name ("no resources"), or "unknown reason". */
const char *ib_cm_rej_reason_name (guint reason);
/* What the additional information of a REJ with that reason holds. */
IbCmAri ib_cm_rej_ari (guint reason);
/* The reason that says what is wrong with a REQ; 0: nothing is. */
guint ib_cm_wrong_reason (IbCmWrong wrong);
const char *ib_cm_ari_text (IbCmAri ari);
guint ib_cm_ari_bytes (IbCmAri ari);
/* "rejected by the service", "alternate path loaded", or "unknown status". */
const char *ib_cm_sidr_status_name (guint status);
const char *ib_cm_apr_status_name (guint status);

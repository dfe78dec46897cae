/* Events of the IB CM state machine: everything that can happen to a connection. */
#pragma once

#include "ib_cm_msg.h"

/*  name               text                     */
#define CM_EVENT_LIST(X) \
  X (ULP_CONNECT,      "connect called")                     \
  X (ULP_ACCEPT,       "accept called")                      \
  X (ULP_REJECT,       "reject called")                      \
  X (ULP_ESTABLISH,    "establish called (send RTU)")        \
  X (ULP_PREPARE_MRA,  "MRA prepared")                       \
  X (ULP_DISCONNECT,   "disconnect called")                  \
  X (ULP_DESTROY,      "id destroyed")                       \
  X (COMM_EST,         "QP raised communication established") \
  X (REQ_ADMITTED,     "REQ, consumer took it")              \
  X (REQ_DROPPED,      "REQ, consumer has no memory")        \
  X (REQ_REJECTED,     "REQ, consumer refuses")              \
  X (REQ_DEFERRED,     "REQ, consumer defers")               \
  X (RX_REQ,           "duplicate REQ received")             \
  X (RX_MRA,           "MRA received")                       \
  X (RX_REJ,           "REJ received")                       \
  X (RX_REP,           "REP received")                       \
  X (RX_REP_STALE,     "REP received for a QPN in use")      \
  X (RX_RTU,           "RTU received")                       \
  X (RX_DREQ,          "DREQ received")                      \
  X (RX_DREP,          "DREP received")                      \
  X (RESPONSE_TIMEOUT, "response timer expired")             \
  X (TIMEWAIT_EXIT,    "timewait over")                      \
  X (RX_REQ_PEER,      "the peer's own REQ received")

/* A consumer that has destroyed its id hears nothing more; the end lives on until
 * it is IDLE.  The four verdicts REQ_* are given once on a new REQ, and once more,
 * without REQ_DEFERRED, on a deferred one. */
typedef enum {
#define X(name, text) CM_EV_##name,
  CM_EVENT_LIST (X)
#undef X
  CM_EV_COUNT
} CmEventType;

/* An event of any of the CM's machines. */
typedef struct {
  guint type;          /* CmEventType, CmLapEventType, CmSidrEventType */
  const IbCmMsg *msg;  /* of a message and of a verdict on it (borrowed); else NULL */
  guint64 ca_guid;     /* RX_REQ_PEER: this end's own */
  guint reason;        /* rejections: REJ reason; APR or SIDR_REP: status */
  guint32 retry_after_us; /* REQ_REJECTED: busy hint; 0: none */
  guint32 redirect;    /* REQ_REJECTED, ULP_REJECT with reason 24 or 25: LID to go to; 0: none */
  guint service_timeout; /* REQ_DEFERRED, ULP_PREPARE_MRA: MRA code; 0 = the profile's */
  gboolean last;       /* RESPONSE_TIMEOUT: the deadline is over, no further try */
} CmEvent;

extern const char *const cm_event_names[CM_EV_COUNT], *const cm_event_texts[CM_EV_COUNT];
const char *cm_event_name (CmEventType type); /* "RX_REQ" */
const char *cm_event_text (CmEventType type); /* "duplicate REQ received" */

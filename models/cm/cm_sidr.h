/* Service ID resolution: SIDR_REQ and SIDR_REP, which give the QPN and Q_Key of a UD
 * service (IBTA 12.11).  One exchange, no timewait, no MRA. */
#pragma once

#include "cm_fsm.h"

#define CM_SIDR_STATE_LIST(X) \
  X (IDLE)          \
  X (SIDR_REQ_SENT) \
  X (SIDR_REQ_RCVD)

typedef enum {
#define X(name) CM_SIDR_STATE_##name,
  CM_SIDR_STATE_LIST (X)
#undef X
  CM_SIDR_STATE_COUNT
} CmSidrState;

#define CM_SIDR_EVENT_LIST(X) \
  X (ULP_RESOLVE,      "resolve called (send SIDR_REQ)")  \
  X (ULP_REPLY,        "reply called (send SIDR_REP)")    \
  X (ULP_DESTROY,      "id destroyed")                    \
  X (REQ_ADMITTED,     "SIDR_REQ, consumer took it")      \
  X (REQ_REFUSED,      "SIDR_REQ, consumer does not take it") \
  X (RX_SIDR_REQ,      "duplicate SIDR_REQ received")     \
  X (RX_SIDR_REP,      "SIDR_REP received")               \
  X (RESPONSE_TIMEOUT, "response timer expired")

typedef enum {
#define X(name, text) CM_SIDR_EV_##name,
  CM_SIDR_EVENT_LIST (X)
#undef X
  CM_SIDR_EV_COUNT
} CmSidrEventType;

extern const CmMachine cm_sidr_fsm;

/* Feeds one event to an end of a SIDR exchange.  As cm_fsm_step(). */
const CmFsmRow *cm_sidr_step (CmConn *conn, const CmEvent *event, const CmProfile *profile,
                              CmEffects *effects);

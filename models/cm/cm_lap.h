/* Alternate paths: LAP and APR, a machine inside an established connection (IBTA 12.8,
 * 12.9.8.2).  Linux no longer sends LAPs, but answers them. */
#pragma once

#include "cm_fsm.h"

#define CM_LAP_EVENT_LIST(X) \
  X (ULP_LOAD,         "alternate path offered (send LAP)")     \
  X (ULP_ANSWER,       "alternate path judged (send APR)")      \
  X (ULP_DELAY,        "time asked for (send MRA)")             \
  X (RX_LAP,           "LAP received")                          \
  X (RX_APR,           "APR received")                          \
  X (RX_MRA,           "MRA for the LAP received")              \
  X (RESPONSE_TIMEOUT, "response timer expired")

typedef enum {
#define X(name, text) CM_LAP_EV_##name,
  CM_LAP_EVENT_LIST (X)
#undef X
  CM_LAP_EV_COUNT
} CmLapEventType;

#define CM_LAP_STATE(name) (1u << CM_LAP_STATE_##name)

extern const CmMachine cm_lap_fsm;

/* Feeds one event to an end that is ESTABLISHED.  As cm_fsm_step(). */
const CmFsmRow *cm_lap_step (CmConn *conn, const CmEvent *event, const CmProfile *profile,
                             CmEffects *effects);

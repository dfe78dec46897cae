/* What a state-machine handler wants done: filled by handlers, carried out by
 * the agent, in order. */
#pragma once

#include "cm_conn.h"
#include "ib_cm_msg.h"

typedef enum {
  CM_EFFECT_SEND,            /* msg goes to the peer */
  CM_EFFECT_START_RESPONSE,  /* (re)start the response timer: `time` from the send's completion */
  CM_EFFECT_MODIFY_RESPONSE, /* MRA: change the running wait to `time` from now */
  CM_EFFECT_STOP_RESPONSE,
  CM_EFFECT_START_TIMEWAIT,  /* CM_EV_TIMEWAIT_EXIT after `time` */
  CM_EFFECT_INDEX,   /* enter the duplicate (GUID, comm id) and stale (GUID, QPN) tables; SIDR: the
                      * table of pending requests */
  CM_EFFECT_UNINDEX, /* leave them */
  CM_EFFECT_NOTIFY,  /* tell the consumer: notify, status */
} CmEffectType;

/* News for the consumer (ib_cm events of Linux). */
#define CM_NOTIFY_LIST(X) \
  X (REQ_RECEIVED)   \
  X (REP_RECEIVED)   \
  X (RTU_RECEIVED)   \
  X (REJ_RECEIVED)   /* status: reason */ \
  X (MRA_RECEIVED)   \
  X (REQ_ERROR)      /* retries exhausted */ \
  X (REP_ERROR)      \
  X (DREQ_RECEIVED)  \
  X (DREP_RECEIVED)  \
  X (DREQ_ERROR)     \
  X (TIMEWAIT_EXIT)  \
  X (USER_ESTABLISHED) \
  X (LAP_RECEIVED)   \
  X (APR_RECEIVED)   /* status: of the APR */ \
  X (SIDR_REQ_RECEIVED) \
  X (SIDR_REP_RECEIVED) /* status: of the SIDR_REP */ \
  X (SIDR_REQ_ERROR) /* retries exhausted */

typedef enum {
#define X(name) CM_NOTIFY_##name,
  CM_NOTIFY_LIST (X)
#undef X
  CM_NOTIFY_COUNT
} CmNotify;

typedef struct {
  CmEffectType type;
  union {
    IbCmMsg msg;
    SimTime time;
    struct {
      CmNotify notify;
      gint status;
    };
  };
} CmEffect;

#define CM_EFFECTS_MAX 6

typedef struct {
  guint n;
  CmEffect list[CM_EFFECTS_MAX];
} CmEffects;

const char *cm_notify_name (CmNotify notify);

void cm_effects_send (CmEffects *effects, const IbCmMsg *msg);
void cm_effects_time (CmEffects *effects, CmEffectType type, SimTime time);
void cm_effects_add (CmEffects *effects, CmEffectType type);
void cm_effects_notify (CmEffects *effects, CmNotify notify, gint status);
/* Whether one of them starts or changes the response timer. */
gboolean cm_effects_start_response (const CmEffects *effects);

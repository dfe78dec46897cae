/* An event of any of the three machines of the CM, and what it does to an end. */
#pragma once

#include "cm_lap.h"
#include "cm_sidr.h"

typedef enum {
  CM_MACHINE_CONNECTION,
  CM_MACHINE_LAP, /* runs inside an established connection */
  CM_MACHINE_SIDR,
  CM_MACHINE_COUNT
} CmMachineKind;

typedef struct {
  guint8 machine; /* CmMachineKind; CM_MACHINE_COUNT: no event */
  guint8 event;   /* number of the machine's event */
} CmCause;

#define CM_CAUSE(machine_, event_) ((CmCause){ CM_MACHINE_##machine_, (guint8) (event_) })
#define CM_CAUSE_NONE ((CmCause){ CM_MACHINE_COUNT, 0 })

static inline gboolean
cm_cause_is_known (CmCause cause)
{
  return cause.machine < CM_MACHINE_COUNT;
}

/* "RX_REQ", "LAP RX_LAP"; "" for no event. */
const char *cm_cause_name (CmCause cause);
/* A response timer expired. */
gboolean cm_cause_is_timeout (CmCause cause);
/* Whether the machine has a use for it: FALSE also when it does not run. */
gboolean cm_cause_is_protocol (const CmConn *conn, CmCause cause);
/* Feeds it; event->type is set here. */
void cm_cause_step (CmConn *conn, CmCause cause, CmEvent *event, const CmProfile *profile,
                    CmEffects *effects);

/* As what an end gets this message.  No event for a new request, on which a listener
 * decides. */
CmCause cm_cause_of_message (const CmConn *conn, const IbCmMsg *msg);

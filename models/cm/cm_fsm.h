/* The IB CM state machine: one declarative table, pure handlers.
 *
 * A row is (set of states, event, kind, handler, set of allowed next states,
 * clause).  cm_fsm_step() looks the row up, runs the handler, checks that the
 * returned state is in the row's set, and sets conn->state; nothing else does.
 * The handler sees the connection, the event and the profile and fills effects;
 * it has no clock, no I/O and no global state. */
#pragma once

#include "cm_conn.h"
#include "cm_effects.h"
#include "cm_event.h"

typedef enum {
  CM_ROW_PROTOCOL, /* the protocol says what happens; has a clause */
  CM_ROW_IGNORE,   /* may happen, nothing to do (late or duplicate message) */
  CM_ROW_MISUSE,   /* a consumer call at the wrong time; never from a message or timer */
} CmRowKind;

typedef CmState (*CmHandler) (CmConn *conn, const CmEvent *event, const CmProfile *profile,
                              CmEffects *effects);

typedef struct {
  guint32 states; /* bit mask of CmState */
  CmEventType event;
  CmRowKind kind;
  CmHandler handler;        /* NULL for IGNORE and MISUSE */
  const char *handler_name;
  guint32 next;   /* bit mask of allowed next states */
  const char *clause; /* spec clause or kernel function */
} CmFsmRow;

/* The table, ended by a row with states 0. */
extern const CmFsmRow cm_fsm_rows[];

/* The row of a cell; never NULL (the table has no gap: tested). */
const CmFsmRow *cm_fsm_lookup (CmState state, CmEventType event);

/* Feeds one event.  Clears *effects first.  Returns the row that was used. */
const CmFsmRow *cm_fsm_step (CmConn *conn, const CmEvent *event, const CmProfile *profile,
                             CmEffects *effects);

/* Expands the rows and reports every gap, overlap, PROTOCOL row without clause,
 * and state reached by a timer-starting row without a timeout row, one text per
 * line; empty if the table is sound.  (transfer full) */
char *cm_fsm_check (void);

/* Nominal timers of the profile's arithmetic. */
SimTime cm_time_code (const CmProfile *profile, guint code);
SimTime cm_time_request (const CmProfile *profile, guint packet_lifetime, guint response_timeout); /* REQ, DREQ of the active side */
SimTime cm_time_response (const CmProfile *profile, guint response_timeout);  /* REP, DREQ of the passive side */
SimTime cm_time_mra (const CmProfile *profile, guint service_timeout, guint ack_timeout);
SimTime cm_time_timewait (const CmProfile *profile, guint ack_timeout);

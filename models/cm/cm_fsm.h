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
  guint32 next;   /* bit mask of allowed next states, CM_FSM_STAY for the same one */
  const char *clause; /* spec clause or kernel function */
} CmFsmRow;

#define CM_FSM_STATE(name) (1u << CM_STATE_##name)
#define CM_FSM_STAY (1u << 31)

/* The table: the rows of each event, unused ones with states 0. */
#define CM_FSM_EVENT_ROWS 8
extern const CmFsmRow cm_fsm_rows[CM_EV_COUNT][CM_FSM_EVENT_ROWS];

/* The row of a cell; never NULL (the table has no gap: tested). */
const CmFsmRow *cm_fsm_lookup (CmState state, CmEventType event);

/* Feeds one event.  Clears *effects first.  Returns the row that was used. */
const CmFsmRow *cm_fsm_step (CmConn *conn, const CmEvent *event, const CmProfile *profile,
                             CmEffects *effects);

/* Checks rows[0..n) (those with states 0 are skipped): expands them, and tries every
 * handler in every state of its row under every profile with each choice a handler
 * makes.  Reports, one text per line: a gap, an overlap, a row of a wrong shape, a
 * PROTOCOL row without clause, a next state that a handler gives and the row does not
 * allow or the other way round, and a state entered with a timer for which it has no
 * PROTOCOL row.  Empty if the table is sound.  (transfer full) */
char *cm_fsm_check_rows (const CmFsmRow *rows, guint n);
/* The same of cm_fsm_rows. */
char *cm_fsm_check (void);

/* Whether the row allows `next` after `state`. */
gboolean cm_fsm_row_allows (const CmFsmRow *row, CmState state, CmState next);

/* Nominal timers of the profile's arithmetic. */
SimTime cm_time_code (const CmProfile *profile, guint code);
/* REQ, and DREQ of the active side. */
SimTime cm_time_request (const CmProfile *profile, guint packet_lifetime,
                         guint response_timeout);
/* REP, and DREQ of the passive side. */
SimTime cm_time_response (const CmProfile *profile, guint response_timeout);
SimTime cm_time_mra (const CmProfile *profile, guint service_timeout, guint ack_timeout);
SimTime cm_time_timewait (const CmProfile *profile, guint ack_timeout);

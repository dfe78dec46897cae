/* The state machine of an RC connection.
 *
 * cm_fsm_step() looks the row up, runs the handler, checks that the returned state is in
 * the row's set, and sets conn->state; nothing else does.  The handler sees the
 * connection, the event and the profile and fills effects; it has no clock, no I/O and no
 * global state. */
#pragma once

#include "cm_conn.h"
#include "cm_effects.h"
#include "cm_event.h"
#include "cm_machine.h"
#include "cm_time.h"

typedef CmState (*CmHandler) (CmConn *conn, const CmEvent *event, const CmProfile *profile,
                              CmEffects *effects);

#define CM_FSM_STATE(name) (1u << CM_STATE_##name)

/* The table, and the machine it belongs to. */
extern const CmFsmRow cm_fsm_rows[CM_EV_COUNT][CM_FSM_EVENT_ROWS];
extern const CmMachine cm_fsm;

/* The row of a cell; never NULL. */
const CmFsmRow *cm_fsm_lookup (CmState state, CmEventType event);

/* Feeds one event.  Clears *effects first.  Returns the row that was used. */
const CmFsmRow *cm_fsm_step (CmConn *conn, const CmEvent *event, const CmProfile *profile,
                             CmEffects *effects);

/* For `cm_fsm`: see CmMachine. */
guint cm_fsm_try_row (const CmFsmRow *row, guint state, guint trial, guint64 *ret_needed);

/* All machines of the IB CM, NULL-terminated: connections, SIDR, alternate paths. */
extern const CmMachine *const cm_machines[];

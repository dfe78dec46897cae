/* State machines as declarative tables: what all machines of the CM have in common.
 *
 * A row is (set of states, event, kind, handler, set of allowed next states, clause).
 * A machine is its rows, the names of its states and events, and a way to try its
 * handlers.  The rows cover each cell (state, event) exactly once, which
 * cm_machine_check() proves; the printed forms walk the same rows. */
#pragma once

#include <glib.h>

typedef enum {
  CM_ROW_PROTOCOL, /* the protocol says what happens; has a clause */
  CM_ROW_IGNORE,   /* may happen, nothing to do (late or duplicate message) */
  CM_ROW_MISUSE,   /* a consumer call at the wrong time; never from a message or timer */
} CmRowKind;

/* Any handler: the handlers of one machine have one type, and its step casts back. */
typedef void (*CmAnyHandler) (void);

typedef struct {
  guint32 states; /* bit mask of the machine's states */
  guint event;    /* number of the machine's event */
  CmRowKind kind;
  CmAnyHandler handler; /* NULL for IGNORE and MISUSE */
  const char *handler_name;
  guint32 next;         /* bit mask of allowed next states, CM_FSM_STAY for the same one */
  const char *clause;   /* spec clause or kernel function */
} CmFsmRow;

#define CM_FSM_STAY (1u << 31)
/* Rows that a block of one event has room for; unused ones have states 0. */
#define CM_FSM_EVENT_ROWS 8

typedef struct {
  const char *name;  /* "sidr" */
  const char *title; /* heading of the printed page */
  const char *about; /* paragraph below it */
  guint n_states, n_events;
  const CmFsmRow *rows; /* n_events blocks of CM_FSM_EVENT_ROWS, in the order of the events */
  const char *const *states;
  const char *const *events;
  const char *const *texts; /* "duplicate REQ received" */
  guint64 by_itself; /* bit mask of the events that messages, timers and adapters raise */
  /* Runs the handler of a row in a state in one of n_trials ways that together show
   * every choice it makes; returns the next state.  *ret_needed: the events that must
   * be PROTOCOL there, because a timer for them was started. */
  guint n_trials;
  guint (*try_row) (const CmFsmRow *row, guint state, guint trial, guint64 *ret_needed);
} CmMachine;

/* Row macros for a machine whose events are called PREFIX_EV_name; states_ and next_ are
 * masks.  The handler's type is checked against type_. */
#define CM_ROW_PROTOCOL_(type_, states_, event_, handler_, next_, clause_) \
  { .states = (states_), .event = (event_), .kind = CM_ROW_PROTOCOL, \
    .handler = (CmAnyHandler) (1 ? (handler_) : (type_) 0), .handler_name = #handler_, \
    .next = (next_), .clause = clause_ }
#define CM_ROW_IGNORE_(states_, event_, clause_) \
  { .states = (states_), .event = (event_), .kind = CM_ROW_IGNORE, .next = CM_FSM_STAY, \
    .clause = clause_ }
#define CM_ROW_MISUSE_(states_, event_, clause_) \
  { .states = (states_), .event = (event_), .kind = CM_ROW_MISUSE, .next = CM_FSM_STAY, \
    .clause = clause_ }

/* The row of a cell; never NULL (a checked table has no gap). */
const CmFsmRow *cm_machine_lookup (const CmMachine *machine, guint state, guint event);
/* Whether the row allows `next` after `state`. */
gboolean cm_fsm_row_allows (const CmFsmRow *row, guint state, guint next);

/* Checks rows[0..n) as the table of a machine (those with states 0 are skipped): expands
 * them, and tries every handler in every state of its row in every way.  Reports, one
 * text per line: a gap, an overlap, a row of a wrong shape, a PROTOCOL row without clause,
 * a next state that a handler gives and the row does not allow or the other way round, and
 * a timer that is started where its event is no PROTOCOL row.  Empty if the table is
 * sound.  (transfer full) */
char *cm_machine_check_rows (const CmMachine *machine, const CmFsmRow *rows, guint n);
/* The same of its own rows, and that each stands in the block of its event. */
char *cm_machine_check (const CmMachine *machine);

/* A scripted consumer of the RDMA CM, in the manner of packetdrill: calls at given times, and the
 * events that must come, in order and in time. */
#pragma once

#include "cma.h"

#define SCRIPT_CALL_LIST(X) \
  X (NONE, "none") \
  X (BIND, "bind")                   /* active side */ \
  X (JOIN, "join")                   /* active side: the multicast group `group` */ \
  X (LEAVE, "leave")                 /* active side */ \
  X (RESOLVE_ADDR, "resolve-addr")   /* active side */ \
  X (RESOLVE_ROUTE, "resolve-route") /* active side */ \
  X (CONNECT, "connect")             /* active side: the REQ */ \
  X (ESTABLISH, "establish")         /* active side: the RTU */ \
  X (READ, "read")                   /* passive side: fetches the request */ \
  X (ACCEPT, "accept")               /* passive side: the REP */ \
  X (REJECT, "reject")               /* REJ with `reason` */ \
  X (DISCONNECT, "disconnect")       /* DREQ or DREP */ \
  X (DESTROY, "destroy")

typedef enum {
#define X(id, name) SCRIPT_CALL_##id,
  SCRIPT_CALL_LIST (X)
#undef X
} ScriptCall;

typedef enum {
  SCRIPT_RETURNS_OK,
  SCRIPT_RETURNS_EINVAL, /* the state does not allow it */
  SCRIPT_RETURNS_EADDRNOTAVAIL,
  SCRIPT_RETURNS_EOPNOTSUPP,
  SCRIPT_RETURNS_ENOSYS,
  SCRIPT_RETURNS_ANY,
} ScriptReturns;

/* Either a call or an event. */
typedef struct {
  guint call;     /* ScriptCall */
  guint event;    /* 0, or CmaEventType + 1 */
  SimTime after;  /* call: made so long after the step before; event: not before that */
  SimTime within; /* event: not later than so long after the step before; never: whenever */
  guint reason;   /* reject: of the REJ, 0: 28; REJECTED: must be this, 0: any */
  guint returns;  /* call: ScriptReturns */
  const char *group; /* join, leave: as ib_group_parse() */
  gboolean send_only; /* join: as a send-only full member */
} ScriptStep;

extern const SimParam script_step_params[];

/* Whether the side has this call. */
gboolean script_call_is_active (ScriptCall call);
gboolean script_call_is_passive (ScriptCall call);

typedef struct {
  /* What the call returned: 0 or an errno.  After DESTROY the run is not touched any more. */
  gint (*call) (gpointer owner, const ScriptStep *step);
  /* No step is left, or one failed: its number, from 0; -1: none did. */
  void (*over) (gpointer owner, gint failed);
} ScriptOps;

typedef struct {
  SimEngine *engine;
  const GArray *steps; /* ScriptStep; borrowed */
  const ScriptOps *ops;
  gpointer owner;
  GArray *early; /* ScriptEvent: came before their step; NULL without any */
  guint next;    /* step */
  SimTime since; /* when the step before was done */
  SimEventId timer;
} ScriptRun;

void script_run_start (ScriptRun *run, SimEngine *engine, const GArray *steps, const ScriptOps *ops,
                       gpointer owner);
void script_run_event (ScriptRun *run, CmaEventType type, gint status);
/* Stops it; may be called twice, and on zeros. */
void script_run_clear (ScriptRun *run);

/* Connects: the active side's applications of one `connects:` entry, and what
 * became of each. */
#pragma once

#include "arrivals.h"
#include "ulp.h"

typedef enum {
  CONNECT_PATTERN_TURN,       /* the hosts of `to` in turn */
  CONNECT_PATTERN_ALL_TO_ALL, /* every process to every other */
  CONNECT_PATTERN_RING,       /* each to the next */
  CONNECT_PATTERN_RANDOM,     /* each to any other */
} ConnectPattern;

typedef enum {
  CONNECT_TIE_BREAK_NONE,    /* two processes that connect to each other have two connections */
  CONNECT_TIE_BREAK_ADDRESS, /* the connect of the lower address stays */
} ConnectTieBreak;

typedef struct {
  const char *name;     /* of the entry; NULL: "connects.N" */
  const char *from;     /* host group */
  const char *to;       /* "group:port" or "group.index:port" */
  SimChoice ulp;        /* UlpClass */
  SimChoice arrivals;   /* ArrivalClass */
  SimChoice retry;      /* RetryPolicy of the CM's response timer */
  guint pattern;        /* ConnectPattern */
  guint processes;      /* per host of `from`; patterns: also of `to`, on ports of their own */
  guint tie_break;      /* ConnectTieBreak */
  gboolean lockstep;    /* all connects finish a step before any starts the next */
  guint window;         /* so many wait for their REP at a time; 0: all */
  guint per_host;       /* connects per process of `from` ... */
  guint number;         /* ... or in all; 0: hosts x per_host */
  gboolean ud;          /* resolves a UD service (SIDR) instead of connecting */
  gboolean qp;          /* create and move real QPs (costs); FALSE: made-up QPNs */
  gboolean resolve;     /* resolve address and route first; FALSE: connect at once */
  SimTime rtu_delay;    /* from REP to the RTU, besides QP work */
  guint wrong;          /* IbCmWrong: what the server cannot go along with in its REQs */
  SimTime alternate_path_after; /* from the RTU to a LAP; never: sends none */
  SimTime data_after;   /* from the RTU to the arrival of the first data; never: sends none */
  SimTime hold;         /* established to disconnect; never: stays */
  gboolean answer_disconnect; /* calls disconnect when the peer did (DREP) */
  SimTime give_up_after; /* watchdog on one connect: destroy the id; never: none */
  SimTime exit_after;   /* the process ends so long after it started to connect: destroys the id in
                         * whatever state it is (connected too); never */
  SimTime crash_after;  /* so long after it started to connect its host loses the id: no message;
                         * never */
  guint qpn;            /* of every attempt; 0: the host's next */
  SimTime answer_within; /* longest wait from the REQ to the REP of an attempt; 0: the ULP's */
  const char *redirect_to; /* "group:port", as `to`: where a REJ 24 or 25 that names no port
                            * sends it; "": nowhere */
  guint port_space;     /* UlpPortSpace */
  const char *channel;  /* event channel of a listener of the same host that its events wait in;
                         * "": they are heard of at once */
  guint path_lifetime;  /* code of a path that the application supplies; CONNECT_OF_PROFILE: none,
                         * the route is resolved */
  guint max_retries;    /* CM retries of the REQ; CONNECT_OF_PROFILE: the ULP's, or the profile's */
  guint response_timeout; /* code; CONNECT_OF_PROFILE: likewise */
} ConnectParams;

#define CONNECT_OF_PROFILE 255

extern const SimParam connect_params[];

/* How a connect ended: exactly one. */
#define CONNECT_CAUSE_LIST(X) \
  X (ESTABLISHED,     "established",      "connected")                       \
  X (REFUSED,         "refused",          "REJ received and not retried")    \
  X (UNREACHABLE,     "unreachable",      "REQ retries exhausted")           \
  X (SA_TIMEOUT,      "sa_timeout",       "no path record in time")          \
  X (ADDRESS_TIMEOUT, "address_timeout",  "address not resolved in time")    \
  X (GAVE_UP,         "gave_up",          "the application's own limit")     \
  X (SUPERSEDED,      "superseded",       "the peer's connect to here took its place") \
  X (PENDING,         "pending",          "not decided when the run ended")

typedef enum {
#define X(name, text, help) CONNECT_##name,
  CONNECT_CAUSE_LIST (X)
#undef X
  CONNECT_CAUSE_COUNT
} ConnectCause;

/* Steps of a connect with cmtime's names; the time each ended, of the last attempt. */
#define CONNECT_STEP_LIST(X) \
  X (START,        "start")        /* the application asked */ \
  X (CREATE_ID,    "create_id")    \
  X (RESOLVE_ADDR, "resolve_addr") \
  X (RESOLVE_ROUTE, "resolve_route") \
  X (CREATE_QP,    "create_qp")    \
  X (CONNECT,      "connect")      /* first REQ sent */ \
  X (REP,          "rep")          /* REP received */ \
  X (ESTABLISHED,  "established")  /* RTU sent */ \
  X (DISCONNECT,   "disconnect")   /* DREP received or given up */ \
  X (DESTROY,      "destroy")      /* timewait over */

typedef enum {
#define X(name, text) CONNECT_STEP_##name,
  CONNECT_STEP_LIST (X)
#undef X
  CONNECT_STEP_COUNT
} ConnectStep;

typedef struct {
  guint32 entry;    /* index of the `connects:` entry */
  guint32 index;    /* number within the entry */
  guint32 host;     /* index within the group */
  guint16 attempts; /* rdma_cm ids used */
  guint16 reason;   /* REFUSED: REJ reason */
  guint32 reqs;     /* REQs sent in all attempts, retransmissions included */
  guint8 cause;     /* ConnectCause */
  guint8 decided;
  SimTime end;      /* when decided; SIM_TIME_NEVER while pending */
  SimTime steps[CONNECT_STEP_COUNT]; /* SIM_TIME_NEVER: not reached */
} ConnectRecord;

/* Alternate paths of all connects of an entry. */
typedef struct {
  guint64 loaded, refused; /* by the status of the APR */
  SimTime wait, wait_max;  /* from the first LAP to the APR: sum, longest */
} ConnectPathCounters;

/* Connects of the entry, from a group of `hosts`. */
guint64 connect_count (const ConnectParams *params, guint hosts);
const char *connect_cause_name (ConnectCause cause);
const char *connect_step_name (ConnectStep step);
/* Application's errno for the record ("ECONNREFUSED", "ENETUNREACH", "" if established). */
const char *connect_errno_name (const ConnectParams *params, const ConnectRecord *record);

/* What the two halves of a connector share: arrivals and records (connector.c) and
 * the attempts of each connect (connect_attempt.c). */
#pragma once

#include "connector.h"

typedef struct Connect Connect;
typedef struct ConnectPath ConnectPath;
typedef void (*ConnectGo) (Connect *connect);

/* There may be millions of them; not touched before they start. */
struct Connect {
  CmaId *id;             /* of the attempt in progress, NULL between attempts */
  union {
    SimEventId step;     /* undecided: the next thing this application does */
    SimEventId hang_up;  /* decided: disconnect after `hold` */
  };
  guint32 index;         /* within the entry; 0 before it starts */
  guint8 redirected;     /* a REJ sent it elsewhere */
  guint8 gates;          /* gates passed or reached */
  guint8 at_gate;        /* stands before the last of them */
  guint8 window;         /* ConnectWindow */
};

/* Connects in one block, behind whom they belong to. */
typedef struct {
  Connector *connector;
  Connect connects[];
} ConnectBlock;

/* In the queue for the window, or in it. */
typedef enum {
  CONNECT_WINDOW_OUT,
  CONNECT_WINDOW_QUEUED,
  CONNECT_WINDOW_IN,
} ConnectWindow;

/* Steps that all connects must have finished before any goes on. */
typedef enum {
  CONNECT_GATE_ADDRESS, /* ids created */
  CONNECT_GATE_ROUTE,   /* addresses resolved */
  CONNECT_GATE_QP,      /* routes resolved */
  CONNECT_GATE_CONNECT, /* QPs created */
  CONNECT_GATE_COUNT
} ConnectGate;

struct Connector {
  ConnectorConfig config;
  const ConnectorOps *ops;
  gpointer owner;
  const UlpClass *ulp;
  const ArrivalClass *arrivals;
  ArrivalCursor cursor;
  SimStream arrival_stream;
  SimStreamKey ulp_key;
  ConnectBlock *block;
  SimEventId *alarms;    /* of each connect, until it is decided its watchdog, then the arrival of
                          * its first data; NULL: there are none */
  IbLid *redirects;      /* of each connect, port that the REJ named, 0: none; NULL: no REJ did */
  ScriptRun *scripts;    /* ulp `script`: of each connect; else NULL */
  guint scripts_failed;
  guint arrived[CONNECT_GATE_COUNT]; /* lockstep: connects at each gate, or beyond it */
  gboolean released[CONNECT_GATE_COUNT];
  ConnectGo gate_go[CONNECT_GATE_COUNT];
  ConnectPathCounters paths;
  ConnectPath *path_states; /* of each connect; NULL: none has offered a path */
  GQueue queue;          /* window: connects that wait */
  guint in_window;
  ConnectGo queue_go;
};

static inline Connect *
connector_connect (const Connector *connector, guint index)
{
  return &connector->block->connects[index];
}

static inline guint
connect_index (const Connect *connect)
{
  return connect->index;
}

static inline Connector *
connect_connector (const Connect *connect)
{
  const char *first = (const char *) (connect - connect->index);

  return ((const ConnectBlock *) (first - offsetof (ConnectBlock, connects)))->connector;
}

static inline IbLid
connect_redirect (const Connect *connect)
{
  const IbLid *redirects = connect_connector (connect)->redirects;

  return redirects ? redirects[connect_index (connect)] : 0;
}

/* Number of its record. */
static inline guint
connect_number (const Connect *connect)
{
  return connect_connector (connect)->config.first_index + connect_index (connect);
}

static inline ConnectRecords *
connect_records (const Connect *connect)
{
  return connect_connector (connect)->config.records;
}

static inline gboolean
connect_decided (const Connect *connect)
{
  return connect_records_decided (connect_records (connect), connect_number (connect));
}

static inline guint
connect_attempts (const Connect *connect)
{
  return connect_records_attempts (connect_records (connect), connect_number (connect));
}

/* Index of its host in the group. */
static inline guint
connect_host_index (const Connect *connect)
{
  return connect_records_host (connect_records (connect), connect_number (connect));
}

static inline Cma *
connect_host (const Connect *connect)
{
  return connect_connector (connect)->config.hosts[connect_host_index (connect)];
}

static inline SimTime
connect_now (const Connect *connect)
{
  return sim_engine_now (connect_connector (connect)->config.engine);
}

/* connector.c */
void connect_step_done (Connect *connect, ConnectStep step);
void connect_trace (Connect *connect, const char *event, gint status);
void connect_cancel (Connect *connect, SimEventId *event);
void connect_cancel_alarm (Connect *connect);
void connect_decide (Connect *connect, ConnectCause cause, guint reason);
/* Destroys the id of the attempt in progress, if there is one. */
void connect_drop_id (Connect *connect);

/* connect_pattern.c */
typedef struct {
  IbLid host;
  guint port;
} ConnectPlace;

/* Where the attempt in progress goes. */
ConnectPlace connect_place (const Connect *connect);
/* Numbers among the processes of the group; the second for all patterns but in turn. */
guint connect_process (const Connect *connect);
guint connect_peer_process (const Connect *connect);
guint32 connector_host_of (const ConnectorConfig *config, guint index);

/* connect_gate.c: lockstep and window. */

/* Goes on with go (connect): now, or when all are here. */
void connect_gate (Connect *connect, ConnectGate gate, ConnectGo go);
/* Goes on with go (connect) when the window has room; it takes a place until
 * connect_window_leave(). */
void connect_window_enter (Connect *connect, ConnectGo go);
void connect_window_leave (Connect *connect);
/* The connect has ended or failed: nobody waits for it at a gate, it has no place. */
void connect_gate_drop (Connect *connect);

/* connector.c: of CmaIdOps, where the host has channels. */
CmaChannel *connect_channel_of (gpointer owner, CmaEventType type);

/* connect_path.c: alternate paths. */
void connect_path_begin (Connect *connect); /* the RTU is out */
void connect_path_answered (Connect *connect, gint status);
void connect_path_cancel (Connect *connect);

/* connect_script.c: the script of a connect begins. */
void connect_script_start (Connect *connect);
/* Its script, if it has one, goes no further. */
void connect_script_stop (Connect *connect);

/* connect_attempt.c: the REQ. */
void connect_send_req (Connect *connect);
/* A new id, and all that follows from it. */
void connect_attempt_start (Connect *connect);

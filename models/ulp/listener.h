/* Listeners: a service with a backlog, a policy for a full one, and the
 * application that reads requests and answers them. */
#pragma once

#include "cma_channel.h"
#include "mesh.h"
#include "ulp.h"

typedef enum {
  /* A worker reads an event when it is free, works on it, answers, reads the next. */
  LISTENER_READ_SERIAL,
  /* Events are read as they come; workers then answer. */
  LISTENER_READ_AT_ONCE,
} ListenerRead;

typedef enum {
  LISTENER_EVENTS_REQUESTS, /* only requests wait in the event channel */
  LISTENER_EVENTS_ALL,      /* as Linux: all events of all ids on it */
} ListenerEvents;

typedef enum {
  LISTENER_EARLY_NO,
  LISTENER_EARLY_YES, /* the ULP sends the REP in its callback */
  LISTENER_EARLY_ULP, /* if the ULP does */
} ListenerEarly;

typedef enum {
  LISTENER_ANSWER_ACCEPT,
  LISTENER_ANSWER_REJECT, /* with reject_reason */
  LISTENER_ANSWER_NEVER,  /* reads the request and never answers */
} ListenerAnswer;

/* The APR that answers a LAP: its status, or none. */
#define LISTENER_PATH_ANSWER_LIST(X) \
  X (SUCCESS, "loaded")             \
  X (INVALID_ID, "invalid-id")      \
  X (UNSUPPORTED, "unsupported")    \
  X (REJECT, "rejected")            \
  X (REDIRECT, "redirect")          \
  X (CURRENT_PATH, "current-path")  \
  X (WRONG_QPN, "wrong-qpn")        \
  X (LID, "lid")                    \
  X (GID, "gid")                    \
  X (FLOW_LABEL, "flow-label")      \
  X (TRAFFIC_CLASS, "traffic-class") \
  X (HOP_LIMIT, "hop-limit")        \
  X (RATE, "rate")                  \
  X (SL, "sl")
#define LISTENER_PATH_NEVER (IB_CM_APR_SL + 1)

typedef struct {
  guint workers;       /* 0: nobody ever reads an event */
  gboolean unlimited;  /* as many workers as requests */
  SimDist service;     /* from taking a request to the answer */
  guint read;          /* ListenerRead */
  guint early;         /* ListenerEarly */
  SimTime starts_after; /* reading starts so long after the first request came */
  SimDist event_service; /* of an event other than a request, from its reading on */
  SimDist wake;        /* from a request's arrival at an idle worker to its being read (the
                        * thread wakes up); requests that come meanwhile hold slots unread */
  guint answer;        /* ListenerAnswer */
  guint reject_reason;
  gboolean qp;         /* create a QP and move it before the REP (costs) */
  gboolean answer_disconnect; /* calls disconnect on DISCONNECTED, so that the DREP goes out */
  SimTime hold;        /* established to this side's disconnect; never */
  GArray *script;      /* ScriptStep: answers each request in place of all above; empty: none */
  SimTime close_after; /* the listening id is destroyed so long after the first request came, and
                        * with it what has not been read; never */
  guint path_answer;   /* IbCmAprStatus, or LISTENER_PATH_NEVER */
  SimDist path_service; /* from the LAP to the APR */
  guint path_mra;      /* code of an MRA that answers the LAP at once; 0: none */
  SimTime exit_after;  /* the process ends so long after the first request came: destroys its ids in
                        * whatever state they are; never */
} ListenerAcceptParams;

typedef struct {
  guint limit;      /* 0: the profile's ucma maximum; `unlimited` policy ignores it */
  guint counts;     /* BacklogCounts */
  SimChoice full;   /* BacklogPolicy */
} ListenerBacklogParams;

typedef struct {
  const char *name; /* NULL: "listeners.N" */
  const char *on;   /* host group; one listener per host of it */
  guint service;    /* port */
  guint processes;  /* per host: listeners on the ports from there on */
  const char *ulp;  /* name of a UlpClass */
  gboolean ud;      /* a UD service, resolved by SIDR */
  guint port_space; /* UlpPortSpace */
  const char *channel; /* event channel it shares with the listeners of that name of its process;
                        * "": one of its own */
  guint channel_events; /* ListenerEvents */
  guint channel_limit; /* events that the channel holds; 0: any number.  That of the first
                        * listener of the channel counts, as does its application */
  const char *redirect_to; /* "group" (its first host) or "group.index": in the REJs 24 and 25;
                            * "": nowhere */
  ListenerBacklogParams backlog;
  ListenerAcceptParams accept;
} ListenerParams;

extern const SimParam listener_params[];

typedef struct {
  guint64 requests;  /* REQs that reached the listener and were not duplicates */
  guint64 admitted, dropped, kept, destroyed, rejected, deferred;
  guint64 deferred_admitted, deferred_dropped, deferred_rejected;
  guint64 accepts, accepts_failed; /* answers sent; answers to requests the client had given up */
  guint64 taken;     /* established connections the application took (early) */
  SimTime take_wait, take_wait_max; /* from the RTU to that: sum, longest */
  guint64 ghosts;    /* connections made for a client that had given up or gone */
  guint64 scripts_failed; /* requests whose script did */
  guint backlog_max;
} ListenerCounters;

typedef struct Listener Listener;

typedef struct {
  /* Slots in use, requests deferred, and workers busy have changed. */
  void (*levels) (gpointer owner, Listener *listener, guint backlog, guint busy_workers);
  /* The application got an event of the connection with this peer, for traces; may
   * be NULL. */
  void (*app_event) (gpointer owner, Listener *listener, IbLid peer, guint32 peer_qpn,
                     const char *event, gint status);
} ListenerOps;

typedef struct {
  SimEngine *engine;
  const ListenerParams *params;
  const CmProfile *profile;
  Cma *host;
  guint process;   /* of the host: listens on port service + process */
  Mesh *mesh;      /* it belongs to; NULL: none; borrowed */
  guint mesh_process; /* its number there */
  Listener *channel_of; /* whose event channel and application it has; NULL: its own */
  IbLid redirect;  /* port of redirect_to; 0: none */
  guint64 seed;
  guint32 replication;
} ListenerConfig;

/* Slots of a listener as it counts them, after ucma's clipping or its ULP's rule; G_MAXUINT:
 * no limit. */
guint listener_limit (const ListenerParams *params, const CmProfile *profile);

/* Is it the one whose event channel a listener of this name, host and process joins? */
gboolean listener_has_channel (const Listener *listener, const char *channel, const Cma *host,
                               guint process);
Listener *listener_new (const ListenerConfig *config, const ListenerOps *ops, gpointer owner);
void listener_free (Listener *listener);
const ListenerCounters *listener_counters (const Listener *listener);
/* The longest wait to be taken is that of those taken from now on: the end of a warm-up. */
void listener_restart_max (Listener *listener);
/* Its event channel, if all events wait there and it is the listener's own; else NULL. */
CmaChannel *listener_channel (const Listener *listener);
/* Slots the listener counts as used, and slots its live requests hold: equal
 * unless there is a bug. */
gboolean listener_slots_agree (const Listener *listener);
/* Bytes of a listener without requests, for a prediction (see footprint.h). */
gsize listener_footprint (const ListenerParams *params);
/* Connections that its requests hold. */
guint listener_live (const Listener *listener);

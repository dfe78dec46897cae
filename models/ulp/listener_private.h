/* What the two halves of a listener share: the backlog (listener.c) and the
 * application that reads and answers requests (listener_app.c). */
#pragma once

#include "listener.h"
#include "request_queue.h"
#include "sim_slab.h"

typedef enum {
  REQUEST_DEFERRED, /* in `deferred` */
  REQUEST_UNREAD,   /* in `channel` */
  REQUEST_WAITING,  /* read, in `ready`: waits for a worker (read: at-once) */
  REQUEST_WORKING,  /* a worker has it */
  REQUEST_HELD,     /* read and never answered */
  REQUEST_DOOMED,   /* the backlog is full: destroyed in its callback */
  REQUEST_EARLY,    /* being accepted in the callback */
  REQUEST_ANSWERED, /* REP sent, or further */
} RequestState;

/* What a request needs until the application is done with it. */
typedef struct {
  RequestLink link;  /* in one of the listener's queues */
  SimEventId event;  /* work in progress, or end of deferral */
  guint64 stream;    /* number of the stream its service time is drawn from */
  SimTime since;     /* early: when it was established */
} RequestWork;

#define REQUEST_NUMBER_MAX (((guint64) 1 << 56) - 1)

/* There may be millions of them, nearly all answered. */
struct Request {
  Listener *listener;
  CmaId *id; /* NULL: the request is no more */
  union {
    RequestWork *work; /* has_work */
    SimEventId event;  /* else: hang-up */
  };
  guint64 number : 56; /* of the listener's requests, in the order they came */
  guint64 state : 4;   /* RequestState */
  guint64 has_work : 1; /* the application is not done with it */
  guint64 slot : 1;    /* holds a backlog slot */
  guint64 gone : 1;    /* early: the peer left before the application took it */
};

struct Listener {
  ListenerConfig config;
  const ListenerOps *ops;
  gpointer owner;
  const UlpClass *ulp;
  const BacklogPolicy *policy;
  gpointer policy_state; /* NULL if it keeps none */
  SimStreamKey service_key;
  SimStream wake_stream, path_stream;
  SimSlab slab, work; /* Request, RequestWork */
  Listener *app;       /* whose application reads and answers: itself, or that of its channel */
  RequestQueue channel, ready, deferred;
  CmaChannel *events;  /* NULL: only requests wait in `channel`; else they have a place here too */
  SimStream event_stream;
  gboolean reader_busy; /* read at once: with an event */
  GHashTable *scripts;   /* Request -> ScriptRun, looked up only; NULL without a script */
  guint64 n_requests; /* so far */
  GHashTable *paths; /* Request -> SimEventId of its APR; NULL: no LAP has come */
  SimTime added_after, removed_after; /* ulp_counts */
  SimTime defer_wait; /* of the verdict just given */
  BacklogCounts counts;
  gint counted; /* a removed call may come before its added call */
  guint limit, used, busy;
  guint waking;      /* workers on their way to read the channel */
  guint64 service_id;
  gboolean keep, destroy; /* the verdict just given */
  gboolean early;    /* accepts in the callback */
  gboolean admitting; /* inside the loop that takes deferred requests */
  gboolean closed;    /* nobody can find it any more */
  gboolean exited;    /* the process has ended */
  gboolean reading;  /* `starts_after` is over */
  gboolean begun;    /* its application has */
  gboolean seen;     /* the first request has come */
  ListenerCounters counters;
};

static inline const ListenerAcceptParams *
listener_accept (const Listener *listener)
{
  return &listener->config.params->accept;
}

/* What is scheduled for it. */
static inline SimEventId *
request_event (Request *request)
{
  return request->has_work ? &request->work->event : &request->event;
}

static inline void
request_set_event (Request *request, SimEventId event)
{
  *request_event (request) = event;
}

/* listener.c */
void listener_report (Listener *listener);
void listener_trace (Request *request, const char *event, gint status);
void listener_take_slot (Request *request);
void listener_free_slot (Request *request);
void listener_free_slot_if (Request *request, BacklogCounts counts);
void listener_cancel_event (Request *request);
/* The application is done with it. */
void listener_work_done (Request *request);
/* All requests, in the order they came (transfer full). */
GPtrArray *listener_requests (const Listener *listener);
/* The request is no more; its id is the caller's. */
void listener_forget (Request *request);
/* The application lets go of the request, and its id goes. */
void listener_request_destroy (Request *request);

/* listener_admit.c: CmaListenOps. */
CmVerdict listener_request (gpointer owner, const IbCmMsg *req, IbLid source);
gpointer listener_child (gpointer owner, CmaId *id, const IbCmMsg *req, gboolean deferred);

/* listener_end.c: the first request has come; it ends `exit_after` or `close_after` later. */
void listener_end_begin (Listener *listener);

/* listener_script.c */
void listener_script_init (Listener *listener);
/* FALSE: there is no script, or the request is not its own yet. */
gboolean listener_script_event (Request *request, CmaEventType type, gint status);

/* listener_channel.c */
void listener_channel_init (Listener *listener);
/* Of CmaIdOps: where a child's event waits. */
CmaChannel *listener_channel_of (gpointer owner, CmaEventType type);
/* A request is to be read. */
void listener_channel_request (Request *request);
/* All events wait in the channel: reads those before the next request; TRUE: there is one, and a
 * reader is free. */
gboolean listener_channel_next (Listener *app);
/* The request, which is next, leaves the channel. */
void listener_channel_read_request (const Request *request);

/* listener_app.c */
/* A worker is done with what it did; `app` has its workers. */
void listener_app_worker_done (Listener *app);
/* A request is in the channel. */
void listener_app_arrived (Listener *listener);
/* Workers whose request was taken from them look for the next. */
void listener_app_worker_back (Listener *listener);
/* The first request has come: reading starts `starts_after` later. */
void listener_app_begin (Listener *listener);
/* early: the REP goes out now. */
void listener_app_accept_early (Request *request);
/* early: TRUE if the application has yet to take the request, which stays until then. */
gboolean listener_app_peer_left (Request *request);
void listener_app_established (Request *request);
void listener_app_disconnected (Request *request, gint status);
/* listener_limit.c */
BacklogCounts listener_counts (const Listener *listener);

/* listener_path.c: the peer offers an alternate path; the request goes. */
void listener_path_offered (Request *request);
void listener_path_cancel (Request *request);
void listener_app_rejected (Request *request, gint status);

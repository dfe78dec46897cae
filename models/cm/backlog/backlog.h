/* Backlog policies: what a listener answers when its backlog is full.
 *
 * A policy is one file with a `const BacklogPolicy` and a row in backlog_table.c.
 * The listener counts slots; what a slot counts (`BacklogCounts`) is a parameter
 * of the listener, not of the policy. */
#pragma once

#include "sim_param.h"
#include "sim_rng.h"

typedef enum {
  BACKLOG_COUNTS_UNREAD,     /* freed when the application fetches the event (Linux ucma) */
  BACKLOG_COUNTS_UNACCEPTED, /* freed when the request is answered (REP or REJ sent) */
  BACKLOG_COUNTS_HALF_OPEN,  /* freed when the RTU arrives or the connection fails */
  BACKLOG_COUNTS_UNTAKEN,    /* freed when the application takes the connection; for a ULP that
                              * accepts in its callback that is after the RTU, else as UNACCEPTED */
} BacklogCounts;

typedef enum {
  BACKLOG_ADMIT,  /* take it */
  BACKLOG_DROP,   /* -ENOMEM: forget the REQ without a word */
  BACKLOG_REJECT, /* REJ with `reason` */
  BACKLOG_KEEP,   /* say nothing and keep the id, unanswered for good */
  BACKLOG_DESTROY, /* take it, and the consumer destroys its id in the callback */
  BACKLOG_DEFER,  /* MRA with `service_timeout`; judged again by `expired` after `wait` */
} BacklogAnswer;

typedef struct {
  BacklogAnswer answer;
  guint reason;          /* REJECT */
  SimTime retry_after;   /* REJECT: busy hint in the private data; 0: none */
  guint service_timeout; /* DEFER: MRA code; DROP: of an MRA sent all the same, 0: none */
  SimTime wait;          /* DEFER: how long it may stay deferred */
} BacklogVerdict;

/* What the listener knows when it asks. */
typedef struct {
  guint used;     /* slots in use by the listener's own count */
  guint limit;    /* G_MAXUINT = none */
  guint deferred; /* requests deferred now */
  guint counted;  /* ulp_counts: added minus removed, as the ULP has said so far */
  BacklogVerdict ulp_full; /* what the listener's ULP answers when it is full */
  guint reqs;     /* how often the client has sent this REQ; 0: it is judged anew */
  SimTime now;
  gpointer state; /* the policy's own for this listener; NULL if it keeps none */
} BacklogView;

typedef struct {
  SimClassInfo info;
  gsize state_size; /* of the state, which starts as zeros */
  /* The ULP keeps the count: how long after a slot is taken and freed it says so.
   * NULL: the listener counts by itself. */
  void (*ulp_counts) (gconstpointer params, SimTime *ret_added, SimTime *ret_removed);
  BacklogVerdict (*admit) (gconstpointer params, const BacklogView *view);
  /* DEFER only: the wait is over and no slot came free; DROP or REJECT. */
  BacklogVerdict (*expired) (gconstpointer params, const BacklogView *view);
} BacklogPolicy;

extern const BacklogPolicy backlog_unlimited, backlog_reject, backlog_drop, backlog_defer,
    backlog_keep, backlog_destroy, backlog_ulp_counted, backlog_ulp, backlog_script;
extern const SimClassInfo *const backlog_classes[];

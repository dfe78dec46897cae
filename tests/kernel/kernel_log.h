/* What one run of an experiment left behind: the CM messages on the wire and the
 * events the applications saw, captured or simulated alike.
 *
 * The sides are the captures' guests; one of them connects, mostly A, the other listens.
 * Times count from the first message. */
#pragma once

#include "ib_cm_msg.h"
#include "sim_time.h"

typedef enum {
  KERNEL_SIDE_A,
  KERNEL_SIDE_B,
  KERNEL_SIDES
} KernelSide;

/*   name               shown to the application of ... */
#define KERNEL_EVENT_LIST(X) \
  X (CONNECT_REQUEST)  /* B, when it reads the request */ \
  X (CONNECT_RESPONSE) /* A; with a real QP librdmacm calls it ESTABLISHED */ \
  X (ESTABLISHED)      \
  X (REJECTED)         \
  X (UNREACHABLE)      \
  X (DISCONNECTED)     \
  X (TIMEWAIT_EXIT)    \
  X (GAVE_UP)          /* A, its own doing: cancelled, or at its time limit before the CM decided */

typedef enum {
#define X(name) KERNEL_EVENT_##name,
  KERNEL_EVENT_LIST (X)
#undef X
  KERNEL_EVENT_N
} KernelEventType;

typedef struct {
  SimTime at;
  KernelSide side;    /* sender */
  guint16 attr;       /* IbCmAttr */
  guint16 code;       /* REJ: reason; MRA: service timeout; else 0 */
  guint8 message;     /* REJ, MRA: IbCmMessage it speaks of */
  guint8 response_timeout, max_retries; /* REQ: local CM response timeout (code), retries */
  gboolean lost;      /* the wire dropped it */
  guint32 local_id, remote_id;
  guint conn;         /* connect it belongs to, 0 for the first REQ's; by kernel_log_finish */
  guint instance;     /* number of the sender's id among those it used for this connect */
  guint nth;          /* 1: first send of this MAD; by kernel_log_finish */
} KernelMad;

typedef struct {
  SimTime at;
  KernelSide side;
  guint conn;
  KernelEventType type;
  gint status;
} KernelEvent;

typedef struct {
  GArray *mads;   /* KernelMad, in order of time */
  GArray *events; /* KernelEvent, in order of time */
  KernelSide client; /* the side that connects */
  guint connects; /* by kernel_log_finish */
  SimTime start;  /* of the first REQ before times were moved; by kernel_log_finish */
  /* Captured: what the host's own clock showed when the log's showed 0, before times
   * were moved; SIM_TIME_NEVER if its programs said nothing. */
  SimTime guest_clock[KERNEL_SIDES];
  gboolean handmade[KERNEL_SIDES]; /* no CM, but messages sent by hand: none waits for an answer */
  gboolean watched[KERNEL_SIDES]; /* FALSE: stock programs and hand-built peers report no events */
  guint accepts_failed; /* B accepted a request whose client had given up: EINVAL */
  /* Does the application of a side keep its id until TIMEWAIT_EXIT? */
  gboolean sees_timewait[KERNEL_SIDES];
} KernelLog;

KernelLog *kernel_log_new (void);
void kernel_log_free (KernelLog *log);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KernelLog, kernel_log_free)

/* Call when the last MAD and event is in: numbers connects, ids and sends, leaves
 * out what the applications did not see, moves time 0 to the first message.  A message of
 * the client that belongs to no connect counts as one; FALSE when one of the server does. */
gboolean kernel_log_finish (KernelLog *log);

/* Clients that connect in one instant are alike: the one that comes first is a matter
 * of microseconds.  Numbers the connects of `log` so that, where possible, each went
 * as the one of the same number in `model`.  Returns how many got another number. */
guint kernel_log_match (KernelLog *log, const KernelLog *model);

const KernelMad *kernel_log_mad (const KernelLog *log, guint index);
const KernelEvent *kernel_log_event (const KernelLog *log, guint index);

const char *kernel_event_name (KernelEventType type);
/* KERNEL_EVENT_N for the names that are no news from the CM (ACCEPT_CALL, say). */
KernelEventType kernel_event_find (const char *name);
char kernel_side_letter (KernelSide side);
/* "A>B REQ #2", "B>A REJ(8) #1" into buf. */
const char *kernel_mad_text (const KernelMad *mad, char *buf, gsize size);

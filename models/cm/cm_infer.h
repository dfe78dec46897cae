/* From a message to what must have happened: the events that make the state machine of
 * an end send it.
 *
 * Who watches a wire sees neither the calls of consumers nor what arrives.  A message
 * that was sent to an end may have reached it, late or more than once, or not at all; a
 * timer may have expired; its consumer may have called.  The fewest such events after
 * which cm_fsm_step() sends the message are the explanation. */
#pragma once

#include "cm_cause.h"

typedef enum {
  CM_INFER_STRICT, /* nothing else was sent, and only what was seen has arrived */
  CM_INFER_GAPS,   /* messages may be missing from what was seen */
} CmInferMode;

/* Which events each state of the machines has a use for: looked up once. */
typedef struct {
  guint32 events[CM_MACHINE_COUNT][16]; /* bit masks of events */
} CmInferTables;

void cm_infer_tables_init (CmInferTables *tables);

typedef struct {
  const CmProfile *profile;
  const CmInferTables *tables;
  const IbCmMsg *inbox; /* what was sent to the end, latest last */
  guint n_inbox;
  guint64 ca_guid;      /* the end's own; 0: not known */
  gboolean sidr;        /* it is of a SIDR exchange */
  gboolean fresh;       /* no request was judged by it and it has sent none */
  gboolean repeated;    /* the REQ in the inbox came more than once */
} CmInferEnd;

typedef struct {
  CmConn conn;       /* once the message was sent */
  CmCause cause;     /* the last event, which sent it */
  guint steps;       /* events, the cause included */
  gboolean starts;   /* the cause starts the response timer */
  guint missing;     /* messages that must have been sent or received unseen */
} CmInference;

/* FALSE: nothing explains that the end, being like `from`, sends `msg`. */
gboolean cm_infer_send (const CmInferEnd *end, const CmConn *from, const IbCmMsg *msg,
                        CmInferMode mode, CmInference *ret_inference);

/* Whether the end, being like `from`, may have gone to IDLE or TIMEWAIT without a word. */
gboolean cm_infer_may_be_over (const CmInferEnd *end, const CmConn *from);

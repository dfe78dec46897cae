/* Scripted losses: rules like "drop the first three REQs from client to server".
 *
 * A rule counts the MADs that pass the wire with its message type and direction,
 * all hosts together, also those an earlier rule took; it acts on numbers `first`
 * to `last`.  Of the rules that would act on a MAD the first in the list does. */
#pragma once

#include "loss.h"

#define LOSS_MESSAGE_LIST(X) \
  X (ANY,  "any")  /* every MAD */ \
  X (CM,   "cm")   /* every CM message */ \
  X (REQ,  "req")  \
  X (REP,  "rep")  \
  X (RTU,  "rtu")  \
  X (REJ,  "rej")  \
  X (MRA,  "mra")  \
  X (DREQ, "dreq") \
  X (DREP, "drep") \
  X (SIDR_REQ, "sidr-req") \
  X (SIDR_REP, "sidr-rep") \
  X (LAP,  "lap")  \
  X (APR,  "apr")  \
  X (SA,   "sa")   /* path queries and answers */

typedef enum {
#define X(id, name) LOSS_MESSAGE_##id,
  LOSS_MESSAGE_LIST (X)
#undef X
} LossMessage;

typedef enum {
  LOSS_ACTION_DROP,
  LOSS_ACTION_DELAY,
  LOSS_ACTION_DUPLICATE,
} LossAction;

/* The word for "from or to whomever". */
#define LOSS_ANY_HOST "any"

typedef struct {
  guint action;  /* LossAction */
  guint message; /* LossMessage */
  const char *from, *to; /* LOSS_ANY_HOST, "group", or "group.index" (index from 0) */
  guint first, last;     /* counted from 1; last 0: no end */
  SimTime delay;         /* DELAY: added to the latency; DUPLICATE: from the original to the copy */
} LossRule;

typedef struct {
  GArray *rules; /* LossRule */
} LossRulesParams;

/* The host names that occur in the rules, LOSS_ANY_HOST left out, in order, repeated
 * as they are: (transfer container) array of borrowed strings. */
GPtrArray *loss_rules_names (const LossRulesParams *params);
/* Whether `name` means all hosts of a group of `count` or one of them; which ones. */
gboolean loss_name_resolve (const char *name, const char *group, guint count, guint *ret_first,
                            guint *ret_count);

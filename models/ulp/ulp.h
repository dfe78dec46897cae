/* Upper-layer protocols on the active side: how an application connects and what
 * it makes of each outcome.
 *
 * One file with a `const UlpClass` and a row in ulp_table.c.  The class answers
 * one question: an attempt ended this way, what now? */
#pragma once

#include "sim_param.h"
#include "sim_rng.h"

/* How one attempt (one rdma_cm_id) ended. */
typedef enum {
  ULP_END_ESTABLISHED,
  ULP_END_REJECTED,      /* reason */
  ULP_END_UNREACHABLE,   /* REQ retries exhausted */
  ULP_END_ADDRESS_ERROR, /* address resolution timed out */
  ULP_END_ROUTE_ERROR,   /* path query timed out */
  ULP_END_CONNECT_ERROR,
} UlpEnd;

typedef struct {
  UlpEnd end;
  guint reason;       /* REJECTED */
  SimTime retry_after; /* REJECTED: the REJ's busy hint; 0: none */
  guint attempts;     /* made so far, this one included */
  SimTime since_start; /* since the first attempt began */
} UlpOutcome;

typedef struct {
  gboolean retry;  /* a new attempt, with a new id, after `delay` */
  SimTime delay;
} UlpDecision;

typedef struct {
  SimClassInfo info;
  SimTime address_timeout, route_timeout; /* defaults of rdma_resolve_addr / _route */
  UlpDecision (*decide) (gconstpointer params, const UlpOutcome *outcome, SimStream *stream);
  /* errno name the application sees for a final failure ("ECONNREFUSED"). */
  const char *(*errno_name) (const UlpOutcome *outcome);
} UlpClass;

extern const UlpClass ulp_sdp, ulp_generic;
extern const SimClassInfo *const ulp_classes[];

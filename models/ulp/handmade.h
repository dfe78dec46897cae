/* CM messages made by hand: a host sends each once, at a given time, and its CM knows
 * nothing of them.  So they show what a CM makes of any message: late, stray, of another
 * version, or from a peer that never answers. */
#pragma once

#include "cma.h"

typedef struct {
  const char *from;  /* "group" (its first host) or "group.index" */
  const char *to;    /* likewise */
  SimTime at;
  guint message;     /* IbCmAttr, from IB_CM_ATTR_FIRST on */
  guint local_id, remote_id;
  guint qpn;
  guint service;     /* REQ, SIDR_REQ: port ... */
  const char *ulp;   /* ... in the port space of that protocol */
  guint response_timeout, max_retries, ack_timeout; /* REQ: codes in its fields, retries */
  guint wrong;       /* REQ: IbCmWrong */
  guint reason;      /* REJ: reason; SIDR_REP, APR: status */
  guint about;       /* MRA, REJ: IbCmMessage */
  guint service_timeout; /* MRA: code */
} HandmadeParams;

extern const SimParam handmade_params[];

typedef struct Handmade Handmade;

/* Sends it when its time comes.  params and from are borrowed. */
Handmade *handmade_new (SimEngine *engine, const HandmadeParams *params, Hca *from, IbLid to);
void handmade_free (Handmade *handmade); /* once the engine has run */

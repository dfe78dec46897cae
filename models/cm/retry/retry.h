/* CM retry policies: how long to wait for an answer before sending again, and whether
 * to send again at all.
 *
 * One file and one row each.  The nominal interval comes from the profile's timer
 * arithmetic; the policy turns it into the interval of this send.  A policy may keep
 * state, which all connects of a host share, or all of a host with one peer, and may
 * learn from what became of each exchange. */
#pragma once

#include "sim_param.h"
#include "sim_rng.h"

/* One exchange as its policy sees it: a REQ or DREQ and its repeats. */
typedef struct {
  SimTime now;
  SimTime elapsed;  /* since the first send */
  SimTime nominal;  /* interval of the timer arithmetic; after an MRA: what the peer asked for */
  SimTime previous; /* interval given last, or the one that is over; 0: there was none */
  SimTime lifetime; /* packet lifetime of the path, one way */
  guint sends;      /* so far, 1 after the first */
  guint round;      /* the same, counted anew from an MRA on */
  gboolean mra;     /* the peer has asked for time */
} RetryView;

typedef enum {
  RETRY_SEND,    /* if any of the message's retries are left */
  RETRY_WAIT,    /* not yet: ask again after `wait` */
  RETRY_GIVE_UP, /* as if no retries were left */
} RetryAnswer;

typedef struct {
  RetryAnswer answer;
  SimTime wait;
} RetryVerdict;

typedef enum {
  RETRY_NEWS_BEGUN,    /* a first send */
  RETRY_NEWS_MRA,      /* the peer asks for `after` more */
  RETRY_NEWS_ANSWERED, /* `after` the first send, when there had been `sends` */
  RETRY_NEWS_FAILED,   /* given up */
} RetryNewsType;

typedef struct {
  RetryNewsType type;
  SimTime now, after;
  guint sends;
} RetryNews;

typedef enum {
  RETRY_SCOPE_HOST, /* one state for all that a host sends under this policy */
  RETRY_SCOPE_PEER, /* one for each peer of a host */
} RetryScope;

typedef struct {
  SimClassInfo info;
  RetryScope scope;
  gsize state_size; /* of the state, which starts as zeros; 0: it keeps none */
  /* Interval after a send. */
  SimTime (*interval) (gconstpointer params, gpointer state, const RetryView *view,
                       SimStream *stream);
  /* The interval is over without an answer; NULL: always RETRY_SEND. */
  RetryVerdict (*expired) (gconstpointer params, gpointer state, const RetryView *view,
                           SimStream *stream);
  /* What became of an exchange; NULL: does not matter. */
  void (*observe) (gconstpointer params, gpointer state, const RetryNews *news);
} RetryPolicy;

extern const RetryPolicy retry_fixed, retry_jitter, retry_exponential, retry_decorrelated,
    retry_linear_exponential, retry_path_record, retry_adaptive, retry_budget, retry_token_bucket,
    retry_throttle;
extern const SimClassInfo *const retry_classes[];

/* --- For the policies themselves */

/* Jitter, as an enumerated parameter. */
typedef enum {
  RETRY_JITTER_NONE,
  RETRY_JITTER_FULL,  /* uniform in [0, interval] */
  RETRY_JITTER_EQUAL, /* uniform in [interval / 2, interval] */
} RetryJitter;

extern const char *const retry_jitter_names[];
#define RETRY_JITTER_HELP \
  "none; full: uniform in [0, interval]; equal: uniform in [interval/2, interval]."

/* Draws one number whatever the jitter is. */
SimTime retry_jitter_apply (RetryJitter jitter, SimTime interval, SimStream *stream);
/* first x factor^(round - 1), at most cap. */
SimTime retry_grow (SimTime first, double factor, guint round, SimTime cap);

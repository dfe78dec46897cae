/* What the parts of a storm share: the world (storm.c), what consumers do in it
 * (storm_consumer.c) and what must hold (storm_check.c). */
#pragma once

#include "cm_agent.h"
#include "cm_lap.h"
#include "fabric.h"
#include "storm.h"

#define STORM_FAULTS_UNTIL SIM_S (120)
/* Each wait is over by then: 16 of 67.6 s (MRA) in a queue of three at a time. */
#define STORM_CHECK_AT SIM_S (20000)

typedef enum { KIND_CONNECT, KIND_PEER, KIND_SIDR } Kind;

/* What ended an end. */
typedef enum {
  OVER_NOT,
  OVER_OWN,   /* its consumer, or a crash */
  OVER_ERROR, /* its retries ran out */
  OVER_TOLD,  /* a message of the peer */
  OVER_STALE, /* REJ 10 for its REP: the peer waits on, and may yet take a late copy */
} Over;

typedef enum {
  ACT_ACCEPT,
  ACT_REJECT,
  ACT_ESTABLISH,
  ACT_DISCONNECT,
  ACT_DESTROY,
  ACT_CRASH,
  ACT_RESOLVE, /* a deferred request */
  ACT_LOAD,    /* an alternate path */
  ACT_ANSWER,  /* one that is offered */
  ACT_REPLY,   /* SIDR */
} Act;

typedef struct Storm Storm;

/* One end that a consumer has got; it stays in the list when its id is gone. */
typedef struct {
  Storm *storm;
  SimStream stream;
  CmId *id;           /* NULL: gone */
  guint index;        /* in the list */
  guint host, number; /* of the exchange */
  guint32 local_id, qpn;
  gboolean client; /* it sent the first message, or one of two that cross */
  gboolean slot;
  gboolean confirmed; /* client: the RTU has been sent; else: it has come */
  gboolean decided;   /* client: the exchange has succeeded or failed */
  Over over;
  guint ends, exits; /* news that it is over; TIMEWAIT_EXIT */
  SimEventId act;
} StormEnd;

typedef struct {
  Kind kind;
  guint host;     /* client; peer to peer: both are */
  SimTime at[2];  /* peer to peer: when each side begins */
  guint mads;     /* sent so far */
  guint verdicts; /* of the listener so far */
  guint ends;     /* made so far */
} Exchange;

struct Storm {
  const StormPlan *plan;
  StormResult *result;
  SimEngine *engine;
  CmProfile profile;
  struct WireParams {
    Storm *storm;
  } wire;
  FabricParams fabric_params;
  HcaParams hca_params;
  Fabric *fabric;
  HcaGroup *group;
  CmShared *cm;
  Hca *hcas[2];
  CmAgent *agents[2];
  guint32 lost_qpn[2]; /* of an end that crashed; 0: none */
  guint slots[2];      /* taken */
  Exchange exchanges[STORM_EXCHANGES];
  guint beginning; /* exchange whose first message is being sent */
  GPtrArray *ends; /* StormEnd */
  double loss, duplication, lateness;
  guint mad; /* number of the one being sent */
  gboolean closing;
};

/* storm.c */
void storm_fail (Storm *storm, const char *format, ...) G_GNUC_PRINTF (2, 3);
StormEnd *storm_end_new (Storm *storm, guint host, guint number, gboolean client);
/* The end of a host with that communication id, alive or not; NULL: there was none. */
StormEnd *storm_find (const Storm *storm, guint host, guint32 local_id);
gboolean storm_faulty (const Storm *storm);
static inline gboolean
storm_calm (guint number)
{
  return number >= STORM_WILD;
}

/* storm_consumer.c */
extern const CmConsumerOps storm_consumer_ops;
void storm_begin (Storm *storm, guint number, guint host);
/* The end's consumer lets go now. */
void storm_destroy (StormEnd *end);

/* storm_check.c */
/* A client has got a REP, or a server an RTU: are they each other's? */
void storm_check_pair (StormEnd *end);
/* Faults are long over: everything is decided and both sides agree. */
void storm_check_agreement (Storm *storm);
/* Nothing is left. */
void storm_check_end (Storm *storm);

/* What the two halves of a connector share: arrivals and records (connector.c) and
 * the attempts of each connect (connect_attempt.c). */
#pragma once

#include "connector.h"

typedef struct {
  Connector *connector;
  CmaId *id;             /* of the attempt in progress, NULL between attempts */
  SimEventId step;       /* the next thing this application does */
  SimEventId watchdog;
  SimEventId data;       /* arrival of the first data */
  SimEventId hang_up;    /* disconnect after `hold` */
  gboolean redirected;   /* a REJ sent it elsewhere */
} Connect;

struct Connector {
  ConnectorConfig config;
  const ConnectorOps *ops;
  gpointer owner;
  const UlpClass *ulp;
  const ArrivalClass *arrivals;
  ArrivalCursor cursor;
  SimStream arrival_stream;
  SimStreamKey ulp_key;
  Connect *connects;
};

static inline guint
connect_index (const Connect *connect)
{
  return (guint) (connect - connect->connector->connects);
}

static inline ConnectRecord *
connect_record (const Connect *connect)
{
  return &connect->connector->config.records[connect_index (connect)];
}

static inline SimTime
connect_now (const Connect *connect)
{
  return sim_engine_now (connect->connector->config.engine);
}

/* connector.c */
void connect_step_done (Connect *connect, ConnectStep step);
void connect_trace (Connect *connect, const char *event, gint status);
void connect_cancel (Connect *connect, SimEventId *event);
void connect_decide (Connect *connect, ConnectCause cause, guint reason);
/* Destroys the id of the attempt in progress, if there is one. */
void connect_drop_id (Connect *connect);

/* Where the attempt in progress goes. */
static inline const ConnectorTarget *
connect_target (const Connect *connect)
{
  const ConnectorConfig *config = &connect->connector->config;

  return connect->redirected ? &config->redirect : &config->target;
}

static inline IbLid
connect_peer (const Connect *connect)
{
  const ConnectorTarget *target = connect_target (connect);

  return target->hosts[connect_index (connect) % target->n];
}

/* connect_attempt.c: a new id, and all that follows from it. */
void connect_attempt_start (Connect *connect);

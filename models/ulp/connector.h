/* The active side's applications of one `connects:` entry at work: arrivals,
 * attempts, the steps of each, and the record of how it ended. */
#pragma once

#include "cma_channel.h"
#include "connect_records.h"
#include "mesh.h"

typedef struct Connector Connector;

typedef struct {
  /* record: number of the connect's. */
  void (*started) (gpointer owner, guint record);
  void (*decided) (gpointer owner, guint record); /* cause, end are set */
  /* The application got an event, for traces; may be NULL. */
  void (*app_event) (gpointer owner, guint record, const char *event, gint status);
  void (*data) (gpointer owner, const CmaPeer *peer); /* reaches the peer now */
} ConnectorOps;

/* Where connects go: hosts, taken in turn, and a port. */
typedef struct {
  IbLid *hosts; /* (transfer full) */
  guint n;
  guint port;
} ConnectorTarget;

typedef struct {
  SimEngine *engine;
  const ConnectParams *params;
  const CmProfile *profile;
  Cma *const *hosts;      /* of the group `from` */
  guint n_hosts;
  CmaChannel **channels;  /* of each host (transfer full); NULL: events are heard of at once */
  ConnectorTarget target;
  Mesh *mesh;             /* tie_break; NULL: none; borrowed */
  ConnectorTarget redirect; /* of a redirecting REJ; n 0: nowhere */
  guint entry;            /* index of the entry */
  guint first_index;      /* number of its first connect among all of the world */
  ConnectRecords *records; /* borrowed; filled in from number first_index on */
  guint n_records;
  guint64 seed;
  guint32 replication;
} ConnectorConfig;

Connector *connector_new (const ConnectorConfig *config, const ConnectorOps *ops, gpointer owner);
/* Schedules the first arrival. */
void connector_start (Connector *connector);
/* Completes the records when the run is over. */
void connector_finish (Connector *connector);
const ConnectPathCounters *connector_paths (const Connector *connector);
/* CM ids its applications hold. */
guint connector_live (const Connector *connector);
/* Connects whose script failed. */
guint connector_scripts_failed (const Connector *connector);
void connector_free (Connector *connector);

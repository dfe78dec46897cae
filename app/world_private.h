/* The entities of one replication; shared by world.c (build, run) and
 * world_metrics.c (read out). */
#pragma once

#include "connector.h"
#include "listener.h"
#include "sa_service.h"
#include "sim_stats.h"
#include "world.h"

typedef struct World World;

/* Hosts first_host .. first_host + count - 1 of the world. */
typedef struct {
  const HostGroupParams *params;
  guint first_host;
  guint count;
  IbLid first_lid;
  HcaGroup *hca_group;
  CmaConfig *config; /* of its hosts */
} WorldGroup;

typedef struct {
  World *world;
  Listener *listener;
  guint backlog, busy;
} WorldListener;

/* What counts from the end of the warm-up on: a copy taken then, subtracted later. */
typedef struct {
  CmCounters cm;
  TcpCounters tcp;
  HcaCounters hca;   /* summed over hosts */
  ListenerCounters listeners;
  ConnectPathCounters paths;
  CmaChannelCounters channels;  /* of all event channels */
  SaCounters sa;
  MulticastCounters multicast;  /* of all entries */
  SaMulticastCounters members;  /* of all ports */
  guint64 lost;
} WorldCounters;

struct World {
  const ScenarioModel *model;
  const WorldOptions *options;
  WorldResult *result;
  guint64 seed;
  guint32 replication;
  SimEngine *engine;
  Fabric *fabric;
  CmShared *cm;
  TcpShared *tcp;         /* iwarp, tcp; else NULL */
  HcaGroup *sm_hca_group;
  Hca *sm_hca;
  SaService *sa;
  GArray *groups;         /* WorldGroup */
  Cma **hosts;
  guint n_hosts;
  WorldListener *listeners;
  guint n_listeners;
  Mesh **meshes;          /* of each connector, most NULL */
  Connector **connectors;
  Handmade **handmade;    /* of each entry */
  Multicast **multicast;  /* of each entry */
  HcaMeter *meters[2];    /* QP1 receive, send; NULL unless series are asked for */
  SimTimeAvg backlog;     /* all listeners */
  SimTimeAvg idle;        /* 1 while no accept worker is busy */
  SimTimeAvg idle_waiting; /* 1 while that is so and connects are pending */
  guint busy;
  guint pending;          /* connects started and not decided */
  guint backlog_max;      /* at one listener, since the end of the warm-up */
  SimTime first_established, last_established, last_decided;
  double idle_at_decided; /* share of idle time up to last_decided */
  gboolean warm;          /* the warm-up is over */
  WorldCounters at_warm;
  SimTime end;            /* the clock when the run was over */
};

void world_counters (const World *world, WorldCounters *ret_counters);
/* Fills result->metrics after the run; but what follows from the records of connects only when
 * the entities have been freed, for there may be millions of each. */
void world_read_metrics (World *world);
void world_read_outcomes (const World *world);

/* world_news.c: for listeners and connectors without and with news of applications; for QP1's
 * receive and send ring. */
extern const ListenerOps world_listener_ops[2];
extern const ConnectorOps world_connector_ops[2];
extern const FabricObserverOps world_wire_ops;
extern const HcaMeterOps world_meter_ops[2];
extern const SaObserverOps world_sa_ops;
extern const MulticastOps world_multicast_ops[2];

/* world_multicast.c: members of multicast groups; their share of the metrics. */
gboolean world_needs_multicast (const ScenarioModel *model);
void world_build_multicast (World *world);
void world_count_multicast (const World *world, WorldCounters *counters);
void world_read_multicast (const World *world, const WorldCounters *now, double *metrics);

/* world_channel.c: event channels.  Those of the group's hosts that have this name; NULL: none is
 * asked for (transfer full). */
CmaChannel **world_channels (const World *world, const WorldGroup *group, const char *name);
gboolean world_has_channels (const World *world);
void world_count_channels (const World *world, WorldCounters *counters);

/* world_build.c: everything but the run. */
const WorldGroup *world_find_group (const World *world, const char *name);
void world_build (World *world);

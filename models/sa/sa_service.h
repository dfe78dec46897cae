/* The subnet administrator: answers path queries, joins and leaves as a queueing server.
 *
 * `workers` dispatcher threads for queries, `set_workers` for joins and leaves, service time
 * per query, and OpenSM's overload rule: a query that would wait longer than `wait_limit` is
 * dropped silently (osm_sa_mad_ctrl.c max_msg_fifo_timeout). */
#pragma once

#include "hca.h"
#include "sa_groups.h"

typedef enum {
  SA_OVERLOAD_DROP,
  SA_OVERLOAD_BUSY,
} SaOverload;

typedef struct {
  guint workers;
  SimDist service;
  guint queue_limit;   /* queries waiting or in service; 0 = unbounded */
  SimTime wait_limit;  /* SIM_TIME_NEVER = none */
  guint packet_lifetime; /* code in the path record */
  guint mtu, rate, sl;   /* codes */
  guint overload;        /* SaOverload */
  guint set_workers;     /* 0: the `workers` do it */
  SimDist set_service;
  SaGroupsParams groups;
  SimTime reregister_at; /* never */
} SaParams;

extern const SimParam sa_params[];

typedef struct SaService SaService;

typedef struct {
  void (*queue) (gpointer owner, SimTime now, guint present); /* queries waiting or in service */
} SaObserverOps;

typedef struct {
  guint64 queries, answered, dropped; /* path queries; all that were answered */
  guint64 joins, leaves, sets_dropped, sets_refused;
  guint queue_max, set_queue_max, groups_max;
  SimTime busy;
} SaCounters;

/* hca: the SM host's (borrowed). */
SaService *sa_service_new (SimEngine *engine, Hca *hca, const SaParams *params, guint64 seed,
                           guint32 replication);
void sa_service_free (SaService *sa);
void sa_service_observe (SaService *sa, const SaObserverOps *ops, gpointer owner);
const SaCounters *sa_service_counters (const SaService *sa);
/* The largest queue from now on: the end of a warm-up. */
void sa_service_restart_max (SaService *sa);
/* See sa_groups_forget(). */
void sa_service_forget_groups (SaService *sa);

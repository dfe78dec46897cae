/* A host channel adapter: QP1 with its rings, MAD service, firmware commands.
 *
 * Receive: a MAD that arrives takes a slot of QP1's receive ring until the MAD
 * completion handler (`mad_service`, one at a time) has handed it on and posted a
 * fresh buffer; with no slot free it is lost and counted.  The handler passes it
 * to the work queue of its management class: CM (`cm_service`, `cm_workers`) or SA
 * (served by the SA itself).  Linux: mad.c, cm.c `ib_cm` work queue.
 *
 * Send: QP1's send ring holds `send_ring` MADs until they are on the wire; more
 * wait in software in order.
 *
 * Commands: QP create and modify go through a command interface that runs
 * `commands` of them at a time. */
#pragma once

#include "fabric.h"
#include "hca_meter.h"

typedef struct {
  guint recv_ring;      /* 512: mad_priv.h IB_MAD_QP_RECV_SIZE */
  guint send_ring;      /* 128: IB_MAD_QP_SEND_SIZE */
  SimDist mad_service;  /* per MAD received, completion handler */
  SimDist cm_service;   /* per CM message, work queue */
  guint cm_workers;     /* at least 1 (a scenario's 0 is the profile's number by then) */
  SimDist qp_create;
  SimDist qp_modify;    /* each transition */
  guint commands;       /* parallel commands */
  gboolean qpn_reuse;   /* the number of a QP that is gone is given out again */
  SimTime qpn_timewait; /* ... but only so long after it went */
  gboolean comm_est;    /* raises "communication established": data before the RTU */
} HcaParams;

extern const SimParam hca_params[];

typedef struct Hca Hca;

typedef enum {
  HCA_COMMAND_QP_CREATE,
  HCA_COMMAND_QP_MODIFY,
} HcaCommand;

typedef struct {
  void (*receive) (gpointer owner, const IbMad *mad); /* work item runs now */
  /* It has come and will be received, so what that takes can be fetched from memory; changes
   * nothing.  May be NULL. */
  void (*expect) (gpointer owner, const IbMad *mad);
} HcaGsiOps;

typedef struct {
  guint64 received, receive_overruns; /* MADs taken; lost for want of a buffer */
  guint64 sent, send_waits;           /* MADs sent; those that found the send ring full */
  guint receive_ring_max, send_ring_max;
  guint64 commands;
  SimTime mad_busy, cm_busy, command_busy; /* summed service times */
} HcaCounters;

/* What HCAs with the same parameters share: parameters, streams' names, counters. */
typedef struct HcaGroup HcaGroup;

/* params is borrowed. */
HcaGroup *hca_group_new (SimEngine *engine, Fabric *fabric, const HcaParams *params, guint64 seed,
                         guint32 replication);
void hca_group_free (HcaGroup *group); /* after its HCAs */
/* Summed over the HCAs of the group; the ring maxima are those of one HCA. */
const HcaCounters *hca_group_counters (const HcaGroup *group);
/* The ring maxima are those seen from the next MAD on: the end of a warm-up. */
void hca_group_restart_maxima (HcaGroup *group);

/* index: number of the host, names its streams ("hca", index, purpose).  A host's
 * service times are a function of the order of its own MADs and commands. */
Hca *hca_new (HcaGroup *group, guint index);
void hca_free (Hca *hca);
IbLid hca_lid (const Hca *hca);
guint64 hca_guid (const Hca *hca); /* non-zero, a function of the index */
gboolean hca_is_roce (const Hca *hca);
/* MADs of a class nobody registered for are handled and dropped. */
void hca_gsi_register (Hca *hca, IbMgmtClass mgmt_class, const HcaGsiOps *ops, gpointer owner);
/* Has the ring occupancy added to meters (borrowed; each may be NULL). */
void hca_observe (Hca *hca, HcaMeter *receive_ring, HcaMeter *send_ring);
/* Fills in mad->source and sends.  Returns the time of the send completion. */
SimTime hca_gsi_send (Hca *hca, IbMad *mad);
/* Queues n commands of a kind, which run one after the other (each needs the one
 * before it); fires klass(owner, arg) when the last is done.  Zero-cost commands
 * complete at once through an event at the present instant.  Returns the event so
 * that it can be cancelled (the commands still run). */
SimEventId hca_command (Hca *hca, HcaCommand command, guint n, const SimEventClass *klass,
                        gpointer owner, guint64 arg);
gsize hca_footprint (void); /* bytes of an adapter that is idle */

/* What the files of the HCA share. */
#pragma once

#include "hca.h"
#include "sim_fifo.h"
#include "sim_line.h"
#include "sim_slab.h"

/* What its agents may be: few kinds in a group. */
enum { HCA_OPS_MAX = 15 };

struct HcaGroup {
  SimEngine *engine;
  Fabric *fabric;
  const HcaParams *params;
  SimStreamKey mad_service, cm_service, qp_create, qp_modify;
  SimSlab hcas;
  const HcaGsiOps *ops[HCA_OPS_MAX + 1]; /* from 1 on */
  guint n_ops;
  HcaCounters counters;
};

/* Of a stage with one worker only the end of the latest job matters; with more it is a server
 * of its own. */
typedef union {
  SimTime last;
  SimFifo *fifo;
} HcaStage;

typedef struct {
  HcaMeter *receive, *send; /* each may be NULL */
} HcaMeters;

/* Kept small: there may be millions, nearly all idle. */
struct Hca {
  HcaGroup *group;
  guint32 index : 24;
  guint32 cm_ops : 4; /* number in group->ops; 0: nobody registered */
  guint32 sa_ops : 4;
  IbLid lid;
  gpointer cm_owner, sa_owner;
  SimLine handler;   /* MAD completion handler; who is present holds a receive buffer */
  SimLine sends;     /* MADs that are not on the wire yet */
  HcaStage cm_queue; /* work queue of the CM */
  HcaStage commands;
  guint64 mad_service, cm_service, qp_create, qp_modify; /* streams at rest */
  HcaMeters *meters;                                     /* NULL: nobody looks */
};

/* A job of `service` at a stage with so many workers; its end. */
SimTime hca_stage_offer (HcaStage *stage, guint workers, SimTime now, SimTime service);
/* The fabric hands a MAD to QP1: the slot in its pool. */
void hca_gsi_arrive (gpointer owner, guint32 slot);

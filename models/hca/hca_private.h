/* What the files of the HCA share. */
#pragma once

#include "hca.h"
#include "sim_fifo.h"

typedef struct {
  const HcaGsiOps *ops; /* NULL: nobody registered */
  gpointer owner;
} HcaAgent;

/* Completion times of sends, a ring in order of time. */
typedef struct {
  SimTime *times;
  guint head, count, size; /* size: 0 or a power of two */
} HcaSends;

struct Hca {
  SimEngine *engine;
  Fabric *fabric;
  const HcaParams *params;
  guint index;
  IbLid lid;
  HcaAgent cm_agent, sa_agent;
  SimFifo *handler;  /* MAD completion handler; its places are the receive ring */
  SimFifo *cm_queue; /* work queue of the CM */
  SimFifo *commands;
  HcaSends sends;
  SimStream mad_service, cm_service, qp_create, qp_modify;
  HcaMeter *receive_meter, *send_meter;
  HcaCounters counters;
};

/* The fabric hands a MAD to QP1. */
void hca_gsi_arrive (gpointer owner, const IbMad *mad);

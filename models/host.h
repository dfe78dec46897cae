/* A host: one HCA and the CM software above it. */
#pragma once

#include "host_memory.h"
#include "hca.h"

typedef struct {
  SimDist delay;      /* neighbour answers */
  double unanswered;  /* probability that a probe stays unanswered */
  guint probes;       /* 3: Linux mcast_solicit */
  SimTime interval;   /* 1 s between probes */
} HostAddressParams;

typedef struct {
  const char *name;   /* group name: the mapping key */
  guint count;
  const char *profile; /* name of the hosts' CmProfile; "": the scenario's */
  HcaParams hca;
  HostAddressParams address;
  SimDist create_id;  /* cost of creating an rdma_cm id */
  HostMemoryParams memory;
  guint comm_ids;     /* communication ids handed out in turn; 0: all */
  SimTime ipoib_up; /* IPoIB joins its broadcast group; 0: it did so before the run; never: none */
  SimTime port_error_at; /* multicast memberships are lost then; never */
  SimTime timer_phase; /* kernel time (jiffies) at simulated time 0; never: drawn per host */
} HostGroupParams;

extern const SimParam host_params[]; /* without name */

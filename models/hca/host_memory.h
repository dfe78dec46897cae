/* A host that is short of memory: what the CM allocates for others fails.
 *
 * That is the id of an incoming REQ, and every message that answers: REP, REJ, MRA, RTU, DREP,
 * SIDR_REP.  REQ and DREQ belong to whoever asks for them and have their memory. */
#pragma once

#include "sim_param.h"
#include "sim_rng.h"

typedef struct {
  double fails;        /* probability that an allocation fails */
  SimTime from, until; /* ... between these times; until: never, to the end */
} HostMemoryParams;

extern const SimParam host_memory_params[];

/* Of one host. */
typedef struct {
  const HostMemoryParams *params; /* borrowed; NULL, as zeroed: there is always enough */
  SimStream stream;
} HostMemory;

void host_memory_init (HostMemory *memory, const HostMemoryParams *params, SimStreamKey key,
                       guint index);
/* One allocation: TRUE if it fails. */
gboolean host_memory_fails (HostMemory *memory, SimTime now);

#include "host_memory.h"

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (HostMemoryParams, field)
const SimParam host_memory_params[] = {
  { ROW (fails), .kind = SIM_PARAM_PROBABILITY, .value = "0",
    .help = "Probability that an allocation of the CM fails: of the id of an incoming REQ, which "
            "is then lost; of an answer, which is then not sent.",
    .source = "Linux cm.c cm_req_handler, cm_issue_rej, cm_alloc_msg: no answer without memory" },
  { ROW (from), .kind = SIM_PARAM_TIME, .value = "0s", .help = "When memory becomes short." },
  { ROW (until), .kind = SIM_PARAM_TIME, .value = "never", .help = "When there is enough again." },
  { .name = NULL },
};
#undef ROW

void
host_memory_init (HostMemory *memory, const HostMemoryParams *params, SimStreamKey key, guint index)
{
  memory->params = params;
  sim_stream_init (&memory->stream, key, index);
}

gboolean
host_memory_fails (HostMemory *memory, SimTime now)
{
  const HostMemoryParams *params = memory->params;

  return params && now >= params->from && now < params->until &&
         sim_stream_unit (&memory->stream) < params->fails;
}

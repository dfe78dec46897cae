/* A process of an MPI job: a connect that fails ends the job.  Who connects to whom is the
 * pattern of the `connects:` entry: all-to-all at the start, a ring, or on demand. */
#include "ulp.h"

static const UlpReaction reactions[] = {
  ULP_REJECTED (IB_CM_REJ_STALE_CONNECTION, ULP_RETRY, "MPI_ERR_OTHER"),
  ULP_REJECTED (ULP_ANY_REASON, ULP_FAIL, "MPI_ERR_OTHER"),
  ULP_ON (UNREACHABLE, ULP_FAIL, "MPI_ERR_OTHER"),
  ULP_ON (ADDRESS_ERROR, ULP_FAIL, "MPI_ERR_OTHER"),
  ULP_ON (ROUTE_ERROR, ULP_FAIL, "MPI_ERR_OTHER"),
  ULP_ON (CONNECT_ERROR, ULP_FAIL, "MPI_ERR_OTHER"),
  ULP_ON (WATCHDOG, ULP_FAIL, "MPI_ERR_OTHER"),
  ULP_REACTIONS_END,
};

static UlpSchedule
schedule (gconstpointer params G_GNUC_UNUSED, const UlpOutcome *outcome G_GNUC_UNUSED)
{
  return (UlpSchedule){ .first = SIM_MS (10), .attempts = 5 };
}

const UlpClass ulp_mpi = {
  .info = {
    .name = "mpi",
    .help = "A process of an MPI job: any REJ but 10 and any error ends the job; 5 tries after "
            "REJ 10.",
    .source = "Open MPI over RDMA CM (Linux commit 97cb7e40c6, libfabric issue 10359); the retries "
              "are assumed",
  },
  .space = CMA_PORT_SPACE_TCP,
  .address_timeout = SIM_S (5),
  .route_timeout = SIM_S (5),
  .reactions = reactions,
  .schedule = schedule,
  .listen = {
    .full = { .answer = BACKLOG_DROP },
    .counts = BACKLOG_COUNTS_UNREAD,
    .source = "Linux ucma.c: a full backlog returns -ENOMEM",
  },
};

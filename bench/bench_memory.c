/* bench_memory [CONNECTIONS]: what established connections cost in memory.
 *
 * Opens that many connections (a million by default) between pairs of hosts through the real
 * fabric, HCAs and CM agents, and leaves them all open.  Prints the memory that both CM ends
 * of a connection take together, tables included, and the peak of the whole process.  Exit code
 * 1 if it is more than 192 bytes a connection, or than 512 MB for a million. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cm_agent.h"
#include "fabric.h"

enum { PAIRS = 8, SERVICE = 7471, BYTES_MAX = 192, PROCESS_MB_MAX = 512 };

typedef struct {
  SimEngine *engine;
  CmShared *cm;
  Hca *hcas[2 * PAIRS];
  CmAgent *agents[2 * PAIRS];
  guint32 wanted, begun, established, failed;
  guint32 qpn;
} Bench;

/* ----- consumers: accept and confirm at once ----- */

static CmVerdict
on_request (gpointer listener G_GNUC_UNUSED, const IbCmMsg *req G_GNUC_UNUSED,
            IbLid source G_GNUC_UNUSED)
{
  return (CmVerdict){ .event = CM_EV_REQ_ADMITTED };
}

static gpointer
on_child (gpointer listener, CmId *id G_GNUC_UNUSED, const IbCmMsg *req G_GNUC_UNUSED,
          CmEventType verdict G_GNUC_UNUSED)
{
  return *(Bench **) listener;
}

static void
on_news (gpointer owner, CmId *id, CmNotify news, gint status G_GNUC_UNUSED)
{
  Bench *bench = owner;

  if (news == CM_NOTIFY_REQ_RECEIVED)
    cm_accept (id, ++bench->qpn, 0);
  else if (news == CM_NOTIFY_REP_RECEIVED)
    cm_establish (id);
  else if (news == CM_NOTIFY_RTU_RECEIVED)
    bench->established++;
  else
    bench->failed++;
}

static const CmConsumerOps ops = { .request = on_request, .child = on_child, .notify = on_news };

/* ----- one connect a microsecond ----- */

static void begin_fire (gpointer owner, guint64 arg);
static const SimEventClass begin_event = { .name = "begin", .code = 1, .fire = begin_fire };

static void
begin_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  Bench *bench = owner;
  guint pair = bench->begun % PAIRS;
  CmConnectRequest request = { .destination = hca_lid (bench->hcas[2 * pair + 1]),
                               .service_id = SERVICE,
                               .qpn = ++bench->qpn,
                               .packet_lifetime = 18,
                               .response_timeout = 20,
                               .max_retries = 15 };

  cm_connect (bench->agents[2 * pair], &request, sim_stream_key (1, 0, "bench", "retry"), bench);
  if (++bench->begun < bench->wanted)
    sim_engine_schedule_after (bench->engine, SIM_US (1), &begin_event, bench, 0);
}

/* ----- */

/* Large blocks do not come from malloc, so its statistics are not enough. */
static gsize
resident (void)
{
  FILE *file = fopen ("/proc/self/statm", "re");
  gsize pages = 0;

  if (!file || fscanf (file, "%*u %zu", &pages) != 1)
    exit (1);
  fclose (file);
  return pages * (gsize) sysconf (_SC_PAGESIZE);
}

static double
process_mb (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) usage.ru_maxrss / 1024;
}

static void
add_hosts (Bench *bench, HcaGroup *group)
{
  for (guint i = 0; i < 2 * PAIRS; i++) {
    bench->hcas[i] = hca_new (group, i);
    bench->agents[i] = cm_agent_new (bench->cm, NULL, bench->hcas[i], i, 0, &ops);
    if (i & 1)
      cm_agent_listen (bench->agents[i], SERVICE, g_memdup2 (&bench, sizeof bench));
  }
}

int
main (int argc, char **argv)
{
  Bench bench = { .wanted = argc > 1 ? (guint32) strtoul (argv[1], NULL, 10) : 1000000 };
  FabricParams wire = { .latency = sim_dist_constant (SIM_US (1)),
                        .loss = { .klass = &loss_none.info } };
  HcaParams adapter = { .recv_ring = 512, .send_ring = 128, .cm_workers = 1, .commands = 1 };
  Fabric *fabric;
  HcaGroup *group;
  gsize before, after;
  double bytes;
  gboolean good;

  adapter.mad_service = adapter.cm_service = adapter.qp_create = adapter.qp_modify =
      sim_dist_constant (0);
  mallopt (M_PERTURB, 0); /* Meson has memory filled, which makes all of it count */
  bench.engine = sim_engine_new (NULL, 0);
  fabric = fabric_new (bench.engine, &wire, 1, 0);
  group = hca_group_new (bench.engine, fabric, &adapter, 1, 0);
  bench.cm = cm_shared_new (bench.engine, cm_profile_find ("linux-6.1"));
  add_hosts (&bench, group);

  before = resident ();
  sim_engine_schedule_after (bench.engine, 0, &begin_event, &bench, 0);
  sim_engine_run (bench.engine, SIM_TIME_NEVER);
  after = resident ();
  bytes = (double) (after - before) / MAX (bench.wanted, 1);
  printf ("%u connections established, %u CM ids, %u failed\n", bench.established,
          cm_shared_ids (bench.cm), bench.failed);
  printf ("%.1f bytes per connection, both CM ends and their tables (at most %d)\n", bytes,
          BYTES_MAX);
  printf ("%.1f MB: peak of the process (at most %d for a million)\n", process_mb (),
          PROCESS_MB_MAX);
  good = bench.established == bench.wanted && bench.failed == 0 && bytes <= BYTES_MAX &&
         (bench.wanted > 1000000 || process_mb () <= PROCESS_MB_MAX);

  for (guint i = 0; i < 2 * PAIRS; i++) {
    cm_agent_free (bench.agents[i]);
    hca_free (bench.hcas[i]);
  }
  cm_shared_free (bench.cm);
  hca_group_free (group);
  fabric_free (fabric);
  sim_engine_free (bench.engine);
  return good ? 0 : 1;
}

/* The SM's host and a client's host; everything but the SA takes no time. */
#pragma once

#include <errno.h>

#include "sa_client.h"
#include "sa_service.h"
#include "test_sim.h"

#define SEED 20260803
#define MAX_MARKS 4000

typedef struct {
  SimTime at;
  gint64 value;
} Mark;

/* SM host: LID 1; client host: LID 2; everything but the SA takes no time. */
typedef struct {
  SimEngine *engine;
  Fabric *fabric;
  FabricParams fabric_params;
  HcaParams hca_params;
  SaParams sa_params;
  CmProfile profile;
  HcaGroup *group;
  Hca *sm_hca, *hca;
  SaService *sa;    /* NULL: nobody answers, or answer_error */
  gboolean answer_error;
  SaClientGroup *clients;
  SaClient *client; /* NULL: raw queries */
  Mark marks[MAX_MARKS]; /* time and status of each query that ended */
  guint64 args[MAX_MARKS];
  guint n_marks;
  IbSaMsg response; /* the last one */
  Mark levels[MAX_MARKS]; /* of the SA's queue */
  guint n_levels;
  SimTime sends[MAX_MARKS]; /* queries put on the wire */
  guint n_sends;
  SaQuery *cancel;  /* to be cancelled by done() */
  guint again;      /* done() asks again, so many times */
} Rig;

static inline Rig *
rig_new (void)
{
  Rig *rig = g_new0 (Rig, 1);

  rig->fabric_params = (FabricParams) {
    .latency = sim_dist_constant (0),
    .overhead_bytes = 34,
    .loss = { .klass = &loss_none.info },
  };
  rig->hca_params = (HcaParams) {
    .recv_ring = 1000000,
    .send_ring = 128,
    .mad_service = sim_dist_constant (0),
    .cm_service = sim_dist_constant (0),
    .cm_workers = 1,
    .qp_create = sim_dist_constant (0),
    .qp_modify = sim_dist_constant (0),
    .commands = 1,
  };
  rig->sa_params = (SaParams) {
    .workers = 1,
    .service = sim_dist_constant (SIM_MS (1)),
    .wait_limit = SIM_TIME_NEVER,
    .packet_lifetime = 18,
    .mtu = 4,
    .rate = 16,
    .sl = 3,
  };
  rig->profile = (CmProfile) { .timing = CM_TIMING_SPEC, .hz = 250, .sa_tries_per_timeout = 10 };
  return rig;
}

static inline void
rig_done (gpointer owner, guint64 arg, gint status, const IbSaMsg *resp)
{
  Rig *rig = owner;

  g_assert (rig->n_marks < MAX_MARKS);
  ck_assert ((resp != NULL) == (status == 0));
  if (resp != NULL)
    rig->response = *resp;
  rig->marks[rig->n_marks] = (Mark) { sim_engine_now (rig->engine), status };
  rig->args[rig->n_marks++] = arg;
  if (rig->cancel != NULL)
    sa_client_cancel (rig->client, rig->cancel);
  if (rig->again > 0)
    {
      rig->again--;
      sa_client_query (rig->client, 7, SIM_S (1), arg + 1);
    }
}

static const SaClientOps rig_client_ops = { .done = rig_done };

static inline void
rig_queue (gpointer owner, SimTime now, guint present)
{
  Rig *rig = owner;

  g_assert (rig->n_levels < MAX_MARKS);
  ck_assert_int_eq (now, sim_engine_now (rig->engine));
  rig->levels[rig->n_levels++] = (Mark) { now, present };
}

static const SaObserverOps rig_sa_ops = { .queue = rig_queue };

static inline void
rig_sent (gpointer owner, SimTime now, const IbMad *mad, FabricFate fate G_GNUC_UNUSED)
{
  Rig *rig = owner;

  if (mad->sa.method != IB_SA_GET_PATH || rig->client == NULL)
    return;
  g_assert (rig->n_sends < MAX_MARKS);
  rig->sends[rig->n_sends++] = now;
}

static const FabricObserverOps rig_fabric_ops = { .sent = rig_sent };

/* An SA without records. */
static inline void
rig_answer_error (gpointer owner, const IbMad *mad)
{
  Rig *rig = owner;
  IbMad answer = *mad;

  answer.destination = mad->source;
  answer.sa.method = IB_SA_GET_PATH_RESP;
  answer.sa.status = 0x0300;
  hca_gsi_send (rig->sm_hca, &answer);
}

static const HcaGsiOps rig_error_ops = { .receive = rig_answer_error };

static inline void
rig_start (Rig *rig, gboolean with_sa, gboolean with_client, guint32 replication)
{
  rig->engine = sim_engine_new (NULL, 0);
  rig->fabric = fabric_new (rig->engine, &rig->fabric_params, SEED, replication);
  fabric_observe (rig->fabric, &rig_fabric_ops, rig);
  rig->group = hca_group_new (rig->engine, rig->fabric, &rig->hca_params, SEED, replication);
  rig->sm_hca = hca_new (rig->group, 0);
  rig->hca = hca_new (rig->group, 1);
  if (with_sa)
    rig->sa = sa_service_new (rig->engine, rig->sm_hca, &rig->sa_params, SEED, replication);
  else if (rig->answer_error)
    hca_gsi_register (rig->sm_hca, IB_MGMT_CLASS_SUBN_ADM, &rig_error_ops, rig);
  rig->clients = sa_client_group_new (rig->engine, hca_lid (rig->sm_hca), &rig->profile,
                                      &rig_client_ops, rig);
  if (with_client)
    rig->client = sa_client_new (rig->clients, rig->hca, 0);
}

static inline void
rig_run (Rig *rig)
{
  ck_assert_int_eq (sim_engine_run (rig->engine, SIM_TIME_NEVER), SIM_STOP_IDLE);
}

static inline void
rig_stop (Rig *rig)
{
  if (rig->client != NULL)
    sa_client_free (rig->client);
  sa_client_group_free (rig->clients);
  if (rig->sa != NULL)
    sa_service_free (rig->sa);
  hca_free (rig->hca);
  hca_free (rig->sm_hca);
  hca_group_free (rig->group);
  fabric_free (rig->fabric);
  sim_engine_free (rig->engine);
}

static inline void
rig_free (Rig *rig)
{
  rig_stop (rig);
  g_free (rig);
}

static inline void
check_mark (const Rig *rig, guint i, SimTime at, gint status)
{
  ck_assert_uint_lt (i, rig->n_marks);
  ck_assert_int_eq (rig->marks[i].at, at);
  ck_assert_int_eq (rig->marks[i].value, status);
}

/* Asks at once; the answers carry the askers' arguments in order of asking. */
static inline void
ask (Rig *rig, guint n)
{
  for (guint i = 0; i < n; i++)
    sa_client_query (rig->client, 1, SIM_S (1000), i);
}

/* The search tables against a plain list: of the ids with one key the one that came last is
 * found, however often the tables have grown and whatever was removed. */
#include <string.h>

#include "cm_shared.h"
#include "test_sim.h"

enum { AGENTS = 2, ALIVE = 3000, STEPS = 60000, GUIDS = 4, NUMBERS = 200 };

typedef struct {
  SimEngine *engine;
  FabricParams fabric_params;
  HcaParams hca_params;
  Fabric *fabric;
  HcaGroup *group;
  Hca *hcas[AGENTS];
  CmShared *shared;
  CmAgent *agents[AGENTS];
  SimStream stream;
  CmId *alive[ALIVE]; /* in the order in which they came */
  guint agent_of[ALIVE];
  guint n;
} Rig;

static const CmConsumerOps nobody = { .request = NULL };

static guint32
below (Rig *rig, guint32 n)
{
  return (guint32) sim_stream_below (&rig->stream, n);
}

static void
set_up (Rig *rig)
{
  rig->fabric_params = (FabricParams){ .latency = sim_dist_constant (0),
                                       .loss = { .klass = &loss_none.info } };
  rig->hca_params = (HcaParams){ .recv_ring = 1, .send_ring = 1, .cm_workers = 1, .commands = 1 };
  rig->hca_params.mad_service = rig->hca_params.cm_service = rig->hca_params.qp_create =
      rig->hca_params.qp_modify = sim_dist_constant (0);
  rig->engine = sim_engine_new (NULL, 0);
  rig->fabric = fabric_new (rig->engine, &rig->fabric_params, 1, 0);
  rig->group = hca_group_new (rig->engine, rig->fabric, &rig->hca_params, 1, 0);
  rig->shared = cm_shared_new (rig->engine, cm_profile_find ("linux-6.1"));
  for (guint i = 0; i < AGENTS; i++) {
    rig->hcas[i] = hca_new (rig->group, i);
    rig->agents[i] = cm_agent_new (rig->shared, NULL, rig->hcas[i], i, 0, &nobody);
  }
  sim_stream_init (&rig->stream, sim_stream_key (1, 0, "test", "index"), 0);
}

static void
tear_down (Rig *rig)
{
  for (guint i = 0; i < AGENTS; i++) {
    cm_agent_free (rig->agents[i]);
    hca_free (rig->hcas[i]);
  }
  cm_shared_free (rig->shared);
  hca_group_free (rig->group);
  fabric_free (rig->fabric);
  sim_engine_free (rig->engine);
}

static void
add (Rig *rig)
{
  guint agent = below (rig, AGENTS);
  CmId *id = cm_shared_alloc (rig->shared, rig->agents[agent], 1);

  id->conn.remote_ca_guid = 1 + below (rig, GUIDS);
  id->conn.remote_id = 1 + below (rig, NUMBERS);
  id->conn.remote_qpn = (1 + below (rig, NUMBERS)) & 0xffffff;
  cm_shared_index (rig->shared, id);
  ck_assert_ptr_eq (cm_id_agent (id), rig->agents[agent]);
  ck_assert_ptr_eq (cm_shared_id (rig->shared, cm_id_slot (id)), id);
  ck_assert_ptr_eq (cm_shared_find (rig->shared, rig->agents[agent], id->conn.local_id), id);
  rig->alive[rig->n] = id;
  rig->agent_of[rig->n++] = agent;
}

static void
remove_one (Rig *rig, guint i)
{
  cm_shared_release (rig->shared, rig->alive[i]);
  rig->n--;
  memmove (rig->alive + i, rig->alive + i + 1, (rig->n - i) * sizeof *rig->alive);
  memmove (rig->agent_of + i, rig->agent_of + i + 1, (rig->n - i) * sizeof *rig->agent_of);
}

/* A key that some have and one that nobody may have. */
static void
check (Rig *rig)
{
  guint agent = below (rig, AGENTS);
  guint64 guid = 1 + below (rig, GUIDS);
  guint32 number = 1 + below (rig, NUMBERS);
  CmId *by_id = NULL, *by_qpn = NULL;

  for (guint i = 0; i < rig->n; i++) {
    CmId *id = rig->alive[i];

    if (rig->agent_of[i] != agent || id->conn.remote_ca_guid != guid)
      continue;
    if (id->conn.remote_id == number)
      by_id = id;
    if (id->conn.remote_qpn == number)
      by_qpn = id;
  }
  ck_assert_ptr_eq (cm_shared_find_remote_id (rig->shared, rig->agents[agent], guid, number),
                    by_id);
  ck_assert_ptr_eq (cm_shared_find_remote_qpn (rig->shared, rig->agents[agent], guid, number),
                    by_qpn);
}

/* 0: tables that grow; 1: one that was told how many; 2: one that was told of too few. */
START_TEST (last_of_a_key)
{
  static const guint expected[] = { 0, ALIVE, 100 };
  Rig *rig = g_new0 (Rig, 1);

  set_up (rig);
  if (expected[_i] > 0)
    cm_shared_expect (rig->shared, expected[_i]);
  for (guint step = 0; step < STEPS; step++) {
    /* It fills, and later half of it goes. */
    gboolean grows = step < STEPS / 2 ? below (rig, 4) > 0 : below (rig, 4) == 0;

    if (grows && rig->n < ALIVE)
      add (rig);
    else if (rig->n > 0)
      remove_one (rig, below (rig, rig->n));
    if (step % 4 == 0)
      check (rig);
  }
  for (guint i = rig->n; i > 0; i--)
    remove_one (rig, i - 1);
  ck_assert_uint_eq (rig->shared->indices[CM_INDEX_ID].count, 0);
  tear_down (rig);
  g_free (rig);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cm_index");
  TCase *tc = tcase_create ("search tables");

  tcase_add_loop_test (tc, last_of_a_key, 0, 3);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}

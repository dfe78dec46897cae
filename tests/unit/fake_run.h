/* Made-up scenarios and replications for the tests of what happens after a run. */
#pragma once

#include "output.h"
#include "test_sim.h"


static inline ScenarioVariant *
fake_variant (const char *name, guint connects)
{
  ScenarioVariant *variant = g_new0 (ScenarioVariant, 1);
  HostGroupParams hosts[] = { { .name = "server", .count = 1 }, { .name = "client", .count = 4 } };
  ListenerParams listener = { .on = "server", .backlog = { .limit = 3 } };
  ConnectParams entry = { .from = "client", .number = connects, .processes = 1,
                          .ulp = { .klass = &ulp_sdp.info } };

  variant->name = name;
  variant->model.run.until = SIM_TIME_NEVER;
  variant->model.profile.ucma_backlog_max = 1024;
  variant->model.hosts = g_array_new (FALSE, FALSE, sizeof (HostGroupParams));
  g_array_append_vals (variant->model.hosts, hosts, 2);
  variant->model.listeners = g_array_new (FALSE, FALSE, sizeof (ListenerParams));
  g_array_append_val (variant->model.listeners, listener);
  variant->model.connects = g_array_new (FALSE, FALSE, sizeof (ConnectParams));
  g_array_append_val (variant->model.connects, entry);
  return variant;
}

static inline void
fake_variant_free (gpointer data)
{
  ScenarioVariant *variant = data;

  g_array_unref (variant->model.hosts);
  g_array_unref (variant->model.listeners);
  g_array_unref (variant->model.connects);
  g_free (variant);
}

static inline WorldResult *
fake_world (void)
{
  WorldResult *world = g_new0 (WorldResult, 1);

  world->stop = SIM_STOP_IDLE;
  world->connects = connect_records_new (0);
  return world;
}

/* So many more, all alike. */
static inline void
fake_connects (WorldResult *world, guint count, ConnectCause cause, guint16 reason, SimTime start,
               SimTime end)
{
  guint n = connect_records_count (world->connects);
  ConnectRecords *more = connect_records_new (n + count);
  ConnectRecord record = {
    .attempts = 1,
    .reqs = 1,
    .cause = (guint8) cause,
    .reason = reason,
    .decided = cause != CONNECT_PENDING,
    .end = end,
  };

  for (guint i = 0; i < CONNECT_STEP_COUNT; i++)
    record.steps[i] = SIM_TIME_NEVER;
  record.steps[CONNECT_STEP_START] = start;
  if (cause == CONNECT_ESTABLISHED)
    record.steps[CONNECT_STEP_ESTABLISHED] = end;
  for (guint i = 0; i < n; i++) {
    ConnectRecord old = connect_records_get (world->connects, i);

    connect_records_set (more, i, &old);
  }
  for (guint i = n; i < n + count; i++) {
    record.host = i % 4;
    connect_records_set (more, i, &record);
  }
  connect_records_free (world->connects);
  world->connects = more;
}

static inline void
fake_connect (WorldResult *world, ConnectCause cause, guint16 reason, SimTime start, SimTime end)
{
  fake_connects (world, 1, cause, reason, start, end);
}

static inline Scenario
fake_scenario (guint replications)
{
  return (Scenario){
    .path = "scenarios/fake.yaml",
    .name = "fake",
    .question = "Is it, \"really\", so?",
    .seed = 42,
    .replications = replications,
    .variants = g_ptr_array_new_with_free_func (fake_variant_free),
    .options = g_ptr_array_new (),
    .hash = "0123456789abcdef",
  };
}

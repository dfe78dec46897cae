/* What the tests of scenarios share: small ones, loaded from memory. */
#pragma once

#include "scenario.h"

#include <string.h>

#include "test_sim.h"

#define HEAD "cmsim: 1\nquestion: Why?\n"
#define HOSTS "hosts: {server: 1, client: 4}\n"
#define LISTENERS "listeners:\n  - {on: server, service: 7471}\n"
#define CONNECTS "connects:\n  - {from: client, to: \"server:7471\"}\n"
#define BASE HEAD HOSTS LISTENERS CONNECTS

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Scenario, scenario_free)

static inline Scenario *
try_load (const char *text, const ScenarioSetting *settings, guint n, GError **error)
{
  return scenario_load_buffer ("t.yaml", text, strlen (text), settings, n, error);
}

static inline Scenario *
load (const char *text)
{
  GError *error = NULL;
  Scenario *scenario = try_load (text, NULL, 0, &error);

  ck_assert_msg (scenario != NULL, "%s", error ? error->message : "");
  return scenario;
}

static inline const ScenarioModel *
model (const Scenario *scenario, guint variant)
{
  return &((ScenarioVariant *) scenario->variants->pdata[variant])->model;
}

static inline const char *
variant_name (const Scenario *scenario, guint variant)
{
  return ((ScenarioVariant *) scenario->variants->pdata[variant])->name;
}

static inline ListenerParams *
listener (const Scenario *scenario, guint variant, guint i)
{
  return &g_array_index (model (scenario, variant)->listeners, ListenerParams, i);
}

static inline ConnectParams *
connects (const Scenario *scenario, guint variant, guint i)
{
  return &g_array_index (model (scenario, variant)->connects, ConnectParams, i);
}

static inline HostGroupParams *
hosts (const Scenario *scenario, guint variant, guint i)
{
  return &g_array_index (model (scenario, variant)->hosts, HostGroupParams, i);
}

/* Loads and expects exactly this message. */
static inline void
refuse (const char *text, const char *message)
{
  g_autoptr (GError) error = NULL;
  Scenario *scenario = try_load (text, NULL, 0, &error);

  ck_assert_ptr_null (scenario);
  ck_assert_str_eq (error->message, message);
}

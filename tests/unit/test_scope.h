/* What the tests of scopes share: a run as a number, in which everything is that the wire and the
 * applications saw. */
#pragma once

#include "test_scenario.h"

#include "ib_codec.h"
#include "ib_sa_wire.h"
#include "world.h"

typedef struct {
  guint64 hash;
} ScopeSeen;

static inline void
scope_add (ScopeSeen *seen, guint64 value)
{
  for (guint i = 0; i < 8; i++, value >>= 8)
    seen->hash = (seen->hash ^ (value & 0xff)) * G_GUINT64_CONSTANT (0x100000001b3);
}

/* Messages as bytes: a field that no CM here looks at is one of them. */
static inline void
scope_on_wire (gpointer owner, SimTime now, const IbMad *mad, FabricFate fate)
{
  ScopeSeen *seen = owner;
  guint8 bytes[IB_MAD_BYTES];
  IbCmRoute route = { .hop_limit = 1 };
  IbCmWire wire;

  scope_add (seen, (guint64) now);
  scope_add (seen, (guint64) mad->source << 32 | mad->destination);
  scope_add (seen, (guint64) mad->mgmt_class << 8 | fate);
  if (mad->mgmt_class == IB_MGMT_CLASS_TCP)
    scope_add (seen, (guint64) mad->tcp.kind << 8 | mad->tcp.sends);
  if (mad->mgmt_class == IB_MGMT_CLASS_TCP)
    return;
  if (mad->mgmt_class == IB_MGMT_CLASS_CM) {
    ib_cm_wire_from_msg (&mad->cm, &route, &wire);
    ib_cm_encode (&wire, bytes);
  } else {
    ib_sa_encode (&mad->sa, &route.source, &route.destination, bytes);
  }
  for (guint i = 0; i < IB_MAD_BYTES; i++)
    scope_add (seen, bytes[i]);
}

static inline guint64
scope_run (const ScenarioModel *run_model)
{
  static const WorldObserverOps observer = { .wire = scope_on_wire };
  ScopeSeen seen = { 1 };
  WorldOptions options = { .observer = &observer, .observer_owner = &seen };
  char *broken = NULL;
  WorldResult *result = world_run (run_model, 5, 0, &options, &broken);

  ck_assert_msg (broken == NULL, "%s", broken);
  for (guint i = 0; i < connect_records_count (result->connects); i++) {
    ConnectRecord record = connect_records_get (result->connects, i);

    scope_add (&seen, record.cause);
    scope_add (&seen, (guint64) record.end);
    scope_add (&seen, record.attempts);
    for (guint s = 0; s < CONNECT_STEP_COUNT; s++)
      scope_add (&seen, (guint64) record.steps[s]);
  }
  world_result_free (result);
  return seen.hash;
}

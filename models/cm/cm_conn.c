/* Names of the states. */
#include "cm_conn.h"

const char *const cm_state_names[CM_STATE_COUNT] = {
#define X(name) [CM_STATE_##name] = #name,
  CM_STATE_LIST (X)
#undef X
};

const char *const cm_lap_state_names[CM_LAP_STATE_COUNT] = {
#define X(name) [CM_LAP_STATE_##name] = #name,
  CM_LAP_STATE_LIST (X)
#undef X
};

const char *
cm_state_name (CmState state)
{
  g_assert (state < CM_STATE_COUNT);
  return cm_state_names[state];
}

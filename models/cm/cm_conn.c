/* Names of the states. */
#include "cm_conn.h"

const char *
cm_state_name (CmState state)
{
  static const char *const names[CM_STATE_COUNT] = {
#define X(name) [CM_STATE_##name] = #name,
    CM_STATE_LIST (X)
#undef X
  };

  g_assert (state < CM_STATE_COUNT);
  return names[state];
}

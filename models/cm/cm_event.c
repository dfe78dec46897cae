/* Names of the events. */
#include "cm_event.h"

const char *
cm_event_name (CmEventType type)
{
  static const char *const names[CM_EV_COUNT] = {
#define X(name, text) [CM_EV_##name] = #name,
    CM_EVENT_LIST (X)
#undef X
  };

  g_assert (type < CM_EV_COUNT);
  return names[type];
}

const char *
cm_event_text (CmEventType type)
{
  static const char *const texts[CM_EV_COUNT] = {
#define X(name, text) [CM_EV_##name] = text,
    CM_EVENT_LIST (X)
#undef X
  };

  g_assert (type < CM_EV_COUNT);
  return texts[type];
}

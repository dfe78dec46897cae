/* Names of the events. */
#include "cm_event.h"

const char *const cm_event_names[CM_EV_COUNT] = {
#define X(name, text) [CM_EV_##name] = #name,
  CM_EVENT_LIST (X)
#undef X
};

const char *const cm_event_texts[CM_EV_COUNT] = {
#define X(name, text) [CM_EV_##name] = text,
  CM_EVENT_LIST (X)
#undef X
};

const char *
cm_event_name (CmEventType type)
{
  g_assert (type < CM_EV_COUNT);
  return cm_event_names[type];
}

const char *
cm_event_text (CmEventType type)
{
  g_assert (type < CM_EV_COUNT);
  return cm_event_texts[type];
}

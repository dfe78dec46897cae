/* The list of effects a handler fills. */
#include "cm_effects.h"

const char *
cm_notify_name (CmNotify notify)
{
  static const char *const names[CM_NOTIFY_COUNT] = {
#define X(name) [CM_NOTIFY_##name] = #name,
    CM_NOTIFY_LIST (X)
#undef X
  };

  g_assert (notify < CM_NOTIFY_COUNT);
  return names[notify];
}

static CmEffect *
append (CmEffects *effects, CmEffectType type)
{
  g_assert (effects->n < CM_EFFECTS_MAX);
  CmEffect *effect = &effects->list[effects->n++];

  effect->type = type;
  return effect;
}

void
cm_effects_send (CmEffects *effects, const IbCmMsg *msg)
{
  append (effects, CM_EFFECT_SEND)->msg = *msg;
}

void
cm_effects_time (CmEffects *effects, CmEffectType type, SimTime time)
{
  g_assert (type == CM_EFFECT_START_RESPONSE || type == CM_EFFECT_MODIFY_RESPONSE ||
            type == CM_EFFECT_START_TIMEWAIT);
  append (effects, type)->time = time;
}

void
cm_effects_add (CmEffects *effects, CmEffectType type)
{
  g_assert (type == CM_EFFECT_STOP_RESPONSE || type == CM_EFFECT_INDEX ||
            type == CM_EFFECT_UNINDEX);
  append (effects, type);
}

void
cm_effects_notify (CmEffects *effects, CmNotify notify, gint status)
{
  CmEffect *effect = append (effects, CM_EFFECT_NOTIFY);

  effect->notify = notify;
  effect->status = status;
}

gboolean
cm_effects_start_response (const CmEffects *effects)
{
  for (guint i = 0; i < effects->n; i++)
    if (effects->list[i].type == CM_EFFECT_START_RESPONSE ||
        effects->list[i].type == CM_EFFECT_MODIFY_RESPONSE)
      return TRUE;
  return FALSE;
}

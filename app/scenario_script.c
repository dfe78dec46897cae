#include "scenario_script.h"

static gboolean
group_is_good (const ScriptStep *step)
{
  IbGroupAddress address;

  if (step->call == SCRIPT_CALL_JOIN || step->call == SCRIPT_CALL_LEAVE)
    return ib_group_parse (step->group, &address);
  return !*step->group && !step->send_only;
}

static char *
check_step (const ScriptStep *step, gboolean active, gboolean last)
{
  if ((step->call != SCRIPT_CALL_NONE) == (step->event > 0))
    return g_strdup ("a step is a call or an event; write one of them");
  if (step->event > 0)
    return step->within < step->after ? g_strdup ("within is less than after") : NULL;
  if (!(active ? script_call_is_active (step->call) : script_call_is_passive (step->call)))
    return g_strdup_printf ("the %s side has no such call", active ? "active" : "passive");
  if (!group_is_good (step))
    return g_strdup ("join and leave need a group, such as group: 239.1.2.3, and no other call has "
                     "one");
  if (step->call == SCRIPT_CALL_DESTROY && !last)
    return g_strdup ("nothing follows a destroy");
  return NULL;
}

char *
scenario_script_check (const GArray *steps, gboolean active, guint *ret_step)
{
  char *wrong = NULL;

  for (guint i = 0; i < steps->len && !wrong; i++) {
    *ret_step = i;
    wrong = check_step (&g_array_index (steps, ScriptStep, i), active, i + 1 == steps->len);
  }
  return wrong;
}

/* Scripted losses (see loss_rules.h).  The counters are one per rule for the whole
 * fabric, so they live in the shared state, with the names resolved to LIDs. */
#include "loss_rules.h"

#include <string.h>

typedef struct {
  IbLid first, last; /* inclusive; empty if first > last */
} LidRange;

typedef struct {
  const LossRule *rule;
  LidRange from, to;
  guint64 seen; /* MADs of this message type and direction so far */
} RuleState;

typedef struct {
  guint n;
  RuleState rules[];
} RulesState;

static const char *const message_names[] = {
#define X(id, name) name,
  LOSS_MESSAGE_LIST (X)
#undef X
  NULL,
};

static const char *const action_names[] = { "drop", "delay", "duplicate", NULL };

#define ROW(row, field) .name = row, .offset = G_STRUCT_OFFSET (LossRule, field)
static const SimParam rule_params[] = {
  { ROW ("action", action), .kind = SIM_PARAM_ENUM, .names = action_names,
    .help = "What happens to the MADs the rule is about." },
  { ROW ("message", message), .kind = SIM_PARAM_ENUM, .value = "any", .names = message_names,
    .help = "Message type the rule counts and acts on." },
  { ROW ("from", from), .kind = SIM_PARAM_STRING, .value = LOSS_ANY_HOST,
    .help = "Sender: a host group, one host (group.index), or any." },
  { ROW ("to", to), .kind = SIM_PARAM_STRING, .value = LOSS_ANY_HOST,
    .help = "Receiver: a host group, one host (group.index), or any." },
  { ROW ("first", first), .kind = SIM_PARAM_UINT, .value = "1", .min = 1, .max = G_MAXUINT32,
    .help = "Number of the first MAD acted on, counted over all hosts from 1." },
  { ROW ("last", last), .kind = SIM_PARAM_UINT, .value = "0", .max = G_MAXUINT32,
    .help = "Number of the last MAD acted on; 0: no end." },
  { ROW ("delay", delay), .kind = SIM_PARAM_TIME, .value = "0s",
    .help = "Delay: added to the latency; duplicate: time from the original to the copy." },
  { .name = NULL },
};
#undef ROW

#define ROW(row, field) .name = row, .offset = G_STRUCT_OFFSET (LossRulesParams, field)
static const SimParam rules_params[] = {
  { ROW ("rules", rules), .kind = SIM_PARAM_LIST, .rows = rule_params,
    .item_size = sizeof (LossRule),
    .help = "Rules; of those that would act on a MAD the first does." },
  { .name = NULL },
};
#undef ROW

GPtrArray *
loss_rules_names (const LossRulesParams *params)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < params->rules->len; i++)
    {
      const LossRule *rule = &g_array_index (params->rules, LossRule, i);
      const char *ends[] = { rule->from, rule->to };

      for (guint end = 0; end < G_N_ELEMENTS (ends); end++)
        if (strcmp (ends[end], LOSS_ANY_HOST) != 0)
          g_ptr_array_add (names, (gpointer) ends[end]);
    }
  return names;
}

gboolean
loss_name_resolve (const char *name, const char *group, guint count, guint *ret_first,
                   guint *ret_count)
{
  gsize length = strlen (group);
  guint64 index;

  if (strncmp (name, group, length) != 0)
    return FALSE;
  if (name[length] == '\0')
    {
      *ret_first = 0;
      *ret_count = count;
      return TRUE;
    }
  if (name[length] != '.' || count == 0
      || !g_ascii_string_to_unsigned (name + length + 1, 10, 0, count - 1, &index, NULL))
    return FALSE;
  *ret_first = (guint) index;
  *ret_count = 1;
  return TRUE;
}

/* A name matches no port until name_ports() has told which ports it means. */
static LidRange
range_start (const char *name)
{
  if (strcmp (name, LOSS_ANY_HOST) == 0)
    return (LidRange) { .first = 0, .last = G_MAXUINT32 };
  return (LidRange) { .first = 1, .last = 0 };
}

static gpointer
rules_shared_new (gconstpointer params)
{
  const LossRulesParams *rules = params;
  guint n = rules->rules->len;
  RulesState *state = g_malloc0 (sizeof (RulesState) + n * sizeof (RuleState));

  state->n = n;
  for (guint i = 0; i < n; i++)
    {
      const LossRule *rule = &g_array_index (rules->rules, LossRule, i);

      state->rules[i].rule = rule;
      state->rules[i].from = range_start (rule->from);
      state->rules[i].to = range_start (rule->to);
    }
  return state;
}

static void
range_name (LidRange *range, const char *name, const char *group, IbLid first, guint count)
{
  guint offset, n;

  if (strcmp (name, LOSS_ANY_HOST) == 0 || !loss_name_resolve (name, group, count, &offset, &n))
    return;
  range->first = first + offset;
  range->last = first + offset + n - 1;
}

static void
rules_name_ports (gpointer shared, const char *group, IbLid first, guint count)
{
  RulesState *state = shared;

  for (guint i = 0; i < state->n; i++)
    {
      RuleState *rule = &state->rules[i];

      range_name (&rule->from, rule->rule->from, group, first, count);
      range_name (&rule->to, rule->rule->to, group, first, count);
    }
}

static gboolean
message_matches (LossMessage message, const IbMad *mad)
{
  gboolean cm = mad->mgmt_class == IB_MGMT_CLASS_CM;

  switch (message)
    {
    case LOSS_MESSAGE_ANY:
      return TRUE;
    case LOSS_MESSAGE_CM:
      return cm;
    case LOSS_MESSAGE_SA:
      return mad->mgmt_class == IB_MGMT_CLASS_SUBN_ADM;
    case LOSS_MESSAGE_REQ:
      return cm && mad->cm.attr == IB_CM_REQ;
    case LOSS_MESSAGE_REP:
      return cm && mad->cm.attr == IB_CM_REP;
    case LOSS_MESSAGE_RTU:
      return cm && mad->cm.attr == IB_CM_RTU;
    case LOSS_MESSAGE_REJ:
      return cm && mad->cm.attr == IB_CM_REJ;
    case LOSS_MESSAGE_MRA:
      return cm && mad->cm.attr == IB_CM_MRA;
    case LOSS_MESSAGE_DREQ:
      return cm && mad->cm.attr == IB_CM_DREQ;
    case LOSS_MESSAGE_DREP:
      return cm && mad->cm.attr == IB_CM_DREP;
    case LOSS_MESSAGE_SIDR_REQ:
      return cm && mad->cm.attr == IB_CM_SIDR_REQ;
    case LOSS_MESSAGE_SIDR_REP:
      return cm && mad->cm.attr == IB_CM_SIDR_REP;
    case LOSS_MESSAGE_LAP:
      return cm && mad->cm.attr == IB_CM_LAP;
    case LOSS_MESSAGE_APR:
      return cm && mad->cm.attr == IB_CM_APR;
    }
  g_assert_not_reached ();
}

static gboolean
range_has (const LidRange *range, IbLid lid)
{
  return lid >= range->first && lid <= range->last;
}

static void
rule_act (const LossRule *rule, LossFate *fate)
{
  switch ((LossAction) rule->action)
    {
    case LOSS_ACTION_DROP:
      fate->drop = TRUE;
      return;
    case LOSS_ACTION_DELAY:
      fate->extra_delay = rule->delay;
      return;
    case LOSS_ACTION_DUPLICATE:
      fate->copies = 1;
      fate->copy_delay = rule->delay;
      return;
    }
  g_assert_not_reached ();
}

/* All rules count before one acts, so that a rule's numbers do not depend on the
 * rules above it. */
static void
rules_judge (gconstpointer params G_GNUC_UNUSED, gpointer shared, gpointer state G_GNUC_UNUSED,
             const IbMad *mad, SimStream *stream G_GNUC_UNUSED, LossFate *fate)
{
  RulesState *rules = shared;
  const LossRule *act = NULL;

  for (guint i = 0; i < rules->n; i++)
    {
      RuleState *counted = &rules->rules[i];
      const LossRule *rule = counted->rule;

      if (!message_matches (rule->message, mad) || !range_has (&counted->from, mad->source)
          || !range_has (&counted->to, mad->destination))
        continue;
      counted->seen++;
      if (act == NULL && counted->seen >= rule->first
          && (rule->last == 0 || counted->seen <= rule->last))
        act = rule;
    }
  if (act != NULL)
    rule_act (act, fate);
}

const LossClass loss_rules = {
  .info = {
    .name = "rules",
    .help = "Drops, delays or duplicates MADs by message type, direction and number.",
    .params = rules_params,
    .params_size = sizeof (LossRulesParams),
    .main_param = "rules",
  },
  .shared_new = rules_shared_new,
  .shared_free = g_free,
  .name_ports = rules_name_ports,
  .judge = rules_judge,
};

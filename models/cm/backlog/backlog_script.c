/* A peer made by hand: it answers each REQ of a client by a list, whether it has a slot or
 * not, and keeps nothing of those it does not take. */
#include "backlog.h"

typedef enum {
  SCRIPT_ADMIT,
  SCRIPT_DROP,
  SCRIPT_MRA,
  SCRIPT_REJECT,
} ScriptAnswer;

typedef struct {
  guint answer; /* ScriptAnswer */
  guint reason;
  guint service_timeout;
} ScriptStep;

typedef struct {
  GArray *answers; /* ScriptStep */
} ScriptParams;

static const char *const answer_names[] = { "admit", "drop", "mra", "reject", NULL };

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (ScriptStep, field)
static const SimParam step_params[] = {
  { ROW (answer), .kind = SIM_PARAM_ENUM, .names = answer_names,
    .help = "admit: the application gets it; drop: nothing; mra: an MRA and nothing more; "
            "reject: a REJ." },
  { ROW (reason), .kind = SIM_PARAM_UINT, .value = "3", .min = 1, .max = 65535,
    .help = "REJ reason of `reject`.", .source = "IBTA 12.6.7.2" },
  { ROW (service_timeout), .kind = SIM_PARAM_UINT, .value = "24", .min = 1, .max = 31,
    .help = "Time code of `mra`.", .source = "IBTA 12.6.6" },
  { .name = NULL },
};
#undef ROW

static const SimParam script_params[] = {
  { .name = "answers",
    .kind = SIM_PARAM_LIST,
    .offset = G_STRUCT_OFFSET (ScriptParams, answers),
    .rows = step_params,
    .main_param = "answer",
    .item_size = sizeof (ScriptStep),
    .help = "To a client's first REQ, to its second, and so on; the last one holds for all "
            "further REQs." },
  { .name = NULL },
};

static BacklogVerdict
script_admit (gconstpointer params, const BacklogView *view)
{
  const ScriptParams *p = params;
  guint n = p->answers->len;

  if (n == 0)
    return (BacklogVerdict){ .answer = BACKLOG_ADMIT };
  const ScriptStep *step = &g_array_index (p->answers, ScriptStep, CLAMP (view->reqs, 1, n) - 1);
  switch ((ScriptAnswer) step->answer) {
  case SCRIPT_ADMIT:
    return (BacklogVerdict){ .answer = BACKLOG_ADMIT };
  case SCRIPT_DROP:
    return (BacklogVerdict){ .answer = BACKLOG_DROP };
  case SCRIPT_MRA:
    return (BacklogVerdict){ .answer = BACKLOG_DROP, .service_timeout = step->service_timeout };
  case SCRIPT_REJECT:
    return (BacklogVerdict){ .answer = BACKLOG_REJECT, .reason = step->reason };
  }
  g_assert_not_reached ();
}

const BacklogPolicy backlog_script = {
  .info = {
    .name = "script",
    .help = "A peer made by hand: answers a client's REQs by a list, full or not.",
    .source = "the hand-built peer of the captures",
    .params = script_params,
    .params_size = sizeof (ScriptParams),
    .main_param = "answers",
  },
  .admit = script_admit,
};

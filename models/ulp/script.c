#include "script.h"

#include <errno.h>

typedef struct {
  CmaEventType type;
  gint status;
  SimTime at;
} ScriptEvent;

static const char *const call_names[] = {
#define X(id, name) name,
  SCRIPT_CALL_LIST (X)
#undef X
      NULL,
};

static const char *const event_names[] = {
  "none",
#define X(name) #name,
  CMA_EVENT_LIST (X)
#undef X
      NULL,
};

static const char *const returns_names[] = { "ok",         "EINVAL", "EADDRNOTAVAIL",
                                             "EOPNOTSUPP", "ENOSYS", "any",
                                             NULL };

#define ROW(field) .name = #field, .offset = G_STRUCT_OFFSET (ScriptStep, field)
const SimParam script_step_params[] = {
  { ROW (call), .kind = SIM_PARAM_ENUM, .value = "none", .names = call_names,
    .help = "What the consumer calls; a step is a call or an event." },
  { ROW (event), .kind = SIM_PARAM_ENUM, .value = "none", .names = event_names,
    .help = "The next event that the consumer gets; another one, or none in time, ends the script "
            "as failed." },
  { ROW (after), .kind = SIM_PARAM_TIME, .value = "0s",
    .help = "call: made so long after the step before; event: it may not come earlier." },
  { ROW (within), .kind = SIM_PARAM_TIME, .value = "never",
    .help = "event: it may not come later than so long after the step before." },
  { ROW (reason), .kind = SIM_PARAM_UINT, .value = "0", .max = 65535,
    .help = "reject: reason of the REJ, 0 is 28; REJECTED: its reason, 0: any." },
  { ROW (returns), .kind = SIM_PARAM_ENUM, .value = "ok", .names = returns_names,
    .help = "What the call must return." },
  { ROW (group), .kind = SIM_PARAM_STRING, .value = "",
    .help = "join, leave: the multicast group, as `multicast.group`." },
  { ROW (send_only), .kind = SIM_PARAM_BOOL, .value = "false",
    .help = "join: as a send-only full member." },
  { .name = NULL },
};
#undef ROW

gboolean
script_call_is_active (ScriptCall call)
{
  return call != SCRIPT_CALL_READ && call != SCRIPT_CALL_ACCEPT;
}

gboolean
script_call_is_passive (ScriptCall call)
{
  return call != SCRIPT_CALL_BIND && call != SCRIPT_CALL_JOIN && call != SCRIPT_CALL_LEAVE &&
         call != SCRIPT_CALL_RESOLVE_ADDR && call != SCRIPT_CALL_RESOLVE_ROUTE &&
         call != SCRIPT_CALL_CONNECT && call != SCRIPT_CALL_ESTABLISH;
}

static void go_on (ScriptRun *run);

static const ScriptStep *
step_of (const ScriptRun *run)
{
  return &g_array_index (run->steps, ScriptStep, run->next);
}

static void
stop_timer (ScriptRun *run)
{
  if (run->timer != SIM_EVENT_NONE)
    sim_engine_cancel (run->engine, run->timer);
  run->timer = SIM_EVENT_NONE;
}

static void
fail (ScriptRun *run)
{
  gint failed = (gint) run->next;

  stop_timer (run);
  run->next = run->steps->len;
  run->ops->over (run->owner, failed);
}

static void
done (ScriptRun *run)
{
  run->since = sim_engine_now (run->engine);
  run->next++;
}

/* ----- calls ----- */

static gboolean
returned (const ScriptStep *step, gint rc)
{
  switch ((ScriptReturns) step->returns) {
  case SCRIPT_RETURNS_OK:
    return rc == 0;
  case SCRIPT_RETURNS_EINVAL:
    return rc == -EINVAL;
  case SCRIPT_RETURNS_EADDRNOTAVAIL:
    return rc == -EADDRNOTAVAIL;
  case SCRIPT_RETURNS_EOPNOTSUPP:
    return rc == -EOPNOTSUPP;
  case SCRIPT_RETURNS_ENOSYS:
    return rc == -ENOSYS;
  case SCRIPT_RETURNS_ANY:
    return TRUE;
  }
  g_assert_not_reached ();
}

static void
call_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  ScriptRun *run = owner;
  const ScriptStep *step = step_of (run);
  guint number = run->next;
  gint rc;

  run->timer = SIM_EVENT_NONE;
  if (step->call == SCRIPT_CALL_DESTROY) {
    run->next = run->steps->len; /* the last one: see the check of the scenario */
    run->ops->call (run->owner, step);
    return;
  }
  /* Events that come inside the call belong behind it. */
  done (run);
  rc = run->ops->call (run->owner, step);
  if (!returned (step, rc)) {
    run->next = number;
    fail (run);
  } else {
    go_on (run);
  }
}

static const SimEventClass call_event = { .name = "script-call", .code = 0x70d, .fire = call_fire };

/* ----- events ----- */

static void
late_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  ScriptRun *run = owner;

  run->timer = SIM_EVENT_NONE;
  fail (run);
}

static const SimEventClass late_event = { .name = "script-late", .code = 0x70e, .fire = late_fire };

static gboolean
is_wanted (const ScriptRun *run, const ScriptEvent *event)
{
  const ScriptStep *step = step_of (run);
  SimTime waited = MAX (event->at - run->since, 0);

  return step->event == (guint) event->type + 1 && waited >= step->after &&
         waited <= step->within &&
         (step->reason == 0 || event->type != CMA_REJECTED || event->status == (gint) step->reason);
}

static void
wait_for_event (ScriptRun *run)
{
  const ScriptStep *step = step_of (run);
  ScriptEvent event;

  if (run->early && run->early->len > 0) {
    event = g_array_index (run->early, ScriptEvent, 0);
    g_array_remove_index (run->early, 0);
    if (!is_wanted (run, &event)) {
      fail (run);
      return;
    }
    done (run);
    go_on (run);
  } else if (step->within != SIM_TIME_NEVER) {
    run->timer =
        sim_engine_schedule_at (run->engine, run->since + step->within + 1, &late_event, run, 0);
  }
}

static void
go_on (ScriptRun *run)
{
  if (run->timer != SIM_EVENT_NONE)
    return;
  if (run->next == run->steps->len)
    run->ops->over (run->owner, -1);
  else if (step_of (run)->event > 0)
    wait_for_event (run);
  else
    run->timer = sim_engine_schedule_at (run->engine, run->since + step_of (run)->after,
                                         &call_event, run, 0);
}

void
script_run_event (ScriptRun *run, CmaEventType type, gint status)
{
  const ScriptEvent event = { type, status, sim_engine_now (run->engine) };
  const ScriptStep *step;

  if (run->next == run->steps->len)
    return;
  step = step_of (run);
  if (step->event == 0 || (run->early && run->early->len > 0)) {
    if (!run->early)
      run->early = g_array_new (FALSE, FALSE, sizeof (ScriptEvent));
    g_array_append_val (run->early, event);
    return;
  }
  if (!is_wanted (run, &event)) {
    fail (run);
    return;
  }
  stop_timer (run);
  done (run);
  go_on (run);
}

/* ----- life ----- */

void
script_run_start (ScriptRun *run, SimEngine *engine, const GArray *steps, const ScriptOps *ops,
                  gpointer owner)
{
  *run = (ScriptRun){ .engine = engine,
                      .steps = steps,
                      .ops = ops,
                      .owner = owner,
                      .since = sim_engine_now (engine),
                      .timer = SIM_EVENT_NONE };
  go_on (run);
}

void
script_run_clear (ScriptRun *run)
{
  if (!run->engine)
    return;
  stop_timer (run);
  if (run->early)
    g_array_free (run->early, TRUE);
  run->early = NULL;
  run->next = run->steps->len;
}

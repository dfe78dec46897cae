/* A clock, one timer and the state machine. */
#include "cm_schedule.h"

#include "cm_fit.h"

typedef struct {
  const CmScheduleParams *params;
  CmConn conn;
  SimTime now, due;
  SimTime start;
  SimTime deadline;     /* no try from then on; SIM_TIME_NEVER: none */
  SimTime longest;      /* wait so far */
  CmSchedule *schedule; /* of this start alone: least */
} Run;

static gboolean
has_wheel (const CmScheduleParams *params)
{
  return params->hz > 0 && params->profile->timing == CM_TIMING_LINUX;
}

static SimTime
expiry (Run *run, SimTime wait)
{
  run->longest = MAX (run->longest, wait);
  return has_wheel (run->params) ? cm_fit_wheel (run->now, wait, run->params->hz)
                                 : run->now + wait;
}

/* As the agent carries the effects out (cm_pending.c): a wait ends at the deadline, an MRA
 * moves both. */
static void
feed (Run *run, const CmEvent *event)
{
  CmEffects effects;

  cm_fsm_step (&run->conn, event, run->params->profile, &effects);
  for (guint i = 0; i < effects.n; i++) {
    const CmEffect *effect = &effects.list[i];

    if (effect->type == CM_EFFECT_SEND && effect->msg.attr == IB_CM_REQ)
      run->schedule->least[run->schedule->sends++] = run->now - run->start;
    else if (effect->type == CM_EFFECT_START_RESPONSE)
      run->due = expiry (run, MAX (MIN (effect->time, run->deadline - run->now), 0));
    else if (effect->type == CM_EFFECT_MODIFY_RESPONSE) {
      run->due = expiry (run, effect->time);
      if (run->deadline != SIM_TIME_NEVER)
        run->deadline += effect->time;
    }
  }
}

/* The first send is made at `start` of the kernel's clock.  Returns the longest wait. */
static SimTime
run_from (const CmScheduleParams *params, SimTime start, CmSchedule *ret_schedule)
{
  const IbCmMsg mra = { .attr = IB_CM_MRA,
                        .message = IB_CM_MESSAGE_REQ,
                        .service_timeout = (guint8) params->mra_timeout };
  const guint deadline_ms = params->profile->deadline_ms;
  Run run = { .params = params, .now = start, .start = start, .schedule = ret_schedule };

  *ret_schedule = (CmSchedule){ .sends = 0 };
  run.conn = (CmConn){ .local_id = 1,
                       .local_qpn = 2,
                       .max_cm_retries = CM_RETRIES (params->max_retries),
                       .remote_response_timeout = CM_CODE (params->response_timeout),
                       .local_response_timeout = CM_CODE (params->response_timeout),
                       .packet_lifetime = CM_CODE (params->packet_lifetime) };
  run.deadline = deadline_ms > 0 ? start + SIM_MS ((SimTime) deadline_ms) : SIM_TIME_NEVER;
  feed (&run, &(CmEvent){ .type = CM_EV_ULP_CONNECT });
  while (run.conn.state != CM_STATE_IDLE) {
    if (ret_schedule->sends == params->mra_after && run.conn.state == CM_STATE_REQ_SENT)
      feed (&run, &(CmEvent){ .type = CM_EV_RX_MRA, .msg = &mra });
    run.now = run.due;
    feed (&run,
          &(CmEvent){ .type = CM_EV_RESPONSE_TIMEOUT, .last = run.now >= run.deadline });
  }
  ret_schedule->gives_up_least = run.now - start;
  return run.longest;
}

static void
widen (CmSchedule *all, const CmSchedule *one)
{
  for (guint i = 0; i < one->sends; i++) {
    all->least[i] = MIN (all->least[i], one->least[i]);
    all->most[i] = MAX (all->most[i], one->least[i]);
  }
  all->gives_up_least = MIN (all->gives_up_least, one->gives_up_least);
  all->gives_up_most = MAX (all->gives_up_most, one->gives_up_least);
}

/* Jiffies between two steps of the wheel's level that such a wait is on. */
static guint64
granularity (SimTime wait, guint hz)
{
  SimTime tick = SIM_S (1) / hz, first = cm_fit_wheel (0, wait, hz);
  SimTime behind = first - (wait + tick - 1) / tick * tick;

  return (guint64) ((cm_fit_wheel (behind, wait, hz) - first) / tick);
}

/* All that matters of the start is where on the wheel it is: each jiffy of a step, or as
 * many as are enough for a good picture.  Within a jiffy a later start waits less. */
void
cm_schedule (const CmScheduleParams *params, CmSchedule *ret_schedule)
{
  enum { STARTS = 4096 };
  SimTime longest = run_from (params, 0, ret_schedule), tick;
  CmSchedule one;
  guint64 steps;

  ret_schedule->gives_up_most = ret_schedule->gives_up_least;
  for (guint i = 0; i < ret_schedule->sends; i++)
    ret_schedule->most[i] = ret_schedule->least[i];
  if (!has_wheel (params))
    return;
  tick = SIM_S (1) / params->hz;
  steps = granularity (longest, params->hz);
  for (guint i = 1; i < MIN (steps, STARTS); i++) {
    run_from (params, (SimTime) (i * MAX (steps / STARTS, 1)) * tick, &one);
    widen (ret_schedule, &one);
  }
  for (guint i = 1; i < ret_schedule->sends; i++)
    ret_schedule->least[i] -= tick;
  ret_schedule->gives_up_least -= tick;
}

/* A clock, one timer and the state machine. */
#include "cm_schedule.h"

#include "cm_fit.h"

typedef struct {
  const CmScheduleParams *params;
  CmConn conn;
  SimTime now, due;
  SimTime start;
  CmSchedule *schedule; /* of this start alone: least */
} Run;

static SimTime
expiry (const Run *run, SimTime wait)
{
  guint hz = run->params->profile->timing == CM_TIMING_SPEC ? 0 : run->params->hz;

  return hz == 0 ? run->now + wait : cm_fit_wheel (run->now, wait, hz);
}

static void
feed (Run *run, const CmEvent *event)
{
  CmEffects effects;

  cm_fsm_step (&run->conn, event, run->params->profile, &effects);
  for (guint i = 0; i < effects.n; i++) {
    const CmEffect *effect = &effects.list[i];

    if (effect->type == CM_EFFECT_SEND && effect->msg.attr == IB_CM_REQ)
      run->schedule->least[run->schedule->sends++] = run->now - run->start;
    else if (effect->type == CM_EFFECT_START_RESPONSE ||
             effect->type == CM_EFFECT_MODIFY_RESPONSE)
      run->due = expiry (run, effect->time);
  }
}

/* The first send is made at `start` of the kernel's clock. */
static void
run_from (const CmScheduleParams *params, SimTime start, CmSchedule *ret_schedule)
{
  const IbCmMsg mra = { .attr = IB_CM_MRA,
                        .message = IB_CM_MESSAGE_REQ,
                        .service_timeout = (guint8) params->mra_timeout };
  Run run = { .params = params, .now = start, .start = start, .schedule = ret_schedule };

  *ret_schedule = (CmSchedule){ .sends = 0 };
  run.conn = (CmConn){ .local_id = 1,
                       .local_qpn = 2,
                       .max_cm_retries = (guint8) params->max_retries,
                       .remote_response_timeout = (guint8) params->response_timeout,
                       .local_response_timeout = (guint8) params->response_timeout,
                       .packet_lifetime = (guint8) params->packet_lifetime };
  feed (&run, &(CmEvent){ .type = CM_EV_ULP_CONNECT });
  while (run.conn.state != CM_STATE_IDLE) {
    if (ret_schedule->sends == params->mra_after && run.conn.state == CM_STATE_REQ_SENT)
      feed (&run, &(CmEvent){ .type = CM_EV_RX_MRA, .msg = &mra });
    run.now = run.due;
    feed (&run, &(CmEvent){ .type = CM_EV_RESPONSE_TIMEOUT });
  }
  ret_schedule->gives_up_least = run.now - start;
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

/* All that matters of the start is where on the wheel it is; a step of a level that waits
 * of some 100 s are on is 512 jiffies, of the next 4096.  Within a jiffy a later start
 * waits less. */
void
cm_schedule (const CmScheduleParams *params, CmSchedule *ret_schedule)
{
  gboolean wheel = params->hz > 0 && params->profile->timing != CM_TIMING_SPEC;
  SimTime tick = wheel ? SIM_S (1) / params->hz : 1;
  guint starts = wheel ? 4096 : 1;
  CmSchedule one;

  run_from (params, 0, ret_schedule);
  ret_schedule->gives_up_most = ret_schedule->gives_up_least;
  for (guint i = 0; i < ret_schedule->sends; i++)
    ret_schedule->most[i] = ret_schedule->least[i];
  for (guint i = 1; i < starts; i++) {
    run_from (params, i * tick, &one);
    widen (ret_schedule, &one);
  }
  if (!wheel)
    return;
  for (guint i = 1; i < ret_schedule->sends; i++)
    ret_schedule->least[i] -= tick;
  ret_schedule->gives_up_least -= tick;
}

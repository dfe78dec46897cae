/* What consumers do in a storm: anything they may. */
#include "storm_private.h"

enum { SLOTS = 3, QPN_FIRST = 0x100 };

static guint64
below (StormEnd *end, guint64 n)
{
  return sim_stream_below (&end->stream, n);
}

static gboolean
one_in (StormEnd *end, guint n)
{
  return below (end, n) == 0;
}

/* Whether this consumer may do what breaks a connection. */
static gboolean
wild (const StormEnd *end)
{
  return !storm_calm (end->number) && storm_faulty (end->storm);
}

/* ----- slots and ends ----- */

static void
free_slot (StormEnd *end)
{
  end->storm->slots[end->host] -= end->slot ? 1 : 0;
  end->slot = FALSE;
}

static void
over (StormEnd *end, Over how)
{
  if (end->over == OVER_NOT)
    end->over = how;
  end->decided = TRUE;
  free_slot (end);
}

static void
cancel_act (StormEnd *end)
{
  if (end->act != SIM_EVENT_NONE)
    sim_engine_cancel (end->storm->engine, end->act);
  end->act = SIM_EVENT_NONE;
}

void
storm_destroy (StormEnd *end)
{
  CmId *id = end->id;

  cancel_act (end);
  over (end, OVER_OWN);
  end->id = NULL;
  cm_destroy (id);
}

/* The next exchange of the host gets the same QPN. */
static void
crash (StormEnd *end)
{
  CmId *id = end->id;

  cancel_act (end);
  over (end, OVER_OWN);
  end->storm->lost_qpn[end->host] = end->qpn;
  end->id = NULL;
  cm_abandon (id);
}

static guint32
new_qpn (StormEnd *end)
{
  Storm *storm = end->storm;

  if (end->qpn)
    return end->qpn;
  end->qpn = QPN_FIRST + end->index;
  if (storm->lost_qpn[end->host] && !storm_calm (end->number)) {
    end->qpn = storm->lost_qpn[end->host];
    storm->lost_qpn[end->host] = 0;
  }
  return end->qpn;
}

/* ----- acts ----- */

static const SimEventClass act_event;

static void
plan (StormEnd *end, Act act, SimTime within)
{
  Storm *storm = end->storm;

  cancel_act (end);
  end->act = sim_engine_schedule_after (storm->engine, (SimTime) below (end, (guint64) within) + 1,
                                        &act_event, end, act);
}

static SimTime
soon_or_late (StormEnd *end)
{
  return one_in (end, 4) ? SIM_S (30) : SIM_MS (100);
}

/* How long an established connection is wanted; without faults, for good. */
static void
plan_hold (StormEnd *end)
{
  if (end->client && one_in (end, 3))
    plan (end, ACT_LOAD, SIM_S (5));
  else if (wild (end) && one_in (end, 2))
    plan (end, ACT_DISCONNECT, one_in (end, 2) ? SIM_S (40) : SIM_MS (40));
}

static void
data_fire (gpointer owner, guint64 arg)
{
  Storm *storm = owner;
  const StormEnd *end = g_ptr_array_index (storm->ends, (guint) arg);

  cm_agent_data_arrived (storm->agents[end->host], end->local_id, end->qpn);
}

static const SimEventClass data_event = { .name = "data", .code = 4, .fire = data_fire };

/* Data follows the RTU, and may overtake it; not every adapter says so. */
static void
send_data (StormEnd *end)
{
  Storm *storm = end->storm;
  const StormEnd *peer = storm_find (storm, 1 - end->host, cm_id_conn (end->id)->remote_id);

  if (peer && one_in (end, 3))
    sim_engine_schedule_after (storm->engine, SIM_US (50), &data_event, storm, peer->index);
}

static void
establish (StormEnd *end)
{
  if (cm_establish (end->id) != 0)
    return;
  end->confirmed = TRUE;
  end->decided = TRUE;
  free_slot (end);
  send_data (end);
  plan_hold (end);
}

static void
answer_alternate (StormEnd *end)
{
  if (one_in (end, 2) && cm_delay_alternate (end->id, 16) == 0)
    plan (end, ACT_ANSWER, SIM_S (1));
  else if (cm_answer_alternate (end->id, (guint) below (end, 3)) == 0)
    plan_hold (end);
}

/* A verdict on a request that was deferred. */
static void
resolve (StormEnd *end)
{
  static const CmEventType verdicts[] = { CM_EV_REQ_ADMITTED, CM_EV_REQ_DROPPED,
                                          CM_EV_REQ_REJECTED };
  CmVerdict verdict = { .event = verdicts[storm_calm (end->number) ? 0 : below (end, 3)],
                        .reason = IB_CM_REJ_NO_RESOURCES };
  CmId *id = end->id;

  if (verdict.event != CM_EV_REQ_ADMITTED) {
    over (end, OVER_OWN);
    end->id = NULL;
  }
  cm_resolve_deferred (id, verdict);
}

/* After an answer or a disconnect. */
static void
change_mind (StormEnd *end)
{
  if (wild (end) && one_in (end, 4))
    plan (end, one_in (end, 2) ? ACT_REJECT : ACT_DESTROY,
          one_in (end, 2) ? SIM_S (20) : SIM_MS (20));
}

static void
perform (StormEnd *end, Act act)
{
  switch (act) {
  case ACT_ACCEPT:
    cm_accept (end->id, new_qpn (end), 0);
    change_mind (end);
    break;
  case ACT_REJECT:
    if (cm_reject (end->id, IB_CM_REJ_CONSUMER, 0) == 0)
      over (end, OVER_OWN);
    plan (end, ACT_DESTROY, SIM_S (5));
    break;
  case ACT_ESTABLISH:
    establish (end);
    break;
  case ACT_DISCONNECT:
    cm_disconnect (end->id);
    change_mind (end);
    break;
  case ACT_DESTROY:
    storm_destroy (end);
    break;
  case ACT_CRASH:
    crash (end);
    break;
  case ACT_RESOLVE:
    resolve (end);
    break;
  case ACT_LOAD:
    cm_load_alternate (end->id);
    break;
  case ACT_ANSWER:
    answer_alternate (end);
    break;
  case ACT_REPLY:
    if (cm_reply_service (end->id, IB_CM_SIDR_SUCCESS, new_qpn (end)) == 0)
      over (end, OVER_OWN);
    plan (end, ACT_DESTROY, SIM_S (5));
    break;
  }
}

static void
act_fire (gpointer owner, guint64 arg)
{
  StormEnd *end = owner;
  Act act = (Act) arg;

  end->act = SIM_EVENT_NONE;
  if (wild (end) && act != ACT_RESOLVE && one_in (end, 12))
    act = one_in (end, 2) ? ACT_CRASH : ACT_DESTROY;
  perform (end, act);
}

static const SimEventClass act_event = { .name = "act", .code = 3, .fire = act_fire };

/* ----- beginning ----- */

void
storm_begin (Storm *storm, guint number, guint host)
{
  StormEnd *end = storm_end_new (storm, host, number, TRUE);
  const Exchange *exchange = &storm->exchanges[number];
  gboolean calm = storm_calm (number);
  guint code = calm ? storm->profile.response_timeout : 15 + (guint) below (end, 7);
  guint retries = calm ? 15 : (guint) below (end, 16);

  storm->beginning = number;
  if (exchange->kind == KIND_SIDR) {
    CmServiceRequest request = { .destination = hca_lid (storm->hcas[1 - host]),
                                 .service_id = 1 + KIND_SIDR,
                                 .response_timeout = code,
                                 .max_retries = retries };

    end->id = cm_resolve_service (storm->agents[host], &request, end);
  } else {
    CmConnectRequest request = { .destination = hca_lid (storm->hcas[1 - host]),
                                 .service_id = 1 + KIND_CONNECT,
                                 .qpn = new_qpn (end),
                                 .packet_lifetime = storm->profile.packet_lifetime,
                                 .response_timeout = code,
                                 .max_retries = retries,
                                 .peer = exchange->kind == KIND_PEER };

    if (request.peer)
      request.service_id = 100 + number;
    end->id = cm_connect (storm->agents[host], &request,
                          sim_stream_key (storm->plan->seed, 0, "storm", "retry"), end);
  }
  end->local_id = cm_id_conn (end->id)->local_id;
  if (!calm && one_in (end, 4))
    plan (end, one_in (end, 3) ? ACT_REJECT : ACT_DESTROY, SIM_S (60));
}

/* ----- listening ----- */

/* The exchange that a REQ or SIDR_REQ belongs to. */
static guint
number_of (const Storm *storm, const IbCmMsg *msg, IbLid source)
{
  const StormEnd *client = storm_find (storm, source - 1, msg->local_id);

  g_assert (client);
  return client->number;
}

static CmVerdict
request (gpointer listener, const IbCmMsg *msg, IbLid source)
{
  static const CmEventType verdicts[] = { CM_EV_REQ_ADMITTED, CM_EV_REQ_ADMITTED,
                                          CM_EV_REQ_ADMITTED, CM_EV_REQ_DROPPED,
                                          CM_EV_REQ_DEFERRED, CM_EV_REQ_REJECTED };
  Storm *storm = *(Storm **) listener;
  guint number = number_of (storm, msg, source), host = 2 - source;
  CmVerdict verdict = { .event = CM_EV_REQ_ADMITTED,
                        .reason = IB_CM_REJ_NO_RESOURCES,
                        .service_timeout = 19 };
  SimStream stream;

  if (storm_calm (number))
    return verdict;
  sim_stream_init (&stream, sim_stream_key (storm->plan->seed, 0, "storm", "verdict"),
                   (guint64) number << 32 | storm->exchanges[number].verdicts++);
  verdict.event = verdicts[sim_stream_below (&stream, G_N_ELEMENTS (verdicts))];
  if (storm->slots[host] >= SLOTS)
    verdict.event = CM_EV_REQ_DROPPED;
  return verdict;
}

static gpointer
child (gpointer listener, CmId *id, const IbCmMsg *msg, CmEventType verdict)
{
  Storm *storm = *(Storm **) listener;
  IbLid source = cm_id_remote (id);
  StormEnd *end = storm_end_new (storm, 2 - source, number_of (storm, msg, source), FALSE);

  end->id = id;
  end->local_id = cm_id_conn (id)->local_id;
  end->slot = TRUE;
  storm->slots[end->host]++;
  if (verdict == CM_EV_REQ_DEFERRED)
    plan (end, ACT_RESOLVE, SIM_S (8));
  return end;
}

/* ----- news ----- */

/* Time, an answer, or a refusal. */
static void
answer (StormEnd *end, Act yes)
{
  if (one_in (end, 2))
    cm_prepare_mra (end->id);
  plan (end, wild (end) && one_in (end, 6) ? ACT_REJECT : yes, soon_or_late (end));
}

static void
ended (StormEnd *end, Over how, gboolean keep_slot)
{
  if (keep_slot)
    end->slot = FALSE; /* without giving it back */
  end->ends++;
  over (end, how);
  plan (end, ACT_DESTROY, SIM_S (5));
}

static void
notify (gpointer owner, CmId *id G_GNUC_UNUSED, CmNotify news, gint status)
{
  StormEnd *end = owner;

  switch (news) {
  case CM_NOTIFY_REQ_RECEIVED:
    answer (end, ACT_ACCEPT);
    break;
  case CM_NOTIFY_REP_RECEIVED:
    storm_check_pair (end);
    answer (end, ACT_ESTABLISH);
    break;
  case CM_NOTIFY_RTU_RECEIVED:
  case CM_NOTIFY_USER_ESTABLISHED:
    storm_check_pair (end);
    end->confirmed = TRUE;
    end->decided = TRUE;
    free_slot (end);
    plan_hold (end);
    break;
  case CM_NOTIFY_DREQ_RECEIVED:
    over (end, OVER_TOLD);
    plan (end, ACT_DISCONNECT, soon_or_late (end));
    break;
  case CM_NOTIFY_REJ_RECEIVED:
    ended (end, status == IB_CM_REJ_STALE_CONNECTION ? OVER_STALE : OVER_TOLD, FALSE);
    break;
  case CM_NOTIFY_DREP_RECEIVED:
    ended (end, OVER_TOLD, FALSE);
    break;
  case CM_NOTIFY_REP_ERROR:
    ended (end, OVER_ERROR, end->storm->plan->forget_slots);
    break;
  case CM_NOTIFY_REQ_ERROR:
  case CM_NOTIFY_DREQ_ERROR:
  case CM_NOTIFY_SIDR_REQ_ERROR:
    ended (end, OVER_ERROR, FALSE);
    break;
  case CM_NOTIFY_TIMEWAIT_EXIT:
    end->exits++;
    plan (end, ACT_DESTROY, SIM_S (5));
    break;
  case CM_NOTIFY_LAP_RECEIVED:
    plan (end, ACT_ANSWER, soon_or_late (end));
    break;
  case CM_NOTIFY_APR_RECEIVED:
    plan_hold (end);
    break;
  case CM_NOTIFY_SIDR_REQ_RECEIVED:
    plan (end, ACT_REPLY, soon_or_late (end));
    break;
  case CM_NOTIFY_SIDR_REP_RECEIVED:
    end->confirmed = status == IB_CM_SIDR_SUCCESS;
    ended (end, OVER_TOLD, FALSE);
    break;
  case CM_NOTIFY_MRA_RECEIVED:
  case CM_NOTIFY_COUNT:
    break;
  }
}

const CmConsumerOps storm_consumer_ops = { .request = request, .child = child, .notify = notify };

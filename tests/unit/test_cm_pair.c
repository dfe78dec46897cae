/* Two ends against each other: a wire that loses, repeats, delays and reorders, and
 * consumers that do anything at any time, under many seeds. */
#include "test_cm_world.h"

enum { SEEDS = 2200, PROFILES = 11, CONNECTS = 3, STEPS = 100000 };

#define CLOSE_AT SIM_S (400)

/* ----- consumers ----- */

static void
plan (World *world, End *end, CmEvent act, SimTime within)
{
  end->act = act;
  end->act_at = world->now + (SimTime) below (world, (guint64) within) + 1;
}

/* How long an established connection is wanted. */
static SimTime
hold (World *world)
{
  return below (world, 2) ? SIM_S (40) : SIM_MS (40);
}

static CmEvent
change_of_mind (World *world)
{
  return (CmEvent){ .type = below (world, 2) ? CM_EV_ULP_DESTROY : CM_EV_ULP_REJECT,
                    .reason = 28 };
}

/* A new request of the peer or its reply: take time, answer, or refuse. */
static void
answer (World *world, guint host, End *end, CmEventType yes, SimTime within)
{
  if (below (world, 2))
    feed_end (world, host, end, (CmEvent){ .type = CM_EV_ULP_PREPARE_MRA });
  if (below (world, 6) == 0)
    plan (world, end, (CmEvent){ .type = CM_EV_ULP_REJECT, .reason = 28 }, within);
  else
    plan (world, end, (CmEvent){ .type = yes }, within);
}

static void
consumer_hears (World *world, guint host, End *end, CmNotify notify)
{
  SimTime within = below (world, 4) ? SIM_MS (100) : SIM_S (30);

  switch (notify) {
  case CM_NOTIFY_REQ_RECEIVED:
    answer (world, host, end, CM_EV_ULP_ACCEPT, within);
    break;
  case CM_NOTIFY_REP_RECEIVED:
    answer (world, host, end, CM_EV_ULP_ESTABLISH, within);
    break;
  case CM_NOTIFY_RTU_RECEIVED:
  case CM_NOTIFY_USER_ESTABLISHED:
    if (below (world, 2))
      plan (world, end, (CmEvent){ .type = CM_EV_ULP_DISCONNECT }, hold (world));
    break;
  case CM_NOTIFY_DREQ_RECEIVED:
    plan (world, end, (CmEvent){ .type = CM_EV_ULP_DISCONNECT }, within);
    break;
  case CM_NOTIFY_REJ_RECEIVED:
  case CM_NOTIFY_REQ_ERROR:
  case CM_NOTIFY_REP_ERROR:
  case CM_NOTIFY_DREP_RECEIVED:
  case CM_NOTIFY_DREQ_ERROR:
  case CM_NOTIFY_TIMEWAIT_EXIT:
    plan (world, end, (CmEvent){ .type = CM_EV_ULP_DESTROY }, SIM_S (5));
    break;
  case CM_NOTIFY_MRA_RECEIVED:
    break;
  case CM_NOTIFY_LAP_RECEIVED:
  case CM_NOTIFY_APR_RECEIVED:
  case CM_NOTIFY_SIDR_REQ_RECEIVED:
  case CM_NOTIFY_SIDR_REP_RECEIVED:
  case CM_NOTIFY_SIDR_REQ_ERROR:
  case CM_NOTIFY_COUNT:
    ck_abort ();
  }
}

static void
consumer_acts (World *world, guint host, End *end)
{
  CmEvent act = end->act;

  end->act_at = SIM_TIME_NEVER;
  if (below (world, 12) == 0)
    act = (CmEvent){ .type = CM_EV_ULP_DESTROY };
  if (act.type == CM_EV_ULP_DESTROY)
    end->held = FALSE;
  if (act.type == CM_EV_ULP_ACCEPT && !end->bound)
    bind_qp (&world->hosts[host], end);
  if (act.type == CM_EV_ULP_ESTABLISH)
    plan (world, end, (CmEvent){ .type = CM_EV_ULP_DISCONNECT }, hold (world));
  if ((act.type == CM_EV_ULP_ACCEPT || act.type == CM_EV_ULP_DISCONNECT) && below (world, 4) == 0)
    plan (world, end, change_of_mind (world), below (world, 2) ? SIM_S (20) : SIM_MS (20));
  feed_end (world, host, end, act);
}

static void
receive_new_req (World *world, guint host, const IbCmMsg *req)
{
  static const CmEventType verdicts[] = { CM_EV_REQ_ADMITTED, CM_EV_REQ_ADMITTED,
                                          CM_EV_REQ_ADMITTED, CM_EV_REQ_DROPPED,
                                          CM_EV_REQ_DEFERRED, CM_EV_REQ_REJECTED };
  CmEventType verdict = verdicts[below (world, G_N_ELEMENTS (verdicts))];
  End *end = new_end (world, host);

  end->held = verdict == CM_EV_REQ_ADMITTED || verdict == CM_EV_REQ_DEFERRED;
  if (verdict == CM_EV_REQ_DEFERRED)
    plan (world, end,
          (CmEvent){ .type = (CmEventType) (CM_EV_REQ_ADMITTED + below (world, 3)), .reason = 3 },
          SIM_S (8));
  feed_end (world, host, end,
            (CmEvent){ .type = verdict, .msg = req, .reason = 3, .service_timeout = 19 });
}

/* ----- the step ----- */

static void
apply (World *world, guint host, End *end, const CmEffect *effect)
{
  IbCmMsg msg;

  switch (effect->type) {
  case CM_EFFECT_SEND:
    msg = effect->msg;
    cm_build_sign (&msg, world->hosts[host].guid);
    transmit (world, 1 - host, &msg);
    break;
  case CM_EFFECT_START_RESPONSE:
  case CM_EFFECT_MODIFY_RESPONSE:
    end->response_at = world->now + effect->time;
    if (world->profile.deadline_ms && end->conn.sends == 1)
      end->deadline = world->now + SIM_MS ((SimTime) world->profile.deadline_ms);
    break;
  case CM_EFFECT_STOP_RESPONSE:
    ck_assert_int_ne (end->response_at, SIM_TIME_NEVER);
    end->response_at = SIM_TIME_NEVER;
    break;
  case CM_EFFECT_START_TIMEWAIT:
    ck_assert_int_eq (end->timewait_at, SIM_TIME_NEVER);
    end->timewait_at = world->now + effect->time;
    break;
  case CM_EFFECT_INDEX:
    ck_assert (!end->indexed);
    end->indexed = TRUE;
    break;
  case CM_EFFECT_UNINDEX:
    ck_assert (end->indexed);
    end->indexed = FALSE;
    break;
  case CM_EFFECT_NOTIFY:
    end->reps += effect->notify == CM_NOTIFY_REP_RECEIVED;
    end->exits += effect->notify == CM_NOTIFY_TIMEWAIT_EXIT;
    end->ends += effect->notify == CM_NOTIFY_REJ_RECEIVED ||
                 effect->notify == CM_NOTIFY_REQ_ERROR || effect->notify == CM_NOTIFY_REP_ERROR ||
                 effect->notify == CM_NOTIFY_DREP_RECEIVED ||
                 effect->notify == CM_NOTIFY_DREQ_ERROR;
    break;
  }
}

/* Timers run and tables hold an end exactly in the states that need it; it ends once. */
static void
check_end (const End *end)
{
  const guint32 waiting = CM_FSM_STATE (REQ_SENT) | CM_FSM_STATE (MRA_REQ_RCVD) |
                          CM_FSM_STATE (REP_SENT) | CM_FSM_STATE (MRA_REP_RCVD) |
                          CM_FSM_STATE (DREQ_SENT);
  const guint32 unknown = CM_FSM_STATE (IDLE) | CM_FSM_STATE (REQ_SENT) |
                          CM_FSM_STATE (MRA_REQ_RCVD) | CM_FSM_STATE (TIMEWAIT);
  guint32 state = 1u << end->conn.state;

  ck_assert_uint_eq (end->response_at != SIM_TIME_NEVER, (state & waiting) != 0);
  ck_assert_uint_eq (end->timewait_at != SIM_TIME_NEVER, end->conn.state == CM_STATE_TIMEWAIT);
  ck_assert_uint_eq (end->indexed, (state & unknown) == 0);
  ck_assert_uint_eq (end->conn.wait != CM_WAIT_NONE, (state & waiting) != 0);
  ck_assert_uint_le (end->reps, 1);
  ck_assert_uint_le (end->ends + (end->left ? 1 : 0), 1);
  ck_assert_uint_le (end->exits, 1);
}

static gboolean
is_over (CmState state)
{
  return state == CM_STATE_IDLE || state == CM_STATE_TIMEWAIT;
}

static void
feed_end (World *world, guint host, End *end, CmEvent event)
{
  CmEffects effects;
  CmState from = end->conn.state;
  const CmFsmRow *row = cm_fsm_step (&end->conn, &event, &world->profile, &effects);
  gboolean by_itself = event.type == CM_EV_COMM_EST || event.type >= CM_EV_RX_REQ;

  world->seen[from][event.type] = TRUE;
  ck_assert_msg (!by_itself || row->kind != CM_ROW_MISUSE, "%s in %s", cm_event_name (event.type),
                 cm_state_name (from));
  end->left |= !by_itself && !is_over (from) && is_over (end->conn.state);
  for (guint i = 0; i < effects.n; i++)
    apply (world, host, end, &effects.list[i]);
  check_end (end);
  for (guint i = 0; i < effects.n && end->held; i++)
    if (effects.list[i].type == CM_EFFECT_NOTIFY)
      consumer_hears (world, host, end, effects.list[i].notify);
  if (!end->held && end->conn.state == CM_STATE_IDLE)
    end->alive = FALSE;
}

/* What an end has learned from a REP is true of the one who sent it; who is established
 * on the passive side has such a peer. */
static void
check_pairs (World *world)
{
  for (guint i = 0; i < world->hosts[0].n; i++) {
    const CmConn *a = &world->hosts[0].ends[i].conn;
    const End *peer = a->remote_id ? find (world, 1, a->remote_id) : NULL;

    if (!peer)
      continue;
    ck_assert_uint_eq (peer->conn.remote_id, a->local_id);
    ck_assert_uint_eq (peer->conn.remote_qpn, a->local_qpn);
    ck_assert_uint_eq (peer->conn.local_qpn, a->remote_qpn);
  }
  for (guint i = 0; i < world->hosts[1].n; i++) {
    const CmConn *b = &world->hosts[1].ends[i].conn;

    if (b->state == CM_STATE_ESTABLISHED)
      ck_assert_uint_eq (find (world, 0, b->remote_id)->conn.remote_id, b->local_id);
  }
}

/* ----- the run ----- */

static void
connect_one (World *world)
{
  End *end = new_end (world, 0);
  CmConn shape = end_a ();

  shape.local_id = end->conn.local_id;
  shape.max_cm_retries = CM_RETRIES (below (world, 16));
  shape.remote_response_timeout = CM_CODE (16 + below (world, 6));
  end->conn = shape;
  end->held = TRUE;
  bind_qp (&world->hosts[0], end);
  feed_end (world, 0, end, (CmEvent){ .type = CM_EV_ULP_CONNECT });
  if (below (world, 4) == 0)
    plan (world, end, change_of_mind (world), SIM_S (60));
}

/* Data reaches B's QP as soon as A is established; not every adapter says so. */
static void
send_data (World *world)
{
  for (guint i = 0; i < world->hosts[0].n; i++) {
    const CmConn *a = &world->hosts[0].ends[i].conn;
    End *peer = find (world, 1, a->remote_id);

    if (a->state == CM_STATE_ESTABLISHED && peer->alive && below (world, 16) == 0)
      feed_end (world, 1, peer, (CmEvent){ .type = CM_EV_COMM_EST });
  }
}

static void
run_end (World *world, guint host, End *end)
{
  if (!end->alive)
    return;
  if (end->response_at == world->now) {
    end->response_at = SIM_TIME_NEVER;
    feed_end (world, host, end, (CmEvent){ .type = CM_EV_RESPONSE_TIMEOUT,
                                           .last = world->now >= end->deadline });
  } else if (end->timewait_at == world->now) {
    end->timewait_at = SIM_TIME_NEVER;
    feed_end (world, host, end, (CmEvent){ .type = CM_EV_TIMEWAIT_EXIT });
  } else if (end->act_at == world->now) {
    consumer_acts (world, host, end);
  } else if (world->now >= CLOSE_AT && end->held && end->act_at == SIM_TIME_NEVER) {
    CmEventType last = end->conn.state == CM_STATE_ESTABLISHED ? CM_EV_ULP_DISCONNECT
                                                               : CM_EV_ULP_DESTROY;
    plan (world, end, (CmEvent){ .type = last }, SIM_S (200));
  }
}

/* The time of the next event of any kind. */
static SimTime
next_time (const World *world)
{
  SimTime next = world->now < CLOSE_AT ? CLOSE_AT : SIM_TIME_NEVER;

  for (guint i = 0; i < world->in_flight; i++)
    next = MIN (next, world->wire[i].at);
  for (guint host = 0; host < 2; host++)
    for (guint i = 0; i < world->hosts[host].n; i++) {
      const End *end = &world->hosts[host].ends[i];

      if (end->alive)
        next = MIN (next, MIN (end->response_at, MIN (end->timewait_at, end->act_at)));
    }
  return next;
}

static void
run_instant (World *world)
{
  for (guint i = 0; i < world->in_flight;) {
    Flight flight = world->wire[i];

    if (flight.at != world->now) {
      i++;
      continue;
    }
    world->wire[i] = world->wire[--world->in_flight];
    receive (world, flight.to, &flight.msg);
  }
  for (guint host = 0; host < 2; host++)
    for (guint i = 0; i < world->hosts[host].n; i++)
      run_end (world, host, &world->hosts[host].ends[i]);
  send_data (world);
  check_pairs (world);
}

/* Everything is over: each end is idle and was ended once, by news or by its consumer. */
static void
check_quiet (const World *world)
{
  ck_assert_uint_eq (world->in_flight, 0);
  for (guint host = 0; host < 2; host++)
    for (guint i = 0; i < world->hosts[host].n; i++) {
      const End *end = &world->hosts[host].ends[i];

      ck_assert_uint_eq (end->conn.state, CM_STATE_IDLE);
      ck_assert (!end->alive);
      if (end->conn.remote_id || host == 0)
        ck_assert_uint_eq (end->ends + (end->left ? 1 : 0), 1);
    }
}

/* Whoever watches the wire, and knows nothing of what arrives, finds each message of a
 * connection explained by the state machines of its ends.  The rest are copies that come
 * when their connection has been forgotten. */
static void
check_watched (gpointer owner G_GNUC_UNUSED, CmConversation *conversation)
{
  if (conversation->req.attr != 0) {
    ck_assert_uint_eq (conversation->counts[CM_SEEN_UNEXPECTED], 0);
    ck_assert_uint_eq (conversation->counts[CM_SEEN_GAP], 0);
    ck_assert_uint_eq (conversation->counts[CM_SEEN_COPY], 0);
  }
  cm_conversation_free (conversation);
}

static void
run_world (guint seed, gboolean (*seen)[CM_EV_COUNT])
{
  static const CmWatcherOps watcher = { .finished = check_watched };
  World *world = g_new0 (World, 1);
  guint steps = 0;

  world->seen = seen;
  world->profile = *cm_profiles[seed % PROFILES];
  world->loss = (double) (seed % 4) * 0.2;
  world->duplication = (double) (seed % 3) * 0.2;
  world->hosts[0].guid = A_GUID;
  world->hosts[1].guid = B_GUID;
  world->observer = cm_observer_new (&world->profile, CM_OBSERVER_LIVE_MAX, &watcher, world);
  sim_stream_init (&world->stream, sim_stream_key (seed, 0, "test", "pair"), 0);
  for (guint i = 0; i < CONNECTS; i++) {
    connect_one (world);
    if (below (world, 2))
      world->now += SIM_MS (1);
  }
  for (SimTime next = next_time (world); next != SIM_TIME_NEVER; next = next_time (world)) {
    world->now = next;
    run_instant (world);
    ck_assert_uint_lt (++steps, STEPS);
  }
  check_quiet (world);
  cm_observer_finish (world->observer, world->now);
  cm_observer_free (world->observer);
  g_free (world);
}

/* PROTOCOL cells that no run can reach, each with its reason. */
static gboolean
is_unreachable (CmState state, CmEventType event)
{
  /* Only one side connects here. */
  if (event == CM_EV_RX_REQ_PEER)
    return TRUE;
  /* An end in timewait has left the table that finds duplicates. */
  return state == CM_STATE_TIMEWAIT && event == CM_EV_RX_REQ;
}

START_TEST (storms)
{
  static gboolean seen[CM_STATE_COUNT][CM_EV_COUNT];

  memset (seen, 0, sizeof seen);
  ck_assert_ptr_null (cm_profiles[PROFILES]);
  for (guint seed = 0; seed < SEEDS; seed++)
    run_world (seed, seen);
  for (guint state = 0; state < CM_STATE_COUNT; state++)
    for (guint event = 0; event < CM_EV_COUNT; event++)
      if (cm_fsm_lookup (state, event)->kind == CM_ROW_PROTOCOL)
        ck_assert_msg (seen[state][event] != is_unreachable (state, event), "%s, %s",
                       cm_state_name (state), cm_event_name (event));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cm pair");
  TCase *tc = tcase_create ("pair");

  tcase_set_timeout (tc, 240);
  tcase_add_test (tc, storms);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}

/* Breadth-first search over the state machines themselves: at most one node for each state,
 * so a message costs a bounded number of steps whatever it is. */
#include "cm_infer.h"

#include "cm_match.h"

typedef enum {
  SOURCE_NONE,     /* not looked for */
  SOURCE_CONSUMER, /* a call */
  SOURCE_VERDICT,  /* what the listener makes of a request */
  SOURCE_MESSAGE,
  SOURCE_PEER,     /* the peer's own REQ */
  SOURCE_TIME,
} Source;

/* Where an event comes from; messages: which. */
typedef struct {
  guint8 source;
  guint16 attr;
} Origin;

static const Origin connection_origins[CM_EV_COUNT] = {
  [CM_EV_ULP_CONNECT] = { SOURCE_CONSUMER, 0 },
  [CM_EV_ULP_ACCEPT] = { SOURCE_CONSUMER, 0 },
  [CM_EV_ULP_REJECT] = { SOURCE_CONSUMER, 0 },
  [CM_EV_ULP_ESTABLISH] = { SOURCE_CONSUMER, 0 },
  [CM_EV_ULP_PREPARE_MRA] = { SOURCE_CONSUMER, 0 },
  [CM_EV_ULP_DISCONNECT] = { SOURCE_CONSUMER, 0 },
  [CM_EV_ULP_DESTROY] = { SOURCE_CONSUMER, 0 },
  [CM_EV_COMM_EST] = { SOURCE_TIME, 0 },
  [CM_EV_REQ_ADMITTED] = { SOURCE_VERDICT, IB_CM_REQ },
  [CM_EV_REQ_DROPPED] = { SOURCE_VERDICT, IB_CM_REQ },
  [CM_EV_REQ_REJECTED] = { SOURCE_VERDICT, IB_CM_REQ },
  [CM_EV_REQ_DEFERRED] = { SOURCE_VERDICT, IB_CM_REQ },
  [CM_EV_RX_REQ] = { SOURCE_MESSAGE, IB_CM_REQ },
  [CM_EV_RX_MRA] = { SOURCE_MESSAGE, IB_CM_MRA },
  [CM_EV_RX_REJ] = { SOURCE_MESSAGE, IB_CM_REJ },
  [CM_EV_RX_REP] = { SOURCE_MESSAGE, IB_CM_REP },
  [CM_EV_RX_REP_STALE] = { SOURCE_MESSAGE, IB_CM_REP },
  [CM_EV_RX_RTU] = { SOURCE_MESSAGE, IB_CM_RTU },
  [CM_EV_RX_DREQ] = { SOURCE_MESSAGE, IB_CM_DREQ },
  [CM_EV_RX_DREP] = { SOURCE_MESSAGE, IB_CM_DREP },
  [CM_EV_RX_REQ_PEER] = { SOURCE_PEER, IB_CM_REQ },
  [CM_EV_RESPONSE_TIMEOUT] = { SOURCE_TIME, 0 },
  [CM_EV_TIMEWAIT_EXIT] = { SOURCE_TIME, 0 },
};

static const Origin lap_origins[CM_LAP_EV_COUNT] = {
  [CM_LAP_EV_ULP_LOAD] = { SOURCE_CONSUMER, 0 },
  [CM_LAP_EV_ULP_ANSWER] = { SOURCE_CONSUMER, 0 },
  [CM_LAP_EV_ULP_DELAY] = { SOURCE_CONSUMER, 0 },
  [CM_LAP_EV_RX_LAP] = { SOURCE_MESSAGE, IB_CM_LAP },
  [CM_LAP_EV_RX_APR] = { SOURCE_MESSAGE, IB_CM_APR },
  [CM_LAP_EV_RX_MRA] = { SOURCE_MESSAGE, IB_CM_MRA },
  [CM_LAP_EV_RESPONSE_TIMEOUT] = { SOURCE_TIME, 0 },
};

static const Origin sidr_origins[CM_SIDR_EV_COUNT] = {
  [CM_SIDR_EV_ULP_RESOLVE] = { SOURCE_CONSUMER, 0 },
  [CM_SIDR_EV_ULP_REPLY] = { SOURCE_CONSUMER, 0 },
  [CM_SIDR_EV_ULP_DESTROY] = { SOURCE_CONSUMER, 0 },
  [CM_SIDR_EV_REQ_ADMITTED] = { SOURCE_VERDICT, IB_CM_SIDR_REQ },
  [CM_SIDR_EV_REQ_REFUSED] = { SOURCE_VERDICT, IB_CM_SIDR_REQ },
  [CM_SIDR_EV_RX_SIDR_REQ] = { SOURCE_MESSAGE, IB_CM_SIDR_REQ },
  [CM_SIDR_EV_RX_SIDR_REP] = { SOURCE_MESSAGE, IB_CM_SIDR_REP },
  [CM_SIDR_EV_RESPONSE_TIMEOUT] = { SOURCE_TIME, 0 },
};

static const struct {
  const Origin *origins;
  guint n;
} machines[CM_MACHINE_COUNT] = {
  [CM_MACHINE_CONNECTION] = { connection_origins, CM_EV_COUNT },
  [CM_MACHINE_LAP] = { lap_origins, CM_LAP_EV_COUNT },
  [CM_MACHINE_SIDR] = { sidr_origins, CM_SIDR_EV_COUNT },
};

#define NODES_MAX (2 * CM_STATE_COUNT + CM_LAP_STATE_COUNT)

typedef struct {
  CmConn conn;
  guint16 steps, missing;
} Node;

typedef struct {
  const CmInferEnd *end;
  const IbCmMsg *msg;
  guint32 attrs; /* bit mask of the messages in the inbox, from REQ on */
  CmInferMode mode;
  gboolean no_deferral;
  CmInference *found;
  guint n_nodes;
  guint32 visited[2]; /* states reached, without and with a deferred request */
  guint32 laps;       /* LAP states reached while established */
  Node nodes[NODES_MAX];
} Search;

void
cm_infer_tables_init (CmInferTables *tables)
{
  static const guint states[CM_MACHINE_COUNT]
      = { CM_STATE_COUNT, CM_LAP_STATE_COUNT, CM_SIDR_STATE_COUNT };

  *tables = (CmInferTables){ .events = { { 0 } } };
  for (guint machine = 0; machine < CM_MACHINE_COUNT; machine++)
    for (guint state = 0; state < states[machine]; state++)
      for (guint event = 0; event < machines[machine].n; event++) {
        CmConn conn = { .state = CM_STATE_BITS (state) };

        if (machine == CM_MACHINE_LAP) {
          conn.state = CM_STATE_ESTABLISHED;
          conn.lap_state = state & 7;
        }
        if (machines[machine].origins[event].source != SOURCE_NONE &&
            cm_cause_is_protocol (&conn, (CmCause){ (guint8) machine, (guint8) event }))
          tables->events[machine][state] |= 1u << event;
      }
}

/* ----- one step ----- */

static gboolean
is_the_message (const IbCmMsg *sent, const IbCmMsg *seen)
{
  return sent->attr == seen->attr && sent->local_id == seen->local_id &&
         sent->remote_id == seen->remote_id && sent->reason == seen->reason &&
         sent->message == seen->message && sent->service_timeout == seen->service_timeout;
}

/* What a step sent, the message looked for aside. */
static guint
count_others (const CmEffects *effects, const IbCmMsg *msg, gboolean *ret_found)
{
  guint others = 0;

  *ret_found = FALSE;
  for (guint i = 0; i < effects->n; i++) {
    if (effects->list[i].type != CM_EFFECT_SEND)
      continue;
    if (!*ret_found && is_the_message (&effects->list[i].msg, msg))
      *ret_found = TRUE;
    else
      others++;
  }
  return others;
}

static gboolean
starts_timer (const CmEffects *effects)
{
  for (guint i = 0; i < effects->n; i++)
    if (effects->list[i].type == CM_EFFECT_START_RESPONSE)
      return TRUE;
  return FALSE;
}

static void
visit (Search *search, const CmConn *conn, guint steps, guint missing)
{
  gboolean established = !search->end->sidr && conn->state == CM_STATE_ESTABLISHED;
  guint32 *visited = established ? &search->laps : &search->visited[conn->deferred ? 1 : 0];
  guint32 bit = 1u << (established ? conn->lap_state : conn->state);

  if (*visited & bit)
    return;
  *visited |= bit;
  g_assert (search->n_nodes < NODES_MAX);
  search->nodes[search->n_nodes++] = (Node){ *conn, (guint16) steps, (guint16) missing };
}

/* TRUE when the event sends the message. */
static gboolean
try_event (Search *search, const Node *node, CmCause cause, CmEvent *event, guint missing)
{
  CmEffects effects;
  CmConn conn = node->conn;
  gboolean found;

  cm_cause_step (&conn, cause, event, search->end->profile, &effects);
  missing += node->missing + count_others (&effects, search->msg, &found);
  if (search->mode == CM_INFER_STRICT && missing > 0)
    return FALSE;
  if (found) {
    *search->found = (CmInference){ .conn = conn, .cause = cause, .steps = node->steps + 1u,
                                    .starts = starts_timer (&effects), .missing = missing };
    return TRUE;
  }
  visit (search, &conn, node->steps + 1u, missing);
  return FALSE;
}

/* ----- events ----- */

/* What the caller, or the listener, must have said for this message. */
static CmEvent
event_for (const IbCmMsg *msg)
{
  gboolean has_reason
      = msg->attr == IB_CM_REJ || msg->attr == IB_CM_APR || msg->attr == IB_CM_SIDR_REP;

  return (CmEvent){ .reason = has_reason ? msg->reason : IB_CM_REJ_CONSUMER,
                    .service_timeout = msg->attr == IB_CM_MRA ? msg->service_timeout : 0 };
}

/* A connection is asked for once, by an end that has an id and knows of none. */
static gboolean
may_connect (const Search *search, const Node *node)
{
  const IbCmMsg *msg = search->msg;

  return (msg->attr == IB_CM_REQ || msg->attr == IB_CM_SIDR_REQ) && search->end->fresh &&
         node->conn.local_id != 0;
}

static gboolean
try_call (Search *search, const Node *node, CmCause cause)
{
  CmEvent event = event_for (search->msg);
  gboolean connects
      = (cause.machine == CM_MACHINE_CONNECTION && cause.event == CM_EV_ULP_CONNECT) ||
        (cause.machine == CM_MACHINE_SIDR && cause.event == CM_SIDR_EV_ULP_RESOLVE);

  if (connects && !may_connect (search, node))
    return FALSE;
  /* That a connection is stale only the CM itself finds out. */
  if (event.reason == IB_CM_REJ_STALE_CONNECTION)
    return FALSE;
  /* The consumer knows nothing yet of a request that is put off. */
  return !node->conn.deferred && try_event (search, node, cause, &event, 0);
}

/* A request is judged when it comes, and a REQ once more if it was deferred. */
static gboolean
try_verdict (Search *search, const Node *node, CmCause cause, guint attr)
{
  const CmInferEnd *end = search->end;
  gboolean connection = cause.machine == CM_MACHINE_CONNECTION;
  gboolean again = connection && node->conn.state == CM_STATE_MRA_REQ_SENT;

  if (again ? !node->conn.deferred : !end->fresh)
    return FALSE;
  if (connection && cause.event == CM_EV_REQ_DEFERRED && search->no_deferral)
    return FALSE;
  for (guint i = end->n_inbox; i-- > 0;) {
    CmEvent event = event_for (search->msg);

    event.msg = &end->inbox[i];
    if (event.msg->attr == attr)
      return try_event (search, node, cause, &event, 0);
  }
  return FALSE;
}

/* Which side gets such a message. */
static gboolean
may_be_sent (const CmConn *conn, guint attr)
{
  return attr == IB_CM_REP ? conn->active : attr != IB_CM_RTU || !conn->active;
}

/* A message that the capture does not have, as it would have been. */
static IbCmMsg
invent (const Search *search, const CmConn *conn, guint attr)
{
  IbCmMessage mraed = conn->state == CM_STATE_REP_SENT      ? IB_CM_MESSAGE_REP
                      : conn->state == CM_STATE_ESTABLISHED ? IB_CM_MESSAGE_OTHER
                                                            : IB_CM_MESSAGE_REQ;

  return (IbCmMsg){ .attr = (guint16) attr,
                    .message = (guint8) (attr == IB_CM_MRA ? mraed : IB_CM_MESSAGE_OTHER),
                    .reason = attr == IB_CM_REJ ? IB_CM_REJ_CONSUMER : 0,
                    .local_id = conn->remote_id ? conn->remote_id : search->msg->remote_id,
                    .remote_id = conn->local_id,
                    .qpn = conn->local_qpn };
}

/* Of several ends that may have answered, the one that is answered now comes first: one
 * node for each state is all there is. */
static gboolean
try_message (Search *search, const Node *node, CmCause cause, guint attr)
{
  const CmInferEnd *end = search->end;
  CmEvent event = { .type = 0 };
  gboolean any = FALSE;
  IbCmMsg invented;

  for (guint pass = 0; pass < 2; pass++)
    for (guint i = end->n_inbox; i-- > 0;) {
      const IbCmMsg *msg = &end->inbox[i];

      if (msg->attr != attr || (msg->local_id == search->msg->remote_id) == (pass == 1) ||
          !cm_match (&node->conn, msg))
        continue;
      any = TRUE;
      event.msg = msg;
      if (try_event (search, node, cause, &event, 0))
        return TRUE;
    }
  if (any || search->mode == CM_INFER_STRICT || !may_be_sent (&node->conn, attr))
    return FALSE;
  invented = invent (search, &node->conn, attr);
  event.msg = &invented;
  return cm_match (&node->conn, &invented) && try_event (search, node, cause, &event, 1);
}

/* Of an end that connects peer to peer, and knows nothing of the other one yet. */
static gboolean
try_peer (Search *search, const Node *node, CmCause cause)
{
  const CmInferEnd *end = search->end;
  CmEvent event = { .ca_guid = end->ca_guid };

  for (guint i = end->n_inbox; i-- > 0 && node->conn.peer && node->conn.remote_id == 0;) {
    event.msg = &end->inbox[i];
    if (event.msg->attr == IB_CM_REQ)
      return try_event (search, node, cause, &event, 0);
  }
  return FALSE;
}

static gboolean
try_cause (Search *search, const Node *node, CmCause cause)
{
  const Origin *origin = &machines[cause.machine].origins[cause.event];
  CmEvent event = { .type = 0 };

  switch ((Source) origin->source) {
  case SOURCE_CONSUMER:
    return try_call (search, node, cause);
  case SOURCE_VERDICT:
    return try_verdict (search, node, cause, origin->attr);
  case SOURCE_MESSAGE:
    return try_message (search, node, cause, origin->attr);
  case SOURCE_PEER:
    return try_peer (search, node, cause);
  case SOURCE_TIME:
    return try_event (search, node, cause, &event, 0);
  case SOURCE_NONE:
    break;
  }
  return FALSE;
}

/* Messages that were not sent to the end need not be looked for, but may be missing. */
static gboolean
is_out_of_question (const Search *search, const Origin *origin)
{
  return search->mode == CM_INFER_STRICT && origin->attr != 0 &&
         !(search->attrs & 1u << (origin->attr - IB_CM_ATTR_FIRST));
}

static gboolean
try_machine (Search *search, guint i, CmMachineKind machine)
{
  const Node *node = &search->nodes[i];
  guint state = machine == CM_MACHINE_LAP ? node->conn.lap_state : node->conn.state;

  for (guint32 events = search->end->tables->events[machine][state]; events; events &= events - 1) {
    guint event = (guint) g_bit_nth_lsf (events, -1);

    if (!is_out_of_question (search, &machines[machine].origins[event]) &&
        try_cause (search, node, (CmCause){ (guint8) machine, (guint8) event }))
      return TRUE;
  }
  return FALSE;
}

static gboolean
run (Search *search, const CmConn *from)
{
  const gboolean sidr = search->end->sidr;

  search->attrs = 0;
  for (guint i = 0; i < search->end->n_inbox; i++)
    search->attrs |= 1u << (search->end->inbox[i].attr - IB_CM_ATTR_FIRST);
  search->n_nodes = 0;
  search->visited[0] = search->visited[1] = search->laps = 0;
  visit (search, from, 0, 0);
  for (guint i = 0; i < search->n_nodes; i++) {
    if (try_machine (search, i, sidr ? CM_MACHINE_SIDR : CM_MACHINE_CONNECTION))
      return TRUE;
    if (!sidr && search->nodes[i].conn.state == CM_STATE_ESTABLISHED &&
        try_machine (search, i, CM_MACHINE_LAP))
      return TRUE;
  }
  return FALSE;
}

gboolean
cm_infer_send (const CmInferEnd *end, const CmConn *from, const IbCmMsg *msg, CmInferMode mode,
               CmInference *ret_inference)
{
  Search search;

  search.end = end;
  search.msg = msg;
  search.mode = mode;
  search.found = ret_inference;
  /* An MRA of a repeated REQ is most likely an answer to the repetition. */
  search.no_deferral = end->repeated;
  if (run (&search, from))
    return TRUE;
  search.no_deferral = FALSE;
  return end->repeated && msg->attr == IB_CM_MRA && run (&search, from);
}

gboolean
cm_infer_may_be_over (const CmInferEnd *end, const CmConn *from)
{
  const IbCmMsg nothing = { .attr = 0 };
  CmInference never;
  Search search;

  search.end = end;
  search.msg = &nothing;
  search.mode = CM_INFER_STRICT;
  search.no_deferral = FALSE;
  search.found = &never;
  run (&search, from);
  return (search.visited[0] & (CM_FSM_STATE (IDLE) | CM_FSM_STATE (TIMEWAIT))) != 0;
}

/* Breadth-first search over the state machine itself: at most one node for each state, so
 * a message costs a bounded number of steps whatever it is. */
#include "cm_infer.h"

#include "cm_match.h"

typedef enum {
  SOURCE_NONE,     /* not looked for */
  SOURCE_CONSUMER, /* a call */
  SOURCE_VERDICT,  /* what the listener makes of a REQ */
  SOURCE_MESSAGE,
  SOURCE_TIME,
} Source;

/* Where an event comes from; messages: which. */
static const struct {
  guint8 source;
  guint16 attr;
} origins[CM_EV_COUNT] = {
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
  [CM_EV_RESPONSE_TIMEOUT] = { SOURCE_TIME, 0 },
  [CM_EV_TIMEWAIT_EXIT] = { SOURCE_TIME, 0 },
};

#define NODES_MAX (2 * CM_STATE_COUNT)

typedef struct {
  CmConn conn;
  guint16 steps, missing;
} Node;

typedef struct {
  const CmInferEnd *end;
  const IbCmMsg *msg;
  CmInferMode mode;
  CmInference *found;
  guint n_nodes;
  guint32 visited[2]; /* states reached, without and with a deferred request */
  Node nodes[NODES_MAX];
} Search;

CmEventType
cm_infer_event_of (guint attr)
{
  switch ((IbCmAttr) attr) {
  case IB_CM_MRA:
    return CM_EV_RX_MRA;
  case IB_CM_REJ:
    return CM_EV_RX_REJ;
  case IB_CM_REP:
    return CM_EV_RX_REP;
  case IB_CM_RTU:
    return CM_EV_RX_RTU;
  case IB_CM_DREQ:
    return CM_EV_RX_DREQ;
  case IB_CM_DREP:
    return CM_EV_RX_DREP;
  case IB_CM_REQ:
  case IB_CM_SIDR_REQ:
  case IB_CM_SIDR_REP:
  case IB_CM_LAP:
  case IB_CM_APR:
    break;
  }
  return CM_EV_COUNT;
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

static void
visit (Search *search, const CmConn *conn, guint steps, guint missing)
{
  guint32 *visited = &search->visited[conn->deferred ? 1 : 0];
  guint32 bit = 1u << conn->state;

  if (*visited & bit)
    return;
  *visited |= bit;
  g_assert (search->n_nodes < NODES_MAX);
  search->nodes[search->n_nodes++] = (Node){ *conn, (guint16) steps, (guint16) missing };
}

/* TRUE when the event sends the message. */
static gboolean
try_event (Search *search, const Node *node, const CmEvent *event, guint missing)
{
  CmEffects effects;
  CmConn conn = node->conn;
  gboolean found;

  cm_fsm_step (&conn, event, search->end->profile, &effects);
  missing += node->missing + count_others (&effects, search->msg, &found);
  if (search->mode == CM_INFER_STRICT && missing > 0)
    return FALSE;
  if (found) {
    *search->found = (CmInference){ .conn = conn, .cause = event->type,
                                    .steps = node->steps + 1u, .missing = missing };
    return TRUE;
  }
  visit (search, &conn, node->steps + 1u, missing);
  return FALSE;
}

/* ----- events ----- */

static gboolean
try_call (Search *search, const Node *node, CmEventType type)
{
  const IbCmMsg *msg = search->msg;
  CmEvent event = { .type = type,
                    .reason = msg->attr == IB_CM_REJ ? msg->reason : IB_CM_REJ_CONSUMER,
                    .service_timeout = msg->attr == IB_CM_MRA ? msg->service_timeout : 0 };

  /* The consumer knows nothing yet of a request that is put off. */
  return !node->conn.deferred && try_event (search, node, &event, 0);
}

/* A REQ is judged when it comes, and once more if it was deferred. */
static gboolean
try_verdict (Search *search, const Node *node, CmEventType type)
{
  const CmInferEnd *end = search->end;
  gboolean again = node->conn.state == CM_STATE_MRA_REQ_SENT;

  if (again ? !node->conn.deferred : !end->fresh)
    return FALSE;
  /* An MRA of a repeated REQ is an answer to the repetition. */
  if (type == CM_EV_REQ_DEFERRED && end->repeated)
    return FALSE;
  for (guint i = end->n_inbox; i-- > 0;) {
    const IbCmMsg *msg = search->msg;
    CmEvent event = { .type = type,
                      .msg = &end->inbox[i],
                      .reason = msg->attr == IB_CM_REJ ? msg->reason : IB_CM_REJ_CONSUMER,
                      .service_timeout = msg->attr == IB_CM_MRA ? msg->service_timeout : 0 };

    if (end->inbox[i].attr == IB_CM_REQ)
      return try_event (search, node, &event, 0);
  }
  return FALSE;
}

/* A message that the capture does not have, as it would have been. */
static IbCmMsg
invent (const Search *search, const CmConn *conn, guint attr)
{
  IbCmMessage waiting = conn->state == CM_STATE_REP_SENT ? IB_CM_MESSAGE_REP : IB_CM_MESSAGE_REQ;

  return (IbCmMsg){ .attr = (guint16) attr,
                    .message = (guint8) (attr == IB_CM_MRA ? waiting : IB_CM_MESSAGE_OTHER),
                    .reason = attr == IB_CM_REJ ? IB_CM_REJ_CONSUMER : 0,
                    .local_id = conn->remote_id ? conn->remote_id : search->msg->remote_id,
                    .remote_id = conn->local_id,
                    .qpn = conn->local_qpn };
}

static gboolean
try_message (Search *search, const Node *node, CmEventType type)
{
  const CmInferEnd *end = search->end;
  CmEvent event = { .type = type };
  gboolean any = FALSE;
  IbCmMsg invented;

  for (guint i = end->n_inbox; i-- > 0;) {
    if (end->inbox[i].attr != origins[type].attr || !cm_match (&node->conn, &end->inbox[i]))
      continue;
    any = TRUE;
    event.msg = &end->inbox[i];
    if (try_event (search, node, &event, 0))
      return TRUE;
  }
  if (any || search->mode == CM_INFER_STRICT)
    return FALSE;
  invented = invent (search, &node->conn, origins[type].attr);
  event.msg = &invented;
  return cm_match (&node->conn, &invented) && try_event (search, node, &event, 1);
}

static gboolean
try_type (Search *search, const Node *node, CmEventType type)
{
  CmEvent event = { .type = type };

  if (cm_fsm_lookup (node->conn.state, type)->kind != CM_ROW_PROTOCOL)
    return FALSE;
  /* A connection is asked for once, by an end that has an id and knows of none. */
  if (type == CM_EV_ULP_CONNECT &&
      (search->msg->attr != IB_CM_REQ || !search->end->fresh || node->conn.local_id == 0))
    return FALSE;
  switch ((Source) origins[type].source) {
  case SOURCE_CONSUMER:
    return try_call (search, node, type);
  case SOURCE_VERDICT:
    return try_verdict (search, node, type);
  case SOURCE_MESSAGE:
    return try_message (search, node, type);
  case SOURCE_TIME:
    return try_event (search, node, &event, 0);
  case SOURCE_NONE:
    break;
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
  search.n_nodes = 0;
  search.visited[0] = search.visited[1] = 0;
  visit (&search, from, 0, 0);
  for (guint i = 0; i < search.n_nodes; i++)
    for (CmEventType type = 0; type < CM_EV_COUNT; type++) {
      const Node *node = &search.nodes[i];

      if (try_type (&search, node, type))
        return TRUE;
    }
  return FALSE;
}

/* The server's side: SYN queue, accept queue, MPA requests. */
#include "tcp_private.h"

#include <errno.h>

static IbCmMsg
as_request (const TcpSocket *socket)
{
  return (IbCmMsg){ .local_id = socket->remote_number,
                    .qpn = socket->remote_number,
                    .ca_guid = socket->address };
}

/* tcp_conn_request. */
void
tcp_passive_syn (TcpStack *stack, IbLid source, const IbTcpSegment *syn)
{
  gint64 service = (gint64) syn->service;
  gpointer listener = stack->listeners ? g_hash_table_lookup (stack->listeners, &service) : NULL;
  TcpSocket *socket = g_hash_table_lookup (stack->clients, tcp_client_key (source, syn->from));

  if (socket) { /* the SYN-ACK was lost, or is late */
    if (socket->state == TCP_SYN_RCVD)
      tcp_send_plain (socket, IB_TCP_SYN_ACK);
    return;
  }
  if (!listener) {
    tcp_send_once (stack, source, IB_TCP_RST, 0, syn->from);
    return;
  }
  if (stack->half_open >= stack->shared->params->syn_backlog ||
      (stack->shared->mode == TCP_PLAIN && stack->ops->full (listener))) {
    stack->shared->counters.listen_drops++;
    return;
  }
  socket = tcp_socket_new (stack, source, FALSE);
  socket->remote_number = syn->from;
  socket->service = syn->service;
  socket->address = syn->address;
  socket->listener = listener;
  socket->state = TCP_SYN_RCVD;
  g_hash_table_insert (stack->clients, tcp_client_key (source, syn->from), socket);
  stack->half_open++;
  tcp_send_until (socket, IB_TCP_SYN_ACK);
}

/* The listener may have gone since the SYN. */
static gboolean
listener_is_there (const TcpSocket *socket)
{
  gint64 service = (gint64) socket->service;

  return g_hash_table_lookup (socket->stack->listeners, &service) == socket->listener;
}

static void
turn_away (TcpSocket *socket)
{
  if (socket->stack->shared->mode == TCP_PLAIN) {
    tcp_send_plain (socket, IB_TCP_RST);
    tcp_socket_free (socket);
  } else { /* it stays until the reject has arrived */
    socket->owner = NULL;
    socket->state = TCP_LAST_ACK;
    tcp_send_until (socket, IB_TCP_MPA_REJECT);
  }
}

static void
take (TcpSocket *socket, const IbCmMsg *msg, gboolean deferred)
{
  TcpStack *stack = socket->stack;

  socket->state = deferred ? TCP_DEFERRED : TCP_OPEN;
  socket->owner = stack->ops->child (socket->listener, socket, msg, deferred);
  if (!deferred)
    tcp_tell (socket, TCP_NEWS_REQUEST, 0);
}

/* tcp_check_req (plain), cm_conn_req_handler of iwcm.c (MPA).  A dropped MPA request cannot
 * come again: it is rejected.  A connection that finds the accept queue full stays half open,
 * and the next SYN-ACK asks for its ACK again. */
static void
ask (TcpSocket *socket)
{
  TcpStack *stack = socket->stack;
  IbCmMsg msg = as_request (socket);
  gboolean plain = stack->shared->mode == TCP_PLAIN;
  CmVerdict verdict = { .event = CM_EV_REQ_REJECTED };

  if (listener_is_there (socket))
    verdict = stack->ops->request (socket->listener, &msg, socket->remote);
  if (plain && verdict.event == CM_EV_REQ_DROPPED) {
    stack->shared->counters.listen_overflows++;
    return;
  }
  tcp_stop (socket);
  if (socket->state == TCP_SYN_RCVD)
    stack->half_open--;
  if (verdict.event == CM_EV_REQ_ADMITTED || verdict.event == CM_EV_REQ_DEFERRED) {
    take (socket, &msg, verdict.event == CM_EV_REQ_DEFERRED);
  } else {
    stack->shared->counters.listen_overflows++;
    turn_away (socket);
  }
}

static void
acknowledged (TcpSocket *socket)
{
  if (socket->state == TCP_OPEN || socket->state == TCP_DEFERRED)
    tcp_send_plain (socket, IB_TCP_DATA_ACK); /* a keepalive */
  if (socket->state != TCP_SYN_RCVD)
    return;
  if (socket->stack->shared->mode == TCP_PLAIN) {
    ask (socket);
    return;
  }
  tcp_stop (socket);
  socket->stack->half_open--;
  socket->state = TCP_UNASKED;
}

static void
mpa_request (TcpSocket *socket)
{
  tcp_send_plain (socket, IB_TCP_DATA_ACK);
  if (socket->state == TCP_SYN_RCVD || socket->state == TCP_UNASKED)
    ask (socket);
}

static void
data_acknowledged (TcpSocket *socket, const IbTcpSegment *segment)
{
  gboolean first = socket->state == TCP_ANSWERED && !socket->confirmed;

  if (socket->state == TCP_LAST_ACK && !socket->owner) { /* the reject has arrived */
    tcp_socket_free (socket);
    return;
  }
  tcp_close_receive (socket, segment);
  if (!first)
    return;
  socket->confirmed = TRUE;
  tcp_tell (socket, TCP_NEWS_CONFIRMED, 0);
}

void
tcp_passive_receive (TcpSocket *socket, const IbTcpSegment *segment)
{
  switch ((IbTcpKind) segment->kind) {
  case IB_TCP_ACK:
    acknowledged (socket);
    break;
  case IB_TCP_MPA_REQUEST:
    mpa_request (socket);
    break;
  case IB_TCP_DATA_ACK:
    data_acknowledged (socket, segment);
    break;
  case IB_TCP_FIN:
    tcp_close_receive (socket, segment);
    break;
  case IB_TCP_RST:
    if (socket->state == TCP_SYN_RCVD)
      socket->stack->half_open--;
    if (socket->state != TCP_GONE && socket->state != TCP_TIME_WAIT)
      tcp_reset (socket, -ECONNRESET);
    break;
  case IB_TCP_SYN:
  case IB_TCP_SYN_ACK:
  case IB_TCP_GREETING:
  case IB_TCP_MPA_REPLY:
  case IB_TCP_MPA_REJECT:
  case IB_TCP_KIND_COUNT:
    break; /* not for this side */
  }
}

/* ----- the listener's answers ----- */

gint
tcp_accept (TcpSocket *socket)
{
  if (socket->state != TCP_OPEN)
    return -EINVAL;
  socket->state = TCP_ANSWERED;
  tcp_send_until (socket, socket->stack->shared->mode == TCP_PLAIN ? IB_TCP_GREETING
                                                                   : IB_TCP_MPA_REPLY);
  return 0;
}

gint
tcp_reject (TcpSocket *socket)
{
  if (socket->state != TCP_OPEN) {
    tcp_destroy (socket, FALSE);
    return -EINVAL;
  }
  turn_away (socket);
  return 0;
}

void
tcp_resolve_deferred (TcpSocket *socket, CmVerdict verdict)
{
  g_assert (socket->state == TCP_DEFERRED);
  if (verdict.event == CM_EV_REQ_ADMITTED) {
    socket->state = TCP_OPEN;
    tcp_tell (socket, TCP_NEWS_REQUEST, 0);
  } else {
    turn_away (socket);
  }
}

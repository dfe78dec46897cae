/* The client's side, and what both sides do with an answered connection. */
#include "tcp_private.h"

#include <errno.h>

TcpSocket *
tcp_connect (TcpStack *stack, IbLid destination, guint64 service, gpointer owner)
{
  TcpSocket *socket = tcp_socket_new (stack, destination, TRUE);

  socket->owner = owner;
  socket->service = service;
  socket->state = TCP_SYN_SENT;
  tcp_send_until (socket, IB_TCP_SYN);
  return socket;
}

gint
tcp_establish (TcpSocket *socket)
{
  return socket->state == TCP_ANSWERED ? 0 : -EINVAL;
}

/* The server has the SYN: the connection is up, as far as this side can know.  A SYN-ACK
 * that comes again asks for the ACK again. */
static void
connected (TcpSocket *socket, const IbTcpSegment *syn_ack)
{
  gboolean mpa = socket->stack->shared->mode == TCP_MPA;

  if (socket->state == TCP_SYN_SENT) {
    socket->remote_number = syn_ack->from;
    socket->state = TCP_OPEN;
    tcp_stop (socket);
    if (mpa) {
      tcp_send_until (socket, IB_TCP_MPA_REQUEST);
    } else {
      tcp_send_plain (socket, IB_TCP_ACK);
      tcp_keepalive (socket);
    }
  } else {
    tcp_send_plain (socket, IB_TCP_ACK);
  }
}

static void
refused (TcpSocket *socket, gint status)
{
  tcp_stop (socket);
  socket->state = TCP_GONE;
  tcp_tell (socket, TCP_NEWS_REFUSED, status);
}

static void
answered (TcpSocket *socket)
{
  tcp_send_plain (socket, IB_TCP_DATA_ACK);
  if (socket->state != TCP_OPEN)
    return; /* a repeat */
  tcp_stop (socket);
  socket->state = TCP_ANSWERED;
  tcp_tell (socket, TCP_NEWS_ANSWERED, 0);
}

void
tcp_active_receive (TcpSocket *socket, const IbTcpSegment *segment)
{
  switch ((IbTcpKind) segment->kind) {
  case IB_TCP_SYN_ACK:
    connected (socket, segment);
    break;
  case IB_TCP_RST:
    if (socket->state == TCP_SYN_SENT)
      refused (socket, -ECONNREFUSED);
    else if (socket->state == TCP_OPEN)
      refused (socket, -ECONNRESET);
    else if (socket->state != TCP_TIME_WAIT && socket->state != TCP_GONE)
      tcp_reset (socket, -ECONNRESET);
    break;
  case IB_TCP_MPA_REJECT:
    tcp_send_plain (socket, IB_TCP_DATA_ACK);
    if (socket->state == TCP_OPEN)
      refused (socket, -ECONNREFUSED);
    break;
  case IB_TCP_GREETING:
  case IB_TCP_MPA_REPLY:
    answered (socket);
    break;
  case IB_TCP_DATA_ACK:
  case IB_TCP_FIN:
    tcp_close_receive (socket, segment);
    break;
  case IB_TCP_SYN:
  case IB_TCP_ACK:
  case IB_TCP_MPA_REQUEST:
  case IB_TCP_KIND_COUNT:
    break; /* not for this side */
  }
}

/* ----- the way down, either side ----- */

gint
tcp_close (TcpSocket *socket)
{
  if (socket->state == TCP_ANSWERED)
    socket->state = TCP_FIN_WAIT;
  else if (socket->state == TCP_CLOSE_WAIT)
    socket->state = TCP_LAST_ACK;
  else
    return -EINVAL;
  tcp_send_until (socket, IB_TCP_FIN);
  return 0;
}

static void
peer_closed (TcpSocket *socket)
{
  tcp_send_plain (socket, IB_TCP_DATA_ACK);
  if (socket->state == TCP_ANSWERED) {
    tcp_stop (socket);
    socket->state = TCP_CLOSE_WAIT;
    tcp_tell (socket, TCP_NEWS_PEER_CLOSED, 0);
  } else if (socket->state == TCP_FIN_WAIT) {
    tcp_time_wait (socket);
    tcp_tell (socket, TCP_NEWS_PEER_CLOSED, 0);
  }
}

void
tcp_close_receive (TcpSocket *socket, const IbTcpSegment *segment)
{
  if (segment->kind == IB_TCP_FIN) {
    peer_closed (socket);
    return;
  }
  switch ((TcpState) socket->state) {
  case TCP_OPEN:
    if (socket->active) { /* the request, or the question whether it is there, has arrived */
      tcp_keepalive (socket);
      break;
    }
    tcp_stop (socket);
    break;
  case TCP_ANSWERED:
  case TCP_FIN_WAIT: /* our FIN is there; the peer's is yet to come */
    tcp_stop (socket);
    break;
  case TCP_LAST_ACK:
    tcp_stop (socket);
    socket->state = TCP_GONE;
    tcp_tell (socket, TCP_NEWS_CLOSED, 0);
    break;
  case TCP_SYN_SENT:
  case TCP_SYN_RCVD:
  case TCP_UNASKED:
  case TCP_DEFERRED:
  case TCP_CLOSE_WAIT:
  case TCP_TIME_WAIT:
  case TCP_GONE:
    break;
  }
}

void
tcp_destroy (TcpSocket *socket, gboolean lost)
{
  gboolean up = socket->state == TCP_OPEN || socket->state == TCP_ANSWERED ||
                socket->state == TCP_DEFERRED || socket->state == TCP_FIN_WAIT ||
                socket->state == TCP_CLOSE_WAIT || socket->state == TCP_LAST_ACK;

  socket->owner = NULL;
  if (up && !lost)
    tcp_send_plain (socket, IB_TCP_RST);
  tcp_socket_free (socket);
}

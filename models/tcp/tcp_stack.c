/* Sockets, segments and their repeats. */
#include "tcp_private.h"

#include "footprint.h"

#include <errno.h>

enum { NUMBER_FIRST = 0x1000 };

/* ----- sockets ----- */

gpointer
tcp_client_key (IbLid remote, guint32 number)
{
  return GSIZE_TO_POINTER ((guint64) remote << 32 | number);
}

TcpSocket *
tcp_socket_new (TcpStack *stack, IbLid remote, gboolean active)
{
  TcpSocket *socket = g_new0 (TcpSocket, 1);

  socket->stack = stack;
  socket->remote = remote;
  socket->number = stack->next_number++;
  socket->active = (guint8) active;
  g_hash_table_insert (stack->sockets, GUINT_TO_POINTER (socket->number), socket);
  stack->shared->alive++;
  return socket;
}

/* What keepalives have found out may be so no more. */
static void
peer_is_lost (TcpShared *shared)
{
  shared->losses++;
  shared->told = 0;
}

void
tcp_socket_free (TcpSocket *socket)
{
  TcpStack *stack = socket->stack;

  tcp_stop (socket);
  if (!socket->active)
    peer_is_lost (stack->shared);
  if (!socket->dead) {
    socket->dead = TRUE;
    g_hash_table_steal (stack->sockets, GUINT_TO_POINTER (socket->number));
    if (!socket->active)
      g_hash_table_remove (stack->clients,
                           tcp_client_key (socket->remote, socket->remote_number));
    stack->shared->alive--;
  }
  if (socket->depth == 0)
    g_free (socket);
}

void
tcp_tell (TcpSocket *socket, TcpNews news, gint status)
{
  if (!socket->owner)
    return;
  socket->depth++;
  socket->stack->ops->news (socket->owner, socket, news, status);
  socket->depth--;
  if (socket->dead && socket->depth == 0)
    g_free (socket);
}

/* ----- segments ----- */

static void
send (TcpStack *stack, IbLid remote, const IbTcpSegment *segment)
{
  TcpCounters *counters = &stack->shared->counters;
  IbMad mad = { .destination = remote, .mgmt_class = IB_MGMT_CLASS_TCP, .tcp = *segment };

  counters->sent[segment->kind]++;
  if (segment->sends > 1)
    counters->retries[segment->kind]++;
  hca_gsi_send (stack->hca, &mad);
}

void
tcp_send_once (TcpStack *stack, IbLid remote, IbTcpKind kind, guint32 from, guint32 to)
{
  send (stack, remote,
        &(IbTcpSegment){ .kind = (guint8) kind, .sends = 1, .from = from, .to = to });
}

static void
send_from (TcpSocket *socket, IbTcpKind kind, guint8 sends)
{
  IbTcpSegment segment = { .kind = (guint8) kind,
                           .sends = sends,
                           .from = socket->number,
                           .to = socket->remote_number };

  if (kind == IB_TCP_SYN) {
    segment.service = socket->service;
    segment.address = hca_guid (socket->stack->hca);
    socket->syns++;
  }
  send (socket->stack, socket->remote, &segment);
}

void
tcp_send_plain (TcpSocket *socket, IbTcpKind kind)
{
  send_from (socket, kind, 1);
}

/* ----- repeats ----- */

static const SimEventClass timer_event;

/* The first wait, doubled with each repeat, 120 s at most (TCP_RTO_MAX). */
static SimTime
wait_of (const TcpSocket *socket)
{
  const TcpParams *params = socket->stack->shared->params;
  gboolean handshake = socket->kind == IB_TCP_SYN || socket->kind == IB_TCP_SYN_ACK;
  SimTime wait = handshake ? params->rto : params->data_rto;

  for (guint i = 1; i < socket->sends && wait < SIM_S (120); i++)
    wait *= 2;
  return MIN (wait, MAX (SIM_S (120), handshake ? params->rto : params->data_rto));
}

static guint
retries_of (const TcpSocket *socket)
{
  const TcpParams *params = socket->stack->shared->params;

  if (socket->kind == IB_TCP_SYN)
    return params->syn_retries;
  return socket->kind == IB_TCP_SYN_ACK ? params->synack_retries : params->data_retries;
}

static void
arm (TcpSocket *socket)
{
  socket->timer = sim_engine_schedule_after (socket->stack->shared->engine, wait_of (socket),
                                             &timer_event, socket, 0);
}

void
tcp_send_until (TcpSocket *socket, IbTcpKind kind)
{
  tcp_stop (socket);
  socket->kind = (guint8) kind;
  socket->sends = 1;
  send_from (socket, kind, 1);
  arm (socket);
}

/* The timer of a keepalive is set, or no more. */
static void
watch (TcpSocket *socket, gboolean watching)
{
  TcpShared *shared = socket->stack->shared;
  gint step = watching - socket->watching;

  socket->watching = (guint8) watching;
  shared->watching += (guint) step;
  if (socket->told == shared->losses + 1)
    shared->told += (guint) step;
}

void
tcp_stop (TcpSocket *socket)
{
  watch (socket, FALSE);
  if (socket->timer != SIM_EVENT_NONE)
    sim_engine_cancel (socket->stack->shared->engine, socket->timer);
  socket->timer = SIM_EVENT_NONE;
}

void
tcp_reset (TcpSocket *socket, gint status)
{
  tcp_stop (socket);
  if (!socket->owner) {
    tcp_socket_free (socket);
    return;
  }
  peer_is_lost (socket->stack->shared); /* it answers nothing any more */
  socket->state = TCP_GONE;
  tcp_tell (socket, TCP_NEWS_RESET, status);
}

/* Nothing that was sent is acknowledged. */
static void
given_up (TcpSocket *socket)
{
  /* The client, which waits for its answer: iwcm says -ETIMEDOUT, that is UNREACHABLE. */
  if (socket->active && socket->state == TCP_OPEN && socket->owner) {
    socket->state = TCP_GONE;
    tcp_tell (socket, TCP_NEWS_TIMED_OUT, -ETIMEDOUT);
    return;
  }
  switch ((TcpState) socket->state) {
  case TCP_SYN_SENT:
    socket->state = TCP_GONE;
    tcp_tell (socket, TCP_NEWS_TIMED_OUT, -ETIMEDOUT);
    break;
  case TCP_SYN_RCVD:
    socket->stack->half_open--;
    tcp_socket_free (socket);
    break;
  case TCP_FIN_WAIT:
  case TCP_LAST_ACK:
    if (!socket->owner) {
      tcp_socket_free (socket);
      break;
    }
    socket->state = TCP_GONE;
    tcp_tell (socket, TCP_NEWS_CLOSED, 0);
    break;
  case TCP_OPEN:
  case TCP_UNASKED:
  case TCP_DEFERRED:
  case TCP_ANSWERED:
  case TCP_CLOSE_WAIT:
    tcp_reset (socket, -ETIMEDOUT);
    break;
  case TCP_TIME_WAIT:
  case TCP_GONE:
    g_assert_not_reached (); /* they send nothing */
  }
}

/* Whether the server answers does not change any more if all that is left to do is to ask, and
 * every client that waits has been answered since a peer was last lost.  Asking on would keep the
 * run going to the end of time. */
static gboolean
is_settled (const TcpSocket *socket)
{
  TcpShared *shared = socket->stack->shared;

  shared->settled = shared->settled ||
                    (shared->told == shared->watching &&
                     sim_engine_pending (shared->engine) == shared->watching - 1);
  return shared->settled;
}

static void
ask (TcpSocket *socket)
{
  gboolean settled = is_settled (socket);

  watch (socket, FALSE);
  if (!settled)
    tcp_send_until (socket, IB_TCP_ACK);
}

static void
timer_fire (gpointer owner, guint64 arg G_GNUC_UNUSED)
{
  TcpSocket *socket = owner;

  socket->timer = SIM_EVENT_NONE;
  if (socket->state == TCP_TIME_WAIT) {
    tcp_tell (socket, TCP_NEWS_CLOSED, 0);
  } else if (socket->watching) { /* nothing heard for long: is the peer still there? */
    ask (socket);
  } else if (socket->sends > retries_of (socket)) {
    given_up (socket);
  } else {
    send_from (socket, socket->kind, ++socket->sends);
    arm (socket);
  }
}

static const SimEventClass timer_event = { .name = "tcp-timer", .code = 0x550, .fire = timer_fire };

void
tcp_keepalive (TcpSocket *socket)
{
  TcpShared *shared = socket->stack->shared;
  gboolean asked = socket->timer != SIM_EVENT_NONE && !socket->watching &&
                   socket->kind == IB_TCP_ACK;

  tcp_stop (socket);
  socket->timer = sim_engine_schedule_after (shared->engine, shared->params->keepalive,
                                             &timer_event, socket, 0);
  if (asked)
    socket->told = shared->losses + 1;
  watch (socket, socket->timer != SIM_EVENT_NONE);
}

void
tcp_time_wait (TcpSocket *socket)
{
  tcp_stop (socket);
  socket->state = TCP_TIME_WAIT;
  socket->timer =
      sim_engine_schedule_after (socket->stack->shared->engine,
                                 socket->stack->shared->params->time_wait, &timer_event, socket, 0);
}

/* ----- receiving ----- */

static TcpSocket *
find (TcpStack *stack, const IbTcpSegment *segment)
{
  return segment->to ? g_hash_table_lookup (stack->sockets, GUINT_TO_POINTER (segment->to)) : NULL;
}

static void
receive (gpointer owner, const IbMad *mad)
{
  TcpStack *stack = owner;
  const IbTcpSegment *segment = &mad->tcp;
  TcpSocket *socket = find (stack, segment);

  sim_engine_mix (stack->shared->engine,
                  (guint64) segment->kind << 8 | (socket ? socket->state : 0xff));
  if (segment->kind == IB_TCP_SYN)
    tcp_passive_syn (stack, mad->source, segment);
  else if (!socket && segment->kind != IB_TCP_RST)
    tcp_send_once (stack, mad->source, IB_TCP_RST, 0, segment->from); /* no such connection */
  else if (socket && socket->active)
    tcp_active_receive (socket, segment);
  else if (socket)
    tcp_passive_receive (socket, segment);
}

/* ----- life ----- */

TcpShared *
tcp_shared_new (SimEngine *engine, const TcpParams *params, TcpMode mode)
{
  TcpShared *shared = g_new0 (TcpShared, 1);

  *shared = (TcpShared){ .engine = engine, .params = params, .mode = mode };
  return shared;
}

void
tcp_shared_free (TcpShared *shared)
{
  g_free (shared);
}

TcpMode
tcp_shared_mode (const TcpShared *shared)
{
  return shared->mode;
}

const TcpCounters *
tcp_shared_counters (const TcpShared *shared)
{
  return &shared->counters;
}

guint
tcp_shared_sockets (const TcpShared *shared)
{
  return shared->alive;
}

TcpStack *
tcp_stack_new (TcpShared *shared, Hca *hca, const TcpConsumerOps *ops)
{
  static const HcaGsiOps gsi_ops = { .receive = receive };
  TcpStack *stack = g_new0 (TcpStack, 1);

  stack->shared = shared;
  stack->hca = hca;
  stack->ops = ops;
  stack->sockets = g_hash_table_new_full (g_direct_hash, g_direct_equal, NULL, g_free);
  stack->clients = g_hash_table_new (g_direct_hash, g_direct_equal);
  stack->next_number = NUMBER_FIRST;
  hca_gsi_register (hca, IB_MGMT_CLASS_TCP, &gsi_ops, stack);
  return stack;
}

void
tcp_stack_free (TcpStack *stack)
{
  if (!stack)
    return;
  g_hash_table_destroy (stack->sockets);
  g_hash_table_destroy (stack->clients);
  if (stack->listeners)
    g_hash_table_destroy (stack->listeners);
  g_free (stack);
}

void
tcp_listen (TcpStack *stack, guint64 service, gpointer listener)
{
  gint64 key = (gint64) service;
  gboolean fresh;

  if (!stack->listeners)
    stack->listeners = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  fresh = g_hash_table_insert (stack->listeners, g_memdup2 (&key, sizeof key), listener);
  g_assert (fresh);
}

void
tcp_unlisten (TcpStack *stack, guint64 service)
{
  gint64 key = (gint64) service;
  gboolean found = g_hash_table_remove (stack->listeners, &key);

  g_assert (found);
}

IbLid
tcp_socket_remote (const TcpSocket *socket)
{
  return socket->remote;
}

guint32
tcp_socket_number (const TcpSocket *socket)
{
  return socket->number;
}

guint32
tcp_socket_remote_number (const TcpSocket *socket)
{
  return socket->remote_number;
}

guint
tcp_socket_syns (const TcpSocket *socket)
{
  return socket->syns;
}

/* It stands in two hash tables. */
gsize
tcp_socket_footprint (void)
{
  return sizeof (TcpSocket) + 2 * 2 * 2 * sizeof (gpointer);
}

/* Two hash tables, empty. */
gsize
tcp_stack_footprint (void)
{
  return sizeof (TcpStack) + 2 * 256;
}

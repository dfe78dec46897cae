/* RDMA CM over TCP: iWARP, where a request is an MPA request in a stream, and plain sockets.
 *
 * Events as since Linux 2.6.20: refused or reset is REJECTED, timed out UNREACHABLE.  There
 * is no REJ reason and no private data for a hint. */
#include "cma_private.h"

#include <errno.h>

static void
stream_connect (CmaId *id, const CmaConnectParams *params)
{
  cma_id_connected (id, tcp_connect (id->cma->tcp, id->destination, params->service_id, id));
}

static gint
stream_establish (CmaId *id)
{
  return tcp_establish (id->tcp);
}

static gint
stream_accept (CmaId *id)
{
  return tcp_accept (id->tcp);
}

/* The stream lives on until the client has the refusal. */
static gint
stream_reject (CmaId *id, guint reason G_GNUC_UNUSED, IbLid redirect G_GNUC_UNUSED)
{
  TcpSocket *socket = cma_id_steal (id);

  return tcp_reject (socket);
}

static void
stream_resolve_deferred (CmaId *id, CmVerdict verdict)
{
  TcpSocket *socket = id->tcp;

  if (verdict.event != CM_EV_REQ_ADMITTED)
    id->phase = CMA_ID_IDLE;
  tcp_resolve_deferred (socket, verdict);
}

static gint
stream_disconnect (CmaId *id)
{
  return tcp_close (id->tcp);
}

static void
stream_release (CmaId *id, gboolean lost)
{
  tcp_destroy (cma_id_steal (id), lost);
}

/* ----- what is known of a connection ----- */

static guint32
stream_qpn (const CmaId *id)
{
  return tcp_socket_remote_number (id->tcp);
}

static CmaPeer
stream_data_peer (const CmaId *id)
{
  return (CmaPeer){ .lid = id->destination };
}

/* A stream is established by its own ACKs. */
static void
stream_data_arrived (Cma *cma G_GNUC_UNUSED, guint32 cm_id G_GNUC_UNUSED,
                     guint32 qpn G_GNUC_UNUSED)
{
}

static guint32
stream_comm_id (const CmaId *id)
{
  return tcp_socket_number (id->tcp);
}

static guint
stream_reqs (const CmaId *id)
{
  return tcp_socket_syns (id->tcp);
}

static SimTime
stream_retry_after (const CmaId *id G_GNUC_UNUSED)
{
  return 0;
}

static IbLid
stream_redirect (const CmaId *id G_GNUC_UNUSED)
{
  return 0;
}

/* A stream's path is IP's business. */
static gint
stream_load_alternate (CmaId *id G_GNUC_UNUSED)
{
  return -EINVAL;
}

static gint
stream_path_call (CmaId *id G_GNUC_UNUSED, guint number G_GNUC_UNUSED)
{
  return -EINVAL;
}

/* ----- news from TCP ----- */

static void
tcp_news (gpointer owner, TcpSocket *socket G_GNUC_UNUSED, TcpNews news, gint status)
{
  CmaId *id = owner;

  id->depth++;
  switch (news) {
  case TCP_NEWS_ANSWERED:
    cma_deliver (id, CMA_CONNECT_RESPONSE, 0);
    break;
  case TCP_NEWS_REFUSED:
  case TCP_NEWS_RESET:
    cma_deliver (id, CMA_REJECTED, status);
    break;
  case TCP_NEWS_TIMED_OUT:
    cma_deliver (id, CMA_UNREACHABLE, status);
    break;
  case TCP_NEWS_REQUEST:
    cma_deliver (id, CMA_CONNECT_REQUEST, 0);
    break;
  case TCP_NEWS_CONFIRMED:
    cma_deliver (id, CMA_ESTABLISHED, 0);
    break;
  case TCP_NEWS_PEER_CLOSED:
    cma_deliver_disconnected (id, 0);
    break;
  case TCP_NEWS_CLOSED:
    cma_deliver (id, CMA_TIMEWAIT_EXIT, 0);
    break;
  }
  id->depth--;
  cma_release_if_destroyed (id);
}

static gboolean
tcp_full (gpointer owner)
{
  CmaListen *listen = owner;

  return listen->ops->full (listen->listener);
}

static CmVerdict
tcp_request (gpointer owner, const IbCmMsg *msg, IbLid source)
{
  CmaListen *listen = owner;

  return listen->ops->request (listen->listener, msg, source);
}

static gpointer
tcp_child (gpointer owner, TcpSocket *socket, const IbCmMsg *msg, gboolean deferred)
{
  CmaListen *listen = owner;
  CmaId *id = cma_id_new (listen->cma, &listen->ops->id_ops, NULL);

  cma_id_connected (id, socket);
  id->destination = tcp_socket_remote (socket);
  id->owner = listen->ops->child (listen->listener, id, msg, deferred);
  return id;
}

/* ----- life ----- */

static void
stream_start (Cma *cma, SimTime phase G_GNUC_UNUSED)
{
  static const TcpConsumerOps ops = {
    .full = tcp_full, .request = tcp_request, .child = tcp_child, .news = tcp_news
  };

  cma->tcp = tcp_stack_new (cma->config->tcp, cma->hca, &ops);
}

static void
stream_stop (Cma *cma)
{
  tcp_stack_free (cma->tcp);
}

static void
stream_listen (Cma *cma, guint64 service_id, CmaListen *listen)
{
  tcp_listen (cma->tcp, service_id, listen);
}

static void
stream_unlisten (Cma *cma, guint64 service_id)
{
  tcp_unlisten (cma->tcp, service_id);
}

const CmaTransport cma_stream = {
  .start = stream_start,
  .stop = stream_stop,
  .listen = stream_listen,
  .unlisten = stream_unlisten,
  .connect = stream_connect,
  .establish = stream_establish,
  .accept = stream_accept,
  .reject = stream_reject,
  .resolve_deferred = stream_resolve_deferred,
  .disconnect = stream_disconnect,
  .release = stream_release,
  .qpn = stream_qpn,
  .data_peer = stream_data_peer,
  .data_arrived = stream_data_arrived,
  .comm_id = stream_comm_id,
  .reqs = stream_reqs,
  .retry_after = stream_retry_after,
  .redirect = stream_redirect,
  .load_alternate = stream_load_alternate,
  .answer_alternate = stream_path_call,
  .delay_alternate = stream_path_call,
};

/* TCP of one host: as much of it as connection set-up needs.
 *
 * A connect is a SYN with retries, answered by a SYN-ACK with retries; the server's ACK of
 * it puts the connection into the accept queue, if that has room.  In plain mode the
 * request is the connection, and the server's application greets when it has accepted.  In
 * MPA mode (iWARP) the connection carries an MPA request, which the listener takes or
 * rejects: it cannot be dropped and come again.
 *
 * Source: Linux net/ipv4/tcp_input.c tcp_conn_request, tcp_minisocks.c tcp_check_req,
 * inet_connection_sock.c; drivers/infiniband/core/iwcm.c. */
#pragma once

#include "cm_agent.h"

typedef struct {
  guint syn_retries;    /* 6: SYNs after 1, 3, 7, 15, 31, 63 s */
  guint synack_retries; /* 5 */
  guint syn_backlog;    /* half-open connections of a listener */
  SimTime rto;          /* 1 s: first wait of SYN and SYN-ACK; doubles */
  SimTime data_rto;     /* 200 ms: first wait of data and FIN; doubles */
  guint data_retries;   /* 15 */
  SimTime time_wait;    /* 60 s */
  SimTime keepalive;    /* 2 h: a client that waits for an answer asks whether the peer is there */
} TcpParams;

extern const SimParam tcp_params[];

typedef enum {
  TCP_PLAIN,
  TCP_MPA,
} TcpMode;

typedef enum {
  TCP_NEWS_ANSWERED,  /* active: greeting or MPA reply */
  TCP_NEWS_REFUSED,   /* active: RST or MPA reject; status -ECONNREFUSED or -ECONNRESET */
  TCP_NEWS_TIMED_OUT, /* active: retries of the SYN, the request or a keepalive exhausted */
  TCP_NEWS_REQUEST,   /* passive: taken */
  TCP_NEWS_CONFIRMED, /* passive: the answer has arrived */
  TCP_NEWS_RESET,     /* passive, or answered: RST, or data retries exhausted */
  TCP_NEWS_PEER_CLOSED,
  TCP_NEWS_CLOSED,    /* both directions, TIME-WAIT over */
} TcpNews;

typedef struct TcpShared TcpShared; /* counters of all hosts of a world */
typedef struct TcpStack TcpStack;
typedef struct TcpSocket TcpSocket;

typedef struct {
  /* Would a connection be turned away now?  Plain mode, asked for a SYN. */
  gboolean (*full) (gpointer listener);
  /* A connection (plain) or an MPA request: verdict as for a REQ.  msg: local_id, qpn and
   * ca_guid name the client. */
  CmVerdict (*request) (gpointer listener, const IbCmMsg *msg, IbLid source);
  /* It was taken or deferred; returns the socket's owner.  REQUEST follows one taken. */
  gpointer (*child) (gpointer listener, TcpSocket *socket, const IbCmMsg *msg, gboolean deferred);
  void (*news) (gpointer owner, TcpSocket *socket, TcpNews news, gint status);
} TcpConsumerOps;

typedef struct {
  guint64 sent[IB_TCP_KIND_COUNT];    /* first sends and repeats */
  guint64 retries[IB_TCP_KIND_COUNT]; /* repeats among them */
  guint64 listen_drops;    /* SYNs dropped: accept queue or SYN queue full */
  guint64 listen_overflows; /* ACKs ignored or reset: accept queue full */
} TcpCounters;

TcpShared *tcp_shared_new (SimEngine *engine, const TcpParams *params, TcpMode mode);
void tcp_shared_free (TcpShared *shared);
TcpMode tcp_shared_mode (const TcpShared *shared);
const TcpCounters *tcp_shared_counters (const TcpShared *shared);
guint tcp_shared_sockets (const TcpShared *shared); /* alive */

TcpStack *tcp_stack_new (TcpShared *shared, Hca *hca, const TcpConsumerOps *ops);
void tcp_stack_free (TcpStack *stack);
/* listener: (transfer full), freed with g_free(). */
void tcp_listen (TcpStack *stack, guint64 service, gpointer listener);
void tcp_unlisten (TcpStack *stack, guint64 service);

TcpSocket *tcp_connect (TcpStack *stack, IbLid destination, guint64 service, gpointer owner);
/* Active: goes on after ANSWERED; 0, or -EINVAL if the connection has gone. */
gint tcp_establish (TcpSocket *socket);
/* Passive: answers; 0, or -EINVAL if the client has gone. */
gint tcp_accept (TcpSocket *socket);
/* The same; the socket is no longer the owner's, whatever it returns. */
gint tcp_reject (TcpSocket *socket);
/* One turned away is no longer the owner's. */
void tcp_resolve_deferred (TcpSocket *socket, CmVerdict verdict);
/* FIN; 0, or -EINVAL if there is nothing to close. */
gint tcp_close (TcpSocket *socket);
/* The owner lets go.  lost: the host has crashed, nothing is sent. */
void tcp_destroy (TcpSocket *socket, gboolean lost);

IbLid tcp_socket_remote (const TcpSocket *socket);
guint32 tcp_socket_number (const TcpSocket *socket);
guint32 tcp_socket_remote_number (const TcpSocket *socket);
guint tcp_socket_syns (const TcpSocket *socket); /* sent */

/* What the parts of TCP share: sockets and segments (tcp_stack.c), the client's side
 * (tcp_active.c) and the server's (tcp_passive.c). */
#pragma once

#include "tcp.h"

typedef enum {
  TCP_SYN_SENT,
  TCP_OPEN,      /* connected, not answered (passive: taken) */
  TCP_SYN_RCVD,  /* passive: SYN-ACK sent */
  TCP_UNASKED,   /* passive, MPA: connected, no MPA request yet */
  TCP_DEFERRED,  /* passive: neither taken nor turned away */
  TCP_ANSWERED,
  TCP_FIN_WAIT,  /* this side closed first */
  TCP_CLOSE_WAIT,
  TCP_LAST_ACK,
  TCP_TIME_WAIT,
  TCP_GONE,      /* the peer has reset it */
} TcpState;

struct TcpSocket {
  TcpStack *stack;
  gpointer owner;     /* NULL: half open, or let go */
  gpointer listener;  /* passive */
  SimEventId timer;
  guint64 address;    /* passive: of the client */
  guint64 service;
  IbLid remote;
  guint32 number, remote_number;
  guint32 told;       /* TcpShared.losses + 1 when a keepalive was last answered; 0: never */
  guint8 watching;    /* the timer is that of the next keepalive */
  guint8 state;       /* TcpState */
  guint8 kind;        /* segment being repeated */
  guint8 sends;       /* of it */
  guint8 syns;        /* active: sent */
  guint8 confirmed;   /* passive: the answer has arrived */
  guint8 active;
  guint8 depth;       /* news being told */
  guint8 dead;
};

struct TcpStack {
  TcpShared *shared;
  Hca *hca;
  const TcpConsumerOps *ops;
  GHashTable *sockets;   /* number -> TcpSocket, owned; looked up only */
  GHashTable *clients;   /* (remote LID, remote number) -> passive TcpSocket; looked up only */
  GHashTable *listeners; /* service -> listener; NULL without any */
  guint32 next_number;
  guint half_open;
};

struct TcpShared {
  SimEngine *engine;
  const TcpParams *params;
  TcpMode mode;
  TcpCounters counters;
  guint alive;
  guint watching;   /* sockets that are */
  guint told;       /* of those, such as were answered since the last loss */
  guint32 losses;   /* sockets that ended and whose peer may not know */
  gboolean settled; /* keepalives would be answered for ever, and nothing else happens */
};

/* tcp_stack.c */
TcpSocket *tcp_socket_new (TcpStack *stack, IbLid remote, gboolean active);
void tcp_socket_free (TcpSocket *socket);
gpointer tcp_client_key (IbLid remote, guint32 number);
/* Once, without a socket or a repeat. */
void tcp_send_once (TcpStack *stack, IbLid remote, IbTcpKind kind, guint32 from, guint32 to);
void tcp_send_plain (TcpSocket *socket, IbTcpKind kind);
/* Sends and repeats until tcp_stop(). */
void tcp_send_until (TcpSocket *socket, IbTcpKind kind);
void tcp_stop (TcpSocket *socket);
/* Asks the peer for a sign of life when nothing has come for long. */
void tcp_keepalive (TcpSocket *socket);
/* Both sides have closed, this one first. */
void tcp_time_wait (TcpSocket *socket);
/* Tells the owner; the socket may be gone afterwards. */
void tcp_tell (TcpSocket *socket, TcpNews news, gint status);
/* The peer has reset it, or does not answer. */
void tcp_reset (TcpSocket *socket, gint status);

/* tcp_active.c, tcp_passive.c: a segment for a socket of that side. */
void tcp_active_receive (TcpSocket *socket, const IbTcpSegment *segment);
void tcp_passive_receive (TcpSocket *socket, const IbTcpSegment *segment);
/* A SYN, the first or a repeat. */
void tcp_passive_syn (TcpStack *stack, IbLid source, const IbTcpSegment *syn);
/* Either side, once answered: data acknowledged, closing. */
void tcp_close_receive (TcpSocket *socket, const IbTcpSegment *segment);

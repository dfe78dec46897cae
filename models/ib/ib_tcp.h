/* TCP segments as values: what travels between hosts that talk TCP, for iWARP or as the
 * yardstick.  Ports and sequence numbers are left out; a socket has a number, as a
 * connection of the IB CM has a communication id. */
#pragma once

#include <glib.h>

#define IB_TCP_KIND_LIST(X) \
  X (SYN, "SYN")             \
  X (SYN_ACK, "SYN-ACK")     \
  X (ACK, "ACK")             \
  X (RST, "RST")             \
  X (FIN, "FIN")             \
  X (DATA_ACK, "ACK of data") \
  X (GREETING, "greeting")   /* the server's application has accepted */ \
  X (MPA_REQUEST, "MPA request") \
  X (MPA_REPLY, "MPA reply") \
  X (MPA_REJECT, "MPA reject")

typedef enum {
#define X(name, text) IB_TCP_##name,
  IB_TCP_KIND_LIST (X)
#undef X
  IB_TCP_KIND_COUNT
} IbTcpKind;

typedef struct {
  guint8 kind;     /* IbTcpKind */
  guint8 sends;    /* how often it has been sent, 1 = first */
  guint64 service; /* SYN: whom it is for: port space and port, as a service id */
  guint32 from;    /* sender's socket; 0 if it has none */
  guint32 to;      /* receiver's socket; 0: not known */
  guint64 address; /* SYN: of the sender's adapter */
} IbTcpSegment;

const char *ib_tcp_kind_name (guint kind); /* "SYN-ACK" */

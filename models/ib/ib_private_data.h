/* What RDMA CM and SDP put at the front of the consumer's private data. */
#pragma once

#include "ib_layout.h"

/* In a REQ or SIDR_REQ for an RDMA CM service (IBTA annex A11; Linux cma.c struct
 * cma_hdr).  The destination port is in the service id only. */
#define IB_CMA_HEADER_FIELDS(N, A, R) \
  N (guint8, major, 0, 0, 4, "version: 0") \
  N (guint8, minor, 0, 4, 4, "version: 0") \
  N (guint8, ip_version, 1, 0, 4, "4 or 6") \
  R (1, 4, 4) \
  N (guint16, source_port, 2, 0, 16, "port of the active side") \
  A (source_ip, 4, 16, "its address; IPv4: in the last four bytes") \
  A (destination_ip, 20, 16, "address it connects to")

/* SDP's header, at the front of both hello messages (IBTA annex A4; BSDH). */
#define IB_SDP_BSDH_FIELDS(N, A, R) \
  N (guint8, mid, 0, 0, 8, "message: 0 Hello, 1 HelloAck") \
  N (guint8, flags, 1, 0, 8, "0") \
  N (guint16, bufs, 2, 0, 16, "receive buffers posted") \
  N (guint32, len, 4, 0, 32, "length of the message") \
  N (guint32, mseq, 8, 0, 32, "sequence number: 0") \
  N (guint32, mseq_ack, 12, 0, 32, "sequence number taken: 0")

#define IB_SDP_HELLO_FIELDS(N, A, R) \
  IB_SDP_BSDH_FIELDS (N, A, R) \
  N (guint8, version, 16, 0, 8, "0x22") \
  N (guint8, ip_version, 17, 0, 4, "4 or 6") \
  N (guint8, capabilities, 17, 4, 4, "0") \
  R (18, 0, 8) \
  N (guint8, max_adverts, 19, 0, 8, "adverts in flight, at least 1") \
  N (guint32, desired_remote_size, 20, 0, 32, "receive size wished of the peer") \
  N (guint32, local_size, 24, 0, 32, "own receive size") \
  N (guint16, source_port, 28, 0, 16, "port of the active side") \
  R (30, 0, 16) \
  A (source_ip, 32, 16, "its address; IPv4: in the last four bytes") \
  A (destination_ip, 48, 16, "address it connects to") \
  R (64, 0, 224)

#define IB_SDP_HELLO_ACK_FIELDS(N, A, R) \
  IB_SDP_BSDH_FIELDS (N, A, R) \
  N (guint8, version, 16, 0, 8, "0x22") \
  N (guint8, ip_version, 17, 0, 4, "0") \
  N (guint8, capabilities, 17, 4, 4, "0") \
  R (18, 0, 8) \
  N (guint8, max_adverts, 19, 0, 8, "adverts in flight") \
  N (guint32, actual_size, 20, 0, 32, "receive size")

/* In a REJ: when the server expects to have room.  No standard: an idea of the 2006
 * discussion made concrete, for upper-layer protocols that know it. */
#define IB_BUSY_HINT_FIELDS(N, A, R) \
  N (guint32, magic, 0, 0, 32, "\"BUSY\"") \
  N (guint32, retry_after_us, 4, 0, 32, "try again after so many microseconds")

typedef struct { IB_LAYOUT_STRUCT (IB_BUSY_HINT_FIELDS) } IbBusyHint;
typedef struct { IB_LAYOUT_STRUCT (IB_CMA_HEADER_FIELDS) } IbCmaHeader;
typedef struct { IB_LAYOUT_STRUCT (IB_SDP_HELLO_FIELDS) } IbSdpHello;
typedef struct { IB_LAYOUT_STRUCT (IB_SDP_HELLO_ACK_FIELDS) } IbSdpHelloAck;

extern const IbLayout ib_cma_header_layout;    /* 36 bytes */
extern const IbLayout ib_sdp_hello_layout;     /* 92 bytes: all of a REQ's private data */
extern const IbLayout ib_sdp_hello_ack_layout; /* 24 bytes */
extern const IbLayout ib_busy_hint_layout;     /* 8 bytes */

/* Service ids say whose private data it is (Linux cma.c rdma_get_service_id). */
typedef enum {
  IB_SERVICE_OTHER,
  IB_SERVICE_SDP,     /* Hello */
  IB_SERVICE_RDMA_CM, /* RDMA CM header */
} IbServiceKind;

IbServiceKind ib_service_kind (guint64 service_id);

#define IB_SDP_MID_HELLO 0x00
#define IB_SDP_MID_HELLO_ACK 0x01
#define IB_SDP_VERSION 0x22
#define IB_BUSY_HINT_MAGIC 0x42555359

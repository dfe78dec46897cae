/* The headers around a MAD, and frames: finding the MAD in one, building one.
 *
 * Frames are what a capture file holds: Ethernet with RoCEv1 or RoCEv2, native
 * InfiniBand with or without an ERF record around it.  Nothing is allocated; a parsed
 * frame points into the bytes it was parsed from. */
#pragma once

#include "ib_codec.h"
#include "ib_crc.h"

/* Local routing header (IBTA 7.7). */
#define IB_LRH_FIELDS(N, A, R) \
  N (guint8, vl, 0, 0, 4, "virtual lane") \
  N (guint8, version, 0, 4, 4, "0") \
  N (guint8, sl, 1, 0, 4, "service level") \
  R (1, 4, 2) \
  N (guint8, next, 1, 6, 2, "what follows: 2 BTH, 3 GRH") \
  N (guint16, dlid, 2, 0, 16, "receiver's LID") \
  R (4, 0, 5) \
  N (guint16, words, 4, 5, 11, "length in 4-byte words, LRH to ICRC") \
  N (guint16, slid, 6, 0, 16, "sender's LID")

/* Global routing header (IBTA 8.3). */
#define IB_GRH_FIELDS(N, A, R) \
  N (guint8, version, 0, 0, 4, "6") \
  N (guint8, traffic_class, 0, 4, 8, "traffic class") \
  N (guint32, flow_label, 1, 4, 20, "flow label") \
  N (guint16, length, 4, 0, 16, "bytes behind this header, ICRC included") \
  N (guint8, next, 6, 0, 8, "0x1b: BTH follows") \
  N (guint8, hop_limit, 7, 0, 8, "hop limit") \
  A (sgid, 8, 16, "sender's GID") \
  A (dgid, 24, 16, "receiver's GID")

/* Base transport header (IBTA 9.2). */
#define IB_BTH_FIELDS(N, A, R) \
  N (guint8, opcode, 0, 0, 8, "0x64: send on an unreliable datagram queue pair") \
  N (guint8, solicited, 1, 0, 1, "solicited event") \
  N (guint8, migration, 1, 1, 1, "migration state") \
  N (guint8, pad, 1, 2, 2, "pad bytes behind the payload") \
  N (guint8, version, 1, 4, 4, "0") \
  N (guint16, pkey, 2, 0, 16, "partition key") \
  R (4, 0, 8) \
  N (guint32, qpn, 5, 0, 24, "receiver's queue pair: 1 for a MAD of the CM") \
  N (guint8, ack_request, 8, 0, 1, "acknowledgement wanted; Linux's rxe sets it") \
  R (8, 1, 7) \
  N (guint32, psn, 9, 0, 24, "packet sequence number")

/* Datagram extended transport header (IBTA 9.3.2). */
#define IB_DETH_FIELDS(N, A, R) \
  N (guint32, qkey, 0, 0, 32, "0x80010000 for queue pair 1") \
  R (4, 0, 8) \
  N (guint32, source_qpn, 5, 0, 24, "sender's queue pair")

typedef struct { IB_LAYOUT_STRUCT (IB_LRH_FIELDS) } IbLrh;
typedef struct { IB_LAYOUT_STRUCT (IB_GRH_FIELDS) } IbGrh;
typedef struct { IB_LAYOUT_STRUCT (IB_BTH_FIELDS) } IbBth;
typedef struct { IB_LAYOUT_STRUCT (IB_DETH_FIELDS) } IbDeth;

extern const IbLayout ib_lrh_layout, ib_grh_layout, ib_bth_layout, ib_deth_layout;

#define IB_OPCODE_UD_SEND 0x64
#define IB_QP1_QKEY 0x80010000u
#define IB_ROCE_UDP_PORT 4791

/* A port as frames name it: its GID, or, without a GRH, its LID in the last two bytes and
 * zeros. */
typedef struct {
  guint8 bytes[16];
} IbAddress;

void ib_address_from_lid (guint16 lid, IbAddress *ret_address);
gboolean ib_address_is_lid (const IbAddress *address);
/* "10.9.0.1", "fe80::2", "lid 7".  Returns buf. */
const char *ib_address_text (const IbAddress *address, char *buf, gsize size);
#define IB_ADDRESS_TEXT_BYTES 48

/* ----- out of a frame ----- */

typedef enum {
  IB_LINK_ETHERNET,
  IB_LINK_COOKED,  /* Linux "any" interface, 16-byte header */
  IB_LINK_COOKED2, /* the same, 20 bytes */
  IB_LINK_IP,      /* begins with the IP header */
  IB_LINK_ERF,     /* ERF record, of InfiniBand or Ethernet */
  IB_LINK_LRH,     /* begins with the LRH */
} IbLink;

typedef enum {
  IB_FRAME_MAD,       /* a MAD to QP1 */
  IB_FRAME_DATA,      /* InfiniBand, and something else */
  IB_FRAME_OTHER,     /* no InfiniBand */
  IB_FRAME_CUT,       /* the capture kept too little of it */
  IB_FRAME_FRAGMENT,  /* a piece of an IP packet */
  IB_FRAME_MALFORMED, /* its lengths or versions contradict each other */
  IB_FRAME_KINDS
} IbFrameKind;

typedef struct {
  IbAddress source, destination;
  const guint8 *mad;    /* IB_MAD_BYTES */
  const guint8 *packet; /* network header */
  IbNetwork network;
  guint32 psn;
} IbFrame;

/* bytes: what was captured of a frame of `length` bytes.  *ret_frame only with
 * IB_FRAME_MAD. */
IbFrameKind ib_frame_parse (IbLink link, const guint8 *bytes, gsize captured, gsize length,
                            IbFrame *ret_frame);
/* Whether the invariant CRC behind the MAD is right. */
gboolean ib_frame_icrc_is_good (const IbFrame *frame, const IbCrc *crc);

/* ----- into a frame ----- */

#define IB_FRAME_ROCE_BYTES 322   /* Ethernet, IPv4, UDP, BTH, DETH, MAD, ICRC */
#define IB_FRAME_NATIVE_BYTES 290 /* LRH, BTH, DETH, MAD, ICRC, VCRC */

/* As rxe sends it.  The MACs are made of the IPv4 addresses.  frame:
 * IB_FRAME_ROCE_BYTES. */
void ib_frame_build_roce (const IbCrc *crc, const IbCmRoute *route, guint32 psn,
                          const guint8 *mad, guint8 *frame);
/* frame: IB_FRAME_NATIVE_BYTES.  The VCRC is 0: it is a link's, and nothing checks it. */
void ib_frame_build_native (const IbCrc *crc, const IbCmRoute *route, guint32 psn,
                            const guint8 *mad, guint8 *frame);

/* CM messages to bytes and back. */
#pragma once

#include "ib_cm_wire.h"
#include "ib_types.h"

typedef enum {
  IB_DECODE_OK,
  IB_DECODE_BASE_VERSION,  /* not 1 */
  IB_DECODE_OTHER_CLASS,   /* a MAD of another management class */
  IB_DECODE_CLASS_VERSION, /* not 2: a CM ignores it */
  IB_DECODE_METHOD,        /* not Send */
  IB_DECODE_ATTRIBUTE,     /* none of the eleven messages */
} IbDecode;

/* mad: IB_MAD_BYTES.  The header is decoded whatever the answer, the rest only with
 * IB_DECODE_OK. */
IbDecode ib_cm_decode (const guint8 *mad, IbCmWire *ret_wire);
/* header.attribute says which message. */
void ib_cm_encode (const IbCmWire *wire, guint8 *mad);
const char *ib_decode_text (IbDecode answer);

/* A rule of the specification that a message breaks. */
typedef struct {
  const char *field; /* "path MTU", or "reserved" */
  guint32 value;     /* what is there; reserved: the offset in the MAD */
} IbComplaint;

/* Checks a decoded message; returns how many rules it breaks, at most `max`, which are
 * told. */
guint ib_cm_validate (const IbCmWire *wire, IbComplaint *complaints, guint max);

/* The members the state machine knows; `sends` becomes 0. */
void ib_cm_msg_from_wire (const IbCmWire *wire, IbCmMsg *ret_msg);

/* One end of a path, as messages name it. */
typedef struct {
  guint8 gid[16];
  guint8 ip[16]; /* RDMA CM and SDP headers; IPv4: in the last four bytes, the rest 0 */
  guint16 lid;   /* IB_LID_PERMISSIVE on RoCE */
} IbEnd;
#define IB_LID_PERMISSIVE 0xffff

/* What the wire needs beside the message. */
typedef struct {
  IbEnd source, destination;
  IbEnd redirect;       /* REJ 24, 25: the port that msg->redirect means */
  guint64 service_id;   /* of the connection: says what a REP's private data is */
  guint16 source_port;  /* RDMA CM port of the active side */
  guint32 flow_label;
  guint8 mtu, rate, hop_limit, sl, subnet_local;
} IbCmRoute;

/* The whole message as Linux would send it.  The private data: the RDMA CM or SDP header
 * that the service id asks for, then zeros. */
void ib_cm_wire_from_msg (const IbCmMsg *msg, const IbCmRoute *route, IbCmWire *ret_wire);
/* Gives a REQ the field that its receiver cannot go along with. */
void ib_cm_req_make_wrong (IbCmWrong wrong, IbCmWire *wire);

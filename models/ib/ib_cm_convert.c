/* Between the message as the state machine knows it and all that is on the wire. */
#include <string.h>

#include "ib_ari.h"
#include "ib_private_data.h"

/* ----- from the wire ----- */

static guint64
load_guid (const guint8 *bytes)
{
  guint64 guid = 0;

  for (guint i = 0; i < 8; i++)
    guid = guid << 8 | bytes[i];
  return guid;
}

static void
take_req (const IbCmReq *req, IbCmMsg *msg)
{
  msg->local_id = req->local_id;
  msg->service_id = req->service_id;
  msg->ca_guid = req->ca_guid;
  msg->qpn = req->qpn;
  msg->starting_psn = req->starting_psn;
  msg->responder_resources = req->responder_resources;
  msg->initiator_depth = req->initiator_depth;
  msg->remote_response_timeout = req->remote_response_timeout;
  msg->local_response_timeout = req->local_response_timeout;
  msg->max_cm_retries = req->max_cm_retries;
  msg->retry_count = req->retry_count;
  msg->rnr_retry_count = req->rnr_retry_count;
  msg->local_ack_timeout = req->primary_ack_timeout;
}

static void
take_rep (const IbCmRep *rep, IbCmMsg *msg)
{
  msg->local_id = rep->local_id;
  msg->remote_id = rep->remote_id;
  msg->ca_guid = rep->ca_guid;
  msg->qpn = rep->qpn;
  msg->starting_psn = rep->starting_psn;
  msg->responder_resources = rep->responder_resources;
  msg->initiator_depth = rep->initiator_depth;
  msg->target_ack_delay = rep->target_ack_delay;
  msg->rnr_retry_count = rep->rnr_retry_count;
}

static void
take_rej (const IbCmRej *rej, IbCmMsg *msg)
{
  IbBusyHint hint;

  msg->local_id = rej->local_id;
  msg->remote_id = rej->remote_id;
  msg->message = rej->message;
  msg->reason = rej->reason;
  if (rej->reason == IB_CM_REJ_TIMEOUT && rej->info_length >= sizeof (guint64))
    msg->ca_guid = load_guid (rej->info);
  ib_layout_decode (&ib_busy_hint_layout, rej->private_data, &hint);
  if (hint.magic == IB_BUSY_HINT_MAGIC)
    msg->retry_after_us = hint.retry_after_us;
}

static void
take_lap (const IbCmLap *lap, IbCmMsg *msg)
{
  msg->local_id = lap->local_id;
  msg->remote_id = lap->remote_id;
  msg->qpn = lap->qpn;
  msg->remote_response_timeout = lap->remote_response_timeout;
  msg->local_ack_timeout = lap->ack_timeout;
}

void
ib_cm_msg_from_wire (const IbCmWire *wire, IbCmMsg *ret_msg)
{
  IbCmMsg msg = { .attr = wire->header.attribute, .tid = wire->header.tid };

  switch ((IbCmAttr) wire->header.attribute) {
  case IB_CM_REQ:
    take_req (&wire->req, &msg);
    break;
  case IB_CM_REP:
    take_rep (&wire->rep, &msg);
    break;
  case IB_CM_REJ:
    take_rej (&wire->rej, &msg);
    break;
  case IB_CM_MRA:
    msg.local_id = wire->mra.local_id;
    msg.remote_id = wire->mra.remote_id;
    msg.message = wire->mra.message;
    msg.service_timeout = wire->mra.service_timeout;
    break;
  case IB_CM_RTU:
  case IB_CM_DREP: /* the same members in the same places */
    msg.local_id = wire->rtu.local_id;
    msg.remote_id = wire->rtu.remote_id;
    break;
  case IB_CM_DREQ:
    msg.local_id = wire->dreq.local_id;
    msg.remote_id = wire->dreq.remote_id;
    msg.qpn = wire->dreq.qpn;
    break;
  case IB_CM_SIDR_REQ:
    msg.local_id = wire->sidr_req.request_id;
    msg.service_id = wire->sidr_req.service_id;
    break;
  case IB_CM_SIDR_REP:
    msg.remote_id = wire->sidr_rep.request_id;
    msg.reason = wire->sidr_rep.status;
    msg.qpn = wire->sidr_rep.qpn;
    msg.service_id = wire->sidr_rep.service_id;
    break;
  case IB_CM_LAP:
    take_lap (&wire->lap, &msg);
    break;
  case IB_CM_APR:
    msg.local_id = wire->apr.local_id;
    msg.remote_id = wire->apr.remote_id;
    msg.reason = wire->apr.status;
    break;
  }
  *ret_msg = msg;
}

/* ----- to the wire ----- */

static guint8
ip_version (const IbEnd *end)
{
  static const guint8 zeros[12];

  return memcmp (end->ip, zeros, sizeof zeros) == 0 ? 4 : 6;
}

/* cma.c cma_format_hdr. */
static void
put_cma_header (const IbCmRoute *route, guint8 *private_data)
{
  IbCmaHeader header = { .ip_version = ip_version (&route->source),
                         .source_port = route->source_port };

  memcpy (header.source_ip, route->source.ip, sizeof header.source_ip);
  memcpy (header.destination_ip, route->destination.ip, sizeof header.destination_ip);
  ib_layout_encode (&ib_cma_header_layout, &header, private_data);
}

/* What OFED's SDP offers: 64 receive buffers of eight 4 KiB pages and its header. */
enum { SDP_BUFS = 64, SDP_BUFFER = 8 * 4096 + 16 };

static void
put_sdp_hello (const IbCmRoute *route, guint8 *private_data)
{
  IbSdpHello hello = { .mid = IB_SDP_MID_HELLO,
                       .bufs = SDP_BUFS,
                       .len = ib_sdp_hello_layout.bytes,
                       .version = IB_SDP_VERSION,
                       .ip_version = ip_version (&route->source),
                       .max_adverts = 1,
                       .desired_remote_size = SDP_BUFFER,
                       .local_size = SDP_BUFFER,
                       .source_port = route->source_port };

  memcpy (hello.source_ip, route->source.ip, sizeof hello.source_ip);
  memcpy (hello.destination_ip, route->destination.ip, sizeof hello.destination_ip);
  ib_layout_encode (&ib_sdp_hello_layout, &hello, private_data);
}

static void
put_sdp_hello_ack (guint8 *private_data)
{
  IbSdpHelloAck ack = { .mid = IB_SDP_MID_HELLO_ACK,
                        .bufs = SDP_BUFS,
                        .len = ib_sdp_hello_ack_layout.bytes,
                        .version = IB_SDP_VERSION,
                        .actual_size = SDP_BUFFER };

  ib_layout_encode (&ib_sdp_hello_ack_layout, &ack, private_data);
}

static void
put_header (const IbCmMsg *msg, const IbCmRoute *route, guint8 *private_data)
{
  switch (ib_service_kind (msg->attr == IB_CM_REP ? route->service_id : msg->service_id)) {
  case IB_SERVICE_SDP:
    if (msg->attr == IB_CM_REQ)
      put_sdp_hello (route, private_data);
    else if (msg->attr == IB_CM_REP)
      put_sdp_hello_ack (private_data);
    break;
  case IB_SERVICE_RDMA_CM:
    if (msg->attr != IB_CM_REP)
      put_cma_header (route, private_data);
    break;
  case IB_SERVICE_OTHER:
    break;
  }
}

#define PKEY_DEFAULT 0xffff
#define QKEY_RDMA_CM 0x01234567 /* RDMA_UDP_QKEY of rdma_cm.h */

static void
put_req (const IbCmMsg *msg, const IbCmRoute *route, IbCmReq *req)
{
  *req = (IbCmReq){ .local_id = msg->local_id,
                    .service_id = msg->service_id,
                    .ca_guid = msg->ca_guid,
                    .qpn = msg->qpn,
                    .responder_resources = msg->responder_resources,
                    .initiator_depth = msg->initiator_depth,
                    .remote_response_timeout = msg->remote_response_timeout,
                    .starting_psn = msg->starting_psn,
                    .local_response_timeout = msg->local_response_timeout,
                    .retry_count = msg->retry_count,
                    .pkey = PKEY_DEFAULT,
                    .mtu = route->mtu,
                    .rnr_retry_count = msg->rnr_retry_count,
                    .max_cm_retries = msg->max_cm_retries,
                    .primary_local_lid = route->source.lid,
                    .primary_remote_lid = route->destination.lid,
                    .primary_flow_label = route->flow_label,
                    .primary_rate = route->rate,
                    .primary_hop_limit = route->hop_limit,
                    .primary_sl = route->sl,
                    .primary_subnet_local = route->subnet_local,
                    .primary_ack_timeout = msg->local_ack_timeout };
  memcpy (req->primary_local_gid, route->source.gid, sizeof req->primary_local_gid);
  memcpy (req->primary_remote_gid, route->destination.gid, sizeof req->primary_remote_gid);
  put_header (msg, route, req->private_data);
}

static void
put_rep (const IbCmMsg *msg, const IbCmRoute *route, IbCmRep *rep)
{
  *rep = (IbCmRep){ .local_id = msg->local_id,
                    .remote_id = msg->remote_id,
                    .qpn = msg->qpn,
                    .starting_psn = msg->starting_psn,
                    .responder_resources = msg->responder_resources,
                    .initiator_depth = msg->initiator_depth,
                    .target_ack_delay = msg->target_ack_delay,
                    .rnr_retry_count = msg->rnr_retry_count,
                    .ca_guid = msg->ca_guid };
  put_header (msg, route, rep->private_data);
}

static void
put_rej (const IbCmMsg *msg, const IbCmRoute *route, IbCmRej *rej)
{
  *rej = (IbCmRej){ .local_id = msg->local_id,
                    .remote_id = msg->remote_id,
                    .message = msg->message,
                    .reason = msg->reason };
  ib_ari_put (msg, route, rej);
  if (msg->retry_after_us > 0) {
    IbBusyHint hint = { .magic = IB_BUSY_HINT_MAGIC, .retry_after_us = msg->retry_after_us };

    ib_layout_encode (&ib_busy_hint_layout, &hint, rej->private_data);
  }
}

static void
put_lap (const IbCmMsg *msg, const IbCmRoute *route, IbCmLap *lap)
{
  *lap = (IbCmLap){ .local_id = msg->local_id,
                    .remote_id = msg->remote_id,
                    .qpn = msg->qpn,
                    .remote_response_timeout = msg->remote_response_timeout,
                    .local_lid = route->source.lid,
                    .remote_lid = route->destination.lid,
                    .flow_label = route->flow_label,
                    .hop_limit = route->hop_limit,
                    .rate = route->rate,
                    .sl = route->sl,
                    .subnet_local = route->subnet_local,
                    .ack_timeout = msg->local_ack_timeout };
  memcpy (lap->local_gid, route->source.gid, sizeof lap->local_gid);
  memcpy (lap->remote_gid, route->destination.gid, sizeof lap->remote_gid);
}

static void
put_sidr (const IbCmMsg *msg, const IbCmRoute *route, IbCmWire *wire)
{
  if (msg->attr == IB_CM_SIDR_REQ) {
    wire->sidr_req = (IbCmSidrReq){ .request_id = msg->local_id,
                                    .pkey = PKEY_DEFAULT,
                                    .service_id = msg->service_id };
    put_header (msg, route, wire->sidr_req.private_data);
  } else {
    wire->sidr_rep = (IbCmSidrRep){ .request_id = msg->remote_id,
                                    .status = (guint8) msg->reason,
                                    .qpn = msg->qpn,
                                    .service_id = msg->service_id,
                                    .qkey = msg->reason == 0 ? QKEY_RDMA_CM : 0 };
  }
}

void
ib_cm_wire_from_msg (const IbCmMsg *msg, const IbCmRoute *route, IbCmWire *ret_wire)
{
  memset (ret_wire, 0, sizeof *ret_wire);
  ret_wire->header = (IbMadHeader){ .base_version = 1,
                                    .mgmt_class = IB_MGMT_CLASS_CM,
                                    .class_version = IB_CM_CLASS_VERSION,
                                    .method = 0x03,
                                    .tid = msg->tid,
                                    .attribute = msg->attr };
  switch ((IbCmAttr) msg->attr) {
  case IB_CM_REQ:
    put_req (msg, route, &ret_wire->req);
    ib_cm_req_make_wrong (msg->wrong, ret_wire);
    break;
  case IB_CM_REP:
    put_rep (msg, route, &ret_wire->rep);
    break;
  case IB_CM_REJ:
    put_rej (msg, route, &ret_wire->rej);
    break;
  case IB_CM_MRA:
    ret_wire->mra = (IbCmMra){ .local_id = msg->local_id,
                               .remote_id = msg->remote_id,
                               .message = msg->message,
                               .service_timeout = msg->service_timeout };
    break;
  case IB_CM_RTU:
  case IB_CM_DREP:
    ret_wire->rtu = (IbCmRtu){ .local_id = msg->local_id, .remote_id = msg->remote_id };
    break;
  case IB_CM_DREQ:
    ret_wire->dreq = (IbCmDreq){ .local_id = msg->local_id,
                                 .remote_id = msg->remote_id,
                                 .qpn = msg->qpn };
    break;
  case IB_CM_SIDR_REQ:
  case IB_CM_SIDR_REP:
    put_sidr (msg, route, ret_wire);
    break;
  case IB_CM_LAP:
    put_lap (msg, route, &ret_wire->lap);
    break;
  case IB_CM_APR:
    ret_wire->apr = (IbCmApr){ .local_id = msg->local_id,
                               .remote_id = msg->remote_id,
                               .status = (guint8) msg->reason };
    break;
  }
}

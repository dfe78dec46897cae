/* The CM messages with every field they have on the wire, and their layouts.
 *
 * Byte offsets count from the end of the MAD header.  Source: IBTA vol. 1, chapter 12,
 * as in Linux include/rdma/ibta_vol1_c12.h. */
#pragma once

#include "ib_layout.h"

/* The 24 bytes in front of every MAD (IBTA 13.4.3). */
#define IB_MAD_HEADER_FIELDS(N, A, R) \
  N (guint8, base_version, 0, 0, 8, "1") \
  N (guint8, mgmt_class, 1, 0, 8, "0x07 communication management") \
  N (guint8, class_version, 2, 0, 8, "2") \
  N (guint8, method, 3, 0, 8, "0x03 Send, requests and answers alike") \
  N (guint16, status, 4, 0, 16, "0") \
  N (guint16, class_specific, 6, 0, 16, "0") \
  N (guint64, tid, 8, 0, 64, "transaction id") \
  N (guint16, attribute, 16, 0, 16, "attribute id: which message") \
  R (18, 0, 16) \
  N (guint32, modifier, 20, 0, 32, "attribute modifier: 0, or vendor options")

/* The two paths of a REQ have one shape. */
#define IB_REQ_PATH(N, A, R, path, base) \
  N (guint16, path##_local_lid, base, 0, 16, "sender's LID; 0xffff on RoCE") \
  N (guint16, path##_remote_lid, base + 2, 0, 16, "receiver's LID; 0xffff on RoCE") \
  A (path##_local_gid, base + 4, 16, "sender's GID; RoCE: ::ffff:a.b.c.d") \
  A (path##_remote_gid, base + 20, 16, "receiver's GID") \
  N (guint32, path##_flow_label, base + 36, 0, 20, "GRH flow label") \
  R (base + 38, 4, 6) \
  N (guint8, path##_rate, base + 39, 2, 6, "packet rate, a code") \
  N (guint8, path##_traffic_class, base + 40, 0, 8, "GRH traffic class") \
  N (guint8, path##_hop_limit, base + 41, 0, 8, "GRH hop limit") \
  N (guint8, path##_sl, base + 42, 0, 4, "service level") \
  N (guint8, path##_subnet_local, base + 42, 4, 1, "1: no router on the path") \
  R (base + 42, 5, 3) \
  N (guint8, path##_ack_timeout, base + 43, 0, 5, "local ACK timeout, a time code") \
  R (base + 43, 5, 3)

#define IB_CM_REQ_FIELDS(N, A, R) \
  N (guint32, local_id, 0, 0, 32, "sender's communication id") \
  R (4, 0, 8) \
  N (guint32, vendor_id, 5, 0, 24, "vendor of the options in the attribute modifier") \
  N (guint64, service_id, 8, 0, 64, "whom the request is for") \
  N (guint64, ca_guid, 16, 0, 64, "sender's channel adapter") \
  R (24, 0, 32) \
  N (guint32, qkey, 28, 0, 32, "Q_Key, datagram types only") \
  N (guint32, qpn, 32, 0, 24, "sender's queue pair") \
  N (guint8, responder_resources, 35, 0, 8, "RDMA reads the sender serves at once") \
  N (guint32, local_eecn, 36, 0, 24, "reliable datagram: sender's end-to-end context") \
  N (guint8, initiator_depth, 39, 0, 8, "RDMA reads the sender issues at once") \
  N (guint32, remote_eecn, 40, 0, 24, "reliable datagram: receiver's end-to-end context") \
  N (guint8, remote_response_timeout, 43, 0, 5, "time code of the REQ's timer") \
  N (guint8, transport, 43, 5, 2, "0 RC, 1 UC, 2 RD, 3 other") \
  N (guint8, flow_control, 43, 7, 1, "end-to-end flow control") \
  N (guint32, starting_psn, 44, 0, 24, "first packet sequence number") \
  N (guint8, local_response_timeout, 47, 0, 5, "time code of the REP's timer") \
  N (guint8, retry_count, 47, 5, 3, "retries of the queue pair") \
  N (guint16, pkey, 48, 0, 16, "partition key") \
  N (guint8, mtu, 50, 0, 4, "path MTU, a code: 1 is 256 bytes, 5 is 4096") \
  N (guint8, rdc_exists, 50, 4, 1, "reliable datagram channel exists") \
  N (guint8, rnr_retry_count, 50, 5, 3, "retries when the receiver is not ready; 7: for ever") \
  N (guint8, max_cm_retries, 51, 0, 4, "retries of CM messages") \
  N (guint8, srq, 51, 4, 1, "the queue pair has a shared receive queue") \
  N (guint8, extended_transport, 51, 5, 3, "1 with transport 3: XRC") \
  IB_REQ_PATH (N, A, R, primary, 52) \
  IB_REQ_PATH (N, A, R, alternate, 96) \
  A (private_data, 140, 92, "consumer's, RDMA CM: its header first")

#define IB_CM_MRA_FIELDS(N, A, R) \
  N (guint32, local_id, 0, 0, 32, "sender's communication id") \
  N (guint32, remote_id, 4, 0, 32, "receiver's communication id") \
  N (guint8, message, 8, 0, 2, "acknowledged: 0 REQ, 1 REP, 2 LAP") \
  R (8, 2, 6) \
  N (guint8, service_timeout, 9, 0, 5, "time code: so long until the answer") \
  R (9, 5, 3) \
  A (private_data, 10, 222, "consumer's")

#define IB_CM_REJ_FIELDS(N, A, R) \
  N (guint32, local_id, 0, 0, 32, "sender's communication id; 0 if it has none") \
  N (guint32, remote_id, 4, 0, 32, "receiver's communication id") \
  N (guint8, message, 8, 0, 2, "rejected: 0 REQ, 1 REP, 2 other") \
  R (8, 2, 6) \
  N (guint8, info_length, 9, 0, 7, "bytes of additional information") \
  R (9, 7, 1) \
  N (guint16, reason, 10, 0, 16, "why") \
  A (info, 12, 72, "additional information; reason 4: the sender's CA GUID") \
  A (private_data, 84, 148, "consumer's")

#define IB_CM_REP_FIELDS(N, A, R) \
  N (guint32, local_id, 0, 0, 32, "sender's communication id") \
  N (guint32, remote_id, 4, 0, 32, "receiver's communication id") \
  N (guint32, qkey, 8, 0, 32, "Q_Key, datagram types only") \
  N (guint32, qpn, 12, 0, 24, "sender's queue pair") \
  N (guint8, vendor_id_high, 15, 0, 8, "vendor id, bits 23 to 16") \
  N (guint32, local_eecn, 16, 0, 24, "reliable datagram: sender's end-to-end context") \
  N (guint8, vendor_id_mid, 19, 0, 8, "vendor id, bits 15 to 8") \
  N (guint32, starting_psn, 20, 0, 24, "first packet sequence number") \
  N (guint8, vendor_id_low, 23, 0, 8, "vendor id, bits 7 to 0") \
  N (guint8, responder_resources, 24, 0, 8, "RDMA reads the sender serves at once") \
  N (guint8, initiator_depth, 25, 0, 8, "RDMA reads the sender issues at once") \
  N (guint8, target_ack_delay, 26, 0, 5, "sender's ACK delay, a time code") \
  N (guint8, failover_accepted, 26, 5, 2, "alternate path: 0 taken, 1 not supported, 2 rejected") \
  N (guint8, flow_control, 26, 7, 1, "end-to-end flow control") \
  N (guint8, rnr_retry_count, 27, 0, 3, "retries when the receiver is not ready; 7: for ever") \
  N (guint8, srq, 27, 3, 1, "the queue pair has a shared receive queue") \
  R (27, 4, 4) \
  N (guint64, ca_guid, 28, 0, 64, "sender's channel adapter") \
  A (private_data, 36, 196, "consumer's")

#define IB_CM_RTU_FIELDS(N, A, R) \
  N (guint32, local_id, 0, 0, 32, "sender's communication id") \
  N (guint32, remote_id, 4, 0, 32, "receiver's communication id") \
  A (private_data, 8, 224, "consumer's")

#define IB_CM_DREQ_FIELDS(N, A, R) \
  N (guint32, local_id, 0, 0, 32, "sender's communication id") \
  N (guint32, remote_id, 4, 0, 32, "receiver's communication id") \
  N (guint32, qpn, 8, 0, 24, "receiver's queue pair") \
  R (11, 0, 8) \
  A (private_data, 12, 220, "consumer's")

#define IB_CM_DREP_FIELDS(N, A, R) \
  N (guint32, local_id, 0, 0, 32, "sender's communication id") \
  N (guint32, remote_id, 4, 0, 32, "receiver's communication id") \
  A (private_data, 8, 224, "consumer's")

#define IB_CM_SIDR_REQ_FIELDS(N, A, R) \
  N (guint32, request_id, 0, 0, 32, "sender's number of the request") \
  N (guint16, pkey, 4, 0, 16, "partition key") \
  R (6, 0, 16) \
  N (guint64, service_id, 8, 0, 64, "whose queue pair is asked for") \
  A (private_data, 16, 216, "consumer's, RDMA CM: its header first")

#define IB_CM_SIDR_REP_FIELDS(N, A, R) \
  N (guint32, request_id, 0, 0, 32, "the request's number") \
  N (guint8, status, 4, 0, 8, "0: here it is; else why not") \
  N (guint8, info_length, 5, 0, 8, "bytes of additional information") \
  N (guint16, vendor_id_high, 6, 0, 16, "vendor id, bits 23 to 8") \
  N (guint32, qpn, 8, 0, 24, "the service's queue pair") \
  N (guint8, vendor_id_low, 11, 0, 8, "vendor id, bits 7 to 0") \
  N (guint64, service_id, 12, 0, 64, "as asked") \
  N (guint32, qkey, 20, 0, 32, "Q_Key of the queue pair") \
  A (info, 24, 72, "additional information") \
  A (private_data, 96, 136, "consumer's")

#define IB_CM_LAP_FIELDS(N, A, R) \
  N (guint32, local_id, 0, 0, 32, "sender's communication id") \
  N (guint32, remote_id, 4, 0, 32, "receiver's communication id") \
  R (8, 0, 32) \
  N (guint32, qpn, 12, 0, 24, "receiver's queue pair or end-to-end context") \
  N (guint8, remote_response_timeout, 15, 0, 5, "time code of the LAP's timer") \
  R (15, 5, 3) \
  R (16, 0, 32) \
  N (guint16, local_lid, 20, 0, 16, "sender's LID of the new path") \
  N (guint16, remote_lid, 22, 0, 16, "receiver's LID of the new path") \
  A (local_gid, 24, 16, "sender's GID of the new path") \
  A (remote_gid, 40, 16, "receiver's GID of the new path") \
  N (guint32, flow_label, 56, 0, 20, "GRH flow label") \
  R (58, 4, 4) \
  N (guint8, traffic_class, 59, 0, 8, "GRH traffic class") \
  N (guint8, hop_limit, 60, 0, 8, "GRH hop limit") \
  R (61, 0, 2) \
  N (guint8, rate, 61, 2, 6, "packet rate, a code") \
  N (guint8, sl, 62, 0, 4, "service level") \
  N (guint8, subnet_local, 62, 4, 1, "1: no router on the path") \
  R (62, 5, 3) \
  N (guint8, ack_timeout, 63, 0, 5, "local ACK timeout, a time code") \
  R (63, 5, 3) \
  A (private_data, 64, 168, "consumer's")

#define IB_CM_APR_FIELDS(N, A, R) \
  N (guint32, local_id, 0, 0, 32, "sender's communication id") \
  N (guint32, remote_id, 4, 0, 32, "receiver's communication id") \
  N (guint8, info_length, 8, 0, 8, "bytes of additional information") \
  N (guint8, status, 9, 0, 8, "0: path loaded; else why not") \
  R (10, 0, 16) \
  A (info, 12, 72, "additional information") \
  A (private_data, 84, 148, "consumer's")

typedef struct { IB_LAYOUT_STRUCT (IB_MAD_HEADER_FIELDS) } IbMadHeader;
typedef struct { IB_LAYOUT_STRUCT (IB_CM_REQ_FIELDS) } IbCmReq;
typedef struct { IB_LAYOUT_STRUCT (IB_CM_MRA_FIELDS) } IbCmMra;
typedef struct { IB_LAYOUT_STRUCT (IB_CM_REJ_FIELDS) } IbCmRej;
typedef struct { IB_LAYOUT_STRUCT (IB_CM_REP_FIELDS) } IbCmRep;
typedef struct { IB_LAYOUT_STRUCT (IB_CM_RTU_FIELDS) } IbCmRtu;
typedef struct { IB_LAYOUT_STRUCT (IB_CM_DREQ_FIELDS) } IbCmDreq;
typedef struct { IB_LAYOUT_STRUCT (IB_CM_DREP_FIELDS) } IbCmDrep;
typedef struct { IB_LAYOUT_STRUCT (IB_CM_SIDR_REQ_FIELDS) } IbCmSidrReq;
typedef struct { IB_LAYOUT_STRUCT (IB_CM_SIDR_REP_FIELDS) } IbCmSidrRep;
typedef struct { IB_LAYOUT_STRUCT (IB_CM_LAP_FIELDS) } IbCmLap;
typedef struct { IB_LAYOUT_STRUCT (IB_CM_APR_FIELDS) } IbCmApr;

#define IB_MAD_HEADER_BYTES 24
#define IB_CM_BODY_BYTES 232

typedef struct {
  guint reserved_at;  /* decoded: first byte in the MAD of reserved bits that are not 0; else 0 */
  IbMadHeader header; /* attribute says which of the union */
  union {
    IbCmReq req;
    IbCmMra mra;
    IbCmRej rej;
    IbCmRep rep;
    IbCmRtu rtu;
    IbCmDreq dreq;
    IbCmDrep drep;
    IbCmSidrReq sidr_req;
    IbCmSidrRep sidr_rep;
    IbCmLap lap;
    IbCmApr apr;
  };
} IbCmWire;

extern const IbLayout ib_mad_header_layout;
/* Of the body of the message with this attribute id; NULL if there is none. */
const IbLayout *ib_cm_layout (guint attr);

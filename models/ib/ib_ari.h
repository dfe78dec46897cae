/* The additional information of a REJ (IBTA 12.6.7.2, "ARI"): what the sender would have
 * accepted, or where to go instead. */
#pragma once

#include "ib_codec.h"

/* Management datagram ClassPortInfo (IBTA 13.4.8.1; Linux struct ib_class_port_info), the
 * ARI of a REJ 24: the port and the queue pair that requests are to be sent to. */
#define IB_CLASS_PORT_INFO_FIELDS(N, A, R) \
  N (guint8, base_version, 0, 0, 8, "1") \
  N (guint8, class_version, 1, 0, 8, "2") \
  N (guint16, capability_mask, 2, 0, 16, "0") \
  N (guint32, capability_mask2, 4, 0, 27, "0") \
  N (guint8, response_time, 7, 3, 5, "time code: longest time to an answer") \
  A (redirect_gid, 8, 16, "port to go to") \
  N (guint8, redirect_traffic_class, 24, 0, 8, "GRH traffic class") \
  N (guint8, redirect_sl, 25, 0, 4, "service level") \
  N (guint32, redirect_flow_label, 25, 4, 20, "GRH flow label") \
  N (guint16, redirect_lid, 28, 0, 16, "its LID; 0xffff on RoCE") \
  N (guint16, redirect_pkey, 30, 0, 16, "partition key") \
  R (32, 0, 8) \
  N (guint32, redirect_qpn, 33, 0, 24, "queue pair that takes CM messages: 1") \
  N (guint32, redirect_qkey, 36, 0, 32, "its Q_Key") \
  A (trap_gid, 40, 16, "0: no traps") \
  N (guint8, trap_traffic_class, 56, 0, 8, "0") \
  N (guint8, trap_sl, 57, 0, 4, "0") \
  N (guint32, trap_flow_label, 57, 4, 20, "0") \
  N (guint16, trap_lid, 60, 0, 16, "0") \
  N (guint16, trap_pkey, 62, 0, 16, "0") \
  N (guint8, trap_hop_limit, 64, 0, 8, "0") \
  N (guint32, trap_qpn, 65, 0, 24, "0") \
  N (guint32, trap_qkey, 68, 0, 32, "0")

typedef struct { IB_LAYOUT_STRUCT (IB_CLASS_PORT_INFO_FIELDS) } IbClassPortInfo;

extern const IbLayout ib_class_port_info_layout; /* 72 bytes */

/* What the information says, in short. */
typedef struct {
  guint8 kind;    /* IbCmAri; NONE also if there is less of it than the reason asks for */
  guint8 gid[16]; /* GID: that; CLASS_PORT_INFO: of the port to go to */
  guint64 number; /* CA_GUID, LID, VALUE, FLOW_LABEL, CLASS_VERSION */
} IbAri;

/* Fills info and info_length of a REJ as the end `route->source` sends it: its own GID and
 * LID, the values of the path between the two ends, or the port `route->redirect`, without
 * which a REJ 24 or 25 says nothing. */
void ib_ari_put (const IbCmMsg *msg, const IbCmRoute *route, IbCmRej *rej);
void ib_ari_take (const IbCmRej *rej, IbAri *ret_ari);
/* "GID 10.0.0.2", "LID 3", "value 4", "go to 10.0.0.2"; "" for none.  Returns buf. */
const char *ib_ari_text (const IbAri *ari, char *buf, gsize size);
#define IB_ARI_TEXT_BYTES 80

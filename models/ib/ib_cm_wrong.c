/* REQs that their receiver cannot go along with: one field each has a value that no port
 * of the fabric accepts. */
#include <string.h>

#include "ib_codec.h"
#include "ib_private_data.h"

enum {
  STRANGE_LID = 0xbfff, /* the last unicast LID */
  STRANGE_RATE = 1,     /* no rate has this code (IBTA 12.6.5) */
  STRANGE_MTU = 6,      /* nor has a MTU this one */
  STRANGE_HOP_LIMIT = 0xff,
  STRANGE_TRAFFIC_CLASS = 0xff,
  STRANGE_SL = 15,
  STRANGE_FLOW_LABEL = 0xfffff,
};

/* A GID of no host here: that of the receiver in another subnet, or another IPv4 network. */
static void
make_strange (guint8 *gid)
{
  gboolean ipv4 = gid[10] == 0xff && gid[11] == 0xff;

  gid[ipv4 ? 12 : 7] ^= 0x80;
}

/* The alternate path goes beside the primary one. */
static void
fill_alternate (IbCmReq *req)
{
  req->alternate_local_lid = req->primary_local_lid;
  req->alternate_remote_lid = req->primary_remote_lid;
  memcpy (req->alternate_local_gid, req->primary_local_gid, sizeof req->alternate_local_gid);
  memcpy (req->alternate_remote_gid, req->primary_remote_gid, sizeof req->alternate_remote_gid);
  req->alternate_flow_label = req->primary_flow_label;
  req->alternate_rate = req->primary_rate;
  req->alternate_traffic_class = req->primary_traffic_class;
  req->alternate_hop_limit = req->primary_hop_limit;
  req->alternate_sl = req->primary_sl;
  req->alternate_subnet_local = req->primary_subnet_local;
  req->alternate_ack_timeout = req->primary_ack_timeout;
}

/* RDMA CM services only: others have no such header. */
static void
raise_ip_cm_version (IbCmReq *req)
{
  IbCmaHeader header;

  if (ib_service_kind (req->service_id) != IB_SERVICE_RDMA_CM)
    return;
  ib_layout_decode (&ib_cma_header_layout, req->private_data, &header);
  header.major = 1;
  ib_layout_encode (&ib_cma_header_layout, &header, req->private_data);
}

void
ib_cm_req_make_wrong (IbCmWrong wrong, IbCmWire *wire)
{
  IbCmReq *req = &wire->req;

  if (wrong >= IB_CM_WRONG_ALTERNATE_GID)
    fill_alternate (req);
  switch (wrong) {
  case IB_CM_WRONG_NOTHING:
    break;
  case IB_CM_WRONG_CLASS_VERSION:
    wire->header.class_version = IB_CM_CLASS_VERSION - 1;
    break;
  case IB_CM_WRONG_IP_CM_VERSION:
    raise_ip_cm_version (req);
    break;
  case IB_CM_WRONG_MTU:
    req->mtu = STRANGE_MTU;
    break;
#define PATH(NAME, path) \
  case IB_CM_WRONG_##NAME##_GID: \
    make_strange (req->path##_remote_gid); \
    break; \
  case IB_CM_WRONG_##NAME##_LID: \
    req->path##_remote_lid = STRANGE_LID; \
    break; \
  case IB_CM_WRONG_##NAME##_SL: \
    req->path##_sl = STRANGE_SL; \
    break; \
  case IB_CM_WRONG_##NAME##_TRAFFIC_CLASS: \
    req->path##_traffic_class = STRANGE_TRAFFIC_CLASS; \
    break; \
  case IB_CM_WRONG_##NAME##_HOP_LIMIT: \
    req->path##_hop_limit = STRANGE_HOP_LIMIT; \
    break; \
  case IB_CM_WRONG_##NAME##_RATE: \
    req->path##_rate = STRANGE_RATE; \
    break; \
  case IB_CM_WRONG_##NAME##_FLOW_LABEL: \
    req->path##_flow_label = STRANGE_FLOW_LABEL; \
    break
    PATH (PRIMARY, primary);
    PATH (ALTERNATE, alternate);
#undef PATH
  case IB_CM_WRONG_COUNT:
    g_assert_not_reached ();
  }
}

/* Path queries, joins and leaves as bytes. */
#include "ib_sa_wire.h"

#include <string.h>

#define IB_STRUCT IbSaPath
static const IbField path_rows[] = { IB_SA_PATH_FIELDS (IB_ROW_N, IB_ROW_A, IB_ROW_R) };
#undef IB_STRUCT

const IbLayout ib_sa_path_layout = {
  .name = "PathRecord",
  .title = "subnet administration: path query and its answer",
  .source = "IBTA vol. 1, 15.2.1 and 15.2.5.16",
  .bytes = IB_MAD_BYTES - IB_MAD_HEADER_BYTES,
  .fields = path_rows,
  .n_fields = G_N_ELEMENTS (path_rows),
};

#define IB_STRUCT IbSaMember
static const IbField member_rows[] = { IB_SA_MEMBER_FIELDS (IB_ROW_N, IB_ROW_A, IB_ROW_R) };
#undef IB_STRUCT

const IbLayout ib_sa_member_layout = {
  .name = "MCMemberRecord",
  .title = "subnet administration: a multicast group joined or left, and the answer",
  .source = "IBTA vol. 1, 15.2.1 and 15.2.5.17",
  .bytes = IB_MAD_BYTES - IB_MAD_HEADER_BYTES,
  .fields = member_rows,
  .n_fields = G_N_ELEMENTS (member_rows),
};

#define METHOD_SET 0x02
#define METHOD_DELETE 0x15
#define METHOD_GET 0x01
#define METHOD_GET_RESP 0x81 /* also of a Set */
#define METHOD_DELETE_RESP 0x95
#define ATTRIBUTE_PATH 0x0035
#define ATTRIBUTE_MEMBER 0x0038
#define PKEY_DEFAULT 0xffff
#define SELECTOR_EXACTLY 2

static guint8
method_of (const IbSaMsg *msg)
{
  switch ((IbSaMethod) msg->method) {
  case IB_SA_GET_PATH:
    return METHOD_GET;
  case IB_SA_GET_PATH_RESP:
  case IB_SA_JOIN_RESP:
    return METHOD_GET_RESP;
  case IB_SA_JOIN:
    return METHOD_SET;
  case IB_SA_LEAVE:
    return METHOD_DELETE;
  case IB_SA_LEAVE_RESP:
    return METHOD_DELETE_RESP;
  }
  g_assert_not_reached ();
}

/* ----- path records ----- */

/* Bits of the component mask, in order of the record's members. */
enum {
  PATH_DGID = 1 << 2,
  PATH_SGID = 1 << 3,
  PATH_REVERSIBLE = 1 << 11,
  PATH_PATHS = 1 << 12,
  PATH_PKEY = 1 << 13,
};

static void
encode_path (const IbSaMsg *msg, const IbEnd *source, const IbEnd *destination, guint8 *body)
{
  IbSaPath path = { .component_mask = PATH_DGID | PATH_SGID | PATH_REVERSIBLE | PATH_PATHS |
                                      PATH_PKEY,
                    .reversible = 1,
                    .paths = 1,
                    .pkey = PKEY_DEFAULT };

  memcpy (path.sgid, source->gid, sizeof path.sgid);
  memcpy (path.dgid, destination->gid, sizeof path.dgid);
  if (msg->method == IB_SA_GET_PATH_RESP) {
    path.dlid = destination->lid;
    path.slid = source->lid;
    path.sl = msg->sl;
    path.mtu_selector = path.rate_selector = path.lifetime_selector = SELECTOR_EXACTLY;
    path.mtu = msg->mtu;
    path.rate = msg->rate;
    path.packet_lifetime = msg->packet_lifetime;
  }
  ib_layout_encode (&ib_sa_path_layout, &path, body);
}

/* ----- multicast members ----- */

enum {
  MEMBER_MGID = 1 << 0,
  MEMBER_PORT_GID = 1 << 1,
  MEMBER_QKEY = 1 << 2,
  MEMBER_MTU = 3 << 4, /* and its selector */
  MEMBER_TRAFFIC_CLASS = 1 << 6,
  MEMBER_PKEY = 1 << 7,
  MEMBER_RATE = 3 << 8, /* and its selector */
  MEMBER_SL = 1 << 12,
  MEMBER_FLOW_LABEL = 1 << 13,
  MEMBER_HOP_LIMIT = 1 << 14,
  MEMBER_JOIN_STATE = 1 << 16,
};

/* What Linux asks with: cma.c cma_join_ib_multicast, multicast.c send_leave. */
static guint64
member_mask (const IbSaMsg *msg)
{
  guint64 mask = MEMBER_MGID | MEMBER_PORT_GID | MEMBER_JOIN_STATE;

  if (msg->method == IB_SA_JOIN || msg->method == IB_SA_JOIN_RESP)
    mask |= MEMBER_PKEY;
  if (msg->group.given & IB_SA_GIVEN_PATH)
    mask |= MEMBER_QKEY | MEMBER_SL | MEMBER_FLOW_LABEL | MEMBER_TRAFFIC_CLASS;
  if (msg->group.given & IB_SA_GIVEN_RATE)
    mask |= MEMBER_RATE | MEMBER_MTU | MEMBER_HOP_LIMIT;
  return mask;
}

static void
encode_member (const IbSaMsg *msg, const IbEnd *source, guint8 *body)
{
  const IbSaGroup *group = &msg->group;
  guint64 mask = member_mask (msg);
  IbSaMember member = { .component_mask = mask,
                        .qkey = group->qkey,
                        .mlid = group->mlid,
                        .sl = msg->sl,
                        .mtu = msg->mtu,
                        .rate = msg->rate,
                        .packet_lifetime = msg->packet_lifetime,
                        .pkey = mask & MEMBER_PKEY ? PKEY_DEFAULT : 0,
                        .join_state = group->join_state };

  ib_gid_bytes (&group->mgid, member.mgid);
  memcpy (member.port_gid, source->gid, sizeof member.port_gid);
  member.scope = member.mgid[1] & 0xf;
  if (mask & MEMBER_RATE || msg->method == IB_SA_JOIN_RESP)
    member.mtu_selector = member.rate_selector = SELECTOR_EXACTLY;
  if (msg->method == IB_SA_JOIN_RESP)
    member.lifetime_selector = SELECTOR_EXACTLY;
  ib_layout_encode (&ib_sa_member_layout, &member, body);
}

/* ----- both ----- */

void
ib_sa_encode (const IbSaMsg *msg, const IbEnd *source, const IbEnd *destination, guint8 *mad)
{
  gboolean path = msg->method == IB_SA_GET_PATH || msg->method == IB_SA_GET_PATH_RESP;
  IbMadHeader header = { .base_version = 1,
                         .mgmt_class = IB_MGMT_CLASS_SUBN_ADM,
                         .class_version = 2,
                         .method = method_of (msg),
                         .status = msg->status,
                         .tid = msg->tid,
                         .attribute = path ? ATTRIBUTE_PATH : ATTRIBUTE_MEMBER };

  ib_layout_encode (&ib_mad_header_layout, &header, mad);
  if (path)
    encode_path (msg, source, destination, mad + IB_MAD_HEADER_BYTES);
  else
    encode_member (msg, source, mad + IB_MAD_HEADER_BYTES);
}

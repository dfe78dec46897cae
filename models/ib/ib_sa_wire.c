/* Path queries as bytes. */
#include "ib_sa_wire.h"

#include <string.h>

#define IB_STRUCT IbSaPath
static const IbField rows[] = { IB_SA_PATH_FIELDS (IB_ROW_N, IB_ROW_A, IB_ROW_R) };
#undef IB_STRUCT

const IbLayout ib_sa_path_layout = {
  .name = "PathRecord",
  .title = "subnet administration: path query and its answer",
  .source = "IBTA vol. 1, 15.2.1 and 15.2.5.16",
  .bytes = IB_MAD_BYTES - IB_MAD_HEADER_BYTES,
  .fields = rows,
  .n_fields = G_N_ELEMENTS (rows),
};

/* Bits of the component mask, in order of the record's members. */
enum {
  MASK_DGID = 1 << 2,
  MASK_SGID = 1 << 3,
  MASK_REVERSIBLE = 1 << 11,
  MASK_PATHS = 1 << 12,
  MASK_PKEY = 1 << 13,
};

#define SELECTOR_EXACTLY 2

void
ib_sa_encode (const IbSaMsg *msg, const IbEnd *source, const IbEnd *destination, guint8 *mad)
{
  gboolean response = msg->method == IB_SA_GET_PATH_RESP;
  IbMadHeader header = { .base_version = 1,
                         .mgmt_class = IB_MGMT_CLASS_SUBN_ADM,
                         .class_version = 2,
                         .method = response ? 0x81 : 0x01,
                         .status = msg->status,
                         .tid = msg->tid,
                         .attribute = 0x0035 };
  IbSaPath path = { .component_mask
                    = MASK_DGID | MASK_SGID | MASK_REVERSIBLE | MASK_PATHS | MASK_PKEY,
                    .reversible = 1,
                    .paths = 1,
                    .pkey = 0xffff };

  memcpy (path.sgid, source->gid, sizeof path.sgid);
  memcpy (path.dgid, destination->gid, sizeof path.dgid);
  if (response) {
    path.dlid = destination->lid;
    path.slid = source->lid;
    path.sl = msg->sl;
    path.mtu_selector = path.rate_selector = path.lifetime_selector = SELECTOR_EXACTLY;
    path.mtu = msg->mtu;
    path.rate = msg->rate;
    path.packet_lifetime = msg->packet_lifetime;
  }
  ib_layout_encode (&ib_mad_header_layout, &header, mad);
  ib_layout_encode (&ib_sa_path_layout, &path, mad + IB_MAD_HEADER_BYTES);
}

/* The list of all layouts, in the order of the reference. */
#include "ib_ari.h"
#include "ib_packet.h"
#include "ib_private_data.h"
#include "ib_sa_wire.h"

const IbLayout *
ib_layouts_get (guint i)
{
  static const IbLayout *const around[] = {
    &ib_cma_header_layout, &ib_sdp_hello_layout,       &ib_sdp_hello_ack_layout,
    &ib_busy_hint_layout,  &ib_class_port_info_layout, &ib_sa_path_layout,
    &ib_sa_member_layout,  &ib_lrh_layout,             &ib_grh_layout,
    &ib_bth_layout,        &ib_deth_layout,
  };

  if (i == 0)
    return &ib_mad_header_layout;
  if (i <= IB_CM_ATTR_COUNT)
    return ib_cm_layout (IB_CM_ATTR_FIRST + i - 1);
  i -= IB_CM_ATTR_COUNT + 1;
  return i < G_N_ELEMENTS (around) ? around[i] : NULL;
}

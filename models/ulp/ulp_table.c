/* All upper-layer protocols: one row each. */
#include "ulp.h"

const SimClassInfo *const ulp_classes[] = {
  &ulp_sdp.info,
  &ulp_sdp_ofed_2006.info,
  &ulp_sdp_ofed_1_4.info,
  &ulp_sdp_mlnx.info,
  &ulp_sdp_freebsd.info,
  &ulp_sdp_spec.info,
  &ulp_sdp_illumos.info,
  &ulp_wsd.info,
  &ulp_rsockets.info,
  &ulp_nvme_rdma.info,
  &ulp_spdk.info,
  &ulp_iser.info,
  &ulp_srp.info,
  &ulp_nfs_rdma.info,
  &ulp_rds.info,
  &ulp_lustre.info,
  &ulp_ipoib_cm.info,
  &ulp_rxm.info,
  &ulp_ucx.info,
  &ulp_mpi.info,
  &ulp_cmtime.info,
  &ulp_script.info,
  &ulp_generic.info,
  NULL,
};

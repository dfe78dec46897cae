/* The tables of the private-data headers. */
#include "ib_private_data.h"

#define ROWS(variable, FIELDS) \
  static const IbField variable[] = { FIELDS (IB_ROW_N, IB_ROW_A, IB_ROW_R) }

#define IB_STRUCT IbCmaHeader
ROWS (cma_rows, IB_CMA_HEADER_FIELDS);
#undef IB_STRUCT
#define IB_STRUCT IbSdpHello
ROWS (hello_rows, IB_SDP_HELLO_FIELDS);
#undef IB_STRUCT
#define IB_STRUCT IbSdpHelloAck
ROWS (hello_ack_rows, IB_SDP_HELLO_ACK_FIELDS);
#undef IB_STRUCT
#define IB_STRUCT IbBusyHint
ROWS (busy_hint_rows, IB_BUSY_HINT_FIELDS);
#undef IB_STRUCT

const IbLayout ib_cma_header_layout = {
  .name = "RDMA CM",
  .title = "private-data header of RDMA CM, in REQ and SIDR_REQ",
  .source = "IBTA vol. 1, annex A11; Linux cma.c struct cma_hdr",
  .bytes = 36,
  .fields = cma_rows,
  .n_fields = G_N_ELEMENTS (cma_rows),
};

const IbLayout ib_sdp_hello_layout = {
  .name = "SDP Hello",
  .title = "private data of an SDP REQ",
  .source = "IBTA vol. 1, annex A4; OFED sdp.h struct sdp_hh",
  .bytes = 92,
  .fields = hello_rows,
  .n_fields = G_N_ELEMENTS (hello_rows),
};

const IbLayout ib_sdp_hello_ack_layout = {
  .name = "SDP HelloAck",
  .title = "private data of an SDP REP",
  .source = "IBTA vol. 1, annex A4; OFED sdp.h struct sdp_hah",
  .bytes = 24,
  .fields = hello_ack_rows,
  .n_fields = G_N_ELEMENTS (hello_ack_rows),
};

const IbLayout ib_busy_hint_layout = {
  .name = "busy hint",
  .title = "private data of a REJ that says when to try again",
  .source = "cmsim's own; openib-general, 2006, discussed REJ with a hint",
  .bytes = 8,
  .fields = busy_hint_rows,
  .n_fields = G_N_ELEMENTS (busy_hint_rows),
};

/* Port spaces, which are the high half of the service id of a port. */
enum { SPACE_SDP = 0x0001, SPACE_IPOIB = 0x0002, SPACE_IB = 0x013f };

IbServiceKind
ib_service_kind (guint64 service_id)
{
  if (service_id >> 16 == SPACE_SDP)
    return IB_SERVICE_SDP;
  /* The prefix of RDMA CM; addresses of its own are only in the private data of the
   * spaces that have IP addresses. */
  if (service_id >> 16 == SPACE_IPOIB ||
      (service_id >> 24 == 1 && service_id >> 16 != SPACE_IB))
    return IB_SERVICE_RDMA_CM;
  return IB_SERVICE_OTHER;
}

/* The tables of the MAD header and of the eleven CM messages. */
#include "ib_cm_msg.h"
#include "ib_cm_wire.h"

#define ROWS(variable, FIELDS) \
  static const IbField variable[] = { FIELDS (IB_ROW_N, IB_ROW_A, IB_ROW_R) }

#define IB_STRUCT IbMadHeader
ROWS (header_rows, IB_MAD_HEADER_FIELDS);
#undef IB_STRUCT
#define IB_STRUCT IbCmReq
ROWS (req_rows, IB_CM_REQ_FIELDS);
#undef IB_STRUCT
#define IB_STRUCT IbCmMra
ROWS (mra_rows, IB_CM_MRA_FIELDS);
#undef IB_STRUCT
#define IB_STRUCT IbCmRej
ROWS (rej_rows, IB_CM_REJ_FIELDS);
#undef IB_STRUCT
#define IB_STRUCT IbCmRep
ROWS (rep_rows, IB_CM_REP_FIELDS);
#undef IB_STRUCT
#define IB_STRUCT IbCmRtu
ROWS (rtu_rows, IB_CM_RTU_FIELDS);
#undef IB_STRUCT
#define IB_STRUCT IbCmDreq
ROWS (dreq_rows, IB_CM_DREQ_FIELDS);
#undef IB_STRUCT
#define IB_STRUCT IbCmDrep
ROWS (drep_rows, IB_CM_DREP_FIELDS);
#undef IB_STRUCT
#define IB_STRUCT IbCmSidrReq
ROWS (sidr_req_rows, IB_CM_SIDR_REQ_FIELDS);
#undef IB_STRUCT
#define IB_STRUCT IbCmSidrRep
ROWS (sidr_rep_rows, IB_CM_SIDR_REP_FIELDS);
#undef IB_STRUCT
#define IB_STRUCT IbCmLap
ROWS (lap_rows, IB_CM_LAP_FIELDS);
#undef IB_STRUCT
#define IB_STRUCT IbCmApr
ROWS (apr_rows, IB_CM_APR_FIELDS);
#undef IB_STRUCT

const IbLayout ib_mad_header_layout = {
  .name = "MAD",
  .title = "management datagram, header",
  .source = "IBTA vol. 1, 13.4.3",
  .bytes = IB_MAD_HEADER_BYTES,
  .fields = header_rows,
  .n_fields = G_N_ELEMENTS (header_rows),
};

#define BODY(name_, rows_, title_, section_) \
  [IB_CM_##name_ - IB_CM_ATTR_FIRST] = { .name = #name_, .title = title_, \
                                         .source = "IBTA vol. 1, " section_, \
                                         .bytes = IB_CM_BODY_BYTES, .fields = rows_, \
                                         .n_fields = G_N_ELEMENTS (rows_) }

static const IbLayout bodies[IB_CM_ATTR_COUNT] = {
  BODY (REQ, req_rows, "connection request", "12.6.5"),
  BODY (MRA, mra_rows, "message receipt acknowledgement", "12.6.6"),
  BODY (REJ, rej_rows, "reject", "12.6.7"),
  BODY (REP, rep_rows, "reply to a request", "12.6.8"),
  BODY (RTU, rtu_rows, "ready to use", "12.6.9"),
  BODY (DREQ, dreq_rows, "disconnection request", "12.6.10"),
  BODY (DREP, drep_rows, "reply to a disconnection request", "12.6.11"),
  BODY (SIDR_REQ, sidr_req_rows, "service id resolution request", "12.11.1"),
  BODY (SIDR_REP, sidr_rep_rows, "service id resolution response", "12.11.2"),
  BODY (LAP, lap_rows, "load alternate path", "12.8.1"),
  BODY (APR, apr_rows, "alternate path response", "12.8.2"),
};

const IbLayout *
ib_cm_layout (guint attr)
{
  if (attr < IB_CM_ATTR_FIRST || attr >= IB_CM_ATTR_FIRST + IB_CM_ATTR_COUNT)
    return NULL;
  return &bodies[attr - IB_CM_ATTR_FIRST];
}

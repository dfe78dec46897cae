/* Names of the CM messages and of the reasons of a REJ. */
#include "ib_cm_msg.h"

const char *
ib_cm_attr_name (guint attr)
{
  switch (attr) {
#define X(name, id, offset, size) \
  case id: \
    return #name;
    IB_CM_ATTR_LIST (X)
#undef X
  default:
    return "?";
  }
}

/* IBTA 12.6.7.2; Linux include/rdma/ib_cm.h, enum ib_cm_rej_reason. */
static const char *const reason_names[] = {
  [1] = "no QP",
  [2] = "no EEC",
  [3] = "no resources",
  [4] = "timeout",
  [5] = "unsupported request",
  [6] = "invalid communication id",
  [7] = "invalid communication instance",
  [8] = "invalid service id",
  [9] = "invalid transport service type",
  [10] = "stale connection",
  [11] = "RDC does not exist",
  [12] = "primary remote port GID rejected",
  [13] = "primary remote port LID rejected",
  [14] = "invalid primary SL",
  [15] = "invalid primary traffic class",
  [16] = "invalid primary hop limit",
  [17] = "invalid primary packet rate",
  [18] = "alternate remote port GID rejected",
  [19] = "alternate remote port LID rejected",
  [20] = "invalid alternate SL",
  [21] = "invalid alternate traffic class",
  [22] = "invalid alternate hop limit",
  [23] = "invalid alternate packet rate",
  [24] = "port and CM redirection",
  [25] = "port redirection",
  [26] = "invalid path MTU",
  [27] = "insufficient responder resources",
  [28] = "consumer reject",
  [29] = "RNR retry count reject",
  [30] = "duplicate local communication id",
  [31] = "unsupported class version",
  [32] = "invalid primary flow label",
  [33] = "invalid alternate flow label",
  [35] = "vendor option not supported",
};

const char *
ib_cm_rej_reason_name (guint reason)
{
  if (reason >= G_N_ELEMENTS (reason_names) || !reason_names[reason])
    return "unknown reason";
  return reason_names[reason];
}

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

/* IBTA 12.6.7.2, column "ARI"; one value for each reason that has one. */
IbCmAri
ib_cm_rej_ari (guint reason)
{
  static const guint8 aris[IB_CM_REJ_REASON_MAX + 1] = {
    [4] = IB_CM_ARI_CA_GUID,
    [12] = IB_CM_ARI_GID,
    [13] = IB_CM_ARI_LID,
    [14] = IB_CM_ARI_VALUE,
    [15] = IB_CM_ARI_VALUE,
    [16] = IB_CM_ARI_VALUE,
    [17] = IB_CM_ARI_VALUE,
    [18] = IB_CM_ARI_GID,
    [19] = IB_CM_ARI_LID,
    [20] = IB_CM_ARI_VALUE,
    [21] = IB_CM_ARI_VALUE,
    [22] = IB_CM_ARI_VALUE,
    [23] = IB_CM_ARI_VALUE,
    [24] = IB_CM_ARI_CLASS_PORT_INFO,
    [25] = IB_CM_ARI_GID,
    [26] = IB_CM_ARI_VALUE,
    [31] = IB_CM_ARI_CLASS_VERSION,
    [32] = IB_CM_ARI_FLOW_LABEL,
    [33] = IB_CM_ARI_FLOW_LABEL,
  };

  return reason < G_N_ELEMENTS (aris) ? (IbCmAri) aris[reason] : IB_CM_ARI_NONE;
}

guint
ib_cm_wrong_reason (IbCmWrong wrong)
{
  static const guint8 reasons[IB_CM_WRONG_COUNT] = {
#define X(name, text, reason) reason,
    IB_CM_WRONG_LIST (X)
#undef X
  };

  g_assert (wrong < IB_CM_WRONG_COUNT);
  return reasons[wrong];
}

static const struct {
  const char *text;
  guint bytes;
} ari_infos[] = {
#define X(name, text, bytes) { text, bytes },
  IB_CM_ARI_LIST (X)
#undef X
};

const char *
ib_cm_ari_text (IbCmAri ari)
{
  g_assert (ari < IB_CM_ARI_COUNT);
  return ari_infos[ari].text;
}

guint
ib_cm_ari_bytes (IbCmAri ari)
{
  g_assert (ari < IB_CM_ARI_COUNT);
  return ari_infos[ari].bytes;
}

const char *
ib_cm_sidr_status_name (guint status)
{
  static const char *const names[] = {
#define X(name, number, text) [number] = text,
    IB_CM_SIDR_STATUS_LIST (X)
#undef X
  };

  return status < G_N_ELEMENTS (names) ? names[status] : "unknown status";
}

const char *
ib_cm_apr_status_name (guint status)
{
  static const char *const names[] = {
#define X(name, number, text) [number] = text,
    IB_CM_APR_STATUS_LIST (X)
#undef X
  };

  return status < G_N_ELEMENTS (names) ? names[status] : "unknown status";
}

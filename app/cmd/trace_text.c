/* What a trace prints of messages. */
#include "trace_text.h"

#include <stdio.h>

static void
print_cm (const IbCmMsg *msg)
{
  switch ((IbCmAttr) msg->attr) {
  case IB_CM_REQ:
    printf ("  service 0x%" G_GINT64_MODIFIER "x, response timeout %u, retries %u", msg->service_id,
            msg->remote_response_timeout, msg->max_cm_retries);
    break;
  case IB_CM_REJ:
    printf ("  reason %u (%s)", msg->reason, ib_cm_rej_reason_name (msg->reason));
    break;
  case IB_CM_MRA:
    printf ("  for the %s, service timeout %u", msg->message == IB_CM_MESSAGE_REQ ? "REQ" : "REP",
            msg->service_timeout);
    break;
  case IB_CM_REP:
  case IB_CM_RTU:
  case IB_CM_DREQ:
  case IB_CM_DREP:
  case IB_CM_SIDR_REQ:
  case IB_CM_SIDR_REP:
  case IB_CM_LAP:
  case IB_CM_APR:
    break;
  }
}

static void
print_sa (const IbSaMsg *msg)
{
  char mgid[IB_GID_TEXT];

  if (msg->method >= IB_SA_JOIN) {
    printf ("  %s, join state %u", ib_gid_text (&msg->group.mgid, mgid), msg->group.join_state);
    if (msg->group.given & IB_SA_GIVEN_PATH)
      printf (", Q_Key 0x%08x", msg->group.qkey);
    if (msg->group.mlid > 0)
      printf (", LID 0x%04x", msg->group.mlid);
  }
  if (msg->status != IB_SA_STATUS_OK)
    printf ("  status 0x%04x", msg->status);
}

const char *
trace_text_fate (FabricFate fate)
{
  switch (fate) {
  case FABRIC_FATE_DELIVERED:
    return "";
  case FABRIC_FATE_DROPPED:
    return "  [lost]";
  case FABRIC_FATE_DELAYED:
    return "  [delayed]";
  case FABRIC_FATE_DUPLICATED:
    return "  [duplicated]";
  }
  g_assert_not_reached ();
}

static const char *
sa_name (guint method)
{
  switch ((IbSaMethod) method) {
  case IB_SA_GET_PATH:
    return "path query";
  case IB_SA_GET_PATH_RESP:
    return "path record";
  case IB_SA_JOIN:
    return "group join";
  case IB_SA_JOIN_RESP:
    return "group joined";
  case IB_SA_LEAVE:
    return "group leave";
  case IB_SA_LEAVE_RESP:
    return "group left";
  }
  g_assert_not_reached ();
}

const char *
trace_text_name (const IbMad *mad)
{
  switch ((IbMgmtClass) mad->mgmt_class) {
  case IB_MGMT_CLASS_CM:
    return ib_cm_attr_name (mad->cm.attr);
  case IB_MGMT_CLASS_TCP:
    return ib_tcp_kind_name (mad->tcp.kind);
  case IB_MGMT_CLASS_SUBN_ADM:
    return sa_name (mad->sa.method);
  }
  g_assert_not_reached ();
}

void
trace_text_fields (const IbMad *mad)
{
  switch ((IbMgmtClass) mad->mgmt_class) {
  case IB_MGMT_CLASS_CM:
    print_cm (&mad->cm);
    break;
  case IB_MGMT_CLASS_SUBN_ADM:
    print_sa (&mad->sa);
    break;
  case IB_MGMT_CLASS_TCP:
    break;
  }
}

void
trace_text_group (const CmaGroup *group)
{
  char mgid[IB_GID_TEXT];

  printf ("  %s, QPN 0x%06x, Q_Key 0x%08x, LID 0x%04x", ib_gid_text (&group->mgid, mgid),
          group->qpn, group->qkey, group->mlid);
}

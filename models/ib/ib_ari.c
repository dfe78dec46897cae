/* Additional information of a REJ: to the wire, from it, in words. */
#include "ib_ari.h"

#include <string.h>

#include "ib_packet.h"

#define IB_STRUCT IbClassPortInfo
static const IbField class_port_info_rows[] = { IB_CLASS_PORT_INFO_FIELDS (IB_ROW_N, IB_ROW_A,
                                                                           IB_ROW_R) };
#undef IB_STRUCT

const IbLayout ib_class_port_info_layout = {
  .name = "ClassPortInfo",
  .title = "additional information of a REJ with reason 24",
  .source = "IBTA vol. 1, 13.4.8.1; Linux ib_mad.h struct ib_class_port_info",
  .bytes = 72,
  .fields = class_port_info_rows,
  .n_fields = G_N_ELEMENTS (class_port_info_rows),
};

#define PKEY_DEFAULT 0xffff

/* ----- to the wire ----- */

static void
store (guint64 value, guint bytes, IbCmRej *rej)
{
  rej->info_length = (guint8) bytes;
  for (guint i = bytes; i-- > 0; value >>= 8)
    rej->info[i] = (guint8) value;
}

static void
store_gid (const IbEnd *end, IbCmRej *rej)
{
  rej->info_length = sizeof end->gid;
  memcpy (rej->info, end->gid, sizeof end->gid);
}

static void
store_class_port_info (const IbCmRoute *route, IbCmRej *rej)
{
  IbClassPortInfo info = { .base_version = 1,
                           .class_version = IB_CM_CLASS_VERSION,
                           .redirect_sl = route->sl,
                           .redirect_lid = route->redirect.lid,
                           .redirect_pkey = PKEY_DEFAULT,
                           .redirect_qpn = 1,
                           .redirect_qkey = IB_QP1_QKEY };

  memcpy (info.redirect_gid, route->redirect.gid, sizeof info.redirect_gid);
  rej->info_length = (guint8) ib_class_port_info_layout.bytes;
  ib_layout_encode (&ib_class_port_info_layout, &info, rej->info);
}

/* The path's value for the reasons that have one. */
static guint8
path_value (guint reason, const IbCmRoute *route)
{
  switch (reason) {
  case IB_CM_REJ_PRIMARY_SL:
  case IB_CM_REJ_ALTERNATE_SL:
    return route->sl;
  case IB_CM_REJ_PRIMARY_HOP_LIMIT:
  case IB_CM_REJ_ALTERNATE_HOP_LIMIT:
    return route->hop_limit;
  case IB_CM_REJ_PRIMARY_RATE:
  case IB_CM_REJ_ALTERNATE_RATE:
    return route->rate;
  case IB_CM_REJ_MTU:
    return route->mtu;
  default: /* traffic class */
    return 0;
  }
}

void
ib_ari_put (const IbCmMsg *msg, const IbCmRoute *route, IbCmRej *rej)
{
  IbCmAri kind = ib_cm_rej_ari (msg->reason);
  gboolean redirect = msg->reason == IB_CM_REJ_PORT_CM_REDIRECT ||
                      msg->reason == IB_CM_REJ_PORT_REDIRECT;

  /* Of whom it does not say it says nothing. */
  if ((redirect && msg->redirect == 0) || (kind == IB_CM_ARI_CA_GUID && msg->ca_guid == 0))
    return;
  switch (kind) {
  case IB_CM_ARI_NONE:
    break;
  case IB_CM_ARI_CA_GUID:
    store (msg->ca_guid, ib_cm_ari_bytes (kind), rej);
    break;
  case IB_CM_ARI_GID:
    store_gid (redirect ? &route->redirect : &route->source, rej);
    break;
  case IB_CM_ARI_LID:
    store (route->source.lid, ib_cm_ari_bytes (kind), rej);
    break;
  case IB_CM_ARI_VALUE:
    store (path_value (msg->reason, route), ib_cm_ari_bytes (kind), rej);
    break;
  case IB_CM_ARI_FLOW_LABEL:
    store (route->flow_label, ib_cm_ari_bytes (kind), rej);
    break;
  case IB_CM_ARI_CLASS_VERSION:
    store (IB_CM_CLASS_VERSION, ib_cm_ari_bytes (kind), rej);
    break;
  case IB_CM_ARI_CLASS_PORT_INFO:
    store_class_port_info (route, rej);
    break;
  case IB_CM_ARI_COUNT:
    g_assert_not_reached ();
  }
}

/* ----- from the wire ----- */

void
ib_ari_take (const IbCmRej *rej, IbAri *ret_ari)
{
  IbCmAri kind = ib_cm_rej_ari (rej->reason);
  guint bytes = ib_cm_ari_bytes (kind);
  IbAri ari = { .kind = IB_CM_ARI_NONE };
  IbClassPortInfo info;

  if (bytes > 0 && rej->info_length >= bytes) {
    ari.kind = (guint8) kind;
    if (kind == IB_CM_ARI_GID) {
      memcpy (ari.gid, rej->info, sizeof ari.gid);
    } else if (kind == IB_CM_ARI_CLASS_PORT_INFO) {
      ib_layout_decode (&ib_class_port_info_layout, rej->info, &info);
      memcpy (ari.gid, info.redirect_gid, sizeof ari.gid);
    } else {
      for (guint i = 0; i < bytes; i++)
        ari.number = ari.number << 8 | rej->info[i];
    }
  }
  *ret_ari = ari;
}

const char *
ib_ari_text (const IbAri *ari, char *buf, gsize size)
{
  char gid[IB_ADDRESS_TEXT_BYTES];
  IbAddress address;

  memcpy (address.bytes, ari->gid, sizeof address.bytes);
  ib_address_text (&address, gid, sizeof gid);
  switch ((IbCmAri) ari->kind) {
  case IB_CM_ARI_NONE:
    g_strlcpy (buf, "", size);
    break;
  case IB_CM_ARI_CA_GUID:
    g_snprintf (buf, size, "CA GUID 0x%016" G_GINT64_MODIFIER "x", ari->number);
    break;
  case IB_CM_ARI_GID:
    g_snprintf (buf, size, "GID %s", gid);
    break;
  case IB_CM_ARI_LID:
    g_snprintf (buf, size, "LID %u", (guint) ari->number);
    break;
  case IB_CM_ARI_VALUE:
    g_snprintf (buf, size, "value %u", (guint) ari->number);
    break;
  case IB_CM_ARI_FLOW_LABEL:
    g_snprintf (buf, size, "flow label 0x%05x", (guint) ari->number);
    break;
  case IB_CM_ARI_CLASS_VERSION:
    g_snprintf (buf, size, "class version %u", (guint) ari->number);
    break;
  case IB_CM_ARI_CLASS_PORT_INFO:
    g_snprintf (buf, size, "go to %s", gid);
    break;
  case IB_CM_ARI_COUNT:
    g_assert_not_reached ();
  }
  return buf;
}

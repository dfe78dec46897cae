/* Encoding, decoding and checking CM MADs. */
#include "ib_codec.h"

#define BASE_VERSION 1
#define CLASS_VERSION 2
#define METHOD_SEND 0x03
#define REJ_REASON_MAX 35
#define INFO_BYTES 72

IbDecode
ib_cm_decode (const guint8 *mad, IbCmWire *ret_wire)
{
  IbMadHeader *header = &ret_wire->header;
  const IbLayout *body;

  ib_layout_decode (&ib_mad_header_layout, mad, header);
  if (header->base_version != BASE_VERSION)
    return IB_DECODE_BASE_VERSION;
  if (header->mgmt_class != IB_MGMT_CLASS_CM)
    return IB_DECODE_OTHER_CLASS;
  if (header->class_version != CLASS_VERSION)
    return IB_DECODE_CLASS_VERSION;
  if (header->method != METHOD_SEND)
    return IB_DECODE_METHOD;
  body = ib_cm_layout (header->attribute);
  if (!body)
    return IB_DECODE_ATTRIBUTE;
  ib_layout_decode (body, mad + IB_MAD_HEADER_BYTES, &ret_wire->req);
  return IB_DECODE_OK;
}

void
ib_cm_encode (const IbCmWire *wire, guint8 *mad)
{
  const IbLayout *body = ib_cm_layout (wire->header.attribute);

  g_assert (body);
  ib_layout_encode (&ib_mad_header_layout, &wire->header, mad);
  ib_layout_encode (body, &wire->req, mad + IB_MAD_HEADER_BYTES);
}

const char *
ib_decode_text (IbDecode answer)
{
  switch (answer) {
  case IB_DECODE_OK:
    return "understood";
  case IB_DECODE_BASE_VERSION:
    return "MAD base version is not 1";
  case IB_DECODE_OTHER_CLASS:
    return "another management class";
  case IB_DECODE_CLASS_VERSION:
    return "CM class version is not 2";
  case IB_DECODE_METHOD:
    return "CM method is not Send";
  case IB_DECODE_ATTRIBUTE:
    return "unknown CM attribute";
  }
  g_assert_not_reached ();
}

/* ----- rules ----- */

/* A member of the message must be from min to max. */
typedef struct {
  guint16 attr; /* 0: of every message */
  guint16 offset, size;
  guint32 min, max;
  const char *field;
} Rule;

#define RULE(attr_, member_, min_, max_, field_) \
  { .attr = attr_, .offset = G_STRUCT_OFFSET (IbCmWire, member_), \
    .size = sizeof (((IbCmWire *) NULL)->member_), .min = (min_), .max = (max_), .field = field_ }
#define IDS(attr_, member_) \
  RULE (attr_, member_.local_id, 1, G_MAXUINT32, "local communication id"), \
  RULE (attr_, member_.remote_id, 1, G_MAXUINT32, "remote communication id")

/* QPN 0 and 1 are the management queue pairs; ids of 0 name nobody. */
static const Rule rules[] = {
  RULE (0, header.status, 0, 0, "MAD status"),
  RULE (0, header.class_specific, 0, 0, "class specific"),
  RULE (IB_CM_REQ, req.local_id, 1, G_MAXUINT32, "local communication id"),
  RULE (IB_CM_REQ, req.qpn, 2, 0xffffff, "local QPN"),
  RULE (IB_CM_REQ, req.mtu, 1, 5, "path MTU"),
  RULE (IB_CM_REQ, req.primary_rate, 0, 22, "packet rate"),
  IDS (IB_CM_MRA, mra),
  RULE (IB_CM_MRA, mra.message, 0, 2, "message acknowledged"),
  RULE (IB_CM_REJ, rej.message, 0, 2, "message rejected"),
  RULE (IB_CM_REJ, rej.info_length, 0, INFO_BYTES, "reject info length"),
  RULE (IB_CM_REJ, rej.reason, 1, REJ_REASON_MAX, "reason"),
  IDS (IB_CM_REP, rep),
  RULE (IB_CM_REP, rep.qpn, 2, 0xffffff, "local QPN"),
  RULE (IB_CM_REP, rep.failover_accepted, 0, 2, "failover accepted"),
  IDS (IB_CM_RTU, rtu),
  IDS (IB_CM_DREQ, dreq),
  IDS (IB_CM_DREP, drep),
  RULE (IB_CM_SIDR_REP, sidr_rep.status, 0, 5, "SIDR status"),
  RULE (IB_CM_SIDR_REP, sidr_rep.info_length, 0, INFO_BYTES, "additional info length"),
  IDS (IB_CM_LAP, lap),
  IDS (IB_CM_APR, apr),
  RULE (IB_CM_APR, apr.info_length, 0, INFO_BYTES, "additional info length"),
  RULE (IB_CM_APR, apr.status, 0, 13, "AP status"),
};

static guint32
rule_value (const Rule *rule, const IbCmWire *wire)
{
  const guint8 *member = (const guint8 *) wire + rule->offset;

  switch (rule->size) {
  case 1:
    return *member;
  case 2:
    return *(const guint16 *) (const void *) member;
  case 4:
    return *(const guint32 *) (const void *) member;
  }
  g_assert_not_reached ();
}

guint
ib_cm_validate (const guint8 *mad, const IbCmWire *wire, IbComplaint *complaints, guint max)
{
  const IbLayout *layouts[] = { &ib_mad_header_layout, ib_cm_layout (wire->header.attribute) };
  guint n = 0, base = 0;

  for (guint i = 0; i < G_N_ELEMENTS (layouts); base += layouts[i++]->bytes) {
    const IbField *field = ib_layout_reserved_set (layouts[i], mad + base);

    if (field && n < max)
      complaints[n++] = (IbComplaint){ .field = "reserved", .byte = base + field->byte,
                                       .value = ib_field_load (field, mad + base) };
  }
  for (guint i = 0; i < G_N_ELEMENTS (rules) && n < max; i++) {
    const Rule *rule = &rules[i];
    guint32 value;

    if (rule->attr != 0 && rule->attr != wire->header.attribute)
      continue;
    value = rule_value (rule, wire);
    if (value < rule->min || value > rule->max)
      complaints[n++] = (IbComplaint){ .field = rule->field, .value = value };
  }
  return n;
}

/* Encoding, decoding and checking CM MADs. */
#include "ib_codec.h"

#define BASE_VERSION 1
#define METHOD_SEND 0x03
#define REJ_REASON_MAX 35
#define INFO_BYTES 72

IbDecode
ib_cm_decode (const guint8 *mad, IbCmWire *ret_wire)
{
  IbMadHeader *header = &ret_wire->header;
  const IbField *reserved = ib_layout_decode (&ib_mad_header_layout, mad, header);
  const IbLayout *body;

  ret_wire->reserved_at = reserved ? reserved->byte : 0;
  if (header->base_version != BASE_VERSION)
    return IB_DECODE_BASE_VERSION;
  if (header->mgmt_class != IB_MGMT_CLASS_CM)
    return IB_DECODE_OTHER_CLASS;
  if (header->class_version != IB_CM_CLASS_VERSION)
    return IB_DECODE_CLASS_VERSION;
  if (header->method != METHOD_SEND)
    return IB_DECODE_METHOD;
  body = ib_cm_layout (header->attribute);
  if (!body)
    return IB_DECODE_ATTRIBUTE;
  reserved = ib_layout_decode (body, mad + IB_MAD_HEADER_BYTES, &ret_wire->req);
  if (reserved && ret_wire->reserved_at == 0)
    ret_wire->reserved_at = IB_MAD_HEADER_BYTES + reserved->byte;
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
  guint16 offset, size; /* size 0: no further rule */
  guint32 min, max;
  const char *field;
} Rule;

#define RULE(member_, min_, max_, field_) \
  { .offset = G_STRUCT_OFFSET (IbCmWire, member_), .size = sizeof (((IbCmWire *) NULL)->member_), \
    .min = (min_), .max = (max_), .field = field_ }
#define IDS(member_) \
  RULE (member_.local_id, 1, G_MAXUINT32, "local communication id"), \
  RULE (member_.remote_id, 1, G_MAXUINT32, "remote communication id")

#define RULES_MAX 6

static const Rule header_rules[] = {
  RULE (header.status, 0, 0, "MAD status"),
  RULE (header.class_specific, 0, 0, "class specific"),
};

/* QPN 0 and 1 are the management queue pairs; ids of 0 name nobody. */
static const Rule body_rules[IB_CM_ATTR_COUNT][RULES_MAX] = {
  [IB_CM_REQ - IB_CM_ATTR_FIRST] = {
    RULE (req.local_id, 1, G_MAXUINT32, "local communication id"),
    RULE (req.qpn, 2, 0xffffff, "local QPN"),
    RULE (req.mtu, 1, 5, "path MTU"),
    RULE (req.primary_rate, 0, 22, "packet rate"),
  },
  [IB_CM_MRA - IB_CM_ATTR_FIRST] = {
    IDS (mra),
    RULE (mra.message, 0, 2, "message acknowledged"),
  },
  [IB_CM_REJ - IB_CM_ATTR_FIRST] = {
    RULE (rej.message, 0, 2, "message rejected"),
    RULE (rej.info_length, 0, INFO_BYTES, "reject info length"),
    RULE (rej.reason, 1, REJ_REASON_MAX, "reason"),
  },
  [IB_CM_REP - IB_CM_ATTR_FIRST] = {
    IDS (rep),
    RULE (rep.qpn, 2, 0xffffff, "local QPN"),
    RULE (rep.failover_accepted, 0, 2, "failover accepted"),
  },
  [IB_CM_RTU - IB_CM_ATTR_FIRST] = { IDS (rtu) },
  [IB_CM_DREQ - IB_CM_ATTR_FIRST] = { IDS (dreq) },
  [IB_CM_DREP - IB_CM_ATTR_FIRST] = { IDS (drep) },
  [IB_CM_SIDR_REP - IB_CM_ATTR_FIRST] = {
    RULE (sidr_rep.status, 0, 5, "SIDR status"),
    RULE (sidr_rep.info_length, 0, INFO_BYTES, "additional info length"),
  },
  [IB_CM_LAP - IB_CM_ATTR_FIRST] = { IDS (lap) },
  [IB_CM_APR - IB_CM_ATTR_FIRST] = {
    IDS (apr),
    RULE (apr.info_length, 0, INFO_BYTES, "additional info length"),
    RULE (apr.status, 0, 13, "AP status"),
  },
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

/* Returns how many complaints there are then. */
static guint
check (const Rule *rules, guint n_rules, const IbCmWire *wire, IbComplaint *complaints, guint n,
       guint max)
{
  for (guint i = 0; i < n_rules && rules[i].size && n < max; i++) {
    guint32 value = rule_value (&rules[i], wire);

    if (value < rules[i].min || value > rules[i].max)
      complaints[n++] = (IbComplaint){ .field = rules[i].field, .value = value };
  }
  return n;
}

guint
ib_cm_validate (const IbCmWire *wire, IbComplaint *complaints, guint max)
{
  const Rule *body = body_rules[wire->header.attribute - IB_CM_ATTR_FIRST];
  guint n = 0;

  if (wire->reserved_at && n < max)
    complaints[n++] = (IbComplaint){ .field = "reserved", .value = wire->reserved_at };
  n = check (header_rules, G_N_ELEMENTS (header_rules), wire, complaints, n, max);
  return check (body, RULES_MAX, wire, complaints, n, max);
}

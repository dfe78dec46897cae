/* libFuzzer: whatever the bytes are, decoding them as a MAD or a frame ends well, and a
 * message decoded and encoded again is the same but for reserved bits.
 *
 * The first byte says what the rest is: a link's frame, or a MAD, whose header is made that
 * of a CM message if the top bit is set. */
#include <string.h>

#include "ib_ari.h"
#include "ib_packet.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
check_fields (const IbLayout *layout, const guint8 *before, const guint8 *after)
{
  for (guint i = 0; i < layout->n_fields; i++) {
    const IbField *field = &layout->fields[i];

    if (field->array)
      g_assert (memcmp (before + field->byte, after + field->byte, field->size) == 0);
    else if (field->name)
      g_assert (ib_field_load (field, before) == ib_field_load (field, after));
    else if (field->bit + field->width <= 64)
      g_assert (ib_field_load (field, after) == 0);
  }
}

/* Said in words, or not at all. */
static void
check_ari (const IbCmRej *rej)
{
  char text[IB_ARI_TEXT_BYTES];
  IbAri ari;

  ib_ari_take (rej, &ari);
  ib_ari_text (&ari, text, sizeof text);
  g_assert ((ari.kind == IB_CM_ARI_NONE) == (text[0] == '\0'));
  g_assert (strlen (text) < sizeof text - 1);
}

static void
check_mad (guint8 kind, const guint8 *data, gsize size)
{
  guint8 mad[IB_MAD_BYTES] = { 0 }, again[IB_MAD_BYTES];
  IbComplaint complaints[3];
  IbCmWire wire, twice;
  IbCmMsg msg;

  memcpy (mad, data, MIN (size, sizeof mad));
  if (kind & 0x40) {
    static const guint8 start[] = { 1, 7, 2, 3 };

    memcpy (mad, start, sizeof start);
    mad[16] = 0;
    mad[17] = (guint8) (IB_CM_ATTR_FIRST + (kind & 0x3f) % IB_CM_ATTR_COUNT);
  }
  if (ib_cm_decode (mad, &wire) != IB_DECODE_OK)
    return;
  g_assert (ib_cm_validate (&wire, complaints, 3) <= 3);
  ib_cm_msg_from_wire (&wire, &msg);
  if (msg.attr == IB_CM_REJ)
    check_ari (&wire.rej);
  g_assert (msg.attr == wire.header.attribute && msg.tid == wire.header.tid);
  ib_cm_encode (&wire, again);
  check_fields (&ib_mad_header_layout, mad, again);
  check_fields (ib_cm_layout (msg.attr), mad + IB_MAD_HEADER_BYTES, again + IB_MAD_HEADER_BYTES);
  g_assert (ib_cm_decode (again, &twice) == IB_DECODE_OK && twice.reserved_at == 0);
}

static void
check_frame (guint8 kind, const guint8 *data, gsize size)
{
  gsize length = size + (kind & 0x20 ? 300 : 0);
  char text[IB_ADDRESS_TEXT_BYTES];
  IbFrame frame;
  IbCrc crc;

  if (ib_frame_parse ((IbLink) (kind % (IB_LINK_LRH + 1)), data, size, length, &frame)
      != IB_FRAME_MAD)
    return;
  g_assert (frame.packet >= data && frame.mad + IB_MAD_BYTES + 4 <= data + size);
  ib_crc_init (&crc);
  ib_frame_icrc_is_good (&frame, &crc);
  ib_address_text (&frame.source, text, sizeof text);
  ib_address_text (&frame.destination, text, sizeof text);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  if (size == 0)
    return 0;
  if (data[0] & 0x80)
    check_mad (data[0], data + 1, size - 1);
  else
    check_frame (data[0], data + 1, size - 1);
  return 0;
}

/* Finding the MAD in a captured frame.  Every length is checked against what was
 * captured before it is believed. */
#include <string.h>

#include "ib_packet.h"

enum { ETHERNET = 14, VLAN = 4, COOKED = 16, COOKED2 = 20, ERF = 16, ERF_EXTENSION = 8 };
enum { IPV4 = 20, IPV6 = 40, UDP = 8, LRH = 8, GRH = 40, BTH = 12, DETH = 8, ICRC = 4 };
enum { TYPE_IPV4 = 0x0800, TYPE_IPV6 = 0x86dd, TYPE_ROCE = 0x8915 };
enum { PROTOCOL_UDP = 17, NEXT_BTH = 0x1b };

/* What is left of a frame.  have: bytes captured; real: bytes there were. */
typedef struct {
  const guint8 *at;
  gsize have, real;
} Rest;

static guint
load16 (const guint8 *bytes)
{
  return (guint) bytes[0] << 8 | bytes[1];
}

static guint32
load24 (const guint8 *bytes)
{
  return (guint32) bytes[0] << 16 | load16 (bytes + 1);
}

static void
skip (Rest *rest, gsize n)
{
  rest->at += n;
  rest->have -= n;
  rest->real -= n;
}

/* Why n bytes are not there: IB_FRAME_MAD if they are. */
static IbFrameKind
need (const Rest *rest, gsize n)
{
  if (rest->have >= n)
    return IB_FRAME_MAD;
  return rest->real >= n ? IB_FRAME_CUT : IB_FRAME_MALFORMED;
}

#define NEED(rest, n) \
  do { \
    IbFrameKind needed_ = need (rest, n); \
    if (needed_ != IB_FRAME_MAD) \
      return needed_; \
  } while (0)

/* ----- transport ----- */

/* rest: from the BTH on, up to and with the ICRC. */
static IbFrameKind
parse_transport (Rest rest, IbFrame *frame)
{
  enum { MAD_PACKET = BTH + DETH + IB_MAD_BYTES + ICRC };

  NEED (&rest, BTH);
  if (rest.at[0] != IB_OPCODE_UD_SEND || load24 (rest.at + 5) != 1)
    return IB_FRAME_DATA;
  if ((rest.at[1] & 0x0f) != 0 || rest.real != MAD_PACKET)
    return IB_FRAME_MALFORMED;
  NEED (&rest, MAD_PACKET);
  frame->psn = load24 (rest.at + 9);
  frame->mad = rest.at + BTH + DETH;
  return IB_FRAME_MAD;
}

/* The packet may be shorter than the frame that carries it, not longer. */
static IbFrameKind
limit (Rest *rest, gsize n)
{
  if (n > rest->real)
    return IB_FRAME_MALFORMED;
  rest->real = n;
  rest->have = MIN (rest->have, n);
  return IB_FRAME_MAD;
}

#define LIMIT(rest, n) \
  do { \
    IbFrameKind limited_ = limit (rest, n); \
    if (limited_ != IB_FRAME_MAD) \
      return limited_; \
  } while (0)

/* ----- RoCEv2 ----- */

static IbFrameKind
parse_udp (Rest rest, IbFrame *frame)
{
  guint length;

  NEED (&rest, UDP);
  length = load16 (rest.at + 4);
  if (length < UDP)
    return IB_FRAME_MALFORMED;
  LIMIT (&rest, length);
  skip (&rest, UDP);
  return parse_transport (rest, frame);
}

static void
address_from_ipv4 (const guint8 *ip, IbAddress *address)
{
  memset (address->bytes, 0, 10);
  address->bytes[10] = address->bytes[11] = 0xff;
  memcpy (address->bytes + 12, ip, 4);
}

/* A UDP packet that is not for RoCEv2 is nobody's business here, however odd it is. */
static IbFrameKind
check_udp (const Rest *rest, gsize header)
{
  NEED (rest, header + UDP);
  return load16 (rest->at + header + 2) == IB_ROCE_UDP_PORT ? IB_FRAME_MAD : IB_FRAME_OTHER;
}

/* RoCEv2 allows no IP options (annex A17.3.1). */
static IbFrameKind
parse_ipv4 (Rest rest, IbFrame *frame)
{
  IbFrameKind kind;
  guint length;

  NEED (&rest, IPV4);
  if (rest.at[0] != 0x45 || rest.at[9] != PROTOCOL_UDP || load16 (rest.at + 6) & 0x1fff)
    return IB_FRAME_OTHER; /* among them the later fragments of a packet */
  kind = check_udp (&rest, IPV4);
  if (kind != IB_FRAME_MAD)
    return kind;
  if (load16 (rest.at + 6) & 0x2000)
    return IB_FRAME_FRAGMENT;
  length = load16 (rest.at + 2);
  if (length < IPV4 + UDP)
    return IB_FRAME_MALFORMED;
  LIMIT (&rest, length);
  frame->packet = rest.at;
  frame->network = IB_NETWORK_IPV4_UDP;
  address_from_ipv4 (rest.at + 12, &frame->source);
  address_from_ipv4 (rest.at + 16, &frame->destination);
  skip (&rest, IPV4);
  return parse_udp (rest, frame);
}

static void
take_gids (const guint8 *header, IbFrame *frame)
{
  memcpy (frame->source.bytes, header + 8, sizeof frame->source.bytes);
  memcpy (frame->destination.bytes, header + 24, sizeof frame->destination.bytes);
}

static IbFrameKind
parse_ipv6 (Rest rest, IbFrame *frame)
{
  IbFrameKind kind;

  NEED (&rest, IPV6);
  if (rest.at[0] >> 4 != 6 || rest.at[6] != PROTOCOL_UDP)
    return IB_FRAME_OTHER;
  kind = check_udp (&rest, IPV6);
  if (kind != IB_FRAME_MAD)
    return kind;
  LIMIT (&rest, (gsize) IPV6 + load16 (rest.at + 4));
  frame->packet = rest.at;
  frame->network = IB_NETWORK_IPV6_UDP;
  take_gids (rest.at, frame);
  skip (&rest, IPV6);
  return parse_udp (rest, frame);
}

/* ----- GRH and LRH ----- */

/* packet: where the network header begins. */
static IbFrameKind
parse_grh (Rest rest, const guint8 *packet, IbNetwork network, IbFrame *frame)
{
  NEED (&rest, GRH);
  if (rest.at[0] >> 4 != 6)
    return IB_FRAME_MALFORMED;
  if (rest.at[6] != NEXT_BTH)
    return IB_FRAME_OTHER;
  LIMIT (&rest, (gsize) GRH + load16 (rest.at + 4));
  frame->packet = packet;
  frame->network = network;
  take_gids (rest.at, frame);
  skip (&rest, GRH);
  return parse_transport (rest, frame);
}

static IbFrameKind
parse_lrh (Rest rest, IbFrame *frame)
{
  const guint8 *packet = rest.at;
  guint next, words;

  NEED (&rest, LRH);
  next = rest.at[1] & 0x03u;
  words = load16 (rest.at + 4) & 0x07ffu;
  if ((rest.at[0] & 0x0f) != 0 || words * 4 < LRH)
    return IB_FRAME_MALFORMED;
  if (next < 2)
    return IB_FRAME_OTHER; /* raw packets */
  LIMIT (&rest, words * 4);
  if (next == 3) {
    skip (&rest, LRH);
    return parse_grh (rest, packet, IB_NETWORK_LRH_GRH, frame);
  }
  frame->packet = packet;
  frame->network = IB_NETWORK_LRH;
  ib_address_from_lid ((guint16) load16 (rest.at + 6), &frame->source);
  ib_address_from_lid ((guint16) load16 (rest.at + 2), &frame->destination);
  skip (&rest, LRH);
  return parse_transport (rest, frame);
}

/* ----- links ----- */

static IbFrameKind
parse_type (guint type, Rest rest, IbFrame *frame)
{
  /* 802.1Q, 802.1ad, and the old number of the latter */
  while (type == 0x8100 || type == 0x88a8 || type == 0x9100) {
    NEED (&rest, VLAN);
    type = load16 (rest.at + 2);
    skip (&rest, VLAN);
  }
  switch (type) {
  case TYPE_IPV4:
    return parse_ipv4 (rest, frame);
  case TYPE_IPV6:
    return parse_ipv6 (rest, frame);
  case TYPE_ROCE:
    return parse_grh (rest, rest.at, IB_NETWORK_GRH, frame);
  }
  return IB_FRAME_OTHER;
}

/* The header of a link: its length, and where the type of what follows stands. */
static IbFrameKind
parse_link (Rest rest, gsize header, gsize type_at, IbFrame *frame)
{
  guint type;

  NEED (&rest, header);
  type = load16 (rest.at + type_at);
  skip (&rest, header);
  return parse_type (type, rest, frame);
}

/* A record has extension headers as long as the top bit says so (Endace, "Extensible
 * Record Format"). */
static IbFrameKind
parse_erf (Rest rest, IbFrame *frame)
{
  enum { MORE = 0x80, TYPE_ETHERNET = 2, TYPE_INFINIBAND = 21 };
  guint type, length;
  gboolean more;

  NEED (&rest, ERF);
  type = rest.at[8] & ~(guint) MORE;
  more = (rest.at[8] & MORE) != 0;
  length = load16 (rest.at + 14); /* on the wire */
  skip (&rest, ERF);
  while (more) {
    NEED (&rest, ERF_EXTENSION);
    more = (rest.at[0] & MORE) != 0;
    skip (&rest, ERF_EXTENSION);
  }
  if (type == TYPE_ETHERNET) {
    NEED (&rest, 2); /* alignment */
    skip (&rest, 2);
    rest.real = MAX (rest.have, length);
    return parse_link (rest, ETHERNET, 12, frame);
  }
  rest.real = MAX (rest.have, length);
  return type == TYPE_INFINIBAND ? parse_lrh (rest, frame) : IB_FRAME_OTHER;
}

static IbFrameKind
parse_ip (Rest rest, IbFrame *frame)
{
  NEED (&rest, 1);
  switch (rest.at[0] >> 4) {
  case 4:
    return parse_ipv4 (rest, frame);
  case 6:
    return parse_ipv6 (rest, frame);
  }
  return IB_FRAME_OTHER;
}

IbFrameKind
ib_frame_parse (IbLink link, const guint8 *bytes, gsize captured, gsize length,
                IbFrame *ret_frame)
{
  Rest rest = { .at = bytes, .have = captured, .real = MAX (captured, length) };

  switch (link) {
  case IB_LINK_ETHERNET:
    return parse_link (rest, ETHERNET, 12, ret_frame);
  case IB_LINK_COOKED:
    return parse_link (rest, COOKED, 14, ret_frame);
  case IB_LINK_COOKED2:
    return parse_link (rest, COOKED2, 0, ret_frame);
  case IB_LINK_IP:
    return parse_ip (rest, ret_frame);
  case IB_LINK_ERF:
    return parse_erf (rest, ret_frame);
  case IB_LINK_LRH:
    return parse_lrh (rest, ret_frame);
  }
  g_assert_not_reached ();
}

gboolean
ib_frame_icrc_is_good (const IbFrame *frame, const IbCrc *crc)
{
  const guint8 *icrc = frame->mad + IB_MAD_BYTES;
  guint32 found = (guint32) icrc[0] | (guint32) icrc[1] << 8 | (guint32) icrc[2] << 16 |
                  (guint32) icrc[3] << 24;

  return ib_icrc (crc, frame->network, frame->packet, (gsize) (icrc - frame->packet)) == found;
}

/* ----- addresses ----- */

void
ib_address_from_lid (guint16 lid, IbAddress *ret_address)
{
  memset (ret_address->bytes, 0, 14);
  ret_address->bytes[14] = (guint8) (lid >> 8);
  ret_address->bytes[15] = (guint8) lid;
}

gboolean
ib_address_is_lid (const IbAddress *address)
{
  for (guint i = 0; i < 14; i++)
    if (address->bytes[i])
      return FALSE;
  return TRUE;
}

/* The longest run of zero groups from two on, for "::" (RFC 5952); its length, 0 if none. */
static guint
longest_zeros (const guint8 *bytes, guint *ret_start)
{
  guint best = 1;

  for (guint i = 0; i < 8; i++) {
    guint n = 0;

    while (i + n < 8 && load16 (bytes + 2 * (i + n)) == 0)
      n++;
    if (n > best) {
      best = n;
      *ret_start = i;
    }
  }
  return best > 1 ? best : 0;
}

const char *
ib_address_text (const IbAddress *address, char *buf, gsize size)
{
  static const guint8 mapped[12] = { [10] = 0xff, [11] = 0xff };
  const guint8 *b = address->bytes;
  guint start = 8, zeros;
  gsize n = 0;

  if (ib_address_is_lid (address)) {
    g_snprintf (buf, size, "lid %u", load16 (b + 14));
    return buf;
  }
  if (memcmp (b, mapped, sizeof mapped) == 0) {
    g_snprintf (buf, size, "%u.%u.%u.%u", b[12], b[13], b[14], b[15]);
    return buf;
  }
  g_assert (size >= IB_ADDRESS_TEXT_BYTES);
  zeros = longest_zeros (b, &start);
  for (guint i = 0; i < 8; i++) {
    if (zeros && i == start) {
      n += (gsize) g_snprintf (buf + n, size - n, "::");
      i += zeros - 1;
      continue;
    }
    n += (gsize) g_snprintf (buf + n, size - n, "%s%x", i > 0 && i != start + zeros ? ":" : "",
                             load16 (b + 2 * i));
  }
  return buf;
}

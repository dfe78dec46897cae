/* Building frames, and the tables of their headers. */
#include "ib_packet.h"

#include <string.h>

#define ROWS(variable, FIELDS) \
  static const IbField variable[] = { FIELDS (IB_ROW_N, IB_ROW_A, IB_ROW_R) }
#define LAYOUT(name_, rows_, title_, source_, bytes_) \
  { .name = name_, .title = title_, .source = source_, .bytes = bytes_, .fields = rows_, \
    .n_fields = G_N_ELEMENTS (rows_) }

#define IB_STRUCT IbLrh
ROWS (lrh_rows, IB_LRH_FIELDS);
#undef IB_STRUCT
#define IB_STRUCT IbGrh
ROWS (grh_rows, IB_GRH_FIELDS);
#undef IB_STRUCT
#define IB_STRUCT IbBth
ROWS (bth_rows, IB_BTH_FIELDS);
#undef IB_STRUCT
#define IB_STRUCT IbDeth
ROWS (deth_rows, IB_DETH_FIELDS);
#undef IB_STRUCT

enum { ETHERNET = 14, IPV4 = 20, UDP = 8 };
enum { LRH = 8, GRH = 40, BTH = 12, DETH = 8, ICRC = 4, VCRC = 2 };

const IbLayout ib_lrh_layout
    = LAYOUT ("LRH", lrh_rows, "local routing header", "IBTA vol. 1, 7.7", LRH);
const IbLayout ib_grh_layout
    = LAYOUT ("GRH", grh_rows, "global routing header", "IBTA vol. 1, 8.3", GRH);
const IbLayout ib_bth_layout
    = LAYOUT ("BTH", bth_rows, "base transport header", "IBTA vol. 1, 9.2", BTH);
const IbLayout ib_deth_layout = LAYOUT ("DETH", deth_rows, "datagram extended transport header",
                                        "IBTA vol. 1, 9.3.2", DETH);

/* ----- pieces ----- */

static void
store16 (guint8 *bytes, guint value)
{
  bytes[0] = (guint8) (value >> 8);
  bytes[1] = (guint8) value;
}

/* RFC 1071, of a header whose checksum is still 0. */
static guint
ip_checksum (const guint8 *header)
{
  guint32 sum = 0;

  for (guint i = 0; i < IPV4; i += 2)
    sum += (guint32) header[i] << 8 | header[i + 1];
  sum = (sum & 0xffff) + (sum >> 16);
  sum += sum >> 16;
  return ~sum & 0xffff;
}

/* BTH, DETH, MAD and ICRC behind a network header that stands already. */
static void
put_transport (const IbCrc *crc, IbNetwork network, guint32 psn, gboolean ack_request,
               const guint8 *mad, guint8 *packet)
{
  guint8 *at = packet + ib_network_bytes (network);
  IbBth bth = { .opcode = IB_OPCODE_UD_SEND,
                .pkey = 0xffff,
                .qpn = 1,
                .ack_request = (guint8) ack_request,
                .psn = psn };
  IbDeth deth = { .qkey = IB_QP1_QKEY, .source_qpn = 1 };
  guint32 icrc;

  ib_layout_encode (&ib_bth_layout, &bth, at);
  ib_layout_encode (&ib_deth_layout, &deth, at + BTH);
  at += BTH + DETH;
  memcpy (at, mad, IB_MAD_BYTES);
  at += IB_MAD_BYTES;
  icrc = ib_icrc (crc, network, packet, (gsize) (at - packet));
  for (guint i = 0; i < ICRC; i++, icrc >>= 8)
    at[i] = (guint8) icrc;
}

/* Linux takes the source port from the sender's QPN (rxe_qp.c: hash_32 (1, 14) of QP 1),
 * not from the flow label. */
#define UDP_SOURCE_PORT 0xd872

static void
put_ip_udp (const IbCmRoute *route, guint32 psn, guint8 *ip)
{
  enum { LENGTH = UDP + BTH + DETH + IB_MAD_BYTES + ICRC };
  static const guint8 start[IPV4] = { [0] = 0x45, [6] = 0x40, [8] = 64, [9] = 17 };

  memcpy (ip, start, sizeof start);
  store16 (ip + 2, IPV4 + LENGTH);
  store16 (ip + 4, psn & 0xffff); /* identification: any that differs */
  memcpy (ip + 12, route->source.ip + 12, 4);
  memcpy (ip + 16, route->destination.ip + 12, 4);
  store16 (ip + 10, ip_checksum (ip));
  store16 (ip + IPV4, UDP_SOURCE_PORT);
  store16 (ip + IPV4 + 2, IB_ROCE_UDP_PORT);
  store16 (ip + IPV4 + 4, LENGTH);
  store16 (ip + IPV4 + 6, 0);
}

static void
put_mac (const IbEnd *end, guint8 *mac)
{
  mac[0] = 0x52; /* locally administered, as QEMU's */
  mac[1] = 0x54;
  memcpy (mac + 2, end->ip + 12, 4);
}

void
ib_frame_build_roce (const IbCrc *crc, const IbCmRoute *route, guint32 psn, const guint8 *mad,
                     guint8 *frame)
{
  put_mac (&route->destination, frame);
  put_mac (&route->source, frame + 6);
  store16 (frame + 12, 0x0800);
  put_ip_udp (route, psn, frame + ETHERNET);
  put_transport (crc, IB_NETWORK_IPV4_UDP, psn, TRUE, mad, frame + ETHERNET);
}

void
ib_frame_build_native (const IbCrc *crc, const IbCmRoute *route, guint32 psn, const guint8 *mad,
                       guint8 *frame)
{
  enum { TO_ICRC = LRH + BTH + DETH + IB_MAD_BYTES + ICRC };
  IbLrh lrh = { .sl = route->sl,
                .next = 2,
                .dlid = route->destination.lid,
                .words = TO_ICRC / 4,
                .slid = route->source.lid };

  G_STATIC_ASSERT (TO_ICRC + VCRC == IB_FRAME_NATIVE_BYTES);
  ib_layout_encode (&ib_lrh_layout, &lrh, frame);
  put_transport (crc, IB_NETWORK_LRH, psn, FALSE, mad, frame);
  memset (frame + TO_ICRC, 0, VCRC);
}

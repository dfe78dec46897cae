/* Reflected CRC-32, sliced by sixteen, and what the invariant CRC masks. */
#include "ib_crc.h"

#include <string.h>

#define POLYNOMIAL 0xedb88320u /* 0x04c11db7 with its bits reversed */

void
ib_crc_init (IbCrc *crc)
{
  for (guint i = 0; i < 256; i++) {
    guint32 value = i;

    for (guint bit = 0; bit < 8; bit++)
      value = value & 1 ? value >> 1 ^ POLYNOMIAL : value >> 1;
    crc->table[0][i] = value;
  }
  for (guint k = 1; k < 16; k++)
    for (guint i = 0; i < 256; i++) {
      guint32 before = crc->table[k - 1][i];

      crc->table[k][i] = before >> 8 ^ crc->table[0][before & 0xff];
    }
}

static guint32
load_le (const guint8 *bytes)
{
  return (guint32) bytes[0] | (guint32) bytes[1] << 8 | (guint32) bytes[2] << 16 |
         (guint32) bytes[3] << 24;
}

/* What a word of four bytes adds that stand k places before the end of sixteen. */
static inline guint32
slice (const guint32 (*t)[256], guint32 word)
{
  return t[3][word & 0xff] ^ t[2][word >> 8 & 0xff] ^ t[1][word >> 16 & 0xff] ^ t[0][word >> 24];
}

guint32
ib_crc_update (const IbCrc *crc, guint32 state, const guint8 *bytes, gsize n)
{
  const guint32 (*t)[256] = crc->table;

  for (; n >= 16; n -= 16, bytes += 16) {
    guint32 first = state ^ load_le (bytes), second = load_le (bytes + 4);
    guint32 third = load_le (bytes + 8), fourth = load_le (bytes + 12);

    state = slice (t + 12, first);
    if (second | third | fourth) /* much of a MAD is zeros, which add nothing */
      state ^= slice (t + 8, second) ^ slice (t + 4, third) ^ slice (t, fourth);
  }
  for (; n > 0; n--, bytes++)
    state = state >> 8 ^ t[0][(state ^ *bytes) & 0xff];
  return state;
}

/* ----- invariant CRC ----- */

enum { LRH = 8, GRH = 40, IPV4 = 20, IPV6 = 40, UDP = 8, BTH = 12 };

guint
ib_network_bytes (IbNetwork network)
{
  switch (network) {
  case IB_NETWORK_LRH:
    return LRH;
  case IB_NETWORK_LRH_GRH:
    return LRH + GRH;
  case IB_NETWORK_GRH:
    return GRH;
  case IB_NETWORK_IPV4_UDP:
    return IPV4 + UDP;
  case IB_NETWORK_IPV6_UDP:
    return IPV6 + UDP;
  }
  g_assert_not_reached ();
}

/* Traffic class, flow label and hop limit; IPv6 and GRH have one shape. */
static void
mask_ipv6 (guint8 *header)
{
  header[0] |= 0x0f;
  header[1] = header[2] = header[3] = 0xff;
  header[7] = 0xff;
}

static void
mask_ipv4 (guint8 *header)
{
  header[1] = 0xff;               /* type of service */
  header[8] = 0xff;               /* time to live */
  header[10] = header[11] = 0xff; /* checksum */
}

static void
mask_udp (guint8 *header)
{
  header[6] = header[7] = 0xff; /* checksum */
}

/* headers: 8 bytes of ones in the place of the LRH, then a copy of the packet's. */
static void
mask_network (IbNetwork network, guint8 *headers)
{
  guint8 *packet = headers + LRH;

  switch (network) {
  case IB_NETWORK_LRH:
    packet[0] |= 0xf0; /* virtual lane */
    return;
  case IB_NETWORK_LRH_GRH:
    memset (packet, 0xff, LRH);
    mask_ipv6 (packet + LRH);
    return;
  case IB_NETWORK_GRH:
    mask_ipv6 (packet);
    return;
  case IB_NETWORK_IPV4_UDP:
    mask_ipv4 (packet);
    mask_udp (packet + IPV4);
    return;
  case IB_NETWORK_IPV6_UDP:
    mask_ipv6 (packet);
    mask_udp (packet + IPV6);
    return;
  }
  g_assert_not_reached ();
}

guint32
ib_icrc (const IbCrc *crc, IbNetwork network, const guint8 *packet, gsize n)
{
  guint8 headers[LRH + LRH + GRH + BTH];
  guint length = ib_network_bytes (network) + BTH;
  gboolean own_lrh = network == IB_NETWORK_LRH || network == IB_NETWORK_LRH_GRH;
  guint skip = own_lrh ? LRH : 0;
  guint32 state;

  g_assert (n >= length);
  memset (headers, 0xff, LRH);
  memcpy (headers + LRH, packet, length);
  mask_network (network, headers);
  headers[LRH + length - BTH + 4] = 0xff; /* BTH: congestion marks */
  state = ib_crc_update (crc, IB_CRC_START, headers + skip, LRH - skip + length);
  return ~ib_crc_update (crc, state, packet + length, n - length);
}

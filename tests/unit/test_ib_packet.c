/* Frames: checksums against known ones, builders against the parser, and frames that lie
 * about their lengths. */
#include <string.h>

#include "ib_packet.h"
#include "test_sim.h"

static IbCrc crc;

static void
setup (void)
{
  ib_crc_init (&crc);
}

static const IbCmRoute route = {
  .source = { .gid = { 0xfe, 0x80, [15] = 1 }, .ip = { [12] = 10, 9, 0, 1 }, .lid = 3 },
  .destination = { .gid = { 0xfe, 0x80, [15] = 2 }, .ip = { [12] = 10, 9, 0, 2 }, .lid = 4 },
};

/* The RTU of a Linux host, as it went over the wire: RoCEv2, from the IP header on. */
static const char rtu_hex[] = "45000134a837400040117d6d0a0900010a090002d87212b701200000"
                              "6400ffff00000001800000018001000000000001"
                              "01070203000000000000000204976b730014000000000000"
                              "736b97044fcde21d";
static const guint8 rtu_icrc[4] = { 0x42, 0xf3, 0x4e, 0x61 };

static void
roce_rtu (guint8 *frame)
{
  static const guint8 ethernet[14] = { 0x52, 0x54, 0, 0xaa, 0, 2, 0x52, 0x54, 0, 0xaa, 0, 1, 8, 0 };

  memset (frame, 0, IB_FRAME_ROCE_BYTES);
  memcpy (frame, ethernet, sizeof ethernet);
  for (gsize i = 0; i < strlen (rtu_hex) / 2; i++)
    frame[14 + i] = (guint8) (g_ascii_xdigit_value (rtu_hex[2 * i]) << 4 |
                              g_ascii_xdigit_value (rtu_hex[2 * i + 1]));
  memcpy (frame + 318, rtu_icrc, 4);
}

/* The check value of CRC-32/ISO-HDLC, whole and in pieces. */
START_TEST (crc_of_the_digits)
{
  const guint8 *digits = (const guint8 *) "123456789";

  ck_assert_uint_eq (~ib_crc_update (&crc, IB_CRC_START, digits, 9), 0xcbf43926);
  for (gsize i = 0; i <= 9; i++) {
    guint32 state = ib_crc_update (&crc, IB_CRC_START, digits, i);

    ck_assert_uint_eq (~ib_crc_update (&crc, state, digits + i, 9 - i), 0xcbf43926);
  }
}
END_TEST

/* A bit at a time, as the polynomial says; with stretches of zeros as MADs have them. */
START_TEST (crc_of_longer_data)
{
  SimStream stream = test_stream ("crc");
  guint8 bytes[300];

  for (guint round = 0; round < 200; round++) {
    gsize n = sim_stream_below (&stream, sizeof bytes + 1);
    guint32 state = 0xffffffff;

    for (gsize i = 0; i < n; i++) {
      bytes[i] = i / 20 % 2 ? 0 : (guint8) sim_stream_next (&stream);
      for (guint bit = 0; bit < 8; bit++)
        state = state >> 1 ^ (((state ^ (guint32) bytes[i] >> bit) & 1) ? 0xedb88320 : 0);
    }
    ck_assert_uint_eq (ib_crc_update (&crc, IB_CRC_START, bytes, n), state);
  }
}
END_TEST

START_TEST (captured_frame)
{
  guint8 frame[IB_FRAME_ROCE_BYTES];
  char text[IB_ADDRESS_TEXT_BYTES];
  IbFrame parsed;

  roce_rtu (frame);
  ck_assert_int_eq (ib_frame_parse (IB_LINK_ETHERNET, frame, sizeof frame, sizeof frame, &parsed),
                    IB_FRAME_MAD);
  ck_assert_ptr_eq (parsed.mad, frame + 62);
  ck_assert_int_eq (parsed.network, IB_NETWORK_IPV4_UDP);
  ck_assert_uint_eq (parsed.psn, 1);
  ck_assert_str_eq (ib_address_text (&parsed.source, text, sizeof text), "10.9.0.1");
  ck_assert_str_eq (ib_address_text (&parsed.destination, text, sizeof text), "10.9.0.2");
  ck_assert (ib_frame_icrc_is_good (&parsed, &crc));
  frame[100] ^= 1;
  ck_assert (!ib_frame_icrc_is_good (&parsed, &crc));
}
END_TEST

/* What a router may change does not spoil the invariant CRC; what it may not, does. */
START_TEST (icrc_leaves_out_what_routers_change)
{
  static const guint free_bytes[] = { 15, 22, 24, 25, 40, 41, 46 };
  static const guint bound_bytes[] = { 14, 17, 26, 33, 34, 42, 45, 53, 62, 317 };
  guint8 frame[IB_FRAME_ROCE_BYTES];
  IbFrame parsed;

  roce_rtu (frame);
  ib_frame_parse (IB_LINK_ETHERNET, frame, sizeof frame, sizeof frame, &parsed);
  for (guint i = 0; i < G_N_ELEMENTS (free_bytes); i++) {
    frame[free_bytes[i]] ^= 0x5a;
    ck_assert (ib_frame_icrc_is_good (&parsed, &crc));
  }
  for (guint i = 0; i < G_N_ELEMENTS (bound_bytes); i++) {
    frame[bound_bytes[i]] ^= 0x08;
    ck_assert (!ib_frame_icrc_is_good (&parsed, &crc));
    frame[bound_bytes[i]] ^= 0x08;
  }
}
END_TEST

/* The builder makes the captured frame but for the MACs and the IP identification, which
 * have no meaning; the ICRC covers the identification, so it is compared with that set. */
START_TEST (built_roce_frame_is_the_captured_one)
{
  guint8 frame[IB_FRAME_ROCE_BYTES], built[IB_FRAME_ROCE_BYTES];
  IbFrame parsed;

  roce_rtu (frame);
  ib_frame_build_roce (&crc, &route, 1, frame + 62, built);
  ck_assert_int_eq (ib_frame_parse (IB_LINK_ETHERNET, built, sizeof built, sizeof built, &parsed),
                    IB_FRAME_MAD);
  ck_assert (ib_frame_icrc_is_good (&parsed, &crc));
  memcpy (built, frame, 12);
  memcpy (built + 18, frame + 18, 2); /* identification */
  memcpy (built + 24, frame + 24, 2); /* checksum */
  ck_assert_mem_eq (built, frame, 318);
  ck_assert_uint_eq (~ib_icrc (&crc, IB_NETWORK_IPV4_UDP, built + 14, 304) & 0xff,
                     ~(guint) rtu_icrc[0] & 0xff);
}
END_TEST

/* A checksum written down by the sender of the captured frame. */
START_TEST (ip_header_adds_up)
{
  guint8 built[IB_FRAME_ROCE_BYTES], mad[IB_MAD_BYTES] = { 1 };
  guint32 sum = 0;

  ib_frame_build_roce (&crc, &route, 0xa837, mad, built);
  for (guint i = 14; i < 34; i += 2)
    sum += (guint32) built[i] << 8 | built[i + 1];
  ck_assert_uint_eq ((sum & 0xffff) + (sum >> 16), 0xffff);
  ck_assert_uint_eq (built[24] << 8 | built[25], 0x7d6d); /* as captured with this number */
}
END_TEST

START_TEST (built_native_frame)
{
  guint8 frame[IB_FRAME_NATIVE_BYTES], mad[IB_MAD_BYTES] = { 1, 7, 2, 3 };
  char text[IB_ADDRESS_TEXT_BYTES];
  IbFrame parsed;

  ib_frame_build_native (&crc, &route, 77, mad, frame);
  ck_assert_uint_eq (frame[1] & 3, 2);
  ck_assert_uint_eq (frame[4] << 8 | frame[5], 72); /* words of a CM MAD */
  ck_assert_int_eq (ib_frame_parse (IB_LINK_LRH, frame, sizeof frame, sizeof frame, &parsed),
                    IB_FRAME_MAD);
  ck_assert_uint_eq (parsed.psn, 77);
  ck_assert_mem_eq (parsed.mad, mad, sizeof mad);
  ck_assert (ib_address_is_lid (&parsed.source));
  ck_assert_str_eq (ib_address_text (&parsed.source, text, sizeof text), "lid 3");
  ck_assert (ib_frame_icrc_is_good (&parsed, &crc));
  frame[0] ^= 0xf0; /* the virtual lane is a hop's */
  ck_assert (ib_frame_icrc_is_good (&parsed, &crc));
  frame[1] ^= 0x10; /* without a GRH the service level is covered */
  ck_assert (!ib_frame_icrc_is_good (&parsed, &crc));
}
END_TEST

/* ----- other encapsulations, built by hand around the same transport packet ----- */

enum { TRANSPORT = 12 + 8 + 256 + 4 };

static gsize
ipv6_frame (guint8 *frame)
{
  guint8 inner[IB_FRAME_ROCE_BYTES];
  guint length = 8 + TRANSPORT;

  roce_rtu (inner);
  memcpy (frame, inner, 12);
  memcpy (frame + 12, (guint8[]){ 0x81, 0, 0, 5, 0x86, 0xdd }, 6); /* VLAN 5 */
  memset (frame + 18, 0, 40);
  frame[18] = 0x60;
  frame[22] = (guint8) (length >> 8);
  frame[23] = (guint8) length;
  frame[24] = 17;
  frame[25] = 64;
  frame[26] = 0xfe;
  frame[27] = 0x80;
  frame[41] = 1;
  frame[42] = 0xfe;
  frame[43] = 0x80;
  frame[57] = 2;
  memcpy (frame + 58, inner + 34, 8 + TRANSPORT);
  return 58 + 8 + TRANSPORT;
}

START_TEST (ipv6_in_a_vlan)
{
  guint8 frame[400];
  char text[IB_ADDRESS_TEXT_BYTES];
  gsize n = ipv6_frame (frame);
  IbFrame parsed;

  ck_assert_int_eq (ib_frame_parse (IB_LINK_ETHERNET, frame, n, n, &parsed), IB_FRAME_MAD);
  ck_assert_int_eq (parsed.network, IB_NETWORK_IPV6_UDP);
  ck_assert_str_eq (ib_address_text (&parsed.source, text, sizeof text), "fe80::1");
  ck_assert_uint_eq (parsed.mad[17], 0x14);
}
END_TEST

static gsize
grh_packet (guint8 *packet)
{
  guint8 inner[IB_FRAME_ROCE_BYTES];

  roce_rtu (inner);
  memset (packet, 0, 40);
  packet[0] = 0x60;
  packet[4] = TRANSPORT >> 8;
  packet[5] = TRANSPORT & 0xff;
  packet[6] = 0x1b;
  packet[8] = 0xfe;
  packet[23] = 1;
  packet[24] = 0xfe;
  packet[39] = 2;
  memcpy (packet + 40, inner + 42, TRANSPORT);
  return 40 + TRANSPORT;
}

START_TEST (roce_v1)
{
  guint8 frame[400] = { [12] = 0x89, [13] = 0x15 };
  gsize n = 14 + grh_packet (frame + 14);
  IbFrame parsed;

  ck_assert_int_eq (ib_frame_parse (IB_LINK_ETHERNET, frame, n, n, &parsed), IB_FRAME_MAD);
  ck_assert_int_eq (parsed.network, IB_NETWORK_GRH);
  ck_assert_ptr_eq (parsed.packet, frame + 14);
  ck_assert_uint_eq (parsed.source.bytes[0], 0xfe);
  ck_assert_uint_eq (parsed.mad[17], 0x14);
  ck_assert_uint_eq (n, 334);
}
END_TEST

/* A record with one extension header, around LRH and GRH. */
START_TEST (erf_with_extension_and_grh)
{
  enum { WORDS = (8 + 40 + TRANSPORT) / 4 };
  guint8 frame[400] = { [8] = 0x80 | 21 };
  guint8 *lrh = frame + 24;
  gsize n = 24 + 8 + grh_packet (lrh + 8);
  IbFrame parsed;

  lrh[1] = 3;
  lrh[5] = WORDS & 0xff;
  lrh[4] = WORDS >> 8;
  frame[14] = (guint8) ((n - 24) >> 8);
  frame[15] = (guint8) (n - 24);
  ck_assert_int_eq (ib_frame_parse (IB_LINK_ERF, frame, n, n, &parsed), IB_FRAME_MAD);
  ck_assert_int_eq (parsed.network, IB_NETWORK_LRH_GRH);
  ck_assert_ptr_eq (parsed.packet, lrh);
  frame[8] = 0x80 | 1; /* another type of record */
  ck_assert_int_eq (ib_frame_parse (IB_LINK_ERF, frame, n, n, &parsed), IB_FRAME_OTHER);
}
END_TEST

START_TEST (other_links)
{
  guint8 frame[400] = { 0 }, roce[IB_FRAME_ROCE_BYTES];
  IbFrame parsed;

  roce_rtu (roce);
  memcpy (frame + 16, roce + 14, 308);
  frame[14] = 8;
  ck_assert_int_eq (ib_frame_parse (IB_LINK_COOKED, frame, 324, 324, &parsed), IB_FRAME_MAD);
  memcpy (frame + 20, roce + 14, 308);
  frame[0] = 8;
  ck_assert_int_eq (ib_frame_parse (IB_LINK_COOKED2, frame, 328, 328, &parsed), IB_FRAME_MAD);
  ck_assert_int_eq (ib_frame_parse (IB_LINK_IP, roce + 14, 308, 308, &parsed), IB_FRAME_MAD);
  ck_assert_int_eq (ib_frame_parse (IB_LINK_IP, frame, 0, 0, &parsed), IB_FRAME_MALFORMED);
}
END_TEST

/* ----- frames that are something else, or lie ----- */

START_TEST (what_is_not_a_mad)
{
  guint8 frame[IB_FRAME_ROCE_BYTES];
  IbFrame parsed;
  static const struct {
    guint byte;
    guint8 value;
    IbFrameKind kind;
  } rows[] = {
    { 12, 0x07, IB_FRAME_OTHER },     { 14, 0x46, IB_FRAME_OTHER },
    { 20, 0x20, IB_FRAME_FRAGMENT },  { 21, 0x10, IB_FRAME_OTHER },
    { 23, 6, IB_FRAME_OTHER },        { 37, 0xb8, IB_FRAME_OTHER },
    { 42, 0x04, IB_FRAME_DATA },      { 49, 2, IB_FRAME_DATA },
    { 43, 0x01, IB_FRAME_MALFORMED }, { 16, 0x02, IB_FRAME_MALFORMED },
    { 16, 0x00, IB_FRAME_MALFORMED }, { 38, 0x00, IB_FRAME_MALFORMED },
    { 38, 0x02, IB_FRAME_MALFORMED },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    roce_rtu (frame);
    frame[rows[i].byte] = rows[i].value;
    ck_assert_msg (ib_frame_parse (IB_LINK_ETHERNET, frame, sizeof frame, sizeof frame, &parsed)
                       == rows[i].kind,
                   "byte %u = 0x%02x", rows[i].byte, rows[i].value);
  }
}
END_TEST

/* Cut by the capture: said; cut by the sender: malformed; and never read beyond. */
START_TEST (frames_cut_anywhere)
{
  guint8 whole[400], frame[IB_FRAME_ROCE_BYTES];
  gsize sizes[] = { sizeof frame, ipv6_frame (whole) };
  IbFrame parsed;

  roce_rtu (frame);
  for (guint kind = 0; kind < 2; kind++)
    for (gsize n = 0; n < sizes[kind]; n++) {
      g_autofree guint8 *exact = g_memdup2 (kind == 0 ? frame : whole, n);
      IbFrameKind cut = ib_frame_parse (IB_LINK_ETHERNET, exact, n, sizes[kind], &parsed);
      IbFrameKind torn = ib_frame_parse (IB_LINK_ETHERNET, exact, n, n, &parsed);

      ck_assert_int_eq (cut, IB_FRAME_CUT);
      ck_assert_int_eq (torn, IB_FRAME_MALFORMED);
    }
}
END_TEST

START_TEST (addresses_as_text)
{
  static const struct {
    guint8 bytes[16];
    const char *text;
  } rows[] = {
    { { [14] = 0x12, [15] = 0x34 }, "lid 4660" },
    { { [10] = 0xff, [11] = 0xff, 192, 0, 2, 1 }, "192.0.2.1" },
    { { 0x20, 0x01, 0x0d, 0xb8, [15] = 1 }, "2001:db8::1" },
    { { 0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1 }, "2001:db8:0:1:1:1:1:1" },
    { { 0xfe, 0x80 }, "fe80::" },
    { { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 }, "::100:0" },
    { { 0x20, 0x01, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1 }, "2001:0:0:1::1" },
  };
  char text[IB_ADDRESS_TEXT_BYTES];

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    IbAddress address;

    memcpy (address.bytes, rows[i].bytes, sizeof address.bytes);
    ck_assert_str_eq (ib_address_text (&address, text, sizeof text), rows[i].text);
  }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("ib_packet");
  TCase *tc = tcase_create ("ib_packet");

  tcase_add_checked_fixture (tc, setup, NULL);
  tcase_add_test (tc, crc_of_the_digits);
  tcase_add_test (tc, crc_of_longer_data);
  tcase_add_test (tc, captured_frame);
  tcase_add_test (tc, icrc_leaves_out_what_routers_change);
  tcase_add_test (tc, built_roce_frame_is_the_captured_one);
  tcase_add_test (tc, ip_header_adds_up);
  tcase_add_test (tc, built_native_frame);
  tcase_add_test (tc, ipv6_in_a_vlan);
  tcase_add_test (tc, roce_v1);
  tcase_add_test (tc, erf_with_extension_and_grh);
  tcase_add_test (tc, other_links);
  tcase_add_test (tc, what_is_not_a_mad);
  tcase_add_test (tc, frames_cut_anywhere);
  tcase_add_test (tc, addresses_as_text);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}

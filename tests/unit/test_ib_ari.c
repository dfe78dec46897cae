/* Additional information of a REJ, byte by byte: offsets of IBTA chapter 12 (a REJ's reason at
 * 10, length in the upper seven bits of 9, information from 12 on) and of ClassPortInfo. */
#include <string.h>

#include "ib_ari.h"
#include "test_sim.h"

#define BODY IB_MAD_HEADER_BYTES
#define INFO (BODY + 12)

static IbCmRoute
route (void)
{
  IbCmRoute r = { .source.lid = 0x1234,
                  .destination.lid = 0x22,
                  .redirect.lid = 0x0ace,
                  .flow_label = 0x54321,
                  .mtu = 4,
                  .rate = 16,
                  .hop_limit = 63,
                  .sl = 5 };

  for (guint i = 0; i < 16; i++) {
    r.source.gid[i] = (guint8) (0x10 + i);
    r.redirect.gid[i] = (guint8) (0xa0 + i);
  }
  return r;
}

static void
encode (const IbCmMsg *msg, guint8 *mad)
{
  IbCmRoute r = route ();
  IbCmWire wire;

  ib_cm_wire_from_msg (msg, &r, &wire);
  ib_cm_encode (&wire, mad);
}

static void
check_info (guint reason, const guint8 *info, guint n)
{
  static const guint8 zeros[72];
  IbCmMsg msg = { .attr = IB_CM_REJ, .reason = (guint16) reason };
  guint8 mad[IB_MAD_BYTES];

  encode (&msg, mad);
  ck_assert_uint_eq (mad[BODY + 10] << 8 | mad[BODY + 11], reason);
  ck_assert_uint_eq (mad[BODY + 9], n << 1);
  if (n > 0)
    ck_assert_mem_eq (mad + INFO, info, n);
  ck_assert_mem_eq (mad + INFO + n, zeros, sizeof zeros - n);
}

START_TEST (each_reason_says_what_would_do)
{
  static const guint8 gid[16] = { 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17,
                                  0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f };

  check_info (12, gid, 16);
  check_info (18, gid, 16);
  check_info (13, (const guint8[]){ 0x12, 0x34 }, 2);
  check_info (19, (const guint8[]){ 0x12, 0x34 }, 2);
  check_info (14, (const guint8[]){ 5 }, 1);
  check_info (20, (const guint8[]){ 5 }, 1);
  check_info (15, (const guint8[]){ 0 }, 1);
  check_info (21, (const guint8[]){ 0 }, 1);
  check_info (16, (const guint8[]){ 63 }, 1);
  check_info (22, (const guint8[]){ 63 }, 1);
  check_info (17, (const guint8[]){ 16 }, 1);
  check_info (23, (const guint8[]){ 16 }, 1);
  check_info (26, (const guint8[]){ 4 }, 1);
  check_info (31, (const guint8[]){ 2 }, 1);
  check_info (32, (const guint8[]){ 0x05, 0x43, 0x21 }, 3);
  check_info (33, (const guint8[]){ 0x05, 0x43, 0x21 }, 3);
}
END_TEST

/* No resources, stale, consumer: nothing.  A redirect to nowhere and a time-out of nobody
 * say nothing either. */
START_TEST (other_reasons_say_nothing)
{
  static const guint reasons[] = { 1, 3, 4, 8, 9, 10, 24, 25, 28, 35 };

  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    check_info (reasons[i], NULL, 0);
}
END_TEST

START_TEST (timeout_names_the_adapter)
{
  IbCmMsg msg = { .attr = IB_CM_REJ, .reason = 4, .ca_guid = 0x0102030405060708 };
  guint8 mad[IB_MAD_BYTES];

  encode (&msg, mad);
  ck_assert_uint_eq (mad[BODY + 9], 8 << 1);
  for (guint i = 0; i < 8; i++)
    ck_assert_uint_eq (mad[INFO + i], i + 1);
}
END_TEST

START_TEST (redirect_by_class_port_info)
{
  IbCmMsg msg = { .attr = IB_CM_REJ, .reason = 24, .redirect = 7 };
  guint8 mad[IB_MAD_BYTES], *info = mad + INFO;

  encode (&msg, mad);
  ck_assert_uint_eq (mad[BODY + 9], 72 << 1);
  ck_assert_uint_eq (info[0], 1); /* base version */
  ck_assert_uint_eq (info[1], 2); /* class version */
  for (guint i = 0; i < 16; i++)
    ck_assert_uint_eq (info[8 + i], 0xa0 + i); /* RedirectGID */
  ck_assert_uint_eq (info[25] >> 4, 5);                       /* RedirectSL */
  ck_assert_uint_eq (info[28] << 8 | info[29], 0x0ace);       /* RedirectLID */
  ck_assert_uint_eq (info[30] << 8 | info[31], 0xffff);       /* RedirectP_Key */
  ck_assert_uint_eq (info[33] << 16 | info[34] << 8 | info[35], 1); /* RedirectQP */
  ck_assert_mem_eq (info + 36, ((const guint8[]){ 0x80, 0x01, 0, 0 }), 4); /* RedirectQ_Key */
  for (guint i = 40; i < 72; i++)
    ck_assert_uint_eq (info[i], 0); /* no traps */
}
END_TEST

START_TEST (redirect_by_gid)
{
  IbCmMsg msg = { .attr = IB_CM_REJ, .reason = 25, .redirect = 7 };
  guint8 mad[IB_MAD_BYTES];

  encode (&msg, mad);
  ck_assert_uint_eq (mad[BODY + 9], 16 << 1);
  for (guint i = 0; i < 16; i++)
    ck_assert_uint_eq (mad[INFO + i], 0xa0 + i);
}
END_TEST

static const char *
text_of (guint reason, const guint8 *bytes, guint n, char *buf)
{
  IbCmRej rej = { .reason = (guint16) reason, .info_length = (guint8) n };
  IbAri ari;

  memcpy (rej.info, bytes, n);
  ib_ari_take (&rej, &ari);
  return ib_ari_text (&ari, buf, IB_ARI_TEXT_BYTES);
}

START_TEST (in_words)
{
  guint8 info[72] = { 0 };
  char buf[IB_ARI_TEXT_BYTES];

  info[18] = info[19] = 0xff; /* ::ffff:10.9.0.2 at 8 */
  memcpy (info + 20, ((const guint8[]){ 10, 9, 0, 2 }), 4);
  ck_assert_str_eq (text_of (24, info, 72, buf), "go to 10.9.0.2");
  ck_assert_str_eq (text_of (24, info, 71, buf), ""); /* cut short */
  ck_assert_str_eq (text_of (12, info + 8, 16, buf), "GID 10.9.0.2");
  ck_assert_str_eq (text_of (13, (const guint8[]){ 0x01, 0x02 }, 2, buf), "LID 258");
  ck_assert_str_eq (text_of (26, (const guint8[]){ 4 }, 1, buf), "value 4");
  ck_assert_str_eq (text_of (31, (const guint8[]){ 2 }, 1, buf), "class version 2");
  ck_assert_str_eq (text_of (32, (const guint8[]){ 0x0a, 0xbc, 0xde }, 3, buf),
                    "flow label 0xabcde");
  ck_assert_str_eq (text_of (4, (const guint8[]){ 0, 0, 0, 0, 0, 0, 0x12, 0x34 }, 8, buf),
                    "CA GUID 0x0000000000001234");
  ck_assert_str_eq (text_of (28, info, 72, buf), ""); /* the consumer's own */
}
END_TEST

/* ----- REQs whose receiver cannot go along with them ----- */

/* Where the REQ with the wrong field differs from the right one: offsets behind the MAD
 * header by IBTA 12.6.5; the alternate path has its 44 bytes from 96 on. */
START_TEST (one_field_is_wrong)
{
  static const struct {
    guint wrong, first, last; /* bytes of the MAD */
  } cases[] = {
    { IB_CM_WRONG_CLASS_VERSION, 2, 2 },
    { IB_CM_WRONG_MTU, 24 + 50, 24 + 50 },
    { IB_CM_WRONG_IP_CM_VERSION, 24 + 140, 24 + 140 },
    { IB_CM_WRONG_PRIMARY_GID, 24 + 72, 24 + 87 },
    { IB_CM_WRONG_PRIMARY_LID, 24 + 54, 24 + 55 },
    { IB_CM_WRONG_PRIMARY_FLOW_LABEL, 24 + 88, 24 + 90 },
    { IB_CM_WRONG_PRIMARY_RATE, 24 + 91, 24 + 91 },
    { IB_CM_WRONG_PRIMARY_TRAFFIC_CLASS, 24 + 92, 24 + 92 },
    { IB_CM_WRONG_PRIMARY_HOP_LIMIT, 24 + 93, 24 + 93 },
    { IB_CM_WRONG_PRIMARY_SL, 24 + 94, 24 + 94 },
  };
  IbCmMsg msg = { .attr = IB_CM_REQ, .service_id = 0x01061d2f };
  guint8 right[IB_MAD_BYTES], wrong[IB_MAD_BYTES];

  encode (&msg, right);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    gboolean differs = FALSE;

    msg.wrong = (guint8) cases[i].wrong;
    encode (&msg, wrong);
    for (guint at = 0; at < IB_MAD_BYTES; at++) {
      differs |= right[at] != wrong[at];
      ck_assert_msg (right[at] == wrong[at] || (at >= cases[i].first && at <= cases[i].last),
                     "case %u: byte %u", i, at);
    }
    ck_assert_msg (differs, "case %u", i);
  }
}
END_TEST

/* The alternate path is the primary one but for the field. */
START_TEST (alternate_path_is_wrong)
{
  IbCmMsg msg = { .attr = IB_CM_REQ, .wrong = IB_CM_WRONG_ALTERNATE_SL };
  guint8 mad[IB_MAD_BYTES];

  encode (&msg, mad);
  ck_assert_mem_eq (mad + BODY + 96, mad + BODY + 52, 42);
  ck_assert_uint_ne (mad[BODY + 138] >> 4, mad[BODY + 94] >> 4);
  ck_assert_uint_eq (mad[BODY + 138] & 15, mad[BODY + 94] & 15);
}
END_TEST

START_TEST (each_wrong_has_its_reason)
{
  ck_assert_uint_eq (ib_cm_wrong_reason (IB_CM_WRONG_NOTHING), 0);
  ck_assert_uint_eq (ib_cm_wrong_reason (IB_CM_WRONG_PRIMARY_GID), 12);
  ck_assert_uint_eq (ib_cm_wrong_reason (IB_CM_WRONG_ALTERNATE_GID), 18);
  ck_assert_uint_eq (ib_cm_wrong_reason (IB_CM_WRONG_MTU), 26);
  ck_assert_uint_eq (ib_cm_wrong_reason (IB_CM_WRONG_CLASS_VERSION), 31);
  ck_assert_uint_eq (ib_cm_wrong_reason (IB_CM_WRONG_ALTERNATE_FLOW_LABEL), 33);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("ib_ari");
  TCase *tc = tcase_create ("ib_ari");

  tcase_add_test (tc, each_reason_says_what_would_do);
  tcase_add_test (tc, other_reasons_say_nothing);
  tcase_add_test (tc, timeout_names_the_adapter);
  tcase_add_test (tc, redirect_by_class_port_info);
  tcase_add_test (tc, redirect_by_gid);
  tcase_add_test (tc, in_words);
  tcase_add_test (tc, one_field_is_wrong);
  tcase_add_test (tc, alternate_path_is_wrong);
  tcase_add_test (tc, each_wrong_has_its_reason);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}

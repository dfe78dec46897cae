/* Layouts, and CM messages to bytes and back.  Bytes written out here were seen on the
 * wire between Linux hosts, or follow from the offsets of IBTA chapter 12. */
#include <string.h>

#include "ib_codec.h"
#include "ib_private_data.h"
#include "ib_sa_wire.h"
#include "test_sim.h"

/* Fills a MAD from hexadecimal digits, then zeros. */
static void
mad_from_hex (const char *hex, guint8 *mad)
{
  gsize n = strlen (hex) / 2;

  memset (mad, 0, IB_MAD_BYTES);
  for (gsize i = 0; i < n; i++)
    mad[i] = (guint8) (g_ascii_xdigit_value (hex[2 * i]) << 4 |
                       g_ascii_xdigit_value (hex[2 * i + 1]));
}

static const char req_hex[] = "01070203000000000000000204976b730010000000000000736b9704000000"
                              "000000000001061d2f505400fffeaa00010000000000000000001000010000"
                              "0001000000a0962af1a7ffff37f0ffffffff00000000000000000000ffff0a"
                              "09000100000000000000000000ffff0a0900026fb950000040009800000000"
                              "00000000000000000000000000000000000000000000000000000000000000"
                              "0000000000000000000040bcda0000000000000000000000000a0900010000"
                              "000000000000000000000a090002";
static const char rep_hex[] = "01070203000000000000000204976b7300130000000000004fcde21d736b9704"
                              "0000000002000000000000003f864600010178e0505400fffeaa0002";
static const char mra_hex[] = "0107020300000000000000027054a3480011000000000000578553ba48a35470"
                              "00c0";
static const char rej_hex[] = "0107020300000000000000021793ac06001200000000000006ac931700000000"
                              "80100004505400fffeaa0001";
static const char dreq_hex[] = "01070203000000000000000204976b730015000000000000736b97044fcde21d"
                               "020000";

/* ----- rows ----- */

/* Each bit of a layout belongs to one row; each row's member holds it. */
START_TEST (rows_cover_each_bit_once)
{
  guint n = 0;

  for (const IbLayout *layout; (layout = ib_layouts_get (n)) != NULL; n++) {
    g_autofree guint8 *taken = g_new0 (guint8, layout->bytes * 8);

    for (guint i = 0; i < layout->n_fields; i++) {
      const IbField *field = &layout->fields[i];
      guint first = field->byte * 8u + field->bit;

      ck_assert_uint_lt (field->bit, 8);
      ck_assert_uint_le (first + field->width, layout->bytes * 8);
      for (guint bit = first; bit < first + field->width; bit++)
        ck_assert_msg (!taken[bit]++, "%s: bit %u is in two rows", layout->name, bit);
      if (field->name && !field->array)
        ck_assert_uint_le (field->width, field->size * 8u);
    }
    for (guint bit = 0; bit < layout->bytes * 8; bit++)
      ck_assert_msg (taken[bit], "%s: bit %u is in no row", layout->name, bit);
  }
  ck_assert_uint_eq (n, 1 + 11 + 5 + 2 + 4);
}
END_TEST

/* Two rows of one struct must not share memory: set one, all others keep their value. */
START_TEST (members_do_not_overlap)
{
  for (guint n = 0; ib_layouts_get (n); n++) {
    const IbLayout *layout = ib_layouts_get (n);

    for (guint i = 0; i < layout->n_fields; i++)
      for (guint j = 0; j < i; j++) {
        const IbField *a = &layout->fields[i], *b = &layout->fields[j];

        if (a->name && b->name)
          ck_assert (a->offset + a->size <= b->offset || b->offset + b->size <= a->offset);
      }
  }
}
END_TEST

/* The private data stands where the list of messages says it does. */
START_TEST (private_data_is_where_the_list_says)
{
#define X(attr, id, where, bytes) \
  { \
    const IbLayout *layout = ib_cm_layout (id); \
    const IbField *last = &layout->fields[layout->n_fields - 1]; \
    ck_assert_str_eq (layout->name, #attr); \
    ck_assert_str_eq (last->name, "private_data"); \
    ck_assert_uint_eq (last->byte, where); \
    ck_assert_uint_eq (last->size, bytes); \
  }
  IB_CM_ATTR_LIST (X)
#undef X
  ck_assert_ptr_null (ib_cm_layout (0x000f));
  ck_assert_ptr_null (ib_cm_layout (0x001b));
}
END_TEST

/* Any bytes: decoded and encoded again they are the same but for the reserved bits. */
START_TEST (decode_then_encode_keeps_all_but_reserved_bits)
{
  SimStream stream = test_stream ("codec");
  guint8 bytes[IB_MAD_BYTES], again[IB_MAD_BYTES];
  guint64 values[IB_MAD_BYTES];

  for (guint round = 0; round < 200; round++)
    for (guint n = 0; ib_layouts_get (n); n++) {
      const IbLayout *layout = ib_layouts_get (n);

      for (guint i = 0; i < layout->bytes; i++)
        bytes[i] = (guint8) sim_stream_next (&stream);
      ib_layout_decode (layout, bytes, values);
      ib_layout_encode (layout, values, again);
      for (guint i = 0; i < layout->n_fields; i++) {
        const IbField *field = &layout->fields[i];

        if (field->array)
          ck_assert_mem_eq (bytes + field->byte, again + field->byte, field->size);
        else if (field->name)
          ck_assert_uint_eq (ib_field_load (field, bytes), ib_field_load (field, again));
      }
      ck_assert_ptr_null (ib_layout_decode (layout, again, values));
    }
}
END_TEST

/* ----- messages seen on a wire ----- */

static void
decode_hex (const char *hex, guint8 *mad, IbCmWire *wire)
{
  guint8 again[IB_MAD_BYTES];
  IbComplaint complaint;

  mad_from_hex (hex, mad);
  ck_assert_int_eq (ib_cm_decode (mad, wire), IB_DECODE_OK);
  ib_cm_encode (wire, again);
  ck_assert_mem_eq (mad, again, IB_MAD_BYTES);
  ck_assert_uint_eq (ib_cm_validate (wire, &complaint, 1), 0);
}

START_TEST (req_of_linux)
{
  static const guint8 source[16] = { [10] = 0xff, [11] = 0xff, 10, 9, 0, 1 };
  guint8 mad[IB_MAD_BYTES];
  IbCmaHeader header;
  IbCmWire wire;
  IbCmReq *req = &wire.req;

  decode_hex (req_hex, mad, &wire);
  ck_assert_uint_eq (wire.header.tid, 0x0000000204976b73);
  ck_assert_uint_eq (req->local_id, 0x736b9704);
  ck_assert_uint_eq (req->service_id, 0x0000000001061d2f);
  ck_assert_uint_eq (req->ca_guid, 0x505400fffeaa0001);
  ck_assert_uint_eq (req->qpn, 0x1000);
  ck_assert_uint_eq (req->responder_resources, 1);
  ck_assert_uint_eq (req->initiator_depth, 1);
  ck_assert_uint_eq (req->remote_response_timeout, 20);
  ck_assert_uint_eq (req->local_response_timeout, 20);
  ck_assert_uint_eq (req->starting_psn, 0x962af1);
  ck_assert_uint_eq (req->retry_count, 7);
  ck_assert_uint_eq (req->rnr_retry_count, 7);
  ck_assert_uint_eq (req->pkey, 0xffff);
  ck_assert_uint_eq (req->mtu, 3);
  ck_assert_uint_eq (req->max_cm_retries, 15);
  ck_assert_uint_eq (req->primary_local_lid, 0xffff);
  ck_assert_uint_eq (req->primary_flow_label, 0x6fb95);
  ck_assert_uint_eq (req->primary_rate, 0);
  ck_assert_uint_eq (req->primary_hop_limit, 64);
  ck_assert_uint_eq (req->primary_ack_timeout, 19);
  ck_assert_mem_eq (req->primary_local_gid, source, 16);
  ck_assert_int_eq (ib_service_kind (req->service_id), IB_SERVICE_RDMA_CM);

  ib_layout_decode (&ib_cma_header_layout, req->private_data, &header);
  ck_assert_uint_eq (header.major, 0);
  ck_assert_uint_eq (header.ip_version, 4);
  ck_assert_uint_eq (header.source_port, 0xbcda);
  ck_assert_mem_eq (header.destination_ip + 12, ((guint8[]){ 10, 9, 0, 2 }), 4);
}
END_TEST

START_TEST (answers_of_linux)
{
  guint8 mad[IB_MAD_BYTES];
  IbCmWire wire;
  IbCmMsg msg;

  decode_hex (rep_hex, mad, &wire);
  ck_assert_uint_eq (wire.rep.local_id, 0x4fcde21d);
  ck_assert_uint_eq (wire.rep.remote_id, 0x736b9704);
  ck_assert_uint_eq (wire.rep.qpn, 0x20000);
  ck_assert_uint_eq (wire.rep.starting_psn, 0x3f8646);
  ck_assert_uint_eq (wire.rep.target_ack_delay, 15);
  ck_assert_uint_eq (wire.rep.rnr_retry_count, 7);
  ck_assert_uint_eq (wire.rep.ca_guid, 0x505400fffeaa0002);

  decode_hex (mra_hex, mad, &wire);
  ck_assert_uint_eq (wire.mra.message, IB_CM_MESSAGE_REQ);
  ck_assert_uint_eq (wire.mra.service_timeout, 24);

  decode_hex (rej_hex, mad, &wire);
  ck_assert_uint_eq (wire.rej.message, IB_CM_MESSAGE_OTHER);
  ck_assert_uint_eq (wire.rej.info_length, 8);
  ck_assert_uint_eq (wire.rej.reason, 4);
  ib_cm_msg_from_wire (&wire, &msg);
  ck_assert_uint_eq (msg.ca_guid, 0x505400fffeaa0001);
  ck_assert_uint_eq (msg.remote_id, 0);

  decode_hex (dreq_hex, mad, &wire);
  ck_assert_uint_eq (wire.dreq.qpn, 0x20000);
}
END_TEST

/* Messages that Linux's RDMA CM does not send or RoCE does not have: offsets of chapter
 * 12, set by hand. */
START_TEST (messages_by_offset)
{
  guint8 mad[IB_MAD_BYTES] = { 1, 7, 2, 3 };
  IbCmWire wire;

  mad[17] = 0x19; /* LAP */
  mad[24 + 13] = 0x12;
  mad[24 + 15] = 20 << 3;
  mad[24 + 21] = 7;
  mad[24 + 57] = 0xab;
  mad[24 + 58] = 0xc0;
  mad[24 + 61] = 16;
  mad[24 + 62] = 5 << 4 | 1 << 3;
  mad[24 + 63] = 19 << 3;
  ck_assert_int_eq (ib_cm_decode (mad, &wire), IB_DECODE_OK);
  ck_assert_uint_eq (wire.lap.qpn, 0x1200);
  ck_assert_uint_eq (wire.lap.remote_response_timeout, 20);
  ck_assert_uint_eq (wire.lap.local_lid, 7);
  ck_assert_uint_eq (wire.lap.flow_label, 0x00abc);
  ck_assert_uint_eq (wire.lap.rate, 16);
  ck_assert_uint_eq (wire.lap.sl, 5);
  ck_assert_uint_eq (wire.lap.subnet_local, 1);
  ck_assert_uint_eq (wire.lap.ack_timeout, 19);

  mad[17] = 0x18; /* SIDR_REP */
  memset (mad + 24, 0, 232);
  mad[24 + 3] = 9;
  mad[24 + 4] = 1;
  mad[24 + 10] = 0x77;
  mad[24 + 19] = 0x2f;
  mad[24 + 23] = 0x67;
  ck_assert_int_eq (ib_cm_decode (mad, &wire), IB_DECODE_OK);
  ck_assert_uint_eq (wire.sidr_rep.request_id, 9);
  ck_assert_uint_eq (wire.sidr_rep.status, 1);
  ck_assert_uint_eq (wire.sidr_rep.qpn, 0x77);
  ck_assert_uint_eq (wire.sidr_rep.service_id, 0x2f);
  ck_assert_uint_eq (wire.sidr_rep.qkey, 0x67);

  mad[17] = 0x1a; /* APR */
  ck_assert_int_eq (ib_cm_decode (mad, &wire), IB_DECODE_OK);
  ck_assert_uint_eq (wire.apr.local_id, 9);
  mad[17] = 0x17; /* SIDR_REQ */
  ck_assert_int_eq (ib_cm_decode (mad, &wire), IB_DECODE_OK);
  ck_assert_uint_eq (wire.sidr_req.request_id, 9);
}
END_TEST

START_TEST (foreign_mads_are_told_apart)
{
  static const struct {
    guint byte;
    guint8 value;
    IbDecode answer;
  } rows[] = {
    { 0, 2, IB_DECODE_BASE_VERSION }, { 1, 3, IB_DECODE_OTHER_CLASS },
    { 2, 1, IB_DECODE_CLASS_VERSION }, { 3, 1, IB_DECODE_METHOD },
    { 17, 0x0f, IB_DECODE_ATTRIBUTE }, { 17, 0x1b, IB_DECODE_ATTRIBUTE },
    { 16, 0x10, IB_DECODE_ATTRIBUTE },
  };
  guint8 mad[IB_MAD_BYTES];
  IbCmWire wire;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    mad_from_hex (req_hex, mad);
    mad[rows[i].byte] = rows[i].value;
    ck_assert_int_eq (ib_cm_decode (mad, &wire), rows[i].answer);
    ck_assert_uint_eq (wire.header.tid, 0x0000000204976b73);
  }
}
END_TEST

/* One byte changed, and the rule it breaks. */
START_TEST (broken_rules_are_named)
{
  static const struct {
    const char *hex;
    guint byte;
    guint8 value;
    const char *field;
  } rows[] = {
    { req_hex, 24 + 4, 1, "reserved" },        { req_hex, 18, 1, "reserved" },
    { req_hex, 5, 1, "MAD status" },       { req_hex, 24 + 50, 0x07, "path MTU" },
    { req_hex, 24 + 50, 0x67, "path MTU" }, { req_hex, 24 + 33, 0, "local QPN" },
    { mra_hex, 24 + 8, 0xc0, "message acknowledged" },
    { rej_hex, 24 + 11, 36, "reason" },    { rej_hex, 24 + 9, 73 << 1, "reject info length" },
    { rep_hex, 24 + 26, 0x7e, "failover accepted" },
  };
  IbComplaint complaints[4];
  guint8 mad[IB_MAD_BYTES];
  IbCmWire wire;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    mad_from_hex (rows[i].hex, mad);
    mad[rows[i].byte] = rows[i].value;
    ck_assert_int_eq (ib_cm_decode (mad, &wire), IB_DECODE_OK);
    ck_assert_uint_eq (ib_cm_validate (&wire, complaints, 4), 1);
    ck_assert_str_eq (complaints[0].field, rows[i].field);
  }
}
END_TEST

/* ----- from the simulator's message ----- */

/* The captured REQ, made from what the state machine and the hosts know. */
START_TEST (message_and_route_make_the_captured_req)
{
  IbCmMsg msg = { .attr = IB_CM_REQ, .remote_response_timeout = 20, .local_response_timeout = 20,
                  .max_cm_retries = 15, .local_ack_timeout = 19, .retry_count = 7,
                  .rnr_retry_count = 7, .responder_resources = 1, .initiator_depth = 1,
                  .local_id = 0x736b9704, .qpn = 0x1000, .starting_psn = 0x962af1,
                  .tid = 0x0000000204976b73, .service_id = 0x01061d2f,
                  .ca_guid = 0x505400fffeaa0001 };
  IbCmRoute route = {
    .source = { .gid = { [10] = 0xff, [11] = 0xff, 10, 9, 0, 1 }, .ip = { [12] = 10, 9, 0, 1 },
                .lid = IB_LID_PERMISSIVE },
    .destination = { .gid = { [10] = 0xff, [11] = 0xff, 10, 9, 0, 2 },
                     .ip = { [12] = 10, 9, 0, 2 }, .lid = IB_LID_PERMISSIVE },
    .source_port = 0xbcda, .flow_label = 0x6fb95, .mtu = 3, .hop_limit = 64,
  };
  guint8 mad[IB_MAD_BYTES], captured[IB_MAD_BYTES];
  IbCmWire wire;
  IbCmMsg again;

  ib_cm_wire_from_msg (&msg, &route, &wire);
  ib_cm_encode (&wire, mad);
  mad_from_hex (req_hex, captured);
  ck_assert_mem_eq (mad, captured, IB_MAD_BYTES);
  ib_cm_msg_from_wire (&wire, &again);
  ck_assert_mem_eq (&msg, &again, sizeof msg);
}
END_TEST

/* "BUSY" and 8 590 000 us at the front of the REJ's private data, and back. */
START_TEST (busy_hint_rides_in_a_rej)
{
  static const guint8 expected[] = { 'B', 'U', 'S', 'Y', 0x00, 0x83, 0x12, 0xb0 };
  IbCmMsg rej = { .attr = IB_CM_REJ, .reason = IB_CM_REJ_NO_RESOURCES, .remote_id = 5,
                  .retry_after_us = 8590000 };
  IbCmRoute route = { .mtu = 3 };
  IbCmWire wire;
  IbCmMsg again;

  ib_cm_wire_from_msg (&rej, &route, &wire);
  ck_assert_mem_eq (wire.rej.private_data, expected, sizeof expected);
  ib_cm_msg_from_wire (&wire, &again);
  ck_assert_mem_eq (&rej, &again, sizeof rej);
  wire.rej.private_data[0] = 'b'; /* somebody else's data */
  ib_cm_msg_from_wire (&wire, &again);
  ck_assert_uint_eq (again.retry_after_us, 0);
}
END_TEST

/* Through the wire and back a message is what it was, for all eleven. */
START_TEST (messages_come_back)
{
  IbCmRoute route = { .hop_limit = 1 };

  for (guint attr = IB_CM_ATTR_FIRST; attr < IB_CM_ATTR_FIRST + IB_CM_ATTR_COUNT; attr++) {
    IbCmMsg msg = { .attr = (guint16) attr, .local_id = 0x11223344, .remote_id = 0x55667788,
                    .tid = 0x0102030405060708, .reason = 5, .message = 2, .service_timeout = 31 };
    guint8 mad[IB_MAD_BYTES];
    IbCmWire wire;
    IbCmMsg again;

    if (attr == IB_CM_REQ || attr == IB_CM_SIDR_REQ)
      msg.remote_id = 0;
    if (attr == IB_CM_SIDR_REP)
      msg.local_id = 0;
    ib_cm_wire_from_msg (&msg, &route, &wire);
    ib_cm_encode (&wire, mad);
    ck_assert_int_eq (ib_cm_decode (mad, &wire), IB_DECODE_OK);
    ib_cm_msg_from_wire (&wire, &again);
    ck_assert_uint_eq (again.attr, attr);
    ck_assert_uint_eq (again.tid, msg.tid);
    ck_assert_uint_eq (again.local_id, msg.local_id);
    ck_assert_uint_eq (again.remote_id, msg.remote_id);
    if (attr == IB_CM_REJ || attr == IB_CM_SIDR_REP || attr == IB_CM_APR)
      ck_assert_uint_eq (again.reason, 5);
    if (attr == IB_CM_MRA)
      ck_assert_uint_eq (again.service_timeout, 31);
  }
}
END_TEST

/* The SDP port space asks for a Hello and a HelloAck; offsets of OFED's sdp.h. */
START_TEST (sdp_messages_carry_hellos)
{
  IbCmMsg msg = { .attr = IB_CM_REQ, .service_id = 0x00011389 };
  IbCmRoute route = { .source = { .ip = { [12] = 10, 0, 0, 1 } }, .source_port = 0x8001,
                      .service_id = 0x00011389 };
  guint8 mad[IB_MAD_BYTES];
  IbCmWire wire;

  ib_cm_wire_from_msg (&msg, &route, &wire);
  ib_cm_encode (&wire, mad);
  ck_assert_uint_eq (mad[164], 0);          /* Hello */
  ck_assert_uint_eq (mad[164 + 7], 92);     /* length */
  ck_assert_uint_eq (mad[164 + 16], 0x22);
  ck_assert_uint_eq (mad[164 + 17], 0x40);
  ck_assert_uint_eq (mad[164 + 19], 1);
  ck_assert_uint_eq (mad[164 + 22] << 8 | mad[164 + 23], 0x8010); /* 32768 + 16 */
  ck_assert_uint_eq (mad[164 + 28] << 8 | mad[164 + 29], 0x8001);
  ck_assert_uint_eq (mad[164 + 44], 10);
  msg.attr = IB_CM_REP;
  msg.service_id = 0;
  ib_cm_wire_from_msg (&msg, &route, &wire);
  ib_cm_encode (&wire, mad);
  ck_assert_uint_eq (mad[60], 1); /* HelloAck */
  ck_assert_uint_eq (mad[60 + 16], 0x22);
}
END_TEST

START_TEST (services_by_their_ids)
{
  ck_assert_int_eq (ib_service_kind (0x0000000000011389), IB_SERVICE_SDP);
  ck_assert_int_eq (ib_service_kind (0x0000000001061d2f), IB_SERVICE_RDMA_CM);
  ck_assert_int_eq (ib_service_kind (0x0000000001111d2f), IB_SERVICE_RDMA_CM);
  ck_assert_int_eq (ib_service_kind (0x0000000000021d2f), IB_SERVICE_RDMA_CM);
  ck_assert_int_eq (ib_service_kind (0x00000000013f1d2f), IB_SERVICE_OTHER);
  ck_assert_int_eq (ib_service_kind (0x1000000001061d2f), IB_SERVICE_OTHER);
  ck_assert_int_eq (ib_service_kind (0x0000000000001d2f), IB_SERVICE_OTHER);
}
END_TEST

/* Offsets of IBTA 15.2.5.16 in the MAD: the record begins at byte 56. */
START_TEST (path_record)
{
  IbSaMsg msg = { .method = IB_SA_GET_PATH_RESP, .packet_lifetime = 18, .mtu = 4, .rate = 16,
                  .sl = 3, .tid = 9 };
  IbEnd source = { .gid = { 0xfe, 0x80 }, .lid = 7 }, destination = { .lid = 8 };
  guint8 mad[IB_MAD_BYTES];

  ib_sa_encode (&msg, &source, &destination, mad);
  ck_assert_uint_eq (mad[1], 3);
  ck_assert_uint_eq (mad[3], 0x81);
  ck_assert_uint_eq (mad[17], 0x35);
  ck_assert_uint_eq (mad[56 + 24], 0xfe);    /* SGID */
  ck_assert_uint_eq (mad[56 + 41], 8);       /* DLID */
  ck_assert_uint_eq (mad[56 + 43], 7);       /* SLID */
  ck_assert_uint_eq (mad[56 + 49], 0x81);
  ck_assert_uint_eq (mad[56 + 53] & 15, 3);  /* SL */
  ck_assert_uint_eq (mad[56 + 54], 0x84);    /* MTU, exactly */
  ck_assert_uint_eq (mad[56 + 55], 0x90);
  ck_assert_uint_eq (mad[56 + 56], 0x92);
  msg.method = IB_SA_GET_PATH;
  ib_sa_encode (&msg, &source, &destination, mad);
  ck_assert_uint_eq (mad[3], 0x01);
  ck_assert_uint_eq (mad[56 + 41], 0);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("ib_codec");
  TCase *tc = tcase_create ("ib_codec");

  tcase_add_test (tc, rows_cover_each_bit_once);
  tcase_add_test (tc, members_do_not_overlap);
  tcase_add_test (tc, private_data_is_where_the_list_says);
  tcase_add_test (tc, decode_then_encode_keeps_all_but_reserved_bits);
  tcase_add_test (tc, req_of_linux);
  tcase_add_test (tc, answers_of_linux);
  tcase_add_test (tc, messages_by_offset);
  tcase_add_test (tc, foreign_mads_are_told_apart);
  tcase_add_test (tc, broken_rules_are_named);
  tcase_add_test (tc, message_and_route_make_the_captured_req);
  tcase_add_test (tc, busy_hint_rides_in_a_rej);
  tcase_add_test (tc, messages_come_back);
  tcase_add_test (tc, sdp_messages_carry_hellos);
  tcase_add_test (tc, services_by_their_ids);
  tcase_add_test (tc, path_record);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}

/* Capture files in, reports out. */
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>

#include "explain_report.h"
#include "test_sim.h"
#include "wire_capture.h"

static char *folder;

static void
setup (void)
{
  folder = g_dir_make_tmp ("cmsim-explain-XXXXXX", NULL);
}

static void
teardown (void)
{
  g_autofree char *path = g_build_filename (folder, "file", NULL);

  g_unlink (path);
  g_rmdir (folder);
  g_free (folder);
}

static char *
file_path (void)
{
  return g_build_filename (folder, "file", NULL);
}

static void
write_bytes (const GByteArray *bytes)
{
  g_autofree char *path = file_path ();

  ck_assert (g_file_set_contents (path, (const char *) bytes->data, (gssize) bytes->len, NULL));
}

/* ----- a short conversation ----- */

static IbCmMsg
message (IbCmAttr attr)
{
  return (IbCmMsg){ .attr = (guint16) attr, .local_id = 0xa, .remote_id = 0xb, .tid = 7 };
}

static GArray *
conversation (void)
{
  IbCmMsg req = message (IB_CM_REQ), rej = message (IB_CM_REJ);
  GArray *mads = g_array_new (FALSE, FALSE, sizeof (IbMad));

  req.remote_id = 0;
  req.service_id = 0x01061d2f;
  req.qpn = 0x17;
  req.ca_guid = 9;
  req.remote_response_timeout = req.local_response_timeout = 20;
  req.max_cm_retries = 15;
  req.local_ack_timeout = 19;
  rej.local_id = 0;
  rej.remote_id = 0xa;
  rej.reason = 8;
  g_array_append_val (mads, ((IbMad){ .source = 1, .destination = 2,
                                      .mgmt_class = IB_MGMT_CLASS_CM, .cm = req }));
  g_array_append_val (mads, ((IbMad){ .source = 2, .destination = 1,
                                      .mgmt_class = IB_MGMT_CLASS_CM, .cm = rej }));
  return mads;
}

/* The frames of that conversation, RoCEv2 over IPv4. */
static void
frames_of (guint8 (*frames)[IB_FRAME_ROCE_BYTES])
{
  const WireCaptureParams params = { .format = WIRE_CAPTURE_ROCE };
  g_autofree char *path = file_path ();
  GArray *mads = conversation ();
  WireCapture *capture = wire_capture_open (path, &params, NULL);
  CaptureReader *reader;
  CapturePacket packet;

  for (guint i = 0; i < mads->len; i++)
    wire_capture_mad (capture, SIM_MS (i), &g_array_index (mads, IbMad, i));
  ck_assert (wire_capture_close (capture, TRUE, NULL));
  reader = capture_reader_open (path, NULL);
  for (guint i = 0; i < mads->len; i++) {
    ck_assert_int_eq (capture_reader_next (reader, &packet), CAPTURE_PACKET);
    ck_assert_uint_eq (packet.captured, IB_FRAME_ROCE_BYTES);
    memcpy (frames[i], packet.bytes, IB_FRAME_ROCE_BYTES);
  }
  ck_assert_int_eq (capture_reader_next (reader, &packet), CAPTURE_END);
  capture_reader_free (reader);
  g_array_free (mads, TRUE);
}

/* ----- files by hand ----- */

static void
put32 (GByteArray *bytes, guint32 value)
{
  const guint32 little = GUINT32_TO_LE (value);

  g_byte_array_append (bytes, (const guint8 *) &little, 4);
}

static GByteArray *
pcap_head (guint link)
{
  GByteArray *bytes = g_byte_array_new ();

  put32 (bytes, 0xa1b2c3d4); /* microseconds */
  put32 (bytes, 0x00040002);
  put32 (bytes, 0);
  put32 (bytes, 0);
  put32 (bytes, 262144);
  put32 (bytes, link);
  return bytes;
}

static void
pcap_packet (GByteArray *bytes, guint32 seconds, const guint8 *frame, guint captured,
             guint length)
{
  put32 (bytes, seconds);
  put32 (bytes, 5);
  put32 (bytes, captured);
  put32 (bytes, length);
  g_byte_array_append (bytes, frame, captured);
}

/* ----- running ----- */

typedef struct {
  char *text;
  gsize size;
  ExplainCounts counts;
  CmObserverCounters observed;
} Explained;

static void
explain (ExplainFormat format, const char *name, Explained *ret_explained)
{
  static const ExplainOps ops = { .conversation = explain_report_conversation };
  const ExplainOptions run = { .profile = cm_profile_find ("linux-6.1"), .live_max = 100 };
  g_autofree char *path = file_path ();
  FILE *out = open_memstream (&ret_explained->text, &ret_explained->size);
  const ExplainReportOptions print
      = { .out = out, .format = format, .profile = run.profile, .ladders = 10, .only = -1 };
  CaptureReader *reader = capture_reader_open (path, NULL);
  ExplainReport *report;

  ck_assert_ptr_nonnull (reader);
  report = explain_report_new (&print);
  explain_capture (reader, &run, &ops, report, &ret_explained->counts, &ret_explained->observed);
  explain_report_finish (report, name,
                         ret_explained->counts.broken ? capture_reader_why (reader) : NULL,
                         &ret_explained->counts, &ret_explained->observed);
  capture_reader_free (reader);
  fclose (out);
}

/* One conversation, rejected with reason 8. */
static void
check_rejected (const Explained *explained)
{
  ck_assert_uint_eq (explained->observed.conversations, 1);
  ck_assert_uint_eq (explained->observed.outcomes[CM_OUTCOME_REJECTED], 1);
  ck_assert_uint_eq (explained->observed.rejs[8], 1);
  ck_assert_uint_eq (explained->observed.verdicts[CM_SEEN_UNEXPECTED], 0);
}

START_TEST (text_of_a_rejection)
{
  guint8 frames[2][IB_FRAME_ROCE_BYTES];
  Explained explained;

  frames_of (frames);
  explain (EXPLAIN_TEXT, "name\nof a file", &explained);
  check_rejected (&explained);
  ck_assert_ptr_nonnull (strstr (explained.text, "#0  10.0.0.1 > 10.0.0.2  TCP port 7471  "
                                                 "rejected: reason 8 (invalid service id)\n"));
  ck_assert_ptr_nonnull (
      strstr (explained.text, "0.000000  +0.000000     |--- REQ --------------------->|\n"));
  ck_assert_ptr_nonnull (strstr (explained.text, "0.001000  +0.001000     |<-------------------"
                                                 " REJ 8 ---|  invalid service id\n"));
  ck_assert_ptr_nonnull (strstr (explained.text, "name\\nof a file: 2 packets in 0.001000 s, "
                                                 "2 CM messages, 1 conversation\n"));
  ck_assert_ptr_nonnull (strstr (explained.text, "         1  REJ reason 8: invalid service id\n"));
  free (explained.text);
}
END_TEST

START_TEST (json_of_a_rejection)
{
  guint8 frames[2][IB_FRAME_ROCE_BYTES];
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *root, *summary, *connection, *seen;
  GError *error = NULL;
  Explained explained;

  frames_of (frames);
  explain (EXPLAIN_JSON, "a \"name\"\\", &explained);
  ck_assert_msg (json_parser_load_from_data (parser, explained.text, (gssize) explained.size,
                                             &error),
                 "%s", error ? error->message : "");
  root = json_node_get_object (json_parser_get_root (parser));
  summary = json_object_get_object_member (root, "summary");
  ck_assert_str_eq (json_object_get_string_member (summary, "file"), "a \"name\"\\");
  ck_assert_int_eq (json_object_get_int_member (summary, "packets"), 2);
  ck_assert_int_eq (json_object_get_int_member (
                        json_object_get_object_member (summary, "rej_reasons"), "8"), 1);
  connection = json_array_get_object_element (
      json_object_get_array_member (root, "connections"), 0);
  ck_assert_str_eq (json_object_get_string_member (connection, "outcome"), "REJECTED");
  ck_assert_str_eq (json_object_get_string_member (
                        json_object_get_object_member (connection, "req"), "service_id"),
                    "0x0000000001061d2f");
  seen = json_array_get_object_element (
      json_object_get_array_member (connection, "messages"), 1);
  ck_assert_str_eq (json_object_get_string_member (seen, "message"), "REJ");
  ck_assert_str_eq (json_object_get_string_member (seen, "cause"), "REQ_REJECTED");
  ck_assert_int_eq (json_object_get_int_member (seen, "at_ns"), 1000000);
  free (explained.text);
}
END_TEST

/* Nothing at all is valid JSON too. */
START_TEST (empty_capture)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GByteArray) bytes = pcap_head (1);
  Explained explained;

  write_bytes (bytes);
  explain (EXPLAIN_JSON, "x", &explained);
  ck_assert (json_parser_load_from_data (parser, explained.text, (gssize) explained.size, NULL));
  ck_assert_uint_eq (explained.counts.packets, 0);
  free (explained.text);
}
END_TEST

/* ----- containers ----- */

static void
pcapng_block (GByteArray *bytes, guint32 type, const GByteArray *body)
{
  static const guint8 zeros[4];
  guint pad = -body->len & 3, length = 12 + body->len + pad;

  put32 (bytes, type);
  put32 (bytes, length);
  g_byte_array_append (bytes, body->data, body->len);
  g_byte_array_append (bytes, zeros, pad);
  put32 (bytes, length);
}

/* Section, interface with nanoseconds, and the two packets at `high` << 32 ns. */
static GByteArray *
pcapng (guint8 (*frames)[IB_FRAME_ROCE_BYTES], guint32 high)
{
  static const guint8 nanoseconds[] = { 9, 0, 1, 0, 9, 0, 0, 0, 0, 0, 0, 0 };
  GByteArray *bytes = g_byte_array_new ();
  g_autoptr (GByteArray) section = g_byte_array_new (), interface = g_byte_array_new ();

  put32 (section, 0x1a2b3c4d);
  put32 (section, 1);
  put32 (section, G_MAXUINT32);
  put32 (section, G_MAXUINT32);
  pcapng_block (bytes, 0x0a0d0d0a, section);
  put32 (interface, 1);
  put32 (interface, 0);
  g_byte_array_append (interface, nanoseconds, sizeof nanoseconds);
  pcapng_block (bytes, 1, interface);
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GByteArray) packet = g_byte_array_new ();

    put32 (packet, 0);
    put32 (packet, high);
    put32 (packet, 1000 * i);
    put32 (packet, IB_FRAME_ROCE_BYTES);
    put32 (packet, IB_FRAME_ROCE_BYTES);
    g_byte_array_append (packet, frames[i], IB_FRAME_ROCE_BYTES);
    pcapng_block (bytes, 6, packet);
  }
  return bytes;
}

START_TEST (pcapng_files)
{
  guint8 frames[2][IB_FRAME_ROCE_BYTES];
  g_autoptr (GByteArray) bytes = NULL;
  Explained explained;

  frames_of (frames);
  bytes = pcapng (frames, 0x17000000);
  write_bytes (bytes);
  explain (EXPLAIN_TEXT, "x", &explained);
  check_rejected (&explained);
  ck_assert_int_eq (explained.counts.end - explained.counts.start, 1000);
  free (explained.text);
}
END_TEST

/* Times from the far future are cut, not added up beyond what a number holds. */
START_TEST (absurd_times)
{
  guint8 frames[2][IB_FRAME_ROCE_BYTES];
  g_autoptr (GByteArray) bytes = NULL;
  Explained explained;

  frames_of (frames);
  bytes = pcapng (frames, G_MAXUINT32);
  write_bytes (bytes);
  explain (EXPLAIN_TEXT, "x", &explained);
  check_rejected (&explained);
  ck_assert_int_ge (explained.counts.end, explained.counts.start);
  free (explained.text);
}
END_TEST

/* The same messages in a VLAN, over IPv6, as RoCEv1, and behind a cooked header. */
static guint
rewrap (guint form, const guint8 *frame, guint8 *out)
{
  static const guint8 vlan[] = { 0x81, 0x00, 0x00, 0x07, 0x08, 0x00 };
  const guint8 *udp = frame + 34, *bth = frame + 42;
  guint udp_length = 288, transport = 280;

  memcpy (out, frame, 12);
  switch (form) {
  case 0:
    memcpy (out + 12, vlan, sizeof vlan);
    memcpy (out + 18, frame + 14, 308);
    return 326;
  case 1:
  case 2:
    out[12] = form == 1 ? 0x86 : 0x89;
    out[13] = form == 1 ? 0xdd : 0x15;
    memset (out + 14, 0, 40);
    out[14] = 0x60;
    out[18] = (guint8) ((form == 1 ? udp_length : transport) >> 8);
    out[19] = (guint8) (form == 1 ? udp_length : transport);
    out[20] = form == 1 ? 17 : 0x1b;
    out[22] = 0xfe;
    out[23] = 0x80;
    out[37] = frame[29];
    out[38] = 0xfe;
    out[39] = 0x80;
    out[53] = frame[33];
    memcpy (out + 54, form == 1 ? udp : bth, form == 1 ? udp_length : transport);
    return 54 + (form == 1 ? udp_length : transport);
  default:
    memset (out, 0, 16);
    out[14] = 0x08;
    memcpy (out + 16, frame + 14, 308);
    return 324;
  }
}

START_TEST (encapsulations)
{
  static const guint links[] = { 1, 1, 1, 113 };
  guint8 frames[2][IB_FRAME_ROCE_BYTES], wrapped[400];

  frames_of (frames);
  for (guint form = 0; form < G_N_ELEMENTS (links); form++) {
    g_autoptr (GByteArray) bytes = pcap_head (links[form]);
    Explained explained;

    for (guint i = 0; i < 2; i++) {
      guint n = rewrap (form, frames[i], wrapped);

      pcap_packet (bytes, i, wrapped, n, n);
    }
    write_bytes (bytes);
    explain (EXPLAIN_TEXT, "x", &explained);
    check_rejected (&explained);
    free (explained.text);
  }
}
END_TEST

/* What is not followed is counted, and said. */
START_TEST (packets_that_are_something_else)
{
  guint8 frames[2][IB_FRAME_ROCE_BYTES], other[IB_FRAME_ROCE_BYTES];
  g_autoptr (GByteArray) bytes = pcap_head (1);
  Explained explained;

  frames_of (frames);
  pcap_packet (bytes, 0, frames[0], 128, IB_FRAME_ROCE_BYTES); /* snap length */
  memcpy (other, frames[0], sizeof other);
  other[12] = 0x08;
  other[13] = 0x06; /* ARP */
  pcap_packet (bytes, 1, other, sizeof other, sizeof other);
  memcpy (other, frames[0], sizeof other);
  other[49] = 0x11; /* another queue pair */
  pcap_packet (bytes, 2, other, sizeof other, sizeof other);
  memcpy (other, frames[0], sizeof other);
  other[16] = 0x05; /* longer than the frame */
  pcap_packet (bytes, 3, other, sizeof other, sizeof other);
  memcpy (other, frames[0], sizeof other);
  other[63] = 0x03; /* subnet administration */
  pcap_packet (bytes, 4, other, sizeof other, sizeof other);
  memcpy (other, frames[0], sizeof other);
  other[64] = 0x01; /* class version 1 */
  pcap_packet (bytes, 5, other, sizeof other, sizeof other);
  write_bytes (bytes);
  explain (EXPLAIN_TEXT, "x", &explained);
  ck_assert_uint_eq (explained.counts.packets, 6);
  ck_assert_uint_eq (explained.counts.frames[IB_FRAME_CUT], 1);
  ck_assert_uint_eq (explained.counts.frames[IB_FRAME_OTHER], 1);
  ck_assert_uint_eq (explained.counts.frames[IB_FRAME_DATA], 1);
  ck_assert_uint_eq (explained.counts.frames[IB_FRAME_MALFORMED], 1);
  ck_assert_uint_eq (explained.counts.other_class, 1);
  ck_assert_uint_eq (explained.counts.not_understood[IB_DECODE_CLASS_VERSION], 1);
  ck_assert_uint_eq (explained.counts.icrc_wrong, 2);
  ck_assert_uint_eq (explained.observed.conversations, 0);
  ck_assert_ptr_nonnull (strstr (explained.text, "1  packets cut short by the capture: skipped\n"));
  ck_assert_ptr_nonnull (strstr (explained.text, "1  CM class version is not 2\n"));
  free (explained.text);
}
END_TEST

START_TEST (file_that_stops_in_a_packet)
{
  guint8 frames[2][IB_FRAME_ROCE_BYTES];
  g_autoptr (GByteArray) bytes = pcap_head (1);
  Explained explained;

  frames_of (frames);
  pcap_packet (bytes, 0, frames[0], IB_FRAME_ROCE_BYTES, IB_FRAME_ROCE_BYTES);
  pcap_packet (bytes, 1, frames[1], IB_FRAME_ROCE_BYTES, IB_FRAME_ROCE_BYTES);
  g_byte_array_set_size (bytes, bytes->len - 1);
  write_bytes (bytes);
  explain (EXPLAIN_TEXT, "x", &explained);
  ck_assert (explained.counts.broken);
  ck_assert_uint_eq (explained.counts.packets, 1);
  ck_assert_uint_eq (explained.observed.outcomes[CM_OUTCOME_PENDING], 1);
  ck_assert_ptr_nonnull (strstr (explained.text, "the file is broken from there on: "));
  free (explained.text);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("explain");
  TCase *tc = tcase_create ("explain");

  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, text_of_a_rejection);
  tcase_add_test (tc, json_of_a_rejection);
  tcase_add_test (tc, empty_capture);
  tcase_add_test (tc, pcapng_files);
  tcase_add_test (tc, absurd_times);
  tcase_add_test (tc, encapsulations);
  tcase_add_test (tc, packets_that_are_something_else);
  tcase_add_test (tc, file_that_stops_in_a_packet);
  suite_add_tcase (suite, tc);
  return test_run (suite);
}

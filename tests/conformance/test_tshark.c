/* A second opinion: tshark takes apart what --pcap writes.  Exit code 77 (skipped) without
 * tshark. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <glib/gstdio.h>

#include "ib_packet.h"
#include "ib_private_data.h"
#include "wire_capture.h"

enum { EXIT_SKIPPED = 77, FIRST_LID = 3, SECOND_LID = 4 };

#define TCP_SERVICE G_GUINT64_CONSTANT (0x0000000001061d2f)
#define SDP_SERVICE G_GUINT64_CONSTANT (0x0000000000011389)

static char *folder;

/* ----- captures ----- */

/* One of each message, and a REQ and a REP of an SDP service, with values that differ. */
static GArray *
make_mads (void)
{
  GArray *mads = g_array_new (FALSE, FALSE, sizeof (IbMad));

  for (guint i = 0; i < IB_CM_ATTR_COUNT + 2; i++) {
    gboolean sdp = i >= IB_CM_ATTR_COUNT;
    guint16 attr = (guint16) (!sdp ? IB_CM_ATTR_FIRST + i
                              : i == IB_CM_ATTR_COUNT ? IB_CM_REQ
                                                      : IB_CM_REP);
    gboolean answer = attr == IB_CM_REP;
    IbMad mad = {
      .source = answer ? SECOND_LID : FIRST_LID,
      .destination = answer ? FIRST_LID : SECOND_LID,
      .mgmt_class = IB_MGMT_CLASS_CM,
      .cm = { .attr = attr, .reason = 5, .message = 1, .service_timeout = 24,
              .remote_response_timeout = 20, .local_response_timeout = 21, .max_cm_retries = 11,
              .local_ack_timeout = 19, .target_ack_delay = 15, .retry_count = 6,
              .rnr_retry_count = 3, .responder_resources = 4, .initiator_depth = 9,
              .local_id = answer ? 0xb0000002 : 0xa0000001,
              .remote_id = attr == IB_CM_REQ ? 0 : answer ? 0xa0000001 : 0xb0000002,
              .qpn = 0x123456, .tid = G_GUINT64_CONSTANT (0x0000000201000000) + i,
              .service_id = answer ? 0 : sdp ? SDP_SERVICE : TCP_SERVICE,
              .ca_guid = G_GUINT64_CONSTANT (0x0123456789abcdef) },
    };

    if (attr != IB_CM_REJ)
      mad.cm.starting_psn = 0x654321;
    g_array_append_val (mads, mad);
  }
  return mads;
}

static char *
write_capture (WireCaptureFormat format, const GArray *mads)
{
  const WireCaptureParams params = { .format = format, .mtu = 4, .rate = 16, .sl = 2 };
  char *path = g_build_filename (folder, format == WIRE_CAPTURE_ERF ? "erf.pcap" : "roce.pcap",
                                 NULL);
  WireCapture *capture = wire_capture_open (path, &params, NULL);

  ck_assert_ptr_nonnull (capture);
  for (guint i = 0; i < mads->len; i++)
    wire_capture_mad (capture, SIM_S (i) + 123456789, &g_array_index (mads, IbMad, i));
  ck_assert (wire_capture_close (capture, TRUE, NULL));
  return path;
}

/* ----- tshark ----- */

/* Lines of what it prints. */
static char **
run_tshark (const char *path, const char *const *arguments)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autofree char *out = NULL;
  gint status = 0;

  g_ptr_array_add (argv, (gpointer) "tshark");
  g_ptr_array_add (argv, (gpointer) "-r");
  g_ptr_array_add (argv, (gpointer) path);
  for (; *arguments; arguments++)
    g_ptr_array_add (argv, (gpointer) *arguments);
  g_ptr_array_add (argv, NULL);
  ck_assert (g_spawn_sync (NULL, (char **) argv->pdata, NULL,
                           G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &out,
                           NULL, &status, NULL));
  ck_assert_int_eq (status, 0);
  return g_strsplit (out, "\n", -1);
}

/* For each frame the values of these fields, in one run; empty where it has none. */
static GPtrArray *
read_fields (const char *path, const char *const *names, guint n)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  GPtrArray *frames = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  g_auto (GStrv) lines = NULL;

  g_ptr_array_add (arguments, (gpointer) "-T");
  g_ptr_array_add (arguments, (gpointer) "fields");
  g_ptr_array_add (arguments, (gpointer) "-Eseparator=|");
  for (guint i = 0; i < n; i++) {
    g_ptr_array_add (arguments, (gpointer) "-e");
    g_ptr_array_add (arguments, (gpointer) names[i]);
  }
  g_ptr_array_add (arguments, NULL);
  lines = run_tshark (path, (const char *const *) arguments->pdata);
  for (guint i = 0; lines[i] && *lines[i]; i++) {
    g_ptr_array_add (frames, g_strsplit (lines[i], "|", -1));
    ck_assert_uint_eq (g_strv_length (g_ptr_array_index (frames, i)), n);
  }
  return frames;
}

static const char *
value (const GPtrArray *frames, guint frame, guint field)
{
  char **values = g_ptr_array_index (frames, frame);

  return values[field];
}

/* ----- fields ----- */

/* tshark 4.0 does not take MRA, SIDR, LAP and APR apart, and reads flow label and rate of
 * a path from the wrong bits. */
static const struct {
  const char *theirs;
  guint16 attr; /* 0: MAD header */
  const char *ours;
} fields[] = {
  { "infiniband.mad.baseversion", 0, "base_version" },
  { "infiniband.mad.mgmtclass", 0, "mgmt_class" },
  { "infiniband.mad.classversion", 0, "class_version" },
  { "infiniband.mad.method", 0, "method" },
  { "infiniband.mad.status", 0, "status" },
  { "infiniband.mad.transactionid", 0, "tid" },
  { "infiniband.mad.attributeid", 0, "attribute" },
  { "infiniband.mad.attributemodifier", 0, "modifier" },
  { "infiniband.cm.req", IB_CM_REQ, "local_id" },
  { "infiniband.cm.req.serviceid", IB_CM_REQ, "service_id" },
  { "infiniband.cm.req.localcaguid", IB_CM_REQ, "ca_guid" },
  { "infiniband.cm.req.localqkey", IB_CM_REQ, "qkey" },
  { "infiniband.cm.req.localqpn", IB_CM_REQ, "qpn" },
  { "infiniband.cm.req.responderres", IB_CM_REQ, "responder_resources" },
  { "infiniband.cm.req.localeecn", IB_CM_REQ, "local_eecn" },
  { "infiniband.cm.req.initdepth", IB_CM_REQ, "initiator_depth" },
  { "infiniband.cm.req.remoteeecn", IB_CM_REQ, "remote_eecn" },
  { "infiniband.cm.req.remoteresptout", IB_CM_REQ, "remote_response_timeout" },
  { "infiniband.cm.req.transpsvctype", IB_CM_REQ, "transport" },
  { "infiniband.cm.req.e2eflowctrl", IB_CM_REQ, "flow_control" },
  { "infiniband.cm.req.startpsn", IB_CM_REQ, "starting_psn" },
  { "infiniband.cm.req.localresptout", IB_CM_REQ, "local_response_timeout" },
  { "infiniband.cm.req.retrcount", IB_CM_REQ, "retry_count" },
  { "infiniband.cm.req.pkey", IB_CM_REQ, "pkey" },
  { "infiniband.cm.req.pppmtu", IB_CM_REQ, "mtu" },
  { "infiniband.cm.req.rdcexist", IB_CM_REQ, "rdc_exists" },
  { "infiniband.cm.req.rnrretrcount", IB_CM_REQ, "rnr_retry_count" },
  { "infiniband.cm.req.maxcmretr", IB_CM_REQ, "max_cm_retries" },
  { "infiniband.cm.req.srq", IB_CM_REQ, "srq" },
  { "infiniband.cm.req.ext_transport", IB_CM_REQ, "extended_transport" },
  { "infiniband.cm.req.prim_locallid", IB_CM_REQ, "primary_local_lid" },
  { "infiniband.cm.req.prim_remotelid", IB_CM_REQ, "primary_remote_lid" },
  { "infiniband.cm.req.prim_tfcclass", IB_CM_REQ, "primary_traffic_class" },
  { "infiniband.cm.req.prim_hoplim", IB_CM_REQ, "primary_hop_limit" },
  { "infiniband.cm.req.prim_sl", IB_CM_REQ, "primary_sl" },
  { "infiniband.cm.req.prim_subnetlocal", IB_CM_REQ, "primary_subnet_local" },
  { "infiniband.cm.req.prim_localacktout", IB_CM_REQ, "primary_ack_timeout" },
  { "infiniband.cm.req.alt_locallid", IB_CM_REQ, "alternate_local_lid" },
  { "infiniband.cm.req.alt_localacktout", IB_CM_REQ, "alternate_ack_timeout" },
  { "infiniband.cm.rep", IB_CM_REP, "local_id" },
  { "infiniband.cm.rep.remotecommid", IB_CM_REP, "remote_id" },
  { "infiniband.cm.rep.localqkey", IB_CM_REP, "qkey" },
  { "infiniband.cm.rep.localqpn", IB_CM_REP, "qpn" },
  { "infiniband.cm.rep.startpsn", IB_CM_REP, "starting_psn" },
  { "infiniband.cm.rep.respres", IB_CM_REP, "responder_resources" },
  { "infiniband.cm.rep.initdepth", IB_CM_REP, "initiator_depth" },
  { "infiniband.cm.rep.tgtackdelay", IB_CM_REP, "target_ack_delay" },
  { "infiniband.cm.rep.failoveracc", IB_CM_REP, "failover_accepted" },
  { "infiniband.cm.rep.e2eflowctrl", IB_CM_REP, "flow_control" },
  { "infiniband.cm.rep.rnrretrcount", IB_CM_REP, "rnr_retry_count" },
  { "infiniband.cm.rep.srq", IB_CM_REP, "srq" },
  { "infiniband.cm.rep.localcaguid", IB_CM_REP, "ca_guid" },
  { "infiniband.cm.rtu.localcommid", IB_CM_RTU, "local_id" },
  { "infiniband.cm.rtu.remotecommid", IB_CM_RTU, "remote_id" },
  { "infiniband.cm.rej.localcommid", IB_CM_REJ, "local_id" },
  { "infiniband.cm.rej.remotecommid", IB_CM_REJ, "remote_id" },
  { "infiniband.cm.rej.msgrej", IB_CM_REJ, "message" },
  { "infiniband.cm.rej.rejinfolen", IB_CM_REJ, "info_length" },
  { "infiniband.cm.rej.reason", IB_CM_REJ, "reason" },
  { "infiniband.cm.dreq.localcommid", IB_CM_DREQ, "local_id" },
  { "infiniband.cm.dreq.remotecommid", IB_CM_DREQ, "remote_id" },
  { "infiniband.cm.req.remoteqpneecn", IB_CM_DREQ, "qpn" },
  { "infiniband.cm.drsp.localcommid", IB_CM_DREP, "local_id" },
  { "infiniband.cm.drsp.remotecommid", IB_CM_DREP, "remote_id" },
};

static guint64
our_value (const IbLayout *layout, const char *name, const guint8 *bytes)
{
  for (guint i = 0; i < layout->n_fields; i++)
    if (g_strcmp0 (layout->fields[i].name, name) == 0)
      return ib_field_load (&layout->fields[i], bytes);
  ck_abort_msg ("%s has no field %s", layout->name, name);
  return 0;
}

/* CRC-32 of Ethernet, a bit at a time. */
static guint32
slow_crc (const guint8 *bytes, gsize n)
{
  guint32 state = 0xffffffff;

  for (gsize i = 0; i < n; i++)
    for (guint bit = 0; bit < 8; bit++) {
      guint32 top = (state ^ (guint32) bytes[i] >> bit) & 1;

      state = state >> 1 ^ (top ? 0xedb88320 : 0);
    }
  return ~state;
}

/* Annex A17.3.3, by byte of the frame. */
static void
check_roce_icrc (const guint8 *frame)
{
  static const guint ones[] = { 15, 22, 24, 25, 40, 41, 46 };
  guint8 masked[8 + 304];
  guint32 icrc;

  memset (masked, 0xff, 8);
  memcpy (masked + 8, frame + 14, 304);
  for (guint i = 0; i < G_N_ELEMENTS (ones); i++)
    masked[8 + ones[i] - 14] = 0xff;
  icrc = slow_crc (masked, sizeof masked);
  for (guint i = 0; i < 4; i++, icrc >>= 8)
    ck_assert_uint_eq (frame[318 + i], icrc & 0xff);
}

/* The MADs as our own reader finds them in the file. */
static GPtrArray *
read_mads (const char *path, WireCaptureFormat format)
{
  GPtrArray *mads = g_ptr_array_new_with_free_func (g_free);
  CaptureReader *reader = capture_reader_open (path, NULL);
  CapturePacket packet;
  IbFrame frame;
  IbCrc crc;

  ib_crc_init (&crc);
  ck_assert_ptr_nonnull (reader);
  while (capture_reader_next (reader, &packet) == CAPTURE_PACKET) {
    ck_assert_int_eq (packet.at, SIM_S (mads->len) + 123456789);
    ck_assert_int_eq (ib_frame_parse (capture_reader_link (reader), packet.bytes,
                                      packet.captured, packet.length, &frame),
                      IB_FRAME_MAD);
    ck_assert (ib_frame_icrc_is_good (&frame, &crc));
    if (format == WIRE_CAPTURE_ROCE)
      check_roce_icrc (packet.bytes);
    g_ptr_array_add (mads, g_memdup2 (frame.mad, IB_MAD_BYTES));
  }
  capture_reader_free (reader);
  return mads;
}

static guint
compare (const GPtrArray *mads, const GPtrArray *frames)
{
  guint compared = 0;

  for (guint i = 0; i < mads->len; i++)
    for (guint f = 0; f < G_N_ELEMENTS (fields); f++) {
      const guint8 *mad = g_ptr_array_index (mads, i);
      const char *theirs = value (frames, i, f);
      guint64 ours;

      if (fields[f].attr != 0 && fields[f].attr != mad[17])
        continue;
      ours = fields[f].attr == 0
                 ? our_value (&ib_mad_header_layout, fields[f].ours, mad)
                 : our_value (ib_cm_layout (mad[17]), fields[f].ours, mad + IB_MAD_HEADER_BYTES);
      ck_assert_msg (*theirs && strtoull (theirs, NULL, 0) == ours,
                     "frame %u: %s is \"%s\", ours %" G_GUINT64_FORMAT, i + 1, fields[f].theirs,
                     theirs, ours);
      compared++;
    }
  return compared;
}

START_TEST (tshark_agrees)
{
  WireCaptureFormat format = _i ? WIRE_CAPTURE_ERF : WIRE_CAPTURE_ROCE;
  const char *names[G_N_ELEMENTS (fields) + 1];
  GArray *sent = make_mads ();
  g_autofree char *path = write_capture (format, sent);
  g_autoptr (GPtrArray) mads = read_mads (path, format), frames = NULL;

  for (guint f = 0; f < G_N_ELEMENTS (fields); f++)
    names[f] = fields[f].theirs;
  names[G_N_ELEMENTS (fields)] = "_ws.malformed";
  frames = read_fields (path, names, G_N_ELEMENTS (names));
  ck_assert_uint_eq (mads->len, sent->len);
  ck_assert_uint_eq (frames->len, sent->len);
  for (guint i = 0; i < frames->len; i++)
    ck_assert_str_eq (value (frames, i, G_N_ELEMENTS (fields)), "");
  ck_assert_uint_ge (compare (mads, frames), 150);
  g_array_free (sent, TRUE);
}
END_TEST

/* Headers of RDMA CM where tshark looks for them, and of SDP. */
START_TEST (private_data_is_recognised)
{
  static const char *const roce_names[] = { "infiniband.cm.req.ip_cm.dip4",
                                            "infiniband.cm.req.ip_cm.sport",
                                            "infiniband.cm.req.prim_localgid_ipv4" };
  static const char *const erf_names[] = { "infiniband_sdp.bsdh.mid", "infiniband_sdp.bsdh.len" };
  GArray *sent = make_mads ();
  g_autofree char *roce = write_capture (WIRE_CAPTURE_ROCE, sent);
  g_autofree char *erf = write_capture (WIRE_CAPTURE_ERF, sent);
  g_autoptr (GPtrArray) frames = read_fields (roce, roce_names, 3);
  g_autoptr (GPtrArray) records = read_fields (erf, erf_names, 2);

  ck_assert_str_eq (value (frames, 0, 0), "10.0.0.4");
  ck_assert_uint_eq (strtoull (value (frames, 0, 1), NULL, 0), 32768 + 0x123456 % 28232);
  ck_assert_str_eq (value (frames, 0, 2), "10.0.0.3");
  ck_assert_str_eq (value (records, IB_CM_ATTR_COUNT, 0), "0x00");
  ck_assert_str_eq (value (records, IB_CM_ATTR_COUNT, 1), "92");
  ck_assert_str_eq (value (records, 0, 0), ""); /* another service */
  g_array_free (sent, TRUE);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("tshark");
  TCase *tc = tcase_create ("tshark");
  g_autofree char *program = g_find_program_in_path ("tshark");
  SRunner *runner;
  int failed;

  if (!program) {
    fprintf (stderr, "skipped: there is no tshark\n");
    return EXIT_SKIPPED;
  }
  folder = g_dir_make_tmp ("cmsim-tshark-XXXXXX", NULL);
  tcase_set_timeout (tc, 120);
  tcase_add_loop_test (tc, tshark_agrees, 0, 2);
  tcase_add_test (tc, private_data_is_recognised);
  suite_add_tcase (suite, tc);
  runner = srunner_create (suite);
  srunner_run_all (runner, CK_NORMAL);
  failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  for (guint i = 0; i < 2; i++) {
    g_autofree char *path = g_build_filename (folder, i ? "erf.pcap" : "roce.pcap", NULL);

    g_unlink (path);
  }
  g_rmdir (folder);
  g_free (folder);
  return failed == 0 ? 0 : 1;
}

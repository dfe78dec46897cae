/* From the simulator's MADs to frames: adds what only the wire has. */
#include "wire_capture.h"

#include <string.h>

#include "ib_packet.h"
#include "ib_private_data.h"
#include "ib_sa_wire.h"

struct WireCapture {
  CaptureWriter *writer;
  WireCaptureParams params;
  IbCrc crc;
  GArray *psns;        /* guint32: the next packet number of each LID */
  GHashTable *sdp_ids; /* gint64 (LID, communication id) of SDP's active ends -> service id */
  gboolean lid_too_large;
};

#define LID_MAX 0xbfff /* unicast, IBTA 4.1.3 */

WireCapture *
wire_capture_open (const char *path, const WireCaptureParams *params, GError **error)
{
  guint link = params->format == WIRE_CAPTURE_ERF ? CAPTURE_LINK_ERF : CAPTURE_LINK_ETHERNET;
  CaptureWriter *writer = capture_writer_open (path, link, error);
  WireCapture *capture;

  if (!writer)
    return NULL;
  capture = g_new0 (WireCapture, 1);
  capture->writer = writer;
  capture->params = *params;
  ib_crc_init (&capture->crc);
  capture->psns = g_array_new (FALSE, TRUE, sizeof (guint32));
  capture->sdp_ids = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  return capture;
}

gboolean
wire_capture_close (WireCapture *capture, gboolean keep, GError **error)
{
  gboolean good = capture_writer_close (capture->writer, keep && !capture->lid_too_large, error);

  if (good && capture->lid_too_large) {
    g_set_error (error, CAPTURE_ERROR, CAPTURE_ERROR_WRITE,
                 "InfiniBand has LIDs up to %u, and the scenario more ports; write RoCE instead",
                 LID_MAX);
    good = FALSE;
  }
  g_array_free (capture->psns, TRUE);
  g_hash_table_destroy (capture->sdp_ids);
  g_free (capture);
  return good;
}

/* ----- addresses ----- */

static void
end_of_lid (const WireCapture *capture, IbLid lid, IbEnd *ret_end)
{
  IbEnd end = { .lid = (guint16) lid };
  const guint8 ip[4] = { 10, (guint8) (lid >> 16), (guint8) (lid >> 8), (guint8) lid };

  memcpy (end.ip + 12, ip, sizeof ip);
  if (capture->params.format == WIRE_CAPTURE_ROCE) {
    end.lid = IB_LID_PERMISSIVE;
    end.gid[10] = end.gid[11] = 0xff;
    memcpy (end.gid + 12, ip, sizeof ip);
  } else {
    const guint8 prefix[] = { 0xfe, 0x80 }, guid[] = { 0x02, 0, 0, 0, 0, 1 };

    memcpy (end.gid, prefix, sizeof prefix);
    memcpy (end.gid + 8, guid, sizeof guid);
    end.gid[14] = (guint8) (lid >> 8);
    end.gid[15] = (guint8) lid;
  }
  *ret_end = end;
}

/* Linux gives out ports of this range (ip_local_port_range); the simulator's connections
 * have none, but a queue pair each. */
static guint16
source_port (guint32 number)
{
  enum { FIRST = 32768, LAST = 60999 };

  return (guint16) (FIRST + number % (LAST - FIRST + 1));
}

/* cma.c cma_get_roce_udp_flow_label. */
static guint32
flow_label (guint source, guint64 service_id)
{
  return (source * 31u + (guint32) (service_id & 0xffff)) & 0xfffff;
}

static guint32
next_psn (WireCapture *capture, IbLid lid)
{
  guint32 *psn;

  if (lid >= capture->psns->len)
    g_array_set_size (capture->psns, lid + 1);
  psn = &g_array_index (capture->psns, guint32, lid);
  return (*psn)++ & 0xffffff;
}

/* ----- messages ----- */

/* A REP does not say which service it is for, but what it carries depends on it. */
static guint64
service_of (WireCapture *capture, const IbMad *mad)
{
  const IbCmMsg *msg = &mad->cm;
  gboolean req = msg->attr == IB_CM_REQ;
  gint64 key = (gint64) ((guint64) (req ? mad->source : mad->destination) << 32 |
                         (req ? msg->local_id : msg->remote_id));
  const guint64 *known = g_hash_table_lookup (capture->sdp_ids, &key);

  if (!req)
    return known ? *known : 0;
  if (ib_service_kind (msg->service_id) == IB_SERVICE_SDP)
    g_hash_table_replace (capture->sdp_ids, g_memdup2 (&key, sizeof key),
                          g_memdup2 (&msg->service_id, sizeof msg->service_id));
  else if (known)
    g_hash_table_remove (capture->sdp_ids, &key);
  return msg->service_id;
}

/* What Linux fills in on either kind of link (cma.c, ib_sa). */
static void
fill_route (WireCapture *capture, const IbMad *mad, IbCmRoute *route)
{
  const WireCaptureParams *params = &capture->params;

  *route = (IbCmRoute){ .mtu = 3, .hop_limit = 64 };
  if (params->format == WIRE_CAPTURE_ERF)
    *route = (IbCmRoute){ .mtu = (guint8) params->mtu,
                          .rate = (guint8) params->rate,
                          .sl = (guint8) params->sl,
                          .subnet_local = 1 };
  end_of_lid (capture, mad->source, &route->source);
  end_of_lid (capture, mad->destination, &route->destination);
  if (mad->mgmt_class != IB_MGMT_CLASS_CM)
    return;
  if (mad->cm.attr == IB_CM_REJ && (mad->cm.reason == IB_CM_REJ_PORT_CM_REDIRECT ||
                                    mad->cm.reason == IB_CM_REJ_PORT_REDIRECT))
    end_of_lid (capture, (IbLid) mad->cm.redirect, &route->redirect);
  route->service_id = service_of (capture, mad);
  route->source_port = source_port (mad->cm.qpn ? mad->cm.qpn : mad->cm.local_id);
  if (params->format == WIRE_CAPTURE_ROCE)
    route->flow_label = flow_label (route->source_port, route->service_id);
}

/* The other port of the adapter, which the simulator does not have: what a LAP offers. */
static void
second_port (IbEnd *end)
{
  enum { PORT_BIT = 0x4000 };

  if ((end->lid ^ PORT_BIT) <= LID_MAX)
    end->lid ^= PORT_BIT;
  end->gid[13] ^= 2; /* of the GUID's middle, the same on all first ports */
}

static void
encode (const WireCapture *capture, const IbMad *mad, const IbCmRoute *route, guint8 *bytes)
{
  IbCmRoute said = *route;
  IbEnd from, to;
  IbCmWire wire;

  if (mad->mgmt_class == IB_MGMT_CLASS_CM) {
    if (mad->cm.attr == IB_CM_LAP && capture->params.format == WIRE_CAPTURE_ERF) {
      second_port (&said.source);
      second_port (&said.destination);
    }
    ib_cm_wire_from_msg (&mad->cm, &said, &wire);
    ib_cm_encode (&wire, bytes);
    return;
  }
  end_of_lid (capture, mad->sa.slid, &from);
  end_of_lid (capture, mad->sa.dlid, &to);
  ib_sa_encode (&mad->sa, &from, &to, bytes);
}

/* ----- frames ----- */

#define ERF_HEADER 16

/* Time as 32.32 fixed point, least significant byte first (Endace ERF). */
static void
put_erf_header (SimTime at, guint n, guint8 *header)
{
  guint64 fraction = ((guint64) (at % SIM_S (1)) << 32) / (guint64) SIM_S (1);
  guint64 stamp = (guint64) (at / SIM_S (1)) << 32 | fraction;

  memset (header, 0, ERF_HEADER);
  for (guint i = 0; i < 8; i++, stamp >>= 8)
    header[i] = (guint8) stamp;
  header[8] = 21; /* InfiniBand */
  header[10] = (guint8) ((ERF_HEADER + n) >> 8);
  header[11] = (guint8) (ERF_HEADER + n);
  header[14] = (guint8) (n >> 8);
  header[15] = (guint8) n;
}

void
wire_capture_mad (WireCapture *capture, SimTime at, const IbMad *mad)
{
  guint8 bytes[IB_MAD_BYTES], frame[ERF_HEADER + IB_FRAME_ROCE_BYTES];
  guint32 psn = next_psn (capture, mad->source);
  IbCmRoute route;

  if (capture->params.format == WIRE_CAPTURE_ERF && MAX (mad->source, mad->destination) > LID_MAX)
    capture->lid_too_large = TRUE;
  fill_route (capture, mad, &route);
  encode (capture, mad, &route, bytes);
  if (capture->params.format == WIRE_CAPTURE_ROCE) {
    ib_frame_build_roce (&capture->crc, &route, psn, bytes, frame);
    capture_writer_packet (capture->writer, at, frame, IB_FRAME_ROCE_BYTES);
  } else {
    put_erf_header (at, IB_FRAME_NATIVE_BYTES, frame);
    ib_frame_build_native (&capture->crc, &route, psn, bytes, frame + ERF_HEADER);
    capture_writer_packet (capture->writer, at, frame, ERF_HEADER + IB_FRAME_NATIVE_BYTES);
  }
}

/* A capture file of a simulated wire: each MAD as the bytes that hosts of this kind would
 * send, at its simulated time.
 *
 * A host is named by its LID; its addresses are made of it: 10.0.0.0 plus the LID,
 * fe80::200:0:1:0 plus the LID. */
#pragma once

#include "capture_writer.h"
#include "ib_types.h"

typedef enum {
  WIRE_CAPTURE_ROCE, /* RoCEv2 over IPv4 in Ethernet */
  WIRE_CAPTURE_ERF,  /* native InfiniBand in ERF records */
} WireCaptureFormat;

typedef struct {
  WireCaptureFormat format;
  guint mtu, rate, sl; /* codes of native paths */
} WireCaptureParams;

typedef struct WireCapture WireCapture;

WireCapture *wire_capture_open (const char *path, const WireCaptureParams *params,
                                GError **error);
void wire_capture_mad (WireCapture *capture, SimTime at, const IbMad *mad);
/* See capture_writer_close().  Also FALSE when there are more LIDs than the format has. */
gboolean wire_capture_close (WireCapture *capture, gboolean keep, GError **error);

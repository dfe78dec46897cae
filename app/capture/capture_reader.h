/* Reads capture files: pcap and pcapng, through libpcap. */
#pragma once

#include <stdio.h>

#include "ib_packet.h"
#include "sim_time.h"

#define CAPTURE_ERROR (capture_error_quark ())
GQuark capture_error_quark (void);
typedef enum {
  CAPTURE_ERROR_READ,
  CAPTURE_ERROR_WRITE,
  CAPTURE_ERROR_FULL, /* no space left, quota or file size limit */
} CaptureError;

typedef struct CaptureReader CaptureReader;

typedef struct {
  SimTime at;          /* since 1970, or whatever the file counts from; >= 0 */
  const guint8 *bytes; /* valid until the next packet */
  gsize captured;      /* bytes there are */
  gsize length;        /* bytes the packet had */
} CapturePacket;

typedef enum {
  CAPTURE_PACKET,
  CAPTURE_END,
  CAPTURE_BROKEN, /* the file ends within a packet, or makes no sense from here on */
} CaptureNext;

/* path: "-" is standard input.  NULL and CAPTURE_ERROR_READ if it cannot be read, is no
 * capture, or is one of a link that carries no InfiniBand. */
CaptureReader *capture_reader_open (const char *path, GError **error);
/* The same of an open stream, which is closed in any case. */
CaptureReader *capture_reader_open_stream (FILE *stream, const char *name, GError **error);
void capture_reader_free (CaptureReader *reader);
IbLink capture_reader_link (const CaptureReader *reader);
CaptureNext capture_reader_next (CaptureReader *reader, CapturePacket *ret_packet);
/* After CAPTURE_BROKEN: why, in one line. */
const char *capture_reader_why (const CaptureReader *reader);

/* Writes pcap files with nanosecond time stamps.
 *
 * The file is written beside its place and put there once it is complete; what is no
 * regular file, a pipe say, is written to directly. */
#pragma once

#include "capture_reader.h"

typedef struct CaptureWriter CaptureWriter;

#define CAPTURE_LINK_ETHERNET 1
#define CAPTURE_LINK_ERF 197

CaptureWriter *capture_writer_open (const char *path, guint link, GError **error);
/* Errors are kept until the end. */
void capture_writer_packet (CaptureWriter *writer, SimTime at, const guint8 *bytes, guint n);
/* keep: FALSE leaves what was there before.  Frees.  FALSE and CAPTURE_ERROR if the file
 * could not be written. */
gboolean capture_writer_close (CaptureWriter *writer, gboolean keep, GError **error);

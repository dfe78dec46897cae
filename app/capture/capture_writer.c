/* The classic format, which every tool reads: little-endian, whatever the machine. */
#include "capture_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "suggest.h"

struct CaptureWriter {
  FILE *stream;
  char *path;      /* where it belongs */
  char *temporary; /* where it is; NULL: written in place */
  int code;        /* errno of the first error, or 0 */
};

#define MAGIC_NANOSECONDS 0xa1b23c4du
#define SNAP_LENGTH 65535

static void
store16 (guint8 *bytes, guint value)
{
  bytes[0] = (guint8) value;
  bytes[1] = (guint8) (value >> 8);
}

static void
store32 (guint8 *bytes, guint32 value)
{
  store16 (bytes, value & 0xffff);
  store16 (bytes + 2, value >> 16);
}

static void
put (CaptureWriter *writer, const void *bytes, gsize n)
{
  if (writer->code == 0 && fwrite (bytes, 1, n, writer->stream) != n)
    writer->code = errno ? errno : EIO;
}

static gboolean
fail (GError **error, int code, const char *path)
{
  gboolean full = code == ENOSPC || code == EDQUOT || code == EFBIG;
  g_autofree char *shown = suggest_escape (path);

  g_set_error (error, CAPTURE_ERROR, full ? CAPTURE_ERROR_FULL : CAPTURE_ERROR_WRITE,
               "cannot write %s: %s", shown, g_strerror (code));
  return FALSE;
}

/* As umask has it; mkstemp makes files that only their owner reads. */
static void
set_mode (int descriptor)
{
  mode_t mask = umask (0);

  umask (mask);
  fchmod (descriptor, 0666 & ~mask);
}

static int
open_file (CaptureWriter *writer)
{
  struct stat status;
  int descriptor;

  if (stat (writer->path, &status) == 0 && !S_ISREG (status.st_mode))
    return open (writer->path, O_WRONLY | O_CLOEXEC);
  writer->temporary = g_strdup_printf ("%s.XXXXXX", writer->path);
  descriptor = g_mkstemp_full (writer->temporary, O_WRONLY | O_CLOEXEC, 0600);
  if (descriptor >= 0)
    set_mode (descriptor);
  return descriptor;
}

static void
writer_free (CaptureWriter *writer)
{
  g_free (writer->path);
  g_free (writer->temporary);
  g_free (writer);
}

CaptureWriter *
capture_writer_open (const char *path, guint link, GError **error)
{
  CaptureWriter *writer = g_new0 (CaptureWriter, 1);
  char *target = realpath (path, NULL); /* a link stays one */
  guint8 header[24] = { [4] = 2, [6] = 4 };
  int descriptor, code;

  writer->path = g_strdup (target ? target : path);
  free (target);
  descriptor = open_file (writer);
  writer->stream = descriptor >= 0 ? fdopen (descriptor, "wb") : NULL;
  if (!writer->stream) {
    code = errno;
    writer_free (writer);
    fail (error, code, path);
    return NULL;
  }
  store32 (header, MAGIC_NANOSECONDS);
  store32 (header + 16, SNAP_LENGTH);
  store32 (header + 20, link);
  put (writer, header, sizeof header);
  return writer;
}

void
capture_writer_packet (CaptureWriter *writer, SimTime at, const guint8 *bytes, guint n)
{
  guint8 header[16];

  store32 (header, (guint32) (at / SIM_S (1)));
  store32 (header + 4, (guint32) (at % SIM_S (1)));
  store32 (header + 8, n);
  store32 (header + 12, n);
  put (writer, header, sizeof header);
  put (writer, bytes, n);
}

gboolean
capture_writer_close (CaptureWriter *writer, gboolean keep, GError **error)
{
  gboolean good;

  if (fclose (writer->stream) != 0 && writer->code == 0)
    writer->code = errno;
  good = writer->code == 0;
  if (writer->temporary && good && keep && rename (writer->temporary, writer->path) != 0) {
    writer->code = errno;
    good = FALSE;
  }
  if (writer->temporary && (!good || !keep))
    unlink (writer->temporary);
  if (!good)
    fail (error, writer->code, writer->path);
  writer_free (writer);
  return good;
}

/* libpcap behind a small face. */
#include "capture_reader.h"

#include <errno.h>
#include <pcap/pcap.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "suggest.h"

struct CaptureReader {
  pcap_t *pcap;
  IbLink link;
  char *why;
};

G_DEFINE_QUARK (cmsim - capture - error - quark, capture_error)

/* Later ones could not be added to: 2096. */
#define SECONDS_MAX 4000000000
#define STREAM_BUFFER (1 << 20)

static const struct {
  int dlt;
  IbLink link;
} links[] = {
  { DLT_EN10MB, IB_LINK_ETHERNET },
  { DLT_LINUX_SLL, IB_LINK_COOKED },
  { DLT_LINUX_SLL2, IB_LINK_COOKED2 },
  { DLT_RAW, IB_LINK_IP },
  { DLT_IPV4, IB_LINK_IP },
  { DLT_IPV6, IB_LINK_IP },
  { DLT_ERF, IB_LINK_ERF },
  { DLT_USER0, IB_LINK_LRH },
  { DLT_INFINIBAND, IB_LINK_LRH },
};

static gboolean
find_link (int dlt, IbLink *ret_link)
{
  for (guint i = 0; i < G_N_ELEMENTS (links); i++)
    if (links[i].dlt == dlt) {
      *ret_link = links[i].link;
      return TRUE;
    }
  return FALSE;
}

static CaptureReader *
refuse (GError **error, const char *name, const char *text)
{
  g_autofree char *shown = suggest_escape (name), *said = suggest_escape (text);

  g_set_error (error, CAPTURE_ERROR, CAPTURE_ERROR_READ, "%s: %s", shown, said);
  return NULL;
}

/* The program that packed what the stream begins with, by its first byte, or NULL.  No capture
 * file begins with one of these; one byte can always be put back. */
static const char *
find_packer (FILE *stream)
{
  int first = getc (stream);

  if (first != EOF)
    ungetc (first, stream);
  switch (first) {
  case 0x1f:
    return "gzip";
  case 0x28:
    return "zstd";
  case 0xfd:
    return "xz";
  case 'B':
    return "bzip2";
  default:
    return NULL;
  }
}

CaptureReader *
capture_reader_open_stream (FILE *stream, const char *name, GError **error)
{
  char errors[PCAP_ERRBUF_SIZE] = "";
  const char *packer;
  pcap_t *pcap;
  CaptureReader *reader;
  IbLink link;

  setvbuf (stream, NULL, _IOFBF, STREAM_BUFFER);
  packer = find_packer (stream);
  pcap = pcap_fopen_offline_with_tstamp_precision (stream, PCAP_TSTAMP_PRECISION_NANO, errors);
  if (!pcap) {
    g_autofree char *text = packer ? g_strdup_printf ("is packed; unpack it: %s -dc FILE | cmsim "
                                                      "explain -", packer)
                                   : g_strdup_printf ("is no capture file: %s", errors);

    fclose (stream);
    return refuse (error, name, text);
  }
  if (!find_link (pcap_datalink (pcap), &link)) {
    const char *dlt = pcap_datalink_val_to_name (pcap_datalink (pcap));
    g_autofree char *text
        = g_strdup_printf ("link type %d (%s) carries no InfiniBand; Ethernet and ERF do",
                           pcap_datalink (pcap), dlt ? dlt : "unknown");

    pcap_close (pcap);
    return refuse (error, name, text);
  }
  reader = g_new0 (CaptureReader, 1);
  reader->pcap = pcap;
  reader->link = link;
  return reader;
}

CaptureReader *
capture_reader_open (const char *path, GError **error)
{
  gboolean standard = strcmp (path, "-") == 0;
  FILE *stream = standard ? fdopen (dup (STDIN_FILENO), "rb") : fopen (path, "rbe");
  struct stat status;

  if (!stream) {
    g_autofree char *text = g_strdup_printf ("cannot be read: %s", g_strerror (errno));

    return refuse (error, path, text);
  }
  if (fstat (fileno (stream), &status) == 0 && S_ISDIR (status.st_mode)) {
    fclose (stream);
    return refuse (error, path, "is a directory; name a file");
  }
  return capture_reader_open_stream (stream, standard ? "standard input" : path, error);
}

void
capture_reader_free (CaptureReader *reader)
{
  if (!reader)
    return;
  pcap_close (reader->pcap);
  g_free (reader->why);
  g_free (reader);
}

IbLink
capture_reader_link (const CaptureReader *reader)
{
  return reader->link;
}

/* The file may say anything. */
static SimTime
time_of (const struct pcap_pkthdr *header)
{
  gint64 seconds = CLAMP ((gint64) header->ts.tv_sec, 0, SECONDS_MAX);
  gint64 nanoseconds = CLAMP ((gint64) header->ts.tv_usec, 0, 999999999);

  return SIM_S (seconds) + nanoseconds;
}

CaptureNext
capture_reader_next (CaptureReader *reader, CapturePacket *ret_packet)
{
  struct pcap_pkthdr *header;
  const u_char *bytes;
  int answer = pcap_next_ex (reader->pcap, &header, &bytes);

  if (answer == 1) {
    *ret_packet = (CapturePacket){ .at = time_of (header), .bytes = bytes,
                                   .captured = header->caplen, .length = header->len };
    return CAPTURE_PACKET;
  }
  if (answer == PCAP_ERROR_BREAK)
    return CAPTURE_END;
  g_free (reader->why);
  reader->why = suggest_escape (pcap_geterr (reader->pcap));
  return CAPTURE_BROKEN;
}

const char *
capture_reader_why (const CaptureReader *reader)
{
  return reader->why ? reader->why : "";
}

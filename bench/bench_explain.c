/* bench_explain [CONNECTIONS [FILE]]: how many packets a second `cmsim explain` takes.
 *
 * Writes a capture of that many connections (a million packets by default), some thousand
 * of them open at a time, of which one in eight has its REQ repeated, then explains it and
 * prints packets, seconds, packets a second, seconds of processor time, and the memory it
 * took.  With FILE the capture is kept there. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "explain.h"
#include "wire_capture.h"

enum { HOSTS = 1000, OPEN = 4096 };

typedef struct {
  WireCapture *capture;
  SimTime now;
  guint64 packets;
} Bench;

static void
put (Bench *bench, IbLid from, IbLid to, IbCmMsg msg)
{
  const IbMad mad = { .source = from, .destination = to, .mgmt_class = IB_MGMT_CLASS_CM,
                      .cm = msg };

  bench->now += SIM_US (100);
  wire_capture_mad (bench->capture, bench->now, &mad);
  bench->packets++;
}

/* Message `step` of connection `i`. */
static void
put_step (Bench *bench, guint i, guint step)
{
  const IbLid client = 2 + i % HOSTS, server = 1;
  const guint32 a = i + 1, b = 0x80000000u + i + 1;
  IbCmMsg msg = { .local_id = a, .remote_id = b, .tid = a };

  switch (step) {
  case 0:
  case 1:
    if (step == 1 && i % 8 != 0)
      return;
    msg = (IbCmMsg){ .attr = IB_CM_REQ, .local_id = a, .tid = a, .service_id = 0x01061d2f,
                     .qpn = 0x1000 + a, .ca_guid = client, .remote_response_timeout = 20,
                     .local_response_timeout = 20, .max_cm_retries = 15,
                     .local_ack_timeout = 19 };
    break;
  case 2:
    put (bench, server, client,
         (IbCmMsg){ .attr = IB_CM_REP, .local_id = b, .remote_id = a, .tid = a,
                    .qpn = 0x1000 + a, .ca_guid = server, .target_ack_delay = 15 });
    return;
  case 3:
    msg.attr = IB_CM_RTU;
    break;
  case 4:
    msg.attr = IB_CM_DREQ;
    msg.qpn = 0x1000 + a;
    break;
  case 5:
    put (bench, server, client,
         (IbCmMsg){ .attr = IB_CM_DREP, .local_id = b, .remote_id = a, .tid = a });
    return;
  }
  put (bench, client, server, msg);
}

/* Connections go through their steps in turn, OPEN of them side by side. */
static guint64
write_capture (const char *path, guint connections)
{
  const WireCaptureParams params = { .format = WIRE_CAPTURE_ROCE };
  Bench bench = { .capture = wire_capture_open (path, &params, NULL) };

  g_assert (bench.capture);
  for (guint first = 0; first < connections; first += OPEN)
    for (guint step = 0; step < 6; step++)
      for (guint i = first; i < MIN (first + OPEN, connections); i++)
        put_step (&bench, i, step);
  g_assert (wire_capture_close (bench.capture, TRUE, NULL));
  return bench.packets;
}

static void
forget (gpointer owner, CmConversation *conversation)
{
  guint64 *n = owner;

  (*n)++;
  cm_conversation_free (conversation);
}

static double
seconds_of (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

int
main (int argc, char **argv)
{
  static const ExplainOps ops = { .conversation = forget };
  const guint connections = argc > 1 ? (guint) strtoul (argv[1], NULL, 10) : 195000;
  const ExplainOptions options = { .profile = cm_profile_find ("linux-6.1"),
                                   .live_max = CM_OBSERVER_LIVE_MAX };
  char *path = argc > 2 ? g_strdup (argv[2])
                        : g_build_filename (g_get_tmp_dir (), "bench_explain.pcap", NULL);
  guint64 packets = write_capture (path, connections), conversations = 0;
  CaptureReader *reader = capture_reader_open (path, NULL);
  CmObserverCounters observed;
  ExplainCounts counts;
  struct rusage usage;
  double start, seconds, processor;

  g_assert (reader);
  start = seconds_of (CLOCK_MONOTONIC);
  processor = seconds_of (CLOCK_PROCESS_CPUTIME_ID);
  explain_capture (reader, &options, &ops, &conversations, &counts, &observed);
  seconds = seconds_of (CLOCK_MONOTONIC) - start;
  processor = seconds_of (CLOCK_PROCESS_CPUTIME_ID) - processor;
  getrusage (RUSAGE_SELF, &usage);
  g_assert (counts.packets == packets && conversations == connections &&
            observed.verdicts[CM_SEEN_UNEXPECTED] == 0);
  printf ("%" G_GUINT64_FORMAT " packets, %.3f s, %.0f packets/s, processor %.3f s, "
          "at most %" G_GUINT64_FORMAT " conversations live, %ld KiB\n", packets, seconds,
          (double) packets / seconds, processor, observed.live_max, usage.ru_maxrss);
  capture_reader_free (reader);
  if (argc <= 2)
    unlink (path);
  g_free (path);
  return 0;
}

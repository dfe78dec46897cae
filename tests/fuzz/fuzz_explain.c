/* libFuzzer: whatever a capture file holds, it is explained or refused. */
#include <stdlib.h>

#include "explain_report.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* Few enough that small files reach the limit. */
#define LIVE_MAX 8

static void
report (CaptureReader *reader, ExplainFormat format, const CmProfile *profile, FILE *out)
{
  static const ExplainOps ops = { .conversation = explain_report_conversation };
  const ExplainOptions run = { .profile = profile, .live_max = LIVE_MAX };
  const ExplainReportOptions print
      = { .out = out, .format = format, .profile = profile, .ladders = 5, .only = -1 };
  ExplainReport *explained = explain_report_new (&print);
  CmObserverCounters observed;
  ExplainCounts counts;

  explain_capture (reader, &run, &ops, explained, &counts, &observed);
  g_assert (observed.live == 0 && observed.live_max <= LIVE_MAX);
  explain_report_finish (explained, "fuzz", counts.broken ? capture_reader_why (reader) : NULL,
                         &counts, &observed);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  FILE *in = size ? fmemopen ((void *) data, size, "rb") : NULL, *out;
  GError *error = NULL;
  CaptureReader *reader;
  gsize written;
  char *text;

  if (!in)
    return 0;
  reader = capture_reader_open_stream (in, "fuzz", &error);
  g_assert (!reader == !!error);
  if (!reader) {
    g_assert (g_utf8_validate (error->message, -1, NULL));
    g_error_free (error);
    return 0;
  }
  out = open_memstream (&text, &written);
  /* The length picks what is printed, and whose state machine it is. */
  report (reader, (ExplainFormat) (size % 3), cm_profiles[size / 3 % 11], out);
  fclose (out);
  free (text);
  capture_reader_free (reader);
  return 0;
}

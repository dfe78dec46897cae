#include "trace_ladder.h"

#include <stdio.h>
#include <unistd.h>

#include "explain.h"
#include "explain_ladder.h"

char *
trace_ladder_begin (GError **error)
{
  char *path;
  int file = g_file_open_tmp ("cmsim-XXXXXX.pcap", &path, error);

  if (file < 0)
    return NULL;
  close (file);
  return path;
}

static void
print (gpointer owner, CmConversation *conversation)
{
  explain_ladder_print (stdout, conversation, owner);
  cm_conversation_free (conversation);
}

gboolean
trace_ladder_print (const char *path, const CmProfile *profile, GError **error)
{
  static const ExplainOps ops = { .conversation = print };
  const ExplainOptions options = { .profile = profile, .live_max = CM_OBSERVER_LIVE_MAX };
  CaptureReader *reader = capture_reader_open (path, error);
  CmObserverCounters observed;
  ExplainCounts counts;

  if (reader)
    explain_capture (reader, &options, &ops, (gpointer) profile, &counts, &observed);
  if (reader)
    capture_reader_free (reader);
  return reader != NULL;
}

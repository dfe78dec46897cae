/* The summary of a capture. */
#include "explain_report_private.h"
#include "suggest.h"

/* Left column of a line, right-aligned number. */
#define COUNT "%10" G_GUINT64_FORMAT "  "

static void
print_count (FILE *out, guint64 n, const char *text)
{
  if (n > 0)
    fprintf (out, COUNT "%s\n", n, text);
}

static void
print_file (FILE *out, const char *name, const char *why, const ExplainCounts *counts,
            const CmObserverCounters *observed)
{
  char *shown = suggest_escape (name), time[32];
  guint64 cm = 0;

  for (guint i = 0; i < IB_CM_ATTR_COUNT; i++)
    cm += observed->messages[i];
  fprintf (out, "%s: %" G_GUINT64_FORMAT " packets in %s s, %" G_GUINT64_FORMAT
           " CM messages, %" G_GUINT64_FORMAT " conversation%s\n", shown, counts->packets,
           explain_seconds (counts->end - counts->start, time, sizeof time), cm,
           observed->conversations, observed->conversations == 1 ? "" : "s");
  if (why)
    fprintf (out, "the file is broken from there on: %s\n", why);
  g_free (shown);
}

/* What was not followed, and why. */
static void
print_rest (FILE *out, const ExplainCounts *counts)
{
  print_count (out, counts->frames[IB_FRAME_OTHER], "packets are not InfiniBand");
  print_count (out, counts->frames[IB_FRAME_DATA], "packets are InfiniBand, but not management");
  print_count (out, counts->other_class, "MADs of other management classes");
  print_count (out, counts->frames[IB_FRAME_CUT], "packets cut short by the capture: skipped");
  print_count (out, counts->frames[IB_FRAME_FRAGMENT], "IP fragments: skipped");
  print_count (out, counts->frames[IB_FRAME_MALFORMED], "malformed packets: skipped");
  print_count (out, counts->icrc_wrong, "MADs with a wrong invariant CRC: followed all the same");
  for (guint i = 0; i < G_N_ELEMENTS (counts->not_understood); i++)
    print_count (out, counts->not_understood[i], ib_decode_text (i));
}

static void
print_messages (FILE *out, const CmObserverCounters *observed)
{
  fprintf (out, "messages:\n");
  for (guint i = 0; i < IB_CM_ATTR_COUNT; i++) {
    if (observed->messages[i] == 0)
      continue;
    fprintf (out, COUNT "%s", observed->messages[i], ib_cm_attr_name (IB_CM_ATTR_FIRST + i));
    if (observed->repeats[i] > 0)
      fprintf (out, ", %" G_GUINT64_FORMAT " of them retransmissions", observed->repeats[i]);
    fprintf (out, "\n");
  }
}

static void
print_outcomes (FILE *out, const CmObserverCounters *observed)
{
  const guint last = G_N_ELEMENTS (observed->rejs) - 1;

  fprintf (out, "conversations:\n");
  for (guint i = 0; i < CM_OUTCOME_COUNT; i++)
    print_count (out, observed->outcomes[i], cm_outcome_text (i));
  for (guint i = 0; i < last; i++)
    if (observed->rejs[i] > 0)
      fprintf (out, COUNT "REJ reason %u: %s\n", observed->rejs[i], i, ib_cm_rej_reason_name (i));
  print_count (out, observed->rejs[last], "REJ with a reason out of range");
}

static void
print_findings (FILE *out, const CmObserverCounters *observed)
{
  const guint64 *verdicts = observed->verdicts;

  fprintf (out, "findings:\n");
  fprintf (out, COUNT "messages that the state machine does not expect\n",
           verdicts[CM_SEEN_UNEXPECTED]);
  print_count (out, observed->unanswered, "REQs unanswered");
  print_count (out, observed->stale, "messages for connections the receiver no longer has");
  print_count (out, verdicts[CM_SEEN_EARLY], "messages repeated long before their timer");
  print_count (out, verdicts[CM_SEEN_ANSWERED], "answers sent again for duplicates");
  print_count (out, verdicts[CM_SEEN_COPY], "packets that are in the capture twice");
  print_count (out, observed->missing, "messages missing from the capture");
  print_count (out, observed->complaints, "broken rules in message fields");
  print_count (out, observed->backwards,
               "packets with a time before the packet before: reordercap sorts them");
  print_count (out, observed->evicted, "conversations no longer followed: too many at once");
}

static void
print_timers (FILE *out, const ExplainReport *report)
{
  char a[32], b[32], c[32], text[EXPLAIN_TEXT_BYTES];

  if (report->n_timers > 0)
    fprintf (out, "timers:\n");
  for (guint i = 0; i < report->n_timers; i++) {
    const ExplainWait *wait = &report->timers[i].wait;

    fprintf (out, COUNT "waits for %s%s, %s to %s s", (guint64) wait->group.n,
             ib_cm_attr_name (wait->attr), wait->wait == CM_WAIT_MRA ? " after an MRA" : "",
             explain_seconds (wait->group.shortest, a, sizeof a),
             explain_seconds (wait->group.longest, b, sizeof b));
    if (wait->nominal == 0) {
      fprintf (out, "; unknown what was asked for: the REQ was not seen\n");
      continue;
    }
    fprintf (out, " where %s s were asked for\n", explain_seconds (wait->nominal, c, sizeof c));
    fprintf (out, "            %s\n",
             explain_fit (&wait->group, wait->n_fits, text, sizeof text));
  }
}

static void
print_profiles (FILE *out, const ExplainReport *report)
{
  gboolean any = FALSE;

  for (guint i = 0; cm_profiles[i]; i++) {
    if (report->profiles[i] == 0)
      continue;
    if (!any)
      fprintf (out, "profiles that fit:\n");
    any = TRUE;
    fprintf (out, COUNT "%s\n", report->profiles[i], cm_profiles[i]->name);
  }
}

void
explain_text_summary (const ExplainReport *report, const char *name, const char *why,
                      const ExplainCounts *counts, const CmObserverCounters *observed)
{
  FILE *out = report->options.out;

  print_file (out, name, why, counts, observed);
  print_rest (out, counts);
  if (observed->conversations == 0)
    return;
  print_messages (out, observed);
  print_outcomes (out, observed);
  print_findings (out, observed);
  print_timers (out, report);
  print_profiles (out, report);
}

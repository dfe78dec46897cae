/* Collects what the summary says and picks the conversations whose ladders are shown. */
#include "explain_ladder.h"
#include "explain_report_private.h"

gboolean
explain_has_trouble (const CmConversation *conversation)
{
  const guint *counts = conversation->counts;

  return (conversation->outcome != CM_OUTCOME_OPEN &&
          conversation->outcome != CM_OUTCOME_RELEASED) ||
         counts[CM_SEEN_REPEATED] + counts[CM_SEEN_EARLY] + counts[CM_SEEN_GAP] +
                 counts[CM_SEEN_UNEXPECTED] > 0;
}

ExplainReport *
explain_report_new (const ExplainReportOptions *options)
{
  ExplainReport *report = g_new0 (ExplainReport, 1);

  report->options = *options;
  report->trouble = g_ptr_array_new ();
  report->smooth = g_ptr_array_new ();
  if (options->format == EXPLAIN_CSV)
    explain_csv_head (options->out);
  else if (options->format == EXPLAIN_JSON)
    fputs ("{\n  \"connections\": [", options->out);
  return report;
}

/* ----- timers over all conversations ----- */

static gboolean
same_kind (const ExplainWait *a, const ExplainWait *b)
{
  return a->attr == b->attr && a->wait == b->wait && a->nominal == b->nominal;
}

static void
add_timer (ExplainReport *report, const ExplainWait *wait)
{
  for (guint i = 0; i < report->n_timers; i++)
    if (same_kind (&report->timers[i].wait, wait)) {
      cm_fit_merge (&report->timers[i].wait.group, &wait->group);
      report->timers[i].conversations++;
      return;
    }
  if (report->n_timers < EXPLAIN_TIMERS_MAX)
    report->timers[report->n_timers++] = (ExplainTimer){ *wait, 1 };
}

static void
add_waits (ExplainReport *report, const CmConversation *conversation)
{
  ExplainWait waits[EXPLAIN_WAITS_MAX];
  guint64 mask;
  guint n = explain_waits (conversation, report->options.profile, waits, &mask);

  for (guint i = 0; i < n; i++)
    add_timer (report, &waits[i]);
  for (guint i = 0; i < G_N_ELEMENTS (report->profiles); i++)
    report->profiles[i] += mask >> i & 1;
}

/* ----- ladders ----- */

/* Keeps the first few of either kind; which of them are shown is known in the end. */
static void
keep (ExplainReport *report, CmConversation *conversation)
{
  GPtrArray *list = explain_has_trouble (conversation) ? report->trouble : report->smooth;

  if (list->len < (guint64) report->options.ladders)
    g_ptr_array_add (list, conversation);
  else
    cm_conversation_free (conversation);
}

void
explain_report_conversation (gpointer owner, CmConversation *conversation)
{
  ExplainReport *report = owner;
  const ExplainReportOptions *options = &report->options;
  gboolean ladder = options->only >= 0 ? conversation->number == (guint64) options->only
                                       : options->ladders < 0;

  add_waits (report, conversation);
  if (options->format == EXPLAIN_JSON)
    explain_json_conversation (report, conversation);
  else if (options->format == EXPLAIN_CSV)
    explain_csv_conversation (options->out, conversation, options->profile);
  else if (ladder)
    explain_ladder_print (options->out, conversation, options->profile);
  report->n++;
  if (options->format == EXPLAIN_TEXT && !ladder && options->only < 0)
    keep (report, conversation);
  else
    cm_conversation_free (conversation);
}

static gint
by_number (gconstpointer a, gconstpointer b)
{
  const CmConversation *x = *(CmConversation *const *) a, *y = *(CmConversation *const *) b;

  return (x->number > y->number) - (x->number < y->number);
}

static void
print_kept (ExplainReport *report)
{
  guint64 room = (guint64) MAX (report->options.ladders, 0);

  for (guint i = 0; i < report->smooth->len; i++)
    if (report->trouble->len < room)
      g_ptr_array_add (report->trouble, g_ptr_array_index (report->smooth, i));
    else
      cm_conversation_free (g_ptr_array_index (report->smooth, i));
  g_ptr_array_sort (report->trouble, by_number);
  for (guint i = 0; i < report->trouble->len; i++) {
    CmConversation *conversation = g_ptr_array_index (report->trouble, i);

    explain_ladder_print (report->options.out, conversation, report->options.profile);
    cm_conversation_free (conversation);
  }
}

void
explain_report_finish (ExplainReport *report, const char *name, const char *why,
                       const ExplainCounts *counts, const CmObserverCounters *observed)
{
  guint64 shown;

  print_kept (report);
  shown = report->options.ladders < 0 ? report->n : report->trouble->len;
  for (guint i = 0; i < report->n_timers; i++)
    report->timers[i].wait.n_fits = cm_fit_sort (&report->timers[i].wait.group);
  switch (report->options.format) {
  case EXPLAIN_TEXT:
    if (report->options.only < 0) {
      if (shown > 0 && shown < report->n)
        fprintf (report->options.out,
                 "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " conversations shown, those with "
                 "trouble first; --ladders=all shows all\n\n", shown, report->n);
      explain_text_summary (report, name, why, counts, observed);
    }
    break;
  case EXPLAIN_JSON:
    explain_json_finish (report, name, why, counts, observed);
    break;
  case EXPLAIN_CSV:
    break;
  }
  g_ptr_array_free (report->trouble, TRUE);
  g_ptr_array_free (report->smooth, TRUE);
  g_free (report);
}

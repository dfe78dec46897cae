/* What `cmsim explain` prints: conversations as they end, and a summary. */
#pragma once

#include "explain_words.h"

typedef enum {
  EXPLAIN_TEXT,
  EXPLAIN_JSON,
  EXPLAIN_CSV, /* a row for each conversation */
} ExplainFormat;

typedef struct {
  FILE *out;
  ExplainFormat format;
  const CmProfile *profile; /* that the conversations are followed with */
  gint64 ladders;           /* text: so many, those with trouble first; -1: all, as they end */
  gint64 only;              /* text: this conversation's ladder only; -1 */
} ExplainReportOptions;

typedef struct ExplainReport ExplainReport;

/* Begins to print. */
ExplainReport *explain_report_new (const ExplainReportOptions *options);
/* For ExplainOps.conversation. */
void explain_report_conversation (gpointer report, CmConversation *conversation);
/* Prints the rest and frees.  name: of the capture; why: it is broken, or NULL. */
void explain_report_finish (ExplainReport *report, const char *name, const char *why,
                            const ExplainCounts *counts, const CmObserverCounters *observed);

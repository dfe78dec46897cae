/* What the formats of the report share. */
#pragma once

#include "explain_report.h"

/* Waits of one kind, over all conversations. */
typedef struct {
  ExplainWait wait;
  guint64 conversations;
} ExplainTimer;

#define EXPLAIN_TIMERS_MAX 32

struct ExplainReport {
  ExplainReportOptions options;
  guint64 n;                    /* conversations so far */
  GPtrArray *trouble, *smooth;  /* text: kept for their ladders */
  ExplainTimer timers[EXPLAIN_TIMERS_MAX];
  guint n_timers;
  guint64 profiles[64];         /* conversations that fit cm_profiles[i] */
};

/* Whether something went wrong that a person wants to see first. */
gboolean explain_has_trouble (const CmConversation *conversation);

void explain_text_summary (const ExplainReport *report, const char *name, const char *why,
                           const ExplainCounts *counts, const CmObserverCounters *observed);

void explain_json_conversation (const ExplainReport *report, const CmConversation *conversation);
void explain_json_finish (const ExplainReport *report, const char *name, const char *why,
                          const ExplainCounts *counts, const CmObserverCounters *observed);

void explain_csv_head (FILE *out);
void explain_csv_conversation (FILE *out, const CmConversation *conversation,
                               const CmProfile *profile);

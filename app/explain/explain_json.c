/* The report as one JSON object, written as it comes: a conversation is not kept. */
#include "explain_report_private.h"
#include "suggest.h"

/* The text has no control characters once escaped. */
static void
print_string (FILE *out, const char *text)
{
  char *escaped = suggest_escape (text);

  fputc ('"', out);
  for (const char *p = escaped; *p; p++) {
    if (*p == '"' || *p == '\\')
      fputc ('\\', out);
    fputc (*p, out);
  }
  fputc ('"', out);
  g_free (escaped);
}

static void
print_time (FILE *out, const char *name, SimTime time)
{
  fprintf (out, "\"%s\": %" G_GINT64_FORMAT, name, time);
}

/* What a REQ that was not seen asked for is not known. */
static void
print_nominal (FILE *out, SimTime nominal)
{
  if (nominal == 0)
    fprintf (out, "\"nominal_ns\": null");
  else
    print_time (out, "nominal_ns", nominal);
}

/* ----- a conversation ----- */

static void
print_end (FILE *out, const char *name, const CmShadow *end)
{
  char address[IB_ADDRESS_TEXT_BYTES];

  fprintf (out, "\"%s\": {\"address\": \"%s\", \"id\": %u, \"qpn\": %u, \"unheard\": %u}", name,
           ib_address_text (&end->address, address, sizeof address), end->conn.local_id,
           end->conn.local_qpn, end->unheard);
}

static void
print_message (FILE *out, const CmConversation *conversation, const CmSeen *seen,
               const CmProfile *profile)
{
  static const char *const taken[] = { [CM_TAKEN] = "taken", [CM_IGNORED] = "ignored",
                                       [CM_UNKNOWN] = "unknown" };

  fprintf (out, "        {");
  print_time (out, "at_ns", seen->at);
  fprintf (out, ", \"from\": \"%s\", \"message\": \"%s\", \"nth\": %u, \"verdict\": \"%s\", "
           "\"receiver\": \"%s\"", seen->side == CM_SIDE_ACTIVE ? "active" : "passive",
           ib_cm_attr_name (seen->attr), seen->nth, cm_seen_verdict_name (seen->verdict),
           taken[seen->taken]);
  if (cm_cause_is_known (seen->cause))
    fprintf (out, ", \"cause\": \"%s\"", cm_cause_name (seen->cause));
  if (seen->attr == IB_CM_REJ)
    fprintf (out, ", \"reason\": %u", seen->code);
  if (seen->attr == IB_CM_MRA)
    fprintf (out, ", \"service_timeout\": %u", seen->code);
  if (seen->attr == IB_CM_REJ || seen->attr == IB_CM_MRA)
    fprintf (out, ", \"of\": %u", seen->message);
  if (seen->attr == IB_CM_SIDR_REP || seen->attr == IB_CM_APR)
    fprintf (out, ", \"status\": %u", seen->code);
  if (seen->waited) {
    fprintf (out, ", ");
    print_time (out, "waited_ns", seen->waited);
    fprintf (out, ", ");
    print_nominal (out, cm_conversation_nominal (conversation, seen, profile));
  }
  fprintf (out, ", \"states\": [\"%s\", \"%s\"]}",
           cm_conversation_state_name (conversation, seen->states[CM_SIDE_ACTIVE]),
           cm_conversation_state_name (conversation, seen->states[CM_SIDE_PASSIVE]));
}

static void
print_req (FILE *out, const IbCmMsg *req)
{
  fprintf (out, "      \"req\": {\"service_id\": \"0x%016" G_GINT64_MODIFIER "x\", "
           "\"remote_response_timeout\": %u, \"local_response_timeout\": %u, "
           "\"ack_timeout\": %u, \"max_cm_retries\": %u},\n", req->service_id,
           req->remote_response_timeout, req->local_response_timeout, req->local_ack_timeout,
           req->max_cm_retries);
}

static void
print_fits (FILE *out, const CmFitGroup *group, guint n)
{
  fprintf (out, "\"fits\": [");
  for (guint i = 0; i < n; i++)
    fprintf (out, "%s{\"profile\": \"%s\", \"hz\": %u, \"later_ns\": %" G_GINT64_FORMAT "}",
             i ? ", " : "", cm_profiles[group->fits[i].profile]->name, group->fits[i].hz,
             group->fits[i].later);
  fprintf (out, "]");
}

static void
print_wait (FILE *out, const ExplainWait *wait)
{
  fprintf (out, "{\"message\": \"%s\", \"after_mra\": %s, \"waits\": %u, ",
           ib_cm_attr_name (wait->attr), wait->wait == CM_WAIT_MRA ? "true" : "false",
           wait->group.n);
  print_nominal (out, wait->nominal);
  fprintf (out, ", ");
  print_time (out, "least_ns", wait->group.shortest);
  fprintf (out, ", ");
  print_time (out, "most_ns", wait->group.longest);
  fprintf (out, ", ");
  print_fits (out, &wait->group, wait->n_fits);
  fprintf (out, "}");
}

static void
print_profiles (FILE *out, guint64 mask)
{
  gboolean first = TRUE;

  fprintf (out, "\"profiles\": [");
  for (guint i = 0; cm_profiles[i]; i++)
    if (mask >> i & 1) {
      fprintf (out, "%s\"%s\"", first ? "" : ", ", cm_profiles[i]->name);
      first = FALSE;
    }
  fprintf (out, "]");
}

static void
print_waits (FILE *out, const CmConversation *conversation, const CmProfile *profile)
{
  ExplainWait waits[EXPLAIN_WAITS_MAX];
  guint64 mask;
  guint n = explain_waits (conversation, profile, waits, &mask);

  fprintf (out, "      \"timers\": [");
  for (guint i = 0; i < n; i++) {
    fprintf (out, i ? ",\n        " : "\n        ");
    print_wait (out, &waits[i]);
  }
  fprintf (out, "],\n      ");
  print_profiles (out, mask);
  fprintf (out, ",\n");
}

void
explain_json_conversation (const ExplainReport *report, const CmConversation *conversation)
{
  FILE *out = report->options.out;
  gboolean first = TRUE;
  char text[IB_ARI_TEXT_BYTES];

  fprintf (out, "%s\n    {\"number\": %" G_GUINT64_FORMAT ", ", report->n ? "," : "",
           conversation->number);
  print_time (out, "first_ns", conversation->first);
  fprintf (out, ", ");
  print_time (out, "last_ns", conversation->last);
  fprintf (out, ",\n      ");
  print_end (out, "active", &conversation->ends[CM_SIDE_ACTIVE]);
  fprintf (out, ",\n      ");
  print_end (out, "passive", &conversation->ends[CM_SIDE_PASSIVE]);
  fprintf (out, ",\n");
  if (conversation->req.attr == IB_CM_REQ)
    print_req (out, &conversation->req);
  fprintf (out, "      \"kind\": \"%s\", \"outcome\": \"%s\", ",
           conversation->sidr ? "sidr" : "connection", cm_outcome_name (conversation->outcome));
  if (conversation->rejected) {
    fprintf (out, "\"reason\": %u, \"reason_name\": ", conversation->reason);
    print_string (out, ib_cm_rej_reason_name (conversation->reason));
    if (conversation->ari.kind) {
      fprintf (out, ", \"info\": ");
      print_string (out, ib_ari_text (&conversation->ari, text, sizeof text));
    }
    fprintf (out, ", ");
  }
  if (conversation->resolved)
    fprintf (out, "\"status\": %u, ", conversation->reason);
  fprintf (out, "\"unanswered\": %u, \"others_answered\": %s, \"stale\": %u, \"missing\": %u, "
           "\"complaints\": %u, \"unexpected\": %u,\n", conversation->unanswered,
           conversation->alive ? "true" : "false", conversation->stale, conversation->missing,
           conversation->complaints, conversation->counts[CM_SEEN_UNEXPECTED]);
  print_waits (out, conversation, report->options.profile);
  fprintf (out, "      \"count\": %u, \"messages\": [", conversation->n_seen);
  for (guint i = 0; i < conversation->n_seen; i++) {
    const CmSeen *seen = cm_conversation_seen (conversation, i);

    if (!seen)
      continue;
    fprintf (out, first ? "\n" : ",\n");
    print_message (out, conversation, seen, report->options.profile);
    first = FALSE;
  }
  fprintf (out, "]}");
}

/* ----- summary ----- */

static void
print_counts (FILE *out, const ExplainCounts *counts)
{
  guint64 not_understood = 0;

  for (guint i = 0; i < G_N_ELEMENTS (counts->not_understood); i++)
    not_understood += counts->not_understood[i];
  fprintf (out, "    \"packets\": %" G_GUINT64_FORMAT ", \"mads\": %" G_GUINT64_FORMAT
           ", \"data\": %" G_GUINT64_FORMAT ", \"other\": %" G_GUINT64_FORMAT
           ", \"cut\": %" G_GUINT64_FORMAT ", \"fragments\": %" G_GUINT64_FORMAT
           ", \"malformed\": %" G_GUINT64_FORMAT ", \"icrc_wrong\": %" G_GUINT64_FORMAT
           ", \"other_class\": %" G_GUINT64_FORMAT ", \"not_understood\": %" G_GUINT64_FORMAT
           ",\n    ", counts->packets, counts->frames[IB_FRAME_MAD],
           counts->frames[IB_FRAME_DATA], counts->frames[IB_FRAME_OTHER],
           counts->frames[IB_FRAME_CUT], counts->frames[IB_FRAME_FRAGMENT],
           counts->frames[IB_FRAME_MALFORMED], counts->icrc_wrong, counts->other_class,
           not_understood);
  print_time (out, "duration_ns", counts->end - counts->start);
  fprintf (out, ",\n");
}

static void
print_observed (FILE *out, const CmObserverCounters *observed)
{
  const guint64 *verdicts = observed->verdicts;
  gboolean first = TRUE;

  fprintf (out, "    \"conversations\": %" G_GUINT64_FORMAT ",\n    \"messages\": {",
           observed->conversations);
  for (guint i = 0; i < IB_CM_ATTR_COUNT; i++)
    fprintf (out, "%s\"%s\": %" G_GUINT64_FORMAT, i ? ", " : "",
             ib_cm_attr_name (IB_CM_ATTR_FIRST + i), observed->messages[i]);
  fprintf (out, "},\n    \"retransmissions\": {");
  for (guint i = 0; i < IB_CM_ATTR_COUNT; i++)
    fprintf (out, "%s\"%s\": %" G_GUINT64_FORMAT, i ? ", " : "",
             ib_cm_attr_name (IB_CM_ATTR_FIRST + i), observed->repeats[i]);
  fprintf (out, "},\n    \"outcomes\": {");
  for (guint i = 0; i < CM_OUTCOME_COUNT; i++)
    fprintf (out, "%s\"%s\": %" G_GUINT64_FORMAT, i ? ", " : "", cm_outcome_name (i),
             observed->outcomes[i]);
  fprintf (out, "},\n    \"rej_reasons\": {");
  for (guint i = 0; i < G_N_ELEMENTS (observed->rejs); i++)
    if (observed->rejs[i]) {
      fprintf (out, "%s\"%u\": %" G_GUINT64_FORMAT, first ? "" : ", ", i, observed->rejs[i]);
      first = FALSE;
    }
  fprintf (out, "},\n    \"verdicts\": {");
  for (guint i = 0; i < CM_SEEN_COUNT; i++)
    fprintf (out, "%s\"%s\": %" G_GUINT64_FORMAT, i ? ", " : "", cm_seen_verdict_name (i),
             verdicts[i]);
  fprintf (out, "},\n    \"unanswered\": %" G_GUINT64_FORMAT ", \"stale\": %" G_GUINT64_FORMAT
           ", \"missing\": %" G_GUINT64_FORMAT ", \"complaints\": %" G_GUINT64_FORMAT
           ", \"backwards\": %" G_GUINT64_FORMAT ", \"evicted\": %" G_GUINT64_FORMAT ",\n",
           observed->unanswered, observed->stale, observed->missing, observed->complaints,
           observed->backwards, observed->evicted);
}

void
explain_json_finish (const ExplainReport *report, const char *name, const char *why,
                     const ExplainCounts *counts, const CmObserverCounters *observed)
{
  FILE *out = report->options.out;

  fprintf (out, "],\n  \"summary\": {\n    \"file\": ");
  print_string (out, name);
  fprintf (out, ", \"broken\": ");
  if (why)
    print_string (out, why);
  else
    fprintf (out, "null");
  fprintf (out, ",\n");
  print_counts (out, counts);
  print_observed (out, observed);
  fprintf (out, "    \"timers\": [");
  for (guint i = 0; i < report->n_timers; i++) {
    fprintf (out, i ? ",\n      " : "\n      ");
    print_wait (out, &report->timers[i].wait);
  }
  fprintf (out, "]\n  }\n}\n");
}

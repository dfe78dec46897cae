/* The ladder: the active side on the left, time downwards. */
#include "explain_ladder.h"

#include <string.h>

/* ----- who ----- */

static void
print_head (FILE *out, const CmConversation *conversation)
{
  char active[IB_ADDRESS_TEXT_BYTES], passive[IB_ADDRESS_TEXT_BYTES], text[EXPLAIN_TEXT_BYTES];

  fprintf (out, "#%" G_GUINT64_FORMAT "  %s > %s", conversation->number,
           ib_address_text (&conversation->ends[CM_SIDE_ACTIVE].address, active, sizeof active),
           ib_address_text (&conversation->ends[CM_SIDE_PASSIVE].address, passive,
                            sizeof passive));
  if (conversation->req.attr)
    fprintf (out, "  %s", explain_service (conversation->req.service_id, text, sizeof text));
  fprintf (out, "  %s\n", explain_outcome (conversation, text, sizeof text));
}

static void
print_end (FILE *out, const CmConversation *conversation, CmSide side)
{
  const CmConn *conn = &conversation->ends[side].conn;

  fprintf (out, "%s side: ", side == CM_SIDE_ACTIVE ? "active" : "passive");
  if (conn->local_id)
    fprintf (out, "id 0x%08x", conn->local_id);
  else
    fprintf (out, "no id seen");
  if (conn->local_qpn)
    fprintf (out, ", QPN 0x%x", conn->local_qpn);
}

static void
print_facts (FILE *out, const CmConversation *conversation)
{
  const IbCmMsg *req = &conversation->req;
  char start[32];

  fprintf (out, "    begins at %s s; ",
           explain_seconds (conversation->first, start, sizeof start));
  print_end (out, conversation, CM_SIDE_ACTIVE);
  fprintf (out, "; ");
  print_end (out, conversation, CM_SIDE_PASSIVE);
  if (req->attr == IB_CM_REQ)
    fprintf (out, "\n    the REQ says: response timeouts %u and %u, ACK timeout %u, %u retries",
             req->remote_response_timeout, req->local_response_timeout, req->local_ack_timeout,
             req->max_cm_retries);
  fprintf (out, "\n");
}

/* ----- messages ----- */

enum { ARROW = 30 };

static const char *
message_name (guint message)
{
  switch (message) {
  case IB_CM_MESSAGE_REQ:
    return "REQ";
  case IB_CM_MESSAGE_REP:
    return "REP";
  case IB_CM_MESSAGE_OTHER:
    return "LAP";
  }
  return "?";
}

/* "REQ 2", "REJ 28", "MRA REQ 24". */
static void
label (const CmSeen *seen, char *buf, gsize size)
{
  const char *name = ib_cm_attr_name (seen->attr);

  if (seen->attr == IB_CM_REJ)
    g_snprintf (buf, size, "%s %u", name, seen->code);
  else if (seen->attr == IB_CM_MRA)
    g_snprintf (buf, size, "%s of %s", name, message_name (seen->message));
  else if (seen->attr == IB_CM_SIDR_REP || seen->attr == IB_CM_APR)
    g_snprintf (buf, size, "%s %u", name, seen->code);
  else if (seen->nth > 1)
    g_snprintf (buf, size, "%s (%u)", name, seen->nth);
  else
    g_snprintf (buf, size, "%s", name);
}

/* "|---- REQ --------->|", its name near its sender. */
static void
arrow (const CmSeen *seen, char *buf)
{
  char name[32];
  gsize at, length;

  label (seen, name, sizeof name);
  length = strlen (name);
  memset (buf, '-', ARROW);
  buf[ARROW] = '\0';
  at = seen->side == CM_SIDE_ACTIVE ? 4 : ARROW - 4 - length;
  buf[at - 1] = ' ';
  memcpy (buf + at, name, length);
  buf[at + length] = ' ';
  if (seen->side == CM_SIDE_ACTIVE)
    buf[ARROW - 1] = '>';
  else
    buf[0] = '<';
}

static void
print_wait (FILE *out, const CmConversation *conversation, const CmSeen *seen,
            const CmProfile *profile)
{
  SimTime nominal = cm_conversation_nominal (conversation, seen, profile);
  char text[32];

  fprintf (out, "  after %s s, asked for ", explain_seconds (seen->waited, text, sizeof text));
  if (nominal == 0)
    fprintf (out, "in a REQ not seen");
  else
    fprintf (out, "%s s", explain_seconds (nominal, text, sizeof text));
  if (seen->verdict == CM_SEEN_EARLY)
    fprintf (out, ": much too early");
}

/* What would have been accepted, or where to go. */
static void
print_ari (FILE *out, const IbAri *ari)
{
  char text[IB_ARI_TEXT_BYTES];

  fprintf (out, ", says %s", ib_ari_text (ari, text, sizeof text));
}

static void
print_note (FILE *out, const CmConversation *conversation, const CmSeen *seen,
            const CmProfile *profile)
{
  CmSeenVerdict verdict = seen->verdict;
  char time[32];

  if (seen->attr == IB_CM_REJ)
    fprintf (out, "  %s", ib_cm_rej_reason_name (seen->code));
  if (seen->attr == IB_CM_REJ && seen->code == conversation->reason && conversation->ari.kind)
    print_ari (out, &conversation->ari);
  if (seen->attr == IB_CM_SIDR_REP)
    fprintf (out, "  %s", ib_cm_sidr_status_name (seen->code));
  if (seen->attr == IB_CM_APR)
    fprintf (out, "  %s", ib_cm_apr_status_name (seen->code));
  if (seen->attr == IB_CM_MRA)
    fprintf (out, "  wait for time code %u, %s s", seen->code,
             explain_seconds (cm_time_code (profile, seen->code), time, sizeof time));
  if (seen->waited)
    print_wait (out, conversation, seen, profile);
  else if (verdict != CM_SEEN_EXPECTED)
    fprintf (out, "  %s", cm_seen_verdict_text (verdict));
  if (verdict == CM_SEEN_GAP)
    fprintf (out, " (%u missing)", seen->missing);
  if (verdict != CM_SEEN_UNEXPECTED && verdict != CM_SEEN_COPY) {
    if (seen->taken == CM_UNKNOWN)
      fprintf (out, "  [the receiver has no such connection]");
    else if (seen->taken == CM_IGNORED)
      fprintf (out, "  [ignored: late or duplicate]");
  }
}

static void
print_messages (FILE *out, const CmConversation *conversation, const CmProfile *profile)
{
  char line[ARROW + 1], at[32], since[32];
  SimTime before = conversation->first;
  guint left_out = 0;

  for (guint i = 0; i < conversation->n_seen; i++) {
    const CmSeen *seen = cm_conversation_seen (conversation, i);

    if (!seen) {
      left_out++;
      continue;
    }
    if (left_out > 0)
      fprintf (out, "    ... %u messages ...\n", left_out);
    left_out = 0;
    arrow (seen, line);
    fprintf (out, "  %c %14s  +%-12s |%s|", seen->verdict == CM_SEEN_UNEXPECTED ? '!' : ' ',
             explain_seconds (seen->at - conversation->first, at, sizeof at),
             explain_seconds (seen->at - before, since, sizeof since), line);
    print_note (out, conversation, seen, profile);
    fprintf (out, "\n");
    before = seen->at;
  }
}

/* ----- what it means ----- */

/* An MRA of the REQ: it was not dropped. */
static gboolean
was_held (const CmConversation *conversation)
{
  for (guint i = 0; i < conversation->n_seen; i++) {
    const CmSeen *seen = cm_conversation_seen (conversation, i);

    if (seen && seen->attr == IB_CM_MRA && seen->side == CM_SIDE_PASSIVE)
      return TRUE;
  }
  return FALSE;
}

static void
print_silence (FILE *out, const CmConversation *conversation)
{
  const CmShadow *passive = &conversation->ends[CM_SIDE_PASSIVE];
  char name[IB_ADDRESS_TEXT_BYTES];

  if (conversation->unanswered == 0 || conversation->req.attr == 0)
    return;
  fprintf (out, "    %u %s%s unanswered: ", conversation->unanswered,
           ib_cm_attr_name (conversation->req.attr), conversation->unanswered == 1 ? "" : "s");
  ib_address_text (&passive->address, name, sizeof name);
  if (conversation->alive)
    fprintf (out, "%s answered others meanwhile and did not reject this one; it dropped them, as a "
                  "listener with a full backlog does\n", name);
  else if (passive->last_attr == 0)
    fprintf (out, "nothing at all came from %s meanwhile; it dropped them, never got them, or is "
                  "not there\n", name);
  else if (was_held (conversation))
    fprintf (out, "the MRA says that %s had the request and was not ready to decide\n", name);
  else
    fprintf (out, "%s dropped them silently or they were lost; a REJ would have ended it\n", name);
}

static void
print_unheard (FILE *out, const CmConversation *conversation)
{
  static const char *const names[CM_SIDES] = { "active", "passive" };

  for (guint side = 0; side < CM_SIDES; side++)
    if (conversation->ends[side].unheard > 0)
      fprintf (out, "    the %s side went on %u time%s as if the answer had not arrived\n",
               names[side], conversation->ends[side].unheard,
               conversation->ends[side].unheard == 1 ? "" : "s");
}

static void
print_waits (FILE *out, const CmConversation *conversation, const CmProfile *profile)
{
  ExplainWait waits[EXPLAIN_WAITS_MAX];
  char text[EXPLAIN_TEXT_BYTES], a[32], b[32], c[32];
  guint64 mask;
  guint n = explain_waits (conversation, profile, waits, &mask);

  for (guint i = 0; i < n; i++) {
    const CmFitGroup *group = &waits[i].group;

    fprintf (out, "    %s%s: %u wait%s of %s to %s s",
             ib_cm_attr_name (waits[i].attr), waits[i].wait == CM_WAIT_MRA ? " after an MRA" : "",
             group->n, group->n == 1 ? "" : "s", explain_seconds (group->shortest, a, sizeof a),
             explain_seconds (group->longest, b, sizeof b));
    if (waits[i].nominal == 0) {
      fprintf (out, "; unknown what was asked for: the REQ was not seen\n");
      continue;
    }
    fprintf (out, " where %s s were asked for: %s\n",
             explain_seconds (waits[i].nominal, c, sizeof c),
             explain_fit (group, waits[i].n_fits, text, sizeof text));
  }
  if (conversation->req.attr == IB_CM_REQ) {
    GString *names = g_string_new (NULL);

    explain_profiles (mask, names);
    fprintf (out, "    fits profile: %s\n", names->len ? names->str : "none");
    g_string_free (names, TRUE);
  }
}

void
explain_ladder_print (FILE *out, const CmConversation *conversation, const CmProfile *profile)
{
  print_head (out, conversation);
  print_facts (out, conversation);
  print_messages (out, conversation, profile);
  print_silence (out, conversation);
  print_unheard (out, conversation);
  if (conversation->instances > 1)
    fprintf (out, "    the passive side began anew %u times: it had forgotten the request\n",
             conversation->instances - 1);
  if (conversation->complaints > 0)
    fprintf (out, "    %u broken rules in its messages' fields\n", conversation->complaints);
  print_waits (out, conversation, profile);
  fprintf (out, "\n");
}

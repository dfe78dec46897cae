/* A row for each conversation. */
#include "explain_report_private.h"

void
explain_csv_head (FILE *out)
{
  fputs ("number,start_s,end_s,active,passive,service_id,active_id,passive_id,active_qpn,"
         "passive_qpn,outcome,reason,info,messages", out);
  for (guint i = 0; i < IB_CM_ATTR_COUNT; i++) {
    char *name = g_ascii_strdown (ib_cm_attr_name (IB_CM_ATTR_FIRST + i), -1);

    fprintf (out, ",%ss", name);
    g_free (name);
  }
  fputs (",repeated,unanswered,unheard,stale,unexpected,missing,complaints,req_nominal_s,"
         "req_wait_least_s,req_wait_most_s,profiles\n", out);
}

static void
print_req_waits (FILE *out, const ExplainWait *waits, guint n)
{
  char a[32], b[32], c[32];

  for (guint i = 0; i < n; i++)
    if (waits[i].attr == IB_CM_REQ && waits[i].wait == CM_WAIT_REQUEST) {
      fprintf (out, ",%s,%s,%s", explain_seconds (waits[i].nominal, a, sizeof a),
               explain_seconds (waits[i].group.shortest, b, sizeof b),
               explain_seconds (waits[i].group.longest, c, sizeof c));
      return;
    }
  fputs (",,,", out);
}

void
explain_csv_conversation (FILE *out, const CmConversation *conversation,
                          const CmProfile *profile)
{
  const CmShadow *active = &conversation->ends[CM_SIDE_ACTIVE];
  const CmShadow *passive = &conversation->ends[CM_SIDE_PASSIVE];
  char a[IB_ADDRESS_TEXT_BYTES], b[IB_ADDRESS_TEXT_BYTES], first[32], last[32];
  char info[IB_ARI_TEXT_BYTES];
  ExplainWait waits[EXPLAIN_WAITS_MAX];
  guint64 mask;
  guint n = explain_waits (conversation, profile, waits, &mask);
  GString *names = g_string_new (NULL);

  fprintf (out, "%" G_GUINT64_FORMAT ",%s,%s,%s,%s,0x%016" G_GINT64_MODIFIER
           "x,0x%08x,0x%08x,0x%06x,0x%06x,%s,", conversation->number,
           explain_seconds (conversation->first, first, sizeof first),
           explain_seconds (conversation->last, last, sizeof last),
           ib_address_text (&active->address, a, sizeof a),
           ib_address_text (&passive->address, b, sizeof b), conversation->req.service_id,
           active->conn.local_id, passive->conn.local_id, active->conn.local_qpn,
           passive->conn.local_qpn, cm_outcome_name (conversation->outcome));
  if (conversation->rejected)
    fprintf (out, "%u", conversation->reason);
  fprintf (out, ",%s,%u", ib_ari_text (&conversation->ari, info, sizeof info),
           conversation->n_seen);
  for (guint i = 0; i < IB_CM_ATTR_COUNT; i++)
    fprintf (out, ",%u", conversation->messages[i]);
  fprintf (out, ",%u,%u,%u,%u,%u,%u,%u",
           conversation->counts[CM_SEEN_REPEATED] + conversation->counts[CM_SEEN_EARLY],
           conversation->unanswered, active->unheard + passive->unheard, conversation->stale,
           conversation->counts[CM_SEEN_UNEXPECTED], conversation->missing,
           conversation->complaints);
  print_req_waits (out, waits, n);
  explain_profiles (mask, names);
  g_string_replace (names, ", ", " ", 0);
  fprintf (out, ",%s\n", names->str);
  g_string_free (names, TRUE);
}

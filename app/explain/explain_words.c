/* Words and numbers that the reports share. */
#include "explain_words.h"

#include <string.h>

const char *
explain_seconds (SimTime time, char *buf, gsize size)
{
  guint64 micro = (guint64) ABS (time) / 1000;

  g_snprintf (buf, size, "%s%" G_GUINT64_FORMAT ".%06u", time < 0 ? "-" : "", micro / 1000000,
              (guint) (micro % 1000000));
  return buf;
}

/* Port spaces of RDMA CM, which are the high half of its service ids. */
const char *
explain_service (guint64 service_id, char *buf, gsize size)
{
  static const struct {
    guint space;
    const char *name;
  } spaces[] = {
    { 0x0001, "SDP" }, { 0x0002, "IPoIB" }, { 0x0106, "TCP" }, { 0x0111, "UDP" }, { 0x013f, "IB" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (spaces); i++)
    if (service_id >> 16 == spaces[i].space) {
      g_snprintf (buf, size, "%s port %u", spaces[i].name, (guint) (service_id & 0xffff));
      return buf;
    }
  g_snprintf (buf, size, "service 0x%016" G_GINT64_MODIFIER "x", service_id);
  return buf;
}

const char *
explain_outcome (const CmConversation *conversation, char *buf, gsize size)
{
  const char *text = cm_outcome_text (conversation->outcome);
  gboolean reason = conversation->outcome == CM_OUTCOME_REJECTED ||
                    conversation->outcome == CM_OUTCOME_CANCELLED;

  if (conversation->outcome == CM_OUTCOME_REFUSED)
    g_snprintf (buf, size, "%s: status %u (%s)", text, conversation->reason,
                ib_cm_sidr_status_name (conversation->reason));
  else if (reason && conversation->rejected)
    g_snprintf (buf, size, "%s: reason %u (%s)", text, conversation->reason,
                ib_cm_rej_reason_name (conversation->reason));
  else
    g_snprintf (buf, size, "%s", text);
  return buf;
}

/* Profiles of one arithmetic say the same. */
static gboolean
is_said (const CmFitGroup *group, guint i)
{
  for (guint j = 0; j < i; j++)
    if (group->fits[j].hz == group->fits[i].hz && group->fits[j].later == group->fits[i].later)
      return TRUE;
  return FALSE;
}

const char *
explain_fit (const CmFitGroup *group, guint n, char *buf, gsize size)
{
  gsize at = 0;

  g_strlcpy (buf, n == 0 ? "no arithmetic known here" : "", size);
  for (guint i = 0; i < n; i++) {
    const CmFit *fit = &group->fits[i];
    char seconds[32];

    if (is_said (group, i))
      continue;
    explain_seconds (fit->later, seconds, sizeof seconds);
    seconds[strlen (seconds) - 3] = '\0'; /* milliseconds will do */
    if (fit->hz == 0)
      at += (gsize) g_snprintf (buf + at, size - at, "%sexactly %s s", i ? ", or " : "", seconds);
    else
      at += (gsize) g_snprintf (buf + at, size - at, "%stimer wheel at HZ %u: %s s",
                                i ? ", or " : "", fit->hz, seconds);
    at = MIN (at, size - 1);
  }
  return buf;
}

void
explain_profiles (guint64 mask, GString *out)
{
  gboolean first = TRUE;

  for (guint i = 0; cm_profiles[i]; i++)
    if (mask >> i & 1) {
      g_string_append_printf (out, "%s%s", first ? "" : ", ", cm_profiles[i]->name);
      first = FALSE;
    }
}

/* ----- waits ----- */

static gboolean
is_kind (const ExplainWait *wait, const CmSeen *seen)
{
  return wait->attr == seen->attr && wait->side == seen->side && wait->wait == seen->wait &&
         wait->mra_timeout == seen->mra_timeout;
}

guint
explain_waits (const CmConversation *conversation, const CmProfile *profile, ExplainWait *waits,
               guint64 *ret_profiles)
{
  guint64 mask
      = conversation->req.attr == IB_CM_REQ ? cm_fit_profiles (&conversation->req) : 0;
  guint n = 0;

  for (guint i = 0; i < conversation->n_seen; i++) {
    const CmSeen *seen = cm_conversation_seen (conversation, i);
    guint w = 0;

    if (!seen || seen->verdict != CM_SEEN_REPEATED)
      continue;
    while (w < n && !is_kind (&waits[w], seen))
      w++;
    if (w == EXPLAIN_WAITS_MAX)
      continue;
    if (w == n) {
      SimTime nominal = cm_conversation_nominal (conversation, seen, profile);

      waits[n++] = (ExplainWait){ .attr = seen->attr, .side = seen->side, .wait = seen->wait,
                                  .mra_timeout = seen->mra_timeout, .nominal = nominal };
      cm_fit_init (&waits[w].group);
    }
    cm_fit_add (&waits[w].group, conversation, i);
  }
  for (guint w = 0; w < n; w++) {
    waits[w].n_fits = cm_fit_sort (&waits[w].group);
    mask &= cm_fit_mask (&waits[w].group, waits[w].n_fits);
  }
  *ret_profiles = mask;
  return n;
}

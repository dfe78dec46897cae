/* Every capture of the kernel's CM, byte for byte and through the observer.  Exit code 77
 * (skipped) when the captures are not there. */
#include <check.h>
#include <string.h>

#include "captures.h"

enum { EXIT_SKIPPED = 77 };

typedef struct {
  const char *name;
  GPtrArray *conversations;
  guint cm_mads;
} Followed;

static char *folder;
static GPtrArray *names;

/* ----- following a capture ----- */

static void
on_conversation (gpointer owner, CmConversation *conversation)
{
  Followed *followed = owner;

  g_ptr_array_add (followed->conversations, conversation);
}

/* Decoded and encoded again a MAD is the same 256 bytes, and it breaks no rule. */
static void
on_message (gpointer owner, SimTime at G_GNUC_UNUSED, const guint8 *mad, const IbCmWire *wire)
{
  Followed *followed = owner;
  guint8 again[IB_MAD_BYTES];
  IbComplaint complaint;

  followed->cm_mads++;
  ib_cm_encode (wire, again);
  ck_assert_msg (memcmp (mad, again, IB_MAD_BYTES) == 0, "%s: CM MAD %u changes", followed->name,
                 followed->cm_mads);
  ck_assert_msg (ib_cm_validate (wire, &complaint, 1) == 0, "%s: CM MAD %u: %s", followed->name,
                 followed->cm_mads, complaint.field);
}

static void
follow (const char *name, Followed *ret_followed, ExplainCounts *ret_counts,
        CmObserverCounters *ret_observed)
{
  static const ExplainOps ops = { .conversation = on_conversation, .message = on_message };
  const ExplainOptions options = { .profile = cm_profile_find ("linux-6.1"),
                                   .live_max = CM_OBSERVER_LIVE_MAX };
  g_autofree char *path = g_strdup_printf ("%s/%s.pcap", folder, name);
  GError *error = NULL;
  CaptureReader *reader = capture_reader_open (path, &error);

  ck_assert_msg (reader != NULL, "%s", error ? error->message : "");
  *ret_followed = (Followed){ .name = name };
  ret_followed->conversations
      = g_ptr_array_new_with_free_func ((GDestroyNotify) cm_conversation_free);
  explain_capture (reader, &options, &ops, ret_followed, ret_counts, ret_observed);
  ck_assert_msg (!ret_counts->broken, "%s: %s", name, capture_reader_why (reader));
  capture_reader_free (reader);
}

/* ----- what is allowed to be unexpected ----- */

/* Linux puts the sender's communication id, byte for byte reversed, into the low half of
 * the transaction id, and the number of its MAD agent into the high half.  A peer built by
 * hand, which the notes beside the captures tell of, does not. */
static gboolean
is_hand_built (const CmConversation *conversation)
{
  const IbCmMsg *req = &conversation->req;

  return req->tid != ((guint64) 2 << 32 | GUINT32_SWAP_LE_BE (req->local_id));
}

/* Reasons why a message of a capture may be other than expected. */
static gboolean
is_allowed (const CmConversation *conversation, const CmSeen *seen)
{
  switch ((CmSeenVerdict) seen->verdict) {
  case CM_SEEN_EXPECTED:
  case CM_SEEN_REPEATED:
  case CM_SEEN_ANSWERED:
    return TRUE;
  case CM_SEEN_GAP:
  case CM_SEEN_UNBEGUN:
  case CM_SEEN_UNEXPECTED:
    /* Stray messages for a communication id that never was. */
    return conversation->req.attr == 0;
  case CM_SEEN_EARLY:
    /* A peer built by hand does not wait for a timer. */
    return seen->side == CM_SIDE_ACTIVE && is_hand_built (conversation);
  case CM_SEEN_COPY:
  case CM_SEEN_COUNT:
    break;
  }
  return FALSE;
}

static void
check_messages (const Followed *followed)
{
  for (guint c = 0; c < followed->conversations->len; c++) {
    const CmConversation *conversation = g_ptr_array_index (followed->conversations, c);

    for (guint i = 0; i < conversation->n_seen; i++) {
      const CmSeen *seen = cm_conversation_seen (conversation, i);

      ck_assert_msg (is_allowed (conversation, seen), "%s: conversation %u, message %u, %s: %s",
                     followed->name, c, i, ib_cm_attr_name (seen->attr),
                     cm_seen_verdict_name (seen->verdict));
    }
  }
}

/* ----- what the recorder counted ----- */

/* As many of each message, and as many sent for the n-th time. */
static void
check_counts (const Followed *followed, const ExplainCounts *counts)
{
  guint recorded[IB_CM_ATTR_COUNT][32] = { { 0 } }, seen[IB_CM_ATTR_COUNT][32] = { { 0 } };
  guint64 foreign = counts->not_understood[IB_DECODE_CLASS_VERSION];
  GArray *mads = captures_mads (folder, followed->name);

  ck_assert_msg (mads != NULL, "%s.mads.csv is missing", followed->name);
  ck_assert_uint_eq (mads->len, followed->cm_mads + foreign);
  for (guint i = 0; i < mads->len && foreign == 0; i++) {
    const CapturedMad *mad = &g_array_index (mads, CapturedMad, i);

    recorded[mad->attr - IB_CM_ATTR_FIRST][MIN (mad->nth, 31)]++;
  }
  for (guint c = 0; c < followed->conversations->len; c++) {
    const CmConversation *conversation = g_ptr_array_index (followed->conversations, c);

    for (guint i = 0; i < conversation->n_seen; i++) {
      const CmSeen *message = cm_conversation_seen (conversation, i);

      seen[message->attr - IB_CM_ATTR_FIRST][MIN (message->nth, 31)]++;
    }
  }
  for (guint attr = 0; attr < IB_CM_ATTR_COUNT; attr++)
    for (guint nth = 0; nth < 32; nth++)
      ck_assert_msg (recorded[attr][nth] == seen[attr][nth], "%s: %s sent for the %uth time: %u, "
                     "recorded %u", followed->name, ib_cm_attr_name (IB_CM_ATTR_FIRST + attr),
                     nth, seen[attr][nth], recorded[attr][nth]);
  g_array_free (mads, TRUE);
}

/* ----- what the programs were told ----- */

static gboolean
agrees (const CmConversation *conversation, const CapturedEnd *end)
{
  CmOutcome outcome = conversation->outcome;

  if (strcmp (end->event, "REJECTED") == 0)
    return outcome == CM_OUTCOME_REJECTED && conversation->reason == end->status;
  if (strcmp (end->event, "CANCEL") == 0)
    return outcome == CM_OUTCOME_CANCELLED;
  /* The last wait has no end in the capture if nothing is sent after it. */
  if (strcmp (end->event, "UNREACHABLE") == 0)
    return outcome == CM_OUTCOME_UNREACHABLE || outcome == CM_OUTCOME_PENDING;
  return outcome == CM_OUTCOME_OPEN || outcome == CM_OUTCOME_RELEASED;
}

/* With a real queue pair the program does not know its number beforehand; it is alone then. */
static const CmConversation *
find_conversation (const Followed *followed, guint32 qpn)
{
  const CmConversation *found = NULL;

  for (guint c = 0; c < followed->conversations->len; c++) {
    const CmConversation *conversation = g_ptr_array_index (followed->conversations, c);

    if (conversation->req.qpn == qpn || followed->conversations->len == 1)
      found = conversation;
  }
  return found;
}

static void
check_ends (const Followed *followed)
{
  GArray *ends = captures_ends (folder, followed->name);

  ck_assert_msg (ends != NULL, "%s.events.csv is missing", followed->name);
  for (guint i = 0; i < ends->len; i++) {
    const CapturedEnd *end = &g_array_index (ends, CapturedEnd, i);
    const CmConversation *found = find_conversation (followed, end->qpn);

    ck_assert_msg (found != NULL, "%s: no conversation of QPN 0x%x", followed->name, end->qpn);
    ck_assert_msg (agrees (found, end), "%s: QPN 0x%x: %s, the program was told %s %d",
                   followed->name, end->qpn, cm_outcome_name (found->outcome), end->event,
                   end->status);
  }
  g_array_free (ends, TRUE);
}

/* ----- the test ----- */

START_TEST (capture_is_understood)
{
  const char *name = g_ptr_array_index (names, _i);
  CmObserverCounters observed;
  ExplainCounts counts;
  Followed followed;

  follow (name, &followed, &counts, &observed);
  ck_assert_uint_eq (counts.icrc_wrong, 0);
  ck_assert_uint_eq (counts.frames[IB_FRAME_MALFORMED], 0);
  ck_assert_uint_eq (counts.frames[IB_FRAME_OTHER], 0);
  check_messages (&followed);
  check_counts (&followed, &counts);
  check_ends (&followed);
  g_ptr_array_free (followed.conversations, TRUE);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("captures");
  TCase *tc = tcase_create ("captures");
  SRunner *runner;
  int failed;

  folder = captures_folder ();
  names = captures_names (folder);
  if (names->len == 0) {
    fprintf (stderr,
             "skipped: no captures in %s; set CMSIM_SHARED to the folder that holds captures/\n",
             folder);
    return EXIT_SKIPPED;
  }
  tcase_add_loop_test (tc, capture_is_understood, 0, (int) names->len);
  suite_add_tcase (suite, tc);
  runner = srunner_create (suite);
  srunner_run_all (runner, CK_NORMAL);
  failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  g_ptr_array_free (names, TRUE);
  g_free (folder);
  return failed == 0 ? 0 : 1;
}

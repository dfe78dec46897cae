/* The tables of a watcher: which conversation a message belongs to, and when one is over. */
#include <string.h>

#include "cm_observer_private.h"

struct CmObserver {
  CmRules rules;
  const CmWatcherOps *ops;
  gpointer owner;
  guint live_max;
  GHashTable *hosts;  /* set of CmHost */
  GHashTable *ends;   /* set of CmEndKey */
  GArray *expiries;   /* see cm_expiry_add(); a conversation is in it once at most */
  CmConversation *oldest, *newest; /* by last message */
  SimTime now;
  CmObserverCounters counters;
};

/* ----- hosts ----- */

static guint
mix (guint64 value)
{
  value *= G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  value ^= value >> 32;
  return (guint) value;
}

static guint
host_hash (gconstpointer key)
{
  guint64 halves[2];

  memcpy (halves, key, sizeof halves);
  return mix (halves[0] ^ mix (halves[1]));
}

static gboolean
host_equal (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (IbAddress)) == 0;
}

static CmHost *
use_host (CmObserver *observer, const IbAddress *address)
{
  CmHost *host = g_hash_table_lookup (observer->hosts, address);

  if (!host) {
    host = g_new0 (CmHost, 1);
    host->address = *address;
    g_hash_table_add (observer->hosts, host);
  }
  host->users++;
  return host;
}

static void
leave_host (CmObserver *observer, CmHost *host)
{
  if (--host->users == 0)
    g_hash_table_remove (observer->hosts, host); /* frees it */
}

/* ----- ends by address and communication id ----- */

static guint
end_hash (gconstpointer key)
{
  const CmEndKey *end = key;

  return mix (host_hash (end->address) ^ (guint64) (end->id + end->sidr) << 32);
}

static gboolean
end_equal (gconstpointer a, gconstpointer b)
{
  const CmEndKey *x = a, *y = b;

  return x->id == y->id && x->sidr == y->sidr && host_equal (x->address, y->address);
}

static CmEndKey *
find_end (CmObserver *observer, const IbAddress *address, guint32 id, gboolean sidr)
{
  const CmEndKey key = { .address = address, .id = id, .sidr = (guint8) sidr };

  return id ? g_hash_table_lookup (observer->ends, &key) : NULL;
}

static void
forget_end (CmObserver *observer, CmEndKey *key)
{
  if (!key->conversation)
    return;
  g_hash_table_remove (observer->ends, key);
  key->conversation = NULL;
}

/* The keys of one side: the active side has one. */
static CmEndKey *
keys_of (CmConversation *conversation, CmSide side, guint *ret_n)
{
  *ret_n = side == CM_SIDE_ACTIVE ? 1 : CM_PASSIVE_KEYS;
  return conversation->keys + (side == CM_SIDE_ACTIVE ? 0 : 1);
}

static gboolean
knows_end (CmConversation *conversation, CmSide side, guint32 id)
{
  guint n;
  const CmEndKey *keys = keys_of (conversation, side, &n);

  for (guint i = 0; i < n; i++)
    if (keys[i].conversation && keys[i].id == id)
      return TRUE;
  return FALSE;
}

/* An id that another conversation had belongs to this one from now on. */
static void
learn_end (CmObserver *observer, CmConversation *conversation, CmSide side, guint32 id)
{
  const IbAddress *address = &conversation->ends[side].address;
  CmEndKey *keys, *key, *old;
  guint n;

  if (id == 0 || knows_end (conversation, side, id))
    return;
  old = find_end (observer, address, id, conversation->sidr);
  if (old)
    forget_end (observer, old);
  keys = keys_of (conversation, side, &n);
  key = keys;
  if (side == CM_SIDE_PASSIVE) {
    key = &keys[conversation->next_key];
    conversation->next_key = (guint8) ((conversation->next_key + 1) % n);
  }
  forget_end (observer, key);
  *key = (CmEndKey){ .conversation = conversation, .address = address, .id = id,
                     .sidr = conversation->sidr, .side = (guint8) side };
  g_hash_table_add (observer->ends, key);
}

/* ----- order of last messages ----- */

static void
list_remove (CmObserver *observer, CmConversation *conversation)
{
  if (conversation->older)
    conversation->older->newer = conversation->newer;
  else
    observer->oldest = conversation->newer;
  if (conversation->newer)
    conversation->newer->older = conversation->older;
  else
    observer->newest = conversation->older;
}

static void
list_append (CmObserver *observer, CmConversation *conversation)
{
  conversation->newer = NULL;
  conversation->older = observer->newest;
  if (observer->newest)
    observer->newest->newer = conversation;
  else
    observer->oldest = conversation;
  observer->newest = conversation;
}

/* ----- expiry ----- */

/* A consumer may take its time to answer a DREQ; whoever waits for it has given up long
 * before. */
#define CONSUMER_LINGER SIM_S (600)

/* How long after its last message a conversation may still go on: two waits of the longest
 * timer there was, which may run yet if an answer was lost, and timewait. */
static SimTime
linger (const CmObserver *observer, const CmConversation *conversation)
{
  const CmConn *active = &conversation->ends[CM_SIDE_ACTIVE].conn;
  const CmConn *passive = &conversation->ends[CM_SIDE_PASSIVE].conn;
  const CmProfile *profile = observer->rules.profile;
  SimTime wait = cm_time_request (profile, active->packet_lifetime,
                                  active->remote_response_timeout);

  wait = MAX (wait, cm_time_response (profile, active->local_response_timeout));
  wait = MAX (wait, conversation->longest);
  if (active->state == CM_STATE_DREQ_RCVD || passive->state == CM_STATE_DREQ_RCVD)
    wait = MAX (wait, CONSUMER_LINGER);
  return 2 * wait + cm_time_timewait (profile, active->ack_timeout) + SIM_S (1);
}

/* The heap is not touched for a conversation that only lives longer: it finds out when
 * the conversation's turn comes. */
static void
set_expiry (CmObserver *observer, CmConversation *conversation)
{
  if (conversation->established && !conversation->releasing && conversation->req.attr != 0)
    conversation->expires = SIM_TIME_NEVER;
  else
    conversation->expires = conversation->last + linger (observer, conversation);
  if (conversation->expires != SIM_TIME_NEVER && conversation->heap_place == 0)
    cm_expiry_add (observer->expiries, conversation);
}

/* ----- the end of a conversation ----- */

static void
count_finished (CmObserver *observer, const CmConversation *conversation)
{
  CmObserverCounters *counters = &observer->counters;

  counters->outcomes[conversation->outcome]++;
  counters->unanswered += conversation->unanswered;
  counters->stale += conversation->stale;
  counters->missing += conversation->missing;
  counters->rejs_unheard += conversation->rejs_unheard;
  counters->complaints += conversation->complaints;
  counters->live--;
}

/* Takes it out of all tables but the expiries, and hands it out. */
static void
finish (CmObserver *observer, CmConversation *conversation, SimTime now)
{
  const CmShadow *passive = &conversation->ends[CM_SIDE_PASSIVE];

  conversation->outcome =
      (guint8) cm_conversation_judge (conversation, observer->rules.profile, now);
  if (conversation->req_open && conversation->outcome != CM_OUTCOME_PENDING)
    conversation->unanswered++;
  conversation->alive = passive->last_attr == 0 &&
                        passive->host->answers > conversation->host_answers;
  for (guint i = 0; i < G_N_ELEMENTS (conversation->keys); i++)
    forget_end (observer, &conversation->keys[i]);
  list_remove (observer, conversation);
  count_finished (observer, conversation);
  for (guint side = 0; side < CM_SIDES; side++) {
    leave_host (observer, conversation->ends[side].host);
    conversation->ends[side].host = NULL;
  }
  observer->ops->finished (observer->owner, conversation);
}

static void
expire (CmObserver *observer)
{
  CmConversation *conversation;

  while ((conversation = cm_expiry_due (observer->expiries, observer->now)) != NULL) {
    cm_expiry_remove (observer->expiries, conversation);
    if (conversation->expires <= observer->now)
      finish (observer, conversation, observer->now);
    else if (conversation->expires != SIM_TIME_NEVER)
      cm_expiry_add (observer->expiries, conversation);
  }
}

static void
finish_early (CmObserver *observer, CmConversation *conversation)
{
  if (conversation->heap_place > 0)
    cm_expiry_remove (observer->expiries, conversation);
  finish (observer, conversation, observer->now);
}

/* ----- which conversation ----- */

static CmConversation *
begin (CmObserver *observer, CmSide side, const CmSighting *sighting)
{
  CmConversation *conversation = g_new0 (CmConversation, 1);
  CmObserverCounters *counters = &observer->counters;

  if (counters->live >= observer->live_max) {
    counters->evicted++;
    observer->oldest->evicted = TRUE;
    finish_early (observer, observer->oldest);
  }
  conversation->number = counters->conversations++;
  conversation->sidr = cm_sighting_is_sidr (&sighting->msg) ? 1 : 0;
  conversation->first = conversation->last = observer->now;
  conversation->ends[side].address = sighting->source;
  conversation->ends[!side].address = sighting->destination;
  for (guint i = 0; i < CM_SIDES; i++)
    conversation->ends[i].host = use_host (observer, &conversation->ends[i].address);
  conversation->host_answers = conversation->ends[CM_SIDE_PASSIVE].host->answers;
  list_append (observer, conversation);
  counters->live++;
  counters->live_max = MAX (counters->live_max, counters->live);
  return conversation;
}

static gboolean
same_req (const IbCmMsg *a, const IbCmMsg *b)
{
  return a->tid == b->tid && a->qpn == b->qpn && a->service_id == b->service_id &&
         a->ca_guid == b->ca_guid && a->starting_psn == b->starting_psn;
}

/* The same request once more, or the id is used again. */
static CmConversation *
find_req (CmObserver *observer, const CmSighting *sighting)
{
  const IbCmMsg *req = &sighting->msg;
  CmEndKey *key = find_end (observer, &sighting->source, req->local_id, cm_sighting_is_sidr (req));
  CmConversation *conversation = key ? key->conversation : NULL;

  if (conversation && key->side == CM_SIDE_ACTIVE) {
    if (conversation->req.attr != 0 && same_req (&conversation->req, req))
      return conversation;
    finish_early (observer, conversation);
  }
  conversation = begin (observer, CM_SIDE_ACTIVE, sighting);
  cm_witness_begin (conversation, observer->rules.profile, req);
  learn_end (observer, conversation, CM_SIDE_ACTIVE, req->local_id);
  return conversation;
}

/* A message that belongs to nothing known: what came before was not seen. */
static CmConversation *
join (CmObserver *observer, const CmSighting *sighting, CmSide *ret_side)
{
  const IbCmMsg *msg = &sighting->msg;
  CmConversation *conversation;

  *ret_side = cm_witness_side (msg);
  conversation = begin (observer, *ret_side, sighting);
  cm_witness_join (conversation, observer->rules.profile, *ret_side, msg);
  learn_end (observer, conversation, !*ret_side, msg->remote_id);
  return conversation;
}

/* Whether the end belongs to a conversation with that host. */
static gboolean
talks_to (const CmEndKey *end, const IbAddress *address)
{
  return end && host_equal (&end->conversation->ends[!end->side].address, address);
}

/* Peer to peer: the sender has asked for a connection itself, and now answers the request
 * that it was sent. */
static void
cross (CmObserver *observer, CmConversation *conversation, const CmSighting *sighting)
{
  const CmEndKey *own = find_end (observer, &sighting->source, sighting->msg.local_id, FALSE);

  if (!conversation->ends[CM_SIDE_PASSIVE].fresh || !own || own->side != CM_SIDE_ACTIVE ||
      own->conversation == conversation || !talks_to (own, &sighting->destination))
    return;
  cm_witness_cross (conversation, own->conversation);
  finish_early (observer, own->conversation);
}

/* By the receiver's id, or by the sender's where the message has none of the receiver. */
static CmConversation *
find_other (CmObserver *observer, const CmSighting *sighting, CmSide *ret_side)
{
  const IbCmMsg *msg = &sighting->msg;
  gboolean sidr = cm_sighting_is_sidr (msg);
  const CmEndKey *end = find_end (observer, &sighting->destination, msg->remote_id, sidr);

  if (talks_to (end, &sighting->source)) {
    *ret_side = !end->side;
    if (*ret_side == CM_SIDE_PASSIVE && !sidr)
      cross (observer, end->conversation, sighting);
    return end->conversation;
  }
  end = find_end (observer, &sighting->source, msg->local_id, sidr);
  if (talks_to (end, &sighting->destination)) {
    *ret_side = end->side;
    return end->conversation;
  }
  return join (observer, sighting, ret_side);
}

static gboolean
is_request (const CmSighting *sighting)
{
  return sighting->msg.attr == IB_CM_REQ || sighting->msg.attr == IB_CM_SIDR_REQ;
}

void
cm_observer_see (CmObserver *observer, const CmSighting *sighting)
{
  CmObserverCounters *counters = &observer->counters;
  guint row = sighting->msg.attr - IB_CM_ATTR_FIRST;
  CmSighting seen = *sighting;
  CmConversation *conversation;
  CmSide side = CM_SIDE_ACTIVE;
  const CmSeen *entry;

  counters->backwards += sighting->at < observer->now;
  seen.at = observer->now = MAX (observer->now, sighting->at);
  expire (observer);
  conversation = is_request (sighting) ? find_req (observer, &seen)
                                       : find_other (observer, &seen, &side);
  entry = cm_witness (conversation, &observer->rules, side, &seen);
  learn_end (observer, conversation, side, sighting->msg.local_id);
  conversation->ends[side].host->answers++;
  counters->messages[row]++;
  counters->repeats[row] += entry->verdict == CM_SEEN_REPEATED || entry->verdict == CM_SEEN_EARLY;
  counters->verdicts[entry->verdict]++;
  if (sighting->msg.attr == IB_CM_REJ) {
    conversation->ari = sighting->ari;
    counters->rejs[MIN (sighting->msg.reason, G_N_ELEMENTS (counters->rejs) - 1)]++;
  }
  list_remove (observer, conversation);
  list_append (observer, conversation);
  set_expiry (observer, conversation);
}

/* ----- life ----- */

CmObserver *
cm_observer_new (const CmProfile *profile, guint live_max, const CmWatcherOps *ops,
                 gpointer owner)
{
  CmObserver *observer = g_new0 (CmObserver, 1);

  g_assert (live_max > 0);
  observer->rules.profile = profile;
  cm_infer_tables_init (&observer->rules.tables);
  observer->live_max = live_max;
  observer->ops = ops;
  observer->owner = owner;
  observer->hosts = g_hash_table_new_full (host_hash, host_equal, g_free, NULL);
  observer->ends = g_hash_table_new (end_hash, end_equal);
  observer->expiries = cm_expiries_new ();
  observer->now = G_MININT64;
  return observer;
}

void
cm_observer_free (CmObserver *observer)
{
  if (!observer)
    return;
  for (CmConversation *next, *i = observer->oldest; i; i = next) {
    next = i->newer;
    cm_conversation_free (i);
  }
  g_hash_table_destroy (observer->ends);
  g_hash_table_destroy (observer->hosts);
  g_array_free (observer->expiries, TRUE);
  g_free (observer);
}

static gint
by_number (gconstpointer a, gconstpointer b)
{
  const CmConversation *x = *(CmConversation *const *) a, *y = *(CmConversation *const *) b;

  return (x->number > y->number) - (x->number < y->number);
}

void
cm_observer_finish (CmObserver *observer, SimTime now)
{
  GPtrArray *rest = g_ptr_array_new ();

  now = MAX (now, observer->now);
  for (CmConversation *i = observer->oldest; i; i = i->newer)
    g_ptr_array_add (rest, i);
  g_ptr_array_sort (rest, by_number);
  g_array_set_size (observer->expiries, 0);
  for (guint i = 0; i < rest->len; i++)
    finish (observer, g_ptr_array_index (rest, i), now);
  g_ptr_array_free (rest, TRUE);
}

const CmObserverCounters *
cm_observer_counters (const CmObserver *observer)
{
  return &observer->counters;
}

/* What a retry policy is shown, and the states it keeps. */
#include "cm_retry.h"

#include "cm_fsm.h"

struct CmRetry {
  const RetryPolicy *policy;
  gconstpointer params;
  gpointer state;    /* owned by the host's CmRetryStates */
  SimStream stream;
  SimTime first_at;  /* first send of the exchange */
  SimTime previous;
  guint sends;       /* of the exchange, as of the last interval */
  guint mra_at;      /* sends when the last MRA came */
  gboolean mra;
};

struct CmRetryStates {
  GHashTable *table; /* of StateKey -> state; looked up only */
};

/* One state per entry of `connects:` that names the policy, and peer if it says so. */
typedef struct {
  gconstpointer params;
  const RetryPolicy *policy;
  guint32 peer;
} StateKey;

static guint
key_hash (gconstpointer data)
{
  const StateKey *key = data;

  return g_direct_hash (key->params) ^ g_direct_hash (key->policy) ^ key->peer * 0x9e3779b1u;
}

static gboolean
key_equal (gconstpointer a, gconstpointer b)
{
  const StateKey *x = a, *y = b;

  return x->params == y->params && x->policy == y->policy && x->peer == y->peer;
}

static gpointer
find_state (CmRetryStates **states, const RetryPolicy *policy, gconstpointer params, guint32 peer)
{
  StateKey key = { .params = params, .policy = policy,
                   .peer = policy->scope == RETRY_SCOPE_PEER ? peer : 0 };
  gpointer state;

  if (policy->state_size == 0)
    return NULL;
  if (!*states) {
    *states = g_new (CmRetryStates, 1);
    (*states)->table = g_hash_table_new_full (key_hash, key_equal, g_free, g_free);
  }
  state = g_hash_table_lookup ((*states)->table, &key);
  if (!state) {
    state = g_malloc0 (policy->state_size);
    g_hash_table_insert ((*states)->table, g_memdup2 (&key, sizeof key), state);
  }
  return state;
}

void
cm_retry_states_free (CmRetryStates *states)
{
  if (!states)
    return;
  g_hash_table_destroy (states->table);
  g_free (states);
}

gboolean
cm_retry_is_needed (const SimChoice *choice)
{
  return choice && choice->klass != &retry_fixed.info;
}

CmRetry *
cm_retry_new (CmRetryStates **states, const SimChoice *choice, guint32 peer, SimStreamKey key,
              guint64 stream)
{
  const RetryPolicy *policy = (const RetryPolicy *) choice->klass;
  CmRetry *retry = g_new0 (CmRetry, 1);

  retry->policy = policy;
  retry->params = choice->params;
  retry->state = find_state (states, policy, choice->params, peer);
  sim_stream_init (&retry->stream, key, stream);
  return retry;
}

void
cm_retry_free (CmRetry *retry)
{
  g_free (retry);
}

static RetryView
view_of (const CmRetry *retry, const CmConn *conn, const CmProfile *profile, SimTime now,
         SimTime nominal)
{
  return (RetryView){
    .now = now,
    .elapsed = now - retry->first_at,
    .nominal = nominal,
    .previous = retry->previous,
    .lifetime = cm_time_code (profile, conn->packet_lifetime),
    .sends = conn->sends,
    .round = conn->sends - retry->mra_at,
    .mra = retry->mra,
  };
}

static void
tell (CmRetry *retry, RetryNewsType type, SimTime now, SimTime after)
{
  RetryNews news = { .type = type, .now = now, .after = after, .sends = retry->sends };

  if (retry->policy->observe)
    retry->policy->observe (retry->params, retry->state, &news);
}

SimTime
cm_retry_interval (CmRetry *retry, const CmConn *conn, const CmProfile *profile, SimTime now,
                   SimTime nominal)
{
  RetryView view;

  if (!retry)
    return nominal;
  if (conn->sends == 1) {
    retry->first_at = now;
    retry->previous = 0;
    retry->mra_at = 0;
    retry->mra = FALSE;
  }
  retry->sends = conn->sends;
  if (conn->sends == 1)
    tell (retry, RETRY_NEWS_BEGUN, now, 0);
  view = view_of (retry, conn, profile, now, nominal);
  retry->previous = retry->policy->interval (retry->params, retry->state, &view, &retry->stream);
  return retry->previous;
}

RetryVerdict
cm_retry_expired (CmRetry *retry, const CmConn *conn, const CmProfile *profile, SimTime now)
{
  RetryView view;

  if (!retry || !retry->policy->expired || conn->retries_left == 0)
    return (RetryVerdict){ .answer = RETRY_SEND };
  view = view_of (retry, conn, profile, now, cm_time_nominal (conn, profile));
  return retry->policy->expired (retry->params, retry->state, &view, &retry->stream);
}

void
cm_retry_observe (CmRetry *retry, CmState from, const CmConn *conn, CmEventType event,
                  const CmProfile *profile, SimTime now)
{
  if (!retry || (from != CM_STATE_REQ_SENT && from != CM_STATE_MRA_REQ_RCVD))
    return;
  if (event == CM_EV_RX_MRA && conn->state == CM_STATE_MRA_REQ_RCVD) {
    retry->mra = TRUE;
    retry->mra_at = retry->sends;
    retry->previous = cm_time_nominal (conn, profile);
    tell (retry, RETRY_NEWS_MRA, now, retry->previous);
  } else if (event == CM_EV_RX_REP || event == CM_EV_RX_REJ) {
    tell (retry, RETRY_NEWS_ANSWERED, now, now - retry->first_at);
  } else if (event == CM_EV_RESPONSE_TIMEOUT && conn->state == CM_STATE_IDLE) {
    tell (retry, RETRY_NEWS_FAILED, now, now - retry->first_at);
  }
}

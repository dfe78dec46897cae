/* How many slots a listener has, and what they count. */
#include "footprint.h"
#include "listener_private.h"

/* The ULP's own limit, or its reading of the application's. */
static guint
ulp_limit (const UlpListen *ulp, guint limit, guint max)
{
  guint base = ulp->limit > 0 ? ulp->limit : limit > 0 ? limit : max;

  if (ulp->full.answer == BACKLOG_ADMIT)
    return G_MAXUINT;
  if (ulp->counts == BACKLOG_COUNTS_UNREAD)
    base = MIN (base, max); /* it goes through ucma */
  if (ulp->limit_percent > 0)
    base = (guint) ((guint64) base * ulp->limit_percent / 100);
  return base + ulp->limit_plus;
}

/* ucma_listen: a backlog of 0, or above the maximum, is the maximum. */
guint
listener_limit (const ListenerParams *params, const CmProfile *profile)
{
  const BacklogPolicy *policy = (const BacklogPolicy *) params->backlog.full.klass;
  guint limit = params->backlog.limit, max = profile->ucma_backlog_max;

  if (policy == &backlog_unlimited)
    return G_MAXUINT;
  if (policy == &backlog_ulp)
    return ulp_limit (&ulp_find (params->ulp)->listen, limit, max);
  if (params->backlog.counts != BACKLOG_COUNTS_UNREAD)
    return limit > 0 ? limit : max; /* a kernel ULP's own limit: nothing clips it */
  return limit > 0 && limit <= max ? limit : max;
}

/* Without early accept a connection is taken by its answer. */
BacklogCounts
listener_counts (const Listener *listener)
{
  BacklogCounts counts = listener->policy == &backlog_ulp ? listener->ulp->listen.counts
                                                          : listener->config.params->backlog.counts;

  return counts == BACKLOG_COUNTS_UNTAKEN && !listener->early ? BACKLOG_COUNTS_UNACCEPTED : counts;
}

gsize
listener_footprint (const ListenerParams *params)
{
  const BacklogPolicy *policy = (const BacklogPolicy *) params->backlog.full.klass;

  return sizeof (Listener) + policy->state_size + cma_listen_footprint ();
}

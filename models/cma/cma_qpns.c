#include "cma_qpns.h"

enum { QPN_MASK = 0xffffff };

typedef struct {
  SimTime at;
  guint32 qpn;
} Gone;

struct CmaQpnsGone {
  GArray *list; /* Gone, oldest first, from `first` on */
  guint first;
};

void
cma_qpns_init (CmaQpns *qpns)
{
  *qpns = (CmaQpns){ .next = CMA_QPN_FIRST };
}

void
cma_qpns_clear (CmaQpns *qpns)
{
  if (qpns->gone)
    g_array_free (qpns->gone->list, TRUE);
  g_free (qpns->gone);
}

/* The one that has been gone longest, if its timewait is over; else 0. */
static guint32
take_again (CmaQpnsGone *gone, SimTime timewait, SimTime now)
{
  const Gone *oldest;

  if (!gone || gone->first == gone->list->len)
    return 0;
  oldest = &g_array_index (gone->list, Gone, gone->first);
  if (now - oldest->at < timewait)
    return 0;
  gone->first++;
  return oldest->qpn;
}

guint32
cma_qpns_take (CmaQpns *qpns, const HcaParams *params, SimTime now)
{
  guint32 qpn = take_again (qpns->gone, params->qpn_timewait, now);

  if (qpn > 0)
    return qpn;
  qpn = qpns->next;
  qpns->next = qpn == QPN_MASK ? CMA_QPN_FIRST : qpn + 1;
  return qpn;
}

void
cma_qpns_give (CmaQpns *qpns, const HcaParams *params, guint32 qpn, SimTime now)
{
  const Gone entry = { now, qpn };
  CmaQpnsGone *gone = qpns->gone;

  if (!params->qpn_reuse)
    return;
  if (!gone) {
    gone = qpns->gone = g_new0 (CmaQpnsGone, 1);
    gone->list = g_array_new (FALSE, FALSE, sizeof (Gone));
  }
  /* What was taken from the front goes when it is half of all. */
  if (gone->first > 64 && gone->first > gone->list->len / 2) {
    g_array_remove_range (gone->list, 0, gone->first);
    gone->first = 0;
  }
  g_array_append_val (gone->list, entry);
}

/* The 2006 proposal: the ULP tells the RDMA CM when a request joined and left its
 * backlog, and the RDMA CM turns requests away by that count.  A ULP that does so
 * inside its callback (as SDP would have) counts exactly; one that does so later,
 * from a thread of its own, lets a burst pass the limit in the meantime. */
#include "backlog.h"

enum { COUNTED_DROP, COUNTED_REJECT };

typedef struct {
  guint full;
  guint reason;
  SimTime added_after, removed_after;
} CountedParams;

static const char *const counted_full_names[] = { "drop", "reject", NULL };

static const SimParam counted_params[] = {
  { .name = "answer", .kind = SIM_PARAM_ENUM, .offset = G_STRUCT_OFFSET (CountedParams, full),
    .value = "drop", .names = counted_full_names,
    .help = "What a request gets when the ULP's count has reached the limit." },
  { .name = "reason", .kind = SIM_PARAM_UINT, .offset = G_STRUCT_OFFSET (CountedParams, reason),
    .value = "3", .min = 1, .max = 65535, .help = "REJ reason for `answer: reject`.",
    .source = "IBTA 12.6.7.2" },
  { .name = "added_after", .kind = SIM_PARAM_TIME,
    .offset = G_STRUCT_OFFSET (CountedParams, added_after), .value = "0s",
    .help = "From the request's callback to the ULP's added call; 0: inside the callback." },
  { .name = "removed_after", .kind = SIM_PARAM_TIME,
    .offset = G_STRUCT_OFFSET (CountedParams, removed_after), .value = "0s",
    .help = "From the freeing of the slot to the ULP's removed call." },
  { .name = NULL },
};

static BacklogVerdict
counted_admit (gconstpointer params, const BacklogView *view)
{
  const CountedParams *p = params;

  if (view->counted < view->limit)
    return (BacklogVerdict){ .answer = BACKLOG_ADMIT };
  if (p->full == COUNTED_REJECT)
    return (BacklogVerdict){ .answer = BACKLOG_REJECT, .reason = p->reason };
  return (BacklogVerdict){ .answer = BACKLOG_DROP };
}

static void
counted_ulp_counts (gconstpointer params, SimTime *ret_added, SimTime *ret_removed)
{
  const CountedParams *p = params;

  *ret_added = p->added_after;
  *ret_removed = p->removed_after;
}

const BacklogPolicy backlog_ulp_counted = {
  .info = {
    .name = "ulp-counted",
    .help = "The ULP reports requests added and removed; the count it reported decides.",
    .source = "openib-general, May 2006, \"RFC: CMA backlog\"",
    .params = counted_params,
    .params_size = sizeof (CountedParams),
    .main_param = "answer",
  },
  .ulp_counts = counted_ulp_counts,
  .admit = counted_admit,
};

/* A full backlog answers as the listener's upper-layer protocol does: with a REJ of its
 * reason, with silence, or not at all because it has no limit. */
#include "backlog.h"

static BacklogVerdict
ulp_admit (gconstpointer params G_GNUC_UNUSED, const BacklogView *view)
{
  if (view->used < view->limit)
    return (BacklogVerdict){ .answer = BACKLOG_ADMIT };
  return view->ulp_full;
}

const BacklogPolicy backlog_ulp = {
  .info = {
    .name = "ulp",
    .help = "Full: as the listener's upper-layer protocol does it, with its limit and what it "
            "counts.",
    .source = "the row of the protocol; `cmsim list reactions`",
  },
  .admit = ulp_admit,
};

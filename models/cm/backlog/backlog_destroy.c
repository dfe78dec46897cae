/* A full backlog's consumer takes the request and destroys its id in the callback.  What the peer
 * hears of that is the CM's business: a REJ, or, with `profile.destroy_rejects: false`, nothing. */
#include "backlog.h"

static BacklogVerdict
destroy_admit (gconstpointer params G_GNUC_UNUSED, const BacklogView *view)
{
  return (BacklogVerdict){ .answer = view->used < view->limit ? BACKLOG_ADMIT : BACKLOG_DESTROY };
}

const BacklogPolicy backlog_destroy = {
  .info = {
    .name = "destroy",
    .help = "Full: the consumer destroys the request's id; whether that sends a REJ is in "
            "`profile.destroy_rejects`.",
    .source = "openib-general, May 2006: no REJ when an id is destroyed",
  },
  .admit = destroy_admit,
};

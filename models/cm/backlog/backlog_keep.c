/* A full backlog says nothing and keeps the id: all that a consumer can do by itself, without
 * help from the IB CM below it.  The id stands in the CM's tables, so every repeat of the REQ is
 * a duplicate, and nobody is asked again. */
#include "backlog.h"

static BacklogVerdict
keep_admit (gconstpointer params G_GNUC_UNUSED, const BacklogView *view)
{
  return (BacklogVerdict){ .answer = view->used < view->limit ? BACKLOG_ADMIT : BACKLOG_KEEP };
}

const BacklogPolicy backlog_keep = {
  .info = {
    .name = "keep",
    .help = "Full: no answer, and the request's id stays: repeats of the REQ are duplicates of "
            "it and change nothing.",
    .source = "openib-general, May 2006: dropping in the CMA alone",
  },
  .admit = keep_admit,
};

/* A full backlog says nothing: the callback returns -ENOMEM, the CM forgets the
 * REQ, and the client's CM sends it again. */
#include "backlog.h"

static BacklogVerdict
drop_admit (gconstpointer params G_GNUC_UNUSED, const BacklogView *view)
{
  if (view->used < view->limit)
    return (BacklogVerdict){ .answer = BACKLOG_ADMIT };
  return (BacklogVerdict){ .answer = BACKLOG_DROP };
}

const BacklogPolicy backlog_drop = {
  .info = {
    .name = "drop",
    .help = "Full: no answer; the REQ is forgotten and the client's CM retries.",
    .source = "Linux ucma.c: ucma_event_handler returns -ENOMEM (since 2.6.18-rc2)",
  },
  .admit = drop_admit,
};

/* No limit: what Linux SDP did, whose accept queue was never bounded. */
#include "backlog.h"

static BacklogVerdict
unlimited_admit (gconstpointer params G_GNUC_UNUSED, const BacklogView *view G_GNUC_UNUSED)
{
  return (BacklogVerdict){ .answer = BACKLOG_ADMIT };
}

const BacklogPolicy backlog_unlimited = {
  .info = {
    .name = "unlimited",
    .help = "Every request is taken, whatever the limit says.",
    .source = "OFED SDP 1.1 to 1.4: the check for a full accept queue was never enabled",
  },
  .admit = unlimited_admit,
};

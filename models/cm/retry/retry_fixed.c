/* The interval is always the nominal one: every CM in the field up to today. */
#include "retry.h"

static SimTime
fixed_interval (gconstpointer params G_GNUC_UNUSED, gpointer state G_GNUC_UNUSED,
                const RetryView *view, SimStream *stream G_GNUC_UNUSED)
{
  return view->nominal;
}

const RetryPolicy retry_fixed = {
  .info = {
    .name = "fixed",
    .help = "Every interval is the nominal one.",
    .source = "Linux mad.c: no back-off up to 6.12",
  },
  .interval = fixed_interval,
};

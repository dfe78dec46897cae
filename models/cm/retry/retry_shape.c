/* What several policies share: growth of the interval, and jitter. */
#include "retry.h"

const char *const retry_jitter_names[] = {
  [RETRY_JITTER_NONE] = "none",
  [RETRY_JITTER_FULL] = "full",
  [RETRY_JITTER_EQUAL] = "equal",
  NULL,
};

SimTime
retry_jitter_apply (RetryJitter jitter, SimTime interval, SimStream *stream)
{
  SimTime spread = jitter == RETRY_JITTER_EQUAL ? interval / 2 : interval;
  SimTime drawn = (SimTime) sim_stream_below (stream, (guint64) spread + 1);

  switch (jitter) {
  case RETRY_JITTER_NONE:
    return interval;
  case RETRY_JITTER_FULL:
  case RETRY_JITTER_EQUAL:
    return interval - spread + drawn;
  }
  g_assert_not_reached ();
}

SimTime
retry_grow (SimTime first, double factor, guint round, SimTime cap)
{
  double interval = (double) first;

  for (guint i = 1; i < round && interval < (double) cap; i++)
    interval *= factor;
  return interval < (double) cap ? (SimTime) interval : cap;
}

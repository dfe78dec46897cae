/* Decisions by table: what most upper-layer protocols do. */
#include "ulp.h"

#include <string.h>

const UlpClass *
ulp_find (const char *name)
{
  for (guint i = 0; ulp_classes[i]; i++)
    if (strcmp (ulp_classes[i]->name, name) == 0)
      return (const UlpClass *) ulp_classes[i];
  return NULL;
}

CmaPortSpace
ulp_space (const UlpClass *ulp, gboolean ud)
{
  return ud ? CMA_PORT_SPACE_UDP : ulp->space;
}

const char *const ulp_port_space_names[] = { "ulp", "tcp", "udp", "ipoib", "ib", "sdp", NULL };

CmaPortSpace
ulp_space_chosen (const UlpClass *ulp, gboolean ud, UlpPortSpace chosen)
{
  switch (chosen) {
  case ULP_PORT_SPACE_OWN:
    return ulp_space (ulp, ud);
  case ULP_PORT_SPACE_TCP:
    return CMA_PORT_SPACE_TCP;
  case ULP_PORT_SPACE_UDP:
    return CMA_PORT_SPACE_UDP;
  case ULP_PORT_SPACE_IPOIB:
    return CMA_PORT_SPACE_IPOIB;
  case ULP_PORT_SPACE_IB:
    return CMA_PORT_SPACE_IB;
  case ULP_PORT_SPACE_SDP:
    return CMA_PORT_SPACE_SDP;
  }
  g_assert_not_reached ();
}

const UlpReaction *
ulp_reaction (const UlpClass *ulp, UlpEnd end, guint reason)
{
  for (const UlpReaction *row = ulp->reactions; row->errno_name; row++)
    if (row->end == end && (row->reason == ULP_ANY_REASON || row->reason == reason))
      return row;
  g_assert_not_reached (); /* every table has a row for every end: tested */
}

/* Both limits count from the first attempt. */
static gboolean
schedule_allows (const UlpSchedule *schedule, const UlpOutcome *outcome, SimTime delay)
{
  if (schedule->attempts > 0 && outcome->attempts >= schedule->attempts)
    return FALSE;
  return schedule->budget == 0 || outcome->since_start + delay <= schedule->budget;
}

/* The draw is made whatever the jitter is. */
static SimTime
schedule_delay (const UlpSchedule *schedule, guint attempts, SimStream *stream)
{
  double wait = (double) schedule->first;
  double limit = schedule->cap > 0 ? (double) schedule->cap : 9.2e18;
  double u = sim_stream_unit (stream);

  for (guint i = 1; i < attempts && wait < limit && schedule->factor > 1; i++)
    wait *= schedule->factor;
  wait = MIN (wait, limit);
  return (SimTime) (schedule->jitter == ULP_JITTER_FULL ? wait * u : wait);
}

UlpDecision
ulp_decide (const UlpClass *ulp, gconstpointer params, const UlpOutcome *outcome,
            SimStream *stream)
{
  const UlpReaction *reaction;
  UlpSchedule schedule;
  SimTime delay;

  if (ulp->decide)
    return ulp->decide (params, outcome, stream);
  reaction = ulp_reaction (ulp, outcome->end, outcome->reason);
  if (reaction->action == ULP_REDIRECT)
    return (UlpDecision){ .retry = TRUE, .redirect = TRUE };
  if (reaction->action == ULP_FAIL || !ulp->schedule)
    return (UlpDecision){ .retry = FALSE };
  schedule = ulp->schedule (params, outcome);
  delay = schedule_delay (&schedule, outcome->attempts, stream);
  return (UlpDecision){ .retry = schedule_allows (&schedule, outcome, delay), .delay = delay };
}

const char *
ulp_errno_name (const UlpClass *ulp, UlpEnd end, guint reason)
{
  return end == ULP_END_ESTABLISHED ? "" : ulp_reaction (ulp, end, reason)->errno_name;
}

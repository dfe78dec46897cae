/* Nominal lengths of the timers.  Where implementations differ a field of the profile
 * decides; the kernel's timer wheel is not the business of this file. */
#include "cm_time.h"

#include "ib_time.h"

#define CODE_MAX 31

static gboolean
is_spec (const CmProfile *profile)
{
  return profile->timing == CM_TIMING_SPEC;
}

SimTime
cm_time_code (const CmProfile *profile, guint code)
{
  return is_spec (profile) ? ib_time_spec (code) : ib_time_linux (code);
}

/* OFED's module parameter max_timeout. */
static SimTime
cap (const CmProfile *profile, SimTime time)
{
  return profile->max_timeout < CODE_MAX ? MIN (time, cm_time_code (profile, profile->max_timeout))
                                         : time;
}

/* Linux lets the answer travel there and back (cm_req timeout_ms); the spec mode is
 * the bare response timeout. */
SimTime
cm_time_request (const CmProfile *profile, guint packet_lifetime, guint response_timeout)
{
  SimTime response = cm_time_code (profile, response_timeout);

  if (!is_spec (profile))
    response += 2 * cm_time_code (profile, packet_lifetime);
  return cap (profile, response);
}

SimTime
cm_time_response (const CmProfile *profile, guint response_timeout)
{
  return cap (profile, cm_time_code (profile, response_timeout));
}

/* cm_mra_handler: the service timeout, and the time the answer then needs.  Before the CA's
 * delay was taken into account that was the packet lifetime itself, one code less. */
SimTime
cm_time_mra (const CmProfile *profile, guint service_timeout, guint ack_timeout)
{
  guint travel = profile->ack_delay_in_timeouts || ack_timeout == 0 ? ack_timeout : ack_timeout - 1;
  SimTime time = cm_time_code (profile, service_timeout) + cm_time_code (profile, travel);

  if (profile->mra_limit_ms > 0)
    time = MIN (time, SIM_MS ((SimTime) profile->mra_limit_ms));
  return cap (profile, time);
}

SimTime
cm_time_timewait (const CmProfile *profile, guint ack_timeout)
{
  return cm_time_code (profile, ack_timeout);
}

SimTime
cm_time_nominal (const CmConn *conn, const CmProfile *profile)
{
  switch ((CmWaitKind) conn->wait) {
  case CM_WAIT_NONE:
    return 0;
  case CM_WAIT_REQUEST:
    return cm_time_request (profile, conn->packet_lifetime, conn->remote_response_timeout);
  case CM_WAIT_RESPONSE:
    return cm_time_response (profile, conn->local_response_timeout);
  case CM_WAIT_MRA:
    return cm_time_mra (profile, conn->mra_received, conn->ack_timeout);
  }
  g_assert_not_reached ();
}

/* Linear at first, then doubling (the proposal's set_next_timeout). */
SimTime
cm_time_wait (const CmProfile *profile, SimTime nominal, guint waits)
{
  SimTime longest = SIM_MS ((SimTime) profile->backoff_cap_ms);
  SimTime time = nominal;

  if (profile->backoff_after == 0)
    return nominal;
  for (guint i = profile->backoff_after; i <= waits && time < longest; i++)
    time = MIN (2 * time, longest);
  return time;
}

/* Nominal lengths of the timers.  Where Linux and IBTA differ the profile's timing
 * decides; the kernel's timer wheel is not the business of this file. */
#include "cm_fsm.h"
#include "ib_time.h"

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

/* Linux lets the answer travel there and back (cm_req timeout_ms); the spec mode is
 * the bare response timeout. */
SimTime
cm_time_request (const CmProfile *profile, guint packet_lifetime, guint response_timeout)
{
  SimTime response = cm_time_code (profile, response_timeout);

  return is_spec (profile) ? response : response + 2 * cm_time_code (profile, packet_lifetime);
}

SimTime
cm_time_response (const CmProfile *profile, guint response_timeout)
{
  return cm_time_code (profile, response_timeout);
}

/* cm_mra_handler: the service timeout, and the time the answer then needs. */
SimTime
cm_time_mra (const CmProfile *profile, guint service_timeout, guint ack_timeout)
{
  return cm_time_code (profile, service_timeout) + cm_time_code (profile, ack_timeout);
}

SimTime
cm_time_timewait (const CmProfile *profile, guint ack_timeout)
{
  return cm_time_code (profile, ack_timeout);
}

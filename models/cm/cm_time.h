/* Nominal timers of the profile's arithmetic. */
#pragma once

#include "cm_conn.h"

SimTime cm_time_code (const CmProfile *profile, guint code);
/* REQ, LAP, and DREQ of the active side. */
SimTime cm_time_request (const CmProfile *profile, guint packet_lifetime,
                         guint response_timeout);
/* REP, SIDR_REQ, and DREQ of the passive side. */
SimTime cm_time_response (const CmProfile *profile, guint response_timeout);
SimTime cm_time_mra (const CmProfile *profile, guint service_timeout, guint ack_timeout);
SimTime cm_time_timewait (const CmProfile *profile, guint ack_timeout);
/* The response interval of the message that the end waits on, before any back-off; 0: it does
 * not wait. */
SimTime cm_time_nominal (const CmConn *conn, const CmProfile *profile);
/* The wait after `waits` earlier ones of the same message; `nominal` where the profile
 * does not back off. */
SimTime cm_time_wait (const CmProfile *profile, SimTime nominal, guint waits);

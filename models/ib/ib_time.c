/* Time codes: exact powers of two, and Linux's approximation of them. */
#include "ib_time.h"

#define CODE_MAX 31

SimTime
ib_time_spec (guint code)
{
  g_assert (code <= CODE_MAX);
  return SIM_NS (4096) << code;
}

/* 4.096 us x 2^8 is 1.048576 ms; Linux calls that 1 ms, and everything below too. */
SimTime
ib_time_linux (guint code)
{
  g_assert (code <= CODE_MAX);
  return SIM_MS (1) << (code > 8 ? code - 8 : 0);
}

/* The code of about 2^(packet lifetime + 1) + 2^(ack delay): the larger of the two
 * exponents, and one more when the other is as large or one smaller. */
guint
ib_ack_timeout_linux (guint ca_ack_delay, guint packet_lifetime)
{
  guint round_trip = packet_lifetime + 1;
  guint code;

  if (round_trip >= ca_ack_delay)
    code = ca_ack_delay + 1 >= round_trip ? round_trip + 1 : round_trip;
  else
    code = round_trip + 1 >= ca_ack_delay ? ca_ack_delay + 1 : ca_ack_delay;
  return MIN (code, CODE_MAX);
}

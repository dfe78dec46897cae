/* The 5-bit time codes of InfiniBand: code n means 4.096 us x 2^n. */
#pragma once

#include "sim_time.h"

/* 4.096 us x 2^n, exact in nanoseconds; 0 <= code <= 31 (IBTA 12.6.6 ff). */
SimTime ib_time_spec (guint code);
/* Linux's millisecond approximation: 2^max(n-8, 0) ms (cm.c cm_convert_to_ms). */
SimTime ib_time_linux (guint code);
/* Local ACK timeout code for a CA ack delay code and a packet lifetime code
 * (cm.c cm_ack_timeout). */
guint ib_ack_timeout_linux (guint ca_ack_delay, guint packet_lifetime);

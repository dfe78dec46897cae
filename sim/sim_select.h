/* Order statistics without a sort. */
#pragma once

#include "sim_time.h"

/* The k-th smallest of values[0..n-1], counted from 0; k < n.  Moves it to its place, what is
 * smaller before it and what is larger behind it: Hoare's selection, n steps on average. */
SimTime sim_select (SimTime *values, gsize n, gsize k);

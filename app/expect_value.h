/* Values in expectations: how a metric of some kind is written. */
#pragma once

#include "metrics.h"

/* Metrics are in seconds, times are whole nanoseconds. */
#define EXPECT_HALF_NANOSECOND 0.5e-9

/* *ret_half: how far from the value a metric may be that still equals it: half a unit of
 * the last digit written if there is a decimal point, else 0, or half a nanosecond.  NULL,
 * or what is wrong; "" if the text is no value of that kind (transfer full). */
char *expect_value_parse (const char *text, MetricKind kind, double *ret_value, double *ret_half);
/* "a time, such as 12ms". */
const char *expect_value_example (MetricKind kind);

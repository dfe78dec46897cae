/* Elementary functions built from IEEE 754 additions, multiplications, divisions
 * and square roots only, so that samples do not depend on the C library.
 * The build sets -ffp-contract=off.  Relative error below 1e-14 (tested against
 * libm) wherever the result is a normal number. */
#pragma once

double sim_log (double x);           /* x > 0, finite */
double sim_exp (double x);           /* saturates to 0 and to HUGE_VAL */
double sim_pow (double x, double y); /* x > 0, finite */
double sim_gamma (double x);         /* x > 0; saturates to HUGE_VAL */
/* 0 < p < 1: inverse standard normal CDF (Wichura, Applied Statistics 37, 1988, AS 241) */
double sim_normal_quantile (double p);

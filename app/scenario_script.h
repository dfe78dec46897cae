/* Scripts of a scenario: what single steps cannot show. */
#pragma once

#include "script.h"

/* NULL if the script can run on that side; else what is wrong (transfer full) with step
 * *ret_step. */
char *scenario_script_check (const GArray *steps, gboolean active, guint *ret_step);
